"""The controllers of a batch of robots: one compiled program for any number of them, and how they stand at the freeze.

`Brain` holds plans and memories of b robots and calls the controller for `LANES` at a time, the last one repeated, so
that nothing is compiled anew for another number of robots and a robot's bits do not depend on its neighbours. `settled`
is a robot that has stood for a while under the policy, at the origin; `placed` puts it where scenes want it.

Public: `Brain`, `Settled`, `settled`, `stood`, `placed`, `memories`, `robot`, `policy`.
"""

import functools
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from jaxphys._rigid_programs import pad_lanes
from jaxphys.humanoid import checkpoint
from jaxphys.humanoid.config import HumanoidConfig
from jaxphys.humanoid.controller import LANES, program
from jaxphys.humanoid.measures import heading
from jaxphys.humanoid.pool import Pool
from jaxphys.humanoid.robot import Robot, build
from jaxphys_benchmarks.reacthuman.execution.config import TICK
from jaxphys_benchmarks.reacthuman.execution.mapping import kernel_plan
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.plan import Plan as Asked
from jaxphys_kernels.humanoid.plan import pad
from jaxphys_kernels.humanoid.policy import Weights
from jaxphys_kernels.humanoid.sensed import Sensed
from jaxphys_kernels.humanoid.state import ControlState, adopt, replan, start
from jaxphys_kernels.quaternions import yawed

Floats = NDArray[np.float64]


def _single(tree: Any) -> Any:
    """The same with floating leaves in float32; NumPy leaves."""
    return cast(np, tree, np.float32)


class Brain:
    """The controllers of b robots.

    Attributes:
        state: their memory. plan: their plans. clock: ticks since the first plans began; they settle before 0.
    """

    def __init__(self, robot: Robot, weights: Weights, memory: ControlState, plan: Asked, clock: int = 0) -> None:
        """Controllers of robots.

        Args:
            robot: of all. weights: of the walking policy. memory: of the robots as they start, leading with b.
            plan: theirs, leading with b. clock: to start with.
        """
        self._weights, self._chain = _single(weights), _single(robot.chain)
        self._program = program(robot.gains)
        self.state: ControlState = _single(memory)
        self.plan: Asked = _single(plan)
        self.clock = clock

    def tick(self, sensed: Sensed) -> tuple[Floats, Floats]:
        """Joint targets (b, 29) (rad) and the plans' shares (b,) of one tick; `sensed` is float32."""
        b = len(sensed.qpos)
        time = np.float32(self.clock * TICK)
        states, targets, uses = [], [], []
        for at in range(0, b, LANES):
            state, plan, seen = pad_lanes((self.state, self.plan, sensed), at, LANES)
            found, _ = self._program(self._weights, self._chain, state, time, plan, seen)
            count = min(LANES, b - at)
            done = jax.tree.map(lambda leaf, count=count: np.asarray(leaf)[:count], found)
            states.append(done.state)
            targets.append(done.target)
            uses.append(done.use)
        self.state = jax.tree.map(lambda *leaves: np.concatenate(leaves), *states)
        self.clock += 1
        return np.concatenate(targets).astype(np.float64), np.concatenate(uses).astype(np.float64)

    def replace(self, mask: NDArray[np.bool_], plan: Asked) -> None:
        """Give the masked robots other plans, whose time 0 is the next tick.

        The plans may have more key frames than those under way, or fewer; another most of them compiles anew.
        """
        most = max(plan.kt.shape[-1], self.plan.kt.shape[-1])

        def chosen(new: Any, old: Any) -> Any:
            return np.where(mask.reshape(-1, *[1] * (new.ndim - 1)), new, old)

        self.plan = jax.tree.map(chosen, _single(pad(plan, most)), pad(self.plan, most))
        self.state = _single(replan(np, self.state, mask))

    def adopt(self, mask: NDArray[np.bool_], targets: Floats) -> None:
        """Take masked robots over from whoever drove them by these joint targets (b, 29)."""
        self.state = _single(adopt(np, self.state, mask, targets.astype(np.float32)))


@dataclass(frozen=True, eq=False)
class Settled:
    """A robot that stands: at the origin, heading along x.

    Attributes:
        qpos: (36,). qvel: (35,). memory: of its controller, without a leading axis.
    """

    qpos: Floats
    qvel: Floats
    memory: ControlState


@functools.lru_cache(maxsize=8)
def robot(config: HumanoidConfig) -> Robot:
    """The robot alone."""
    return build(config)


@functools.lru_cache(maxsize=8)
def policy(name: str) -> Weights:
    """Weights of a walking policy."""
    return checkpoint.policy(name)


@functools.lru_cache(maxsize=8)
def settled(config: HumanoidConfig, name: str, seconds: float) -> Settled:
    """A robot after it has stood for some time.

    Args:
        config: of the robot. name: of the walking policy. seconds: how long it has stood.
    """
    return stood(robot(config), policy(name), seconds)


def stood(robot: Robot, weights: Weights, seconds: float) -> Settled:
    """A robot after it has stood for some time under any weights, brought to the origin and turned to head along x.

    Args:
        robot: alone in its model. weights: of the walking policy. seconds: how long it stands.
    """
    ticks = round(seconds / TICK)
    brain = Brain(robot, weights, start(np, (1,), np.float32), kernel_plan([None]), -ticks)
    with Pool(robot, 1, threads=1) as pool:
        for _ in range(ticks):
            pool.advance(*brain.tick(pool.sense()))
        qpos, qvel = pool.qpos()[0], pool.qvel()[0]
    (qpos,), (qvel,) = placed(qpos, qvel, np.zeros((1, 2)), -float(heading(qpos)))
    return Settled(qpos, qvel, jax.tree.map(lambda leaf: np.asarray(leaf)[0], brain.state))


def placed(qpos: Floats, qvel: Floats, xy: Floats, yaw: float) -> tuple[Floats, Floats]:
    """The same robot in several places.

    Args:
        qpos: (36,). qvel: (35,). xy: (b, 2) of the pelvis (m). yaw: by which it is turned about the vertical (rad).

    Returns:
        (b, 36) and (b, 35).
    """
    places, rates = np.tile(qpos, (len(xy), 1)), np.tile(qvel, (len(xy), 1))
    places[:, :2], places[:, 3:7] = xy, yawed(qpos[3:7], yaw)
    # The pelvis' velocity is that of the world, its spin that of its own frame.
    vx, vy = qvel[:2]
    rates[:, 0], rates[:, 1] = np.cos(yaw) * vx - np.sin(yaw) * vy, np.sin(yaw) * vx + np.cos(yaw) * vy
    return places, rates


def memories(own: Settled, b: int) -> ControlState:
    """The memory of a settled robot's controller, b times."""
    found: ControlState = jax.tree.map(lambda leaf: np.broadcast_to(leaf, (b, *np.shape(leaf))).copy(), own.memory)
    return found
