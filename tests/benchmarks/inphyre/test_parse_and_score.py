"""Replies to counts: letters come back to the plain order, and what cannot be read is wrong."""

import pytest

from jaxphys_benchmarks.inphyre.parse import agree, parse
from jaxphys_benchmarks.inphyre.queries import LETTERS, choices
from jaxphys_benchmarks.inphyre.scenarios import UNDETERMINED
from jaxphys_benchmarks.inphyre.score import score
from jaxphys_benchmarks.protocol import EXTRACTORS, Answer, Reply
from tests.benchmarks.inphyre.asked_samples import pools, question, sample, truth

__all__ = ["pools"]

pytestmark = pytest.mark.usefixtures("pools")


@pytest.mark.parametrize("style", ["plain", "rotate_1", "rotate_2", "rotate_3"])
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_the_same_option_is_the_same_answer_in_every_rotation(style: str, extractor: str) -> None:
    asked = question(style=style)
    for letter, (meaning, text) in choices(sample()).items():
        shown = next(there for there, was in asked.reads["back"].items() if was == letter)
        for reply in (f"Answer: {shown}", text, f"{shown}. {text}"):
            answer = parse(asked, Reply(reply), extractor=extractor)
            assert answer == Answer(letter, "ok", "", extractor)
            values = score(asked, truth(meaning=meaning), answer).values
            assert (values["exact"], values["answered"], values[f"letter_{shown}"]) == (1, 1, 1)
            assert sum(values[f"letter_{one}"] for one in LETTERS) == 1
            assert values["undetermined"] == (meaning == UNDETERMINED)


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply(""), "empty"),
        (Reply("The red cube is fast."), "no_answer"),
        (Reply("A or B"), "ambiguous"),
        (Reply("Answer: F"), "invalid"),
        (Reply("I'm sorry, I cannot help."), "refusal"),
        (Reply("Answer: A", "length"), "truncated"),
        (Reply("Answer: A", "content_filter"), "refusal"),
        (Reply("Answer: A", "timeout"), "timeout"),
        (Reply("Answer: A", "error"), "error"),
    ],
)
def test_what_cannot_be_read_is_wrong_and_says_why(reply: Reply, status: str) -> None:
    asked = question()
    answer = parse(asked, reply)
    assert (answer.value, answer.status) == (None, status)
    assert answer.reason
    found = score(asked, truth(), answer)
    assert (found.status, found.group, found.task, found.question) == (status, "LMC", "choice", asked.id)
    assert (found.values["n"], found.values["exact"], found.values["answered"]) == (1, 0, 0)
    assert not any(found.values[f"letter_{letter}"] for letter in LETTERS)


def test_repairs_are_named() -> None:
    answer = parse(question(), Reply("I think the velocity of the red cube decreases."), extractor="lenient")
    assert answer.value == "B"
    assert "inside a sentence" in answer.repairs[0]


def test_scores_tell_the_family() -> None:
    asked = question(sample("Red-LMC", family="other"))
    values = score(asked, truth("Red-LMC", meaning="decreases"), Answer("B", "ok")).values
    assert (values["family_other"], values["exact_other"]) == (1, 1)
    assert "family_red" not in values


def test_a_variant_is_counted_in_its_scenario() -> None:
    asked = question(sample(variant="regular"))
    assert asked.scene == "LMC/scene_00012_regular"
    assert score(asked, truth(), Answer("A", "ok")).group == "LMC"


@pytest.mark.parametrize("labels", [truth(status=4), truth(meaning="")])
def test_labels_without_truth_are_refused(labels: object) -> None:
    with pytest.raises(ValueError, match="LMC/scene_00012"):
        score(question(), labels, Answer("A", "ok"))  # type: ignore[arg-type]


def test_answers_agree_by_meaning() -> None:
    plain, turned = question(), question(style="rotate_1")
    first, second = parse(plain, Reply("Answer: A")), parse(turned, Reply("Answer: B"))
    assert agree(plain, first, second)
    assert not agree(plain, first, parse(turned, Reply("Answer: A")))
    with pytest.raises(ValueError, match="nothing to compare"):
        agree(plain, first, Answer(None, "empty"))
