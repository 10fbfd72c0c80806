"""Closed-loop imitation: robots driven by a student or its teacher, every observation labelled by the teacher.

The teacher is a function of the observation alone, so whatever state a student gets itself into can be labelled
exactly; imitating undisturbed walks alone ends in falls (humanoid specification, section 11.1). Robots are disturbed
by pushes, may start in the middle of a motion, and may get a second plan on the way.
"""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys.humanoid.measures import fallen
from jaxphys.humanoid.pool import Pool
from jaxphys.humanoid.pushes import Pushes, no_pushes, push
from jaxphys.humanoid.scenarios import Array
from jaxphys_kernels.humanoid.arms import Chain
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.control import command, prepare
from jaxphys_kernels.humanoid.gains import Gains
from jaxphys_kernels.humanoid.plan import Plan
from jaxphys_kernels.humanoid.policy import Weights, act
from jaxphys_kernels.humanoid.sensed import Sensed
from jaxphys_kernels.humanoid.state import ControlState, replan, start


class Run(NamedTuple):
    """What b robots did in f ticks."""

    observation: np.ndarray
    """(b, f, 100) float32, as the policy saw it."""
    label: np.ndarray
    """(b, f, 29) float32, the teacher's raw actions."""
    standing: np.ndarray
    """(b, f) bool: not fallen before the tick."""
    fell: np.ndarray
    """(b,) bool."""
    caught_qpos: Array
    """(b, 36) states at one random tick each, where other runs may start; those of fallen robots are no use."""
    caught_qvel: Array
    """(b, 35), of the same tick."""


class Switch(NamedTuple):
    """A second plan for each robot, and when it replaces the first."""

    plans: Plan
    tick: np.ndarray
    """(b,) control tick from the start of the run."""


def collect(
    pool: Pool,
    student: Weights,
    teacher: Weights,
    driven: np.ndarray,
    plans: Plan,
    ticks: int,
    *,
    rng: np.random.Generator,
    starts: tuple[Array, Array] | None = None,
    pushes: Pushes | None = None,
    switch: Switch | None = None,
) -> Run:
    """Let the robots of a pool run from their starts.

    Args:
        pool: b robots, started anew here.
        student: the policy in training.
        teacher: the policy that labels, and drives where the student does not.
        driven: (b,) bool, whether the student drives.
        plans: b plans; they start when the time of settling is over.
        ticks: length of the run, settling included.
        rng: picks the states that are caught.
        starts: qpos (b, 36) and qvel (b, 35); None for standing at rest.
        pushes: what disturbs them; None for nothing.
        switch: second plans, with as many key frames as the first; None for one plan a run.
    """
    robot, b = pool.robot, len(pool.data)
    pool.reset(*(starts or (None, None)))
    pushes = pushes or no_pushes(ticks, b)
    second = Switch(plans, np.full(b, -1)) if switch is None else switch
    both = [cast(jnp, each, jnp.float32) for each in (plans, second.plans)]
    chain = cast(jnp, robot.chain, jnp.float32)
    drivers = (cast(jnp, student, jnp.float32), cast(jnp, teacher, jnp.float32), jnp.asarray(driven))
    state = start(jnp, (b,), jnp.float32)
    when = rng.integers(0, ticks, b)
    run = Run(
        observation=np.empty((b, ticks, 100), np.float32),
        label=np.empty((b, ticks, 29), np.float32),
        standing=np.empty((b, ticks), bool),
        fell=np.zeros(b, bool),
        caught_qpos=np.empty((b, robot.model.nq)),
        caught_qvel=np.empty((b, robot.model.nv)),
    )
    for tick in range(ticks):
        push(pushes, tick, pool)
        t = jnp.float32(tick * robot.config.tick - robot.config.settle)
        now = second.tick == tick
        later = (second.tick >= 0) & (second.tick <= tick)
        state, target, use, seen, label = _tick(
            robot.gains, chain, drivers, state, t, both, jnp.asarray(later), jnp.asarray(now), pool.sense()
        )
        run.standing[:, tick] = ~run.fell
        run.observation[:, tick], run.label[:, tick] = seen, label
        pool.advance(np.asarray(target), np.asarray(use), robot.config.steps_per_tick)
        qpos = pool.qpos()
        run.fell[:] |= fallen(robot.config, qpos) | ~pool.alive
        here = when == tick
        run.caught_qpos[here], run.caught_qvel[here] = qpos[here], pool.qvel()[here]
    return run


@functools.partial(jax.jit, static_argnums=0)
def _tick(
    gains: Gains,
    chain: Chain,
    drivers: tuple[Weights, Weights, jax.Array],
    state: ControlState,
    t: jax.Array,
    plans: list[Plan],
    later: jax.Array,
    now: jax.Array,
    sensed: Sensed,
) -> tuple[ControlState, jax.Array, jax.Array, jax.Array, jax.Array]:
    """One control tick: next state, joint targets, use, observation, label."""
    student, teacher, driven = drivers
    state = replan(jnp, state, now)
    plan = jax.tree.map(
        lambda first, second: jnp.where(later.reshape(later.shape + (1,) * (first.ndim - 1)), second, first), *plans
    )
    prepared = prepare(jnp, gains, state, t, plan, sensed)
    label = act(jnp, teacher, prepared.observation)
    action = jnp.where(driven[:, None], act(jnp, student, prepared.observation), label)
    done = command(jnp, gains, chain, prepared, action)
    return done.state, done.target, done.use, prepared.observation, label
