"""The wording of the question: the robot and its frame, the cameras, the observed motion as numbers, the plan.

Places are told in the robot's own frame, (forward, left, up) from its pelvis, in which plans are written; lengths in
metres. Nothing here knows what will happen.
"""

from collections.abc import Sequence

import numpy as np

from jaxphys_benchmarks.reacthuman import looks
from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue
from jaxphys_benchmarks.reacthuman.distances import to_body
from jaxphys_benchmarks.reacthuman.observed import observed
from jaxphys_benchmarks.reacthuman.plan import REST, Limits
from jaxphys_benchmarks.reacthuman.scene import Box, Thing, Vector
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

VIEWS: dict[str, str] = {
    "egocentric": "What the robot sees: its head camera",
    "observer": "The scene seen from behind the robot and to one side (the grey figure is the robot)",
    "closeup": "The scene seen from the side (the grey figure is the robot)",
    "overhead": "The scene seen from above, with the robot's forward direction up (the grey figure is the robot)",
}

SHAPES: dict[str, str] = {"sphere": "round", "box": "box-shaped", "prism": "cylindrical", "capsule": "rod-shaped"}


ONCE = "it will carry out your plan as it is, without looking again"
"""What becomes of a plan, where models are asked once."""


def setting(spec: ReactHumanSpec, outlook: str = ONCE) -> str:
    """Who acts, and what is known of the place; `outlook` says what becomes of a plan."""
    height = f"{spec.robot.z:.2f}"
    rest = " and ".join(place(hand) for hand in REST)
    return (
        "A humanoid robot (Unitree G1, 1.32 m tall) stands in a room, upright and at rest, when something happens in"
        " front of it. You see the last moments. Time is frozen now, and you decide how the robot moves from now on;"
        f" {outlook}.\n\n"
        "The robot's frame: (forward, left, up) in metres from its pelvis, which is"
        f" {height} m above the floor, so the floor is at up = -{height}; its head is at about up = 0.45."
        f" At rest its left and right hands are at {rest}.\n"
        f"The room is of the kind {spec.room.type.replace('_', ' ')}, {spec.room.height:g} m high."
    )


def view(spec: ReactHumanSpec, kind: str, aspect: float) -> str:
    """A camera: what it is, and where, in the robot's frame."""
    lens = camera(spec, kind, aspect)
    eye, target = to_body(lens.position, spec.robot_root), to_body(lens.target, spec.robot_root)
    gaze = np.subtract(target, eye)
    pitch = float(np.degrees(np.arctan2(gaze[2], np.hypot(gaze[0], gaze[1]))))
    turn = float(np.degrees(np.arctan2(gaze[1], gaze[0])))
    return (
        f"{VIEWS[kind]}, at {place(eye)}, looking {degrees(turn, 'left', 'right')} of forward and"
        f" {degrees(pitch, 'up', 'down')}, vertical field of view {lens.fov_deg:.0f} degrees."
    )


def motion(spec: ReactHumanSpec, rows: Catalogue) -> str:
    """The observed motion in numbers, for whoever is asked without pictures."""
    track = observed(spec)
    lines = ["What is there, in the robot's frame:"]
    lines += [_thing(thing, spec, rows) for thing in spec.scene.things]
    lines += [_box(box, spec.robot_root) for box in spec.scene.boxes]
    lines.append("Where the centres of what can move have been, the last time is now:")
    for k, thing in enumerate(spec.scene.things):
        places = [
            f"{time - track.times[0]:.2f} s {place(to_body(pos[k], spec.robot_root))}"
            for time, pos in zip(track.times, track.pos, strict=True)
        ]
        lines.append(f"- {name(thing, spec, rows)}: {', '.join(places)}")
    return "\n".join(lines)


def task(limits: Limits) -> str:
    """What a plan is."""
    return (
        "The task\n"
        "Answer with one motion plan as a JSON object. t = 0 is now.\n"
        f"- walking_cmd: [vx, vy, yaw_rate], forward and leftward speed in m/s (at most {limits.max_vx:g} and"
        f" {limits.max_vy:g} either way) and turning rate in rad/s (at most {limits.max_yaw:g}), positive forward, left"
        f" and counterclockwise seen from above; it is held for walking_duration seconds (0 to {limits.max_time:g})."
        " All zeros: the robot stays where it is.\n"
        f"- keyframes: 1 to {limits.max_keyframes}, t in seconds from 0 to {limits.max_time:g} and rising. left_hand"
        f" and right_hand are places [forward, left, up] in metres from the pelvis (within {limits.max_hand:g} either"
        " way); hands move in straight lines between key frames. knee_bend is 0 (upright) to 1 (crouched).\n"
        "- object_identified: what it is. intent: in a short sentence, what the robot is to do and why. confidence: 0"
        " to 1.\n"
        "Whether the robot reaches for the object, gets out of its way or does nothing is up to you; judge what the"
        " object is and how it moves."
    )


def place(values: Sequence[float]) -> str:
    """A place, or a vector, to the hundredth."""
    # + 0.0 turns -0.00 into 0.00.
    return "(" + ", ".join(f"{round(float(value), 2) + 0.0:.2f}" for value in values) + ")"


def degrees(angle: float, positive: str, negative: str) -> str:
    """An angle in whole degrees, and to which side it is."""
    return f"{abs(angle):.0f} degrees {positive if angle >= 0 else negative}"


def name(thing: Thing, spec: ReactHumanSpec, rows: Catalogue) -> str:
    """What a body looks like."""
    if not thing.object:
        return "a block"
    return looks.words(thing.object, spec.family, rows)


def _thing(thing: Thing, spec: ReactHumanSpec, rows: Catalogue) -> str:
    x, y, z = thing.size
    long = z + x if thing.shape == "capsule" else z
    return f"- {name(thing, spec, rows)}: {SHAPES[thing.shape]}, half extents {place((x, y, long))}"


def _box(box: Box, root: Vector) -> str:
    upright = 1 - 2 * (box.quat[1] ** 2 + box.quat[2] ** 2) / float(np.dot(box.quat, box.quat))
    tilt = float(np.degrees(np.arccos(np.clip(upright, -1.0, 1.0))))
    tilted = f", tilted by {tilt:.0f} degrees" if tilt > 0.5 else ""
    return (
        f"- {box.name.replace('_', ' ')}: does not move, centre {place(to_body(box.pos, root))}, half extents across,"
        f" ahead and up {place(box.half)}{tilted}"
    )
