"""Questions about a scene, one per task (BilliardPhys-Bench specification, section 8.1).

A prompt is a general part (what is shown, constants, laws) and a task part, which asks for one JSON object.
Questions are made from the spec alone and never see a label; they are about the scene as the style of the view
shows it. `TEMPLATE_VERSION` changes with any wording; `Question.prompt_hash` covers the version and the text.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jaxphys_benchmarks.billiardphys.perturb import map_back, seen
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec
from jaxphys_benchmarks.protocol import AskOptions, Question
from jaxphys_kernels.billiards.model import WALLS

TEMPLATE_VERSION = "1"
TASKS = ("task1", "task2", "task3")


@dataclass(frozen=True)
class Keys:
    """JSON keys of the three answers; the first two are ours, the third is published."""

    task1: str = "Q1"
    task2: str = "Q2"
    task3: str = "predictions"


def ask(spec: BilliardSpec, options: AskOptions = AskOptions(), keys: Keys = Keys()) -> tuple[Question, ...]:  # noqa: B008
    """The three questions about a scene, in the order of `TASKS`.

    Args:
        spec: the scene.
        options: how to ask. Chain of thought is on for tasks 1 and 2 and off for task 3 unless overridden.
        keys: JSON keys of the answers.

    Returns:
        Questions whose `reads` hold what the parser must know (`kind`, `key`, `ids` or `walls`, `size`), how to
        bring an answer about the picture back to the scene (`style`, and `back` unless it is the same scene), and
        what the score needs of the scene itself (`start`, `R`).

    Raises:
        ValueError: unknown style.
    """
    style = options.view.style
    shown = seen(spec, style)
    general = _general(shown, options)
    about = {"style": style, "start": [list(pos) for pos in spec.positions], "R": spec.R}
    if shown != spec:
        about["back"] = _way_back(spec, style)
    return tuple(_question(shown, options, general, task, getattr(keys, task), about) for task in TASKS)


def _way_back(spec: BilliardSpec, style: str) -> dict[str, Any]:
    """`ids` and `walls` of the scene by those in the picture, and x = offset + sign x_picture, y likewise."""
    balls = map_back(spec, style, [{"id": ball, "answer": ball} for ball in range(spec.n)])
    walls = map_back(spec, style, [{"wall": wall, "answer": wall} for wall in WALLS])
    far = map_back(spec, style, [{"id": 0, "pos": [spec.table.W, spec.table.H]}])[0]["pos"]
    mirrored = [place == 0 for place in far]
    return {
        "ids": [row["id"] for row in sorted(balls, key=lambda row: int(row["answer"]))],
        "walls": {row["answer"]: row["wall"] for row in walls},
        "offset": [size if flip else 0.0 for size, flip in zip((spec.table.W, spec.table.H), mirrored, strict=True)],
        "sign": [-1.0 if flip else 1.0 for flip in mirrored],
    }


def _question(
    spec: BilliardSpec, options: AskOptions, general: str, task: str, key: str, about: dict[str, Any]
) -> Question:
    thinks = task != "task3" if options.chain_of_thought is None else options.chain_of_thought
    text, reads = _TASK_PARTS[task](spec, options, key)
    prompt = f"{general}\n\n{text}\n\n{_ending(thinks)}"
    digest = hashlib.sha256(f"{TEMPLATE_VERSION}\n{prompt}".encode()).hexdigest()
    return Question(
        id=f"{spec.id}/{task}",
        scene=spec.id,
        task=task,
        prompt=prompt,
        prompt_hash=digest,
        view=options.view if options.image and not options.text_only else None,
        chain_of_thought=thinks,
        reads={"key": key, **reads, **about},
    )


def _general(spec: BilliardSpec, options: AskOptions) -> str:
    width, height, radius = f"{spec.table.W:g}", f"{spec.table.H:g}", f"{spec.R:g}"
    lines = [
        "A billiard table is seen from above at time 0. Predict what happens from time 0 to time"
        f" t = {spec.t:g} s by the laws given below.",
        "",
        "The scene",
        f"- Lengths are in metres. x grows to the right, y grows upwards, the origin is the lower left corner of"
        f" the table: 0 <= x <= {width}, 0 <= y <= {height}.",
        f"- The walls are TOP (y = {height}), BOTTOM (y = 0), LEFT (x = 0) and RIGHT (x = {width}).",
        f"- There are {spec.n} balls with the ids 0 to {spec.n - 1}, all of radius {radius} m and of equal mass."
        " Ball 0 is the cue ball."
        if spec.n > 1
        else f"- There is one ball, id 0, the cue ball, of radius {radius} m.",
        f"- {_pockets(spec)}",
        "- At time 0 only the cue ball moves; all other balls are at rest." if spec.n > 1 else "- The ball moves.",
        *_shown(spec, options),
        "",
        "The laws",
        *_friction(spec),
        "- All collisions are perfectly elastic, without spin and without friction between the bodies. Two balls"
        f" collide when their centres are two radii ({2 * spec.R:g} m) apart. A ball bounces off a wall when its"
        f" centre is one radius ({radius} m) away from the wall.",
    ]
    return "\n".join(lines)


def _pockets(spec: BilliardSpec) -> str:
    if not spec.pockets:
        return "The table has no pockets."
    holes = ", ".join(f"({p.centre[0]:g}, {p.centre[1]:g}) within {p.radius:g} m" for p in spec.pockets)
    return f"The table has pockets. A ball is pocketed, and gone, when its centre comes near enough to one: {holes}."


def _friction(spec: BilliardSpec) -> list[str]:
    if spec.mu == 0:
        return ["- There is no friction: a ball keeps its speed between collisions."]
    return [
        f"- A moving ball is slowed by friction f = mu m g with mu = {spec.mu:g} and g = {spec.g:g} m/s^2, that is,"
        f" by a constant deceleration of mu g = {spec.mu * spec.g:.6g} m/s^2 along its path.",
        "- A ball that starts with speed v0 has the speed v(s) = sqrt(v0^2 - 2 mu g s) after a path of length s,"
        " and stops after the path s_stop = v0^2 / (2 mu g).",
    ]


def _shown(spec: BilliardSpec, options: AskOptions) -> list[str]:
    """How the positions and the cue velocity are given: by the picture, by the same facts as text, or not at all."""
    mode = spec.cue_speed_text
    if options.text_only:
        # The text says what the picture would say.
        return [*_as_text(spec), *_SPEED_LINES["number_in_prompt" if mode == "number_in_image" else mode](spec)]
    if not options.image:
        number = _SPEED_LINES[mode](spec) if mode == "number_in_prompt" else []
        return ["- The places of the balls are not given: answer with what you think most likely.", *number]
    return [
        "- The picture shows the table at time 0 with its axes in metres. The id of each ball is printed on it. An"
        " arrow starts at the centre of the cue ball and points along its velocity.",
        *_SPEED_LINES[mode](spec),
    ]


def _as_text(spec: BilliardSpec) -> list[str]:
    """What the picture would show: the centres, and the arrow from its foot to its tip."""
    centres = ", ".join(f"ball {ball.id} ({ball.pos[0]:.4f}, {ball.pos[1]:.4f})" for ball in spec.balls)
    foot = spec.positions[0]
    tip = [start + spec.arrow_scale * part for start, part in zip(foot, spec.cue.vel, strict=True)]
    return [
        f"- Centres at time 0: {centres}.",
        "- The velocity of the cue ball is given as an arrow from the centre of the cue ball"
        f" to the point ({tip[0]:.4f}, {tip[1]:.4f}).",
    ]


_SPEED_LINES: dict[str, Callable[[BilliardSpec], list[str]]] = {
    "none": lambda spec: ["- The longer the arrow, the faster the cue ball."],
    "arrow_scale_in_prompt": lambda spec: [
        f"- The length of the arrow gives the speed of the cue ball: {spec.arrow_scale:g} m of length for each 1 m/s."
    ],
    "number_in_prompt": lambda spec: [f"- The cue ball has the speed v0 = {spec.cue.v0:.4f} m/s at time 0."],
    "number_in_image": lambda spec: ["- The speed v0 of the cue ball at time 0 is written in the picture."],
}


def _task1(spec: BilliardSpec, options: AskOptions, key: str) -> tuple[str, dict[str, Any]]:
    ids = list(range(1, spec.n))
    entries = ", ".join(f'{{"id": {ball}, "answer": A}}' for ball in ids)
    text = (
        "The task\n"
        f"For each of the balls {_listed(ids)}: does the cue ball itself collide with it at some time from 0 to"
        f" {spec.t:g} s? Collisions between two other balls do not count.\n\n"
        "The answer is one JSON object of this form, with every ball exactly once, where each A is"
        f' "T" (it does) or "F" (it does not), quotes included:\n{{"{key}": [{entries}]}}'
    )
    return text, {"kind": "balls", "ids": ids}


def _task2(spec: BilliardSpec, options: AskOptions, key: str) -> tuple[str, dict[str, Any]]:
    entries = ", ".join(f'{{"wall": "{wall}", "answer": A}}' for wall in WALLS)
    text = (
        "The task\n"
        f"For each wall: does the cue ball itself bounce off it at some time from 0 to {spec.t:g} s? Other balls do"
        " not count.\n\n"
        "The answer is one JSON object of this form, with every wall exactly once, where each A is"
        f' "T" (it does) or "F" (it does not), quotes included:\n{{"{key}": [{entries}]}}'
    )
    return text, {"kind": "walls", "walls": list(WALLS)}


def _task3(spec: BilliardSpec, options: AskOptions, key: str) -> tuple[str, dict[str, Any]]:
    ids = list(range(spec.n))
    entries = ", ".join(f'{{"id": {ball}, "pos": [x, y]}}' for ball in ids)
    text = (
        "The task\n"
        f"Where is the centre of each ball at time t = {spec.t:g} s, the cue ball and the balls that did not move"
        " included?\n\n"
        "The answer is one JSON object of this form, with every ball exactly once, where x and y are numbers in"
        f' metres with at most four decimals:\n{{"{key}": [{entries}]}}\n{_null_rule(spec, options)}'
    )
    return text, {"kind": "positions", "ids": ids, "size": [spec.table.W, spec.table.H]}


def _null_rule(spec: BilliardSpec, options: AskOptions) -> str:
    if options.force_numeric:
        return "Give two numbers for every ball, your best estimate where you are not sure; null is not accepted."
    if spec.pockets:
        return "For a ball that is pocketed by then, write null in place of [x, y]."
    return "Give two numbers for every ball."


_TASK_PARTS: dict[str, Callable[[BilliardSpec, AskOptions, str], tuple[str, dict[str, Any]]]] = {
    "task1": _task1,
    "task2": _task2,
    "task3": _task3,
}


def _ending(thinks: bool) -> str:
    if thinks:
        return (
            "Think step by step first, without curly braces in your reasoning. Then end your reply with the JSON"
            " object, and write nothing after it."
        )
    return "Reply with the JSON object only, without any other text."


def _listed(ids: list[int]) -> str:
    return ", ".join(map(str, ids)) if ids else "(none)"
