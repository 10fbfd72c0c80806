"""States of the environment: what goes on from decision to decision, and what a decision leads to.

Public: `METRICS`, `Data`, `EnvState`, `Felt`, `nothing_felt`.
"""

from typing import Any

import jax.numpy as jnp
from flax import struct

from jaxphys_benchmarks.reacthuman.env.action import Spent
from jaxphys_benchmarks.reacthuman.env.body import Body
from jaxphys_kernels.humanoid.arrays import Array
from jaxphys_kernels.humanoid.state import ControlState

METRICS = ("touched", "caught", "hit", "fell", "right", "unsafe", "gap", "catches")
"""What a decision adds to an episode: the object was touched by a hand, has been caught (held long enough), or touched
another part; the robot fell; at the end, whether the action was right, and whether a safety rule was broken; in scenes
to catch, the distance of the nearer hand from the point of impact at its time (m), and at the end 1."""


class Data(struct.PyTreeNode):
    """What goes on from decision to decision.

    Attributes:
        scene: (...) int32 of the bank. body: robot and hazard. state: of the walker's controller. hands: (..., 2, 3)
            where they are sent (m). last: (..., 10) action. spent: what was asked for so far. hand, other: (...) bool,
            what has been touched. held: (...) s for which the object has rested in a hand.
    """

    scene: Array
    body: Body
    state: ControlState
    hands: Array
    last: Array
    spent: Spent
    hand: Array
    other: Array
    held: Array


class EnvState(struct.PyTreeNode):
    """State of an environment: as Brax has it, with `data` for its `pipeline_state`.

    Attributes:
        data: see `Data`. obs: (..., observation_size). reward, done: (...) float32. metrics: (...) by name.
        info: empty, for wrappers.
    """

    data: Data
    obs: Array
    reward: Array
    done: Array
    metrics: dict[str, Array]
    info: dict[str, Any]


class Felt(struct.PyTreeNode):
    """What the ticks of one decision led to; see `reward.Seen`."""

    closed: Array
    meets: Array
    gap: Array
    hand: Array
    other: Array
    holding: Array


def nothing_felt(shape: tuple[int, ...]) -> Felt:
    """Before the first tick of a decision."""
    zero, no = jnp.zeros(shape, jnp.float32), jnp.zeros(shape, bool)
    return Felt(closed=zero, meets=no, gap=zero, hand=no, other=no, holding=zero)
