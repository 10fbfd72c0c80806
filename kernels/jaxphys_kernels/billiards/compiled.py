"""Event-driven billiards on the CPU: a scalar compiled loop per scene, batches spread over threads.

The CPU twin of `event` with the same contract, but batched: every leaf leads with the scene axis b. Float64
throughout, in strict IEEE arithmetic, so a scene gives the same bits alone, in any batch, at any place in it and on
any number of threads. Results are NumPy arrays. The cost of a scene grows with what happens in it, not with what
happens in its neighbours.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jaxphys_kernels.billiards import compiled_impact as impact
from jaxphys_kernels.billiards import compiled_table as table
from jaxphys_kernels.billiards.compiled_loop import run_scene
from jaxphys_kernels.billiards.compiled_table import Log, Rule
from jaxphys_kernels.billiards.model import Events, Outcome, Rules, State, World
from jaxphys_kernels.compiled_runtime import fingerprint, jit_entry, run_chunks

CONTACTS_PER_BALL = 8
"""Room for simultaneous contacts: discs that only touch have fewer than 3 pairs and 4 walls each."""


def simulate(
    world: World, state: State, horizon: Any, *, rules: Rules = Rules(), log: bool = True, threads: int | None = None
) -> Outcome:
    """Run b scenes, each to its own end time.

    Args:
        world, state: leaves as in `model`, each with a leading axis b; anything NumPy can read.
        horizon: (b,) end times (s).
        rules: numbers of the event loop.
        log: whether to keep the event lists; `Outcome.events` is None otherwise.
        threads: number of threads, by default one per usable core. Never changes a bit of the result.

    Returns:
        The outcome, every leaf a NumPy array with a leading axis b. A scene with a status bit set is returned
        as it was when the problem was met.

    Raises:
        ValueError: a leaf has the wrong shape; the message names it.
    """
    time = _leaf(state.time, "state.time", (-1,))
    b = time.shape[0]
    pos = _leaf(state.pos, "state.pos", (b, -1, 2))
    n = pos.shape[1]
    pockets = np.concatenate(
        [
            _leaf(world.pocket_pos, "world.pocket_pos", (b, -1, 2)),
            _leaf(world.pocket_radius, "world.pocket_radius", (b, -1))[..., None],
        ],
        axis=-1,
    )
    inputs = (
        _leaf(world.size, "world.size", (b, 2)),
        _leaf(world.radius, "world.radius", (b, n)),
        _leaf(world.mass, "world.mass", (b, n)),
        _leaf(world.mu, "world.mu", (b,)) * _leaf(world.g, "world.g", (b,)),
        pockets,
        time,
        pos,
        _leaf(state.vel, "state.vel", (b, n, 2)),
        _leaf(state.alive, "state.alive", (b, n), np.bool_),
        _leaf(horizon, "horizon", (b,)),
    )
    # Typed loosely: the records speak of JAX arrays, and these leaves stay NumPy's.
    leaves: tuple[Any, ...] = (
        np.empty(b),
        np.empty((b, n, 2)),
        np.empty((b, n, 2)),
        np.empty((b, n), np.bool_),
        np.full((b, n), np.inf),
        np.full((b, 4), np.inf),
        np.zeros(b, np.int32),
        np.zeros(b, np.int32),
    )
    end_time, end_pos, end_vel, end_alive, first_hit, first_wall, count, status = leaves
    lists = _empty_log(b if log else 0, rules.max_events if log else 0, log)
    kept: dict[str, Any] = {name: array for name, array in lists._asdict().items() if name != "on"}
    numbers = Rule(int(rules.max_events), float(rules.tie_window), float(rules.v_snap))

    def work(start: int, stop: int) -> None:
        _run_range(start, stop, inputs, leaves, _scratch(n), numbers, lists)

    run_chunks(work, b, threads)
    return Outcome(
        state=State(time=end_time, pos=end_pos, vel=end_vel, alive=end_alive),
        first_hit=first_hit,
        first_wall=first_wall,
        events=Events(**kept, count=count) if log else None,
        event_count=count,
        status=status,
    )


def _leaf(value: Any, name: str, shape: tuple[int, ...], dtype: type = np.float64) -> np.ndarray:
    """A C-contiguous array of `shape`, where -1 stands for any length."""
    # Writable, because numba compiles anew for read-only arrays.
    array: np.ndarray = np.require(value, dtype, ["C", "A", "W"])
    if array.ndim != len(shape) or any(want not in (-1, got) for want, got in zip(shape, array.shape, strict=True)):
        wanted = ", ".join("any" if want == -1 else str(want) for want in shape)
        raise ValueError(f"{name} has shape {array.shape}, expected ({wanted}): every leaf leads with the scene axis")
    return array


def _empty_log(b: int, m: int, on: bool) -> Log:
    return Log(
        on=on,
        time=np.full((b, m), np.inf),
        kind=np.full((b, m), -1, np.int32),
        bodies=np.full((b, m, 2), -1, np.int32),
        pos=np.zeros((b, m, 2, 2)),
        vel=np.zeros((b, m, 2, 2)),
        impulse=np.zeros((b, m)),
        rounds=np.zeros((b, m), np.int32),
    )


def _scratch(n: int) -> tuple[np.ndarray, ...]:
    """The tables of one thread: `compiled_table`, then the contact list of `compiled_impact`."""
    lanes = -(-n // table.BLOCK) * table.BLOCK
    room = min(n * (n - 1) // 2 + 4 * n, CONTACTS_PER_BALL * n)
    return (
        np.empty((table.FLOATS, lanes)),
        np.zeros((table.INTEGERS, lanes), np.int64),
        np.empty((impact.FLOATS, room)),
        np.empty((impact.INTEGERS, room), np.int64),
        np.empty((2, room, room)),
    )


def _build(sources: int) -> Callable[..., None]:
    """The compiled entry; `sources` ties its cached machine code to every module that went into it."""

    @jit_entry
    def run_range(start: int, stop: int, inputs: Any, outputs: Any, scratch: Any, rule: Rule, log: Log) -> None:
        """Run the scenes [start, stop) one after the other in one set of tables."""
        if sources == 0:
            return
        w, k, c, b, gram = scratch
        size, radius, mass, decel, pockets, time, pos, vel, alive, horizon = inputs
        end_time, end_pos, end_vel, end_alive, first_hit, first_wall, event_count, status = outputs
        n, lanes = pos.shape[1], w.shape[1]
        for scene in range(start, stop):
            for i in range(lanes):
                w[table.NEXT, i] = w[table.OWN, i] = np.inf
                w[table.R, i], w[table.M, i] = 0.0, 1.0
                k[table.VERSION, i] = 0
                k[table.KIND, i] = table.STOP
                if i < n and alive[scene, i]:
                    table.settle(
                        w,
                        k,
                        i,
                        pos[scene, i, 0],
                        pos[scene, i, 1],
                        vel[scene, i, 0],
                        vel[scene, i, 1],
                        time[scene],
                        0.0,
                    )
                    w[table.R, i], w[table.M, i] = radius[scene, i], mass[scene, i]
                    k[table.ALIVE, i] = 1
                else:
                    table.remove(w, k, i, 0.0, 0.0, time[scene])
                    if i < n:
                        w[table.PX, i], w[table.PY, i] = pos[scene, i, 0], pos[scene, i, 1]
            reached, events, bits = run_scene(
                w,
                k,
                c,
                b,
                gram,
                n,
                decel[scene],
                size[scene],
                pockets[scene],
                time[scene],
                max(time[scene], horizon[scene]),
                rule,
                log,
                scene,
                first_hit[scene],
                first_wall[scene],
            )
            end_time[scene] = reached
            event_count[scene] = events
            status[scene] = bits
            for i in range(n):
                end_pos[scene, i, 0], end_pos[scene, i, 1] = w[table.PX, i], w[table.PY, i]
                end_vel[scene, i, 0], end_vel[scene, i, 1] = w[table.VX, i], w[table.VY, i]
                end_alive[scene, i] = k[table.ALIVE, i] != 0

    return run_range


_run_range = _build(fingerprint(Path(__file__).parent))
