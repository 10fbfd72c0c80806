"""Training with Brax on a toy of the environment's face: states, fresh scenes, what is taken down, and learning."""

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

pytest.importorskip("brax", reason="brax is missing; run pip install '.[train]' in the checkout")

from jaxphys_benchmarks.display import Polyline, Text
from jaxphys_benchmarks.reacthuman.env.brax_env import RETURN, BraxEnv, Episodes, wrapped
from jaxphys_benchmarks.reacthuman.env.curve import PARTS, learning_curve, parts
from jaxphys_benchmarks.reacthuman.env.state import EnvState
from jaxphys_benchmarks.reacthuman.env.training import PPOConfig, gain, train

LENGTH = 4


class Toy:
    """Pays for an action near a number that is drawn at the reset and shown; an episode takes four steps."""

    observation_size, action_size, backend, dt, episode_length = 2, 1, "toy", 0.125, LENGTH

    def reset(self, key: jax.Array) -> EnvState:
        goal = jnp.vectorize(lambda one: jax.random.uniform(one, ()), signature="(k)->()")(key)
        return self._state(goal, jnp.zeros_like(goal), jnp.zeros_like(goal))

    def step(self, state: EnvState, action: jax.Array) -> EnvState:
        goal, count = state.data
        return self._state(goal, count + 1.0, -jnp.abs(action[..., 0] - goal)).replace(info=state.info)

    def _state(self, goal: jax.Array, count: jax.Array, reward: jax.Array) -> EnvState:
        over = (count >= LENGTH).astype(jnp.float32)
        numbers = {"near": (reward > -0.1).astype(jnp.float32) * (count > 0)}
        obs = jnp.stack([goal, count], axis=-1)
        data: Any = (goal, count)
        return EnvState(data=data, obs=obs, reward=reward, done=over, metrics=numbers, info={})


def batch(episodes: Episodes | None = None) -> Any:
    return wrapped(episodes)(BraxEnv(Toy()), LENGTH)  # type: ignore[arg-type]


@pytest.fixture
def _lenient_brax() -> Any:
    with jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
        yield


@pytest.mark.usefixtures("_lenient_brax")
def test_a_lane_goes_on_with_another_scene_when_its_episode_is_over() -> None:
    episodes = Episodes()
    env = batch(episodes)
    state = env.reset(jax.random.split(jax.random.PRNGKey(0), 3))
    goals = [np.asarray(state.obs)[:, 0]]
    for k in range(2 * LENGTH):
        state = env.step(state, jnp.full((3, 1), 0.5))
        goals.append(np.asarray(state.obs)[:, 0])
        assert np.asarray(state.done).tolist() == [float((k + 1) % LENGTH == 0)] * 3
        assert np.asarray(state.obs)[:, 1].tolist() == [float((k + 1) % LENGTH)] * 3
    jax.effects_barrier()
    assert np.array_equal(goals[0], goals[LENGTH - 1])
    assert not np.isclose(goals[0], goals[LENGTH]).any()
    assert not np.isclose(goals[LENGTH], goals[2 * LENGTH]).any()
    expected = [-LENGTH * abs(0.5 - goal) for row in (goals[0], goals[LENGTH]) for goal in row.tolist()]
    assert episodes.rows[RETURN] == pytest.approx(expected, abs=1e-5)
    assert episodes.rows["length"] == [LENGTH] * 6
    assert set(episodes.rows) == {RETURN, "length", "near"}


def test_ppo_learns_the_toy() -> None:
    told: list[tuple[int, float]] = []
    config = PPOConfig(
        decisions=12_000, num_envs=32, unroll_length=4, batch_size=32, num_minibatches=2, policy_hidden=(16,),
        value_hidden=(16,), learning_rate=3e-3,
    )  # fmt: skip
    trained = train(Toy(), 0, config, lambda count, returns: told.append((count, returns)))  # type: ignore[arg-type]
    found = gain(trained.returns)
    assert found.errors > 2
    assert found.last > found.first
    assert trained.decisions == config.per_lane * config.num_envs >= config.decisions
    assert len(trained.returns) == trained.decisions // LENGTH == len(trained.numbers["near"])
    assert [count for count, _ in told] == sorted(count for count, _ in told)
    assert told[-1][1] > told[0][1]
    action = trained.policy(jnp.asarray([[0.1, 0.0], [0.9, 0.0]], jnp.float32))
    assert action.shape == (2, 1)
    assert float(action[1, 0]) > float(action[0, 0])


def test_lanes_must_divide_a_pass() -> None:
    with pytest.raises(ValueError, match="num_envs"):
        train(Toy(), 0, PPOConfig(num_envs=7))  # type: ignore[arg-type]


def test_a_training_in_which_no_episode_would_end_is_refused() -> None:
    config = PPOConfig(decisions=24, num_envs=8, unroll_length=3, batch_size=8, num_minibatches=1)
    with pytest.raises(ValueError, match=r"decisions: 24 are 3 in each .* takes 4.* at least 32"):
        train(Toy(), 0, config)  # type: ignore[arg-type]
    # PPO ends with a whole pass.
    assert config.model_copy(update={"decisions": 25}).per_lane == 6
    assert PPOConfig(decisions=1000).per_lane == 24


def test_scenes_are_not_randomised_twice() -> None:
    with pytest.raises(ValueError, match="randomization_fn"):
        wrapped()(BraxEnv(Toy()), LENGTH, randomization_fn=lambda *_: None)  # type: ignore[arg-type]


def test_gain_of_known_numbers() -> None:
    returns = np.concatenate([np.array([0.0, 2.0] * 5), np.full(80, 7.0), np.array([4.0, 6.0] * 5)])
    found = gain(returns)
    assert (found.first, found.last) == (1.0, 5.0)
    assert found.error == pytest.approx(np.sqrt(2 * (10 / 9) / 10))
    assert found.errors == pytest.approx(4 / found.error)
    with pytest.raises(ValueError, match="20"):
        gain(np.zeros(19))


def test_a_curve_goes_where_the_returns_are() -> None:
    rising, flat = np.arange(400.0), np.full(200, 100.0)
    assert parts(rising)[0] == pytest.approx(4.5)
    canvas = learning_curve({"a": rising, "b": flat}, "a title")
    lines = [item for item in canvas.items if isinstance(item, Polyline) and len(item.points_px) == PARTS]
    assert len(lines) == 2
    heights = [y for _, y in lines[0].points_px]
    assert heights == sorted(heights, reverse=True)
    assert len({round(y, 6) for _, y in lines[1].points_px}) == 1
    # Half as many episodes end half way.
    assert lines[1].points_px[-1][0] < lines[0].points_px[PARTS // 2][0] + 10
    texts = [item.text for item in canvas.items if isinstance(item, Text)]
    assert {"a title", "a", "b", "episodes"} <= set(texts)
    assert [text for text in texts if re.fullmatch(r"-?\d+", text)][:3] == ["0", "100", "200"]
    for item in canvas.items:
        points = item.points_px if isinstance(item, Polyline) else ()
        assert all(0 <= x <= canvas.width_px and 0 <= y <= canvas.height_px for x, y in points)


@pytest.mark.parametrize("returns", [np.full(50, 3.0), np.linspace(-1e-3, 1e-3, 50), np.linspace(-7e3, 2e4, 50)])
def test_a_curve_of_any_size_has_a_few_ticks(returns: np.ndarray) -> None:
    canvas = learning_curve({"a": returns}, "")
    assert 2 <= sum(isinstance(item, Polyline) and len(item.points_px) == 2 for item in canvas.items) <= 9


def test_curves_need_runs_and_episodes() -> None:
    with pytest.raises(ValueError, match="runs"):
        learning_curve({}, "")
    with pytest.raises(ValueError, match="episodes"):
        learning_curve({"a": np.zeros(PARTS - 1)}, "")
