"""What happens in simulated scenes of one kind, once the robot stands: event, impact, contacts, clearance, actions.

The validator, the labels and the sweeps all read it here, so that they cannot disagree. Public: `Truth`,
`truth`, `contact_orders`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.catalogue import Catalogue
from jaxphys_benchmarks.reacthuman.events import EVENTS, NEVER, first
from jaxphys_benchmarks.reacthuman.family import Family
from jaxphys_benchmarks.reacthuman.impact import Impact, impacts
from jaxphys_benchmarks.reacthuman.labelling import three_way
from jaxphys_benchmarks.reacthuman.labels import Action
from jaxphys_benchmarks.reacthuman.simulate import Run
from jaxphys_benchmarks.reacthuman.spec import Robot
from jaxphys_benchmarks.reacthuman.tracking import Story, swept_clearance
from jaxphys_kernels.rigid.model import FLOOR

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LANDING = 4
"""Steps after an event in which contacts still belong to it: a point that is low has not quite landed."""


@dataclass(frozen=True, eq=False)
class Truth:
    """Of b scenes of one family.

    Attributes:
        story: their motion. body: (b,) index of the tracked body.
        robot: (b, 2) x and y (m). reach: (b,) distance of the reach plane (m).
        event: (b,) first state at which the family's event holds, `events.NEVER` where there is none.
        end: (b,) state by which the story is over: the event, or the impact if that is later.
        impact: see `Impact`. clearance: (b,) least distance of the hazard to the robot (m); clearance_by_end: until
            the story is over.
        orders: names in the order of first contact until the event.
        actions: three-way labels.
    """

    story: Story
    body: Ints
    robot: Floats
    reach: Floats
    event: Ints
    end: Ints
    impact: Impact
    clearance: Floats
    clearance_by_end: Floats
    orders: Sequence[tuple[str, ...]]
    actions: Sequence[Action]


def truth(story: Story, family: Family, robots: Sequence[Robot], tracked: Sequence[str], objects: Catalogue) -> Truth:
    """The truth about scenes of one kind.

    Args:
        story: their motion. family: theirs. robots: of each. tracked: names of the bodies that are labelled.
        objects: catalogue that the bodies are rows of.

    Raises:
        ValueError: a body or an object that does not exist.
    """
    body = story.body(tracked)
    robot = np.array([(one.x, one.y) for one in robots])
    reach = np.array([one.reach_offset for one in robots])
    event = first(np.asarray(EVENTS[family.event_of(story.run.kind.variant)](story, body, robot[:, 1] + reach)))
    impact = impacts(story, family, body, robot, reach)
    end = np.maximum(np.where(event == NEVER, len(story.run.time) - 1, event), impact.state)
    clearance, by_end = _clearances(story, family, body, robot, end)
    speed = np.sqrt(np.sum(impact.velocity**2, axis=-1))
    actions = [
        three_way(
            objects.get(story.run.scenes[k].things[int(impact.body[k])].object, family.name),
            family.name,
            clearance=float(clearance[k]),
            meets=bool(impact.state[k] != NEVER),
            enters=bool(impact.enters[k]),
            speed=float(speed[k]) if impact.state[k] != NEVER else None,
            judging=story.run.kind.judging,
        )
        for k in range(story.b)
    ]
    return Truth(
        story=story,
        body=body,
        robot=robot,
        reach=reach,
        event=event,
        end=end,
        impact=impact,
        clearance=clearance,
        clearance_by_end=by_end,
        orders=contact_orders(story, body, np.where(event == NEVER, end, event) * story.run.dt),
        actions=actions,
    )


def _clearances(story: Story, family: Family, body: Ints, robot: Floats, end: Ints) -> tuple[Floats, Floats]:
    """Of the tracked body, or of the nearest object where each of them counts; over all states, and until the end."""
    if not family.each:
        return swept_clearance(story, body, robot, end)
    whole, early = [], []
    for k in range(story.run.n):
        far, near = swept_clearance(story, np.full(story.b, k), robot, end)
        whole.append(np.where(story.objects[:, k], far, np.inf))
        early.append(np.where(story.objects[:, k], near, np.inf))
    return np.min(whole, axis=0), np.min(early, axis=0)


def contact_orders(story: Story, body: Ints, until: Floats) -> list[tuple[str, ...]]:
    """Names in the order of first contact, until a time (b,): of all bodies with the tracked one, and of chains.

    A contact of two other bodies is named by the two of them, as in "trigger+object_2", where a trigger takes part in
    the scene; other bodies' contacts with tables and floor say nothing about the story.
    """
    times = np.stack(list(story.touches.values()), axis=1)
    order = times.argsort(axis=1, kind="stable").tolist()
    counts = (times <= until[:, None] + LANDING * story.run.dt).sum(axis=1).tolist()
    pairs = list(story.touches)
    found = []
    for k, (ranks, count) in enumerate(zip(order, counts, strict=True)):
        names, own = _names(story.run, k), int(body[k])
        bodies = story.run.n if not story.objects[k].all() else 0
        told = []
        for one in (pairs[rank] for rank in ranks[:count]):
            if own in one:
                told.append(names[one[0] if one[1] == own else one[1]])
            elif FLOOR < one[1] < bodies:
                told.append(f"{names[one[0]]}+{names[one[1]]}")
        found.append(tuple(told))
    return found


def _names(run: Run, scene: int) -> dict[int, str]:
    things, boxes = run.scenes[scene].things, run.scenes[scene].boxes
    found = {FLOOR: "floor"} | {k: thing.name for k, thing in enumerate(things)}
    return found | {run.n + k: box.name for k, box in enumerate(boxes)}
