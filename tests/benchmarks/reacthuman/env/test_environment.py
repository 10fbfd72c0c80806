"""The environment on C MuJoCo: episodes, the hazard in flight, what pays, and lanes that do not know each other."""

import dataclasses
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.env import EnvConfig, Environment, observation
from jaxphys_benchmarks.reacthuman.env.bank import bank_of
from jaxphys_benchmarks.reacthuman.env.physics_mjx import PhysicsMjx
from jaxphys_benchmarks.reacthuman.env.standing import standing
from jaxphys_benchmarks.reacthuman.env.state import METRICS
from jaxphys_benchmarks.reacthuman.execution import Execution
from jaxphys_benchmarks.reacthuman.execution.brain import policy, settled, stood
from jaxphys_benchmarks.reacthuman.simulate import simulate
from tests.benchmarks.reacthuman.env.env_support import CATCHES, DODGES, LANES, environment, played, stepping
from tests.benchmarks.reacthuman.made_scenes import labelled
from tests.humanoid_support import robot

STILL = np.zeros(10, np.float32)
BACK = np.eye(10, dtype=np.float32)[0] * -1.0

SINGLE = 1e-5
"""Of numbers of a few metres in single precision."""

FLIGHT = 0.5 * 9.81 * 1.0 / 240
"""Of the object's place against ground truth: a fall of 1 s in steps of 1/240 s is so much too deep (m)."""


def part(state: object, name: str) -> np.ndarray:
    """A part of the observation by name."""
    at = 0
    for key, width in observation.PARTS.items():
        if key == name:
            return np.asarray(state.obs)[..., at : at + width]  # type: ignore[attr-defined]
        at += width
    raise KeyError(name)


def test_an_episode_begins_at_the_freeze() -> None:
    env = environment()
    state = env.begin(np.array(LANES))
    assert state.obs.shape == (8, env.observation_size)
    assert state.obs.dtype == jnp.float32
    assert set(state.metrics) == set(METRICS)
    root = np.array([spec.robot_root for spec in env.bank.specs])
    assert np.asarray(state.data.body.qpos)[:, :2] == pytest.approx(root[:, :2], abs=SINGLE)
    assert part(state, "moved") == pytest.approx(np.zeros((8, 2)), abs=SINGLE)
    assert part(state, "turned") == pytest.approx(np.tile([0.0, 1.0], (8, 1)), abs=SINGLE)
    palms = part(state, "palms").reshape(8, 2, 3)
    assert palms[:, 0, 1].min() > 0.15
    assert palms[:, 1, 1].max() < -0.15
    # Forward of a robot that faces +Y is y, left is -x.
    places = np.array([truth.track.pos[-1][0] for truth in env.bank.labels])
    away = places - root
    assert part(state, "object") == pytest.approx(np.stack([away[:, 1], -away[:, 0], places[:, 2]], axis=1), abs=1e-5)
    assert part(state, "right_action").argmax(axis=1).tolist() == [0] * 4 + [1] * 4


def test_an_episode_and_an_execution_begin_alike() -> None:
    env = environment()
    body = env.begin(np.array(LANES)).data.body
    with Execution(env.bank.specs, env.bank.labels, [None] * len(LANES)) as execution:
        states = execution.states()
    assert np.asarray(body.sensed.qpos) == pytest.approx(states.qpos, abs=SINGLE)
    assert np.asarray(body.sensed.qvel) == pytest.approx(states.qvel, abs=SINGLE)
    assert np.asarray(body.sensed.palms) == pytest.approx(states.palms, abs=SINGLE)


def test_weights_without_a_name_settle_as_those_with_one() -> None:
    own = robot()
    named, nameless = settled(own.config, "student", 0.2), stood(own, policy("student"), 0.2)
    for one, other in zip(jax.tree.leaves(vars(named)), jax.tree.leaves(vars(nameless)), strict=True):
        assert np.array_equal(one, other)
    with pytest.raises(ValueError, match="does not stand"):
        standing(own, dataclasses.replace(named, qpos=named.qpos * 0.5))


def test_nothing_done_stands_and_is_wrong_where_something_is_due() -> None:
    states = played(LANES, STILL)
    assert stepping()._cache_size() == 1
    height = np.stack([np.asarray(state.data.body.qpos)[:, 2] for state in states])
    assert height.min() > 0.7
    assert [float(np.asarray(state.done).max()) for state in states] == [0.0] * (len(states) - 1) + [1.0]
    total = {name: sum(np.asarray(state.metrics[name]) for state in states) for name in METRICS}
    assert not total["fell"].any()
    assert not total["right"].any()
    assert total["unsafe"].tolist() == [0.0] * 4 + [1.0] * 4
    assert total["catches"].tolist() == [1.0] * 4 + [0.0] * 4


def test_the_object_is_held_and_then_flies_as_in_ground_truth() -> None:
    env, states = environment(), played(LANES, STILL)
    runs = simulate(env.bank.specs)
    path = {place: run.qpos[row, :, 0, :3] for run in runs for row, place in enumerate(run.places.tolist())}
    held = 0
    for state in states:
        step, qpos = np.asarray(state.data.body.step), np.asarray(state.data.body.qpos)
        for k in LANES:
            spec, truth = env.bank.specs[k], env.bank.labels[k]
            now = int(step[k]) + spec.timing.freeze_step
            if step[k] / 240 < truth.tti - 0.1:
                assert qpos[k, 36:39] == pytest.approx(path[k][max(now, 0)], abs=FLIGHT)
                held += now < 0
    assert held > 5


def test_reaching_for_a_catch_pays() -> None:
    env, states = environment(), played(CATCHES, STILL)
    point = np.array([truth.impact_point for truth in env.bank.labels])[list(CATCHES)]
    root = np.array([spec.robot_root for spec in env.bank.specs])[list(CATCHES)]
    ahead = np.stack([(point - root)[:, 1], -(point - root)[:, 0], point[:, 2]], axis=1)
    home = np.array([[0.10, 0.15, 0.79], [0.10, -0.15, 0.79]])
    action = np.zeros((4, 10), np.float32)
    action[:, 3:9] = ((ahead[:, None] - home) / env.config.reach).reshape(4, 6)
    reached = played(CATCHES, np.clip(action, -1, 1))
    pay, idle = (sum(np.asarray(state.reward) for state in run) for run in (reached, states))
    near, far = (sum(np.asarray(state.metrics["gap"]) for state in run) for run in (reached, states))
    assert (pay > idle + 1).all()
    assert (near < far - 0.1).all()
    assert near.max() < 0.25
    assert all(sum(np.asarray(state.metrics["right"]) for state in reached) == 1)
    assert sum(np.asarray(state.metrics["touched"]) for state in reached).sum() >= 1


def test_stepping_back_from_a_danger_pays() -> None:
    back, still = played(DODGES, BACK), played(DODGES, STILL)
    pay, idle = (sum(np.asarray(state.reward) for state in run) for run in (back, still))
    assert (pay > idle + 1).all()
    assert part(back[-1], "moved")[:, 0].max() < -0.3
    assert all(sum(np.asarray(state.metrics["right"]) for state in back) == 1)
    assert not sum(np.asarray(state.metrics["fell"]) for state in back).any()


def test_walks_to_either_side_start_at_once() -> None:
    """A walk to the left that begins with the right leg has got 0.13 m far by then."""
    aside = np.eye(10, dtype=np.float32)[1] * np.where(np.arange(8) < 4, 1.0, -1.0)[:, None]
    moved = part(played(LANES, aside, 8)[-1], "moved")[:, 1]
    assert moved[:4].min() > 0.25
    assert moved[4:].max() < -0.25


def test_a_lane_does_not_know_the_others() -> None:
    rng = np.random.default_rng(5)
    rows = rng.uniform(-1, 1, (8, 10)).astype(np.float32)
    whole = played(LANES, rows, 3)[-1]
    turned = played(LANES[::-1], rows[::-1], 3)[-1]
    for one, other in zip(jax.tree.leaves(whole), jax.tree.leaves(turned), strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other)[::-1])


def test_a_lane_whose_numbers_are_gone_ends_alone() -> None:
    env = environment()
    state = env.begin(np.array(LANES))
    body = state.data.body
    broken = state.replace(data=state.data.replace(body=body.replace(qpos=body.qpos.at[2, 5].set(jnp.nan))))
    step, still = stepping(), jnp.zeros((8, 10))
    bad, good = step(broken, still), step(state, still)
    assert np.asarray(bad.done).tolist() == [0, 0, 1, 0, 0, 0, 0, 0]
    assert np.isfinite(np.asarray(bad.obs)).all()
    assert np.isfinite(np.asarray(bad.reward)).all()
    others = np.array([k for k in LANES if k != 2])
    assert np.array_equal(np.asarray(bad.obs)[others], np.asarray(good.obs)[others])


@pytest.mark.parametrize("speed", [1e4, 5e5])
def test_a_lane_that_breaks_in_a_step_is_told_by_nothing_but_its_end(
    speed: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    state = environment().begin(np.array(LANES))
    body = state.data.body
    broken = state.replace(data=state.data.replace(body=body.replace(qvel=body.qvel.at[2, :35].set(speed))))
    assert np.asarray(stepping()(broken, jnp.zeros((8, 10))).done).tolist() == [0, 0, 1, 0, 0, 0, 0, 0]
    # MuJoCo writes its warnings into the working directory.
    assert not list(tmp_path.iterdir())


def test_scenes_are_drawn_by_keys_typed_or_raw() -> None:
    env = environment()
    keys = jax.random.split(jax.random.key(3), 40)
    typed, raw = env.reset(keys), env.reset(jax.random.key_data(keys))
    assert np.array_equal(typed.data.scene, raw.data.scene)
    assert set(np.asarray(typed.data.scene).tolist()) == set(LANES)
    one = env.reset(keys[7])
    assert one.obs.shape == (env.observation_size,)
    assert np.asarray(one.obs) == pytest.approx(np.asarray(typed.obs)[7], abs=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"families": ("nonsense",)}, "families"),
        ({"families": ("thrown_object", "thrown_object")}, "families"),
        ({"bands": ("slow", "slow")}, "bands"),
        ({"seconds": 0.01}, "seconds"),
        ({"walk": (1.0, 0.0, 1.0)}, "walk"),
        ({"lead": -1.0}, "lead"),
    ],
)
def test_bad_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EnvConfig.model_validate(options)


def test_scenes_that_cannot_be_taken_are_named() -> None:
    robot()
    config = EnvConfig()
    doors = labelled("door_swing", 1)
    with pytest.raises(ValueError, match=r"families: .*door_swing.*hinge"):
        bank_of([doors[0][0]], [doors[0][1]], config)
    spec, truth = labelled("thrown_object", 2, timing="event", lead="constant", lead_constant=0.9, visible_px=0)[0]
    with pytest.raises(ValueError, match="no ground truth"):
        bank_of([spec], [truth.model_copy(update={"correct_action": None})], config)
    falls = spec.model_copy(update={"physics": spec.physics.model_copy(update={"drag": "quadratic"})})
    with pytest.raises(ValueError, match="drag"):
        bank_of([falls], [truth], config)
    with pytest.raises(ValueError, match="empty"):
        bank_of([], [], config)
    with pytest.raises(ValueError, match="both"):
        Environment(config, specs=[spec])


def test_mjx_wants_scenes_of_one_form() -> None:
    drops, throws = labelled("object_drop", 1), labelled("thrown_object", 1)
    config = EnvConfig()
    mixed = bank_of([drops[0][0], throws[0][0]], [drops[0][1], throws[0][1]], config)
    with pytest.raises(ValueError, match="one form"):
        PhysicsMjx(mixed, robot())


def test_drawn_scenes_have_the_shapes_that_were_asked_for() -> None:
    with pytest.raises(ValueError, match="shapes"):
        Environment(EnvConfig(families=("rolling_ball",), shapes=("box",), scenes=1, bands=("normal",)))
    assert ReactHuman().config.timing == "published"
