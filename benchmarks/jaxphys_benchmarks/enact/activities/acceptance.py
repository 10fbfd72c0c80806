"""What a set of episodes has to show (ENACT specification, section 14, acceptance), measured on what questions tell.

Classes are counted in the changes between key frames that are seen and put into words, not in the script and not in
facts that nobody sees. Public: `Row`, `row`, `shortcomings`, `CLASSES`, `REVERSIBLE`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jaxphys_benchmarks.enact import paths
from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.episodes.making import Made

CLASSES: tuple[str, ...] = (
    "RightGrasping", "LeftGrasping", "OnTop", "Under", "Inside", "Contains", "Covered", "Open", "ToggledOn", "Cooked",
    "Transition",
)  # fmt: skip
"""The eleven classes of predicates."""

REVERSIBLE: tuple[str, ...] = tuple(name for name in CLASSES if name not in ("Cooked", "Transition"))
"""Those that also end."""

LENGTH = 10
"""L of the longest questions, whose paths are counted."""
WORDS = {"add": "added", "remove": "removed"}


@dataclass(frozen=True)
class Row:
    """Figures of an episode.

    Attributes:
        activity: its name. key_frames: M. paths: distinct ones of `LENGTH` frames.
        added, removed: in how many changes between key frames a class begins, or ends.
        left, right: grasps by either hand. failures: what went wrong in it.
    """

    activity: str
    key_frames: int
    paths: int
    added: Mapping[str, int]
    removed: Mapping[str, int]
    left: int
    right: int
    failures: tuple[str, ...] = ()


def row(made: Made, config: EnactConfig) -> Row:
    """The figures of an episode."""
    episode = made.episode(config)
    edges = paths.edge_matrix(episode, made.key_frames)
    found: dict[str, dict[str, int]] = {"added": {}, "removed": {}}
    for i, j in zip(*edges.nonzero(), strict=True):
        for signature in episode.partial(made.key_frames[i], made.key_frames[j]):
            kind, what = signature.split("_", 2)[1], signature.rsplit("_", 1)[1]
            way, name = ("added", "Transition") if kind == "transition" else (WORDS[kind], what)
            found[way][name] = found[way].get(name, 0) + 1
    long_enough = len(made.key_frames) >= LENGTH
    return Row(
        activity=str(made.figures["activity"]),
        key_frames=len(made.key_frames),
        paths=int(sum(paths.counts(edges, LENGTH)[-1])) if long_enough else 0,
        added=found["added"],
        removed=found["removed"],
        left=int(made.figures["grasps_left"]),
        right=int(made.figures["grasps_right"]),
        failures=tuple(made.figures["failures"]),
    )


def shortcomings(
    rows: Sequence[Row], *, activities: int = 3, key_frames: int = 15, many_paths: int = 20, in_activities: int = 25,
    balance: float = 0.05,
) -> tuple[str, ...]:  # fmt: skip
    """What a set of episodes lacks; empty if it is accepted.

    Args:
        rows: of all episodes. activities: in which each class appears, at least. key_frames: of an episode, at least.
        many_paths: of ten frames, at least, `in_activities` activities, in the sum of their episodes.
        balance: greatest difference of left and right grasps, as a part of all.
    """
    found = [f"{one.activity}: {one.key_frames} key frames" for one in rows if one.key_frames < key_frames]
    found += [f"{one.activity}: {problem}" for one in rows for problem in one.failures]
    for way, classes in (("added", CLASSES), ("removed", REVERSIBLE)):
        for name in classes:
            where = {one.activity for one in rows if getattr(one, way).get(name, 0)}
            if len(where) < activities:
                found.append(f"{name} is {way} in {len(where)} activities only: {', '.join(sorted(where)) or 'none'}")
    total: dict[str, int] = {}
    for one in rows:
        total[one.activity] = total.get(one.activity, 0) + one.paths
    rich = sum(count >= many_paths for count in total.values())
    if rich < in_activities:
        found.append(f"only {rich} activities have {many_paths} paths of {LENGTH} frames")
    left, right = sum(one.left for one in rows), sum(one.right for one in rows)
    if abs(left - right) > balance * (left + right):
        found.append(f"{left} left and {right} right grasps")
    return tuple(found)
