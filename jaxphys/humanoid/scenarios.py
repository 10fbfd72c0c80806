"""Plans and starts on which a walking policy is trained, chosen and judged.

Batches are `Plan`s of float64 NumPy leaves with b robots in front, times in s from the start of the plan, hands in the
heading frame (m). What a policy is judged by is drawn from seeds of its own and never trained on (humanoid
specification, sections 8.3, 8.5 and 11).
"""

from collections.abc import Sequence

import jax
import numpy as np
from numpy.typing import NDArray

from jaxphys_kernels.humanoid.joints import DEFAULT, STAND
from jaxphys_kernels.humanoid.plan import Plan

Array = NDArray[np.float64]

COMMANDS = ((0, 0, 0), (0.5, 0, 0), (-0.7, 0, 0), (0, 0.4, 0), (0, -0.4, 0), (0, 0, 0.8))
"""v_x, v_y (m/s), ω_z (rad/s) of the scenarios."""

HANDS: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]] | None] = {
    "none": None,
    "f5": ((0.5, 0.12, 1.0), (0.5, -0.12, 1.0)),
    "f5l": ((0.5, 0.12, 0.8), (0.5, -0.12, 0.8)),
    "hi": ((0.3, 0.15, 1.45), (0.3, -0.15, 1.45)),
    "lo": ((0.4, 0.15, 0.6), (0.4, -0.15, 0.6)),
    "asym": ((0.1, 0.25, 0.75), (0.45, -0.2, 1.15)),
}
"""Left and right target (m) of the hand settings; None leaves the arms to the policy."""

VALIDATION_SEEDS = (1000, 1001, 1002, 1003)
"""They choose among the last rounds of a training and serve nothing else."""

LONGEST = 8.0
"""Walking time (s) in training: half of the walks outlast the run. Standing is learnt with a third of the data."""

MIDDLE, STRETCH = 1.0, 1.25
"""Heights of hands (m) are stretched about the middle in training: nobody is judged at the edge of what was seen."""

NEAR = 0.05
"""Standard deviation (m) of where the hands are that go to one place, mirrored."""

JOINT_NOISE = 0.03
"""Standard deviation (rad) of the joints at a start; velocities get three times the number (rad/s, m/s)."""

LIFT = 0.01
"""Height (m) above the stand at a noisy start, so that no foot begins inside the floor."""


def grid() -> Plan:
    """The 36 scenarios: six commands × six hand settings, 3 s of walking, one key frame at 0.5 s held to the end."""
    rows = [(command, hands) for command in COMMANDS for hands in HANDS.values()]
    idle = HANDS["hi"]
    assert idle is not None
    targets = np.array([hands or idle for _, hands in rows])
    n = len(rows)
    return Plan(
        cmd=np.array([command for command, _ in rows], float),
        dur=np.full(n, 3.0),
        kt=np.full((n, 1), 0.5),
        kl=targets[:, None, 0],
        kr=targets[:, None, 1],
        kb=np.zeros((n, 1)),
        use=np.array([float(hands is not None) for _, hands in rows]),
    )


def random_plans(count: int, seed: int) -> Plan:
    """Reachable targets at 0.4 and 0.9 s, six commands in turn for 1.2 s, every seventh plan without hands (8.5)."""
    rng = np.random.default_rng(seed)
    left, right = (_hands(rng, count, side, (0.2, 0.42), (0.1, 0.3), (0.75, 1.25)) for side in (1, -1))
    return Plan(
        cmd=np.array(COMMANDS, float)[np.arange(count) % len(COMMANDS)],
        dur=np.full(count, 1.2),
        kt=np.tile([0.4, 0.9], (count, 1)),
        kl=left,
        kr=right,
        kb=rng.uniform(0, 0.6, (count, 2)),
        use=np.where(np.arange(count) % 7 == 0, 0.0, 1.0),
    )


def mixture(rng: np.random.Generator, count: int) -> Plan:
    """The hard mixture of section 11.2: any direction, hands in and out of reach, knees bent in half of the plans."""
    command = rng.uniform(-1, 1, (count, 3)) * (1, 0.6, 1) * (rng.random((count, 3)) < 0.6)
    command[rng.random(count) < 0.25] = 0
    left, right = (_hands(rng, count, side, (0.05, 0.5), (0.05, 0.35), (0.55, 1.45)) for side in (1, -1))
    first = rng.uniform(0.2, 0.8, count)
    return Plan(
        cmd=command,
        dur=rng.uniform(0.3, 2.5, count),
        kt=np.stack([first, first + rng.uniform(0.2, 0.8, count)], -1),
        kl=left,
        kr=right,
        kb=rng.uniform(0, 1, (count, 2)) * (rng.random((count, 1)) < 0.5),
        use=(rng.random(count) < 0.75).astype(float),
    )


def training_plans(rng: np.random.Generator, count: int) -> Plan:
    """The mixture, with longer walks, hands that go higher and lower, and both hands in one place in half of the plans.

    A robot that walks with both hands high leans most, and is rare if the hands are drawn one by one.
    """
    plans = mixture(rng, count)
    beside = plans.kl * (1, -1, 1) + rng.normal(0, NEAR, plans.kl.shape)
    together = (rng.random(count) < 0.5)[:, None, None]
    stretch = np.array([1, 1, STRETCH])
    middle = np.array([0, 0, MIDDLE])
    return plans.replace(
        dur=rng.uniform(0.3, LONGEST, count),
        kl=middle + stretch * (plans.kl - middle),
        kr=middle + stretch * (np.where(together, beside, plans.kr) - middle),
    )


def validation_plans(seed: int, count: int = 48) -> Plan:
    """Plans like those of a training, but 3 s of commands that the robot can follow; one in four stands."""
    rng = np.random.default_rng([seed, 1])
    plans = training_plans(rng, count)
    command = rng.uniform(-1, 1, (count, 3)) * (0.7, 0.4, 0.8) * (rng.random((count, 3)) < 0.6)
    command[::4] = 0
    return plans.replace(cmd=command, dur=np.full(count, 3.0))


def joined(plans: Sequence[Plan]) -> Plan:
    """Batches one after another; all with as many key frames."""
    whole: Plan = jax.tree.map(lambda *leaves: np.concatenate(leaves), *plans)
    return whole


def noisy_starts(rng: np.random.Generator, count: int) -> tuple[Array, Array]:
    """qpos (count, 36) and qvel (count, 35) beside the stand."""
    qpos = np.tile(np.asarray(STAND, float), (count, 1))
    qpos[:, 7:] += rng.normal(0, JOINT_NOISE, (count, len(DEFAULT)))
    qpos[:, 2] += LIFT
    return qpos, rng.normal(0, 3 * JOINT_NOISE, (count, 35))


def _hands(
    rng: np.random.Generator,
    count: int,
    side: int,
    x: tuple[float, float],
    y: tuple[float, float],
    z: tuple[float, float],
) -> Array:
    """Two targets (count, 2, 3) of the hand on one side (1 left, -1 right)."""
    drawn = [rng.uniform(*limits, (count, 2)) for limits in (x, y, z)]
    return np.stack([drawn[0], side * drawn[1], drawn[2]], -1)
