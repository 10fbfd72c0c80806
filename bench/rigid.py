"""The questions about rigid bodies: what our face costs over bare MuJoCo and bare MJX, and scenes per second.

`rigid_c`: the C back end in parity mode against `mujoco.rollout` on the same scenes, each compiled from the file that
`jaxphys.rigid.mjcf` writes, with the same number of threads; also without our contact sensors. `rigid_mjx`: the MJX
back end against a bare scan of `vmap(mjx.step)` with the same lanes, steps, solver and model. Ratios are medians of
interleaved pairs (performance document, section 13, rows 12 and 13). Our time includes the making of models, the
contacts and the checks; the bare one only steps.

Scenes: `drop`, six bodies on a table (section 9.2), 3 s; `box`, one of them, .8 s.
"""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import jax
import mujoco
import numpy as np
from mujoco import mjx, rollout

from bench.billiards import Plan
from bench.harness import Contender, Pairing, pair
from bench.rows import Row
from jaxphys import rigid
from tests.rigid_support import DROP_SIZES, drop

COST = "rigid.cost"
FAST = rigid.Rules()
BLOCK = 192
"""Recorded steps of the MJX question: .8 s, four of the back end's blocks."""
LANES = 16
ROUNDS = {True: 3, False: 7}
SHORTEST = {True: 1.0, False: 5.0}
"""Rounds and length of a stretch (s), quick or not."""


def rigid_c(plan: Plan) -> Iterator[Row]:
    """Scenes per second in parity mode, and over bare `mujoco.rollout`."""
    count = 32 if plan.quick else 256
    world, state = drop(count)
    steps = 3 * 240
    end = [steps / 240]
    ours = Contender(
        f"c parity drop {count}",
        count,
        lambda: rigid.rollout(world, state, end, rules=rigid.PARITY, backend="c").qpos,
    )
    for name, sensors in (("mujoco.rollout", True), ("mujoco.rollout, no sensors", False)):
        bare = Contender(name, count, _bare_rollout(world, state, steps * rigid.PARITY.substeps, sensors))
        yield from _rows(ours.name, name, pair(ours, bare, ROUNDS[plan.quick], SHORTEST[plan.quick]))


def _bare_rollout(world: rigid.World, state: rigid.State, steps: int, sensors: bool) -> Callable[[], object]:
    """A loop over all the scenes in MuJoCo's own threads, models compiled beforehand."""
    models, starts = [], []
    for k in range(len(world.mass)):
        text = rigid.mjcf(_one(world, k), _one(state, k), rigid.PARITY)
        model = mujoco.MjModel.from_xml_string(text if sensors else _without_sensors(text))
        models.append(model)
        starts.append(np.concatenate([[0.0], model.key_qpos[0], model.key_qvel[0]]))
    threads = os.cpu_count() or 1
    datas, start = [mujoco.MjData(models[0]) for _ in range(threads)], np.array(starts)

    def run() -> object:
        with rollout.Rollout(nthread=threads) as pool:
            return pool.rollout(models, datas, start, nstep=steps)

    return run


def _without_sensors(text: str) -> str:
    return re.sub(r"<sensor>.*</sensor>", "", text, flags=re.S)


def _one(part: Any, k: int) -> Any:
    return jax.tree.map(lambda leaf: leaf[k : k + 1], part)


def rigid_mjx(plan: Plan) -> Iterator[Row]:
    """Scenes per second of MJX in fast mode, and over a bare scan; the many-body scene only in the long run."""
    for name, scenes in {"box": _boxes, **({} if plan.quick else {"drop": drop})}.items():
        world, state = jax.tree.map(single, scenes(LANES))
        end = [BLOCK / 240]
        ours = Contender(
            f"mjx {name} {LANES}",
            LANES,
            lambda world=world, state=state, end=end: (
                rigid.rollout(world, state, end, rules=FAST, backend="mjx", lanes=LANES).qpos
            ),
        )
        bare = Contender("vmap(mjx.step)", LANES, _bare_scan(world, state))
        yield from _rows(ours.name, bare.name, pair(ours, bare, ROUNDS[plan.quick], SHORTEST[plan.quick]))


def _boxes(count: int) -> tuple[rigid.World, rigid.State]:
    """The tilted box of the drop scene, alone."""
    world, state = drop(count)
    return rigid.make_scene(
        shape=["box"],
        size=np.broadcast_to(DROP_SIZES[:1], (count, 1, 3)),
        pos=state.qpos[:, :1, :3],
        quat=state.qpos[:, :1, 3:],
        mass=world.mass[:, :1],
        friction=0.5,
        # Two boxes, as in the program that takes such scenes.
        static_pos=np.broadcast_to([[0.0, 0.0, 0.73], [0.0, 2.0, 0.2]], (count, 2, 3)),
        static_half=np.broadcast_to([[0.4, 0.3, 0.02], [0.2, 0.2, 0.2]], (count, 2, 3)),
    )


def single(leaf: Any) -> Any:
    return leaf.astype(np.float32) if leaf.dtype.kind == "f" else leaf


def _bare_scan(world: rigid.World, state: rigid.State) -> Callable[[], object]:
    """A compiled scan of the first scene's model over all starts, every recorded state kept."""
    wide = jax.tree.map(lambda leaf: leaf.astype(np.float64) if leaf.dtype.kind == "f" else leaf, (world, state))
    text = rigid.mjcf(*(_one(part, 0) for part in wide), FAST)
    model = mujoco.MjModel.from_xml_string(_without_sensors(text))
    device = mjx.put_model(model)
    blank = mjx.make_data(device)
    # The scenes of a batch differ in where they start, and in nothing else.
    starts = np.asarray(state.qpos).reshape(len(world.mass), -1), np.zeros((len(world.mass), model.nv), np.float32)

    def one(qpos: jax.Array, qvel: jax.Array) -> tuple[jax.Array, jax.Array]:
        def step(data: Any, _: None) -> tuple[Any, tuple[jax.Array, jax.Array]]:
            moved = mjx.step(device, data)
            return moved, (moved.qpos, moved.qvel)

        return jax.lax.scan(step, blank.replace(qpos=qpos, qvel=qvel), None, length=BLOCK)[1]  # type: ignore[no-any-return]

    program = jax.jit(jax.vmap(one))
    return lambda: jax.tree.map(np.asarray, program(*starts))


def _rows(name: str, peer: str, found: Pairing) -> Iterator[Row]:
    yield Row(COST, name, found.rate, "scenes/s", peer, found.ratio)
    yield Row(COST, peer, found.peer_rate, "scenes/s")


QUESTIONS: dict[str, Callable[[Plan], Iterator[Row]]] = {"rigid_c": rigid_c, "rigid_mjx": rigid_mjx}
