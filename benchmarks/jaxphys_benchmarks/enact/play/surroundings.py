"""What stands where now: boxes around all forms, free places on surfaces, what is overhead, and what is in the way.

All from the sensed state, for the planning of skills. Boxes are axis-aligned in the house's frame. Public: `Around`,
`Spot`.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from jaxphys_benchmarks.enact.world.placing import within
from jaxphys_benchmarks.enact.world.things import bounds, moved, rotation
from jaxphys_kernels.household.layout import Sensed
from jaxphys_kernels.household.poses import forms, reaches
from jaxphys_kernels.quaternions import Floats, matrices

if TYPE_CHECKING:
    from jaxphys_benchmarks.enact.play.engine import Engine

CLEARANCES = (0.03, 0.018, 0.008)
"""Gaps that are tried, one after the other, around a thing on a free place (m)."""
HEAPED = 0.0
"""The gap where a thing may stand on others (m)."""
STACKED = 0.4
"""Greatest height that others have there (m)."""
WAY = 0.9
"""Length of the way in that must be free (m)."""
RISES = (0.03, 0.015, 0.06, 0.1, 0.15, 0.2)
"""Heights, over its place, at which a thing may come in (m)."""
GRID = 13
"""Places tried along each side of a surface."""
LIFTED = 0.001
"""Things are let go this far above what they come to stand on (m)."""
OVERHEAD = 0.75
"""A form at most this far above a thing is a roof for it (m)."""


@dataclass(frozen=True, eq=False)
class Spot:
    """A place for a thing.

    Attributes:
        pose: (7,) of the thing. box: (2, 3) that it will fill, with what stands on it.
        rise: where furniture is right above, how far it is raised on the straight way in from the front (m); 0 where
            it comes from above.
    """

    pose: Floats
    box: Floats
    rise: float = 0.0


class Around:
    """The boxes of a moment.

    Attributes:
        owner: (g,) thing of each form. low, high: (g, 3) m. fixed: (g,) bool, forms of furniture.
    """

    def __init__(self, engine: "Engine") -> None:
        layout = engine.layout
        self.engine = engine
        body = engine.built.body
        self.pos, self.quat = engine.data.xpos[body], engine.data.xquat[body]
        sensed = Sensed(
            self.pos[None], self.quat[None], engine.exists[None], engine.data.qpos[engine.built.joint][None],
            *(None,) * 8,
        )  # fmt: skip
        pos, turn = forms(np, layout, sensed)
        reach = reaches(np, layout, turn)
        self.owner = np.asarray(layout.form_thing)
        self.low, self.high = (pos - reach)[0], (pos + reach)[0]
        self.fixed = np.array([placed.thing.fixed for placed in engine.house.placed])[self.owner]
        self.there = engine.exists[self.owner]

    def box(self, *things: int) -> Floats:
        """(2, 3): the box around things."""
        mine = np.isin(self.owner, things)
        return np.stack([self.low[mine].min(0), self.high[mine].max(0)])

    def roofed(self, box: Floats, ignored: tuple[int, ...] = ()) -> bool:
        """Whether furniture is right above a box."""
        middle = box.mean(0)
        over = (self.low[:, :2] < middle[:2]) & (middle[:2] < self.high[:, :2])
        above = self.fixed & self.there & (self.low[:, 2] > middle[2]) & (self.low[:, 2] < box[1, 2] + OVERHEAD)
        return bool((over.all(1) & above & ~np.isin(self.owner, ignored)).any())

    def furniture(self, point: Floats) -> int:
        """Number of the fixed thing, other than the floor, over or in whose box a point is; 0 if there is none."""
        best, height = 0, -1.0
        for k in np.unique(self.owner[self.fixed]):
            if k == 0:
                continue
            low, high = self.box(int(k))
            if ((low[:2] - 0.02 <= point[:2]) & (point[:2] <= high[:2] + 0.02)).all() and low[2] <= point[2] + 0.05:
                top = min(high[2], point[2] + 0.05)
                if top > height:
                    best, height = int(k), top
        return best

    def entry(self, box: Floats, ahead: Floats, held: tuple[int, ...]) -> float | None:
        """How far a thing that fills a box must be raised to pass between it and the front in a straight line (m).

        Args:
            box: (2, 3) of its place. ahead: (2,) unit, the way in. held: numbers of what moves.

        Returns:
            None if there is no such way.
        """
        way = np.zeros((2, 3))
        way[0, :2], way[1, :2] = np.minimum(-ahead * WAY, 0), np.maximum(-ahead * WAY, 0)
        # Sideways there may be less room than a thing has where it stands.
        for rise in RISES:
            swept = box + way
            swept[0, 2] += rise - 0.005
            swept[1, 2] += rise
            column = box.copy()
            column[1, 2] += rise
            if self._free(swept, held, 0.004) and self._free(column, held, 0.0):
                return rise
        return None

    def tops(self, start: Floats, end: Floats, half: Floats, ignored: tuple[int, ...]) -> float:
        """Greatest height of what lies under the way of a box of half extents (2,) from one point to another (m)."""
        found = -np.inf
        mine = self.there & ~np.isin(self.owner, ignored)
        for share in np.linspace(0, 1, 9):
            middle = start[:2] + share * (end[:2] - start[:2])
            hit = mine & (self.low[:, :2] < middle + half).all(1) & (self.high[:, :2] > middle - half).all(1)
            if hit.any():
                found = max(found, float(self.high[hit, 2].max()))
        return found

    def riders(self, thing: int) -> tuple[int, ...]:
        """Loose things that stand on or in a thing, directly or on each other."""
        engine = self.engine
        found: list[int] = []
        queue = [thing]
        mine = self.box(thing)
        while queue:
            below = queue.pop()
            for other in np.flatnonzero(engine.touch[below] & engine.exists & (engine.built.weld >= 0)):
                k = int(other)
                if k == thing or k in found or k in engine.grips:
                    continue
                box = self.box(k)
                middle = box.mean(0)
                inside = (mine[0, :2] <= middle[:2]).all() and (middle[:2] <= mine[1, :2]).all()
                if inside and box[0, 2] > mine[0, 2] - 0.002 and box[1, 2] > mine[0, 2] + 0.004:
                    found.append(k)
                    queue.append(k)
        return tuple(found)

    def spot(
        self,
        thing: int,
        support: int,
        inside: bool,
        at: tuple[float, float] | None,
        level: int | None,
        yaw: float | None,
        rng: np.random.Generator,
        *,
        heaped: bool = False,
        ahead: Floats | None = None,
    ) -> Spot | None:
        """A free place for a held thing on or in another one; None if there is none.

        Args:
            thing: what is held. support, inside: on or in what. at, level, yaw: see `script.PlaceOn`.
            rng: of the choice among free places. heaped: it may stand on what is there, and stick out.
            ahead: (2,) unit, the way in from the front.
        """
        engine = self.engine
        placed = engine.house.placed[support]
        tops = [top for top in placed.thing.surfaces if within(top, placed.thing) == inside]
        if level is not None:
            tops = tops[level : level + 1]
        held = (thing, *engine.riders.get(thing, ()))
        pose = self._still(thing)
        gaps = (HEAPED,) if heaped else CLEARANCES if at is None else (CLEARANCES[-1], 0.0)
        for clearance in gaps:
            for top in tops:
                base, turn = self.pos[support], matrices(self.quat[support])
                if top.link:
                    number = engine.built.numbers[(placed.name, top.link)]
                    shift, spin = moved(placed.thing.link(top.link), engine.joint(number))
                    base, turn = base + turn @ shift, turn @ rotation(spin)
                centre = base + turn @ np.asarray(top.pos)
                roofed = ahead is not None and self.roofed(np.stack([centre, centre + 0.02]))
                found = self._on(
                    pose,
                    held,
                    base + turn @ np.asarray(top.pos),
                    turn,
                    np.asarray(top.half),
                    at,
                    yaw,
                    clearance,
                    rng,
                    support,
                    heaped,
                    ahead if roofed else None,
                )
                if found is not None:
                    return found
        return None

    def _still(self, thing: int) -> tuple[Floats, Floats, float]:
        """Least and greatest corner of a thing, with its riders, in its own frame; and its heading."""
        low, high = self.engine.house.placed[thing].thing.box
        turn = matrices(self.quat[thing])
        for rider in self.engine.riders.get(thing, ()):
            box = self.box(rider)
            corners = (box - self.pos[thing]) @ turn
            low, high = np.minimum(low, corners.min(0)), np.maximum(high, corners.max(0))
        return low, high, float(np.arctan2(turn[1, 0], turn[0, 0]))

    def _on(
        self,
        still: tuple[Floats, Floats, float],
        held: tuple[int, ...],
        middle: Floats,
        turn: Floats,
        half: Floats,
        at: tuple[float, float] | None,
        yaw: float | None,
        clearance: float,
        rng: np.random.Generator,
        support: int,
        heaped: bool,
        ahead: Floats | None,
    ) -> Spot | None:
        """A free place on one surface, at `middle` (3,), turned by `turn` (3, 3), of half extents (2,)."""
        low, high, heading = still
        whole = self.engine.house.placed[held[0]].thing.box
        lie = float(np.arctan2(turn[1, 0], turn[0, 0]))
        quarter = 0.5 * np.pi
        best: tuple[float, Spot] | None = None
        square = lie + quarter * round((heading - lie) / quarter)
        angles = [square, square + quarter] if yaw is None else [lie + yaw]
        for angle in angles:
            spin = (float(np.cos(angle / 2)), 0.0, 0.0, float(np.sin(angle / 2)))
            own = (float(np.cos((angle - lie) / 2)), 0.0, 0.0, float(np.sin((angle - lie) / 2)))
            _, foot = bounds(tuple((whole[1] - whole[0]) / 2), (0.0, 0.0, 0.0), own)
            room = half - foot[:2]
            sticks = bool((room < -1e-9).any())
            if sticks and not heaped:
                continue
            room = np.maximum(room, 0.0)
            # Within its surface a thing is clear of the walls of a loose container, whose boxes are wider when turned.
            mine = held if sticks or self.fixed[self.owner == support].any() else (*held, support)
            if at is not None:
                spots = np.array([at])
            else:
                side = np.linspace(-1, 1, GRID)
                spots = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
                # The front and the middle first, shaken.
                cost = 0.5 * (spots[:, 1] + 0.3) ** 2 + 0.5 * spots[:, 0] ** 2 + rng.uniform(0, 0.5, len(spots))
                spots = spots[np.argsort(cost, kind="stable")]
            centre = (whole[0] + whole[1]) / 2
            _, reach = bounds(tuple((high - low) / 2), (0.0, 0.0, 0.0), spin)
            offset = rotation(spin) @ ((low + high) / 2)
            for u, v in spots:
                place = middle + turn @ np.array([u * room[0], v * room[1], 0.0])
                origin = place - rotation(spin) @ np.array([centre[0], centre[1], whole[0][2]])
                origin[2] += LIFTED
                box = np.stack([origin + offset - reach, origin + offset + reach])
                spot = Spot(np.array([*origin, *spin]), box)
                if not heaped:
                    if self._free(box, mine, clearance) and (entered := self._entered(spot, mine, ahead)):
                        return entered
                    continue
                raised = self._heaped(spot, held, support)
                cost = raised.pose[2] + 0.02 * float(u * u + v * v)
                if (best is None or cost < best[0]) and self._free(raised.box, mine, 0.0):
                    entered = self._entered(raised, mine, ahead)
                    best = (cost, entered) if entered else best
        return best[1] if best else None

    def _entered(self, spot: Spot, held: tuple[int, ...], ahead: Floats | None) -> Spot | None:
        """A spot with its way in; None if it has none."""
        if ahead is None:
            return spot
        rise = self.entry(spot.box, ahead, held)
        return None if rise is None else replace(spot, rise=rise)

    def _heaped(self, spot: Spot, held: tuple[int, ...], support: int) -> Spot:
        """A spot raised onto what stands there, other than the walls of what it is in."""
        low, high = spot.box
        hit = (self.low[:, :2] < high[:2]).all(1) & (self.high[:, :2] > low[:2]).all(1) & self.there
        hit &= ~np.isin(self.owner, held) & ((self.owner != support) & (self.high[:, 2] > low[2] - 0.02))
        # What carries the support, or is far above, does not count.
        loose = hit & ~self.fixed & (self.high[:, 2] < low[2] + STACKED)
        rise = max(0.0, float(self.high[loose, 2].max()) - float(low[2]) + LIFTED) if loose.any() else 0.0
        up = np.array([0.0, 0.0, rise])
        pose = spot.pose.copy()
        pose[2] += rise
        return Spot(pose, spot.box + up)

    def _free(self, box: Floats, held: tuple[int, ...], clearance: float) -> bool:
        grown = np.array([clearance, clearance, 0.0])
        low, high = box[0] - grown, box[1] + grown
        low[2] += 2 * LIFTED
        hit = (self.low < high).all(1) & (self.high > low).all(1) & self.there & ~np.isin(self.owner, held)
        return not bool(hit.any())
