"""Is a walking policy good enough? (`accept` is the command.)

Measures a policy on the scenarios, on random plans, on the mixture it is trained with and under shoves that it has
never met, and compares the numbers with the limits of the humanoid specification, section 11.4, and with the teacher's.
The numbers of the shipped policy and of its teacher lie beside the checkpoint, so that a policy can be judged without
the teacher.
"""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jaxphys.humanoid import checkpoint, scenarios
from jaxphys.humanoid.measures import hand_error, mean_velocity, turned_by
from jaxphys.humanoid.pushes import kicks, push, shoves
from jaxphys.humanoid.robot import Robot
from jaxphys.humanoid.rollouts import Trajectories, rollout
from jaxphys_kernels.humanoid.plan import Plan
from jaxphys_kernels.humanoid.policy import Weights

REPORT = "acceptance.json"
"""Beside the weights of a checkpoint: numbers of the policy and of its teacher."""

WALK = 3.0
"""Walking time of the scenarios (s)."""

Numbers = Mapping[str, float]

HARD_SEED, SHOVE_SEED = 2000, 3000

FIXED: Mapping[str, float] = {
    "scenarios: falls": 0,
    "plans 0: falls": 0,
    "plans 1: falls": 0,
    "stand drift: mean (m/s)": 0.03,
    "stand drift: max (m/s)": 0.06,
    "velocity error: mean (m/s)": 0.10,
    "velocity error: max (m/s)": 0.25,
    "yaw error: mean (rad)": 0.06,
    "yaw error: max (rad)": 0.30,
    "mixture: share of falls": 0.04,
}
"""Largest numbers of any policy (section 11.4)."""

ADDED: Mapping[str, float] = {
    **{f"plans {seed}: hand error at {at} s, mean (m)": 0.003 for seed in (0, 1) for at in (0.4, 0.9)},
    **{f"plans {seed}: hand error at {at} s, p95 (m)": 0.010 for seed in (0, 1) for at in (0.4, 0.9)},
    "shoves: share of falls": 0.03,
}
"""How much more than the teacher's a number may be."""

TIMES: Mapping[str, float] = {"mean": 1.15, "max": 1.3}
"""How many times the teacher's a number may be, by its last word before the unit."""


class Verdict(NamedTuple):
    """A number, the most it may be, and the teacher's."""

    name: str
    value: float
    limit: float
    teacher: float

    @property
    def met(self) -> bool:
        """Whether it is good enough."""
        return self.value <= self.limit


def measure(robot: Robot, weights: Weights, *, mixture: int = 640, shoved: int = 500) -> dict[str, float]:
    """All numbers of a policy; about 200,000 control ticks.

    Args:
        robot: alone in its model.
        weights: of the policy.
        mixture: runs of the mixture it may have been trained with.
        shoved: runs with shoves.
    """
    numbers = _walking(robot, weights, scenarios.grid(), "scenarios")
    for seed in (0, 1):
        numbers |= _reaching(robot, weights, seed)
    numbers["mixture: share of falls"] = _fallen(robot, weights, mixture, HARD_SEED)
    numbers["shoves: share of falls"] = _fallen(robot, weights, shoved, SHOVE_SEED)
    return numbers


def validate(robot: Robot, weights: Weights) -> dict[str, float]:
    """Numbers that choose among the rounds of a training, on plans that serve nothing else."""
    plans = [scenarios.validation_plans(seed) for seed in scenarios.VALIDATION_SEEDS]
    return _walking(robot, weights, scenarios.joined(plans), "validation")


def score(numbers: Numbers) -> float:
    """Smaller is better: falls count most, then the errors relative to their limits."""
    # Means only: the largest error among hard plans is one robot's luck.
    errors = ("stand drift: mean (m/s)", "velocity error: mean (m/s)", "yaw error: mean (rad)")
    return numbers["validation: falls"] + sum(numbers[name] / FIXED[name] for name in errors) / len(errors)


def judge(numbers: Numbers, of_teacher: Numbers) -> list[Verdict]:
    """Every number with a limit; where there are several, the strictest counts.

    Args:
        numbers: of the policy.
        of_teacher: of its teacher.
    """
    verdicts = []
    for name, value in numbers.items():
        other = of_teacher[name]
        limits = [table[name] + base for table, base in ((FIXED, 0.0), (ADDED, other)) if name in table]
        limits += [times * other for word, times in TIMES.items() if f"{word} (" in name]
        if limits:
            verdicts.append(Verdict(name, value, min(limits), other))
    return verdicts


def table(verdicts: list[Verdict]) -> str:
    """Markdown."""
    said = {True: "yes", False: "**no**"}
    rows = [
        f"| {each.name} | {each.value:.4f} | {each.teacher:.4f} | {each.limit:.4f} | {said[each.met]} |"
        for each in verdicts
    ]
    return "\n".join(["| | policy | teacher | limit | met |", "|---|---|---|---|---|", *rows]) + "\n"


def _walking(robot: Robot, weights: Weights, plans: Plan, label: str) -> dict[str, float]:
    """Falls, drift, velocities, heading and hands of plans that walk for `WALK` (section 8.3)."""
    run = rollout(robot, weights, plans, seconds=WALK, settle=1.0, backend="c")
    moves = np.abs(plans.cmd).max(-1) > 0
    velocity = np.linalg.norm(mean_velocity(run.times, run.qpos, run.qvel) - plans.cmd[:, :2], axis=-1)
    yaw = np.abs(turned_by(run.times, run.qpos) - plans.cmd[:, 2] * WALK)
    numbers: dict[str, float] = {f"{label}: falls": float(run.fell.sum())}
    for name, unit, errors in (
        ("stand drift", "m/s", velocity[~moves]),
        ("velocity error", "m/s", velocity[moves]),
        ("yaw error", "rad", yaw[moves]),
    ):
        numbers |= {f"{name}: {word} ({unit})": float(of(errors)) for word, of in (("mean", np.mean), ("max", np.max))}
    # The tick that ends at the key frame, as in the tables of the specification.
    first = float(plans.kt[0, 0]) - robot.config.tick
    late = np.flatnonzero(run.times > WALK / 2)
    held = np.mean([_hands(run, plans, float(run.times[k]), -1) for k in late[::4]])
    numbers["hands at the key frame: mean (m)"] = float(np.nanmean(_hands(run, plans, first, 0)))
    numbers["hands after 1.5 s: mean (m)"] = float(held)
    return numbers


def _reaching(robot: Robot, weights: Weights, seed: int) -> dict[str, float]:
    """Falls and hand errors of 64 random plans (section 8.5)."""
    plans = scenarios.random_plans(64, seed)
    run = rollout(robot, weights, plans, seconds=1.5, backend="c")
    numbers = {f"plans {seed}: falls": float(run.fell.sum())}
    for key, t in enumerate((0.4, 0.9)):
        errors = _hands(run, plans, t, key)
        what = f"plans {seed}: hand error at {t} s"
        numbers |= {f"{what}, mean (m)": float(errors.mean()), f"{what}, max (m)": float(errors.max())}
        numbers[f"{what}, p95 (m)"] = float(np.percentile(errors, 95))
    return numbers


def _hands(run: Trajectories, plans: Plan, t: float, key: int) -> np.ndarray:
    """Errors of all hands that a plan drives (m)."""
    errors = hand_error(run.times, run.qpos, run.palms, plans, t, key)
    return np.asarray(errors[np.isfinite(errors)])


def _fallen(robot: Robot, weights: Weights, count: int, seed: int) -> float:
    """Share of disturbed runs of 3 s that end in a fall; kicks at one seed, shoves at the other."""
    rng = np.random.default_rng(seed)
    settled = round(robot.config.settle / robot.config.tick)
    ticks = settled + round(2.5 / robot.config.tick)
    plans = scenarios.mixture(rng, count)
    starts = scenarios.noisy_starts(rng, count)
    pushes = kicks(rng, ticks, count) if seed == HARD_SEED else shoves(rng, ticks, count, settled)
    each_tick = functools.partial(push, pushes)
    run = rollout(robot, weights, plans, seconds=2.5, start=starts, each_tick=each_tick, backend="c")
    return float(run.fell.mean())


def stored(folder: Path = checkpoint.STUDENT) -> dict[str, dict[str, float]]:
    """Numbers beside a checkpoint: `policy` and `teacher`.

    Raises:
        FileNotFoundError: there are none.
    """
    numbers: dict[str, dict[str, float]] = json.loads((folder / REPORT).read_text(encoding="utf-8"))
    return numbers
