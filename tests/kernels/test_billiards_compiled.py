"""The compiled CPU loop: golden cases, invariants, ties, bad lanes, and the same bits however a batch is run."""

import itertools
import threading
from typing import Any

import numpy as np
import pytest

from jaxphys_kernels import compiled_runtime
from jaxphys_kernels.billiards import compiled
from jaxphys_kernels.billiards.model import WALLS, Events, Kind, Outcome, Rules, State, World
from jaxphys_kernels.status import Status

RADIUS, DECEL = 0.03, 0.0196
GOLDEN_ATOL = 1e-9
ORDER_ATOL = 1e-12
"""Largest change under a permutation of the balls; 2.7e-14 was measured on one impact."""


def build(
    pos: Any,
    vel: Any,
    *,
    size: Any = (2.0, 1.0),
    radius: Any = RADIUS,
    mass: Any = 1.0,
    mu: float = 0.002,
    pockets: Any = (),
) -> tuple[World, State]:
    """A batch of scenes from (b, n, 2) or (n, 2) positions and velocities."""
    pos, vel = (np.array(x, np.float64, ndmin=3) for x in (pos, vel))
    b, n = pos.shape[:2]
    holes = np.array(pockets, np.float64).reshape(-1, 3)
    world = World(
        size=np.broadcast_to(np.array(size, np.float64), (b, 2)),
        radius=np.broadcast_to(np.array(radius, np.float64), (b, n)),
        mass=np.broadcast_to(np.array(mass, np.float64), (b, n)),
        mu=np.full(b, mu),
        g=np.full(b, 9.8),
        pocket_pos=np.broadcast_to(holes[:, :2], (b, len(holes), 2)),
        pocket_radius=np.broadcast_to(holes[:, 2], (b, len(holes))),
    )
    return world, State(time=np.zeros(b), pos=pos, vel=vel, alive=np.ones((b, n), bool))


def run(
    pos: Any,
    vel: Any,
    t: float,
    *,
    rules: Rules = Rules(max_events=256),
    log: bool = True,
    threads: int | None = None,
    **options: Any,
) -> Outcome:
    world, state = build(pos, vel, **options)
    return compiled.simulate(world, state, np.full(len(state.time), t), rules=rules, log=log, threads=threads)


def draw(
    b: int,
    n: int = 7,
    seed: int = 0,
    *,
    cue_only: bool = False,
    radius: Any = RADIUS,
    low: float = 0.3,
    high: float = 1.2,
) -> tuple[np.ndarray, np.ndarray]:
    """Random scenes without overlap: (b, n, 2) positions and velocities."""
    rng = np.random.default_rng(seed)
    radii = np.broadcast_to(radius, n)
    pos = np.empty((b, n, 2))
    for scene, ball in itertools.product(range(b), range(n)):
        while True:
            r = radii[ball]
            pos[scene, ball] = rng.uniform(r, np.array([2.0, 1.0]) - r)
            gap = np.linalg.norm(pos[scene, :ball] - pos[scene, ball], axis=1) - radii[:ball] - r
            if np.all(gap > 1e-3):
                break
    angle, speed = rng.uniform(0, 2 * np.pi, (b, n)), rng.uniform(low, high, (b, n))
    vel = speed[..., None] * np.stack([np.cos(angle), np.sin(angle)], -1)
    if cue_only:
        vel[:, 1:] = 0
    return pos, vel


def listed(events: Events, scene: int = 0) -> list[tuple[int, int, int]]:
    """(kind, bodies) of the events of a scene."""
    used = np.isfinite(events.time[scene])
    return [
        (int(k), int(a), int(c)) for k, (a, c) in zip(events.kind[scene][used], events.bodies[scene][used], strict=True)
    ]


DIAGONAL = 0.6 / np.sqrt(2)
HIT, WALL = int(Kind.BALL), int(Kind.WALL)
TOP, BOTTOM, LEFT, RIGHT = range(4)
ONE_WAY: dict[str, dict[str, Any]] = {
    "A": {
        "pos": [(1.5, 0.5)],
        "vel": [(0.5, 0.2)],
        "t": 3,
        "end": [(1.021891644, 0.872756658)],
        "end_vel": [(-0.445405571, -0.178162228)],
        "events": [(0.956654727, WALL, 0, RIGHT), (2.460140459, WALL, 0, TOP)],
    },
    "B": {
        "pos": [(0.5, 0.5), (1.2, 0.5)],
        "vel": [(0.6, 0), (0, 0)],
        "t": 3,
        "end": [(1.14, 0.5), (1.6682, 0.5)],
        "end_vel": [(0, 0), (-0.5412, 0)],
        "events": [(1.085927565, HIT, 0, 1), (2.447870474, WALL, 1, RIGHT)],
    },
    "C": {
        "pos": [(0.3, 0.5), (1.0, 0.53)],
        "vel": [(0.6, 0), (0, 0)],
        "t": 3,
        "end": [(1.205132691, 0.054699758), (1.793715623, 0.951748071)],
        "end_vel": [(0.125989123, -0.218219562), (0.401578807, -0.231851632)],
        "events": [(1.099821029, HIT, 0, 1), (2.921408089, WALL, 1, TOP)],
    },
    "D": {
        "pos": [(1, 0.5)],
        "vel": [(0.08, 0)],
        "t": 5,
        "end": [(1.163265306, 0.5)],
        "end_vel": [(0, 0)],
        "events": [(4.081632653, int(Kind.STOP), 0, -1)],
    },
    "E": {
        "pos": [(0.5, 0.5), (1.5, 0.52)],
        "vel": [(0.4, 0.01), (-0.3, 0)],
        "t": 4,
        "end": [(0.412593900, 0.371372795), (1.953037874, 0.688634478)],
        "end_vel": [(-0.216295489, -0.048991923), (-0.315941064, 0.060050346)],
        "events": [(1.398082502, HIT, 0, 1), (3.946399920, WALL, 1, RIGHT)],
    },
}
TIES: dict[str, dict[str, Any]] = {
    "F": {
        "pos": [(0.5, 0.5), (1, 0.5), (1.06, 0.5)],
        "vel": [(0.6, 0), (0, 0), (0, 0)],
        "t": 2,
        "end": [(0.94, 0.5), (1, 0.5), (1.7808, 0.5)],
        "end_vel": [(0, 0), (0, 0), (0.5608, 0)],
        "events": [(0.742333976, HIT, 0, 1), (0.742333976, HIT, 1, 2)],
    },
    "G": {
        "pos": [(0.5, 0.5), (1, 0.53), (1, 0.47)],
        "vel": [(0.6, 0), (0, 0), (0, 0)],
        "t": 2,
        "end": [(0.817617536, 0.5), (1.423622851, 0.774578767), (1.423622851, 0.225421233)],
        "end_vel": [(-0.092655139, 0), (0.329994014, 0.190522133), (0.329994014, -0.190522133)],
        "events": [(0.756067549, HIT, 0, 1), (0.756067549, HIT, 0, 2)],
    },
    "H": {
        "pos": [(0.5, 0.5), (1, 0.54), (1, 0.46)],
        "vel": [(0.6, 0), (0, 0), (0, 0)],
        "t": 2,
        "end": [(0.932227611, 0.5), (1.368071220, 0.869212908), (1.368071220, 0.130787092)],
        "end_vel": [(-0.006647714, 0), (0.289870587, 0.259268135), (0.289870587, -0.259268135)],
        "events": [(0.768442634, HIT, 0, 1), (0.768442634, HIT, 0, 2)],
    },
    "I": {
        "pos": [(1.5, 0.5)],
        "vel": [(DIAGONAL, DIAGONAL)],
        "t": 3,
        "end": [(1.229574612, 0.229574612)],
        "end_vel": [(-0.382686190, -0.382686190)],
        "events": [(1.128605202, WALL, 0, TOP), (1.128605202, WALL, 0, RIGHT)],
    },
    "J": {
        "pos": [(1.5, 0.5), (1.97, 0.5)],
        "vel": [(0.6, 0), (0, 0)],
        "t": 2,
        "end": [(1.1592, 0.5), (1.97, 0.5)],
        "end_vel": [(-0.5608, 0), (0, 0)],
        "events": [(0.691135243, WALL, 1, RIGHT), (0.691135243, HIT, 0, 1)],
    },
    "K": {
        "pos": [(0.5, 0.5), (1, 0.5), (1.5, 0.5)],
        "vel": [(0.4, 0), (0, 0), (-0.4, 0)],
        "t": 2,
        "end": [(0.6192, 0.5), (1, 0.5), (1.3808, 0.5)],
        "end_vel": [(-0.3608, 0), (0, 0), (0.3608, 0)],
        "events": [(1.131359363, HIT, 0, 1), (1.131359363, HIT, 1, 2)],
    },
}


@pytest.mark.parametrize("case", [*ONE_WAY, *TIES])
def test_golden_case(case: str) -> None:
    want = (ONE_WAY | TIES)[case]
    got = run(want["pos"], want["vel"], want["t"])
    assert got.status[0] == 0
    np.testing.assert_allclose(got.state.pos[0], want["end"], atol=GOLDEN_ATOL, rtol=0)
    np.testing.assert_allclose(got.state.vel[0], want["end_vel"], atol=GOLDEN_ATOL, rtol=0)
    assert listed(got.events) == [event[1:] for event in want["events"]]
    times = got.events.time[0, : len(want["events"])]
    np.testing.assert_allclose(times, [event[0] for event in want["events"]], atol=GOLDEN_ATOL, rtol=0)
    assert got.event_count[0] == got.events.count[0] == len(want["events"])


@pytest.mark.parametrize(
    ("case", "order"), [(c, o) for c in TIES for o in itertools.permutations(range(len(TIES[c]["pos"])))]
)
def test_tie_does_not_depend_on_ball_order(case: str, order: tuple[int, ...]) -> None:
    want = TIES[case]
    index = list(order)
    got = run(np.array(want["pos"])[index], np.array(want["vel"])[index], want["t"])
    np.testing.assert_allclose(got.state.pos[0], np.array(want["end"])[index], atol=GOLDEN_ATOL, rtol=0)
    assert len(listed(got.events)) == len(want["events"])


def test_first_contacts_of_the_cue_ball() -> None:
    row = run(TIES["F"]["pos"], TIES["F"]["vel"], 2)
    assert np.isfinite(row.first_hit[0]).tolist() == [False, True, False]
    frozen = run(TIES["J"]["pos"], TIES["J"]["vel"], 2)
    assert np.all(np.isinf(frozen.first_wall[0]))
    corner = run(TIES["I"]["pos"], TIES["I"]["vel"], 3)
    assert [w for w, t in zip(WALLS, corner.first_wall[0], strict=True) if t < 2] == ["TOP", "RIGHT"]


def test_touching_and_arriving_at_rest_are_no_contacts() -> None:
    v = np.sqrt(2 * DECEL * 0.44)
    got = run([(0.5, 0.5), (1, 0.5), (1.5, 0.2), (1.5, 0.03)], [(v, 0), (0, 0), (0, 0), (0.3, 0)], 10)
    assert not np.any(np.isfinite(got.first_hit))
    assert listed(got.events)[0] == (WALL, 3, RIGHT)  # running along the lower wall, it never meets it
    assert (int(Kind.STOP), 0, -1) in listed(got.events)


def clusters(count: int, seed: int = 3) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Touching clusters of discs with random radii and masses, and random velocities."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        n = int(rng.integers(3, 8))
        radius = np.full(n, 0.03) if len(found) % 2 else rng.uniform(0.02, 0.05, n)
        pos = [np.zeros(2)]
        while len(pos) < n:
            anchor, angle = int(rng.integers(len(pos))), rng.integers(6) * np.pi / 3 + rng.normal() * (len(found) % 3)
            new = pos[anchor] + (radius[anchor] + radius[len(pos)]) * np.array([np.cos(angle), np.sin(angle)])
            gaps = [np.linalg.norm(new - p) - radius[len(pos)] - radius[q] for q, p in enumerate(pos)]
            if min(gaps) > -1e-12:
                pos.append(new)
        found.append((np.array(pos), rng.normal(size=(n, 2)), radius, rng.uniform(0.5, 2, n)))
    return found


def test_touching_clusters_conserve_and_ignore_order() -> None:
    rng = np.random.default_rng(5)
    for pos, vel, radius, mass in clusters(120):
        order = rng.permutation(len(pos))
        options = {"size": (np.inf, np.inf), "mu": 0.0}
        once = run(pos, vel, 1e-7, radius=radius, mass=mass, **options)
        again = run(pos[order], vel[order], 1e-7, radius=radius[order], mass=mass[order], **options)
        assert once.status[0] == again.status[0] == 0
        after = once.state.vel[0]
        energy = [np.sum(mass[:, None] * v**2) for v in (vel, after)]
        assert abs(energy[1] / energy[0] - 1) < 1e-13
        np.testing.assert_allclose(mass @ after, mass @ vel, atol=1e-13, rtol=0)
        np.testing.assert_allclose(again.state.vel[0], after[order], atol=ORDER_ATOL, rtol=0)
        gap = np.linalg.norm(once.state.pos[0][:, None] - once.state.pos[0], axis=-1) - radius - radius[:, None]
        assert np.min(gap + np.eye(len(pos))) > -1e-9


def test_lone_ball_follows_the_unfolded_path() -> None:
    rng = np.random.default_rng(1)
    b, t = 200, 60.0
    pos = rng.uniform([0.03, 0.03], [1.97, 0.97], (b, 2))
    vel = rng.uniform(-1.4, 1.4, (b, 2))
    got = run(pos[:, None], vel[:, None], t)
    speed = np.linalg.norm(vel, axis=1)
    rest = np.minimum(t, speed / DECEL)
    far = pos + vel / speed[:, None] * (speed * rest - DECEL * rest**2 / 2)[:, None]
    room = np.array([1.94, 0.94])
    folded = np.abs((far - 0.03 + room) % (2 * room) - room) + 0.03
    assert not np.any(got.status)
    np.testing.assert_allclose(got.state.pos[:, 0], folded, atol=1e-12, rtol=0)


def path_lengths(got: Outcome, pos: np.ndarray, vel: np.ndarray, t: float, scene: int) -> np.ndarray:
    """Path of each ball from the speeds in the event log."""
    n = pos.shape[1]
    clock, speed, path = np.zeros(n), np.linalg.norm(vel[scene], axis=-1), np.zeros(n)

    def move(ball: int, until: float) -> None:
        rest = min(until - clock[ball], speed[ball] / DECEL)
        path[ball] += speed[ball] * rest - DECEL * rest**2 / 2
        clock[ball] = until

    e = got.events
    for slot in range(int(e.count[scene])):
        bodies = e.bodies[scene, slot] if e.kind[scene, slot] == HIT else e.bodies[scene, slot, :1]
        for which, ball in enumerate(bodies):
            move(int(ball), e.time[scene, slot])
            speed[ball] = np.linalg.norm(e.vel[scene, slot, which])
    for ball in range(n):
        move(ball, t)
    return path


@pytest.mark.parametrize("cue_only", [True, False])
def test_energy_lost_is_work_of_friction(cue_only: bool) -> None:
    pos, vel = draw(30, seed=2, cue_only=cue_only)
    got = run(pos, vel, 5.0)
    for scene in range(len(pos)):
        lost = (np.sum(vel[scene] ** 2) - np.sum(got.state.vel[scene] ** 2)) / 2
        work = DECEL * np.sum(path_lengths(got, pos, vel, 5.0, scene))
        assert abs(lost - work) < 1e-12 * np.sum(vel[scene] ** 2)


def test_time_reversal_without_friction() -> None:
    pos, vel = draw(100, seed=4, cue_only=True, low=0.9, high=1.1)
    there = run(pos, vel, 3.0, mu=0.0)
    back = run(there.state.pos, -there.state.vel, 3.0, mu=0.0)
    np.testing.assert_allclose(back.state.pos, pos, atol=1e-9, rtol=0)


def test_mixed_balls_conserve_momentum_at_every_hit() -> None:
    radius, mass = np.linspace(0.015, 0.05, 9), np.linspace(0.3, 2.5, 9)
    pos, vel = draw(20, 9, seed=6, radius=radius)
    got = run(pos, vel, 3.0, radius=radius, mass=mass)
    e, hits = got.events, 0
    assert not np.any(got.status)
    for scene in range(len(pos)):
        now, clock = vel[scene].copy(), np.zeros(9)
        for slot in range(int(e.count[scene])):
            bodies = e.bodies[scene, slot][: 2 if e.kind[scene, slot] == HIT else 1]
            before = []
            for ball in bodies:
                speed = np.linalg.norm(now[ball])
                left = max(speed - DECEL * (e.time[scene, slot] - clock[ball]), 0)
                before.append(now[ball] * (left / speed if speed > 0 else 0))
            after = e.vel[scene, slot, : len(bodies)]
            if e.kind[scene, slot] == HIT:
                hits += 1
                np.testing.assert_allclose(mass[bodies] @ after, mass[bodies] @ np.array(before), atol=1e-13, rtol=0)
                gap = np.linalg.norm(e.pos[scene, slot, 1] - e.pos[scene, slot, 0]) - radius[bodies].sum()
                assert abs(gap) < 1e-12
                change = np.linalg.norm(after[0] - before[0]) * mass[bodies[0]]
                assert abs(change - e.impulse[scene, slot]) < 1e-12
            now[bodies], clock[bodies] = after, e.time[scene, slot]
    assert hits > 100


def brute_force(pos: np.ndarray, vel: np.ndarray, t_end: float) -> tuple[np.ndarray, list[tuple[int, int, int]]]:
    """One scene by general polynomial roots, every candidate anew at every event."""
    pos, vel, t, events = pos.copy(), vel.copy(), 0.0, []
    n, lows, highs = len(pos), np.full(2, RADIUS), np.array([2.0, 1.0]) - RADIUS

    def first_root(poly: np.ndarray, limit: float) -> float:
        roots = np.roots(np.trim_zeros(poly, "f"))
        real = roots[np.abs(roots.imag) < 1e-9].real
        slope = np.polyval(np.polyder(poly), real)
        good = real[(slope < 0) & (real > -1e-10) & (real <= limit)]
        return float(max(good.min(), 0.0)) if good.size else np.inf

    while True:
        speed = np.linalg.norm(vel, axis=1)
        brake = -DECEL / 2 * vel / np.where(speed > 0, speed, 1)[:, None]
        rest = np.where(speed > 0, speed / DECEL, np.inf)
        best = (t_end - t, (-1, -1, -1))
        for i in range(n):
            best = min(best, (rest[i], (int(Kind.STOP), i, -1)))
            for axis, side in itertools.product((0, 1), (-1, 1)):
                if side * vel[i, axis] <= 0:
                    continue
                gap = (highs[axis] - pos[i, axis]) if side > 0 else pos[i, axis] - lows[axis]
                when = first_root(np.array([-side * brake[i, axis], -side * vel[i, axis], gap]), rest[i])
                best = min(best, (when, (WALL, i, [[LEFT, RIGHT], [BOTTOM, TOP]][axis][(side + 1) // 2])))
            for j in range(i + 1, n):
                d, u, w = pos[j] - pos[i], vel[j] - vel[i], brake[j] - brake[i]
                if not np.any(u):
                    continue
                poly = np.array([w @ w, 2 * u @ w, u @ u + 2 * d @ w, 2 * d @ u, d @ d - 4 * RADIUS**2])
                best = min(best, (first_root(poly, min(rest[i], rest[j])), (HIT, i, j)))
        dt, (kind, i, j) = best
        run_time = np.minimum(dt, rest)[:, None]
        pos = pos + vel * run_time + brake * run_time**2
        vel = vel * (1 - np.where(np.isfinite(rest), run_time[:, 0] / rest, 0))[:, None]
        if kind < 0:
            return pos, events
        t += dt
        events.append((kind, i, j))
        if kind == int(Kind.STOP):
            vel[i] = 0
        elif kind == WALL:
            vel[i, 1 if j in (TOP, BOTTOM) else 0] *= -1
        else:
            normal = (pos[j] - pos[i]) / np.linalg.norm(pos[j] - pos[i])
            change = ((vel[i] - vel[j]) @ normal) * normal
            vel[i], vel[j] = vel[i] - change, vel[j] + change


@pytest.mark.parametrize(("cue_only", "count", "t", "low"), [(True, 40, 5.0, 0.3), (False, 12, 2.0, 0.02)])
def test_events_equal_those_of_a_brute_force_search(cue_only: bool, count: int, t: float, low: float) -> None:
    pos, vel = draw(count, seed=11, cue_only=cue_only, low=low)
    got = run(pos, vel, t)
    for scene in range(count):
        end, events = brute_force(pos[scene], vel[scene], t)
        assert listed(got.events, scene) == events
        np.testing.assert_allclose(got.state.pos[scene], end, atol=1e-8, rtol=0)


def test_nothing_is_missed_in_a_large_batch() -> None:
    pos, vel = draw(1500, seed=8, low=0.02)
    got = run(pos, vel, 8.0, log=False)
    gap = np.linalg.norm(got.state.pos[:, :, None] - got.state.pos[:, None], axis=-1) + np.eye(7)
    assert not np.any(got.status)
    assert gap.min() > 2 * RADIUS - 1e-9


@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-9, -1e-9, -1e-6, -1e-3])
@pytest.mark.parametrize("speed", [0.0, 0.3])
def test_grazing(delta: float, speed: float) -> None:
    """Parallel paths 2R + delta apart meet if and only if delta < 0."""
    got = run([(0.5, 0.4), (1.2, 0.4 + 2 * RADIUS + delta)], [(0.8, 0.0), (-speed, 0.0)], 1.1)
    assert got.status[0] == 0
    assert np.isfinite(got.first_hit[0, 1]) == (delta < 0)


def test_pocket_captures_before_the_wall() -> None:
    holes = [(0, 0, 0.06), (2, 0, 0.06), (0, 1, 0.06), (2, 1, 0.06), (1, 0, 0.045), (1, 1, 0.045)]
    got = run([(1.0, 0.4), (0.5, 0.8), (1.8, 0.8)], [(0, -0.5), (0.1, 0), (0, 0.0)], 3.0, pockets=holes)
    assert listed(got.events)[0] == (int(Kind.POCKET), 0, 4)
    assert got.state.alive[0].tolist() == [False, True, True]
    np.testing.assert_allclose(got.state.pos[0, 0], (1.0, 0.045), atol=1e-12)
    np.testing.assert_array_equal(got.state.vel[0, 0], 0)
    np.testing.assert_array_equal(got.events.pos[0, 0, 1], (1, 0))
    assert np.all(np.isinf(got.first_wall))


def test_captured_ball_is_out_of_the_way() -> None:
    world, state = build([(0.5, 0.5), (1.0, 0.5)], [(0.6, 0), (0, 0)])
    got = compiled.simulate(world, state.replace(alive=np.array([[True, False]])), np.array([2.0]))
    assert got.event_count[0] == 0
    np.testing.assert_array_equal(got.state.pos[0, 1], (1.0, 0.5))


def test_bad_lanes_set_their_bit_and_leave_the_others_alone() -> None:
    pos, vel = draw(6, seed=9, cue_only=True)
    alone = run(pos, vel, 5.0)
    bad_pos, bad_vel = pos.copy(), vel.copy()
    bad_pos[1, 3] = bad_pos[1, 2] + (0.03, 0.03)
    bad_pos[2, 4] = (0.01, 0.5)
    bad_vel[3, 5] = (np.nan, 0)
    bad_vel[4, 0] = (1e300, 1e300)
    got = run(bad_pos, bad_vel, 5.0)
    expected = [0, Status.OVERLAP, Status.OVERLAP, Status.NONFINITE, Status.NONFINITE, 0]
    assert [Status(int(s)) for s in got.status] == expected
    for scene in (0, 5):
        np.testing.assert_array_equal(got.state.pos[scene], alone.state.pos[scene])
        np.testing.assert_array_equal(got.events.time[scene], alone.events.time[scene])


def test_event_cap() -> None:
    pos, vel = draw(4, seed=10)
    full = run(pos, vel, 5.0)
    capped = run(pos, vel, 5.0, rules=Rules(max_events=8))
    assert np.all(full.event_count > 8)
    assert np.all(capped.status == Status.EVENT_CAP)
    assert capped.events.time.shape == (4, 8)
    np.testing.assert_array_equal(capped.events.time, full.events.time[:, :8])
    assert np.all(capped.events.count > 8)
    exact = run(pos[:1], vel[:1], 5.0, rules=Rules(max_events=int(full.event_count[0])))
    assert exact.status[0] == 0


def test_lasting_pressure_ends_with_a_status() -> None:
    """The slower ball ahead brakes harder along the line of centres: contact without end, which no impact rule has.

    The pair meets ever again; the lane must stop with a bit set, not hang.
    """
    pos = [(0.5, 0.5), (0.5 + 2 * RADIUS, 0.5)]
    got = run(pos, [(1e-3, 1e-2), (1e-3, 0.0)], 1.0, rules=Rules(max_events=16))
    assert Status(int(got.status[0])) == Status.EVENT_CAP
    assert got.state.time[0] < 1.0


def leaves(got: Outcome) -> list[np.ndarray]:
    flat = [
        got.state.time,
        got.state.pos,
        got.state.vel,
        got.state.alive,
        got.first_hit,
        got.first_wall,
        got.event_count,
        got.status,
    ]
    if got.events is not None:
        e = got.events
        flat += [e.time, e.kind, e.bodies, e.pos, e.vel, e.impulse, e.rounds]
    return flat


def test_bits_do_not_depend_on_threads_batch_or_place() -> None:
    pos, vel = draw(300, seed=12)
    one = leaves(run(pos, vel, 4.0, threads=1))
    for threads in (2, 5):
        for got, want in zip(leaves(run(pos, vel, 4.0, threads=threads)), one, strict=True):
            np.testing.assert_array_equal(got, want)
    for scene in (0, 77, 299):
        for got, want in zip(leaves(run(pos[scene], vel[scene], 4.0)), one, strict=True):
            np.testing.assert_array_equal(got[0], want[scene])
    for got, want in zip(leaves(run(pos[::-1], vel[::-1], 4.0)), one, strict=True):
        np.testing.assert_array_equal(got[::-1], want)


def test_bits_do_not_depend_on_the_log() -> None:
    pos, vel = draw(50, seed=13)
    for got, want in zip(leaves(run(pos, vel, 4.0, log=False)), leaves(run(pos, vel, 4.0)), strict=False):
        np.testing.assert_array_equal(got, want)


def test_calls_from_several_threads_at_once() -> None:
    pos, vel = draw(200, seed=14, cue_only=True)
    want = run(pos, vel, 5.0).state.pos
    results: list[np.ndarray] = []
    callers = [threading.Thread(target=lambda: results.append(run(pos, vel, 5.0).state.pos)) for _ in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(timeout=60)
    assert len(results) == 6
    for got in results:
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("n", [1, 8, 9, 20])
def test_any_number_of_balls(n: int) -> None:
    pos, vel = draw(20, n, seed=15)
    got = run(pos, vel, 3.0, rules=Rules(max_events=1000))
    assert not np.any(got.status)
    shuffled = np.random.default_rng(0).permutation(n)
    again = run(pos[:, shuffled], vel[:, shuffled], 3.0, rules=Rules(max_events=1000))
    np.testing.assert_array_equal(np.sort(got.events.kind), np.sort(again.events.kind))


def test_start_time_and_events_are_absolute() -> None:
    world, state = build(ONE_WAY["B"]["pos"], ONE_WAY["B"]["vel"])
    got = compiled.simulate(world, state.replace(time=np.array([10.0])), np.array([13.0]))
    np.testing.assert_allclose(got.state.pos[0], ONE_WAY["B"]["end"], atol=GOLDEN_ATOL, rtol=0)
    assert got.state.time[0] == 13.0
    assert abs(got.first_hit[0, 1] - 11.085927565) < GOLDEN_ATOL


def test_wrong_shapes_and_thread_counts_are_named() -> None:
    world, state = build(ONE_WAY["B"]["pos"], ONE_WAY["B"]["vel"])
    with pytest.raises(ValueError, match=r"world\.radius"):
        compiled.simulate(world.replace(radius=np.full((1, 3), 0.03)), state, np.array([1.0]))
    with pytest.raises(ValueError, match="threads"):
        compiled.simulate(world, state, np.array([1.0]), threads=0)


def test_error_in_a_chunk_reaches_the_caller() -> None:
    def work(start: int, stop: int) -> None:
        if start <= 500 < stop:
            raise RuntimeError("chunk")

    with pytest.raises(RuntimeError, match="chunk"):
        compiled_runtime.run_chunks(work, 1000, threads=3)


def test_read_only_and_broadcast_leaves_need_no_new_program() -> None:
    pos, vel = draw(4, seed=16)
    want = run(pos, vel, 2.0)
    pos.flags.writeable = vel.flags.writeable = False
    programs = len(compiled._run_range.signatures)  # type: ignore[attr-defined]
    got = run(np.asfortranarray(pos), vel, 2.0)
    assert len(compiled._run_range.signatures) == programs  # type: ignore[attr-defined]
    np.testing.assert_array_equal(got.state.pos, want.state.pos)


def test_fork_does_not_inherit_the_threads() -> None:
    compiled_runtime.run_chunks(lambda start, stop: None, 1000, threads=2)
    assert compiled_runtime._pool is not None
    pool = compiled_runtime._pool
    try:
        compiled_runtime._forget_pool()
        compiled_runtime.run_chunks(lambda start, stop: None, 1000, threads=2)
        assert compiled_runtime._pool is not pool
    finally:
        pool.shutdown()


def test_unwritable_cache_is_tolerated(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba refuses to cache where it finds no folder to write to; the entry is then compiled for the process."""
    import numba

    real = numba.njit

    def njit(*args: Any, **options: Any) -> Any:
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return real(*args, **options)

    monkeypatch.setattr(numba, "njit", njit)
    assert compiled_runtime.jit_entry(lambda x: x + 1.0)(1.0) == 2.0
