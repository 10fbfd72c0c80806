"""What people are asked about a scene: boxes to tick, in the words of the label set."""

import pytest

from jaxphys_benchmarks.people import form_of
from jaxphys_benchmarks.protocol import AskOptions, Shown
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.people import WORDS
from tests.benchmarks.reacthuman.asked_scenes import spec

BOTH = Labels(correct_action="TRIGGER_DODGE", correct_action_released="BRACE_FOR_IMPACT")


@pytest.mark.parametrize(
    ("label_set", "choices", "right"),
    [("three_way", ["catch", "dodge", "none"], "dodge"), ("released", ["catch", "dodge", "brace", "none"], "brace")],
)
def test_a_form_shows_the_pictures_and_the_actions_of_the_label_set(
    label_set: str, choices: list[str], right: str
) -> None:
    benchmark = ReactHuman(label_set=label_set, views_per_query=3)
    (question,) = benchmark.ask(spec(), AskOptions(max_images=15))
    form = form_of(benchmark, spec(), question)
    assert form is not None
    assert list(form.choices) == choices
    assert [part for part in form.parts if isinstance(part, Shown)] == [
        part for part in question.parts if isinstance(part, Shown)
    ]
    texts = " ".join(part for part in form.parts if isinstance(part, str))
    assert not any(word in texts for word in ("JSON", "keyframes", "walking_cmd"))
    assert benchmark.right_choice(question, BOTH) == right
    told = [benchmark.told(question, {form.field: word}) for word in form.choices]
    assert [answer.status for answer in told] == ["ok"] * len(choices)


def test_every_action_has_its_word() -> None:
    benchmark = ReactHuman()
    (question,) = benchmark.ask(spec(), AskOptions())
    for action, word in WORDS.items():
        answer = benchmark.told(question, {"action": word})
        assert answer.value is not None
        assert answer.value["told"]["act"] == action
        assert benchmark.right_choice(question, Labels(correct_action=action)) == word


def test_without_pictures_or_ground_truth_there_is_no_form() -> None:
    benchmark = ReactHuman()
    (question,) = benchmark.ask(spec(), AskOptions(text_only=True))
    assert form_of(benchmark, spec(), question) is None
    with pytest.raises(ValueError, match="status 4, there is no ground truth"):
        benchmark.right_choice(question, Labels(status=4))
