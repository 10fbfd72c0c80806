"""Baselines through the whole path, against the expected scores of the specification (section 7.3)."""

import math
from collections import Counter
from functools import cache

import numpy as np
import pytest
from scipy import stats

from jaxphys_benchmarks.inphyre import screen
from jaxphys_benchmarks.inphyre.aggregate import aggregate
from jaxphys_benchmarks.inphyre.baselines import baselines
from jaxphys_benchmarks.inphyre.calibrate import majority
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.parse import parse
from jaxphys_benchmarks.inphyre.prompts import ask
from jaxphys_benchmarks.inphyre.queries import LETTERS, choices
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.score import score
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.protocol import EXTRACTORS, AskOptions, Reply, Score, View
from tests.support import cases

SAMPLES = 120
"""Samples of each scenario."""

ERRORS = 3.0
"""Standard errors allowed where the expected score is neither 0 nor 1."""

RED = ("Red-LMC", "Red-Pass")

# Columns of section 7.3; None is 1 - p_red, with the share of samples that obey the irregular law.
EXPECTED: dict[str, dict[str, float | None]] = {
    "oracle": dict.fromkeys(SCENARIOS, 1.0),
    "law_oracle": dict.fromkeys(SCENARIOS, 1.0),
    "regular_physics": dict.fromkeys(SCENARIOS, 1.0)
    | {"LMC": 0.0, "AMC": 0.0, "Wall": 0.0, "CC": 0.0, "Red-LMC": None, "Red-Pass": None},
    "random": dict.fromkeys(SCENARIOS, 0.25),
    "fixed_letter": dict.fromkeys(SCENARIOS, 0.25),
    "text_copier": dict.fromkeys(SCENARIOS, 1.0) | dict.fromkeys(RED, 0.5),
    "undetermined": dict.fromkeys(SCENARIOS, 0.0),
}


@cache
def config(preset: str, **options: int | str) -> InPhyReConfig:
    return InPhyReConfig(preset=preset, **options)  # type: ignore[arg-type]


@cache
def drawn(preset: str) -> list[tuple[InPhyReSpec, Labels]]:
    found = [pair for name in SCENARIOS for pair in screen.labelled(config(preset), 11, name, range(SAMPLES))]
    assert all(not labels.status for _, labels in found)
    return found


@cache
def scores(name: str, preset: str, style: str = "plain", modality: str = "video_text") -> tuple[Score, ...]:
    answerer = baselines()[name]
    if hasattr(answerer, "prepare"):
        answerer.prepare([spec for spec, _ in drawn(preset)], 0)
    result = []
    for spec, labels in drawn(preset):
        (asked,) = ask(spec, AskOptions(view=View("first_frame", style=style)), config(preset, modality=modality))
        answer = parse(asked, Reply(answerer(spec, labels, asked, 0)), extractor="paper")
        result.append(score(asked, labels, answer))
    return tuple(result)


def accuracy(name: str, preset: str, scenario: str, **asking: str) -> float:
    return aggregate(scores(name, preset, **asking))[f"{scenario}/choice/accuracy"]


@pytest.mark.parametrize("name", EXPECTED)
def test_every_baseline_is_in_the_table(name: str) -> None:
    assert set(baselines()) == set(EXPECTED)
    assert set(EXPECTED[name]) == set(SCENARIOS)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("name", EXPECTED)
def test_published_scores(name: str, scenario: str) -> None:
    expected, found = EXPECTED[name][scenario], accuracy(name, "published", scenario)
    red = np.mean([spec.family == "red" for spec, _ in drawn("published") if spec.scenario == scenario])
    if expected is None:
        assert found == pytest.approx(1 - red, abs=1e-12)
    elif expected in (0, 1):
        assert found == expected
    else:
        assert abs(found - expected) <= ERRORS * math.sqrt(expected * (1 - expected) / SAMPLES)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_copying_does_not_pay_where_the_answer_varies(scenario: str) -> None:
    meanings = Counter(labels.meaning for spec, labels in drawn("varied") if spec.scenario == scenario)
    most = meanings.most_common(1)[0][1] / SAMPLES
    assert most < 0.6
    assert (
        abs(accuracy("text_copier", "varied", scenario) - most)
        <= ERRORS * math.sqrt(most * (1 - most) / SAMPLES) + 0.05
    )


def test_only_inference_of_the_law_is_always_right_where_the_answer_varies() -> None:
    found = {name: aggregate(scores(name, "varied")) for name in EXPECTED}
    assert found["oracle"]["mean"] == found["law_oracle"]["mean"] == 1
    assert all(
        found["regular_physics"][f"{name}/choice/accuracy"] == 1 for name in SCENARIOS if SCENARIOS[name].is_regular
    )
    irregular = [name for name in SCENARIOS if not SCENARIOS[name].is_regular]
    assert all(found["regular_physics"][f"{name}/choice/accuracy"] < 0.8 for name in irregular)
    assert found["undetermined"]["mean"] == 0


def test_without_told_answers_there_is_nothing_to_copy() -> None:
    found = aggregate(scores("text_copier", "published", modality="video_only"))
    assert found["mean"] == 0
    assert found["choice/failed/no_answer"] == 1


def test_who_sees_nothing_is_at_chance() -> None:
    """A blind guesser has the text alone; the answer is at no letter more often than at another."""
    found = aggregate(scores("random", "published", style="blind"))
    total = SAMPLES * len(SCENARIOS)
    assert abs(found["choice/accuracy"] - 0.25) <= ERRORS * math.sqrt(0.25 * 0.75 / total)


@pytest.mark.parametrize("style", ["rotate_1", "rotate_2", "rotate_3", "blind", "wrong_law"])
@pytest.mark.parametrize("name", ["oracle", "regular_physics", "undetermined"])
def test_who_knows_does_not_mind_the_style(style: str, name: str) -> None:
    plain, other = (aggregate(scores(name, "published", style=look)) for look in ("plain", style))
    assert plain["mean"] == other["mean"]


def test_a_copier_is_misled_by_the_wrong_law() -> None:
    found = aggregate(scores("text_copier", "published", style="wrong_law"))
    misled = ("LMC", "AMC", "Wall", "SB")
    assert [found[f"{name}/choice/accuracy"] for name in misled] == [0] * 4
    assert all(found[f"{name}/choice/accuracy"] == 1 for name in SCENARIOS if SCENARIOS[name].is_regular)


def test_the_disparity_of_true_physics() -> None:
    found = aggregate(scores("regular_physics", "published"))
    gaps = {name: found[f"{name}/choice/disparity"] for name in SCENARIOS if not SCENARIOS[name].is_regular}
    assert gaps == pytest.approx({"LMC": 1, "AMC": 1, "Wall": 1, "Red-LMC": 0.5, "Red-Pass": 0.5, "SB": 0, "CC": 1})
    assert found["Red-LMC/choice/accuracy_red"] == 0
    assert found["Red-LMC/choice/accuracy_other"] == 1


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_replies_are_read_alike_and_do_not_depend_on_the_order(name: str, extractor: str) -> None:
    some = drawn("published")[:: SAMPLES // 2]
    said = []
    for order in (some, some[::-1]):
        answerer = baselines()[name]
        for spec, labels in order:
            (asked,) = ask(spec, AskOptions(), config("published"))
            said.append((spec.id, parse(asked, Reply(answerer(spec, labels, asked, 5)), extractor=extractor).value))
    assert sorted(said[: len(some)]) == sorted(said[len(some) :])
    assert all(value is not None for _, value in said)


def test_no_baseline_but_the_oracle_looks_at_the_labels() -> None:
    spec, labels = drawn("published")[0]
    (asked,) = ask(spec, AskOptions(), config("published"))
    false = labels.model_copy(update={"meaning": "increases"})
    for name, answerer in baselines().items():
        same = answerer(spec, labels, asked, 0) == answerer(spec, false, asked, 0)
        assert same == ("oracle" not in name)


def test_seeds_and_letters_are_chosen() -> None:
    spec, labels = drawn("published")[0]
    (asked,) = ask(spec, AskOptions(), config("published"))
    assert len({baselines()["random"](spec, labels, asked, seed) for seed in range(40)}) == 4
    assert baselines(letter="C")["fixed_letter"](spec, labels, asked, 0) == "Answer: C"
    with pytest.raises(ValueError, match="letter: 'E'"):
        baselines(letter="E")


def letters_of(samples: list[tuple[InPhyReSpec, Labels]]) -> list[int]:
    right = Counter(
        letter
        for spec, labels in samples
        for letter, (meaning, _) in choices(spec).items()
        if meaning == labels.meaning
    )
    return [right[letter] for letter in LETTERS]


@pytest.mark.parametrize("preset", ["published", "varied"])
def test_letters_are_balanced(preset: str) -> None:
    assert sum(letters_of(drawn(preset))) == SAMPLES * len(SCENARIOS)
    assert stats.chisquare(letters_of(drawn(preset))).pvalue > 0.01
    for name in SCENARIOS:
        assert stats.chisquare(letters_of([pair for pair in drawn(preset) if pair[0].scenario == name])).pvalue > 0.01


def test_letters_are_balanced_without_the_screen_on_average() -> None:
    """Orders as drawn, before the right option gets its letter: every option is anywhere."""
    places = Counter(spec.asked.order.index(3) for spec, _ in drawn("published"))
    assert stats.chisquare([places[k] for k in range(4)]).pvalue > 0.01


def test_public_case_of_letter_balance() -> None:
    case = cases("choices")["opt-letter-balance"]
    given, (expected, tolerance) = case["input"], case["expected"]["each_letter_count"]
    samples = screen.labelled(config("published"), given["seed"], "LMC", range(given["n_samples"]))
    counts = letters_of(samples)
    assert len(counts) == given["n_options"]
    assert all(abs(count - expected) <= tolerance for count in counts)


def test_the_majority_is_measured() -> None:
    shares = majority(InPhyReConfig(scenarios=("LMC", "Red-LMC")), samples=24)
    assert shares == {"LMC": 1.0, "Red-LMC": 0.5}
    assert majority(InPhyReConfig(preset="varied", scenarios=("LMC",)), samples=24)["LMC"] == pytest.approx(1 / 3)
