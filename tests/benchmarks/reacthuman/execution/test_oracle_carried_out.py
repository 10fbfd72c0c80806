"""What comes of the oracle's plans over the published mix, and the cone of the shared model; minutes."""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.execution import ExecutionConfig, Outcome, execute
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.nearest import FINE, nearest
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.reaching import SHOULDERS
from jaxphys_benchmarks.reacthuman.simulate import simulate
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.tracking import story
from jaxphys_benchmarks.reacthuman.walking import displaced
from tests.benchmarks.reacthuman.asked_scenes import CATCH, DODGE
from tests.benchmarks.reacthuman.execution.executed_scenes import plan_of_oracle

EVENT = {"preset": "published_306", "timing": "event", "lead": "constant", "lead_constant": 0.9}
REACH = 0.45
"""Of a palm from its shoulder (m)."""
CAUGHT, DODGED = 0.70, 0.95
"""Least shares."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


class Case(NamedTuple):
    spec: ReactHumanSpec
    labels: Labels
    plan: Plan
    outcome: Outcome


@functools.cache
def cases() -> tuple[Case, ...]:
    benchmark = ReactHuman(**EVENT)
    specs = benchmark.sample(0, benchmark.config.scenes_per_family)
    labels = benchmark.label(specs, *benchmark.simulate(specs))
    plans = [plan_of_oracle(benchmark, spec, truth) for spec, truth in zip(specs, labels, strict=True)]
    outcomes, _ = execute(specs, labels, plans, ExecutionConfig(seconds=3.0, record_steps=0))
    return tuple(map(Case, specs, labels, plans, outcomes))


def of(action: str) -> list[Case]:
    return [case for case in cases() if case.labels.correct_action == action]


def within_reach(case: Case) -> bool:
    """The point of impact lies within reach of a shoulder after the commanded walk."""
    spec, point = case.spec, case.labels.impact_point
    if point is None or case.labels.tti is None:
        return False
    forward, left, _ = case.plan.walking_cmd
    time = min(case.plan.walking_duration, case.labels.tti)
    ahead, aside = displaced((forward, left), np.array([time]))[0]
    place = np.array([point[1] - spec.robot.y - ahead, spec.robot.x - point[0] - aside, point[2] - spec.robot.z])
    return bool(np.linalg.norm(place - np.array(SHOULDERS), axis=1).min() <= REACH)


def keeps_clear(chosen: Sequence[Case]) -> list[bool]:
    """Whether a root that moves at the measured speed, as its plan says, clears all that the hazard sweeps."""
    found: dict[int, bool] = {}
    for run in simulate([case.spec for case in chosen]):
        told = story(run)
        for row, place in enumerate(run.places.tolist()):
            spec, plan = chosen[place].spec, chosen[place].plan
            steps = np.arange(max(spec.timing.freeze_step, 0), len(run.time))
            times = np.minimum((steps - spec.timing.freeze_step) * run.dt, plan.walking_duration)
            gone = displaced((plan.walking_cmd[0], plan.walking_cmd[1]), times)
            least = np.inf
            for body in range(len(spec.scene.things)):
                pos = told.pos[row, steps, body] + np.stack([gone[:, 1], -gone[:, 0], 0 * times], axis=-1)
                radius, height = spec.judging.robot_radius, spec.judging.robot_height
                _, away = nearest(
                    int(told.shape[row, body]),
                    told.size[row, body][None],
                    pos[None],
                    told.quat[row, steps, body][None],
                    np.array([[spec.robot.x, spec.robot.y]]),
                    (radius, height - radius),
                    FINE,
                )
                least = min(least, float(away.min()) - radius)
            found[place] = least > 0
    return [found[k] for k in range(len(chosen))]


def test_catches_within_reach_reach_a_hand() -> None:
    catches = of(CATCH)
    assert len(catches) >= 60
    near = [case for case in catches if within_reach(case)]
    assert len(near) >= 20
    assert np.mean([case.outcome.reached for case in near]) >= CAUGHT


def test_dodges_that_can_be_made_are_made() -> None:
    dodges = of(DODGE)
    assert len(dodges) >= 60
    can = [case for case, clear in zip(dodges, keeps_clear(dodges), strict=True) if clear]
    assert len(can) >= 60
    assert np.mean([not case.outcome.touched for case in can]) >= DODGED


def test_nobody_falls_untouched() -> None:
    assert [case.spec.id for case in cases() if case.outcome.fell and not case.outcome.touched] == []


@pytest.mark.parametrize(("cone", "iterations"), [("elliptic", 25), ("elliptic", 50)])
def test_the_controller_stands_the_cone_of_the_scenes(cone: str, iterations: int) -> None:
    """The 36 scenarios of the humanoid specification, section 8.3, at 1/960 s."""
    import mujoco

    from jaxphys.humanoid import checkpoint, measures
    from jaxphys.humanoid.config import HumanoidConfig
    from jaxphys.humanoid.robot import robot_of, robot_spec
    from jaxphys.humanoid.rollouts import rollout
    from jaxphys.humanoid.scenarios import grid

    config, plans = HumanoidConfig(timestep=1 / 960, steps_per_tick=20), grid()
    model = robot_spec(config)
    model.option.cone, model.option.iterations = getattr(mujoco.mjtCone, f"mjCONE_{cone.upper()}"), iterations
    model.option.tolerance = 1e-10
    run = rollout(robot_of(model.compile(), config), checkpoint.policy("student"), plans, seconds=3.0, settle=1.0)
    assert not run.fell.any()
    velocity = measures.mean_velocity(run.times, run.qpos, run.qvel, 1.0)
    stands = np.abs(plans.cmd).max(axis=1) == 0
    assert np.linalg.norm(velocity[stands], axis=1).max() < 0.06
    assert np.linalg.norm(velocity - plans.cmd[:, :2], axis=1)[~stands].mean() < 0.1
