"""MJX models: the template of a signature on the device, a scene's own leaves in it, and what its contacts feel."""

import copy
import functools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import mujoco
import numpy as np
from mujoco import mjx

from jaxphys import runtime
from jaxphys._rigid_meshes import with_corners
from jaxphys._rigid_models import template
from jaxphys_kernels.rigid.leaves import leaves
from jaxphys_kernels.rigid.model import FLOOR, Rules, Shape, Signature, World

FEW_CORES = 2
"""Where the hang was seen."""

LEAST_LOSS = 1e-9
"""Dry friction of a hinge that has none (N m)."""


@contextmanager
def lenient() -> Iterator[None]:
    """MJX mixes types and ranks of arrays; a caller's strictness is not meant for it."""
    with jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
        yield


@functools.cache
def warn_once() -> None:
    """On few cores some versions of JAX never return; whoever imported JAX before our guard must know."""
    if runtime.may_hang() and (os.cpu_count() or 1) <= FEW_CORES and os.environ.get("NPROC") != "1":
        runtime.warn_of_hang(stacklevel=4)


@functools.lru_cache(maxsize=64)
def device_model(signature: Signature, rules: Rules, dtype: str) -> Any:
    """The template of a signature on the device; `dtype` tells precisions apart."""
    warn_once()
    with lenient(), jax.ensure_compile_time_eval():
        model = copy.copy(template(signature, rules))
        # The sensors of C sort all contacts for every pair; here `felt` reads the contacts themselves.
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SENSOR
        found = mjx.put_model(model)
        contacts = len(mjx.make_data(model)._impl.contact.dist)
    wanted = sum(contacts_of(signature))
    if contacts != wanted:
        raise RuntimeError(f"{signature} has {contacts} contacts where {wanted} were expected; a pair was lost")
    return found


def contacts_of(signature: Signature) -> list[int]:
    """Contacts that MJX makes of each pair."""
    n = len(signature.shapes)
    numbers = []
    for first, second in signature.pairs:
        one = signature.shapes[first]
        other = Shape.BOX if second >= n else None if second == FLOOR else signature.shapes[second]
        kinds = {one, other}
        if Shape.SPHERE in kinds:
            numbers.append(1)
        elif Shape.CAPSULE in kinds:
            numbers.append(1 if one is other else 2)
        else:
            numbers.append(4)
    return numbers


def scene_of(model: Any, signature: Signature, world: World) -> Any:
    """The model of one scene: that of its signature with the scene's own leaves."""
    known = leaves(world, signature)
    # Where the template has dry friction, MJX takes a loss of zero for a brake.
    known["dof_frictionloss"] = jnp.maximum(known["dof_frictionloss"], LEAST_LOSS)
    own = model.tree_replace({name: value.astype(world.mass.dtype) for name, value in known.items()})
    return with_corners(own, signature, world.size)


def felt(model: Any, signature: Signature, data: Any) -> tuple[jax.Array, jax.Array, jax.Array]:
    """What the pairs of a scene feel after `mjx.step`, as of its beginning.

    Returns:
        contacts (c,) int32, the deepest overlap (c,) m, and the sum of the normal forces (c,) N.
    """
    c = len(signature.pairs)
    dtype = data.qpos.dtype
    if not c:
        return jnp.zeros(0, jnp.int32), jnp.zeros(0, dtype), jnp.zeros(0, dtype)
    contact = data._impl.contact
    ends = np.sort(np.stack([model.pair_geom1, model.pair_geom2], axis=1), axis=1)
    mine = jnp.all(jnp.sort(jnp.asarray(contact.geom), axis=1)[None] == ends[:, None], axis=-1)
    met = mine & (contact.dist < 0)[None]
    # The rows of the contacts come last: the normal and two tangents each, or the four edges of a pyramid.
    elliptic = int(model.opt.cone) == int(mujoco.mjtCone.mjCONE_ELLIPTIC)
    rows = data._impl.efc_force[-len(contact.dist) * (3 if elliptic else 4) :].reshape(len(contact.dist), -1)
    normal = rows[:, 0] if elliptic else jnp.sum(rows, axis=1)
    return (
        jnp.sum(met, axis=1, dtype=jnp.int32),
        jnp.max(jnp.where(met, -contact.dist, 0), axis=1),
        jnp.sum(jnp.where(met, normal, 0), axis=1),
    )
