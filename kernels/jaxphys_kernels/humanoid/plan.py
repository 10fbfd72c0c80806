"""What a robot is asked to do: walk for a while, bring both hands to timed targets, bend the knees.

Humanoid specification, section 6.1. Hand targets are in the heading frame of section 6.2: origin on the ground below
the pelvis, x forward along the pelvis' heading, y to the left, z up from the ground.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import jax
import numpy as np
from flax import struct

from jaxphys_kernels.humanoid.arrays import Array, tame

LARGEST = 1e3
"""Largest number taken from a plan."""


class Plan(struct.PyTreeNode):
    """Plans of robots, K key frames each.

    cmd (…, 3) forward and sideways velocity (m/s) and turning rate (rad/s); dur (…) walking time (s); kt (…, K) rising
    times of the key frames (s); kl and kr (…, K, 3) targets of the left and the right palm (m); kb (…, K) knee bend
    0 … 1; use (…) 1 where the plan drives hands and knees, 0 where the policy does.
    """

    cmd: Array
    dur: Array
    kt: Array
    kl: Array
    kr: Array
    kb: Array
    use: Array


def readable(xp: ModuleType, plan: Plan) -> Plan:
    """The plan with finite numbers, at most 1,000, and a share from 0 to 1; what is missing or infinite is 0."""
    tamed: Plan = jax.tree.map(lambda leaf: tame(xp, leaf, LARGEST), plan)
    return tamed.replace(use=xp.clip(tamed.use, 0.0, 1.0))


def pad(plan: Plan, k: int) -> Plan:
    """The plan with its last key frame repeated until there are `k` of them, which changes nothing; NumPy.

    Raises:
        ValueError: the plan has no key frame, or more than `k`.
    """
    have = plan.kt.shape[-1]
    if not 1 <= have <= k:
        raise ValueError(f"kt: {have} key frames cannot be padded to {k}; give 1 to {k} of them")

    def longer(values: Array, axis: int) -> Array:
        last = np.take(values, [-1], axis)
        return np.concatenate([values, *[last] * (k - have)], axis)

    return plan.replace(kt=longer(plan.kt, -1), kl=longer(plan.kl, -2), kr=longer(plan.kr, -2), kb=longer(plan.kb, -1))


def stack(plans: Sequence[Plan], k: int | None = None) -> Plan:
    """One batch (b, …) of single plans, padded to `k` key frames or to those of the longest; NumPy.

    Raises:
        ValueError: there are no plans, or one has no key frame or more than `k`.
    """
    if not plans:
        raise ValueError("plans: none given; stack at least one")
    most = max(plan.kt.shape[-1] for plan in plans) if k is None else k
    padded = [pad(plan, most) for plan in plans]
    batch: Plan = jax.tree.map(lambda *leaves: np.stack([np.asarray(leaf) for leaf in leaves]), *padded)
    return batch


def stand(xp: ModuleType, batch: tuple[int, ...] = (), k: int = 1, dtype: Any = None) -> Plan:
    """Plans of robots that stand and leave their arms to the policy.

    Args:
        xp: numpy or jax.numpy.
        batch: leading shape.
        k: number of key frames, whose targets are never used.
        dtype: floating-point type; float32 by default.
    """

    def zeros(*shape: int) -> Array:
        return xp.zeros(batch + shape, xp.float32 if dtype is None else dtype)

    return Plan(cmd=zeros(3), dur=zeros(), kt=zeros(k), kl=zeros(k, 3), kr=zeros(k, 3), kb=zeros(k), use=zeros())
