"""Air and rebounds of a scene's bodies between the steps of MuJoCo, as in the simulation of ground truth.

MuJoCo knows neither the drag nor the bounce law of scenes (ReactHuman specification, sections 15.4 and 15.6). A `Law`
acts on one lane after every physics step: the same kernel, in float64. Scenes without either have none.

Public: `Law`, `law_of`.
"""

import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from jaxphys.precision import x64
from jaxphys_benchmarks.reacthuman.execution.model import Shared
from jaxphys_kernels.rigid.between import Between, between, forces
from jaxphys_kernels.rigid.flat import flatten, unflatten
from jaxphys_kernels.rigid.model import Rules, Signature, State, World

Step = Callable[[World, Any, Any, Any, Any], tuple[Any, Any, Any]]


@functools.lru_cache(maxsize=64)
def _program(signature: Signature, rules: Rules) -> Step:
    """(world, state before and after, both flat) -> the flat state to go on with, and forces (n, 6)."""

    def one(world: World, qpos: Any, qvel: Any, qpos_after: Any, qvel_after: Any) -> tuple[Any, Any, Any]:
        def state(place: Any, rate: Any) -> State:
            places, rates = unflatten(signature, place, rate)
            return State(time=jax.numpy.zeros((), places.dtype), qpos=places, qvel=rates)

        found: Between = between(world, state(qpos, qvel), state(qpos_after, qvel_after), signature, rules)
        return (*flatten(signature, found.state.qpos, found.state.qvel), found.force)

    return jax.jit(one)


@functools.lru_cache(maxsize=64)
def _air(signature: Signature, rules: Rules) -> Callable[[World, Any, Any], Any]:
    """(world, flat state) -> forces (n, 6) before the first step."""

    def one(world: World, qpos: Any, qvel: Any) -> Any:
        places, rates = unflatten(signature, qpos, qvel)
        return forces(world, State(time=jax.numpy.zeros((), places.dtype), qpos=places, qvel=rates), rules)

    return jax.jit(one)


class Law:
    """Drag and rebounds of one lane.

    `begin` reads the state as it is set, before the first step and whenever it was set anew; `act` corrects a step.
    """

    def __init__(self, shared: Shared, signature: Signature, at: int, rate_at: int) -> None:
        """A law of a lane.

        Args:
            shared: its model. signature: of the scene. at, rate_at: where its bodies begin in qpos and qvel.
        """
        self._world: World = jax.tree.map(lambda leaf: np.asarray(leaf)[0], shared.world)
        self._step, self._air = _program(signature, shared.rules), _air(signature, shared.rules)
        self._bodies = list(shared.bodies)
        self._own, self._rates = slice(at, None), slice(rate_at, None)
        self._before: tuple[Any, Any] = (np.zeros(0), np.zeros(0))

    def begin(self, data: Any) -> None:
        """Remember a state, and let the air act on it."""
        self._before = data.qpos[self._own].copy(), data.qvel[self._rates].copy()
        with x64():
            data.xfrc_applied[self._bodies] = np.asarray(self._air(self._world, *self._before))

    def act(self, data: Any) -> None:
        """Correct the step that has just been made, and prepare the next one."""
        after = data.qpos[self._own].copy(), data.qvel[self._rates].copy()
        with x64():
            found = [np.asarray(leaf) for leaf in self._step(self._world, *self._before, *after)]
        data.qpos[self._own], data.qvel[self._rates], data.xfrc_applied[self._bodies] = found
        self._before = found[0], found[1]


def law_of(shared: Shared, signature: Signature, at: int, rate_at: int) -> Law | None:
    """The law of a lane, or None where MuJoCo does all there is to do; arguments as of `Law`."""
    acts = shared.rules.drag or shared.rules.bounce
    return Law(shared, signature, at, rate_at) if acts else None
