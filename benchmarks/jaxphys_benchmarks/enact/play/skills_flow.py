"""Skills of particles and of heat: pouring, and waiting until something is cooked (ENACT specification, section 14).

They only move and wait; what flows and what is cooked is decided by `events`. Public: the functions, by the table in
`simulate`.
"""

import numpy as np

from jaxphys_benchmarks.enact.play import script
from jaxphys_benchmarks.enact.play.motion import between, product, turned
from jaxphys_benchmarks.enact.play.player import LEFT, Failed, Player
from jaxphys_benchmarks.enact.play.skills import OVER, PAUSE, carry
from jaxphys_benchmarks.enact.play.surroundings import Around
from jaxphys_kernels.quaternions import Floats, matrices

LOW_TILT, HIGH_TILT = 1.2, 1.9
"""Tilt of what is flat, and of what is tall, when it is poured from (rad)."""
POUR_OVER = 0.07
"""Height of the lip above what is poured into (m)."""
WHILE_BACK = 5
"""Particles that fall while what is poured from is turned back."""
POUR_TIME = 8.0
"""Time after which pouring ends (s)."""


def pour(player: Player, skill: script.Pour) -> int:
    """See `script.Pour`."""
    engine = player.engine
    source, into = player.number(skill.source), player.number(skill.into)
    hand = player.holder(source)
    if len(engine.particles.on(source)) == 0:
        raise Failed(f"there is nothing in or on {skill.source} to pour")
    around = Around(engine)
    box = around.box(into)
    place = np.array([*box.mean(0)[:2], box[1, 2]])
    ahead, depth = player.front(around.furniture(place), place)
    player.approach(place, hand, ahead, depth)
    beside, pose = _tilts(player, source, place, 1.0 if hand == LEFT else -1.0)
    player.shift(source, beside)
    had = len(engine.particles.on(source))
    # What is to be poured from again is shared out among all these times.
    times = sum(isinstance(one, script.Pour) and one.source == skill.source for one in player.skills[player.at :])
    keep = had - had // times + (WHILE_BACK if times > 1 else 0)
    player.shift(source, pose, slow=0.7)
    for _ in range(int(POUR_TIME / 0.1)):
        if len(engine.particles.on(source)) <= keep and (times > 1 or not engine.particles.flights):
            break
        player.go(0.1)
    player.shift(source, beside, slow=0.8)
    player.go(2 * PAUSE)
    carry(player, source)
    arrived = len(engine.particles.on(into))
    if arrived == 0 or len(engine.particles.on(source)) == had:
        raise Failed(f"nothing came from {skill.source} into {skill.into}")
    return hand


def _tilts(player: Player, source: int, place: Floats, side: float) -> tuple[Floats, Floats]:
    """Poses of a held thing beside what it is poured into, level, and tilted so that its lip is over it.

    It is tilted to the middle of the robot, away from it, or outwards, where it meets least.

    Args:
        source: what is held. place: (3,) m, the middle of the top of what it is poured into. side: 1 for the left hand.
    """
    engine, around = player.engine, Around(player.engine)
    level = engine.pose(source)
    forward = np.array([np.cos(engine.robot[2]), np.sin(engine.robot[2]), 0.0])
    left = np.array([-forward[1], forward[0], 0.0])
    low, high = engine.house.placed[source].thing.box
    half, middle = (high - low) / 2, (high + low) / 2
    tilt = HIGH_TILT if half[2] > 0.8 * min(half[0], half[1]) else LOW_TILT
    held = (source, *engine.riders[source])
    bottom = level[2] - around.box(*held)[0, 2]
    n = len(engine.house.placed)
    found: list[tuple[float, int, Floats, Floats]] = []
    # From where it comes, seen from what it is poured into, and the axis about which it then turns.
    for away, axis in ((side * left, side * forward), (-forward, left), (-side * left, -side * forward)):
        spin = np.array([np.cos(tilt / 2), *(np.sin(tilt / 2) * axis)])
        tilted = product(spin, level[3:])
        lip = engine.events.lip(source, np.zeros((n, 3)), np.tile(tilted, (n, 1)))
        pose = np.array([*(place + np.array([0.0, 0.0, POUR_OVER]) - lip), *tilted])
        reach = float(np.abs(matrices(level[3:]).T @ away) @ half)
        beside = np.array([*pose[:3], *level[3:]])
        beside[:2] = (place + (reach + 0.06) * away - turned(level[3:], middle))[:2]
        tops = around.tops(level, place, np.array([reach, reach]), held)
        beside[2] = max(pose[2], bottom + tops + OVER)
        met = sum(around.met(source, on_way, held) for on_way in between(beside, pose, np.linspace(0, 1, 6)))
        found.append((met, len(found), beside, pose))
    best = min(found, key=lambda one: one[:2])
    return best[2], best[3]


def wait_heat(player: Player, skill: script.WaitHeat) -> int:
    """See `script.WaitHeat`."""
    engine = player.engine
    names = [system.name for system in engine.house.systems]
    steps = int(skill.limit * 2)

    def done() -> bool:
        if skill.what in names:
            return bool(engine.particles.alive[engine.particles.of(names.index(skill.what))].any())
        return bool(engine.latches.cooked[player.number(skill.what)])

    for _ in range(steps):
        if done():
            return -1
        player.go(0.5)
    raise Failed(f"{skill.what} is not cooked after {skill.limit:g} s")
