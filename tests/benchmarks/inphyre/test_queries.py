"""Questions and options: every sample can be asked about, truthfully, without telling the law."""

import re
import string

import pytest

from jaxphys_benchmarks.choices import read
from jaxphys_benchmarks.inphyre.queries import LETTERS, QUERIES, Query, choices, information, question
from jaxphys_benchmarks.inphyre.scenarios import MEANINGS, SCENARIOS, UNDETERMINED
from jaxphys_benchmarks.inphyre.spec import Asked
from tests.benchmarks.inphyre.asked_samples import sample, thing

PUBLISHED = (
    "What happens to the vertical velocity of {a} when it collides with wall?",
    "What is the outcome of {a} colliding with wall?",
    "What occurs to the vertical velocity of {a} when {a} and wall collide?",
)


def test_the_published_questions_about_the_wall_are_verbatim() -> None:
    assert QUERIES["vertical"].questions == PUBLISHED
    assert question(sample("Wall")) == PUBLISHED[0].format(a="the red cube")


def test_every_scenario_has_a_query_with_the_meanings_that_are_measured() -> None:
    assert set(QUERIES) == set(MEANINGS) == {scenario.query for scenario in SCENARIOS.values()}
    for name, query in QUERIES.items():
        assert set(query.options) == set(MEANINGS[name])
        assert query.meanings == MEANINGS[name]


@pytest.mark.parametrize("query", QUERIES.values(), ids=list(QUERIES))
def test_wordings_are_many_distinct_and_name_the_object(query: Query) -> None:
    assert len(set(query.questions)) == len(query.questions) >= 3
    wordings = {len(texts) for texts in query.options.values()}
    assert len(wordings) == 1
    assert wordings.pop() >= 2
    everything = [text for texts in query.options.values() for text in texts]
    assert len(set(everything)) == len(everything)
    for text in (*everything, *query.questions):
        assert "{a}" in text
        assert {field for _, field, _, _ in string.Formatter().parse(text) if field} <= {"a", "b"}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_text_tells_the_law(scenario: str) -> None:
    telling = re.compile(r"law|violat|conserv|unusual|impossib|irregular|physic|red objects", re.IGNORECASE)
    spec = sample(scenario)
    texts = [information(spec)]
    for k in range(12):
        asked = spec.asked.model_copy(update={"template": k, "wording": k})
        varied = spec.model_copy(update={"asked": asked})
        texts += [question(varied), *(text for _, text in choices(varied).values())]
    assert not [text for text in texts if telling.search(text)]


def test_options_stand_in_the_drawn_order() -> None:
    asked = Asked(query="speed", template=0, wording=1, order=(2, 0, 3, 1))
    shown = choices(sample(asked=asked))
    assert [meaning for meaning, _ in shown.values()] == [MEANINGS["speed"][k] for k in (2, 0, 3, 1)]
    assert list(shown) == list(LETTERS)
    assert shown["A"] == ("increases", "The velocity of the red cube becomes larger")


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("wording", range(3))
def test_an_option_written_out_is_read_as_its_letter(scenario: str, wording: int) -> None:
    spec = sample(scenario)
    spec = spec.model_copy(update={"asked": spec.asked.model_copy(update={"wording": wording})})
    texts = {letter: text for letter, (_, text) in choices(spec).items()}
    for letter, text in texts.items():
        for said in (text, f"{text}.", f"{letter}. {text}", f"Answer: {text}", f"**{letter})** {text}"):
            assert read(said, texts).letter == letter


@pytest.mark.parametrize(
    ("scenario", "told"),
    [
        ("LMC", "The red cube and the blue sphere have equal masses."),
        ("Red-Pass", "The red cube and the blue sphere have equal masses."),
        ("CC", "The red cube and the blue sphere have equal masses."),
        ("AMC", "The red cube and the blue sphere have equal masses. They collide head-on."),
        ("SB", "The red cube has a mass of 1 kg, the blue sphere a mass of 1 kg."),
        ("Wall", "The collision with the wall is elastic. Vertical means along the face of the wall."),
    ],
)
def test_what_is_told_besides(scenario: str, told: str) -> None:
    assert information(sample(scenario)) == told


@pytest.mark.parametrize("scenario", ["LMC", "AMC", "CC", "SB"])
def test_masses_are_told_truthfully(scenario: str) -> None:
    heavy = thing("blue", "sphere", mass=12.5)
    spec = sample(scenario, things=(thing("red"), heavy))
    assert "The red cube has a mass of 1 kg, the blue sphere a mass of 12.5 kg." in information(spec)
    assert "equal" not in information(spec)


def test_an_inelastic_wall_is_not_called_elastic() -> None:
    assert "elastic" not in information(sample("Wall", restitution=0.5))


def test_head_on_is_not_told_where_it_may_decide_the_answer() -> None:
    assert "head-on" not in information(sample("AMC-reg", preset="varied", family="central"))


def test_the_undetermined_wording_varies() -> None:
    for query in QUERIES.values():
        assert len(query.options[UNDETERMINED]) >= 2
