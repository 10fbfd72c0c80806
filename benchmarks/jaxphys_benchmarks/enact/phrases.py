"""How states are said: the 26 phrases, and the verbs of a change (ENACT specification, sections 5.3 and 5.4).

A state without a phrase is in no signature and in no sentence.
"""

UNARY: dict[str, str] = {
    "Open": "open",
    "ToggledOn": "turned on",
    "Cooked": "cooked",
    "Burnt": "burnt",
    "Folded": "folded",
    "Unfolded": "unfolded",
    "Frozen": "frozen",
    "Heated": "heated",
    "OnFire": "on fire",
    "HeatSourceOrSink": "heat source or sink",
    "InFOVofRobot": "in field of view of robot",
}
"""Phrases of the states of nodes."""

BINARY: dict[str, str] = {
    "OnTop": "on top of and touching",
    "Inside": "inside",
    "Under": "under",
    "Contains": "containing",
    "Covered": "covered by",
    "AttachedTo": "attached to",
    "Draped": "draped over",
    "Filled": "filled with",
    "NextTo": "next to",
    "Overlaid": "overlaid on",
    "Saturated": "saturated with",
    "Touching": "touching",
    "Grasping": "grasping",
    "LeftGrasping": "using the left gripper to grasp",
    "RightGrasping": "using the right gripper to grasp",
}
"""Phrases of the states of edges."""

ADD_VERBS = ("now becomes", "becomes", "changes to be", "transitions to be")
REMOVE_VERBS = ("is no longer", "stopped being")
VERBS: dict[str, tuple[str, ...]] = {"add": ADD_VERBS, "remove": REMOVE_VERBS}

NO_CHANGE = "No significant changes occurred"
"""What is said of two frames without a visible change."""
