"""Every status bit by a scene made for it; what a problem leaves of the answer; no NaN from scenes at rest."""

import math
from collections.abc import Mapping

import jax
import numpy as np
import pytest

from jaxphys import laws, planar
from tests.oracle.planar_scene import Body, Scene
from tests.oracle.planar_workload import body
from tests.planar_support import lower, names, run

CAPACITY = planar.Rules().max_events


def wall(x: float) -> Body:
    return Body("cube", (0.1, 5.0), np.array([x, 0.0]), np.zeros(2), mass=math.inf, inertia=math.inf)


def discs(*places: tuple[float, float]) -> Scene:
    """Discs of radius .05 at x with velocity v."""
    return Scene([body("cylinder", 0.05, (x, 0), (v, 0)) for x, v in places])


def test_too_many_events_set_event_cap_and_the_list_is_never_cut_silently() -> None:
    between = Scene([body("cylinder", 0.05, (0, 0), (1, 0)), wall(0.2), wall(-0.2)])
    end = run([between, Scene([body("cylinder", 0.05, (0, 0), (0.01, 0)), wall(0.2), wall(-0.2)])], 60.0)
    assert end.status.tolist() == [planar.Status.EVENT_CAP, 0]
    assert end.events.count[0] > CAPACITY
    np.testing.assert_allclose(np.diff(end.events.time[0]), 0.1, rtol=0, atol=1e-9)
    assert (end.events.kind[0] == planar.Kind.CONTACT).all()


def test_bodies_that_push_each_other_on_set_event_cap() -> None:
    """After an impact without restitution the body behind brakes less and leans on the other: they meet without end."""
    pushing, parting = (
        Scene(
            [body("cube", 0.2, (0, 0), (2, 0), mu=mus[0]), body("cube", 0.2, (0.6, 0), (0, 0), mu=mus[1])],
            9.8,
            {(0, 1): ("regular", {"restitution": 0.0})},
        )
        for mus in ((0.1, 0.3), (0.3, 0.1))
    )
    assert run([pushing, parting], 3.0).status.tolist() == [planar.Status.EVENT_CAP, 0]


def test_bodies_that_overlap_at_the_start_set_overlap() -> None:
    scene = Scene([body("cube", 0.2, (0, 0), (1, 0), yaw=0.3), body("sphere", 0.2, (0.3, 0), (0, 0))])
    assert run([scene], 1.0).status.tolist() == [planar.Status.OVERLAP]
    with pytest.raises(ValueError, match=r"bodies 0 and 1 of scene 0 overlap by 0\.\d+ m; move them apart"):
        planar.validate(*lower([scene]), [1.0])


def test_bodies_that_may_pass_through_each_other_do_not_overlap() -> None:
    scene = Scene([body("cube", 0.2, (0, 0), (1, 0)), body("sphere", 0.2, (0.3, 0), (0, 0))])
    world, state = lower([scene])
    end = planar.rollout(world, state.replace(through=np.ones((1, 1), bool)), [1.0])
    assert end.status.tolist() == [0]
    assert end.events.count.tolist() == [0]


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("leaf", ["pos", "vel", "yaw", "spin"])
def test_what_is_not_finite_sets_nonfinite(leaf: str, value: float) -> None:
    world, state = lower([Scene([body("cylinder", 0.05, (x, 0), (v, 0), mu=0.01) for x, v in ((0, 1), (1, 0))])] * 2)
    bad = getattr(state, leaf).copy()
    bad[0].flat[0] = value
    end = planar.rollout(world, state.replace(**{leaf: bad}), [2.0])
    assert end.status[0] & planar.Status.NONFINITE
    assert end.status[1] == 0
    with pytest.raises(ValueError, match=rf"{leaf}\[0, 0.*must be finite"):
        planar.validate(world, state.replace(**{leaf: bad}), [2.0])


@pytest.mark.parametrize("mu", [0.0, 0.1])
def test_a_law_that_makes_nan_sets_nonfinite(mu: float) -> None:
    """With friction, which would hold what has no speed, too."""

    @laws.register("lost")
    def lost(a: laws.Body, b: laws.Body, normal: jax.Array, params: Mapping[str, jax.Array]) -> laws.After:
        """A is nowhere from now on."""
        return laws.After(a.replace(vel=a.vel * math.nan), b)

    try:
        scene = Scene([body("cube", 0.2, (0, 0), (2, 0), mu=mu), wall(1.0)], 9.8, {(0, 1): ("lost", {})})
        assert run([scene], 2.0).status.tolist() == [planar.Status.NONFINITE]
    finally:
        laws.unregister("lost")


def test_walls_may_cross() -> None:
    """Nothing moves them, so nothing happens where they overlap, as at the corners of an arena."""
    across = Body("cube", (5.0, 0.1), np.array([0.0, 1.0]), np.zeros(2), mass=math.inf, inertia=math.inf)
    scene = Scene([body("cylinder", 0.05, (0, 0), (1, 0)), wall(1.0), across])
    world, state = lower([scene])
    planar.validate(world, state, [1.5])
    end = planar.rollout(world, state, [1.5])
    assert end.status.tolist() == [0]
    assert names(end.events) == [("contact", (0, 1))]


def test_gears_that_turn_out_of_step_for_long_set_solver() -> None:
    """Squares that spin within each other's reach and never meet: the search takes small steps without end."""
    half, apart = 0.35, 2.65 * 0.35
    scene = Scene(
        [
            body("cube", half, (0, 0), (0, 0), spin=20.0),
            body("cube", half, (apart, 0), (0, 0), yaw=math.pi / 4, spin=-20.0),
        ]
    )
    assert run([scene], 60.0).status.tolist() == [planar.Status.SOLVER]
    assert run([scene], 0.2).status.tolist() == [0]


def test_a_body_that_meets_two_others_at_once_sets_tie() -> None:
    end = run([discs((-0.5, 1), (0, 0), (0.5, -1)), discs((-0.5, 1), (0, 0), (0.6, -1))], 2.0)
    assert end.status.tolist() == [planar.Status.TIE, 0]


def test_contacts_of_different_bodies_at_one_instant_are_no_tie() -> None:
    """Two pairs, far apart, that meet at the same time: both laws act."""
    pairs = [((0, 0), (1, 0)), ((0.5, 0), (0, 0)), ((0, 9), (1, 0)), ((0.5, 9), (0, 0))]
    scene = Scene([body("cylinder", 0.05, place, vel) for place, vel in pairs])
    end = run([scene], 2.0)
    assert end.status.tolist() == [0]
    assert names(end.events) == [("contact", (0, 1)), ("contact", (2, 3))]
    np.testing.assert_allclose(end.path.vel[0, 0, :, 0], [0, 1, 0, 1], rtol=0, atol=1e-12)


def test_scenes_at_rest_stay_and_hold_no_nan() -> None:
    at_rest = [
        Scene([body(shape, 0.2, (0, 0), (0, 0), mu=mu), body(other, 0.2, (0.4 + gap, 0), (0, 0), mu=mu)])
        for shape in ("sphere", "cylinder", "cube")
        for other in ("sphere", "cube")
        for mu in (0.0, 0.2)
        for gap in (0.0, 0.5)
    ]
    end = run(at_rest, 5.0)
    assert not end.status.any()
    assert not end.events.count.any()
    np.testing.assert_array_equal(end.path.pos[:, 0], lower(at_rest)[1].pos)
    for leaf in jax.tree.leaves(end.path):
        assert not np.isnan(leaf).any()


def test_every_bit_has_a_message_and_a_name() -> None:
    from jaxphys import count_bits, describe

    assert len(describe(int(planar.Status.TIE))) == 1
    assert count_bits([int(planar.Status.TIE), 0]) == {"TIE": 1}
