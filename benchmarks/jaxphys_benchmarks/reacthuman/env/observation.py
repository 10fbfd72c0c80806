"""What an agent is told: the object, itself, and its last action, in the heading frame of the robot.

Places count from the ground below the pelvis, x forward, y left, z up. The agent sees states, as a tracker would give
them; neither mass nor what will happen is among them. Public: `SIZE`, `PARTS`, `observed`, `ahead`.
"""

import jax.numpy as jnp

from jaxphys_benchmarks.reacthuman.env import action
from jaxphys_benchmarks.reacthuman.env.bank import Facts
from jaxphys_benchmarks.reacthuman.env.body import Body
from jaxphys_benchmarks.reacthuman.env.reward import SAFETY, TRUTHS
from jaxphys_benchmarks.reacthuman.env.standing import NORTH
from jaxphys_kernels.humanoid.arrays import Array, tame
from jaxphys_kernels.humanoid.sensed import gravity, heading, turn

PARTS: dict[str, int] = {
    "object": 3,
    "object_velocity": 3,
    "radius": 1,
    "safety": len(SAFETY),
    "right_action": len(TRUTHS),
    "time": 1,
    "moved": 2,
    "turned": 2,
    "height": 1,
    "velocity": 3,
    "gravity": 3,
    "palms": 6,
    "targets": 6,
    "action": action.SIZE,
}
"""The numbers by what they are, in order: object and its velocity; its radius; its safety label; the right action (all
0 where the agent is not told); time since the freeze (s); how far the root has moved forward and left from where it
stood; sine and cosine of how far it has turned; height of the pelvis and velocity; direction of gravity in its frame;
both palms; where they are sent; the last action."""

SIZE = sum(PARTS.values())

LARGEST = 20.0
"""Of any number; what flies away goes no further."""


def ahead(body: Body, point: Array) -> Array:
    """World points (..., 3) in the heading frame."""
    ground = jnp.concatenate([body.qpos[..., :2], jnp.zeros_like(body.qpos[..., :1])], axis=-1)
    return turn(jnp, -heading(jnp, body.qpos[..., 3:7]), point - ground)


def observed(
    facts: Facts, body: Body, thing: tuple[Array, Array], hands: Array, last: Array, time: Array, told: bool
) -> Array:
    """The observation (..., SIZE).

    Args:
        facts: of the lanes' scenes. body: now. thing: centre (m) and velocity (m/s) of the object in the world.
            hands: (..., 2, 3) where the hands are sent, heading frame (m). last: (..., 10) action. time: (...) s.
        told: whether the agent is told the right action.
    """
    shape = time.shape
    quat = body.qpos[..., 3:7]
    yaw = heading(jnp, quat)
    moved = body.qpos[..., :2] - facts.root[..., :2]
    palms = body.sensed.palms
    both = jnp.stack([ahead(body, palms[..., k, :]) for k in (0, 1)], axis=-2)
    right = facts.truth[..., None] == jnp.arange(len(TRUTHS), dtype=jnp.int32).reshape((1,) * len(shape) + (-1,))
    label = facts.safety[..., None] == jnp.arange(len(SAFETY), dtype=jnp.int32).reshape((1,) * len(shape) + (-1,))
    zero = jnp.zeros_like(yaw)
    found = {
        "object": ahead(body, thing[0]),
        "object_velocity": turn(jnp, -yaw, thing[1]),
        "radius": facts.radius[..., None],
        "safety": label.astype(jnp.float32),
        "right_action": right.astype(jnp.float32) * float(told),
        "time": time[..., None],
        # The robot stood facing +Y: forward is y, left is -x.
        "moved": jnp.stack([moved[..., 1], -moved[..., 0]], axis=-1),
        "turned": jnp.stack([jnp.sin(yaw - NORTH), jnp.cos(yaw - NORTH)], axis=-1),
        "height": body.qpos[..., 2:3],
        "velocity": turn(jnp, -yaw, body.qvel[..., :3]),
        "gravity": gravity(jnp, quat, zero, zero),
        "palms": both.reshape(*shape, 6),
        "targets": hands.reshape(*shape, 6),
        "action": last,
    }
    return tame(jnp, jnp.concatenate([found[name] for name in PARTS], axis=-1), LARGEST)
