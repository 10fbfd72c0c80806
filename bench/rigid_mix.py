"""What our face costs over bare MJX on the scenes of all families of ReactHuman, and how long their programs compile.

Four scenes of each family, fast mode, 16 lanes, .4 s each. The bare side steps the same lanes of the same programs,
each scene with its own model, by a scan of `vmap(mjx.step)`; it sees no contacts and checks nothing. From the time of a
block of each program follows what every scene of the published size would take, with its whole horizon: an
extrapolation, and so named.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from mujoco import mjx

from bench.billiards import Plan
from bench.harness import Contender, pair
from bench.rigid import COST, FAST, LANES, ROUNDS, SHORTEST, single
from bench.rows import Row
from jaxphys import _rigid_groups, _rigid_programs, rigid
from jaxphys._rigid_device import device_model, lenient, scene_of
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.lower import lower
from jaxphys_kernels.rigid.flat import flatten
from jaxphys_kernels.rigid.model import Signature, State, World

EACH = 4
"""Scenes of each family."""

STEPS = 96
"""Recorded steps of the comparison: .4 s, two of the back end's blocks."""

ALL = 62
"""Scenes of each family in the published release."""


@dataclass(frozen=True)
class Part:
    """The scenes of one program, lanes filled up.

    Attributes:
        signature: of the program. count: scenes of it. steps: recorded steps of one scene's horizon.
        world, state: leaves that lead with the lanes.
    """

    signature: Signature
    count: int
    steps: int
    world: World
    state: State


def rigid_mix(plan: Plan) -> Iterator[Row]:
    """Scenes per second, the ratio, seconds of cold compilation, and the extrapolation."""
    specs = ReactHuman().sample(0, EACH)
    world, state = jax.tree.map(single, lower(specs))
    parts = list(_parts(world, state, round(max(spec.scene.horizon for spec in specs) / FAST.dt)))
    end = [STEPS / 240]

    def ours() -> object:
        return rigid.rollout(world, state, end, rules=FAST, backend="mjx", lanes=LANES).qpos

    clock = time.perf_counter()
    ours()
    yield Row("rigid.compile", f"{len(parts)} programs of ReactHuman", time.perf_counter() - clock, "s")
    scans = [_scan(part) for part in parts]

    def bare() -> object:
        return [scan() for scan in scans]

    found = pair(
        Contender(f"mjx mix {LANES}", len(specs), ours),
        Contender("vmap(mjx.step), own leaves", len(specs), bare),
        ROUNDS[plan.quick],
        SHORTEST[plan.quick],
    )
    yield Row(COST, f"mjx mix {LANES}", found.rate, "scenes/s", "vmap(mjx.step), own leaves", found.ratio)
    yield Row(COST, "vmap(mjx.step), own leaves", found.peer_rate, "scenes/s")
    spent = 0.0
    for part, scan in zip(parts, scans, strict=True):
        clock = time.perf_counter()
        scan()
        calls = -(-part.count * ALL // EACH // LANES)
        spent += (time.perf_counter() - clock) / found.ratio * calls * part.steps / STEPS
    yield Row("rigid.extrapolated", f"mjx, all {ALL * len(specs) // EACH} scenes, 3-4 s each", spent, "s")


def _parts(world: World, state: State, steps: int) -> Iterator[Part]:
    """The scenes by program, as the back end takes them."""
    found: dict[Signature, list[Any]] = {}
    for group in _rigid_groups.groups(world, FAST):
        own = _rigid_groups.narrow(world, state, group)
        program = _rigid_programs.program_of(group.signature)
        wide = _rigid_programs.widen(program, group.signature, *own)
        found.setdefault(program.signature, []).append(wide)
    for signature, several in found.items():
        joined = jax.tree.map(lambda *leaf: np.concatenate(leaf), *several)
        count = len(joined[0].mass)
        padded = _rigid_programs.pad_lanes(joined, 0, LANES)
        yield Part(signature, count, steps, *jax.device_put(padded))


def _scan(part: Part) -> Callable[[], object]:
    """A compiled scan of a program's lanes, every recorded state kept."""
    model = device_model(part.signature, FAST, "float32")

    def one(world: World, state: State) -> tuple[jax.Array, jax.Array]:
        scene = scene_of(model, part.signature, world)
        qpos, qvel = flatten(part.signature, state.qpos, state.qvel)

        def step(data: Any, _: None) -> tuple[Any, tuple[jax.Array, jax.Array]]:
            moved = mjx.step(scene, data)
            return moved, (moved.qpos, moved.qvel)

        start = mjx.make_data(scene).replace(qpos=qpos, qvel=qvel)
        return jax.lax.scan(step, start, None, length=STEPS)[1]  # type: ignore[no-any-return]

    program = jax.jit(jax.vmap(one))

    def run() -> object:
        with lenient():
            return jax.tree.map(np.asarray, program(part.world, part.state))

    return run


QUESTIONS: dict[str, Callable[[Plan], Iterator[Row]]] = {"rigid_mix": rigid_mix}
