"""The reward: dense distances, and the safety rules (ReactHuman specification, sections 12, 13 and 17).

Where the right answer is a catch, hands are paid for closing in on the point of impact, which is HDE's closing
distance made dense, for being there when the object is, and for touching and holding it. Where it is a dodge, the robot
is paid for getting away from that point, and pays for being touched. Everywhere it pays for a fall, for moving more
than it must, and at the end for a broken safety rule. Pure functions of arrays (..., ); `xp` is numpy or jax.numpy.

Public: `Terms`, `Seen`, `reward`, `broken`.
"""

from types import ModuleType
from typing import NamedTuple

import numpy as np
from pydantic import Field

from jaxphys_benchmarks.reacthuman.recover import ACTS, BRACE, CATCH, DODGE, NONE
from jaxphys_benchmarks.reacthuman.rules import RULES
from jaxphys_benchmarks.reacthuman.scene import Part
from jaxphys_kernels.humanoid.arrays import Array

SAFETY = ("safe", "caution", "dangerous")
"""Safety labels by index."""

TRUTHS = (CATCH, DODGE, BRACE, NONE)
"""Right actions by index."""


class Terms(Part):
    """Weights of the reward, all at least 0.

    Attributes:
        closing: per metre that the nearer hand comes closer to the point of impact, later to the object (catch).
            meeting: times exp(-(d/width)²) of its distance d at the time of impact; width: m.
            touching: for the first touch with a hand; held: per second in which the object rests in a hand.
        clearing: per metre that the robot gets farther from the point of impact, up to `clear` metres (dodge).
            hit: lost at the first touch (dodge), or at the first that is not of a hand (catch).
        fall: lost by a fall. rule: lost by a broken safety rule. effort: lost per second of full command.
    """

    closing: float = Field(default=2.0, ge=0)
    meeting: float = Field(default=3.0, ge=0)
    width: float = Field(default=0.15, gt=0)
    touching: float = Field(default=2.0, ge=0)
    held: float = Field(default=4.0, ge=0)
    clearing: float = Field(default=2.0, ge=0)
    clear: float = Field(default=1.2, gt=0)
    hit: float = Field(default=3.0, ge=0)
    fall: float = Field(default=5.0, ge=0)
    rule: float = Field(default=3.0, ge=0)
    effort: float = Field(default=0.05, ge=0)


class Seen(NamedTuple):
    """What one decision led to; arrays (...).

    Attributes:
        truth: index of `TRUTHS`. closed: by how much the nearer hand came closer (m). meets: the time of impact lay in
            it, and gap: distance of the nearer hand from the point of impact then (m). hand, other: first touch of a
            hand, of another part. holding: time for which the object rested in a hand (s).
            before, after: horizontal distance of the robot's root from the point of impact (m).
        threat: there is a point of impact. fell: it fell. wrong: a safety rule was broken, told at the end.
        effort: command, 0 to 1, times its time (s).
    """

    truth: Array
    closed: Array
    meets: Array
    gap: Array
    hand: Array
    other: Array
    holding: Array
    before: Array
    after: Array
    threat: Array
    fell: Array
    wrong: Array
    effort: Array


def reward(xp: ModuleType, seen: Seen, terms: Terms) -> Array:
    """The reward (...) of a decision.

    Args:
        xp: numpy or jax.numpy. seen: what it led to. terms: weights.
    """

    def number(truth: Array) -> Array:
        return xp.asarray(truth).astype(seen.closed.dtype)

    catch, none = seen.truth == TRUTHS.index(CATCH), seen.truth == TRUTHS.index(NONE)
    met = number(seen.meets) * xp.exp(-((seen.gap / terms.width) ** 2))
    caught = (
        terms.closing * seen.closed * number(seen.threat)
        + terms.meeting * met
        + terms.touching * number(seen.hand)
        + terms.held * seen.holding
        - terms.hit * number(seen.other)
    )
    away = xp.minimum(seen.after, terms.clear) - xp.minimum(seen.before, terms.clear)
    cleared = terms.clearing * away * number(seen.threat) - terms.hit * number(seen.hand | seen.other)
    own = xp.where(catch, caught, xp.where(none, xp.zeros_like(caught), cleared))
    return own - terms.fall * number(seen.fell) - terms.rule * number(seen.wrong) - terms.effort * seen.effort


_BROKEN = np.array(
    [
        [[any(rule(act, truth, safety) for rule in RULES.values()) for safety in SAFETY] for truth in TRUTHS]
        for act in ACTS
    ]
)
"""Whether an action breaks a safety rule, by (action, right action, safety label): section 12 as a table."""


def broken(xp: ModuleType, act: Array, truth: Array, safety: Array) -> Array:
    """Whether (...) a safety rule is broken.

    Args:
        xp: numpy or jax.numpy. act: index of `recover.ACTS`. truth: of `TRUTHS`. safety: of `SAFETY`.
    """
    return xp.asarray(_BROKEN)[act, truth, safety]
