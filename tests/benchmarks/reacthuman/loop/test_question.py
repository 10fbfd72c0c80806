"""Questions of a closed loop: what they say of the robot, what they show, what they never say; values of a journal."""

import json
import re
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.protocol import AskOptions, Question, Reply, Shown, View
from jaxphys_benchmarks.reacthuman import prompts
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.execution.config import ExecutionConfig
from jaxphys_benchmarks.reacthuman.loop import LoopConfig, loop_values
from jaxphys_benchmarks.reacthuman.loop.observation import NORTH
from jaxphys_benchmarks.reacthuman.loop.question import question
from jaxphys_benchmarks.reacthuman.parse import parse
from jaxphys_benchmarks.reacthuman.plan import normalised
from tests.benchmarks.reacthuman import asked_scenes
from tests.benchmarks.reacthuman.asked_scenes import ACTS, CATCH, DODGE, NONE
from tests.benchmarks.reacthuman.loop.loop_scenes import ball, labels, observation

STEP_BACK = normalised({**ACTS[DODGE], "intent": "get away"})
LATER: dict[str, Any] = {
    "number": 2,
    "time": 0.4,
    "root": np.array([0.1, -1.0, 0.74]),
    "yaw": NORTH + np.radians(10),
    "plan": STEP_BACK,
    "begun": 0.2,
}


def asked(options: AskOptions | None = None, config: dict[str, Any] | None = None, **seen: Any) -> Question:
    return question(observation(**seen), options or AskOptions(), ReactHumanConfig(**(config or {})), LoopConfig())


def test_the_first_question_is_that_of_the_scene_but_for_the_outlook() -> None:
    first = asked()
    (own,) = prompts.ask(ball(), AskOptions(), ReactHumanConfig())
    assert (first.id, first.reads, first.view) == (own.id, own.reads, own.view)
    outlook = "it begins to carry out your plan, and looks again every 0.2 s, when you may give it another"
    assert outlook in first.prompt
    assert first.prompt.replace(outlook, "it will carry out your plan as it is, without looking again") == own.prompt
    assert first.prompt_hash != own.prompt_hash


@pytest.mark.parametrize("loop", [LoopConfig(until=0.0), LoopConfig(execution=ExecutionConfig(seconds=0.1))])
def test_who_is_asked_once_is_not_promised_another_look(loop: LoopConfig) -> None:
    once = question(observation(), AskOptions(), ReactHumanConfig(), loop)
    (own,) = prompts.ask(ball(), AskOptions(), ReactHumanConfig())
    assert once.prompt == own.prompt
    assert "looks again" not in once.prompt


def test_later_questions_say_what_has_become_of_the_robot() -> None:
    later = asked(**LATER)
    assert later.id == "object_drop/scene_00005/react@2"
    assert "Since you were first asked 0.40 s have passed." in later.prompt
    assert "moved by (-0.20, 0.00) m (forward, left) and turned by 10 degrees left" in later.prompt
    assert "its pelvis is 0.74 m above the floor" in later.prompt
    assert 'For 0.20 s it has been carrying out this plan of yours: {"walking_cmd":[-0.7,0.0,0.0]' in later.prompt
    assert "get away" not in later.prompt
    assert "which moves with it, vertical field of view" in later.prompt
    hands = re.search(r"left and right hands are at \((.*?)\) and \((.*?)\)", later.prompt.split("Since")[1])
    assert hands is not None
    seen = observation(**LATER)
    for told, palm in zip(hands.groups(), seen.to_robot(seen.palms), strict=True):
        assert [float(number) for number in told.split(", ")] == pytest.approx(palm, abs=5e-3)


def test_a_robot_without_a_plan_is_said_to_stand() -> None:
    assert "It stands, as no plan has been given yet." in asked(**{**LATER, "plan": None}).prompt


@pytest.mark.parametrize("seen", [{}, LATER], ids=["first", "later"])
def test_pictures_stand_where_they_are_spoken_of(seen: dict[str, Any]) -> None:
    made = asked(config={"views": ("egocentric", "overhead"), "views_per_query": 2}, **seen)
    shown = [part for part in made.parts if isinstance(part, Shown)]
    assert [one.view for one in shown] == [View(f"{name}_film", frames=5) for name in ("egocentric", "overhead")]
    assert made.prompt.count("5 frames in order, at 0.00, 0.15, 0.30, 0.45, 0.60 s; the last one is now:") == 2
    assert "".join(part for part in made.parts if isinstance(part, str)) == made.prompt
    few = asked(AskOptions(max_images=3), **seen)
    assert "3 frames in order, at 0.00, 0.30, 0.60 s" in few.prompt


@pytest.mark.parametrize("seen", [{}, LATER], ids=["first", "later"])
def test_as_text_the_motion_is_told_and_nothing_shown(seen: dict[str, Any]) -> None:
    made = asked(AskOptions(text_only=True), **seen)
    assert not any(isinstance(part, Shown) for part in made.parts)
    told = observation(**seen)
    now = told.to_robot(told.window.pos[-1, 0])
    place = ", ".join(f"{round(float(value), 2) + 0.0:.2f}" for value in now)
    assert f"0.60 s ({place})" in made.prompt
    assert "- table: does not move" in made.prompt
    assert "Nothing is shown" in asked(AskOptions(image=False), **seen).prompt


def test_nothing_says_what_would_be_right() -> None:
    text = asked(AskOptions(text_only=True), **LATER).prompt
    for word in ("EXECUTE_CATCH", "TRIGGER_DODGE", "impact", "safe"):
        assert word not in text


def test_a_reply_to_a_later_question_is_read_as_any_other() -> None:
    answer = parse(asked(**LATER), Reply(json.dumps(ACTS[CATCH])))
    assert answer.status == "ok"


# What a journal adds to a score.


def entry(begins: float, act: str | None) -> dict[str, Any]:
    plan = None if act is None else normalised(ACTS[act]).model_dump(mode="json")
    return {"number": 0, "time": begins, "begins": begins, "status": "ok" if plan else "no_json", "plan": plan}


@pytest.mark.parametrize(
    ("journal", "exact"),
    [
        ([entry(0.0, NONE), entry(0.2, CATCH), entry(0.4, CATCH)], 1.0),
        # What begins after the impact, 0.475 s from the freeze, comes too late to count.
        ([entry(0.0, CATCH), entry(0.2, NONE), entry(0.6, CATCH)], 0.0),
        ([entry(0.0, CATCH), entry(0.2, None)], 1.0),
        ([entry(0.6, CATCH)], 1.0),
        ([entry(0.0, None)], 0.0),
        ([], 0.0),
    ],
    ids=["last", "too-late", "unread", "all-late", "none", "unasked"],
)
def test_the_last_plan_in_time_counts(journal: list[dict[str, Any]], exact: float) -> None:
    values = loop_values(asked_scenes.question(ball()), labels(), journal)
    answered = sum(one["plan"] is not None for one in journal)
    assert values == {"loop_asked": len(journal), "loop_answered": answered, "loop_exact": exact}
