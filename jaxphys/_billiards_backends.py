"""Back ends of the billiards rollout, and what they share: dispatch, derivatives, fixed shapes.

A back end maps a batch to an `Outcome`, in two ways: on NumPy arrays of any batch size, without compiling anew for a
new size (`HOST`), and inside a JAX trace (`traced`). The derivatives of all of them come from `replay`.
"""

import functools
from collections.abc import Callable
from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys._asked import is_traced
from jaxphys_kernels.billiards import compiled, event, lanes, replay, stepped
from jaxphys_kernels.billiards.model import Events, Outcome, Rules, State, Trajectory, World

BUCKET = 1024
"""Scenes per XLA call on the host side; smaller batches are padded to the next power of two of at least 8."""


def choose(backend: str, dtype: Any) -> str:
    """The back end that `auto` stands for: compiled for float64 on a CPU, XLA otherwise."""
    if backend != "auto":
        return backend
    return "compiled" if np.dtype(dtype) == np.float64 and jax.default_backend() == "cpu" else "xla"


def roll(
    world: World, state: State, times: Any, rules: Rules, backend: str, log: bool, threads: int | None
) -> Trajectory:
    """An event-driven rollout; `times` (b, t)."""
    if backend == "compiled" and state.pos.dtype != np.float64:
        raise ValueError(f"backend 'compiled' computes in float64, and pos is {state.pos.dtype}; use backend 'xla'")
    if is_traced((world, state, times)):
        return _differentiable(rules, backend, log, threads)(world, state, times)
    world, state, times = jax.tree.map(np.asarray, (world, state, times))
    out = HOST[backend](world, state, times[:, -1], rules=rules, log=log, threads=threads)
    out = jax.tree.map(np.asarray, out)
    before = _in_buckets(_states_at, (world, state, out.events, times[:, :-1])) if times.shape[1] > 1 else None
    return _assemble(out, times, before)


def step(world: World, state: State, times: Any, dt: float) -> Trajectory:
    """A fixed-step rollout; `times` (b, t)."""
    arguments = (world, state, times)
    run = _stepped(dt)
    return run(*arguments) if is_traced(arguments) else _in_buckets(run, jax.tree.map(np.asarray, arguments))


@functools.cache
def _stepped(dt: float) -> Callable[..., Trajectory]:
    return jax.jit(jax.vmap(functools.partial(stepped.simulate, dt=dt)))


@functools.cache
def _readable(rules: Rules, log: bool) -> Callable[..., Outcome]:
    return jax.jit(jax.vmap(functools.partial(event.simulate, rules=rules, log=log)))


def _host_readable(
    world: World, state: State, horizon: Any, *, rules: Rules, log: bool, threads: int | None
) -> Outcome:
    del threads
    return _in_buckets(_readable(rules, log), (world, state, horizon))  # type: ignore[no-any-return]


def _trace_readable(
    world: World, state: State, horizon: Any, *, rules: Rules, log: bool, threads: int | None
) -> Outcome:
    del threads
    return _readable(rules, log)(world, state, horizon)


def _trace_compiled(
    world: World, state: State, horizon: Any, *, rules: Rules, log: bool, threads: int | None
) -> Outcome:
    """The compiled loop as a host callback.

    The callback runs on a thread that knows nothing of the caller's 64-bit mode, and JAX would round its arguments
    and results to float32 there: they cross as pairs of 32-bit words.
    """
    shapes = jax.eval_shape(_readable(rules, log), world, state, horizon)

    def call(*words: Any) -> Any:
        arguments = jax.tree.map(_host_words_to_floats, words)
        return jax.tree.map(_host_floats_to_words, compiled.simulate(*arguments, rules=rules, log=log, threads=threads))

    words = jax.pure_callback(
        call,
        jax.tree.map(_words_shape, shapes),
        *jax.tree.map(lambda x: _to_words(jnp.asarray(x)), (world, state, horizon)),
        vmap_method="sequential",
    )
    return jax.tree.map(_from_words, words, shapes)  # type: ignore[no-any-return]


def _to_words(x: jax.Array) -> jax.Array:
    return jax.lax.bitcast_convert_type(x, jnp.uint32) if x.dtype == jnp.float64 else x


def _from_words(x: jax.Array, shape: jax.ShapeDtypeStruct) -> jax.Array:
    return jax.lax.bitcast_convert_type(x, jnp.float64) if shape.dtype == jnp.float64 else x


def _words_shape(shape: jax.ShapeDtypeStruct) -> jax.ShapeDtypeStruct:
    if shape.dtype != jnp.float64:
        return shape
    return jax.ShapeDtypeStruct((*shape.shape, 2), jnp.uint32)


def _host_words_to_floats(x: Any) -> np.ndarray:
    array = np.ascontiguousarray(x)
    return array.view(np.float64)[..., 0] if array.dtype == np.uint32 else array


def _host_floats_to_words(x: np.ndarray) -> np.ndarray:
    if x.dtype != np.float64:
        return x
    return np.ascontiguousarray(x)[..., None].view(np.uint32).reshape(*x.shape, 2)


HOST: dict[str, Callable[..., Outcome]] = {
    "compiled": compiled.simulate,
    "xla": lanes.simulate,
    "readable": _host_readable,
}
_TRACED: dict[str, Callable[..., Outcome]] = {
    "compiled": _trace_compiled,
    "xla": lanes.simulate,
    "readable": _trace_readable,
}


@functools.cache
def traced(rules: Rules, backend: str, log: bool, threads: int | None) -> Callable[..., Outcome]:
    """A back end inside a trace, where `vmap` makes a larger batch of scenes.

    Mapping the loops themselves would run every scene as long as the slowest of all.
    """

    @jax.custom_batching.custom_vmap
    def run(world: World, state: State, horizon: jax.Array) -> Outcome:
        return _TRACED[backend](world, state, horizon, rules=rules, log=log, threads=threads)

    @run.def_vmap
    def fold(size: int, is_mapped: Any, *arguments: Any) -> tuple[Outcome, Any]:
        scenes = arguments[2].shape[-1]

        def flat(leaf: jax.Array, mapped: bool) -> jax.Array:
            wide = leaf if mapped else jnp.broadcast_to(leaf, (size, *leaf.shape))
            return wide.reshape(size * scenes, *wide.shape[2:])

        out = run(*jax.tree.map(flat, arguments, tuple(is_mapped)))
        apart = jax.tree.map(lambda x: x.reshape(size, scenes, *x.shape[1:]), out)
        return apart, jax.tree.map(lambda _: True, apart)

    return run


_states_at = jax.jit(jax.vmap(replay.states_at))
_replay = jax.jit(jax.vmap(replay.replay))


@functools.partial(jax.jit, static_argnums=1)
def _first_contacts(events: Events, n: int) -> tuple[jax.Array, jax.Array]:
    return jax.vmap(functools.partial(replay.first_contacts, n=n))(events)


def _in_buckets(run: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Call a batched program on chunks of fixed sizes, the last one padded by repeating its last scene."""
    b = len(jax.tree.leaves(arguments)[0])
    if b == 0:
        return jax.tree.map(lambda x: np.zeros(x.shape, x.dtype), jax.eval_shape(run, *arguments))
    pieces = []
    for start in range(0, b, BUCKET):
        count = min(BUCKET, b - start)
        size = max(8, 1 << (count - 1).bit_length())
        index = np.minimum(np.arange(start, start + size), start + count - 1)
        out = run(*jax.tree.map(lambda x, index=index: np.asarray(x)[index], arguments))
        pieces.append(jax.tree.map(lambda x, count=count: np.asarray(x)[:count], out))
    return jax.tree.map(lambda *xs: np.concatenate(xs), *pieces)


def _assemble(out: Outcome, times: Any, before: tuple[Any, ...] | None) -> Trajectory:
    """A trajectory from the states before the end, if any were asked for, and the end itself.

    The end is the back end's own, so its bits do not depend on what else was asked for.
    """
    path: list[Any] = [x[:, None] for x in (out.state.pos, out.state.vel, out.state.alive)]
    if before is not None:
        join: Any = np.concatenate if isinstance(times, np.ndarray) else jnp.concatenate
        path = [join([early, last], axis=1) for early, last in zip(before, path, strict=True)]
    return Trajectory(
        times=times,
        pos=path[0],
        vel=path[1],
        alive=path[2],
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
        out = traced(rules, backend, log, threads)(world, state, times[:, -1])
        before = _states_at(world, state, out.events, times[:, :-1]) if times.shape[1] > 1 else None
        return _assemble(out, times, before)

    @jax.custom_jvp
    def run(world: World, state: State, times: jax.Array) -> Trajectory:
        return primal(world, state, times, log)

    @jax.custom_jvp
    def recorded_run(world: World, state: State, times: jax.Array) -> Trajectory:
        return primal(world, state, times, True)

    @recorded_run.defjvp
    def second(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Trajectory, Trajectory]:
        raise NotImplementedError("a rollout has first derivatives only; differentiate it once")

    @run.defjvp
    def derivative(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Trajectory, Trajectory]:
        logged = recorded_run(*primals)
        recorded = cast(Events, logged.events)

        def again(world: World, state: State, times: jax.Array) -> Trajectory:
            events = _replay(world, state, recorded)
            pos, vel, alive = _states_at(world, state, events, times)
            hit, wall = _first_contacts(events, state.pos.shape[1])
            return logged.replace(
                times=times,
                pos=pos,
                vel=vel,
                alive=alive,
                first_hit=hit,
                first_wall=wall,
                events=events if log else None,
            )

        _, tangent = jax.jvp(again, primals, tangents)
        return (logged if log else logged.replace(events=None)), tangent

    return run
