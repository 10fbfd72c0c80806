"""The benchmark object: everything the adapters call, from seed to metrics."""

import json
from typing import Any

import pytest

from jaxphys_benchmarks.groups import Variant as Looked
from jaxphys_benchmarks.groups import flips, group_metrics
from jaxphys_benchmarks.inphyre.benchmark import InPhyRe
from jaxphys_benchmarks.inphyre.queries import LETTERS
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.protocol import PLAIN, Answer, AskOptions, Reply, Run, Shown, View
from jaxphys_benchmarks.stage import Stage

SMALL: dict[str, Any] = {"size_px": (48, 32)}
BENCHMARK = InPhyRe(**SMALL)


def labelled(benchmark: InPhyRe, *given: Any, **options: Any) -> list[tuple[Any, Any]]:
    specs = benchmark.sample(*given, **options)
    return list(zip(specs, benchmark.label(specs, *benchmark.simulate(specs)), strict=True))


def test_from_seed_to_score_and_back_from_files() -> None:
    scores = []
    for spec, truth in labelled(BENCHMARK, 5, 2):
        files = json.loads(json.dumps(BENCHMARK.published(spec, truth), allow_nan=False))
        assert BENCHMARK.read(files) == (spec, truth)
        assert BENCHMARK.statuses(spec, truth)[-1] == 0
        (asked,) = BENCHMARK.ask(spec, AskOptions())
        answer = BENCHMARK.parse(asked, Reply(f"Answer: {files['question.json']['answer']}"), extractor="paper")
        scores.append(BENCHMARK.score(asked, truth, answer))
    found = BENCHMARK.aggregate(scores)
    assert found["mean"] == 1
    assert found["choice/disparity"] == 0
    assert {name.split("/")[0] for name in found if name.endswith("choice/accuracy")} == {"choice", *SCENARIOS}


def test_a_sample_does_not_depend_on_what_is_drawn_with_it() -> None:
    together, alone = BENCHMARK.sample(5, 4), BENCHMARK.sample(5, 4, indices=[2])
    assert alone == together[2::4]
    assert BENCHMARK.ids([2], scenarios=("CC", "LMC")) == ["CC/scene_00002", "LMC/scene_00002"]


@pytest.mark.parametrize(("n", "indices"), [(0, None), (3, [3]), (3, [-1])])
def test_bad_indices_are_named(n: int, indices: list[int] | None) -> None:
    with pytest.raises(ValueError, match="indices"):
        BENCHMARK.sample(0, n, indices=indices)


def test_back_ends_that_cannot_label_are_refused() -> None:
    assert BENCHMARK.backend("auto") == "xla"
    with pytest.raises(ValueError, match="backend: stepped"):
        BENCHMARK.sample(0, 1, backend="stepped")


def test_options_hold_for_the_object_or_for_one_call() -> None:
    one = InPhyRe(scenarios=("LMC",), shots=0, frames=32, fps=6.4)
    (spec,) = one.sample(0, 1)
    assert spec == BENCHMARK.sample(0, 1, scenarios=("LMC",), shots=0, frames=32, fps=6.4, size_px=(480, 320))[0]
    assert one.films == {"film": 32}
    assert [part.view.kind for part in one.ask(spec, AskOptions())[0].parts if isinstance(part, Shown)] == [
        "first_frame"
    ]
    with pytest.raises(ValueError, match="colour"):
        BENCHMARK.sample(0, 1, colour="red")


def test_the_feature_is_asked_for_where_exemplars_are_retrieved() -> None:
    assert BENCHMARK.asking == {"extract": "robust", "attempts": 3, "force_numeric": False, "feature": None}
    assert InPhyRe(retriever="nner").asking["feature"] == "colour_grid"
    assert InPhyRe(retriever="nner", shots=0).asking["feature"] is None


def test_everything_a_question_shows_can_be_drawn() -> None:
    specs = BENCHMARK.sample(0, 1, scenarios=("Red-Pass", "Wall"))
    for spec in specs:
        for style in BENCHMARK.styles:
            (asked,) = BENCHMARK.ask(spec, AskOptions(view=View("first_frame", style=style), film_frames=3))
            for part in asked.parts:
                if isinstance(part, Shown):
                    stage = BENCHMARK.picture(part.spec, None, part.view)
                    assert isinstance(stage, Stage)
                    assert len(stage) == part.view.frames
                    assert (stage.width_px, stage.height_px) == (48, 32)


def test_styles_ask_about_the_same_sample_and_a_letter_keeps_its_place() -> None:
    """Who always says A is consistent in no rotation; who knows is in all."""
    assert BENCHMARK.styles[0] == PLAIN
    for spec, truth in labelled(BENCHMARK, 3, 1):
        said = {}
        for style in BENCHMARK.styles:
            (asked,) = BENCHMARK.ask(spec, AskOptions(view=View("first_frame", style=style)))
            for name in ("oracle", "fixed_letter"):
                said[name, style] = BENCHMARK.parse(asked, Reply(BENCHMARK.baselines()[name](spec, truth, asked, 0)))
        (asked,) = BENCHMARK.ask(spec, AskOptions())
        agrees = {key: BENCHMARK.agree(asked, said[key[0], PLAIN], answer) for key, answer in said.items()}
        assert all(
            same == (name == "oracle" or not style.startswith("rotate")) for (name, style), same in agrees.items()
        )


def test_the_same_sample_under_the_true_law_has_another_answer() -> None:
    """Who answers by true physics never follows the law; who is told the truth always does."""
    tell = BENCHMARK.baselines()["oracle"]
    for name, follows in (("oracle", 1), ("regular_physics", 0)):
        answerer, looks, groups, scores = BENCHMARK.baselines()[name], [], {}, []
        for spec, truth in labelled(BENCHMARK, 2, 2, scenarios=("LMC", "AMC", "Wall", "CC")):
            group = BENCHMARK.variants(spec)
            found = BENCHMARK.label([*group.values()], *BENCHMARK.simulate([*group.values()]))
            assert (list(group), found[0]) == (["own", "regular"], truth)
            for one, labels in zip(group.values(), found, strict=True):
                (asked,) = BENCHMARK.ask(one, AskOptions())
                right, said = (
                    BENCHMARK.parse(asked, Reply(answer(one, labels, asked, 0))) for answer in (tell, answerer)
                )
                looks.append(Looked(spec.id, asked, right, said))
                groups[one.id] = spec.id
                scores.append(BENCHMARK.score(asked, labels, said))
        whole = flips(BENCHMARK.agree, looks)
        assert (whole["choice/flips"], whole["choice/followed"]) == (8, follows)
        assert group_metrics(scores, groups)["choice/all_exact"] == follows
    assert BENCHMARK.variants(BENCHMARK.sample(0, 1, scenarios=("LMC-reg",))[0]) == {}


def test_runs_are_contrasted() -> None:
    runs = {}
    for shots in (0, 3):
        benchmark = InPhyRe(shots=shots, scenarios=("LMC", "LMC-reg"), **SMALL)
        copier, scores = benchmark.baselines()["text_copier"], []
        for spec, truth in labelled(benchmark, 1, 3):
            (asked,) = benchmark.ask(spec, AskOptions())
            scores.append(benchmark.score(asked, truth, benchmark.parse(asked, Reply(copier(spec, truth, asked, 0)))))
        runs[f"{shots} shots"] = Run(benchmark.config.model_dump(), scores)
    found = BENCHMARK.contrast(runs)
    assert found["choice/induction_gain_video_text_k3"] == 1
    assert found["LMC-reg/choice/induction_gain_video_text_k3/high"] == 1


def test_report_row_sweep_and_calibration() -> None:
    pairs = labelled(BENCHMARK, 4, 2, scenarios=("LMC", "SB"))
    report = BENCHMARK.report([spec for spec, _ in pairs], [truth for _, truth in pairs])
    assert list(report) == ["LMC", "SB"]
    spec, truth = pairs[-1]
    assert BENCHMARK.row(spec, truth)["answer"] in LETTERS
    swept = BENCHMARK.sweep(spec, {"mass_ratio": [0.1, 10.0]})
    assert swept.facts["meanings"] == ["keeps_direction", "bounces_back"]
    assert InPhyRe(scenarios=("LMC",)).calibrate() == {"majority/LMC": 1.0}
    assert set(BENCHMARK.layouts) == {"clevrer"}


def test_no_answer_agrees_with_nothing() -> None:
    (asked,) = BENCHMARK.ask(BENCHMARK.sample(0, 1, scenarios=("LMC",))[0], AskOptions())
    with pytest.raises(ValueError, match="missing"):
        BENCHMARK.agree(asked, Answer(None, "empty"), Answer("A", "ok"))
