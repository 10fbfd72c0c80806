"""Which exemplars are shown: nested, alike for both modalities, with every family, and nearest ones where allowed."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from jaxphys_benchmarks.inphyre import exemplars
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.counterfactual import variants
from jaxphys_benchmarks.inphyre.exemplars import chosen, pool
from jaxphys_benchmarks.inphyre.sample import draw
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from tests.benchmarks.inphyre.asked_samples import made_pool, pools, question, sample

__all__ = ["pools"]


def names(spec: InPhyReSpec | None = None, **options: Any) -> list[str]:
    return [exemplar.spec.id for exemplar in chosen(InPhyReConfig(**options), spec or sample())]


@pytest.mark.usefixtures("pools")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_draws_are_nested_and_distinct(scenario: str) -> None:
    for index in range(20):
        most = names(sample(scenario, index=index), shots=10)
        assert len(set(most)) == 10
        assert all(names(sample(scenario, index=index), shots=k) == most[:k] for k in range(10))


@pytest.mark.usefixtures("pools")
def test_draws_depend_on_the_sample_alone() -> None:
    assert names() == names(modality="video_only") == names(max_attempts=1)
    assert names() == names(sample(law="regular"))
    different = {tuple(names(sample(index=index))) for index in range(20)}
    assert len(different) > 15
    assert names(sample(seed=1)) != names(sample(seed=2))


@pytest.mark.usefixtures("pools")
def test_every_exemplar_is_used_about_equally() -> None:
    counts = Counter(name for index in range(600) for name in names(sample(index=index), shots=3))
    assert len(counts) == 10
    # 180 of each are expected, with a standard error of 11.
    assert all(abs(count - 180) < 5 * 11.3 for count in counts.values())


@pytest.mark.usefixtures("pools")
@pytest.mark.parametrize("scenario", ["Red-LMC", "Red-Pass"])
@pytest.mark.parametrize("shots", [1, 2, 3])
def test_both_laws_are_shown_from_two_shots_on(scenario: str, shots: int) -> None:
    for index in range(40):
        spec = sample(scenario, index=index)
        found = chosen(InPhyReConfig(shots=shots), spec)
        assert len({exemplar.spec.family for exemplar in found}) == min(shots, 2)
        assert question(spec, shots=shots).reads["family_complete"] == (shots >= 2)


@pytest.mark.usefixtures("pools")
def test_either_law_may_have_the_majority() -> None:
    most = Counter(
        Counter(question(sample("Red-LMC", index=k)).reads["exemplar_meanings"]).most_common(1)[0][0]
        for k in range(400)
    )
    assert abs(most["no_change"] - 200) < 5 * 10


def by_index(wanted: Sequence[int]) -> Any:
    return lambda spec, candidates: list(wanted)


@pytest.mark.usefixtures("pools")
def test_the_nearest_comes_last() -> None:
    ranked = [4, 7, 1, 0, 2, 3, 5, 6, 8, 9]
    config = InPhyReConfig(retriever="nner", shots=3)
    found = chosen(config, sample(), nearest=by_index(ranked))
    assert [exemplar.spec.index for exemplar in found] == [1, 7, 4]
    seen = []

    def ranker(spec: InPhyReSpec, candidates: Sequence[InPhyReSpec]) -> list[int]:
        seen.append((spec.id, [candidate.id for candidate in candidates]))
        return ranked

    question(retriever="nner", asking={"nearest": ranker})
    assert seen == [("LMC/scene_00012", [f"LMC/exemplar_{k:05d}" for k in range(10)])]


@pytest.mark.usefixtures("pools")
@pytest.mark.parametrize("scenario", ["Red-LMC", "Red-Pass"])
def test_nearest_exemplars_are_refused_where_laws_differ(scenario: str) -> None:
    with pytest.raises(ValueError, match=f"retriever: nner .* {scenario}"):
        question(sample(scenario), retriever="nner", asking={"nearest": by_index(range(10))})
    assert question(sample(scenario), retriever="nner", shots=0).reads["exemplars"] == []


@pytest.mark.usefixtures("pools")
def test_a_missing_or_wrong_ranker_is_named() -> None:
    with pytest.raises(ValueError, match="nearest: retriever=nner needs"):
        question(retriever="nner")
    with pytest.raises(ValueError, match="nearest: gave"):
        question(retriever="nner", asking={"nearest": by_index([0, 0, 1])})


@pytest.mark.usefixtures("pools")
def test_more_shots_than_the_pool_has_are_refused() -> None:
    with pytest.raises(ValueError, match="shots: 4, but n_exemplars_pool = 3"):
        names(shots=4, n_exemplars_pool=3)


def test_a_drawn_pool_is_apart_from_the_samples_and_drawn_once() -> None:
    config = InPhyReConfig(frames=16, fps=3.2)
    specs, labels = pool(config, 3, "Red-LMC")
    assert [spec.id for spec in specs] == [f"Red-LMC/exemplar_{k:05d}" for k in range(10)]
    assert all(not one.status and one.meaning for one in labels)
    assert min(Counter(spec.family for spec in specs).values()) >= config.red_min_per_family
    assert pool(config, 3, "Red-LMC")[0] is specs
    shot = InPhyReConfig(frames=16, fps=3.2, shots=1)
    assert [spec.things for spec in pool(shot, 3, "Red-LMC")[0]] == [spec.things for spec in specs]


def test_exemplars_are_of_the_preset_of_the_sample() -> None:
    spec = sample(preset="varied", family="rubber")
    found = chosen(InPhyReConfig(frames=16, fps=3.2), spec)
    assert {exemplar.spec.preset for exemplar in found} == {"varied"}
    assert len({exemplar.spec.family for exemplar in found}) == 3


def test_films_of_another_scenario_need_no_red_where_there_is_none() -> None:
    config = InPhyReConfig(frames=16, fps=3.2, scenarios=("LMC",), colours=("blue", "green", "gray"))
    found = {chosen(config, sample(index=k), "shuffled_video")[0].film.scenario for k in range(12)}
    assert len(found) > 2
    assert not [name for name in found if name.startswith("Red-")]


@pytest.mark.parametrize("scenario", ["LMC", "Red-Pass", "SB"])
def test_a_sample_under_the_true_law_comes_after_exemplars_under_it(scenario: str) -> None:
    """The same collisions as its twin sees; what happens in them is what happens to samples of its law."""
    config = InPhyReConfig(n_exemplars_pool=4, red_min_per_family=2)
    spec = draw(config, 5, scenario, 0)
    own, real = (chosen(config, twin) for twin in variants(spec).values())
    assert [one.spec.id for one in real] == [f"{one.spec.id}_regular" for one in own]
    assert [one.spec.things for one in real] == [one.spec.things for one in own]
    assert {one.spec.law for one in real} == {"regular"}
    assert {one.labels.meaning for one in real} == {"LMC": {"decreases"}, "Red-Pass": {"stops"}}.get(
        scenario, {one.labels.meaning for one in own}
    )
    assert all((one.film, one.film_labels) == (one.spec, one.labels) for one in real)


def test_exemplars_without_labels_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    specs, labels = made_pool(InPhyReConfig(), 0, "LMC")
    monkeypatch.setattr(exemplars, "pool", lambda config, seed, scenario: (specs[:2], labels[:2]))
    with pytest.raises(ValueError, match="shots: 3, but only 2 of 10 exemplars of LMC have labels"):
        chosen(InPhyReConfig(), sample())


def test_shuffled_films_come_from_pools_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(config: InPhyReConfig, seed: int, scenario: str) -> exemplars.Pool:
        specs, labels = made_pool(config, seed, scenario)
        n = 10 if scenario == "LMC" else 3
        return specs[:n], labels[:n]

    monkeypatch.setattr(exemplars, "pool", short)
    for index in range(20):
        shown = chosen(InPhyReConfig(), sample(index=index), "shuffled_video")
        assert len({one.film.id for one in shown}) == 3
        assert all(one.film.scenario != "LMC" and one.film_labels.meaning != "" for one in shown)
    with pytest.raises(ValueError, match=r"style: shuffled_video needs 4 films of .*; 3 have labels"):
        chosen(InPhyReConfig(shots=4), sample(), "shuffled_video")
