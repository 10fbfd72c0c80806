"""Rigid bodies by MJX, MuJoCo in JAX: for accelerators, for sweeps, and for derivatives in forward mode.

A scene is one lane. On the host, lanes come in fixed numbers and steps in blocks, so that one compiled program serves
any number of scenes and any horizon; what is missing is filled with the last scene. Bits are promised for one number
of lanes on one machine type only: there reruns, other neighbours and permuted lanes change nothing.
"""

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import struct
from mujoco import mjx

from jaxphys._rigid_device import device_model, felt, lenient, scene_of
from jaxphys._rigid_models import nominal
from jaxphys._rigid_programs import narrowed, pad_lanes, program_of, widen
from jaxphys._rigid_steps import Steps
from jaxphys.precision import precision_of
from jaxphys_kernels.rigid.between import between, forces
from jaxphys_kernels.rigid.flat import flatten, unflatten
from jaxphys_kernels.rigid.model import Rules, Signature, State, World

LANES = {"cpu": 16}
"""Scenes in one call by device."""

WIDE = 1024
"""Scenes in one call on any other device."""

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
    scene = scene_of(model, signature, world)
    blank = mjx.make_data(scene)

    def inner(carry: Carry, _: None) -> tuple[Carry, tuple[jax.Array, ...]]:
        qpos, qvel = flatten(signature, carry.qpos, carry.qvel)
        data = blank.replace(qpos=qpos, qvel=qvel, qacc_warmstart=carry.warm)
        if rules.drag:
            # Forces on bodies cost a tenth of a step, zeros too.
            data = data.replace(xfrc_applied=jnp.concatenate([jnp.zeros((1, 6), qpos.dtype), carry.force]))
        data = mjx.step(scene, data)
        number, overlap, normal = felt(model, signature, data)
        soft = number > 0
        before = State(time=blank.time, qpos=carry.qpos, qvel=carry.qvel)
        moved = State(blank.time, *unflatten(signature, data.qpos, data.qvel))
        found = between(world, before, moved, signature, rules)
        pushed = normal * rules.step + found.impulse
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
            (soft | found.touching, pushed, overlap, jnp.sum(number)),
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


@dataclass(frozen=True)
class Member:
    """Scenes of one signature: b of them with NumPy leaves, to run for `count` recorded steps."""

    signature: Signature
    world: World
    state: State
    count: int


def run(members: Sequence[Member], rules: Rules, lanes: int | None) -> Iterator[tuple[int, slice, Steps]]:
    """Simulate scenes, those of one program together, whatever their signatures: lanes left empty cost as much as full
    ones.

    Yields:
        Which member, which of its scenes, and their steps.
    """
    together: dict[Signature, list[int]] = {}
    for k, member in enumerate(members):
        together.setdefault(program_of(member.signature).signature, []).append(k)
    for signature, own in together.items():
        width = lanes or LANES.get(jax.default_backend(), WIDE)
        wide = [
            widen(program_of(member.signature), member.signature, member.world, member.state)
            for member in (members[k] for k in own)
        ]
        joined: tuple[World, State] = jax.tree.map(lambda *leaf: np.concatenate(leaf), *wide)
        count = max(members[k].count for k in own)
        ends = np.cumsum([len(np.asarray(members[k].world.mass)) for k in own]).tolist()
        for first in range(0, ends[-1], width):
            steps = _chunk(signature, joined, first, min(width, ends[-1] - first), width, count, rules)
            for k, begin, end in zip(own, [0, *ends], ends, strict=False):
                low, high = max(begin, first), min(end, first + width)
                if low < high:
                    found = steps.of(slice(low - first, high - first))
                    narrow = members[k].signature
                    yield k, slice(low - begin, high - begin), narrowed(found, program_of(narrow), narrow)


def _chunk(
    signature: Signature, wide: tuple[World, State], first: int, kept: int, width: int, count: int, rules: Rules
) -> Steps:
    """The steps of `kept` scenes from the first, in one filled-up call."""
    dtype = np.asarray(wide[0].mass).dtype
    with precision_of(np.zeros(0, dtype)), lenient():
        begin, block = _program(signature, rules, str(dtype), width)
        world, state = jax.device_put(pad_lanes(wide, first, width))
        carry, records = begin(world, state), []
        for _ in range(-(-count // BLOCK)):
            carry, record = block(world, carry)
            records.append(jax.tree.map(np.asarray, record))
    return _steps(carry, records, count, kept)


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
