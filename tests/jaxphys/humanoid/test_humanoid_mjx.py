"""Both back ends execute the same plans alike (humanoid specification, section 9.3, and section 13, rows 12 and 20).

Compiling the closed loop for MJX takes half a minute on an idle CPU, so one small program serves all fast tests.
"""

import jax
import numpy as np
import pytest

pytest.importorskip("mujoco.mjx", reason="MJX is missing; run pip install '.[humanoid]' in the checkout")
pytest.importorskip("orbax.checkpoint", reason="orbax is missing; run pip install '.[humanoid]' in the checkout")

from jaxphys import humanoid, runtime
from jaxphys.humanoid import mjx
from jaxphys.humanoid.pool import Pool
from tests.humanoid_support import plans, robot

MEDIAN, LARGEST = 1e-3, 5e-3
"""How far the pelvis may be from where C has it after a second (m)."""

SECOND = 47
"""Index of the tick that ends after one second, settling included."""


def far(b: int, seconds: float, lanes: int) -> np.ndarray:
    """(b, ticks) distance of the pelvises of both back ends (m)."""
    weights = humanoid.policy("student")
    c, other = (
        humanoid.rollout(robot(), weights, plans(b), seconds=seconds, backend=backend, lanes=lanes)
        for backend in ("c", "mjx")
    )
    assert not other.fell.any()
    assert not other.status.any()
    np.testing.assert_array_equal(other.times, c.times)
    np.testing.assert_array_equal(other.reach_miss, c.reach_miss)
    np.testing.assert_allclose(other.palms[:, 10], c.palms[:, 10], rtol=0, atol=LARGEST)
    return np.asarray(np.linalg.norm(other.qpos[..., :3] - c.qpos[..., :3], axis=-1))


@pytest.mark.timeout(900)
def test_eight_plans_agree_with_c_after_a_second() -> None:
    # Seven robots in a program of eight: what is missing is filled up.
    off = far(7, 0.5, 8)
    assert np.median(off[:, SECOND]) < MEDIAN
    assert off[:, SECOND].max() < LARGEST


def test_a_start_is_sensed_as_in_c() -> None:
    qpos = humanoid.stand(2, yaw=[0.3, -2.0], xy=[[0.0, 0.0], [1.0, 2.0]])
    qvel = 0.1 * np.random.default_rng(0).normal(size=(2, 35))
    found = mjx.sense(robot(), mjx.start(robot(), mjx.put(robot()), qpos, qvel))
    with Pool(robot(), 2) as pool:
        pool.reset(qpos, qvel)
        wanted = pool.sense()
    for name, value in vars(wanted).items():
        np.testing.assert_allclose(getattr(found, name), value, rtol=0, atol=1e-6, err_msg=name)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_64_plans_agree_with_c_and_the_program_goes_on() -> None:
    off = far(64, 2.0, 64)
    assert np.median(off[:, SECOND]) < MEDIAN
    assert off[:, SECOND].max() < LARGEST
    assert not runtime.may_hang()
    # Ten more calls of the program that makes unguarded versions of JAX hang on two cores.
    again = far(64, 24 * 10 / 48 - 0.5, 64)
    np.testing.assert_array_equal(again[:, : off.shape[1]], off)


def test_lanes_are_few_on_a_cpu() -> None:
    assert mjx.lanes_of(3) == 3
    assert mjx.lanes_of(None) == (8 if jax.default_backend() == "cpu" else mjx.WIDE)
