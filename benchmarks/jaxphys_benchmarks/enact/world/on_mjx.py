"""What is sensed of a house on MJX: places of things and which of them touch, from its joint coordinates.

The facts of many states at once on an accelerator, and a second engine for the tests: C MuJoCo and MJX give the same
facts of the same states (ENACT specification, section 17). MJX finds no distance between boxes that do not meet, so
forms are grown by half the distance of touch, and touch where these overlap.
"""

from collections.abc import Callable
from copy import copy
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys_benchmarks.enact.world.model import Built

Sense = Callable[[Any], tuple[Any, Any, Any]]


def sensing(built: Built, distance: float = 0.001) -> Sense:
    """A compiled function of joint coordinates.

    Args:
        built: the model. distance: below which things touch (m).

    Returns:
        (f, nq) -> (f, n, 3) m, (f, n, 4) and (f, n, n) bool, symmetric: places, turns and touch of the n things.
    """
    import mujoco
    from mujoco import mjx

    from jaxphys._mujoco_quiet import silent

    model = copy(built.model)
    # Sleep is C's alone, and nothing is stepped here.
    model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    model.geom_size[:] = np.where(model.geom_size > 0, model.geom_size + distance / 2, model.geom_size)
    rods = model.geom_type == mujoco.mjtGeom.mjGEOM_CAPSULE
    # The straight part of a capsule stays as long as it is: its round ends have grown.
    model.geom_size[rods, 1] = built.model.geom_size[rods, 1]
    with silent():
        there = mjx.put_model(model)
        start = mjx.make_data(there)
    of = built.thing_of[model.geom_bodyid]
    n = len(built.body)

    def one(qpos: Any) -> tuple[Any, Any, Any]:
        data = mjx.collision(there, mjx.com_pos(there, mjx.kinematics(there, start.replace(qpos=qpos))))
        contact = data._impl.contact if hasattr(data, "_impl") else data.contact
        pairs = jnp.asarray(of)[contact.geom]
        # What belongs to nothing is counted in a row beyond the last one.
        first, second = jnp.where(pairs < 0, n, pairs).T
        near = jnp.zeros((n + 1, n + 1), bool).at[first, second].max(contact.dist < 0)[:n, :n]
        touching = (near | near.T) & ~jnp.eye(n, dtype=bool)
        return data.xpos[built.body], data.xquat[built.body], touching

    # One state after the other: vectorised programs of MJX have been seen to hang on two cores.
    program = jax.jit(lambda states: jax.lax.map(one, states))

    def sense(states: Any) -> tuple[Any, Any, Any]:
        # MJX is written for promotions that callers may forbid.
        with jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
            found: tuple[Any, Any, Any] = program(states)
            return found

    return sense
