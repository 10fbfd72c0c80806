"""What a family of hazards is: how its scenes are drawn and built, and what their story is.

A family draws a fixed number of uniforms in a fixed order, whatever they are used for, so that the four bands of a
group share every sampled leaf; `build` turns them into a scene for one band.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.scene import Scene, Vector
from jaxphys_benchmarks.reacthuman.spec import Room

Archetype = Literal["fall", "slide_roll", "topple", "articulated", "ballistic", "causal_chain"]


@dataclass(frozen=True)
class Placement:
    """What the robot is placed by (section 8.3).

    Attributes:
        rule: "floor": first floor contact of the tracked body in the normal band; "on_plane": `point` lies on the
            reach plane; "under": `point` is overhead; "sector": `point` is inside the sector swept by a door.
        point: m; None for "floor".
        offset: of the root from the point where the rule fixes it ("under", "sector"): x and y (m).
        lateral: half width of the range of the lateral offset (m); None for that of the configuration.
    """

    rule: Literal["floor", "on_plane", "under", "sector"]
    point: Vector | None = None
    offset: tuple[float, float] = (0.0, 0.0)
    lateral: float | None = None


@dataclass(frozen=True)
class Draft:
    """A scene of one band, before the robot is placed.

    Attributes:
        scene: what is simulated. tracked: name of the body whose motion is labelled.
        placement: see `Placement`.
        derived: back-solved numbers by name, rounded as the spec stores them.
    """

    scene: Scene
    placement: Placement
    tracked: str = "object"
    derived: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Path:
    """The simulated motion of a draft's tracked body at the start and after every recorded step: times (t,) s, the
    first one 0; pos (t, 3) m, quat (t, 4), vel (t, 3) m/s, lowest (t,) height of its lowest point (m)."""

    times: np.ndarray
    pos: np.ndarray
    quat: np.ndarray
    vel: np.ndarray
    lowest: np.ndarray


@dataclass(frozen=True)
class Drawn:
    """All that the bands of a group share: the object, the room, the hints and the sampled leaves."""

    object: Object
    room: Room
    leaves: Mapping[str, float]
    hints: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """A family of hazards.

    Attributes:
        name, archetype, summary: see the specification, section 6.
        rooms: it may happen in.
        banded: the leaf that the band scales. timed: the band changes the time to impact (else only the path).
        event: how the story ends, a key of `events.EVENTS`.
        track: which point of the tracked body counts for the impact: its centre, the point nearest to the robot's axis,
            or the lower edge of its top.
        order: name of the rule that the order of contacts must obey, a key of `validate.ORDERS`; "" for none.
        draw: (rng, object, room, hints, config) -> sampled leaves.
        build: (drawn, multiplier of the band, config) -> draft.
        refine: second pass over a draft whose first simulation is known, or None.
        impact: where the hazard meets the robot (section 8.2): at the reach plane, at the height of the head, or where
            the panel of a door touches it.
        after: what must be over before an impact counts: the first bounce, or the last support; "" for nothing.
        each: whichever of the bodies that are objects comes first counts, not only the tracked one.
        early_event: the event of `variant = "early"`, "" for the same.
    """

    name: str
    archetype: Archetype
    summary: str
    rooms: tuple[str, ...]
    banded: str
    timed: bool
    event: str
    track: Literal["com", "nearest", "top_edge"]
    order: str
    draw: Callable[[np.random.Generator, Object, Room, Mapping[str, str], ReactHumanConfig], dict[str, float]]
    build: Callable[[Drawn, float, ReactHumanConfig], Draft]
    refine: Callable[[Draft, Path, Drawn, ReactHumanConfig], Draft] | None = None
    impact: Literal["plane", "head_plane", "panel"] = "plane"
    after: Literal["", "bounce", "last_support"] = ""
    each: bool = False
    early_event: str = ""

    def event_of(self, variant: str) -> str:
        """The event of a variant of the parametrisation."""
        return self.early_event or self.event if variant == "early" else self.event
