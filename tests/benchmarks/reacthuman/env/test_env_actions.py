"""What actions ask for, and which act they amount to: the rule of plans, held against it."""

import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.env import action as actions
from jaxphys_benchmarks.reacthuman.env.config import EnvConfig
from jaxphys_benchmarks.reacthuman.execution.mapping import Z_REF
from jaxphys_benchmarks.reacthuman.plan import KeyFrame, Plan
from jaxphys_benchmarks.reacthuman.recover import ACTS, Thresholds, recover

CONFIG = EnvConfig()


def test_nothing_asked_is_a_stand_with_the_hands_at_rest() -> None:
    wanted = actions.asked(jnp.zeros((3, actions.SIZE)), CONFIG)
    assert not np.asarray(wanted.walk).any()
    assert not np.asarray(wanted.knee).any()
    assert np.array_equal(wanted.hands, np.broadcast_to(actions.HOME, (3, 2, 3)))


def test_scales_dead_zone_and_clips() -> None:
    action = np.zeros((4, actions.SIZE), np.float32)
    action[0, :3] = 1.0, -1.0, 0.6
    action[1, :3] = CONFIG.dead_zone, -0.5 * CONFIG.dead_zone, 7.0
    action[2, 3:6], action[2, 9] = (1.0, -1.0, 0.5), 0.25
    action[3, 0], action[3, 9] = np.nan, -1.0
    wanted = actions.asked(jnp.asarray(action), CONFIG)
    assert np.asarray(wanted.walk) == pytest.approx(
        np.array([[1.0, -0.6, 0.5], [0.0, 0.0, 1.0], [0, 0, 0], [0, 0, 0]]), abs=1e-6
    )
    moved = np.asarray(wanted.hands)[2, 0] - actions.HOME[0]
    assert moved == pytest.approx(np.array(CONFIG.reach) * [1.0, -1.0, 0.5], abs=1e-6)
    assert np.asarray(wanted.knee) == pytest.approx(np.array([0.0, 0.0, 0.25, 0.0]))


def test_hands_go_at_a_limited_speed_and_stop_at_their_goal() -> None:
    hands, goal = jnp.zeros((1, 2, 3)), jnp.asarray([[[0.3, 0.0, 0.4], [0.0, 0.01, 0.0]]])
    for k in range(1, 7):
        hands = actions.towards(hands, goal, 0.1)
        assert np.linalg.norm(np.asarray(hands)[0, 0]) == pytest.approx(min(0.1 * k, 0.5), abs=1e-5)
    assert np.asarray(hands) == pytest.approx(np.asarray(goal), abs=1e-5)


@pytest.mark.parametrize("brace", [False, True])
@pytest.mark.parametrize("crouch_is_dodge", [False, True])
def test_an_act_is_that_of_the_plan_with_the_same_commands(brace: bool, crouch_is_dodge: bool) -> None:
    rules = Thresholds(brace=brace, crouch_is_dodge=crouch_is_dodge)
    rng = np.random.default_rng(3)
    found, expected = [], []
    for seconds in (0.1, 0.25, 0.75):
        rows = rng.uniform(-1, 1, (100, actions.SIZE)) * (rng.random((100, actions.SIZE)) < 0.4)
        rows[:, 3:9] *= rng.choice([0.2, 0.5, 1.0], (100, 1))
        wanted = actions.asked(jnp.asarray(rows), CONFIG)
        spent = actions.spend(actions.nothing_spent((100,)), wanted, seconds)
        found += [ACTS[k] for k in np.asarray(actions.acted(spent, rules)).tolist()]
        hands = np.asarray(wanted.hands, float) - [0, 0, Z_REF]
        for walk, (left, right), knee in zip(
            np.asarray(wanted.walk, float).tolist(),
            hands.tolist(),
            np.asarray(wanted.knee, float).tolist(),
            strict=True,
        ):
            frame = KeyFrame(t=seconds, left_hand=tuple(left), right_hand=tuple(right), knee_bend=knee)
            duration = seconds if any(walk) else 0.0
            plan = Plan(walking_cmd=tuple(walk), walking_duration=duration, keyframes=(frame,))
            expected.append(recover(plan, rules))
    assert found == expected
    braces = {"BRACE_FOR_IMPACT"} if brace and not crouch_is_dodge else set()
    assert set(found) == {"EXECUTE_CATCH", "TRIGGER_DODGE", "NO_ACTION"} | braces


def test_commands_that_take_each_other_back_are_no_dodge() -> None:
    spent = actions.nothing_spent(())
    for sign in (1.0, -1.0) * 3:
        action = np.zeros(actions.SIZE)
        action[0] = sign
        spent = actions.spend(spent, actions.asked(jnp.asarray(action), CONFIG), 0.2)
    assert ACTS[int(actions.acted(spent, Thresholds()))] == "NO_ACTION"
