"""What a model is shown and told: parts, budget, styles, words, and that no truth about the asked sample enters."""

import itertools

import pytest

from jaxphys_benchmarks.inphyre import exemplars
from jaxphys_benchmarks.inphyre.picture import FILM, FIRST_FRAME
from jaxphys_benchmarks.inphyre.prompts import STYLES
from jaxphys_benchmarks.inphyre.queries import LETTERS, choices
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.protocol import PLAIN, Question, Shown, View
from tests.benchmarks.inphyre.asked_samples import made_pool, pools, question, sample, thing, truth

__all__ = ["pools"]

pytestmark = pytest.mark.usefixtures("pools")


def shown(asked: Question) -> list[Shown]:
    return [part for part in asked.parts if isinstance(part, Shown)]


def images(asked: Question) -> int:
    return sum(part.view.frames for part in shown(asked))


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("modality", ["video_text", "video_only"])
@pytest.mark.parametrize("shots", [0, 1, 3])
@pytest.mark.parametrize("style", STYLES)
def test_joined_texts_are_the_prompt(scenario: str, modality: str, shots: int, style: str) -> None:
    asked = question(sample(scenario), style, modality=modality, shots=shots)
    assert "".join(part for part in asked.parts if isinstance(part, str)) == asked.prompt
    assert not [
        pair for pair in itertools.pairwise(asked.parts) if isinstance(pair[0], str) and isinstance(pair[1], str)
    ]
    assert (asked.id, asked.scene, asked.task) == (
        f"{scenario}/scene_00012/choice",
        f"{scenario}/scene_00012",
        "choice",
    )
    assert len(asked.prompt_hash) == 64
    for letter, (_, text) in choices(sample(scenario)).items():
        plain = next(shown for shown, was in asked.reads["back"].items() if was == letter)
        assert f"{plain}. {text}" in asked.prompt
    assert [part.spec for part in shown(asked)][-1:] == ([] if style == "blind" else [sample(scenario)])


def test_zero_shot_is_the_first_frame_and_the_question() -> None:
    asked = question(shots=0)
    assert asked.parts[0] == "The scene: the first frame of a film of 5 s.\n"
    assert asked.parts[1] == Shown(sample(), View(FIRST_FRAME))
    assert asked.view == View(FIRST_FRAME)
    assert asked.parts[2] == (
        "\nQuestion: The red cube and the blue sphere have equal masses."
        " What happens to the velocity of the red cube after colliding with the blue sphere?\n"
        "A. There is no change in the velocity of the red cube\n"
        "B. The velocity of the red cube decreases\n"
        "C. The velocity of the red cube increases\n"
        "D. The change in the velocity of the red cube cannot be determined\n\n"
        "Reply with a line of the form 'Answer: X', where X is the letter of the right option, A, B, C or D,"
        " and nothing else."
    )
    assert asked.reads["exemplars"] == asked.reads["exemplar_meanings"] == []
    assert asked.reads["family_complete"]


def test_exemplars_come_with_or_without_question_and_answer() -> None:
    with_text, alone = question(modality="video_text"), question(modality="video_only")
    assert with_text.prompt.count("\nAnswer: ") == 3
    assert "Answer: " not in alone.prompt.replace("'Answer: X'", "")
    assert alone.prompt.count("Question: ") == 1
    for asked in (with_text, alone):
        assert asked.prompt.count("8 frames of a film of 5 s, in order.") == 3
        assert [part.view for part in shown(asked)] == [View(FILM, frames=8)] * 3 + [View(FIRST_FRAME)]
        assert [part.spec.id for part in shown(asked)][:3] == asked.reads["exemplars"] == asked.reads["films"]
        assert all(part.spec.pool for part in shown(asked)[:3])
    assert with_text.reads["exemplars"] == alone.reads["exemplars"]
    assert with_text.reads["exemplar_meanings"] == ["no_change"] * 3
    assert alone.reads["exemplar_meanings"] == []


def test_the_told_answer_is_the_letter_of_what_happened() -> None:
    asked = question(shots=3)
    specs, labels = made_pool_of(sample())
    for number, name in enumerate(asked.reads["exemplars"], start=1):
        spec = next(spec for spec in specs if spec.id == name)
        right = next(letter for letter, (meaning, _) in choices(spec).items() if meaning == labels[0].meaning)
        part = asked.prompt.split(f"Example {number}:")[1].split("Example")[0]
        assert f"\nAnswer: {right}\n" in part


def made_pool_of(spec: InPhyReSpec) -> exemplars.Pool:
    from jaxphys_benchmarks.inphyre.config import InPhyReConfig

    return made_pool(InPhyReConfig(), spec.seed, spec.scenario)


@pytest.mark.parametrize(
    ("max_images", "film_frames", "frames"), [(100, 8, 8), (13, 8, 4), (12, 8, 3), (7, 8, 2), (32, 16, 10)]
)
def test_all_images_fit_into_the_budget(max_images: int, film_frames: int, frames: int) -> None:
    asked = question(asking={"max_images": max_images, "film_frames": film_frames})
    assert [part.view.frames for part in shown(asked)] == [frames] * 3 + [1]
    assert images(asked) <= max_images
    assert asked.reads["frames"] == frames
    assert f"{frames} frames of a film" in asked.prompt


def test_a_budget_too_small_for_films_is_named() -> None:
    with pytest.raises(ValueError, match=r"max_images: 6, but 3 films .* need 7"):
        question(asking={"max_images": 6})
    with pytest.raises(ValueError, match="film_frames: 1"):
        question(asking={"film_frames": 1})
    assert images(question(shots=0, asking={"max_images": 1, "film_frames": 1})) == 1


def test_films_have_no_more_frames_than_were_made() -> None:
    asked = question(asking={"max_images": 1000, "film_frames": 500})
    assert images(asked) == 3 * 128 + 1


def test_the_whole_film_at_test_time() -> None:
    for asked in (question(style="full_video"), question(test_input="full_video")):
        assert [part.view for part in shown(asked)] == [View(FILM, frames=8)] * 4
        assert asked.view == View(FILM, frames=8)
        assert asked.reads["test_input"] == FILM
    assert images(question(style="full_video", asking={"max_images": 10})) == 8


@pytest.mark.parametrize("turn", range(4))
def test_options_are_rotated_and_brought_back(turn: int) -> None:
    asked, plain = question(style=f"rotate_{turn}" if turn else PLAIN), question()
    for k, letter in enumerate(LETTERS):
        there = LETTERS[(k + turn) % 4]
        assert asked.reads["options"][there] == plain.reads["options"][letter]
        assert asked.reads["back"][there] == letter
    assert asked.reads["meanings"] == plain.reads["meanings"]
    assert asked.prompt.split("Now the scene")[0] == plain.prompt.split("Now the scene")[0]


def test_blind_shows_nothing_and_keeps_the_text() -> None:
    for asked in (question(style="blind"), question(asking={"image": False})):
        assert shown(asked) == []
        assert asked.view is None
        assert "film" not in asked.prompt
        assert "frame" not in asked.prompt
        assert asked.prompt.count("Question: ") == 4
        assert len(asked.reads["exemplar_meanings"]) == 3
    alone = question(style="blind", modality="video_only")
    assert alone.prompt.count("Question: ") == 1
    assert "xample" not in alone.prompt
    assert alone.reads["exemplars"] == []


def test_shuffled_films_keep_the_text_of_their_exemplars() -> None:
    asked, plain = question(style="shuffled_video"), question()
    assert asked.prompt == plain.prompt
    assert asked.reads["exemplars"] == plain.reads["exemplars"]
    other = {name.split("/")[0] for name in asked.reads["films"]}
    assert len(other) == 1
    assert SCENARIOS[other.pop()].query != "speed"
    assert [part.spec.id for part in shown(asked)][:3] == asked.reads["films"]


def test_wrong_law_shows_the_regular_counterpart() -> None:
    for scenario, regular in (("LMC", "LMC-reg"), ("SB", "SB-reg"), ("AMC", "AMC-reg"), ("SB-reg", "SB-reg")):
        asked = question(sample(scenario), "wrong_law")
        assert {name.split("/")[0] for name in asked.reads["exemplars"]} == {regular}


def test_reasoning_is_invited_on_request() -> None:
    quiet, loud = question(), question(asking={"chain_of_thought": True})
    assert (quiet.chain_of_thought, loud.chain_of_thought) == (False, True)
    assert "Think step by step" in loud.prompt
    assert "nothing else" not in loud.prompt
    assert quiet.prompt_hash != loud.prompt_hash


def test_words_stand_for_pictures() -> None:
    asked = question(asking={"text_only": True})
    assert shown(asked) == []
    assert asked.view is None
    assert (
        "- the red cube: rubber, half extent 0.35, mass 1 kg, centre (0.000, 0.000), velocity (1.500, 0.000)"
        in asked.prompt
    )
    assert "- the blue sphere: rubber, radius 0.35, mass 1 kg, centre (2.000, 0.500)" in asked.prompt
    assert asked.prompt.count("At 0.800 s the red cube meets the blue sphere.") == 3
    assert asked.prompt.count("At 5 s: the red cube at (1.000, 0.000), the blue sphere at (2.000, 0.500).") == 3
    wall = question(sample("Wall"), shots=0, asking={"text_only": True})
    assert "- a wall that nothing moves: half extents (0.100, 4.000), centre (3.000, 0.000)" in wall.prompt


def test_words_tell_looks_and_passing_through(monkeypatch: pytest.MonkeyPatch) -> None:
    contact = truth().contact
    assert contact is not None
    untouched = {"look_after": (1, 1), "through": True, "v_after": contact.v_before}
    labels = truth(contact=contact.model_copy(update=untouched))
    monkeypatch.setattr(exemplars, "pool", lambda config, seed, scenario: (made_pool_of(sample())[0], (labels,) * 10))
    asked = question(shots=1, asking={"text_only": True})
    assert "From then on it has the colour blue and looks like rubber." in asked.prompt
    assert "From then on they move through each other." in asked.prompt


@pytest.mark.usefixtures("pools")
def test_words_do_not_call_a_push_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under LMC the two touch no more, but B goes ahead of A."""
    contact = truth().contact
    assert contact is not None
    labels = truth(contact=contact.model_copy(update={"through": True}))
    monkeypatch.setattr(exemplars, "pool", lambda config, seed, scenario: (made_pool_of(sample())[0], (labels,) * 10))
    assert "through each other" not in question(shots=1, asking={"text_only": True}).prompt


@pytest.mark.parametrize("style", STYLES)
def test_the_question_depends_on_nothing_that_the_law_decides(style: str) -> None:
    """Two samples that differ in their law alone are asked about alike, but for their films."""
    spec = sample()
    other = spec.model_copy(update={"law": "regular", "params": {}})
    first, second = question(spec, style), question(other, style)
    assert first.prompt == second.prompt
    assert first.reads == second.reads


def test_an_unknown_style_is_named() -> None:
    with pytest.raises(ValueError, match="style: 'mirror'"):
        question(style="mirror")


def test_the_scale_reaches_every_picture() -> None:
    from jaxphys_benchmarks.inphyre.config import InPhyReConfig
    from jaxphys_benchmarks.inphyre.prompts import ask
    from jaxphys_benchmarks.protocol import AskOptions

    (asked,) = ask(sample(), AskOptions(view=View("initial", scale=0.5)), InPhyReConfig())
    assert {part.view.scale for part in shown(asked)} == {0.5}


def test_names_of_other_colours_fit() -> None:
    asked = question(sample(things=(thing("yellow", "cylinder"), thing("gray"))), shots=0)
    assert "What happens to the velocity of the yellow cylinder after colliding with the gray cube?" in asked.prompt
