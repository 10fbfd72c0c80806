"""Running the planar event loop: fixed lane counts on the host, one batch inside a trace.

A scene's bits must not depend on its neighbours, so the host side always runs the same program: chunks of `LANES`
scenes, the last one padded with its last scene.
"""

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys import laws
from jaxphys._asked import is_traced
from jaxphys.precision import precision_of
from jaxphys_kernels.planar import event, stepped
from jaxphys_kernels.planar.laws import Law
from jaxphys_kernels.planar.model import Rules, State, Trajectory, World

LANES = 256
"""Scenes per call, always."""

LEAST_TIMES = 16
"""Slots for asked times, where there are several; more are rounded up to a power of two."""


@functools.cache
def _loop(table: tuple[Law, ...], rules: Rules, reverse: bool) -> Callable[..., Trajectory]:
    run = functools.partial(event.simulate, table=table, rules=rules, reverse=reverse)
    return jax.jit(jax.vmap(run))


@functools.cache
def _stepped(table: tuple[Law, ...], dt: float, steps: int) -> Callable[..., Trajectory]:
    return jax.jit(jax.vmap(functools.partial(stepped.simulate, table=table, dt=dt, steps=steps)))


def _completed(world: World, table: tuple[Law, ...]) -> World:
    """The world with every parameter and attribute that some law of the table reads; what no pair needs is zero."""
    like, bodies = world.law, world.mass
    params: dict[str, Any] = dict(world.params)
    attrs: dict[str, Any] = dict(world.attrs)
    zero: Callable[..., Any] = jnp.zeros if is_traced(world) else np.zeros
    for name in sorted({name for row in table for name in row.defaults} - set(params)):
        params[name] = zero(like.shape, bodies.dtype)
    for name in sorted({name for row in table for name in row.reads} - set(attrs)):
        attrs[name] = zero(bodies.shape, bodies.dtype)
    return world.replace(params=dict(sorted(params.items())), attrs=dict(sorted(attrs.items())))


def roll(world: World, state: State, times: Any, rules: Rules, threads: int | None) -> Trajectory:
    """An event-driven rollout; `times` (b, t)."""
    table = laws.rows()
    world = _completed(world, table)
    if is_traced((world, state, times)):
        return _loop(table, rules, reverse=True)(world, state, times)
    t = times.shape[1]
    # Few programs: the number of asked times is rounded up, and what was not asked for is thrown away.
    slots = t if t == 1 else max(LEAST_TIMES, 1 << (t - 1).bit_length())
    padded = np.concatenate([times, np.repeat(times[:, -1:], slots - t, axis=1)], axis=1)
    found: Trajectory = _in_lanes(_loop(table, rules, reverse=False), (world, state, padded), threads)
    return found.replace(times=found.times[:, :t], path=jax.tree.map(lambda x: x[:, :t], found.path))


def step(world: World, state: State, times: Any, dt: float) -> Trajectory:
    """A fixed-step rollout; `times` (b, t)."""
    table = laws.rows()
    world = _completed(world, table)
    if is_traced(times):
        raise ValueError("times must be known values for backend 'stepped'; it makes one step after the other")
    steps = max(1, round(float(np.max(np.asarray(times) - np.asarray(state.time)[:, None])) / dt))
    run = _stepped(table, dt, steps)
    if is_traced((world, state)):
        return run(world, state, times)
    return _in_lanes(run, (world, state, times), None)  # type: ignore[no-any-return]


def _in_lanes(run: Callable[..., Any], arguments: tuple[Any, ...], threads: int | None) -> Any:
    """Call a batched program on chunks of `LANES` scenes, several at a time."""
    arguments = jax.tree.map(np.asarray, arguments)
    b = len(arguments[1].pos)
    if b == 0:
        return jax.tree.map(lambda x: np.zeros(x.shape, x.dtype), jax.eval_shape(run, *arguments))

    # A chunk runs as long as its slowest scene, so scenes under the same laws share one.
    order = np.lexsort(arguments[0].law.T) if arguments[0].law.size else np.arange(b)

    def chunk(start: int) -> Any:
        index = order[np.minimum(np.arange(start, start + LANES), b - 1)]
        # The scoped 64-bit mode belongs to a thread.
        with precision_of(arguments[1].pos):
            out = run(*jax.tree.map(lambda x: x[index], arguments))
        return jax.tree.map(lambda x: np.asarray(x)[: b - start], out)

    starts = range(0, b, LANES)
    workers = min(len(starts), threads or os.cpu_count() or 1)
    if workers == 1:
        pieces = [chunk(start) for start in starts]
    else:
        with ThreadPoolExecutor(workers) as pool:
            pieces = list(pool.map(chunk, starts))
    place = np.empty(b, np.int64)
    place[order] = np.arange(b)
    return jax.tree.map(lambda *xs: np.concatenate(xs)[place], *pieces)
