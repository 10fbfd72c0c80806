"""The benchmark object: everything the adapters call, from seed to metrics."""

import json
from typing import Any

import pytest

from jaxphys import billiards
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.billiardphys.benchmark import BilliardPhys
from jaxphys_benchmarks.groups import group_metrics
from jaxphys_benchmarks.protocol import AskOptions, Reply, View

BENCHMARK = BilliardPhys()


def test_from_seed_to_score_and_back_from_files() -> None:
    specs = BENCHMARK.sample(5, 3)
    assert [spec.id for spec in specs] == BENCHMARK.ids(range(3))
    labels = BENCHMARK.label(specs, *BENCHMARK.simulate(specs))
    scores = []
    for spec, truth in zip(specs, labels, strict=True):
        files = json.loads(json.dumps(BENCHMARK.published(spec, truth), allow_nan=False))
        same_spec, same_truth = BENCHMARK.read(files)
        assert same_spec == spec
        assert same_truth == truth
        assert BENCHMARK.statuses(spec, truth)[-1] == 0
        for question in BENCHMARK.ask(same_spec, AskOptions()):
            published = {key: value for key, value in files["_final.json"].items() if key == question.reads["key"]}
            answer = BENCHMARK.parse(question, Reply(json.dumps(published)), extractor="paper")
            assert answer.value == published
            scores.append(BENCHMARK.score(question, same_truth, answer))
    assert BENCHMARK.aggregate(scores)["mean"] == 1.0


def test_a_scene_does_not_depend_on_what_is_drawn_with_it() -> None:
    together, alone = BENCHMARK.sample(5, 4), BENCHMARK.sample(5, 4, indices=[2])
    assert alone == together[2::4]
    assert BENCHMARK.ids([2], windows=(3.0, 0.5)) == ["t3s/scene_00002", "t0.5s/scene_00002"]


@pytest.mark.parametrize(("n", "indices"), [(0, None), (3, [3]), (3, [-1])])
def test_bad_indices_are_named(n: int, indices: list[int] | None) -> None:
    with pytest.raises(ValueError, match="indices"):
        BENCHMARK.sample(0, n, indices=indices)


def test_options_hold_for_the_object_or_for_one_call() -> None:
    small = BilliardPhys(R=0.02, windows=(1.0,), q1_key="balls")
    spec = small.sample(0, 1)[0]
    assert spec.R == BENCHMARK.sample(0, 1, R=0.02, windows=(1.0,), q1_key="balls")[0].R == 0.02
    assert small.ask(spec, AskOptions())[0].reads["key"] == "balls"
    with pytest.raises(ValueError, match="colour"):
        BENCHMARK.sample(0, 1, colour="red")


def test_every_view_has_a_picture_and_only_the_first_needs_no_labels() -> None:
    spec = BENCHMARK.sample(0, 1, windows=(2.0,))[0]
    labels = BENCHMARK.label([spec], *BENCHMARK.simulate([spec]))[0]
    for kind in BENCHMARK.views:
        assert BENCHMARK.picture(spec, labels, View(kind)).items
    assert BENCHMARK.picture(spec, None, View("initial")) == BENCHMARK.picture(spec, labels, View("initial"))


def test_counterfactual_groups_are_scored_as_a_whole() -> None:
    specs = BENCHMARK.sample(1, 6, windows=(2.0,))
    variants = [(spec.id, variant) for spec in specs for variant in BENCHMARK.variants(spec).values()]
    shown = [variant for _, variant in variants]
    labels = dict(zip(shown, BENCHMARK.label(shown, *BENCHMARK.simulate(shown)), strict=True))
    scores = {
        name: [
            BENCHMARK.score(question, labels[spec], BENCHMARK.parse(question, Reply(text)))
            for spec in shown
            for question in BENCHMARK.ask(spec, AskOptions())
            for text in [BENCHMARK.baselines()[name](spec, labels[spec], question, 0)]
        ]
        for name in ("oracle", "static")
    }
    group_of = {variant.id: layout for layout, variant in variants}
    assert len(group_of) == 24
    oracle, static = (group_metrics(scores[name], group_of) for name in ("oracle", "static"))
    assert [oracle[f"{task}/all_exact"] for task in BENCHMARK.tasks] == [1.0] * 3
    assert oracle["task1/groups"] == 6
    assert static["task1/all_exact"] <= static["task1/some_exact"] <= 1.0
    assert static["task3/all_exact"] == 0.0


def test_reports_sweeps_and_calibration() -> None:
    specs = BENCHMARK.sample(2, 4, windows=(1.0, 3.0))
    labels = BENCHMARK.label(specs, *BENCHMARK.simulate(specs))
    assert list(BENCHMARK.report(specs, labels)) == ["t1s", "t3s"]
    swept = BENCHMARK.sweep(specs[0], {"speed": [0.5, 1.0], "window": [1.0, 2.0, 3.0]})
    assert swept.arrays["q1"].shape == (1, 2, 3, 6)
    found = BENCHMARK.calibrate(windows=(1.0, 5.0))
    assert found["s50"] == pytest.approx(1.897, abs=0.05)  # specification, section 3
    assert found["v50/t1s"] == pytest.approx(found["s50"] + 0.0098)
    assert found["v50/t5s"] == pytest.approx(found["s50"] / 5 + 0.049)


def test_the_registry_gives_this_benchmark() -> None:
    assert isinstance(registry.get("billiardphys", n_balls=5), BilliardPhys)


def test_the_screen_runs_on_the_back_end_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    rollout = billiards.rollout

    def spy(*given: Any, backend: str, **named: Any) -> Any:
        asked.append(backend)
        return rollout(*given, backend=backend, **named)

    monkeypatch.setattr(billiards, "rollout", spy)
    small = BENCHMARK.sample(5, 1, windows=(1.0,), backend="xla")
    assert set(asked) == {"xla"}
    assert small == BENCHMARK.sample(5, 1, windows=(1.0,))


@pytest.mark.parametrize("name", ["stepped", "abacus"])
def test_a_back_end_without_labels_cannot_screen(name: str) -> None:
    with pytest.raises(ValueError, match="backend"):
        BENCHMARK.sample(5, 1, backend=name)
