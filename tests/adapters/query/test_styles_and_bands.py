"""The same scenes in other looks and at other speeds: what is asked, kept and reported."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters import generate
from jaxphys_adapters.query import compare, evaluate, results, score_answers
from jaxphys_adapters.query.options import EvalOptions, ScoreOptions
from jaxphys_adapters.query.source import Source, load
from jaxphys_adapters.query.tasks import Arguments
from jaxphys_adapters.query.variants import log, vary
from jaxphys_benchmarks.billiardphys.counterfactual import BANDS
from jaxphys_benchmarks.billiardphys.perturb import STYLES
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Call, Say, Script, Stub
from tests.adapters.query.toy import Toy, ToySpec

Serve = Callable[[Script], Stub]

TASKS = ("task1", "task2", "task3")
LOOKS = [style for style in (*STYLES, "text_only") if style != "plain"]
SCENES = 4
STYLED = 2
"""Scenes at several speeds, and scenes in all looks."""


def baseline(name: str, **changes: Any) -> results.Result:
    given = {"benchmark": "billiardphys", "model": f"jaxphys/{name}", "scenes": SCENES, "windows": "2,4", **changes}
    return evaluate.evaluate(EvalOptions(**given))


def under(prefix: str, metrics: Any) -> dict[str, float]:
    return {name.removeprefix(prefix): value for name, value in metrics.items() if name.startswith(prefix)}


@pytest.fixture(scope="module")
def styled() -> dict[str, results.Result]:
    return {name: baseline(name, scenes=STYLED, styles="all") for name in ("oracle", "static")}


@pytest.fixture(scope="module")
def banded() -> dict[str, results.Result]:
    return {name: baseline(name, bands="all") for name in ("oracle", "static")}


@pytest.mark.parametrize("style", LOOKS)
@pytest.mark.parametrize("name", ["oracle", "static"])
def test_what_knows_the_scene_scores_alike_in_every_look(
    styled: dict[str, results.Result], name: str, style: str
) -> None:
    metrics = styled[name].metrics
    found = under(f"style/{style}:", metrics)
    assert [found[f"{task}/consistent"] for task in TASKS] == [1.0] * 3
    assert [found[f"{task}/compared"] for task in TASKS] == [STYLED] * 3
    scores = {key: value for key, value in found.items() if not key.startswith("task")}
    assert scores == pytest.approx(under("style/plain:", metrics), abs=1e-3)
    assert found["mean"] == pytest.approx(metrics["mean"])
    assert (found["mean"] == 1.0) is (name == "oracle")


def test_the_whole_is_about_the_plain_look(styled: dict[str, results.Result]) -> None:
    alone = baseline("static", scenes=STYLED)
    assert {key: value for key, value in styled["static"].metrics.items() if ":" not in key} == {
        key: value for key, value in alone.metrics.items() if ":" not in key
    }
    assert styled["static"].scenes == alone.scenes == STYLED
    assert styled["static"].questions == 9 * alone.questions
    assert (alone.styles, alone.bands) == ((), ())


@pytest.mark.parametrize("band", BANDS)
def test_each_band_is_scored_against_its_own_truth(banded: dict[str, results.Result], band: str) -> None:
    oracle, static = (under(f"band/{band}:", banded[name].metrics) for name in ("oracle", "static"))
    assert oracle["mean"] == 1.0
    assert oracle["q1/n"] == SCENES
    assert static["q2/recall_t"] == 0.0
    if band == "normal":
        assert static == {key: value for key, value in baseline("static").metrics.items() if key in static}


def test_answers_flip_where_the_truth_flips(banded: dict[str, results.Result]) -> None:
    scenes = load(Source("billiardphys", scenes=SCENES, options='{"windows": [2.0, 4.0]}', bands=("all",)))
    by_layout: dict[str, list[Any]] = {}
    for scene in scenes.by_id.values():
        by_layout.setdefault(scene.origin, []).append(scene.labels)
    assert {origin: len(group) for origin, group in by_layout.items()} == dict.fromkeys(by_layout, len(BANDS))
    oracle, static = (under("bands:", banded[name].metrics) for name in ("oracle", "static"))
    for task, truth in (("task1", "q1"), ("task2", "q2")):
        groups = [[getattr(labels, truth) for labels in group] for group in by_layout.values()]
        changed = sum(a != b for group in groups for a, b in itertools.combinations(group, 2))
        assert changed
        assert oracle[f"{task}/flips"] == static[f"{task}/flips"] == changed
        assert (oracle[f"{task}/followed"], static[f"{task}/followed"]) == (1.0, 0.0)
        assert oracle[f"{task}/steady"] == static[f"{task}/steady"] == 1.0
        silent = sum(not any(map(any, group)) for group in groups)
        assert static[f"{task}/all_exact"] == silent / SCENES
    assert [oracle[f"{task}/all_exact"] for task in TASKS] == [1.0] * 3
    assert [oracle[f"{task}/groups"] for task in TASKS] == [SCENES] * 3


SAME = {
    "Q1": {"Q1": [{"id": ball, "answer": "T" if ball == 1 else "F"} for ball in range(1, 7)]},
    "Q2": {"Q2": [{"wall": wall, "answer": "FT"[wall == "LEFT"]} for wall in ("TOP", "BOTTOM", "LEFT", "RIGHT")]},
    "predictions": {"predictions": [{"id": ball, "pos": [0.5, 0.5]} for ball in range(7)]},
}
"""A model that says the same of every picture: ball 1, the left wall, and every ball halfway up."""


def always(call: Call, before: int) -> Say:
    (text,) = (json.dumps(said) for key, said in SAME.items() if f'"{key}"' in call.prompt)
    return Say(text)


def test_a_model_that_does_not_look_is_consistent_only_where_nothing_moves(serve: Serve) -> None:
    stub = serve(always)
    found = evaluate.evaluate(
        asking(stub.url, benchmark="billiardphys", scenes=2, styles="all", bands="slow,fast", cache=False)
    )
    expected = {style: (1.0, 1.0, 1.0) for style in LOOKS}
    expected["mirror_x"] = (1.0, 0.0, 0.0)  # the left wall becomes the right one, x = 0.5 becomes 1.5
    expected["permuted_ids"] = (0.0, 1.0, 1.0)  # ball 1 always gets another id
    for style, shares in expected.items():
        values = under(f"style/{style}:", found.metrics)
        assert tuple(values[f"{task}/consistent"] for task in TASKS) == shares, style
    whole = under("bands:", found.metrics)
    assert {value for key, value in whole.items() if key.endswith("/followed")} == {0.0}
    assert {value for key, value in whole.items() if key.endswith("/steady")} <= {1.0}
    assert (found.scenes, found.questions, len(stub.calls)) == (4, 108, 108)
    text_only = [call for call in stub.calls if not call.images]
    assert len(text_only) == 12
    assert all("Centres at time 0" in call.prompt for call in text_only)
    assert not any("Centres at time 0" in call.prompt for call in stub.calls if call.images)


def test_records_resume_and_cache_tell_the_looks_apart(toy: str, serve: Serve, tmp_path: Path) -> None:
    stub = serve(lambda call, before: Say('{"n": 1}'))
    out, other = tmp_path / "out", tmp_path / "other"
    first = evaluate.evaluate(asking(stub.url, styles="all", bands="all", out=out))
    asked = 2 * 3 * 3 * 2  # scenes, bands, styles, tasks
    records = {str(path.relative_to(out)) for path in out.glob("g*/*.json")}
    assert len(records) == asked
    names = {"00000_more_task1.json", "00000_more@swapped_task1.json", "00000_more@text_only_task1.json"}
    assert {f"g0/{name}" for name in names} <= records
    calls = len(stub.calls)
    assert evaluate.evaluate(asking(stub.url, styles="swapped", bands="all", out=out)).questions == asked * 2 // 3
    assert evaluate.evaluate(asking(stub.url, styles="all", bands="all", out=out)).metrics == first.metrics
    assert evaluate.evaluate(asking(stub.url, styles="all", bands="all", out=other)).metrics == first.metrics
    assert len(stub.calls) == calls


def test_a_folder_is_scored_again_with_its_looks(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    generate.run(generate.Generate("billiardphys", data, scenes=15, pictures=False, quiet=True))
    found = baseline("static", windows="", data=data, scenes=None, styles="mirror_x", bands="slow,fast", out=out)
    again, faults = score_answers.score(
        ScoreOptions("billiardphys", data, out, styles="mirror_x", bands="slow,fast", model="jaxphys/static")
    )
    assert not faults
    assert again.summary() == found.summary()
    assert found.scenes == 30
    # Fewer scenes of a data set are spread over its windows.
    few = load(Source("billiardphys", scenes=7, data=str(data)))
    groups = [name.partition("/")[0] for name in few.by_id]
    assert sorted(groups) == ["t1s", "t1s", "t2s", "t2s", "t3s", "t4s", "t5s"]


def test_the_task_reports_looks_and_bands(toy: str, tmp_path: Path) -> None:
    options = EvalOptions("toy", "jaxphys/oracle")
    arguments = {"scenes": 2, "styles": ["swapped", "text_only"], "bands": "same,most"}
    log = evaluate._through_inspect(options, arguments, str(tmp_path))
    assert log.results is not None
    found = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert found["task1/right"] == 0.5
    assert {found[f"style/{style}:task1/consistent"] for style in ("swapped", "text_only")} == {1.0}
    assert {found[f"band/{band}:task1/right"] for band in ("same", "most")} == {0.5}
    assert (found["bands:task1/groups"], found["bands:task1/all_exact"], found["bands:task1/followed"]) == (2, 1, 1)


def test_tables_of_looks_and_bands(toy: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = EvalOptions("toy", "jaxphys/mute", scenes=2, styles="all", bands="all", json=True)
    assert evaluate.run(options) == 0
    out = capsys.readouterr().out
    assert "the same scenes in other looks" in out
    assert "scenes as wholes of their bands" in out
    assert "6 scenes in every look, 36 questions." in out
    metrics = json.loads(out.splitlines()[-1])["metrics"]
    assert not under("style/swapped:task1/consistent", metrics)  # nothing was answered, so nothing was compared
    assert metrics["bands:task1/followed"] == 0.0


@pytest.mark.parametrize("given", ["swapped, text_only", ["swapped", "text_only"]], ids=["text", "list"])
def test_a_source_keeps_its_looks(given: Any) -> None:
    source = Arguments(styles=given, bands="all").source("toy", {})
    assert (source.styles, source.bands) == (("swapped", "text_only"), ("all",))
    assert Source.from_json(source.to_json()) == source


def test_a_group_without_one_label_is_left_out_whole(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.adapters.query.toy import Toy

    monkeypatch.setattr(Toy, "statuses", lambda self, spec, labels: (int(spec.id == "g0/scene_00000_more"),))
    scenes = load(Source("toy", scenes=2, bands=("all",)))
    assert set(scenes.by_id) == {f"g1/scene_00001_{band}" for band in ("same", "more", "most")}
    assert scenes.without_labels == {"g0/scene_00000_more": 1}
    assert compare.metrics(scenes, [], "robust") == {}


def some_have(names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenes of an even index have these bands, the others none."""
    whole = Toy.variants

    def variants(self: Toy, spec: ToySpec) -> dict[str, ToySpec]:
        return {name: one for name, one in whole(self, spec).items() if name in names and spec.index % 2 == 0}

    monkeypatch.setattr(Toy, "variants", variants)


def test_scenes_without_a_band_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    some_have(("same", "more"), monkeypatch)
    warned: list[tuple[Any, ...]] = []
    monkeypatch.setattr(log, "warning", lambda text, *values: warned.append(values))
    specs = Toy().sample(0, 3)
    for asked, bands in ((("all",), ["same", "more"]), (("more",), ["more"])):
        shown, labels, whence = vary(Toy(), specs, asked)
        assert whence == [(specs[k].id, band) for k in (0, 2) for band in bands]
        assert [spec.id for spec in shown] == [f"{origin}_{band}" for origin, band in whence]
        assert len(labels) == len(shown)
    assert warned == [(1, 3)] * 2
    with pytest.raises(ValueError, match="bands: 'most' is unknown; give all, or some of same, more"):
        vary(Toy(), specs, ("most",))
    for bands in (("all",), ("more",)):
        with pytest.raises(ValueError, match="bands: none of 1 scenes has any"):
            vary(Toy(), specs[1:2], bands)
