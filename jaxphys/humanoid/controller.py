"""The controller of many robots, compiled once for a fixed number of lanes whatever the number of robots.

A robot's joint targets depend on the robot alone: batches are cut into pieces of `LANES`, the last one filled up with
its last robot. All leaves are strongly typed float32, so that nothing compiles anew in a run (humanoid specification,
section 6.4).
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys._rigid_programs import pad_lanes
from jaxphys.humanoid.robot import Robot
from jaxphys_kernels.humanoid import policy
from jaxphys_kernels.humanoid.arms import Chain
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.control import Command, command, prepare
from jaxphys_kernels.humanoid.gains import Gains
from jaxphys_kernels.humanoid.plan import Plan
from jaxphys_kernels.humanoid.sensed import Sensed
from jaxphys_kernels.humanoid.state import ControlState, replan, start

Act = Callable[[Any, Any, Any], Any]
"""A policy: (xp, weights, observation (…, 100)) -> action (…, 29). Weights may be any tree that it understands."""

LANES = 64
"""Robots in a call."""


class Driven(NamedTuple):
    """A tick: joint targets (b, 29) rad, the plan's share in the arms (b,), and what the policy saw (b, 100)."""

    target: np.ndarray
    use: np.ndarray
    observation: np.ndarray


@functools.lru_cache(maxsize=16)
def program(gains: Gains, act: Act = policy.act) -> Callable[..., tuple[Command, jax.Array]]:
    """The compiled controller: (weights, chain, state, t, plan, sensed) -> (command, observation).

    Args:
        gains: constants.
        act: the policy.
    """

    def tick(
        weights: Any, chain: Chain, state: ControlState, t: jax.Array, plan: Plan, sensed: Sensed
    ) -> tuple[Command, jax.Array]:
        prepared = prepare(jnp, gains, state, t, plan, sensed)
        action = act(jnp, weights, prepared.observation)
        return command(jnp, gains, chain, prepared, action), prepared.observation

    return jax.jit(tick)


class Controller:
    """b controllers with their plans and their memory.

    Attributes:
        plans: (b, …) NumPy float32; exchanged by `replace`.
    """

    def __init__(
        self, robot: Robot, weights: Any, plans: Plan, *, act: Act = policy.act, lanes: int | None = None
    ) -> None:
        """Start all of them.

        Args:
            robot: gains and arms.
            weights: of the policy.
            plans: (b, …) of the robots.
            act: the policy, if it is another than the kernels'.
            lanes: robots in a call; `LANES` if None.

        Raises:
            ValueError: the leaves of the plans do not lead with the same b, or there are no robots.
        """
        self.plans = cast(np, plans, np.float32)
        self._b = batch_of(self.plans)
        self._lanes = lanes or LANES
        if self._lanes < 1:
            raise ValueError(f"lanes is {lanes}; at least one robot is driven in a call")
        self._weights = jax.device_put(cast(np, weights, np.float32))
        self._chain = jax.device_put(cast(np, robot.chain, np.float32))
        self._tick = program(robot.gains, act)
        self._starts = range(0, self._b, self._lanes)
        self._states = [start(jnp, (self._lanes,)) for _ in self._starts]
        self._device_plans = [self._piece(self.plans, first) for first in self._starts]

    def _piece(self, tree: Any, first: int) -> Any:
        return jax.device_put(pad_lanes(tree, first, self._lanes))

    def __call__(self, t: float, sensed: Sensed) -> Driven:
        """One tick of all robots.

        Args:
            t: time since the plans began (s), negative while settling.
            sensed: (b, …) float32 NumPy leaves.
        """
        clock = np.float32(t)
        commands = []
        for k, first in enumerate(self._starts):
            seen = pad_lanes(sensed, first, self._lanes)
            done, observation = self._tick(
                self._weights, self._chain, self._states[k], clock, self._device_plans[k], seen
            )
            self._states[k] = done.state
            commands.append((done.target, done.use, observation))
        whole = [
            np.concatenate([np.asarray(leaf) for leaf in leaves])[: self._b] for leaves in zip(*commands, strict=True)
        ]
        return Driven(*whole)

    def replace(self, mask: np.ndarray, plans: Plan) -> None:
        """Give some robots other plans, whose time 0 is the next tick.

        Args:
            mask: (b,) bool, which of them.
            plans: (b, …) with as many key frames as before; rows outside the mask are ignored.

        Raises:
            ValueError: another number of robots or key frames.
        """
        fresh = cast(np, plans, np.float32)
        if jax.tree.map(np.shape, fresh) != jax.tree.map(np.shape, self.plans):
            raise ValueError(
                f"plans has kt of shape {fresh.kt.shape}, the running plans {self.plans.kt.shape}; pad the key frames"
            )
        pick = np.asarray(mask, bool)
        self.plans = jax.tree.map(
            lambda new, old: np.where(pick.reshape(-1, *[1] * (old.ndim - 1)), new, old), fresh, self.plans
        )
        for k, first in enumerate(self._starts):
            self._device_plans[k] = self._piece(self.plans, first)
            self._states[k] = replan(jnp, self._states[k], self._piece(pick, first))


def batch_of(plans: Plan) -> int:
    """Number of robots.

    Raises:
        ValueError: the leaves of the plans do not lead with the same number, or there are none.
    """
    sizes = {name: np.shape(leaf)[:1] for name, leaf in vars(plans).items()}
    if len(set(sizes.values())) != 1 or () in sizes.values() or (0,) in sizes.values():
        raise ValueError(f"the leaves of plans must lead with one number of robots, not {sizes}")
    return int(plans.dur.shape[0])
