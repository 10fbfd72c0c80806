"""The MJX back end of the humanoid as pure functions: for accelerators, and for programs that must stay in JAX.

Batches lead with b; MuJoCo's own functions are mapped over them. Poses of torso, palms and centre of mass come from the
position stage of the last physics step, as in C (humanoid specification, section 6.4). On a CPU this is slower than
the C back end by a factor of six to twelve, and compiling takes tens of seconds.
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from mujoco import mjx
from numpy.typing import ArrayLike

from jaxphys._rigid_device import lenient, warn_once
from jaxphys.humanoid.controller import Act
from jaxphys.humanoid.pool import Pool
from jaxphys.humanoid.robot import NQ, NU, NV, Robot
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.control import command, prepare
from jaxphys_kernels.humanoid.joints import ARM
from jaxphys_kernels.humanoid.plan import Plan
from jaxphys_kernels.humanoid.sensed import Sensed
from jaxphys_kernels.humanoid.state import start as start_control

LANES = {"cpu": 8}
"""Robots in a call by device; on two cores more of them are no faster."""

WIDE = 1024
"""Robots in a call on any other device."""

BLOCK = 24
"""Control ticks in a call."""


def put(robot: Robot) -> Any:
    """The robot's model on the device."""
    warn_once()
    with lenient():
        return mjx.put_model(robot.model)


def start(robot: Robot, model: Any, qpos: ArrayLike, qvel: ArrayLike | None = None) -> Any:
    """Data of b robots in given states; what the controller senses there is computed by C MuJoCo.

    Args:
        robot: in `model`.
        model: from `put`.
        qpos: (b, 36) of the robots; what else is in the model starts as it says.
        qvel: (b, 35); None for rest.
    """
    where = np.asarray(qpos, float)
    with Pool(robot, len(where), threads=1) as pool:
        pool.reset(where, qvel)
        names = ("qpos", "qvel", "ctrl", "qacc_warmstart", "xpos", "xmat", "site_xpos", "subtree_com", "qfrc_bias")
        fields = {name: np.stack([getattr(data, name) for data in pool.data]).astype(np.float32) for name in names}
    b = len(where)
    fields["xmat"] = fields["xmat"].reshape(b, -1, 3, 3)
    with lenient():
        blank = mjx.make_data(model)
        wide = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (b, *leaf.shape)), blank)
        return wide.replace(**jax.device_put(fields))


def sense(robot: Robot, data: Any) -> Sensed:
    """What the controller sees, with the leading shape of `data`."""
    left, right = robot.palms
    return Sensed(
        qpos=data.qpos[..., :NQ],
        qvel=data.qvel[..., :NV],
        torso_pos=data.xpos[..., robot.torso, :],
        torso_mat=data.xmat[..., robot.torso, :, :],
        palms=jnp.stack([data.site_xpos[..., left, :], data.site_xpos[..., right, :]], axis=-2),
        com=data.subtree_com[..., robot.pelvis, :],
    )


def advance(robot: Robot, model: Any, data: Any, target: jax.Array, use: jax.Array, steps: int = 5) -> Any:
    """Hold joint targets for one tick.

    Args:
        robot: in `model`.
        model: from `put`.
        data: of b robots.
        target: (b, 29) joint targets (rad).
        use: (b,) the plan's share in the arms, whose gravity is compensated.
        steps: physics steps.
    """
    bias = data.qfrc_bias[:, NV - NU : NV][:, ARM]
    feed = use[:, None] * bias / jnp.asarray(robot.arm_kp, bias.dtype)[None]
    control = jnp.concatenate([target[:, : ARM.start], target[:, ARM] + feed], axis=-1)
    data = data.replace(ctrl=jnp.concatenate([control, data.ctrl[:, NU:]], axis=-1))

    def step(data: Any, _: None) -> tuple[Any, None]:
        return jax.vmap(functools.partial(mjx.step, model))(data), None

    with lenient():
        return jax.lax.scan(step, data, None, length=steps)[0]


@functools.lru_cache(maxsize=8)
def block(robot: Robot, act: Act) -> Any:
    """The compiled closed loop of `BLOCK` ticks: (model, weights, chain, plan, control state, data, times) ->
    (control state, data, (qpos, qvel, palms, observation)), the last leading with the tick.
    """
    gains, steps = robot.gains, robot.config.steps_per_tick

    def run(model: Any, weights: Any, chain: Any, plan: Any, state: Any, data: Any, times: jax.Array) -> Any:
        def tick(carry: tuple[Any, Any], t: jax.Array) -> tuple[tuple[Any, Any], tuple[jax.Array, ...]]:
            state, data = carry
            prepared = prepare(jnp, gains, state, t, plan, sense(robot, data))
            done = command(jnp, gains, chain, prepared, act(jnp, weights, prepared.observation))
            data = advance(robot, model, data, done.target, done.use, steps)
            seen = sense(robot, data)
            return (done.state, data), (seen.qpos, seen.qvel, seen.palms, prepared.observation)

        (state, data), records = jax.lax.scan(tick, (state, data), times)
        return state, data, records

    return jax.jit(run)


def run(
    robot: Robot, weights: Any, plans: Plan, qpos: np.ndarray, qvel: np.ndarray, times: np.ndarray, act: Act
) -> tuple[np.ndarray, ...]:
    """Closed loops of b robots, each b a program of its own.

    Args:
        robot: alone in its model.
        weights: of the policy.
        plans: (b, …).
        qpos: (b, 36) at the start.
        qvel: (b, 35).
        times: (ticks,) of the controllers' calls since the plans began (s).
        act: the policy.

    Returns:
        qpos, qvel and palms after each tick, and observations at its beginning, leading with (b, tick).
    """
    model, program = put(robot), block(robot, act)
    weights, chain, plan = jax.device_put(cast(np, (weights, robot.chain, plans), np.float32))
    state, data = start_control(jnp, (len(qpos),)), start(robot, model, qpos, qvel)
    records = []
    tick = robot.config.tick
    for first in range(0, len(times), BLOCK):
        own = times[0] + tick * np.arange(first, first + BLOCK)
        state, data, found = program(model, weights, chain, plan, state, data, own.astype(np.float32))
        records.append(jax.tree.map(np.asarray, found))
    whole = jax.tree.map(lambda *parts: np.concatenate(parts)[: len(times)].swapaxes(0, 1), *records)
    return tuple(whole)


def lanes_of(asked: int | None) -> int:
    """Robots in a call on the present device.

    Raises:
        ValueError: fewer than one.
    """
    if asked is not None and asked < 1:
        raise ValueError(f"lanes is {asked}; at least one robot is driven in a call")
    return asked or LANES.get(jax.default_backend(), WIDE)
