"""The text of a question: our own wording of the published content (ENACT specification, section 6.5).

Parts in order: role and goal, the task in numbered steps, the output format, the list of actions, a closing line. The
images are no part of the text. `actions_of` reads the list back, also from questions of imported files.
"""

import re
from collections.abc import Sequence

VERSION = "enact-1"
"""Changes with every change of a template."""

FORWARD = """\
You are a capable agent that can infer multi-step forward dynamics in embodied decision making. Your goal is to \
predict the order of the future states that results from applying a series of actions to an initial state.

## Your Task
You are given one image of the current state, labelled "Current State", a list of actions in the order in which they \
are carried out, and a shuffled set of images of future states, labelled "Next State 1", "Next State 2", and so on. \
Each action is told as the change of the scene that it brings about.
1. Start from the image of the current state.
2. Apply the first action to it and imagine the outcome.
3. Find the future image that matches this outcome: it is the first in the order.
4. Apply the next action to the state in the image that you have just found.
5. Find the image of its outcome among the remaining images.
6. Go on until all actions and all future images have been used.

## Output Format
Reply only with a Python list of integers: the labels of the future images in chronological order. Write no other \
text. For example, if Next State 1 comes first, then Next State 3, then Next State 2, reply:
[1, 3, 2]

## Actions in Order
{legend}{actions}

Now give the chronological order of the future images in the requested format."""

INVERSE = """\
You are a capable agent that can infer multi-step inverse dynamics in embodied decision making. Your goal is to \
determine the chronological order of the actions that caused the transitions in a sequence of images.

## Your Task
You are given images in chronological order, the first labelled "Current State" and the others "Next State 1", \
"Next State 2", and so on, and a shuffled list of actions. Each action is told as the change of the scene that it \
brings about.
1. Look at what changes between the first two images.
2. Choose the single action of the list that describes this change best.
3. Do the same for every following pair of neighbouring images.

## Output Format
Reply only with a Python list of integers: the labels of the actions in the right order. Write no other text and no \
code formatting. For example, if Action 2 comes first, then Action 3, then Action 1, reply:
[2, 3, 1]

## Shuffled Actions
{legend}{actions}

Now give the right order of the actions in the requested format."""

_ACTION = re.compile(r"^\[Action (\d{1,4})\] (.*)$", re.MULTILINE)


def question(actions: Sequence[str], *, inverse: bool, legend: str = "") -> str:
    """The text of a question.

    Args:
        actions: n texts, in true order forward, shuffled inverse.
        inverse: which question.
        legend: how the actions are to be read, where they are no sentences.
    """
    legend = f"{legend}\n\n" if legend else ""
    lines = "\n".join(f"[Action {k}] {text}" for k, text in enumerate(actions, start=1))
    return (INVERSE if inverse else FORWARD).format(legend=legend, actions=lines)


def actions_of(text: str) -> tuple[str, ...]:
    """The actions that a question lists, in its order; empty where it lists none, or not 1, 2, 3, ..."""
    found = _ACTION.findall(text)
    return tuple(action for _, action in found) if [int(k) for k, _ in found] == [*range(1, len(found) + 1)] else ()
