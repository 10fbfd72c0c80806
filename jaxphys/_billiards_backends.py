"""Back ends of the billiards rollout, and what they share: dispatch, derivatives, fixed shapes.

A back end maps a batch to an `Outcome`. Outside a trace the compiled back end is called directly on NumPy arrays;
inside one it is a host callback. Both derivatives of every back end come from `replay`.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys_kernels.billiards import event, model, replay
from jaxphys_kernels.billiards.model import Outcome, Rules, State, Trajectory, World

BUCKET = 1024
"""Scenes per XLA call on the host side; smaller batches are padded to the next power of two of at least 8."""


def _readable(world: World, state: State, horizon: jax.Array, rules: Rules, log: bool, threads: int | None) -> Outcome:
    del threads
    return jax.vmap(lambda w, s, h: event.simulate(w, s, h, rules=rules, log=log))(world, state, horizon)


def _xla(world: World, state: State, horizon: jax.Array, rules: Rules, log: bool, threads: int | None) -> Outcome:
    from jaxphys_kernels.billiards import lanes

    del threads
    return lanes.simulate(world, state, horizon, rules=rules, log=log)


def _compiled(world: World, state: State, horizon: jax.Array, rules: Rules, log: bool, threads: int | None) -> Outcome:
    """The compiled loop as a host callback; extra leading axes that `vmap` adds are folded into the scenes."""
    n, dtype = state.pos.shape[1], state.pos.dtype
    shapes = jax.eval_shape(functools.partial(_readable, rules=rules, log=log, threads=threads), world, state, horizon)

    def call(world: World, state: State, horizon: Any) -> Outcome:
        lead = horizon.shape
        fold = functools.partial(_reshape_lead, old=len(lead), new=(-1,))
        out = compiled_host(fold(world), fold(state), np.reshape(horizon, -1), rules, log, threads)
        return _reshape_lead(out, old=1, new=lead)

    if dtype != jnp.float64:
        raise ValueError(f"backend 'compiled' computes in float64, and pos is {dtype}; use backend 'xla'")
    del n
    out: Outcome = jax.pure_callback(call, shapes, world, state, horizon, vmap_method="broadcast_all")
    return out


def _reshape_lead(tree: Any, old: int, new: tuple[int, ...]) -> Any:
    return jax.tree.map(lambda x: np.reshape(np.asarray(x), new + np.shape(x)[old:]), tree)


def compiled_host(
    world: World, state: State, horizon: np.ndarray, rules: Rules, log: bool, threads: int | None
) -> Outcome:
    """The compiled loop on NumPy arrays."""
    from jaxphys_kernels.billiards import compiled

    return compiled.simulate(world, state, horizon, rules=rules, log=log, threads=threads)


TABLE: dict[str, Callable[..., Outcome]] = {"compiled": _compiled, "xla": _xla, "readable": _readable}


def choose(backend: str, dtype: Any) -> str:
    """The back end that `auto` stands for: compiled for float64 on a CPU, XLA otherwise."""
    if backend != "auto":
        return backend
    return "compiled" if np.dtype(dtype) == np.float64 and jax.default_backend() == "cpu" else "xla"


def roll(
    world: World, state: State, times: Any, rules: Rules, backend: str, log: bool, threads: int | None
) -> Trajectory:
    """An event-driven rollout; `times` (b, t)."""
    backend = choose(backend, state.pos.dtype)
    traced = any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((world, state, times)))
    if traced:
        return _differentiable(rules, backend, log, threads)(world, state, times)
    world, state, times = jax.tree.map(np.asarray, (world, state, times))
    if backend == "compiled":
        out = compiled_host(world, state, times[:, -1], rules, log, threads)
    else:
        run = _jitted(rules, backend, log)
        out = _in_buckets(run, (world, state, times[:, -1]))
    if times.shape[1] == 1:
        return _at_end(out, times)
    pos, vel, alive = _in_buckets(_states_at, (world, state, out.events, times))
    return _assemble(out, times, pos, vel, alive)


@functools.cache
def _jitted(rules: Rules, backend: str, log: bool) -> Callable[..., Outcome]:
    return jax.jit(functools.partial(TABLE[backend], rules=rules, log=log, threads=None))


_states_at = jax.jit(jax.vmap(replay.states_at))


def _in_buckets(run: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Call a batched program on chunks of fixed sizes, so that no batch size compiles anew.

    The last chunk is padded by repeating its last scene.
    """
    b = len(jax.tree.leaves(arguments)[0])
    pieces = []
    for start in range(0, b, BUCKET):
        count = min(BUCKET, b - start)
        size = max(8, 1 << (count - 1).bit_length())
        index = np.minimum(np.arange(start, start + size), start + count - 1)
        out = run(*jax.tree.map(lambda x, index=index: x[index], arguments))
        pieces.append(jax.tree.map(lambda x, count=count: np.asarray(x)[:count], out))
    return jax.tree.map(lambda *xs: np.concatenate(xs), *pieces)


def _at_end(out: Outcome, times: Any) -> Trajectory:
    pos, vel, alive = (x[:, None] for x in (out.state.pos, out.state.vel, out.state.alive))
    return _assemble(out, times, pos, vel, alive)


def _assemble(out: Outcome, times: Any, pos: Any, vel: Any, alive: Any) -> Trajectory:
    return Trajectory(
        times=times,
        pos=pos,
        vel=vel,
        alive=alive,
        first_hit=out.first_hit,
        first_wall=out.first_wall,
        events=out.events,
        event_count=out.event_count,
        status=out.status,
    )


@functools.cache
def _differentiable(rules: Rules, backend: str, log: bool, threads: int | None) -> Callable[..., Trajectory]:
    """The rollout as a traceable function with its derivative rule."""

    def primal(world: World, state: State, times: jax.Array, log: bool) -> Trajectory:
        out = TABLE[backend](world, state, times[:, -1], rules, log, threads)
        if times.shape[1] == 1:
            return _at_end(out, times)
        assert out.events is not None  # several times are refused without a log
        return _assemble(out, times, *jax.vmap(replay.states_at)(world, state, out.events, times))

    @jax.custom_jvp
    def run(world: World, state: State, times: jax.Array) -> Trajectory:
        return primal(world, state, times, log)

    @run.defjvp
    def derivative(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Trajectory, Trajectory]:
        logged = primal(*primals, True)
        events = logged.events

        def again(world: World, state: State, times: jax.Array) -> Trajectory:
            assert events is not None
            replayed = jax.vmap(replay.replay)(world, state, events)
            pos, vel, alive = jax.vmap(replay.states_at)(world, state, replayed, times)
            hit, wall = jax.vmap(lambda e: replay.first_contacts(e, state.pos.shape[1]))(replayed)
            return Trajectory(
                times=times,
                pos=pos,
                vel=vel,
                alive=alive,
                first_hit=hit,
                first_wall=wall,
                events=replayed if log else None,
                event_count=logged.event_count,
                status=logged.status,
            )

        _, tangent = jax.jvp(again, primals, tangents)
        return (logged if log else logged.replace(events=None)), tangent

    return run


def stepped(world: World, state: State, times: Any, dt: float) -> Trajectory:
    """The fixed-step twin on a batch."""
    from jaxphys_kernels.billiards import stepped as kernel

    run = jax.vmap(functools.partial(kernel.simulate, dt=dt))
    return run(world, state, times)


__all__ = ["TABLE", "choose", "compiled_host", "model", "roll", "stepped"]
