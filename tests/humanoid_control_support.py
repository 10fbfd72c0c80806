"""Robots, plans, arms and networks made up for tests of the humanoid's controller: no model and no weights needed."""

import itertools
from typing import Any

import jax.numpy as jnp
import numpy as np

from jaxphys_kernels.humanoid.arms import Chain
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.joints import ARM, LOWER, REST, STAND, TICK, UPPER
from jaxphys_kernels.humanoid.plan import Plan
from jaxphys_kernels.humanoid.policy import Hidden, Weights
from jaxphys_kernels.humanoid.sensed import Sensed

MISSES = {
    (0.45, 0.15, 1.0): 0.003,
    (0.5, 0.12, 1.0): 0.042,
    (0.5, 0.12, 1.25): 0.083,
    (0.5, 0.12, 0.8): 0.115,
    (0.4, 0.15, 0.6): 0.169,
    (0.3, 0.15, 1.45): 0.191,
    (0.5, 0.12, 0.54): 0.312,
}
"""Where inverse kinematics that is told to go to a target at once ends, from the rest posture of an upright robot: its
distance from the target (m); humanoid specification, section 8.2."""

NEAREST = {
    (0.45, 0.15, 1.0): 0.0,
    (0.5, 0.12, 1.0): 0.041,
    (0.5, 0.12, 1.25): 0.071,
    (0.5, 0.12, 0.8): 0.102,
    (0.4, 0.15, 0.6): 0.149,
    (0.3, 0.15, 1.45): 0.028,
    (0.5, 0.12, 0.54): 0.260,
}
"""How far the same targets lie outside the reach (m): the least distance of the palm in the joint ranges, the best of
twelve searches by `scipy.optimize.least_squares`."""


def rotation(rng: np.random.Generator, *batch: int) -> np.ndarray:
    """Random rotations (…, 3, 3)."""
    found, _ = np.linalg.qr(rng.normal(size=(*batch, 3, 3)))
    return found * np.sign(np.linalg.det(found))[..., None, None]


def upright(yaw: float) -> np.ndarray:
    """Rotation (3, 3) about the vertical."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def quaternion(yaw: Any, pitch: Any = 0.0, roll: Any = 0.0) -> np.ndarray:
    """Orientation (…, 4) after a turn by yaw, then pitch, then roll, each about the body's own axis."""
    halves = [np.asarray(angle, float) / 2 for angle in np.broadcast_arrays(yaw, pitch, roll)]
    (cy, cp, cr), (sy, sp, sr) = (np.cos(half) for half in halves), (np.sin(half) for half in halves)
    w, x = cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr
    return np.stack([w, x, cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr], -1)


def arms(seed: int = 0) -> Chain:
    """Two arms of seven joints whose links are turned at random; ranges and rest of the G1."""
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=(2, 7, 3))
    return Chain(
        pos=rng.uniform(-0.1, 0.1, (2, 7, 3)),
        rot=rotation(rng, 2, 7),
        axis=axis / np.linalg.norm(axis, axis=-1, keepdims=True),
        lower=LOWER[ARM].reshape(2, 7),
        upper=UPPER[ARM].reshape(2, 7),
        palm=rng.uniform(-0.1, 0.1, (2, 3)),
        rest=REST,
    )


def network(seed: int = 0, width: int = 16, squashed: bool = True) -> Weights:
    """A small random policy."""
    rng = np.random.default_rng(seed)
    sizes = (100, width, width, width)
    hidden = tuple(
        Hidden(
            weight=rng.normal(size=(a, b)) / np.sqrt(a),
            bias=0.1 * rng.normal(size=b),
            gain=rng.uniform(0.5, 1.5, b),
            shift=0.1 * rng.normal(size=b),
        )
        for a, b in itertools.pairwise(sizes)
    )
    head = dict(scale=rng.uniform(1, 3, 29), shift=0.1 * rng.normal(size=29)) if squashed else {}
    return Weights(
        mean=0.1 * rng.normal(size=100),
        std=rng.uniform(0.5, 2, 100),
        hidden=hidden,
        weight=rng.normal(size=(width, 29)) / np.sqrt(width),
        bias=0.1 * rng.normal(size=29),
        **head,
    )


def plans(n: int, seed: int = 0, k: int = 2) -> Plan:
    """Random plans: walking and standing, some without hands."""
    rng = np.random.default_rng(seed)

    def hands(sign: float) -> np.ndarray:
        x, y, z = rng.uniform(0.2, 0.42, (n, k)), rng.uniform(0.1, 0.3, (n, k)), rng.uniform(0.75, 1.25, (n, k))
        return np.stack([x, sign * y, z], -1)

    return Plan(
        cmd=rng.uniform(-0.8, 0.8, (n, 3)) * (np.arange(n) % 3 > 0)[:, None],
        dur=rng.uniform(0.05, 0.6, n),
        kt=np.cumsum(rng.uniform(0.1, 0.4, (n, k)), -1),
        kl=hands(1.0),
        kr=hands(-1.0),
        kb=rng.uniform(0, 0.6, (n, k)),
        use=(np.arange(n) % 4 != 3) * 1.0,
    )


def robots(n: int, seed: int = 0, yaw: float = 0.0) -> Sensed:
    """Robots near the stand, each a little off in its own way, all turned by `yaw` about the vertical."""
    rng = np.random.default_rng(seed)
    qpos = np.tile(STAND, (n, 1)) + 0.05 * rng.normal(size=(n, 36))
    own = 0.3 * rng.normal(size=n)
    qpos[:, 3:7] = quaternion(own + yaw, 0.1 * rng.normal(size=n), 0.1 * rng.normal(size=n))
    turned = upright(yaw)
    qvel = 0.3 * rng.normal(size=(n, 35))
    about = qpos[:, :3].copy()
    qpos[:, :3] = about @ turned.T
    qvel[:, :3] = qvel[:, :3] @ turned.T
    palms = about[:, None] + [[0.15, 0.22, -0.08], [0.15, -0.22, -0.08]] + 0.02 * rng.normal(size=(n, 2, 3))
    return Sensed(
        qpos=qpos,
        qvel=qvel,
        torso_pos=(about + [0.0, 0.0, 0.05] + 0.01 * rng.normal(size=(n, 3))) @ turned.T,
        torso_mat=turned @ np.stack([upright(angle) for angle in own]),
        palms=palms @ turned.T,
        com=(about + [0.02, 0.0, -0.03] + 0.01 * rng.normal(size=(n, 3))) @ turned.T,
    )


def clock(ticks: int, settle: float = 0.0) -> list[float]:
    """Times of the first ticks of a run (s)."""
    return [k * TICK - settle for k in range(ticks)]


def single(tree: Any) -> Any:
    """Everything in single precision on the device, as runs hold it."""
    return cast(jnp, tree, jnp.float32)
