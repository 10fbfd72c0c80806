"""One answer against the labels, as raw counts (BilliardPhys-Bench specification, sections 9.1 to 9.3).

Nothing is divided here: `aggregate` sums the counts and forms the rates. A missing answer has the same
denominators as a wrong one and nothing right. Positions are compared with the four-decimal values of
`_final.json`; whether a ball moved is read off the full-precision truth.

Values of tasks 1 and 2: `n` items, `correct`, `exact` (all right), `true_t` and `true_f` items with that
truth, `hit_t` and `hit_f` the ones of them answered right, `said_t` items answered T, `any_t` (1 if some
truth is T), `all_f` (1 if then every answer is F); task 2 also `correct_<WALL>`.

Values of task 3: `n`, `correct`, `exact`; `moved` balls, `moved_correct`; `moved_near` of them predicted, and
`truth_near` truly, within R of their start; `depth<d>` balls of chain depth d ("3" is 3 or more, "none" is
untouched) and `depth<d>_correct`; `error_n` moved balls whose true place is a number, and for those predicted
as a number `error_<id>` in radii; `angle_n` balls first touched by the cue ball and still on the table, and for
those predicted to move `angle_<id>`, degrees between predicted and true displacement.

All have `answered`, 1 if there is an answer.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jaxphys_benchmarks.billiardphys.labels import UNTOUCHED, Labels
from jaxphys_benchmarks.protocol import Answer, Question, Score
from jaxphys_kernels.billiards.model import WALLS

TOLERANCE = 1e-9
"""Added to the radius, as 0.53 - 0.50 <= 0.03 is false in float64; also the least displacement of a moved ball (m)."""

DEPTHS = ("0", "1", "2", "3", "none")
"""Names of the chain depths; the fourth stands for three or more."""

Point = Sequence[float]


def score(question: Question, labels: Labels, answer: Answer) -> Score:
    """Raw counts of an answer.

    Args:
        question: as asked; `reads` gives the key, and for task 3 the start positions and the radius.
        labels: ground truth of the scene.
        answer: as parsed.

    Raises:
        ValueError: the labels carry a status word, and are no ground truth.
        KeyError: unknown task.
    """
    if labels.status:
        raise ValueError(
            f"labels: scene {question.scene} has status {labels.status} and no ground truth; draw it again"
        )
    items = None if answer.value is None else answer.value[question.reads["key"]]
    values = _TASKS[question.task](question, labels, items) | {"answered": float(items is not None)}
    group = question.scene.split("/")[0]
    return Score(question.id, question.task, group, values, answer.status)


def place_correct(predicted: Point | None, truth: Point | None, radius: float) -> bool:
    """Whether a predicted centre is within one radius of the truth, or both are null."""
    if predicted is None or truth is None:
        return predicted is None and truth is None
    return math.dist(predicted, truth) <= radius + TOLERANCE


def _balls(question: Question, labels: Labels, items: list[dict[str, Any]] | None) -> dict[str, float]:
    truth = {ball: labels.q1[ball - 1] for ball in question.reads["ids"]}
    return _flags(truth, None if items is None else {item["id"]: item["answer"] == "T" for item in items})


def _walls(question: Question, labels: Labels, items: list[dict[str, Any]] | None) -> dict[str, float]:
    truth = dict(zip(WALLS, labels.q2, strict=True))
    said = None if items is None else {item["wall"]: item["answer"] == "T" for item in items}
    per_wall = {f"correct_{wall}": float(said is not None and said[wall] == truth[wall]) for wall in WALLS}
    return _flags(truth, said) | per_wall


def _flags(truth: Mapping[Any, bool], said: Mapping[Any, bool] | None) -> dict[str, float]:
    right = {name: said is not None and said[name] == hit for name, hit in truth.items()}
    any_t = any(truth.values())
    counts = {
        "n": len(truth),
        "correct": sum(right.values()),
        "exact": said is not None and all(right.values()),
        "true_t": sum(truth.values()),
        "true_f": sum(not hit for hit in truth.values()),
        "hit_t": sum(right[name] and hit for name, hit in truth.items()),
        "hit_f": sum(right[name] and not hit for name, hit in truth.items()),
        "said_t": 0 if said is None else sum(said.values()),
        "any_t": any_t,
        "all_f": any_t and said is not None and not any(said.values()),
    }
    return {name: float(count) for name, count in counts.items()}


def _positions(question: Question, labels: Labels, items: list[dict[str, Any]] | None) -> dict[str, float]:
    start, radius = question.reads["start"], question.reads["R"]
    said = {} if items is None else {item["id"]: item["pos"] for item in items}
    values = dict.fromkeys(
        ("n", "correct", "exact", "moved", "moved_correct", "moved_near", "truth_near", "error_n", "angle_n"), 0.0
    )
    values |= {f"depth{name}{part}": 0.0 for name in DEPTHS for part in ("", "_correct")}
    for ball, (truth, full) in enumerate(zip(labels.published_pos, labels.pos, strict=True)):
        right = ball in said and place_correct(said[ball], truth, radius)
        depth = "none" if labels.chain_depth[ball] == UNTOUCHED else str(min(labels.chain_depth[ball], 3))
        values["n"] += 1
        values["correct"] += right
        values[f"depth{depth}"] += 1
        values[f"depth{depth}_correct"] += right
        if full is None or math.dist(full, start[ball]) > TOLERANCE:
            values["moved"] += 1
            values["moved_correct"] += right
            values["truth_near"] += truth is not None and place_correct(truth, start[ball], radius)
            values["moved_near"] += said.get(ball) is not None and place_correct(said[ball], start[ball], radius)
            if truth is not None:
                values |= _continuous(ball, said.get(ball), truth, start[ball], radius, depth, values)
    values["exact"] = float(values["correct"] == values["n"])
    return values


def _continuous(
    ball: int, said: Point | None, truth: Point, start: Point, radius: float, depth: str, values: Mapping[str, float]
) -> dict[str, float]:
    """Error in radii of a moved ball and, if the cue ball set it in motion, the angle of its displacement."""
    found = {"error_n": values["error_n"] + 1}
    if said is not None:
        found[f"error_{ball}"] = math.dist(said, truth) / radius
    if depth == "1":
        found["angle_n"] = values["angle_n"] + 1
        angle = None if said is None else _angle(said, truth, start)
        if angle is not None:
            found[f"angle_{ball}"] = angle
    return found


def _angle(said: Point, truth: Point, start: Point) -> float | None:
    """Degrees between two displacements from the start; None for a ball predicted to stay."""
    ax, ay = said[0] - start[0], said[1] - start[1]
    bx, by = truth[0] - start[0], truth[1] - start[1]
    # Four decimals move a place by up to 7e-5 m: a ball written at its own start is not predicted to move.
    if math.hypot(ax, ay) <= 1e-4 or math.hypot(bx, by) == 0:
        return None
    return math.degrees(abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by)))


_TASKS: dict[str, Callable[[Question, Labels, list[dict[str, Any]] | None], dict[str, float]]] = {
    "task1": _balls,
    "task2": _walls,
    "task3": _positions,
}
