"""`rollout(robot, weights, plans, ...)`: many robots execute their plans, on either back end.

Both back ends: read the state, drive the controller, hold its joint targets for five physics steps (humanoid
specification, sections 6.4 and 9.1). `auto` is C on a CPU and MJX on accelerators.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np

from jaxphys._rigid_programs import pad_lanes
from jaxphys.humanoid.controller import Act, Controller, batch_of
from jaxphys.humanoid.measures import fallen
from jaxphys.humanoid.reach import reach_miss
from jaxphys.humanoid.robot import HUGE, NQ, NV, Robot, stand
from jaxphys_kernels.humanoid import policy
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.plan import Plan
from jaxphys_kernels.status import Status

if TYPE_CHECKING:
    from jaxphys.humanoid.pool import Pool

BACKENDS = ("c", "mjx")
C_MODES = ("pool", "rollout")

EachTick = Callable[[int, "Pool"], None]
"""Called with the number of the tick before it, to push robots or to read contacts."""

Start = tuple[np.ndarray, np.ndarray]
"""qpos (b, 36) and qvel (b, 35)."""


class Trajectories(NamedTuple):
    """b executed plans; k key frames.

    Attributes:
        times: (ticks,) of the ticks' ends since the plans began (s); negative while settling.
        qpos, qvel: (b, ticks, 36), (b, ticks, 35) at these times.
        palms: (b, ticks, 2, 3) left and right (m), as of the position stage of the last physics step.
        fell, t_fell: (b,) whether a robot has fallen, and when (s); infinite if not. Numbers that are none are a fall.
        reach_miss: (b, k, 2) how far the targets of key frames and hands lie outside the reach (m).
        status: (b,) int32 bits of `jaxphys.Status`.
        observation: (b, ticks, 100) what the policy saw at the beginning of each tick, or None.
    """

    times: np.ndarray
    qpos: np.ndarray
    qvel: np.ndarray
    palms: np.ndarray
    fell: np.ndarray
    t_fell: np.ndarray
    reach_miss: np.ndarray
    status: np.ndarray
    observation: np.ndarray | None


def rollout(
    robot: Robot,
    weights: Any,
    plans: Plan,
    *,
    seconds: float,
    settle: float | None = None,
    start: Start | None = None,
    each_tick: EachTick | None = None,
    act: Act = policy.act,
    observe: bool = False,
    backend: str | None = None,
    c_mode: str | None = None,
    threads: int | None = None,
    lanes: int | None = None,
) -> Trajectories:
    """Execute plans.

    Args:
        robot: alone in its model, from `build`.
        weights: of the policy; an argument of the compiled programs, which serve all weights of one shape.
        plans: (b, …), from `plan.stack`.
        seconds: that are simulated after the plans begin.
        settle: seconds of standing before that, rounded to ticks; the configuration's if None.
        start: states in which the robots start; standing at the origin if None.
        each_tick: called before each tick; by the pool of the C back end only.
        act: another policy than the kernels'.
        observe: whether observations are kept.
        backend: `c`, `mjx` or `auto`; the configuration's if None.
        c_mode: `pool` or `rollout`; the configuration's if None.
        threads: of the C back end; the configuration's if None.
        lanes: robots in a call of a compiled program; by default as many as serve the device best.

    Raises:
        ValueError: an unknown back end or mode, no time, or shapes that do not fit; the message names the field.
    """
    config = robot.config
    own = cast(np, plans, np.float64)
    b = batch_of(own)
    before = round((config.settle if settle is None else settle) / config.tick)
    ticks = before + round(seconds / config.tick)
    if before < 0 or ticks <= before:
        raise ValueError(
            f"seconds is {seconds} and settle {settle}; a run takes at least one tick of {config.tick:.4f} s"
        )
    begin = (np.arange(ticks) - before) * config.tick
    qpos, qvel = _start(start, b)
    how = _backend(backend or config.backend)
    mode = c_mode or config.c_mode
    if mode not in C_MODES:
        raise ValueError(f"c_mode is {mode!r}; it is one of {', '.join(C_MODES)}")
    if how == "mjx":
        if each_tick is not None:
            raise ValueError("each_tick: only the pool of the C back end calls it")
        records = _by_mjx(robot, weights, own, qpos, qvel, begin, act, lanes)
    else:
        controller = Controller(robot, weights, own, act=act, lanes=lanes)
        with _pool(mode)(robot, b, threads=threads) as pool:
            pool.reset(qpos, qvel)
            records = _by_c(pool, controller, begin, config.steps_per_tick, each_tick)
    return _trajectories(robot, own, begin + config.tick, records, observe)


def _backend(name: str) -> str:
    if name == "auto":
        return "c" if jax.default_backend() == "cpu" else "mjx"
    if name not in BACKENDS:
        raise ValueError(f"backend is {name!r}; it is auto, {' or '.join(BACKENDS)}")
    return name


def _pool(mode: str) -> type["Pool"]:
    from jaxphys.humanoid.pool import Pool

    if mode == "pool":
        return Pool
    from jaxphys.humanoid.pool_rollout import RolloutPool

    return RolloutPool


def _start(start: Start | None, b: int) -> Start:
    if start is None:
        return stand(b), np.zeros((b, NV))
    qpos, qvel = (np.asarray(part, float) for part in start)
    if qpos.shape != (b, NQ) or qvel.shape != (b, NV):
        raise ValueError(f"start has shapes {qpos.shape} and {qvel.shape}; it needs ({b}, {NQ}) and ({b}, {NV})")
    return qpos, qvel


def _by_c(
    pool: "Pool", controller: Controller, begin: np.ndarray, steps: int, each_tick: EachTick | None
) -> tuple[np.ndarray, ...]:
    """qpos, qvel, palms after each tick and observation, leading with (b, tick)."""
    rows = []
    for k, t in enumerate(begin.tolist()):
        if each_tick is not None:
            each_tick(k, pool)
        driven = controller(t, pool.sense())
        pool.advance(driven.target, driven.use, steps)
        rows.append((pool.qpos(), pool.qvel(), pool.palms(), driven.observation))
    return tuple(np.stack(column, axis=1) for column in zip(*rows, strict=True))


def _by_mjx(
    robot: Robot,
    weights: Any,
    plans: Plan,
    qpos: np.ndarray,
    qvel: np.ndarray,
    begin: np.ndarray,
    act: Act,
    lanes: int | None,
) -> tuple[np.ndarray, ...]:
    from jaxphys.humanoid import mjx

    width, b = mjx.lanes_of(lanes), len(qpos)
    parts = []
    for first in range(0, b, width):
        plan, where, how = pad_lanes((plans, qpos, qvel), first, width)
        parts.append(mjx.run(robot, weights, plan, where, how, begin, act))
    return tuple(np.concatenate(column)[:b] for column in zip(*parts, strict=True))


def _trajectories(
    robot: Robot, plans: Plan, times: np.ndarray, records: tuple[np.ndarray, ...], observe: bool
) -> Trajectories:
    qpos, qvel, palms, observation = records
    gone = ~((np.abs(qpos) < HUGE).all(-1) & (np.abs(qvel) < HUGE).all(-1))
    lies = fallen(robot.config, qpos) | gone
    fell = np.asarray(lies.any(axis=1))
    return Trajectories(
        times=times,
        qpos=qpos,
        qvel=qvel,
        palms=palms,
        fell=fell,
        t_fell=np.where(fell, times[lies.argmax(axis=1)], np.inf),
        reach_miss=reach_miss(robot, plans),
        status=np.where(gone.any(axis=1), int(Status.NONFINITE), 0).astype(np.int32),
        observation=observation if observe else None,
    )
