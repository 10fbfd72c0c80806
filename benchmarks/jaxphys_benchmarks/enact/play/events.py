"""What changes the world besides motion, from sensed geometry alone: buttons, heat, cuts and pouring.

ENACT specification, sections 3.2 and 12: at 30 Hz, by the kernels, never from the script. Public: `Events`.
"""

from typing import TYPE_CHECKING

import numpy as np

from jaxphys_benchmarks.enact.play.motion import turned
from jaxphys_benchmarks.enact.play.particles import heap
from jaxphys_benchmarks.enact.world.substances import COOKED
from jaxphys_kernels.household.cuts import passes
from jaxphys_kernels.household.latches import Heating, toggle, warm
from jaxphys_kernels.quaternions import Floats, matrices

if TYPE_CHECKING:
    from jaxphys_benchmarks.enact.play.engine import Engine

APART = 0.006
"""Half gap between the halves that a cut makes (m)."""

CLEAR = 0.016
"""What is cut small lies further from the blade by so much (m)."""

FLOWS = 0.64
"""Cosine of the tilt beyond which particles leave what carries them."""
EVERY = 5
"""A particle leaves it in one of so many frames."""


class Events:
    """The events of an engine; `frame` is called once in each of its frames."""

    def __init__(self, engine: "Engine") -> None:
        self.engine = engine
        things = [placed.thing for placed in engine.house.placed]
        self.n = len(things)
        self.buttons = [(k, np.asarray(b.pos), b.needs_closed) for k, t in enumerate(things) for b in t.buttons]
        self.hot = [(k, np.asarray(t.heat.pos), np.asarray(t.heat.half)) for k, t in enumerate(things) if t.heat]
        self.edges = {k: np.array([t.edge.start, t.edge.end]) for k, t in enumerate(things) if t.edge}
        self.cuttable = np.array([k for k, t in enumerate(things) if t.halves or t.dices], int)
        boxes = [thing.box for thing in things]
        self.middle = np.array([(low + high) / 2 for low, high in boxes])
        self.half = np.array([(high - low) / 2 for low, high in boxes])
        systems = engine.house.systems
        self.cooks = np.array([t.cooks for t in things] + [self._cooked_of(s.name) >= 0 for s in systems], np.bool_)
        self.before: dict[int, Floats] = {}
        world = engine.world
        self.heating = Heating(world.ambient_temp, world.heat_temp, world.heat_time, world.cool_time, world.cook_temp)

    def _cooked_of(self, name: str) -> int:
        """Number of the system that another one becomes when cooked; -1 if there is none."""
        names = [system.name for system in self.engine.house.systems]
        return names.index(COOKED + name) if COOKED + name in names else -1

    def frame(self, pos: Floats, quat: Floats, palms: Floats) -> None:
        """Events of one frame, from poses of things (n, 3), (n, 4) and of hands (2, 7)."""
        if self.buttons:
            self._toggle(pos, quat, palms)
        if self.hot:
            self._heat(pos, quat)
        self._cut(pos, quat)
        self._pour(pos, quat)

    def _toggle(self, pos: Floats, quat: Floats, palms: Floats) -> None:
        engine = self.engine
        total = len(engine.latches.toggled)
        finger, shut = np.zeros(total, np.bool_), np.ones(total, np.bool_)
        tips = palms[engine.pointing, :3]
        span = engine.layout.joint_span
        for k, place, needs_closed in self.buttons:
            spot = pos[k] + turned(quat[k], place)
            finger[k] |= bool((np.linalg.norm(tips - spot, axis=1) < engine.world.toggle_reach).any())
            if needs_closed:
                mine = engine.layout.joint_thing == k
                values = engine.data.qpos[engine.built.joint][mine]
                shut[k] = bool((values <= engine.world.open_fraction * span[mine]).all())
        engine.latches = toggle(np, engine.latches, finger, shut, engine.world.toggle_frames)

    def _heat(self, pos: Floats, quat: Floats) -> None:
        engine = self.engine
        zones = [zone for zone in self.hot if engine.latches.toggled[zone[0]]]
        if not zones and (engine.latches.temperature == engine.world.ambient_temp).all():
            return
        centres = pos + turned(quat, self.middle)
        places = engine.particles.places(pos, quat)
        points = np.concatenate([centres, places])
        warmed = np.zeros(len(points), np.bool_)
        for k, middle, half in zones:
            local = (points - pos[k]) @ matrices(quat[k])
            warmed |= (np.abs(local - middle) <= half).all(1)
        things, grains = warmed[: self.n] & engine.exists, warmed[self.n :] & engine.particles.alive
        owners = engine.particles.system
        count = max(len(engine.house.systems), 1)
        hot = np.bincount(owners[grains], minlength=count)
        alive = np.bincount(owners[engine.particles.alive], minlength=count)
        mostly = (2 * hot > alive)[: len(engine.house.systems)]
        heated = np.concatenate([things, mostly])
        was = engine.latches.cooked
        engine.latches = warm(np, engine.latches, heated, self.cooks, self.heating, engine.dt)
        for system in np.flatnonzero(engine.latches.cooked[self.n :] & ~was[self.n :]):
            self._swap(int(system), self._cooked_of(engine.house.systems[system].name))

    def _swap(self, raw: int, cooked: int) -> None:
        """Particles of one system become those of another."""
        particles = self.engine.particles
        old, new = particles.of(raw), particles.of(cooked)
        old = old[particles.alive[old]][: len(new)]
        new = new[: len(old)]
        particles.local[new], particles.carrier[new], particles.alive[new] = (
            particles.local[old], particles.carrier[old], True,
        )  # fmt: skip
        particles.alive[particles.of(raw)] = False

    def _cut(self, pos: Floats, quat: Floats) -> None:
        engine = self.engine
        for knife, ends in self.edges.items():
            if not engine.holding[:, knife].any():
                self.before.pop(knife, None)
                continue
            now = pos[knife] + turned(quat[knife], ends)
            before = self.before.get(knife, now)
            self.before[knife] = now
            which = self.cuttable[engine.exists[self.cuttable]]
            if len(which) == 0 or np.array_equal(before, now):
                continue
            middle = pos[which] + turned(quat[which], self.middle[which])
            cut = passes(
                np, before, now, middle, self.half[which], matrices(quat[which]), engine.dt, engine.world.cut_speed
            )
            for thing in which[cut]:
                self._part(int(thing), knife, pos, quat)

    def _part(self, thing: int, knife: int, pos: Floats, quat: Floats) -> None:
        """A thing that has been cut becomes its halves, or the particles of its system."""
        engine, placed = self.engine, self.engine.house.placed
        mine = placed[thing]
        halves = [k for k, one in enumerate(placed) if one.parents == (mine.name,) and not engine.exists[k]]
        across = matrices(quat[knife])[:, 1] * np.array([1.0, 1.0, 0.0])
        across /= np.linalg.norm(across)
        support = self.below(thing, pos, quat)
        if mine.thing.halves and len(halves) == 2:
            away = [engine.pose(half) for half in halves]
            for half, side in zip(halves, (1.0, -1.0), strict=True):
                engine.write(half, self._beside(thing, half, side * across, pos, quat))
                engine.exists[half] = True
            self._remove(thing, away[0])
            engine.particles.carrier[engine.particles.on(thing)] = halves[0]
            return
        names = [system.name for system in engine.house.systems]
        if mine.thing.dices not in names:
            return
        number = names.index(mine.thing.dices)
        left = engine.particles.of(number)
        left = left[~engine.particles.alive[left]]
        pieces = sum(
            2 if one.thing.halves else 1
            for k, one in enumerate(placed)
            if engine.exists[k] and one.thing.dices == mine.thing.dices
        )
        share = left[: max(1, len(left) * (2 if mine.thing.halves else 1) // max(pieces, 1))]
        system = engine.house.systems[number]
        # What is cut small lies where the thing was, but clear of the blade and of what is beyond it.
        middle = pos[thing] + turned(quat[thing], self.middle[thing])
        off = float((middle - self.before[knife].mean(0)) @ across)
        middle = middle + (CLEAR if off > 0 else -CLEAR) * across
        around = (middle - pos[support]) @ matrices(quat[support])
        wide = float(self.half[thing, :2].min())
        fills = placed[support].thing.fills
        spot = None if fills and not placed[support].thing.fixed else around
        engine.particles.settle(
            share,
            support,
            heap(placed[support].thing, system, len(share), engine.particles.rng, around=spot, spread=wide),
        )
        self._remove(thing, engine.parking(thing))

    def _beside(self, thing: int, half: int, across: Floats, pos: Floats, quat: Floats) -> Floats:
        """(7,): where one half of a thing comes to stand."""
        low, high = self.engine.house.placed[half].thing.box
        size = (high - low) / 2
        # What stands tall has its cut face towards -y, what lies towards -x, seen from the half.
        tall = size[2] > size[0]
        yaw = float(np.arctan2(across[1], across[0])) - (0.5 * np.pi if tall else 0.0)
        turn = np.array([np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)])
        offset = (size[1] if tall else size[0]) + APART
        bottom = (pos[thing] + turned(quat[thing], self.middle[thing]))[2] - self._drop(thing, quat)
        middle = pos[thing] + turned(quat[thing], self.middle[thing]) + offset * across
        place = middle - turned(turn, (low + high) / 2)
        place[2] = bottom + 0.001 - low[2]
        return np.concatenate([place, turn])

    def _drop(self, thing: int, quat: Floats) -> float:
        """How far the lowest point of a thing is below its middle (m)."""
        return float(np.abs(matrices(quat[thing])[2]) @ self.half[thing])

    def _remove(self, thing: int, parking: Floats) -> None:
        engine = self.engine
        engine.exists[thing] = False
        engine.write(thing, parking)

    def below(self, thing: int, pos: Floats, quat: Floats) -> int:
        """Number of what a thing stands on: of all that touch it, the one with the highest middle below its own."""
        engine = self.engine
        middle = pos[:, 2] + turned(quat, self.middle)[:, 2]
        under = np.flatnonzero(engine.touch[thing] & engine.exists & (pos[:, 2] < middle[thing] - 0.005))
        return int(under[np.argmax(pos[under, 2])]) if len(under) else 0

    def _pour(self, pos: Floats, quat: Floats) -> None:
        """What is held and tilted loses its particles to what is below its lip."""
        engine = self.engine
        if not engine.holding.any() or len(engine.frames) % EVERY or not engine.particles.alive.any():
            return
        for source in np.flatnonzero(engine.holding.any(0)):
            turn = matrices(quat[source])
            carried = engine.particles.on(int(source))
            if turn[2, 2] > FLOWS or len(carried) == 0:
                continue
            lip = self.lip(int(source), pos, quat)
            target = self.landing(lip, int(source), pos, quat)
            thing = engine.house.placed[target].thing
            which = int(carried[-1])
            system = engine.house.systems[engine.particles.system[which]]
            there = sum(flight.carrier == target for flight in engine.particles.flights.values())
            there += len(engine.particles.on(target))
            around = None if thing.fills and not thing.fixed else (lip - pos[target]) @ matrices(quat[target])
            # One order of places for each thing, so that what falls one by one makes one heap.
            end = heap(thing, system, 1, np.random.default_rng(target), around=around, below=there)[0]
            engine.particles.drop(which, lip, target, end)

    def lip(self, source: int, pos: Floats, quat: Floats) -> Floats:
        """(3,) m: the lowest middle of an edge of the top of a tilted thing."""
        size, middle = self.half[source], self.middle[source]
        edges = np.array([[size[0], 0, size[2]], [-size[0], 0, size[2]], [0, size[1], size[2]], [0, -size[1], size[2]]])
        places = pos[source] + turned(quat[source], middle + edges)
        lowest: Floats = places[np.argmin(places[:, 2])]
        return lowest

    def landing(self, point: Floats, source: int, pos: Floats, quat: Floats) -> int:
        """Number of the highest thing below a point, other than the source; its box is what counts."""
        reach = (np.abs(matrices(quat)) * self.half[:, None, :]).sum(-1)
        centre = pos + turned(quat, self.middle)
        over = (np.abs(point[:2] - centre[:, :2]) <= reach[:, :2]).all(1)
        fits = over & self.engine.exists & (centre[:, 2] - reach[:, 2] < point[2])
        fits[source] = False
        fits &= ~self.engine.holding.any(0) | (centre[:, 2] < point[2])
        if not fits.any():
            return 0
        return int(np.argmax(np.where(fits, centre[:, 2] - reach[:, 2], -np.inf)))
