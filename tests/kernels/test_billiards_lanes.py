"""The lane program against the readable loop, and what a batch must never change: bits, shapes, other lanes."""

from typing import Any

import jax
import numpy as np
import pytest

from jaxphys import billiards
from jaxphys_kernels.billiards import event, lanes, lanes_pass
from jaxphys_kernels.billiards.lanes_queue import run_queue
from jaxphys_kernels.billiards.model import Kind, Outcome, Rules, State, World
from jaxphys_kernels.status import Status
from tests.oracle import workload
from tests.support import cases

CASES = cases("core")
SIX_POCKETS = [(0, 0, 0.06), (2, 0, 0.06), (0, 1, 0.06), (2, 1, 0.06), (1, 0, 0.045), (1, 1, 0.045)]
Scenes = tuple[World, State, np.ndarray]

TIES: dict[str, tuple[Any, Any]] = {
    "row": ([(0.5, 0.5), (1, 0.5), (1.06, 0.5)], [(0.6, 0), (0, 0), (0, 0)]),
    "break": ([(0.5, 0.5), (1, 0.53), (1, 0.47)], [(0.6, 0), (0, 0), (0, 0)]),
    "apart": ([(0.5, 0.5), (1, 0.54), (1, 0.46)], [(0.6, 0), (0, 0), (0, 0)]),
    "frozen": ([(1.5, 0.5), (1.97, 0.5), (0.2, 0.2)], [(0.6, 0), (0, 0), (0, 0)]),
    "both-sides": ([(0.5, 0.5), (1, 0.5), (1.5, 0.5)], [(0.4, 0), (0, 0), (-0.4, 0)]),
}


@pytest.fixture(autouse=True)
def _double(x64: None) -> None:
    """Every test here runs in 64-bit mode."""


def drawn(count: int, moving: workload.Moving = "cue", *, t: float = 5.0, balls: int = 7, **scene: Any) -> Scenes:
    pos, vel = workload.draw(count, moving, balls=balls)
    world, state = billiards.make_scene(pos=pos, vel=vel, **scene)
    return world, state, np.full(count, t, state.pos.dtype)


def programs() -> int:
    """Number of compiled lane programs."""
    size: int = run_queue._cache_size()  # type: ignore[attr-defined]
    return size


def readable(scenes: Scenes, rules: Rules = Rules()) -> Outcome:
    run = jax.jit(jax.vmap(lambda w, s, h: event.simulate(w, s, h, rules=rules, log=True)))
    out: Outcome = run(*scenes)
    return out


def take(scenes: Any, index: Any) -> Any:
    return jax.tree.map(lambda x: np.asarray(x)[index], scenes)


def assert_same_bits(one: Any, two: Any) -> None:
    jax.tree.map(np.testing.assert_array_equal, one, two)


def assert_agree(ours: Outcome, theirs: Outcome, atol: float) -> None:
    """Same events in the same order, and everything within `atol`."""
    assert ours.events is not None
    assert theirs.events is not None
    for name in ("kind", "bodies", "rounds", "count"):
        np.testing.assert_array_equal(getattr(ours.events, name), getattr(theirs.events, name), err_msg=name)
    for name in ("time", "pos", "vel", "impulse"):
        np.testing.assert_allclose(
            getattr(ours.events, name), getattr(theirs.events, name), rtol=0, atol=10 * atol, err_msg=name
        )
    for name in ("pos", "vel", "time"):
        np.testing.assert_allclose(getattr(ours.state, name), getattr(theirs.state, name), rtol=0, atol=atol)
    np.testing.assert_array_equal(ours.state.alive, theirs.state.alive)
    np.testing.assert_allclose(ours.first_hit, theirs.first_hit, rtol=0, atol=10 * atol)
    np.testing.assert_allclose(ours.first_wall, theirs.first_wall, rtol=0, atol=10 * atol)
    np.testing.assert_array_equal(ours.status, theirs.status)
    np.testing.assert_array_equal(ours.event_count, theirs.event_count)


def test_cue_scenes_agree_with_the_readable_loop() -> None:
    scenes = drawn(200)
    assert_agree(lanes.simulate(*scenes, log=True), readable(scenes), 1e-9)


def test_all_moving_scenes_agree_with_the_readable_loop() -> None:
    scenes = drawn(200, "all")
    ours, theirs = lanes.simulate(*scenes, log=True), readable(scenes)
    error = np.abs(np.asarray(ours.state.pos) - np.asarray(theirs.state.pos)).max(axis=(1, 2))
    # Chaos: the largest difference says nothing, the sequence of all but the wildest scenes does.
    assert np.quantile(error, 0.99) < 1e-6
    calm = np.flatnonzero(error < 1e-6)
    assert ours.events is not None
    assert theirs.events is not None
    np.testing.assert_array_equal(np.asarray(ours.events.bodies)[calm], np.asarray(theirs.events.bodies)[calm])


def test_pockets_masses_radii_and_tables_agree_with_the_readable_loop() -> None:
    rng = np.random.default_rng(5)
    count, balls = 128, 4
    pos, vel = workload.draw(count, "all", balls=balls)
    world, state = billiards.make_scene(
        pos=pos, vel=vel, size=np.stack([rng.uniform(2, 2.3, count), rng.uniform(1, 1.2, count)], axis=-1),
        radius=rng.uniform(0.02, 0.03, (count, balls)), mass=rng.uniform(0.5, 2, (count, balls)),
        mu=rng.choice([0.0, 0.002, 0.02], count), pockets=SIX_POCKETS,
    )  # fmt: skip
    size = np.where(np.arange(count)[:, None] % 8 == 0, np.inf, world.size)
    alive = np.ones((count, balls), bool)
    alive[::5, 3] = False
    scenes = (world.replace(size=size), state.replace(alive=alive), np.full(count, 4.0))
    ours = lanes.simulate(*scenes, log=True)
    assert_agree(ours, readable(scenes), 1e-7)
    kinds = set(np.asarray(ours.events.kind).ravel().tolist())  # type: ignore[union-attr]
    assert kinds == {-1, Kind.STOP, Kind.POCKET, Kind.WALL, Kind.BALL}


@pytest.mark.parametrize("name", TIES)
def test_ties_leave_the_lanes_for_the_joint_rule(name: str) -> None:
    pos, vel = TIES[name]
    world, state = billiards.make_scene(pos=[pos] * 8, vel=[vel] * 8)
    scenes = (world, state, np.full(8, 2.0))
    raw = run_queue(*scenes, np.int32(8), rules=Rules(), log=True, lanes=8)
    assert np.all(np.asarray(raw.status) & lanes_pass.TIE)
    assert_same_bits(lanes.simulate(*scenes, log=True), readable(scenes))


def test_exact_corner_stays_in_the_lanes() -> None:
    world, state = billiards.make_scene(pos=[[(1.5, 0.5)]] * 8, vel=[[(0.6 / 2**0.5, 0.6 / 2**0.5)]] * 8)
    out = run_queue(world, state, np.full(8, 3.0), np.int32(8), rules=Rules(), log=True, lanes=8)
    assert not np.any(out.status)
    assert out.events is not None
    assert np.asarray(out.events.bodies)[0, :2].tolist() == [[0, 0], [0, 3]]
    np.testing.assert_allclose(out.state.pos[0, 0], [1.229574612, 0.229574612], atol=1e-9)


@pytest.mark.parametrize(("pos", "vel"), [
    # Ball 0 meets LEFT when ball 1 meets RIGHT.
    ([(0.43, 0.3), (1.57, 0.7), (1, 0.5)], [(-0.4, 0), (0.4, 0), (0, 0)]),
    # Balls 0 and 1 collide when ball 2 meets RIGHT: walls are listed before balls.
    ([(0.5, 0.3), (0.96, 0.3), (1.67, 0.7)], [(0.4, 0), (0, 0), (0.3, 0)]),
])  # fmt: skip
def test_simultaneous_events_of_different_bodies_are_one_group(pos: Any, vel: Any) -> None:
    # One time, listed by kind and bodies, and no joint rule.
    world, state = billiards.make_scene(pos=[pos], vel=[vel], mu=0)
    scenes = (world, state, np.array([2.0]))
    raw = run_queue(
        *jax.tree.map(lambda x: np.repeat(x, 8, axis=0), scenes), np.int32(8), rules=Rules(), log=True, lanes=8
    )
    assert not np.any(raw.status)
    ours, theirs = lanes.simulate(*scenes, log=True), readable(scenes)
    assert_agree(ours, theirs, 1e-12)
    assert ours.events is not None
    assert ours.events.time[0, 0] == ours.events.time[0, 1]


BARELY: dict[str, tuple[Any, Any, float, dict[str, Any]]] = {
    # Ball 0 meets RIGHT and ball 1 LEFT, both at exactly the end time.
    "walls-at-the-end": ([(1.25, 0.7), (0.75, 0.3)], [(0.5, 0), (-0.5, 0)], 1.0, {"radius": 0.25, "mu": 0}),
    # Balls 0 and 1 collide at the end time, ball 2 would meet RIGHT within the tie window after it.
    "group-across-the-end": (
        [(0.4, 0.3), (1.4, 0.3), (1, 1.5)], [(0.5, 0), (0, 0), (0.5, 0)], 1.0,
        {"radius": 0.25, "mu": 0, "size": (1.75 + 1e-10, 2)},
    ),
    "equal-stops": ([(0.5, 0.3), (0.5, 0.7)], [(0.1, 0), (0.1, 0)], 6.0, {}),
    "equal-stops-of-three": ([(0.5, 0.3), (0.5, 0.5), (0.5, 0.7)], [(0.1, 0), (0, 0), (0, 0.1)], 6.0, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", BARELY)
def test_events_that_have_no_pass_of_their_own_are_kept(name: str) -> None:
    pos, vel, t, scene = BARELY[name]
    world, state = billiards.make_scene(pos=[pos], vel=[vel], **scene)
    scenes = (world, state, np.array([t]))
    ours = lanes.simulate(*scenes, log=True)
    assert ours.event_count[0] == 2
    assert_agree(ours, readable(scenes), 1e-12)


def test_a_single_event_at_the_end_stays_in_the_lanes() -> None:
    world, state = billiards.make_scene(pos=[[(1.25, 0.7), (0.4, 0.3)]], vel=[[(0.5, 0), (0, 0)]], radius=0.25, mu=0)
    scenes = jax.tree.map(lambda x: np.repeat(x, 8, axis=0), (world, state, np.array([1.0])))
    out = run_queue(*scenes, np.int32(8), rules=Rules(), log=True, lanes=8)
    assert not np.any(out.status)
    np.testing.assert_array_equal(out.event_count, 1)
    np.testing.assert_array_equal(out.first_wall[:, 3], 1.0)


@pytest.mark.parametrize("vel", [[(1e-3, 1e-2), (1e-3, 0)], [(1e-4, 3e-3), (1e-4, 0)]])
def test_touching_balls_that_are_pulled_together_collide(vel: Any) -> None:
    # The gap does not change at first, but friction turns the relative velocity inwards.
    world, state = billiards.make_scene(pos=[[(0.5, 0.5), (0.56, 0.5)]], vel=[vel])
    out = lanes.simulate(world, state, np.array([2e-6]), log=True)
    assert out.status[0] == 0
    assert out.events is not None
    assert np.asarray(out.events.bodies)[0, 0].tolist() == [0, 1]
    assert np.linalg.norm(out.state.pos[0, 1] - out.state.pos[0, 0]) > 0.06 - 1e-12


def test_bits_depend_on_neither_batch_nor_place_nor_threads() -> None:
    scenes = drawn(5000)
    whole = lanes.simulate(*scenes, threads=2)
    assert_same_bits(lanes.simulate(*scenes, threads=1), whole)
    for count in (1, 8, 300, 1024):
        assert_same_bits(lanes.simulate(*take(scenes, slice(count))), take(whole, slice(count)))
    backwards = np.arange(5000)[::-1]
    assert_same_bits(lanes.simulate(*take(scenes, backwards)), take(whole, backwards))
    assert_same_bits(lanes.simulate(*take(scenes, slice(4321, 4322))), take(whole, slice(4321, 4322)))


def test_inside_a_trace_bits_and_ties_are_the_same() -> None:
    world, state = billiards.make_scene(
        pos=[pos for pos, _ in TIES.values()] * 4, vel=[vel for _, vel in TIES.values()] * 4
    )
    scenes = (world, state, np.linspace(1, 2, 20))
    assert_same_bits(jax.jit(lambda *s: lanes.simulate(*s, log=True))(*scenes), lanes.simulate(*scenes, log=True))


def test_batch_sizes_share_a_program() -> None:
    scenes = drawn(256, balls=2, t=1.0)
    lanes.simulate(*take(scenes, slice(3)))
    before = programs()
    for count in (1, 2, 17, 200, 256):
        lanes.simulate(*take(scenes, slice(count)))
    assert programs() == before


@pytest.mark.parametrize("case", ["bat-no-second-compile"])
def test_no_second_compile(case: str) -> None:
    calls = CASES[case]["input"]["calls"]
    world, state, _ = drawn(8, balls=2)
    before = programs()
    for call in range(1, calls + 1):
        # The first state is given, the later ones come from the program itself.
        state = lanes.simulate(world, state, np.full(8, float(call)), lanes=24).state
    assert programs() - before == CASES[case]["expected"]["jit_cache_size"]


@pytest.mark.parametrize("case", ["bat-while-loop-frozen-lanes"])
def test_frozen_lanes(case: str) -> None:
    count, t = CASES[case]["input"]["lanes"], 10.0
    rng = np.random.default_rng(1)
    vel = 0.05 * rng.uniform(-1, 1, (count, 1, 2))
    vel[0] = [(60.0, 17.0)]
    world, state = billiards.make_scene(pos=rng.uniform(0.3, 0.7, (count, 1, 2)), vel=vel, mu=0)
    rules = Rules(max_events=1024)
    out = lanes.simulate(world, state, np.full(count, t), rules=rules)
    assert not any(np.isnan(np.asarray(leaf)).any() for leaf in jax.tree.leaves(out))
    # Each crossing of the unfolded path through a wall plane is an event.
    unfolded = (state.pos[:, 0] + vel[:, 0] * t - 0.03) / (world.size - 0.06)
    expected = np.abs(np.floor(unfolded)).astype(int).sum(axis=1)
    np.testing.assert_array_equal(out.event_count, expected)
    assert expected[0] > 400
    assert expected[1:].max() <= 3
    for index in (0, 1, count - 1):
        alone = lanes.simulate(*take((world, state, np.full(count, t)), slice(index, index + 1)), rules=rules)
        assert_same_bits(alone, take(out, slice(index, index + 1)))


@pytest.mark.parametrize("case", ["bat-cond-both-branches"])
def test_cond_both_branches(case: str) -> None:
    # Nothing moves and nothing is slowed down: every quotient of speeds would be 0/0.
    world, state = billiards.make_scene(pos=[[(0.5, 0.5), (1, 0.5)]] * 3, vel=[[(0, 0), (0, 0)]] * 3, mu=0)
    with jax.debug_nans(True):
        out = lanes.simulate(world, state, np.full(3, 5.0), lanes=40)
    assert CASES[case]["expected"] == {"no_nan": True, "terminates": True}
    np.testing.assert_array_equal(out.state.pos, state.pos)
    np.testing.assert_array_equal(out.state.time, 5.0)


def test_rows_beyond_the_count_stay_finite() -> None:
    scenes = drawn(16, balls=2)
    out = run_queue(*scenes, np.int32(3), rules=Rules(), log=False, lanes=8)
    assert np.isfinite(np.asarray(out.state.pos)).all()
    assert np.isfinite(np.asarray(out.state.vel)).all()


def broken(name: str) -> tuple[Scenes, Rules]:
    world, state, t = drawn(2, balls=2)
    pos, vel, rules = state.pos.copy(), state.vel.copy(), Rules()
    if name == "OVERLAP":
        pos[0] = [(0.5, 0.5), (0.55, 0.5)]
    elif name == "NONFINITE":
        vel[0, 1, 0] = np.nan
    else:
        vel[0, 0], rules = (8.0, 3.0), Rules(max_events=4)
    return (world, state.replace(pos=pos, vel=vel), t), rules


@pytest.mark.parametrize("name", ["OVERLAP", "NONFINITE", "EVENT_CAP"])
def test_status_bits(name: str) -> None:
    scenes, rules = broken(name)
    out = lanes.simulate(*scenes, rules=rules)
    assert int(out.status[0]) == Status[name]
    assert_same_bits(take(lanes.simulate(*take(scenes, [1]), rules=rules), [0]), take(out, [1]))


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("leaf", ["radius", "mass", "mu", "g", "size", "pocket_pos", "pocket_radius"])
def test_a_constant_that_is_no_number_is_flagged(leaf: str, value: float) -> None:
    world, state = billiards.make_scene(
        pos=[[(0.5, 0.5), (1, 0.5)]] * 2, vel=[[(0.6, 0), (0, 0)]] * 2, pockets=[(0, 0, 0.06)]
    )
    constant = np.array(getattr(world, leaf))
    constant[0] = value
    out = lanes.simulate(world.replace(**{leaf: constant}), state, np.ones(2))
    without_walls = leaf == "size" and value == np.inf
    assert np.asarray(out.status).tolist() == [0 if without_walls else Status.NONFINITE, 0]


def test_where_a_dead_ball_lies_does_not_matter() -> None:
    world, state = billiards.make_scene(
        pos=[[(0.5, 0.5), (1, 0.5)]] * 2, vel=[[(0.6, 0), (0, 0)]] * 2, pockets=[(0, 0, 0.06)]
    )
    pos, vel, alive = state.pos.copy(), state.vel.copy(), np.array([[True, False]] * 2)
    pos[0, 1] = vel[0, 1] = np.nan
    out = lanes.simulate(world, state.replace(pos=pos, vel=vel, alive=alive), np.ones(2))
    assert not np.any(out.status)
    np.testing.assert_array_equal(out.state.pos[0, 0], out.state.pos[1, 0])
    np.testing.assert_array_equal(out.state.vel[0], out.state.vel[1])


@pytest.mark.parametrize("threads", [0, -1])
def test_a_number_of_threads_below_one_is_refused(threads: int) -> None:
    with pytest.raises(ValueError, match="threads must be at least 1"):
        lanes.simulate(*drawn(1), threads=threads)


def test_outside_the_table_is_an_overlap() -> None:
    world, state, t = drawn(1, balls=2)
    out = lanes.simulate(world, state.replace(pos=np.array([[(0.5, 0.5), (1.99, 0.5)]])), t)
    assert int(out.status[0]) == Status.OVERLAP


def test_search_that_does_not_get_on_is_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes_pass, "MAX_IDLE", 0)
    out = lanes.simulate(*drawn(64, "all", balls=3), lanes=56)
    assert Status.SOLVER in set(np.asarray(out.status).tolist())


def test_single_precision() -> None:
    scenes = drawn(256)
    exact = lanes.simulate(*scenes)
    world, state, t = jax.tree.map(lambda x: x.astype(np.float32) if x.dtype == np.float64 else x, scenes)
    single = lanes.simulate(world, state, t)
    assert single.state.pos.dtype == np.float32
    assert not np.any(single.status)
    error = np.abs(np.asarray(single.state.pos) - np.asarray(exact.state.pos)).max(axis=(1, 2))
    # Performance specification, section 5: median 1.3e-6 m, 85 % right to four decimals.
    assert np.median(error) < 1e-5
    assert np.mean(error < 5e-5) > 0.7
