"""Key frames: minimum-jerk paths of the hands and the knee bend through timed targets (section 6.3, step 6)."""

from types import ModuleType

from jaxphys_kernels.humanoid.arrays import Array
from jaxphys_kernels.humanoid.plan import Plan

SHORTEST = 1e-3
"""Shortest time between key frames (s); closer ones are a jump, which the inverse kinematics and the servos smooth."""


def blend(s: Array) -> Array:
    """Share of the way at share `s` of the time: no velocity and no acceleration at either end."""
    return s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)


def follow(xp: ModuleType, plan: Plan, t: Array, palm0: Array, knee0: Array) -> tuple[Array, Array]:
    """Hand targets (…, 2, 3) in the heading frame (m) and knee bend (…) at time `t`.

    They start at t = 0, rest for an instant at each key frame, and stay at the last.

    Args:
        xp: numpy or jax.numpy.
        plan: of the robots.
        t: time since the plan began (…) or one for all (s).
        palm0: palms (…, 2, 3) when it began, in the heading frame.
        knee0: knee bend (…) when it began.
    """
    targets = xp.stack([plan.kl, plan.kr], -2)
    hands, knee = palm0, knee0
    before, from_hands, from_knee = xp.zeros_like(knee0), palm0, knee0
    for k in range(plan.kt.shape[-1]):
        at, to_hands, to_knee = plan.kt[..., k], targets[..., k, :, :], plan.kb[..., k]
        way = blend(xp.clip((t - before) / xp.maximum(at - before, SHORTEST), 0.0, 1.0))
        hands = hands + way[..., None, None] * (to_hands - from_hands)
        knee = knee + way * (to_knee - from_knee)
        before, from_hands, from_knee = at, to_hands, to_knee
    return hands, knee
