"""Which scenes are accepted (ReactHuman specification, section 7.6): a status word for each, 0 for a sound one.

Beyond the simulator's own bits: the event happens, contacts come in the order of the family's story, nothing moves
while it is held, what matters stays inside the room until the story is over, frames lie before the impact in event
timing, the robot stands in no furniture and neither too near nor too far, and a nudge of the launch changes neither
label nor contacts. Whether it can be seen is asked afterwards, of sound scenes only (`visibility`, `sample.concealed`).
The early parametrisation is taken as it is: only what the simulator refuses is refused, because its missing events are
what it is kept for.

Public: `words`, `Outcome`, `outcomes`, `settled`, `late`, `counted`, `ORDERS`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.events import NEVER
from jaxphys_benchmarks.reacthuman.family import Family
from jaxphys_benchmarks.reacthuman.impact import MEETINGS
from jaxphys_benchmarks.reacthuman.nearest import FINE, nearest
from jaxphys_benchmarks.reacthuman.placement import START_GAP
from jaxphys_benchmarks.reacthuman.spec import Room, Timing
from jaxphys_benchmarks.reacthuman.tracking import Story
from jaxphys_benchmarks.reacthuman.truth import Truth
from jaxphys_kernels.rigid.model import FLOOR, Shape
from jaxphys_kernels.status import Status, count_bits

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

DRIFT = 2e-3
"""Farthest way of a body that is held: it sinks into what it stands on, but does not wander (m)."""

DISTANCES = (0.30, 1.50)
"""Between robot and impact point, seen from above, where the robot was placed by a stand-off (m; section 19, 20)."""

GAP_TOLERANCE = 1e-5
"""Of the gap between robot and hazard: places of robots are rounded (m)."""

LATE = 1e-3
"""By which a faster band may be later (s): where launches are solved for equal times, their last digits vary."""

SETTLED = 0.01
"""How far below the limit a clearance must be to stay there under a nudge (m)."""

PHYSICAL = Status.OVERLAP | Status.NONFINITE | Status.CAPACITY | Status.SOLVER | Status.EVENT_CAP

Order = Callable[[Story, Ints], Bools]
"""(scenes, index (b,) of the tracked body) -> (b,) whether contacts came in the order of the story."""


@dataclass(frozen=True)
class Outcome:
    """What a nudge must not change: the action, whether the event happens, the order of contacts, and how the hazard
    meets the robot; with the status word of the simulator."""

    action: str
    happens: bool
    order: tuple[str, ...]
    kind: str
    status: int


def outcomes(truth: Truth) -> list[Outcome]:
    """The outcome of each scene."""
    return [
        Outcome(action, event != NEVER, order, kind, status)
        for action, event, order, kind, status in zip(
            truth.actions,
            truth.event.tolist(),
            truth.orders,
            truth.impact.kind.tolist(),
            truth.story.run.status.tolist(),
            strict=True,
        )
    ]


def settled(truth: Truth) -> NDArray[np.bool_]:
    """(b,) scenes whose label cannot change once the story is over: something came near, or into the reach window."""
    limit = truth.story.run.kind.judging.c_na - SETTLED
    met = np.isin(truth.impact.kind, list(MEETINGS))
    return np.asarray((truth.impact.state != NEVER) & (met | (truth.clearance_by_end < limit)))


def words(
    truth: Truth,
    nudged: Sequence[Outcome],
    family: Family,
    rooms: Sequence[Room],
    decoys: Sequence[bool],
    timings: Sequence[Timing],
) -> Ints:
    """(b,) status words.

    Args:
        truth: of the scenes. nudged: outcomes of the same with other launches. family: theirs.
        rooms: of each. decoys: whether the robot was moved away. timings: windows of each.
    """
    impact, dt = truth.impact, truth.story.run.dt
    status = np.array([other.status for other in nudged])
    unstable = [own != other for own, other in zip(outcomes(truth), nudged, strict=True)]
    found = truth.story.run.status | status | _bit(np.array(unstable), Status.UNSTABLE_LABEL)
    found = found | _bit(~np.isfinite(truth.story.pos).all(axis=(1, 2, 3)), Status.NONFINITE)
    if truth.story.run.kind.variant == "early":
        return np.asarray(found & int(PHYSICAL))
    moved = np.array(decoys)
    # What never reaches the robot that was moved away need only happen.
    nothing = (truth.event == NEVER) & (impact.floor_state == NEVER)
    missing = np.where(moved, nothing, (truth.event == NEVER) | (impact.state == NEVER))
    found = found | _bit(missing, Status.NO_EVENT)
    found = found | _bit(~ORDERS[family.order](truth.story, truth.body), Status.ORDER)
    found = found | _bit(truth.story.run.drift > DRIFT, Status.DRIFT)
    found = found | _bit(outside(truth, rooms), Status.OUTSIDE)
    freeze = np.array([timing.freeze_step if timing.mode == "event" else -1 for timing in timings])
    found = found | _bit(freeze * dt >= impact.time, Status.TIMING)
    wrong = moved & np.array([action != "NO_ACTION" for action in truth.actions])
    if family.impact == "plane":
        wrong = wrong | (~moved & ~missing & ~_within_reach(truth))
    return np.asarray(found | _bit(wrong | blocked(truth), Status.REACH))


def late(times: Sequence[float]) -> int:
    """Status bit of a group in which a faster band reaches the robot later.

    Args:
        times: of the impacts (s), slowest band first, inf for none.
    """
    return int(Status.LATE) if any(b > a + LATE for a, b in pairwise(times)) else 0


def counted(rejected: Iterable[int]) -> str:
    """Reasons of rejected draws with their numbers, for people."""
    return ", ".join(f"{name} {count}" for name, count in count_bits(rejected).items())


def blocked(truth: Truth) -> Bools:
    """(b,) whether the robot stands in a static box, for example where the stool is."""
    story = truth.story
    world, judging = story.run.world, story.run.kind.judging
    span = (judging.robot_radius, judging.robot_height - judging.robot_radius)
    found = np.zeros(story.b, np.bool_)
    for k in range(story.run.s):
        half, pos, quat = (np.asarray(leaf)[:, k] for leaf in (world.static_half, world.static_pos, world.static_quat))
        _, away = nearest(Shape.BOX, half, pos[:, None], quat[:, None], truth.robot, span, FINE)
        found |= away[:, 0] < judging.robot_radius
    return found


def _within_reach(truth: Truth) -> Bools:
    """(b,) whether robot and impact are as far apart as is meant.

    A robot that would have stood in the hazard as it starts was moved south: then the impact may be farther away.
    """
    low, high = DISTANCES
    away = np.sqrt(np.sum((truth.impact.point[:, :2] - truth.robot) ** 2, axis=-1))
    south = truth.story.southmost[np.arange(truth.story.b), truth.body]
    gap = south - truth.robot[:, 1] - truth.story.run.kind.judging.robot_radius
    return np.asarray((away >= low) & ((away <= high) | (gap <= START_GAP + GAP_TOLERANCE)))


def outside(truth: Truth, rooms: Sequence[Room]) -> Bools:
    """(b,) whether the centre of the tracked body leaves the room before it reaches the robot, or the floor."""
    half = np.array([(room.width / 2, room.depth / 2) for room in rooms])
    height = np.array([room.height for room in rooms])
    pos = truth.story.of(truth.story.pos, truth.body)
    out = (np.abs(pos[..., :2]) > half[:, None]).any(axis=-1) | (pos[..., 2] > height[:, None])
    until = np.where(truth.impact.state == NEVER, truth.end, truth.impact.state)
    return np.asarray((out & (np.arange(pos.shape[1]) <= until[:, None])).any(axis=1))


def _bit(holds: NDArray[np.bool_] | np.bool_, bit: Status) -> Ints:
    return np.where(holds, int(bit), 0)


def _any_order(story: Story, body: Ints) -> Bools:
    return np.ones(story.b, np.bool_)


def _touch(story: Story, body: Ints, partner: Ints) -> Floats:
    """(b,) first contact of the tracked body with a partner of each scene (s)."""
    found = np.full(story.b, np.inf)
    for own, other in {*zip(body.tolist(), partner.tolist(), strict=True)}:
        rows = (body == own) & (partner == other)
        found[rows] = story.touch(own, other)[rows]
    return found


def _box(story: Story, name: str) -> Ints:
    """(b,) partner number of the box of that name."""
    return np.array([story.run.n + [box.name for box in scene.boxes].index(name) for scene in story.run.scenes])


def _ground(story: Story) -> Ints:
    return np.full(story.b, FLOOR)


def _support_floor(story: Story, body: Ints) -> Bools:
    """Some static box first, then the floor."""
    boxes = [_touch(story, body, np.full(story.b, story.run.n + k)) for k in range(story.run.s)]
    floor = _touch(story, body, _ground(story))
    return np.asarray((np.min(boxes, axis=0) < floor) & np.isfinite(floor))


def _table_stool_floor(story: Story, body: Ints) -> Bools:
    table, stool = (_touch(story, body, _box(story, name)) for name in ("table", "stool"))
    floor = _touch(story, body, _ground(story))
    return np.asarray((table < stool) & (stool < floor) & np.isfinite(floor))


def _trigger_target_floor(story: Story, body: Ints) -> Bools:
    strike = _touch(story, body, story.body(["trigger"] * story.b))
    floor = _touch(story, body, _ground(story))
    return np.asarray((strike < floor) & np.isfinite(floor))


def _row_floor(story: Story, body: Ints) -> Bools:
    """The trigger strikes the rear of the row, each object the one ahead of it, and the front one meets the floor."""
    found = np.zeros(story.b, np.bool_)
    for k, names in enumerate(story.names):
        count = sum(story.objects[k].tolist())
        chain = ["trigger", *(f"object_{j}" for j in range(count - 1, 0, -1)), "object"]
        numbers = [list(names).index(name) for name in chain]
        links = zip(numbers, [*numbers[1:], FLOOR], strict=True)
        times = [float(story.touch(one, other)[k]) for one, other in links]
        found[k] = times == sorted(times) and np.isfinite(times[-1])
    return found


ORDERS: Mapping[str, Order] = {
    "": _any_order,
    "top_item": _any_order,
    "support_floor": _support_floor,
    "table_stool_floor": _table_stool_floor,
    "trigger_target_floor": _trigger_target_floor,
    "row_floor": _row_floor,
}
"""Rules of the order of contacts by `Family.order`; of a stack the event itself says that the top item is down."""
