"""What is asked: complete, fair, without labels."""

import json
from typing import Any

import pytest

from jaxphys_benchmarks.billiardphys import prompts
from jaxphys_benchmarks.billiardphys.perturb import STYLES
from jaxphys_benchmarks.billiardphys.prompts import Keys, ask
from jaxphys_benchmarks.protocol import AskOptions, Question, View
from jaxphys_kernels.billiards.model import WALLS
from tests.benchmarks.billiardphys.answers import START, scene


def texts(spec: Any = None, **options: Any) -> list[str]:
    return [question.prompt for question in ask(spec or scene(), AskOptions(**options))]


@pytest.mark.parametrize("text", texts())
@pytest.mark.parametrize(
    "part",
    [
        "0 <= x <= 2", "0 <= y <= 1", "4 balls", "ids 0 to 3", "radius 0.03 m", "TOP (y = 1)", "BOTTOM (y = 0)",
        "LEFT (x = 0)", "RIGHT (x = 2)", "t = 2 s", "mu = 0.002", "g = 9.8", "0.0196", "sqrt(v0^2 - 2 mu g s)",
        "v0^2 / (2 mu g)", "elastic", "no pockets", "0.25 m of length for each 1 m/s", "one JSON object", "ball 0 is",
    ],
)  # fmt: skip
def test_every_prompt_states_the_scene_and_the_laws(text: str, part: str) -> None:
    assert part.lower() in text.lower()


def test_each_task_demands_an_object_with_its_key() -> None:
    for text, key, parts in zip(
        texts(), ("Q1", "Q2", "predictions"), (("1", "2", "3"), WALLS, ("0", "1", "2", "3")), strict=True
    ):
        form = next(line for line in text.splitlines() if line.startswith("{"))
        assert form.startswith(f'{{"{key}": [')
        assert form.endswith("]}")
        assert all(part in form for part in parts)
        example = form.replace(": A}", ': "T"}').replace("[x, y]", "[1, 0.5]")
        assert len(json.loads(example)[key]) == len(parts)
    assert '{"hits": [' in ask(scene(), AskOptions(), Keys(task1="hits"))[0].prompt


def test_chain_of_thought_is_on_for_tasks_1_and_2_unless_overridden() -> None:
    for override, expected in ((None, (True, True, False)), (True, (True,) * 3), (False, (False,) * 3)):
        asked = ask(scene(), AskOptions(chain_of_thought=override))
        assert tuple(question.chain_of_thought for question in asked) == expected
        for question in asked:
            assert ("step by step" in question.prompt) == question.chain_of_thought
            assert ("without any other text" in question.prompt) != question.chain_of_thought


@pytest.mark.parametrize(
    ("mode", "present", "absent"),
    [
        ("none", "the longer the arrow", ("0.25", "0.6000")),
        ("arrow_scale_in_prompt", "0.25 m of length for each 1 m/s", ("0.6000",)),
        ("number_in_prompt", "v0 = 0.6000 m/s", ("0.25",)),
        ("number_in_image", "written in the picture", ("0.25", "0.6000")),
    ],
)
def test_the_cue_speed_is_told_as_configured(mode: str, present: str, absent: tuple[str, ...]) -> None:
    for text in texts(scene(cue_speed_text=mode)):
        assert present in text.lower()
        assert not any(part in text for part in absent)


@pytest.mark.parametrize("mode", ["none", "arrow_scale_in_prompt", "number_in_prompt", "number_in_image"])
def test_without_a_picture_nothing_refers_to_one(mode: str) -> None:
    for options in (AskOptions(image=False), AskOptions(text_only=True)):
        for question in ask(scene(cue_speed_text=mode), options):
            assert question.view is None
            assert "picture" not in question.prompt
            assert ("arrow" in question.prompt) == options.text_only
            assert ("0.6000 m/s" in question.prompt) == (
                mode == "number_in_prompt" or (mode == "number_in_image" and options.text_only)
            )


def test_positions_are_text_only_in_the_text_only_mode() -> None:
    for text in texts(text_only=True):
        for ball, (x, y) in enumerate(START):
            assert f"ball {ball} ({x:.4f}, {y:.4f})" in text
        assert "(0.6500, 0.5000)" in text  # the tip of the arrow: 0.5 + 0.25 · 0.6
    for options in ({}, {"image": False}):
        assert not any("1.5000" in text or "0.2000" in text for text in texts(**options))
    assert all(question.view == View("initial") for question in ask(scene()))


def test_null_is_explained_only_where_it_can_be_right() -> None:
    assert "null" not in texts()[2]
    assert "write null" in texts(scene(pockets=True))[2]
    assert "null is not accepted" in texts(scene(pockets=True), force_numeric=True)[2]
    assert "(0, 0) within 0.06 m" in texts(scene(pockets=True))[0]


def test_without_friction_no_friction_law_is_given() -> None:
    for text in texts(scene(mu=0.0)):
        assert "no friction" in text.lower()
        assert "s_stop" not in text


def test_the_hash_covers_text_and_template_version(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ask(scene())
    assert [q.prompt_hash for q in asked] == [q.prompt_hash for q in ask(scene())]
    hashes = {q.prompt_hash for q in (*asked, *ask(scene(t=3.0)), *ask(scene(), AskOptions(chain_of_thought=False)))}
    assert len(hashes) == 3 + 3 + 2  # task 3 is asked without reasoning either way
    assert all(len(digest) == 64 for digest in hashes)
    monkeypatch.setattr(prompts, "TEMPLATE_VERSION", "other")
    assert not {q.prompt_hash for q in ask(scene())} & hashes


def facts(question: Question) -> str:
    return json.dumps(dict(question.reads))


@pytest.mark.parametrize("style", STYLES)
def test_questions_follow_the_style_and_can_be_stored(style: str) -> None:
    asked = ask(scene(), AskOptions(view=View("initial", style=style)))
    for question in asked:
        assert json.loads(facts(question)) == question.reads
        assert question.view == View("initial", style=style)
        assert ("back" in question.reads) == (style not in ("plain", "other_colours"))
        assert ("0.15 m of length" in question.prompt) == (style == "other_arrow_scale")


def test_a_mirrored_scene_as_text_is_the_mirrored_one() -> None:
    text = ask(scene(), AskOptions(text_only=True, view=View("initial", style="mirror_x")))[0].prompt
    assert "ball 3 (1.8000, 0.2000)" in text
    assert "(1.3500, 0.5000)" in text  # the arrow points to the left


def test_one_ball_can_be_asked_about() -> None:
    first, _, third = texts(scene(start=((0.5, 0.5),)))
    assert '{"Q1": []}' in first
    assert '{"predictions": [{"id": 0, "pos": [x, y]}]}' in third
