"""Rigid bodies by MJX, MuJoCo in JAX: for accelerators, for sweeps, and for derivatives in forward mode.

A scene is one lane. On the host, lanes come in fixed numbers and steps in blocks, so that one compiled program serves
any number of scenes and any horizon; what is missing is filled with the last scene. Bits are promised for one number
of lanes on one machine type only: there reruns, other neighbours and permuted lanes change nothing.
"""

import functools
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct
from mujoco import mjx

from jaxphys import runtime
from jaxphys._rigid_meshes import with_corners
from jaxphys._rigid_models import SENSORS, nominal, template
from jaxphys._rigid_programs import narrowed, pad_lanes, program_of, widen
from jaxphys._rigid_steps import Steps
from jaxphys.precision import precision_of
from jaxphys_kernels.rigid.between import between, forces
from jaxphys_kernels.rigid.flat import flatten, unflatten
from jaxphys_kernels.rigid.leaves import leaves
from jaxphys_kernels.rigid.model import FLOOR, Rules, Shape, Signature, State, World

LANES = {"cpu": 16}
"""Scenes in one call by device."""

WIDE = 1024
"""Scenes in one call on any other device."""

FEW_CORES = 2
"""Where the hang was seen."""

LEAST_LOSS = 1e-9
"""Dry friction of a hinge that has none (N m)."""

BLOCK = 48
"""Recorded steps in one call."""


class Carry(struct.PyTreeNode):
    """What a scene takes from step to step.

    Attributes:
        qpos, qvel: (n, 7), (n, 6). warm: (nv,) acceleration of the step before. force: (n, 6) of the air.
        inner: () int32, number of inner steps so far.
        first: (c,) int32 inner step at whose end a pair first touched, -1 for never. start_depth: () m.
    """

    qpos: jax.Array
    qvel: jax.Array
    warm: jax.Array
    force: jax.Array
    inner: jax.Array
    first: jax.Array
    start_depth: jax.Array


class Record(struct.PyTreeNode):
    """A recorded step: qpos (n, 7), qvel (n, 6), and during it touching (c,), impulse (c,), depth (c,), contacts ()."""

    qpos: jax.Array
    qvel: jax.Array
    touching: jax.Array
    impulse: jax.Array
    depth: jax.Array
    contacts: jax.Array


@contextmanager
def lenient() -> Iterator[None]:
    """MJX mixes types and ranks of arrays; a caller's strictness is not meant for it."""
    with jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
        yield


@functools.cache
def _warn_once() -> None:
    """On few cores some versions of JAX never return; whoever imported JAX before our guard must know."""
    if runtime.may_hang() and (os.cpu_count() or 1) <= FEW_CORES and os.environ.get("NPROC") != "1":
        runtime.warn_of_hang(stacklevel=4)


@functools.lru_cache(maxsize=64)
def device_model(signature: Signature, rules: Rules, dtype: str) -> Any:
    """The template of a signature on the device; `dtype` tells precisions apart."""
    _warn_once()
    with lenient(), jax.ensure_compile_time_eval():
        model = template(signature, rules)
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


def start(signature: Signature, world: World, state: State, rules: Rules) -> Carry:
    """The carry of one scene before its first step."""
    c, dtype = len(signature.pairs), state.qpos.dtype
    return Carry(
        qpos=state.qpos,
        qvel=state.qvel,
        warm=jnp.zeros(signature.nv, dtype),
        force=forces(world, state, rules),
        inner=jnp.zeros((), jnp.int32),
        first=jnp.full(c, -1, jnp.int32),
        start_depth=jnp.zeros((), dtype),
    )


def advance(
    model: Any, signature: Signature, world: World, carry: Carry, count: int, rules: Rules
) -> tuple[Carry, Record]:
    """`count` recorded steps of one scene; records lead with the step."""
    known = leaves(world, signature)
    # Where the template has dry friction, MJX takes a loss of zero for a brake.
    known["dof_frictionloss"] = jnp.maximum(known["dof_frictionloss"], LEAST_LOSS)
    scene = with_corners(
        model.tree_replace({name: value.astype(world.mass.dtype) for name, value in known.items()}),
        signature,
        world.size,
    )
    blank = mjx.make_data(scene)
    c = len(signature.pairs)

    def inner(carry: Carry, _: None) -> tuple[Carry, tuple[jax.Array, ...]]:
        qpos, qvel = flatten(signature, carry.qpos, carry.qvel)
        push = jnp.concatenate([jnp.zeros((1, 6), qpos.dtype), carry.force])
        data = mjx.step(scene, blank.replace(qpos=qpos, qvel=qvel, qacc_warmstart=carry.warm, xfrc_applied=push))
        sensed = data.sensordata.reshape(c, SENSORS)
        soft, overlap = sensed[:, 0] > 0, jnp.maximum(-sensed[:, 1], 0)
        overlap = jnp.where(soft, overlap, 0)
        before = State(time=blank.time, qpos=carry.qpos, qvel=carry.qvel)
        moved = State(blank.time, *unflatten(signature, data.qpos, data.qvel))
        found = between(world, before, moved, signature, rules)
        pushed = jnp.sum(sensed[:, 2::3], axis=1) * rules.step + found.impulse
        when = jnp.where(soft, carry.inner, jnp.where(found.touching, carry.inner + 1, -1))
        return (
            Carry(
                qpos=found.state.qpos,
                qvel=found.state.qvel,
                warm=data.qacc_warmstart,
                force=found.force,
                inner=carry.inner + 1,
                first=jnp.where(carry.first < 0, when, carry.first),
                start_depth=jnp.where(carry.inner == 0, jnp.max(overlap, initial=0), carry.start_depth),
            ),
            (soft | found.touching, pushed, overlap, jnp.sum(sensed[:, 0]).astype(jnp.int32)),
        )

    def recorded(carry: Carry, _: None) -> tuple[Carry, Record]:
        carry, (touching, pushed, overlap, contacts) = jax.lax.scan(inner, carry, None, length=rules.substeps)
        return carry, Record(
            qpos=carry.qpos,
            qvel=carry.qvel,
            touching=jnp.any(touching, axis=0),
            impulse=jnp.sum(pushed, axis=0),
            depth=jnp.max(overlap, axis=0),
            contacts=jnp.max(contacts),
        )

    final, records = jax.lax.scan(recorded, carry, None, length=count)
    return final, records


@dataclass(frozen=True)
class Built:
    """A compiled program: its signature, rules, precision and lanes, and the seconds that it took.

    A program that the cache on disk held takes a few seconds too: it is traced and loaded.
    """

    signature: Signature
    rules: Rules
    dtype: str
    lanes: int
    seconds: float


BUILT: list[Built] = []
"""The programs that this process has compiled or loaded, in order."""


@functools.cache
def _program(
    signature: Signature, rules: Rules, dtype: str, lanes: int
) -> tuple[Callable[[World, State], Carry], Callable[[World, Carry], tuple[Carry, Record]]]:
    """The batched start and block of a program, compiled."""
    clock = time.perf_counter()
    model = device_model(signature, rules, dtype)

    def block(world: World, carry: Carry) -> tuple[Carry, Record]:
        return advance(model, signature, world, carry, BLOCK, rules)

    begin = jax.jit(jax.vmap(functools.partial(start, signature, rules=rules)))
    forms = jax.tree.map(
        lambda leaf: jax.ShapeDtypeStruct((lanes, *np.shape(leaf)), leaf.dtype), nominal(signature, dtype)
    )
    compiled = jax.jit(jax.vmap(block)).lower(forms[0], jax.eval_shape(begin, *forms)).compile()
    BUILT.append(Built(signature, rules, dtype, lanes, time.perf_counter() - clock))
    return begin, compiled


def run(
    signature: Signature, world: World, state: State, count: int, rules: Rules, lanes: int | None
) -> Iterator[tuple[slice, Steps]]:
    """Simulate b scenes, exactly of this signature, for `count` recorded steps; NumPy leaves, part by part."""
    width = lanes or LANES.get(jax.default_backend(), WIDE)
    program = program_of(signature)
    wide = widen(program, signature, world, state)
    b, dtype = len(np.asarray(world.mass)), np.asarray(world.mass).dtype
    for first in range(0, b, width):
        with precision_of(np.zeros(0, dtype)), lenient():
            begin, block = _program(program.signature, rules, str(dtype), width)
            own_world, own_state = jax.device_put(pad_lanes(wide, first, width))
            carry, records = begin(own_world, own_state), []
            for _ in range(-(-count // BLOCK)):
                carry, record = block(own_world, carry)
                records.append(jax.tree.map(np.asarray, record))
        yield slice(first, first + width), narrowed(_steps(carry, records, count, b - first), program, signature)


def _steps(carry: Carry, records: list[Record], count: int, kept: int) -> Steps:
    """The steps of a call's first `kept` lanes."""
    whole = jax.tree.map(lambda *parts: np.concatenate(parts, axis=1)[:kept, :count], *records)
    end = jax.tree.map(lambda leaf: np.asarray(leaf)[:kept], carry)
    return Steps(
        qpos=whole.qpos,
        qvel=whole.qvel,
        touching=whole.touching,
        impulse=whole.impulse,
        first=end.first,
        depth=whole.depth,
        contacts=whole.contacts,
        start_depth=end.start_depth,
    )
