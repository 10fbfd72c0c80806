"""Which samples are used: intended answers, balanced letters, stable labels, and redrawn ones on record."""

import itertools
from collections import Counter

import numpy as np
import pytest

from jaxphys import planar
from jaxphys_benchmarks.inphyre import lower, measure, screen
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.sample import draw, families
from jaxphys_benchmarks.inphyre.scenarios import MEANINGS, SCENARIOS
from jaxphys_benchmarks.inphyre.screen import accepted, labelled, verdicts
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_kernels.status import Status
from tests.benchmarks.inphyre.measured_samples import CONFIG, CONFIGS, SEED, cubes, measured

PUBLISHED = {
    "LMC": {"all": "no_change"},
    "AMC": {"all": "rotates"},
    "Wall": {"all": "increases"},
    "Red-LMC": {"red": "no_change", "other": "decreases"},
    "Red-Pass": {"red": "passes_through", "other": "stops"},
    "SB": {"all": "bounces_back"},
    "CC": {"all": "looks_like_other"},
    "LMC-reg": {"all": "decreases"},
    "AMC-reg": {"all": "still"},
    "SB-reg": {"all": "keeps_direction"},
}
"""What section 4 intends, by family."""

VARIED = {
    "LMC": {"metal_small": "no_change", "metal_large": "increases", "rubber": "decreases"},
    "AMC": {"metal": "rotates", "rubber": "still"},
    "Wall": {"metal": "increases", "rubber_small": "no_change", "rubber_large": "decreases"},
    "Red-LMC": {"red": "no_change", "decoy": "decreases", "plain": "decreases"},
    "Red-Pass": {"red": "passes_through", "decoy": "stops", "plain": "stops"},
    "CC": {"metal": "looks_like_other", "rubber": "looks_as_before"},
    "LMC-reg": {"hits": "decreases", "is_hit": "increases"},
    "AMC-reg": {"central": "still", "eccentric": "rotates"},
    "SB-reg": {"light": "bounces_back", "heavy": "keeps_direction"},
}
"""The hidden rules of the varied preset; in SB both answers occur in both families."""


def right_letter(spec: InPhyReSpec, meaning: str) -> int:
    return spec.asked.order.index(MEANINGS[spec.asked.query].index(meaning))


@pytest.mark.parametrize(
    ("preset", "scenario", "intended"),
    [("published", *row) for row in PUBLISHED.items()] + [("varied", *row) for row in VARIED.items()],
)
def test_answers_are_the_intended_ones(preset: str, scenario: str, intended: dict[str, str]) -> None:
    specs, labels = measured(preset, scenario)
    assert {(spec.family, one.meaning) for spec, one in zip(specs, labels, strict=True)} == set(intended.items())
    assert {one.status for one in labels} == {spec.status for spec in specs} == {0}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_answers_vary_in_the_varied_preset(scenario: str) -> None:
    """No answer is right in more than three of five samples, and every family shows its answers."""
    specs, labels = measured("varied", scenario)
    counts = Counter(one.meaning for one in labels)
    assert len(counts) >= 2
    assert max(counts.values()) <= 0.6 * len(specs)
    assert {spec.family for spec in specs} == set(families(CONFIGS["varied"], scenario))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_not_asked_about_tells_nothing(scenario: str) -> None:
    """Varied: B's shape and the seen speed do not tell the families apart (a fifth of room for 120 samples)."""
    specs, _ = measured("varied", scenario)
    names = list(families(CONFIGS["varied"], scenario))
    rows = {name: [spec for spec in specs if spec.family == name] for name in names}
    for one, other in itertools.combinations(rows.values(), 2):
        speeds = [np.mean([np.hypot(*spec.things[0].vel) for spec in part]) for part in (one, other)]
        if scenario != "LMC-reg":
            assert abs(speeds[0] - speeds[1]) < 0.25 * sum(speeds)


@pytest.mark.parametrize(("preset", "scenario"), list(itertools.product(CONFIGS, SCENARIOS)))
def test_letters_of_the_right_options_are_balanced(preset: str, scenario: str) -> None:
    """Exactly, over runs of twelve, whatever the answers are."""
    specs, labels = measured(preset, scenario)
    letters = [right_letter(spec, one.meaning) for spec, one in zip(specs, labels, strict=True)]
    for start in range(0, len(letters), 12):
        assert Counter(letters[start : start + 12]) == dict.fromkeys(range(4), 3)
    others = Counter(spec.asked.order.index(3) for spec in specs)
    assert set(others) == {0, 1, 2, 3}


def test_a_screened_sample_does_not_depend_on_the_others() -> None:
    together = labelled(CONFIG, SEED, "AMC", range(24))
    assert labelled(CONFIG, SEED, "AMC", reversed(range(24)))[::-1] == together
    assert labelled(CONFIG, SEED, "AMC", [17])[0] == together[17]
    assert accepted(CONFIG, SEED, "AMC", range(24)) == [spec for spec, _ in together]


def test_labels_of_the_screen_are_those_of_the_stored_sample() -> None:
    for preset, scenario in (("published", "Wall"), ("varied", "LMC-reg")):
        specs, labels = measured(preset, scenario)
        again = [InPhyReSpec.model_validate_json(spec.model_dump_json()) for spec in specs]
        assert again == list(specs)
        assert measure.label(again, lower.simulate(again)[1]) == list(labels)


def test_exemplars_are_other_samples() -> None:
    asked, shown = (accepted(CONFIG, SEED, "Red-LMC", range(10), pool=pool) for pool in (False, True))
    assert {spec.id for spec in shown}.isdisjoint(spec.id for spec in asked)
    assert not {spec.things[0].pos for spec in shown} & {spec.things[0].pos for spec in asked}
    assert Counter(spec.family for spec in shown) == {"red": 5, "other": 5}


def barely(excess: float) -> InPhyReSpec:
    """A would come to rest where it meets B, but for this excess of its launch speed (relative)."""
    return cubes(np.sqrt(2 * 0.12 * 9.8 * 1.0) * (1 + excess), 1.0)


def test_the_nudge_finds_unstable_samples() -> None:
    """A nudge of 1e-7 m/s decides whether they meet."""
    words = verdicts([barely(1e-9), barely(1e-3), barely(-1e-3), cubes(3.0, 0.8)])
    assert words == [Status.UNSTABLE_LABEL, 0, Status.UNSTABLE_LABEL, 0]
    (alone,) = measure.label([barely(1e-9)], lower.simulate([barely(1e-9)])[1])
    assert (alone.status, alone.meaning) == (0, "decreases")


def test_rejected_draws_are_on_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample whose first two draws fail comes from the third; one that never passes keeps its last word."""

    def drawn(
        config: InPhyReConfig, seed: int, scenario: str, indices: list[int], attempt: int = 0, *, pool: bool = False
    ) -> list[InPhyReSpec]:
        bad = {0: 2, 1: 99, 2: 0}
        specs = []
        for index in indices:
            spec = draw(config, seed, scenario, index, attempt, pool=pool)
            limit = {"max_events": 16} if attempt >= bad[index] else {"things": barely(-1e-3).things}
            specs.append(spec.model_copy(update=limit))
        return specs

    monkeypatch.setattr(screen, "draw_many", drawn)
    config = InPhyReConfig(max_draws=4)
    (late, never, once), labels = zip(*labelled(config, 1, "LMC-reg", range(3)), strict=True)
    word = int(Status.UNSTABLE_LABEL)
    assert (late.rejected, late.status, late.attempt) == ((word, word), 0, 2)
    assert (never.rejected, never.status, never.attempt) == ((word,) * 3, word, 3)
    assert (once.rejected, once.status, once.attempt) == ((), 0, 0)
    assert [(one.status, one.meaning) for one in labels] == [(0, "decreases"), (word, ""), (0, "decreases")]


def test_without_the_screen_nothing_is_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    config = InPhyReConfig(screen=False)
    with monkeypatch.context() as patch:
        patch.setattr(planar, "rollout", lambda *args, **kwargs: pytest.fail("simulated"))
        specs = accepted(config, 1, "LMC", range(12))
    assert [spec.rejected for spec in specs] == [()] * 12
    assert [(spec, one.meaning) for spec, one in labelled(config, 1, "LMC", range(12))] == [
        (spec, "no_change") for spec in specs
    ]


@pytest.mark.slow
def test_a_whole_data_set() -> None:
    """20 000 samples: few draws are rejected, and the letters pass a chi-square test with p > 0.01 in each scenario."""
    for scenario in SCENARIOS:
        rows = labelled(CONFIG, 0, scenario, range(2000))
        letters = Counter(right_letter(spec, one.meaning) for spec, one in rows)
        # 11.34 is the 99 % point of chi-square with three degrees of freedom.
        assert sum((letters[k] - 500) ** 2 / 500 for k in range(4)) < 11.34
        assert sum(len(spec.rejected) for spec, _ in rows) < 20
        assert {(spec.family, one.meaning) for spec, one in rows} == set(PUBLISHED[scenario].items())
