"""Free places for what is held: on a surface, in a container, on what is there already, or on the floor.

A place is upright, square to what it is on unless a turn is asked for, and clear of everything; in shelves it can be
reached on a straight way from the front. Public: `Wish`, `Spot`, `find`.
"""

from dataclasses import dataclass, replace

import numpy as np

from jaxphys_benchmarks.enact.play.surroundings import LIFTED, Around
from jaxphys_benchmarks.enact.world.placing import within
from jaxphys_benchmarks.enact.world.things import Surface, bounds, moved, rotation
from jaxphys_kernels.quaternions import Floats, matrices

CLEARANCES = (0.03, 0.018, 0.008)
"""Gaps that are tried, one after the other, around a thing on a free place (m)."""
STACKED = 0.4
"""Greatest height of what a thing is put on top of (m)."""
FLOOR = 0
"""Number of the floor, on which things are put near where they are asked for, under nothing."""
FLOOR_GRID, GRID = 41, 13
"""Places tried along each side of the floor, and of a surface."""
UNSTEADY = 1.0
"""How much higher a thing is put sooner than where its middle is not borne (m)."""
EVEN = 0.004
"""Tops so close to each other bear a thing together (m)."""
QUARTER = 0.5 * np.pi
NOWHERE = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Wish:
    """What is to be put where.

    Attributes:
        thing, support: numbers. inside: in the support, not on it. at, level, yaw: see `script.PlaceOn`.
        ahead: (2,) unit, the way in from the front; None where there is none.
        heaped: it may stand on what is there, and stick out.
    """

    thing: int
    support: int
    inside: bool
    at: tuple[float, float] | None = None
    level: int | None = None
    yaw: float | None = None
    ahead: Floats | None = None
    heaped: bool = False


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


def find(around: Around, wish: Wish, rng: np.random.Generator) -> Spot | None:
    """A place as wished for; None if there is none.

    Args:
        around: the boxes of now. wish: what and where. rng: of the choice among free places.
    """
    placed = around.engine.house.placed[wish.support]
    tops = [top for top in placed.thing.surfaces if within(top, placed.thing) == wish.inside]
    if wish.level is not None:
        tops = tops[wish.level : wish.level + 1]
    packed = wish.inside and not placed.thing.fixed
    gaps = (0.0,) if wish.heaped else (CLEARANCES[-1], 0.0) if packed or wish.at is not None else CLEARANCES
    for gap in gaps:
        for top in tops:
            found = _on(around, wish, top, gap, rng)
            if found is not None:
                return found
    return None


def _frame(around: Around, support: int, top: Surface) -> tuple[Floats, Floats]:
    """Middle (3,) of a surface, and its turn (3, 3)."""
    engine, placed = around.engine, around.engine.house.placed[support]
    base, turn = around.pos[support], matrices(around.quat[support])
    if top.link:
        shift, spin = moved(placed.thing.link(top.link), engine.joint(engine.built.numbers[(placed.name, top.link)]))
        base, turn = base + turn @ shift, turn @ rotation(spin)
    return base + turn @ np.asarray(top.pos), turn


def _extent(around: Around, held: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Least and greatest corner of a thing and its riders, in the frame of the thing."""
    thing = held[0]
    low, high = around.engine.house.placed[thing].thing.box
    turn = matrices(around.quat[thing])
    for rider in held[1:]:
        corners = (around.box(rider) - around.pos[thing]) @ turn
        low, high = np.minimum(low, corners.min(0)), np.maximum(high, corners.max(0))
    return low, high


def _on(around: Around, wish: Wish, top: Surface, gap: float, rng: np.random.Generator) -> Spot | None:
    """A place on one surface, with a gap around it."""
    engine = around.engine
    held = (wish.thing, *engine.riders.get(wish.thing, ()))
    middle, turn = _frame(around, wish.support, top)
    roofed = wish.ahead is not None and around.roofed(np.stack([middle, middle + 0.02]))
    ahead = wish.ahead if roofed else None
    low, high = _extent(around, held)
    whole = engine.house.placed[wish.thing].thing.box
    lie = float(np.arctan2(turn[1, 0], turn[0, 0]))
    side = matrices(around.quat[wish.thing])[:, 0]
    square = lie + QUARTER * round((float(np.arctan2(side[1], side[0])) - lie) / QUARTER)
    best: tuple[float, Spot] | None = None
    for angle in (square, square + QUARTER) if wish.yaw is None else (lie + wish.yaw,):
        spin = (float(np.cos(angle / 2)), 0.0, 0.0, float(np.sin(angle / 2)))
        own = (float(np.cos((angle - lie) / 2)), 0.0, 0.0, float(np.sin((angle - lie) / 2)))
        _, foot = bounds(tuple((whole[1] - whole[0]) / 2), NOWHERE, own)
        room = np.asarray(top.half) - foot[:2]
        sticks = bool((room < -1e-9).any())
        if sticks and not wish.heaped:
            continue
        room = np.maximum(room, 0.0)
        # Within its surface a thing is clear of the walls of a loose container, whose boxes are wider when turned.
        fixed = engine.house.placed[wish.support].thing.fixed
        mine = held if sticks or fixed else (*held, wish.support)
        _, reach = bounds(tuple((high - low) / 2), NOWHERE, spin)
        offset = rotation(spin) @ ((low + high) / 2)
        foot_of = rotation(spin) @ np.array([*(whole[0] + whole[1])[:2] / 2, whole[0][2]])
        packed = wish.inside and not fixed
        for u, v in _tried(wish, room, turn.T @ (around.pos[wish.thing] - middle), packed, rng):
            origin = middle + turn @ np.array([u * room[0], v * room[1], 0.0]) - foot_of
            origin[2] += LIFTED
            spot = Spot(np.array([*origin, *spin]), np.stack([origin + offset - reach, origin + offset + reach]))
            if wish.support == FLOOR and around.roofed(spot.box):
                continue
            if not wish.heaped:
                if around.free(spot.box, mine, gap) and (entered := _entered(around, spot, mine, ahead)):
                    return entered
                continue
            raised, steady = _raised(around, spot, held, wish.support)
            cost = raised.pose[2] + 0.02 * float(u * u + v * v) + (0.0 if steady else UNSTEADY)
            if (best is None or cost < best[0]) and around.free(raised.box, mine, 0.0):
                entered = _entered(around, raised, mine, ahead)
                best = (cost, entered) if entered else best
    return best[1] if best else None


def _tried(wish: Wish, room: Floats, here: Floats, packed: bool, rng: np.random.Generator) -> Floats:
    """(k, 2): places to try, in order, from -1 to 1 along the sides of a surface with so much room (2,)."""
    grid = np.linspace(-1, 1, FLOOR_GRID if wish.support == FLOOR else GRID)
    spots = np.stack(np.meshgrid(grid, grid), -1).reshape(-1, 2)
    if wish.support == FLOOR:
        first = np.asarray(wish.at) if wish.at is not None else here[:2] / np.maximum(room, 1e-6)
        away = np.linalg.norm((spots - first) * room, axis=1)
        return np.concatenate([[first], spots[np.argsort(away, kind="stable")]])
    if wish.at is not None:
        return np.array([wish.at])
    if packed:
        # Corners first, so that more has room.
        cost = 2 - np.abs(spots).sum(1) + rng.uniform(0, 0.05, len(spots))
    else:
        # The front and the middle first, shaken.
        cost = 0.5 * (spots[:, 1] + 0.3) ** 2 + 0.5 * spots[:, 0] ** 2 + rng.uniform(0, 0.5, len(spots))
    found: Floats = spots[np.argsort(cost, kind="stable")]
    return found


def _entered(around: Around, spot: Spot, held: tuple[int, ...], ahead: Floats | None) -> Spot | None:
    """A spot with its way in; None if it has none."""
    if ahead is None:
        return spot
    rise = around.entry(spot.box, ahead, held)
    return None if rise is None else replace(spot, rise=rise)


def _raised(around: Around, spot: Spot, held: tuple[int, ...], support: int) -> tuple[Spot, bool]:
    """A spot raised onto what stands there, other than the walls of what it is in; whether its middle is borne."""
    low, high = spot.box
    hit = (around.low[:, :2] < high[:2]).all(1) & (around.high[:, :2] > low[:2]).all(1) & around.there
    hit &= ~np.isin(around.owner, held) & (around.owner != support) & ~around.fixed
    # What carries the support, or is far above, does not count.
    hit &= (around.high[:, 2] > low[2] - 0.02) & (around.high[:, 2] < low[2] + STACKED)
    rise = max(0.0, float(around.high[hit, 2].max()) - float(low[2]) + LIFTED) if hit.any() else 0.0
    pose = spot.pose.copy()
    pose[2] += rise
    middle = spot.box.mean(0)[:2]
    borne = hit & (around.high[:, 2] > low[2] + rise - 2 * LIFTED - EVEN)
    over = (around.low[:, :2] < middle).all(1) & (around.high[:, :2] > middle).all(1)
    return Spot(pose, spot.box + np.array([0.0, 0.0, rise])), rise == 0.0 or bool((borne & over).any())
