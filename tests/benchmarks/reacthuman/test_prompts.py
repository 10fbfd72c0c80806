"""The question: what it says, what it shows, what it never says, and what it leaves for parser and score."""

import json
import re

import pytest

from jaxphys_benchmarks.protocol import AskOptions, Shown, View
from jaxphys_benchmarks.reacthuman import prompts
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.picture import FILMS, VIEWS
from jaxphys_benchmarks.reacthuman.spec import Timing
from tests.benchmarks.reacthuman.asked_scenes import question, spec

PICTURES = AskOptions()


def test_the_texts_of_the_parts_are_the_prompt() -> None:
    asked = question(options=PICTURES)
    assert "".join(part for part in asked.parts if isinstance(part, str)) == asked.prompt
    assert (asked.id, asked.scene, asked.task) == ("object_drop/scene_00005/react", "object_drop/scene_00005", "react")
    assert prompts.TASKS == ("react",)
    assert prompts.STYLES[0] == "plain"


@pytest.mark.parametrize("count", [1, 2, 3])
def test_one_to_three_views_of_five_frames(count: int) -> None:
    asked = question(options=PICTURES, views=VIEWS, views_per_query=count)
    shown = [part for part in asked.parts if isinstance(part, Shown)]
    assert [one.view for one in shown] == [View(f"{name}_film", frames=5) for name in VIEWS[:count]]
    assert all(one.view.kind in FILMS for one in shown)
    assert all(one.spec == spec() for one in shown)
    assert asked.prompt.count("0.00, 0.15, 0.30, 0.45, 0.60 s; the last one is now") == count
    assert asked.view == shown[0].view
    assert asked.reads["views"] == list(VIEWS[:count])


def test_views_are_told_in_the_robots_frame() -> None:
    text = question(options=PICTURES, views=VIEWS, views_per_query=3).prompt
    assert (
        "its head camera, at (0.10, 0.00, 0.46), looking 0 degrees left of forward and 32 degrees down,"
        " vertical field of view 62" in text
    )
    assert "the floor is at up = -0.79" in text
    assert "at (0.10, 0.15, 0.00) and (0.10, -0.15, 0.00)" in text
    assert "seen from above" in text


def test_fewer_images_mean_fewer_frames_that_are_told_as_such() -> None:
    asked = question(options=AskOptions(max_images=9), views=VIEWS, views_per_query=3)
    assert asked.reads["frames"] == 3
    assert asked.prompt.count("3 frames in order, at 0.00, 0.30, 0.60 s") == 3
    assert question(options=AskOptions(film_frames=2)).prompt.count("2 frames in order, at 0.00, 0.60 s") == 1
    with pytest.raises(ValueError, match="max_images"):
        question(options=AskOptions(max_images=5), views=VIEWS, views_per_query=3)
    with pytest.raises(ValueError, match="film_frames"):
        question(options=AskOptions(film_frames=1))


def test_blind_questions_show_nothing() -> None:
    for options in (AskOptions(image=False), AskOptions(view=View("initial", style="blind"))):
        asked = question(options=options)
        assert asked.view is None
        assert not [part for part in asked.parts if isinstance(part, Shown)]
        assert "Nothing is shown" in asked.prompt
    with pytest.raises(ValueError, match="'sepia' is unknown"):
        question(options=AskOptions(view=View("initial", style="sepia")))


def test_in_words_the_motion_is_given_in_the_robots_frame() -> None:
    asked = question(options=AskOptions(text_only=True))
    assert asked.view is None
    assert "- coffee mug: round, half extents (0.05, 0.05, 0.05)" in asked.prompt
    assert "- table: does not move, centre (1.30, 0.10, -0.04)" in asked.prompt
    # It starts 1 m up over the origin: 0.8 m ahead of the robot, 0.1 m to its left.
    places = re.findall(r"(\d\.\d\d) s \((-?[\d.]+), (-?[\d.]+), (-?[\d.]+)\)", asked.prompt)
    assert [time for time, *_ in places] == ["0.00", "0.15", "0.30", "0.45", "0.60"]
    assert places[0] == ("0.00", "0.80", "0.10", "0.21")
    heights = [float(up) for *_, up in places]
    assert heights[0] > heights[1] > heights[2] > heights[3]


def test_the_scale_of_the_pictures_is_kept() -> None:
    asked = question(options=AskOptions(view=View("initial", scale=0.5)))
    assert asked.view == View("egocentric_film", scale=0.5, frames=5)


@pytest.mark.parametrize(("asked", "ending"), [(None, "Reply with the JSON object only"), (True, "Think step by step"),
                                               (False, "Reply with the JSON object only")])  # fmt: skip
def test_reasoning_is_invited_where_it_is_asked_for(asked: bool | None, ending: str) -> None:
    made = question(options=AskOptions(image=False, chain_of_thought=asked))
    assert made.chain_of_thought is bool(asked)
    assert made.prompt.rstrip().splitlines()[-1].startswith(ending)


def test_the_action_is_not_asked_for_and_nothing_tells_what_is_right() -> None:
    """Neither names of actions, nor properties of the object, nor words of the labels are in the prompt."""
    for options in (PICTURES, AskOptions(image=False)):
        text = question(spec("rolling_ball", "lead_tennis", adversarial=True), options).prompt.lower()
        for word in ("execute_catch", "trigger_dodge", "no_action", "safe", "danger", "heavy", "lead", "mass",
                     "tennis", "adversarial", "rolling", "catch", "dodge"):  # fmt: skip
            assert re.search(rf"\b{word}\b", text) is None, word


def test_in_words_an_adversarial_object_is_called_what_it_looks_like() -> None:
    text = question(spec("rolling_ball", "lead_tennis", adversarial=True), AskOptions(text_only=True)).prompt
    assert "tennis ball" in text
    assert "lead" not in text


def test_the_schema_is_in_the_prompt_with_the_limits_of_the_configuration() -> None:
    text = question(max_vx=0.5, max_keyframes=4).prompt
    assert "at most 0.5 and 0.6 either way" in text
    schema = json.loads(text.split("Its JSON schema:\n")[1].splitlines()[0])
    assert schema["properties"]["keyframes"]["maxItems"] == 4
    assert schema["required"] == ["walking_cmd", "keyframes"]


def test_the_hash_covers_the_version_and_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    first, same, other = question(), question(), question(max_vx=0.5)
    assert first.prompt_hash == same.prompt_hash != other.prompt_hash
    monkeypatch.setattr(prompts, "TEMPLATE_VERSION", "2")
    assert question().prompt_hash != first.prompt_hash


def test_what_is_left_for_the_score_is_json_and_never_a_label() -> None:
    asked = question(spec("object_drop", "steel_apple", adversarial=True))
    assert json.loads(json.dumps(asked.reads, allow_nan=False)) == asked.reads
    assert asked.reads["implied_action"] == "EXECUTE_CATCH"
    assert asked.reads["category"] == "adversarial"
    assert asked.reads["root"] == [0.1, -0.8, 0.79]
    assert asked.reads["set"] == 1
    assert asked.reads["config_hash"] == ReactHumanConfig().config_hash
    assert question(spec(config_hash="of the data")).reads["config_hash"] == "of the data"
    assert question(spec("object_drop", "chef_knife")).reads["category"] == "dangerous"
    assert question(spec("object_drop", "something_else")).reads["implied_action"] is None


def test_times_are_told_from_the_first_frame_on() -> None:
    late = spec(timing=Timing(mode="event", t0_step=-24, freeze_step=120))
    assert "at 0.00, 0.15, 0.30, 0.45, 0.60 s" in question(late, PICTURES).prompt
