"""What an agent does: a walking command, two hand targets and a knee bend, ten numbers from -1 to 1.

An action of 0 stands with the hands at their rest, which is to do nothing. The targets of the hands run after the
action at a limited speed, so that the walker below never sees a jump. Public: `SIZE`, `Asked`, `asked`, `towards`,
`plan_of`, `Spent`, `spend`, `acted`.
"""

import jax.numpy as jnp
import numpy as np
from flax import struct

from jaxphys_benchmarks.reacthuman.env.config import EnvConfig
from jaxphys_benchmarks.reacthuman.execution.mapping import Z_REF
from jaxphys_benchmarks.reacthuman.plan import REST
from jaxphys_benchmarks.reacthuman.recover import ACTS, BRACE, CATCH, DODGE, EPS, NONE, Thresholds
from jaxphys_kernels.humanoid.arrays import Array
from jaxphys_kernels.humanoid.plan import Plan

WALK, HANDS, KNEES = slice(0, 3), slice(3, 9), 9
"""Places of the numbers in an action."""
SIZE = 10

HOME = np.array(REST, np.float32) + np.array([0.0, 0.0, Z_REF], np.float32)
"""(2, 3) left and right hand at rest, in the heading frame (m)."""

FOREVER = 1e3
"""Walking time of a command that the next decision replaces (s)."""


class Asked(struct.PyTreeNode):
    """An action in units: walk (..., 3) m/s and rad/s; hands (..., 2, 3) heading frame (m); knee (...) 0 to 1."""

    walk: Array
    hands: Array
    knee: Array


def asked(action: Array, config: EnvConfig) -> Asked:
    """What an action asks for.

    Args:
        action: (..., 10); what is beyond ±1 is clipped, and what is not a number is 0. config: scales.
    """
    action = jnp.clip(jnp.nan_to_num(jnp.asarray(action, jnp.float32)), -1.0, 1.0)
    walk = action[..., WALK]
    beyond = jnp.maximum(jnp.abs(walk) - config.dead_zone, 0.0) / (1.0 - config.dead_zone)
    hands = action[..., HANDS].reshape(*action.shape[:-1], 2, 3)
    return Asked(
        walk=jnp.sign(walk) * beyond * _like(config.walk, walk),
        hands=_like(HOME, hands) + hands * _like(config.reach, hands),
        knee=jnp.maximum(action[..., KNEES], 0.0),
    )


def towards(hands: Array, goal: Array, most: float) -> Array:
    """Hands (..., 2, 3) moved towards a goal by at most `most` (m)."""
    way = goal - hands
    length = jnp.sqrt(jnp.maximum(jnp.sum(way**2, axis=-1, keepdims=True), 1e-12))
    return hands + way * jnp.minimum(1.0, most / length)


def plan_of(walk: Array, hands: Array, knee: Array) -> Plan:
    """The walker's plan that holds these until the next tick."""
    ones = jnp.ones_like(knee)
    return Plan(
        cmd=walk,
        dur=FOREVER * ones,
        kt=jnp.zeros_like(knee)[..., None],
        kl=hands[..., None, 0, :],
        kr=hands[..., None, 1, :],
        kb=knee[..., None],
        use=ones,
    )


class Spent(struct.PyTreeNode):
    """What was asked for so far: way (..., 2) walked forward and left (m) in time (...) (s), reach (...) farthest of a
    hand from its rest (m), ahead (...) farthest forward (m), knee (...) deepest bend."""

    way: Array
    time: Array
    reach: Array
    ahead: Array
    knee: Array


def nothing_spent(shape: tuple[int, ...]) -> Spent:
    """Of an episode that begins."""
    zeros = jnp.zeros(shape, jnp.float32)
    return Spent(way=jnp.zeros((*shape, 2), jnp.float32), time=zeros, reach=zeros, ahead=zeros, knee=zeros)


def spend(spent: Spent, wanted: Asked, seconds: float) -> Spent:
    """After one more decision that took so long."""
    away = wanted.hands - _like(HOME, wanted.hands)
    return Spent(
        way=spent.way + seconds * wanted.walk[..., :2],
        time=spent.time + seconds * jnp.any(wanted.walk != 0.0, axis=-1).astype(jnp.float32),
        reach=jnp.maximum(spent.reach, jnp.sqrt(jnp.sum(away**2, axis=-1)).max(-1)),
        ahead=jnp.maximum(spent.ahead, wanted.hands[..., 0].max(-1)),
        knee=jnp.maximum(spent.knee, wanted.knee),
    )


def acted(spent: Spent, rules: Thresholds) -> Array:
    """Which action it amounts to: (...) index of `recover.ACTS`, by the rule of section 11 on all that was asked for.

    The walking command of a plan is here the mean command of the decisions that walked.

    Args:
        spent: so far. rules: thresholds.
    """
    speed = spent.way / jnp.maximum(spent.time, EPS)[..., None]
    back, aside, forth = -spent.way[..., 0], jnp.abs(spent.way[..., 1]), speed[..., 0]
    retreats = (-speed[..., 0] >= rules.retreat_speed - EPS) & (back >= rules.dodge_distance - EPS)
    sidesteps = (jnp.abs(speed[..., 1]) >= rules.sidestep_speed - EPS) & (aside >= rules.dodge_distance - EPS)
    crouches = spent.knee >= rules.crouch - EPS
    never = jnp.zeros_like(crouches)
    braces = crouches & (spent.ahead <= rules.brace_reach + EPS) if rules.brace else never
    clauses = (
        (retreats | sidesteps | (crouches if rules.crouch_is_dodge else never), DODGE),
        (braces, BRACE),
        ((spent.reach >= rules.hand_reach - EPS) | (forth >= rules.advance_speed - EPS), CATCH),
    )
    found = jnp.full(crouches.shape, ACTS.index(NONE), jnp.int32)
    for holds, act in reversed(clauses):
        found = jnp.where(holds, jnp.int32(ACTS.index(act)), found)
    return found


def _like(constant: object, array: Array) -> Array:
    value = np.asarray(constant, np.float32)
    return jnp.asarray(value.reshape((1,) * (array.ndim - value.ndim) + value.shape))
