"""What happened to A, read off the trajectory around its first contact (InPhyRe specification, section 3.5).

Nothing here knows the scenario or the law: states just before and just after the contact are compared, so that friction
does not turn "no change" into "decreases". Each query has a pure function from meetings to the one meaning that holds;
where none does, for example because A meets nothing, the sample is to be drawn again. All of a batch at once.

Public functions: `label`, `meetings`, `codes`. `QUERIES` holds the functions by query.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from jaxphys_benchmarks.bulk import collector_paused
from jaxphys_benchmarks.inphyre.labels import Contact, Labels
from jaxphys_benchmarks.inphyre.numbers import Bools, Floats, Ints
from jaxphys_benchmarks.inphyre.scenarios import MEANINGS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_kernels.planar.model import Kind, Trajectory
from jaxphys_kernels.status import Status

NO_MEANING = -1
"""Code of a sample in which not exactly one meaning holds."""

CROSSING = 1e-9
"""Change of a velocity (m/s) that counts as an impulse."""


@dataclass(frozen=True)
class Meetings:
    """First contacts of A in b scenes; where `met` is false the rest means nothing.

    Attributes:
        met: (b,) A meets first what its spec says.
        time: (b,) s. normal, point: (b, 2).
        before, after: (b, 2, 2) velocities of A and of the other (m/s).
        spin_before, spin_after: (b, 2) rad/s.
        look_before, look_after: (b, 2) whose looks they have.
        through: (b,) from then on the two do not touch.
        depth: (b,) how far A got into the other afterwards, along the normal (m); 0 if it did not.
        crossed: (b,) A's centre got past the other's.
        axis: (b, 2) unit vector that the question calls vertical.
        change, rotation: (b,) thresholds.
        same_look: (b,) A and the other look alike from the start.
    """

    met: Bools
    time: Floats
    normal: Floats
    point: Floats
    before: Floats
    after: Floats
    spin_before: Floats
    spin_after: Floats
    look_before: Ints
    look_after: Ints
    through: Bools
    depth: Floats
    crossed: Bools
    axis: Floats
    change: Floats
    rotation: Floats
    same_look: Bools

    def __getitem__(self, rows: Ints | Bools) -> "Meetings":
        return Meetings(*(getattr(self, field.name)[rows] for field in fields(self)))


Measured = Mapping[str, Floats]
Query = Callable[[Meetings], tuple[Mapping[str, Bools], Measured]]
"""Meetings -> which meanings hold, and the numbers behind them."""


def speed(meets: Meetings) -> tuple[Mapping[str, Bools], Measured]:
    """Whether A is as fast as before, slower or faster."""
    before, after = _length(meets.before[:, 0]), _length(meets.after[:, 0])
    return _compared(before, after, meets.change), {"speed_before": before, "speed_after": after}


def rotation(meets: Meetings) -> tuple[Mapping[str, Bools], Measured]:
    """Whether A spins afterwards."""
    spin = meets.spin_after[:, 0]
    turns = np.abs(spin) >= meets.rotation
    return {"rotates": turns, "still": ~turns}, {"spin_before": meets.spin_before[:, 0], "spin_after": spin}


def vertical(meets: Meetings) -> tuple[Mapping[str, Bools], Measured]:
    """Whether the component along the axis that the question calls vertical is as large as before."""
    before, after = (np.abs(np.sum(vel[:, 0] * meets.axis, axis=1)) for vel in (meets.before, meets.after))
    holds = {name: held & (before > 0) for name, held in _compared(before, after, meets.change).items()}
    return holds, {"vertical_before": before, "vertical_after": after}


def meeting(meets: Meetings) -> tuple[Mapping[str, Bools], Measured]:
    """Whether A passes through the other without an impulse, stops at it, or bounces back."""
    stops, back, _ = _ways(meets)
    impulse = np.max(np.abs(meets.after - meets.before), axis=(1, 2)) > CROSSING
    passes = ~impulse & meets.crossed
    holds = {"passes_through": passes, "stops": impulse & stops, "bounces_back": impulse & back}
    return holds, {"speed_before": _length(meets.before[:, 0]), "speed_after": _length(meets.after[:, 0])}


def direction(meets: Meetings) -> tuple[Mapping[str, Bools], Measured]:
    """Whether A goes on, stops, or goes back."""
    stops, back, on = _ways(meets)
    along = np.sum(meets.before[:, 0] * meets.after[:, 0], axis=1)
    size = _length(meets.before[:, 0])
    holds = {"bounces_back": back, "keeps_direction": on, "stops": stops}
    return holds, {"speed_before": size, "velocity_after": along / np.where(size > 0, size, 1.0)}


def appearance(meets: Meetings) -> tuple[Mapping[str, Bools], Measured]:
    """Whether A looks like the other afterwards."""
    before, after = meets.look_before[:, 0], meets.look_after[:, 0]
    changed = (after != before) & (after == meets.look_before[:, 1]) & ~meets.same_look
    return {"looks_like_other": changed, "looks_as_before": after == before}, {}


QUERIES: Mapping[str, Query] = {
    "speed": speed,
    "rotation": rotation,
    "vertical": vertical,
    "meeting": meeting,
    "direction": direction,
    "appearance": appearance,
}


def label(specs: Sequence[InPhyReSpec], trajectory: Trajectory) -> list[Labels]:
    """Ground truth of a batch of samples.

    Args:
        specs: the samples. trajectory: their rollout, in the same order; the last time is the end of the film.

    Raises:
        ValueError: another number of scenes, or a rollout that ends elsewhere than the film.
    """
    statuses = np.asarray(trajectory.status)
    if len(statuses) != len(specs):
        raise ValueError(f"trajectory: {len(statuses)} scenes for {len(specs)} specs; roll out these specs")
    ends = np.broadcast_to(trajectory.times, (len(specs), np.shape(trajectory.times)[-1]))[:, -1]
    for spec, end in zip(specs, ends.tolist(), strict=True):
        if abs(end - spec.duration) > 1.5 / spec.film.fps:
            raise ValueError(f"trajectory: {spec.id} runs to {end} s; its film ends at {spec.duration} s")
    meets = meetings(specs, trajectory)
    found, measured = codes(specs, meets)
    words = statuses | np.array([spec.status for spec in specs]) | faults(specs, meets, found)
    with collector_paused():
        return _records(specs, trajectory, meets, words, found, measured)


def _records(
    specs: Sequence[InPhyReSpec],
    trajectory: Trajectory,
    meets: Meetings,
    words: Ints,
    found: Ints,
    measured: list[dict[str, float]],
) -> list[Labels]:
    columns = [getattr(meets, name).tolist() for name in _CONTACT]
    final = (np.asarray(trajectory.path.pos)[:, -1] + 0.0).tolist()
    counts = np.asarray(trajectory.events.count).tolist()
    met = meets.met.tolist()
    result = []
    for k, (spec, word, code) in enumerate(zip(specs, words.tolist(), found.tolist(), strict=True)):
        contact = Contact(**{name: column[k] for name, column in zip(_CONTACT.values(), columns, strict=True)})
        result.append(
            Labels(
                status=word,
                meaning="" if word else MEANINGS[spec.asked.query][code],
                contact=contact if met[k] else None,
                measured=measured[k] if met[k] else {},
                events=counts[k],
                end=final[k][: spec.n],
            )
        )
    return result


_CONTACT = {
    "time": "time", "normal": "normal", "point": "point", "before": "v_before", "after": "v_after",
    "spin_before": "w_before", "spin_after": "w_after", "look_before": "look_before", "look_after": "look_after",
    "through": "through",
}  # fmt: skip
"""Attributes of `Meetings` that a `Contact` takes, and their names there."""


def meetings(specs: Sequence[InPhyReSpec], trajectory: Trajectory) -> Meetings:
    """First contacts of A, and how far A got into the other after them."""
    events = trajectory.events
    kind, bodies = np.asarray(events.kind), np.asarray(events.bodies)
    mine = (kind == int(Kind.CONTACT)) & (bodies[..., 0] == 0)
    first = np.argmax(mine, axis=1)
    rows = np.arange(len(specs))
    other = np.array([spec.other for spec in specs])
    met = mine[rows, first] & (bodies[rows, first, 1] == other)

    def at(leaf: object) -> np.ndarray:
        # + 0 turns -0.0 into 0.0, which no file shall show.
        return np.asarray(np.asarray(leaf)[rows, first] + 0)

    time, normal, centres = at(events.time), at(events.normal), at(events.pos)
    apart = np.sum((centres[:, 1] - centres[:, 0]) * normal, axis=1)
    pos = np.asarray(trajectory.path.pos)
    along = np.sum((pos[rows, :, other] - pos[:, :, 0]) * normal[:, None], axis=-1)
    along = np.where(np.asarray(trajectory.times).reshape(-1, along.shape[1]) > time[:, None], along, np.inf)
    nearest = along.min(axis=1)
    return Meetings(
        met=met,
        time=np.where(met, time, 0.0),
        normal=normal,
        point=at(events.point),
        before=at(events.vel_before),
        after=at(events.vel_after),
        spin_before=at(events.spin_before),
        spin_after=at(events.spin_after),
        look_before=at(events.look_before),
        look_after=at(events.look_after),
        through=np.asarray(events.through)[rows, first] & met,
        depth=np.where(np.isfinite(nearest), np.maximum(apart - nearest, 0.0), 0.0),
        crossed=nearest < 0,
        axis=np.array([spec.asked.axis for spec in specs]),
        change=np.array([spec.change_threshold for spec in specs]),
        rotation=np.array([spec.rotation_threshold for spec in specs]),
        same_look=np.array([_same_look(spec) for spec in specs]),
    )


def codes(specs: Sequence[InPhyReSpec], meets: Meetings) -> tuple[Ints, list[dict[str, float]]]:
    """(b,) index into `MEANINGS` of each query, or `NO_MEANING`; and the numbers behind it."""
    asked = np.array([spec.asked.query for spec in specs])
    found = np.full(len(specs), NO_MEANING)
    numbers: list[dict[str, float]] = [{} for _ in specs]
    for query in sorted(set(asked.tolist())):
        rows = np.flatnonzero(asked == query)
        holds, measured = QUERIES[query](meets[rows])
        order = MEANINGS[query]
        table = np.stack([holds.get(meaning, np.zeros(len(rows), dtype=bool)) for meaning in order], axis=1)
        single = (table.sum(axis=1) == 1) & meets.met[rows]
        found[rows] = np.where(single, np.argmax(table, axis=1), NO_MEANING)
        for name, values in measured.items():
            for k, value in zip(rows.tolist(), values.tolist(), strict=True):
                numbers[k][name] = value
    return found, numbers


def faults(specs: Sequence[InPhyReSpec], meets: Meetings, found: Ints) -> Ints:
    """(b,) status bits of samples that cannot be asked about.

    `UNSTABLE_LABEL`: not exactly one meaning holds. `OVERLAP`: two objects that shall only meet ran into each other.
    """
    limit = np.array([spec.overlap_limit for spec in specs])
    meant = np.array([spec.asked.query == "speed" for spec in specs])
    deep = meant & meets.through & (meets.depth > limit)
    unclear = np.where(found == NO_MEANING, int(Status.UNSTABLE_LABEL), 0)
    return np.asarray(unclear | np.where(deep, int(Status.OVERLAP), 0))


def _same_look(spec: InPhyReSpec) -> bool:
    if spec.other >= len(spec.things):
        return False
    a, b = spec.things[0], spec.things[spec.other]
    return (a.colour, a.material) == (b.colour, b.material)


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt(np.sum(vectors**2, axis=-1)))


def _compared(before: Floats, after: Floats, change: Floats) -> dict[str, Bools]:
    same = np.abs(after - before) <= change * before
    return {"no_change": same, "increases": ~same & (after > before), "decreases": ~same & (after < before)}


def _ways(meets: Meetings) -> tuple[Bools, Bools, Bools]:
    """Whether A stops, goes back, goes on: exactly one if it moved before."""
    before, after = meets.before[:, 0], meets.after[:, 0]
    along, size = np.sum(before * after, axis=1), _length(before)
    stops = (_length(after) < meets.change * size) & (size > 0)
    return stops, ~stops & (along < 0), ~stops & (along > 0)
