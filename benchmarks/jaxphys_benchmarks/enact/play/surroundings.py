"""What stands where now: boxes around all forms, what is overhead, what is in the way, and ways into shelves.

All from the sensed state, for the planning of skills. Boxes are axis-aligned in the house's frame. Public: `Around`.
"""

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from jaxphys_kernels.household.layout import Sensed
from jaxphys_kernels.household.poses import forms, reaches
from jaxphys_kernels.quaternions import Floats, matrices

if TYPE_CHECKING:
    from jaxphys_benchmarks.enact.play.engine import Engine

WAY = 0.9
"""Length of the way in that must be free (m)."""
SLANTS = (0.0, 0.2, -0.2, 0.4, -0.4)
"""Angles of a way out against the straight one (rad)."""
STEPS = 7
"""Places along the way at which it is looked at."""
RISES = (0.03, 0.015, 0.06, 0.1, 0.15, 0.2)
"""Heights, over its place, at which a thing may come in (m)."""
LIFTED = 0.001
"""Things are let go this far above what they come to stand on (m)."""
OVERHEAD = 0.75
"""A form at most this far above a thing is a roof for it (m)."""


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
        steps = [-ahead * way for way in np.linspace(0, WAY, STEPS)]
        for rise in RISES:
            raised = box + np.array([0.0, 0.0, rise])
            raised[0, 2] -= 0.005
            column = box.copy()
            column[1, 2] += rise
            # From box to box along the way; the boxes around two neighbours cover what is between.
            boxes = [raised + np.array([*step, 0.0]) for step in steps]
            swept = [np.stack([np.minimum(a[0], b[0]), np.maximum(a[1], b[1])]) for a, b in pairwise(boxes)]
            if self.free(column, held, 0.0) and all(self.free(part, held, 0.004) for part in swept):
                return rise
        return None

    def exit(self, box: Floats, ahead: Floats, held: tuple[int, ...]) -> tuple[float, Floats] | None:
        """As `entry` for what is drawn out: the rise, and the way, which may be slanted; None if all are blocked."""
        for angle in SLANTS:
            c, s = np.cos(angle), np.sin(angle)
            way = np.array([c * ahead[0] - s * ahead[1], s * ahead[0] + c * ahead[1]])
            rise = self.entry(box, way, held)
            if rise is not None:
                return rise, way
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

    def met(self, thing: int, pose: Floats, held: tuple[int, ...]) -> float:
        """How many forms a thing at a pose (7,) meets; furniture counts more than what can be pushed."""
        low, high = self.engine.house.placed[thing].thing.box
        turn = matrices(pose[3:])
        middle = pose[:3] + turn @ ((low + high) / 2)
        reach = np.abs(turn) @ ((high - low) / 2) - 0.005
        hit = (self.low < middle + reach).all(1) & (self.high > middle - reach).all(1) & self.there
        hit &= ~np.isin(self.owner, held)
        return float((hit & self.fixed).sum() * 10 + hit.sum())

    def free(self, box: Floats, held: tuple[int, ...], clearance: float) -> bool:
        """Whether a box (2, 3), and a gap to its sides (m), meets no form but those of what is held."""
        grown = np.array([clearance, clearance, 0.0])
        low, high = box[0] - grown, box[1] + grown
        low[2] += 2 * LIFTED
        hit = (self.low < high).all(1) & (self.high > low).all(1) & self.there & ~np.isin(self.owner, held)
        return not bool(hit.any())
