"""The plans and pushes on which a walking policy is trained, chosen and judged."""

from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="the humanoid needs the extra `humanoid`")

from jaxphys.humanoid import acceptance, pushes, scenarios
from jaxphys_kernels.humanoid.plan import Plan

TICKS, COUNT = 120, 400


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_the_grid_has_every_command_with_every_hand_setting() -> None:
    plans = scenarios.grid()
    assert plans.cmd.shape == (36, 3)
    assert plans.kl.shape == (36, 1, 3)
    for k, command in enumerate(scenarios.COMMANDS):
        assert (plans.cmd[6 * k : 6 * k + 6] == command).all()
    assert plans.use.reshape(6, 6).tolist() == [[0, 1, 1, 1, 1, 1]] * 6
    # Both hands mirror each other but for the last setting.
    mirrored = plans.kl[:, 0] * [1, -1, 1]
    assert (mirrored == plans.kr[:, 0]).all(1).reshape(6, 6).tolist() == [[True] * 5 + [False]] * 6


def test_random_plans_are_those_of_the_specification() -> None:
    """The stream of section 8.5, whose figures would mean nothing for other plans."""
    plans = scenarios.random_plans(64, 0)
    stream = np.random.default_rng(0)
    assert (plans.kl[..., 0] == stream.uniform(0.2, 0.42, (64, 2))).all()
    assert (plans.kl[..., 1] == stream.uniform(0.1, 0.3, (64, 2))).all()
    assert np.flatnonzero(plans.use == 0).tolist() == list(range(0, 64, 7))
    assert (plans.kr[..., 1] < 0).all()


def test_no_seed_serves_two_purposes() -> None:
    judged = {0, 1, acceptance.HARD_SEED, acceptance.SHOVE_SEED}
    assert not judged & set(scenarios.VALIDATION_SEEDS)
    drawn = [scenarios.validation_plans(seed).cmd for seed in scenarios.VALIDATION_SEEDS]
    assert len({each.tobytes() for each in drawn}) == len(drawn)


@pytest.mark.parametrize("drawn", [scenarios.mixture, scenarios.training_plans])
def test_training_covers_all_directions(rng: np.random.Generator, drawn: Callable[..., Plan]) -> None:
    plans = drawn(rng, 4000)
    for axis, limit in enumerate((1, 0.6, 1)):
        values = plans.cmd[:, axis]
        assert np.abs(values).max() <= limit
        assert (values > 0.8 * limit).any()
        assert (values < -0.8 * limit).any()
    assert 0.25 < (plans.cmd == 0).all(1).mean() < 0.35
    assert 0.45 < (plans.kb > 0).any(1).mean() < 0.55
    assert 0.7 < plans.use.mean() < 0.8
    assert (np.diff(plans.kt, axis=1) > 0).all()


def test_training_goes_beyond_the_mixture(rng: np.random.Generator) -> None:
    """Longer, higher and lower; and both hands in one place, which hardly happens by chance."""
    hard, wide = scenarios.mixture(np.random.default_rng(0), 4000), scenarios.training_plans(rng, 4000)
    assert hard.dur.max() <= 2.5 < 7 < wide.dur.max()
    assert 0.55 <= hard.kl[..., 2].min() < 0.56 < 1.44 < hard.kl[..., 2].max() <= 1.45
    assert 0.43 < wide.kl[..., 2].min() < 0.45 < 1.55 < wide.kl[..., 2].max() < 1.57

    def both_high(plans: Plan) -> float:
        return float(((plans.kl[:, 0, 2] > 1.3) & (plans.kr[:, 0, 2] > 1.3)).mean())

    assert both_high(hard) < 0.04
    assert both_high(wide) > 0.1


def test_validation_asks_for_what_a_robot_can_do() -> None:
    plans = scenarios.validation_plans(1000, 400)
    assert not plans.cmd[::4].any()
    assert np.abs(plans.cmd).max(0) == pytest.approx([0.7, 0.4, 0.8], rel=0.05)
    assert (plans.dur == 3.0).all()


def test_joined_plans_keep_their_order() -> None:
    parts = [scenarios.validation_plans(seed, 4) for seed in (1000, 1001)]
    whole = scenarios.joined(parts)
    assert (whole.cmd == np.concatenate([part.cmd for part in parts])).all()
    assert whole.kt.shape == (8, 2)


def test_noisy_starts_lie_beside_the_stand(rng: np.random.Generator) -> None:
    qpos, qvel = scenarios.noisy_starts(rng, 500)
    assert qpos.shape == (500, 36)
    assert np.std(qpos[:, 7:], axis=0) == pytest.approx(scenarios.JOINT_NOISE, rel=0.15)
    assert np.std(qvel, axis=0) == pytest.approx(3 * scenarios.JOINT_NOISE, rel=0.15)
    assert np.linalg.norm(qpos[:, 3:7], axis=1) == pytest.approx(1)


def test_kicks_are_two_jumps_of_the_base(rng: np.random.Generator) -> None:
    kicked = pushes.kicks(rng, TICKS, COUNT)
    hit = kicked.velocity.any(-1).sum(0)
    assert hit.max() == 2
    assert (hit == 2).mean() > 0.95
    assert kicked.velocity[kicked.velocity != 0].std() == pytest.approx(pushes.KICK, rel=0.1)
    assert not kicked.force.any()


def test_a_shove_is_one_steady_force_after_settling(rng: np.random.Generator) -> None:
    shoved = pushes.shoves(rng, TICKS, COUNT, settled=24)
    size = np.linalg.norm(shoved.force, axis=-1)
    assert not size[:24].any()
    assert not shoved.force[..., 2].any()
    assert not shoved.velocity.any()
    pushing = size > 0
    assert ((np.diff(pushing.astype(int), axis=0) == 1).sum(0) == 1).all()
    length = pushing.sum(0)
    assert (length >= 5).all()
    assert (length < 20).all()
    strength = size.max(0)
    assert (strength >= 40).all()
    assert (strength <= 120).all()
    # From all sides.
    strongest = shoved.force[size.argmax(0), np.arange(COUNT)]
    assert (np.abs(strongest[:, :2].mean(0)) < 15).all()
