"""InPhyRe through the query layer: task arguments, image budget, no leak, runs side by side."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.dataset import Sample
from inspect_ai.model import ContentImage

from jaxphys import _inspect
from jaxphys_adapters import cli
from jaxphys_adapters.query import paired, replay
from jaxphys_adapters.query.evaluate import evaluate
from jaxphys_adapters.query.options import EvalOptions, ScoreOptions
from jaxphys_adapters.query.records import AnswerFolder
from jaxphys_adapters.query.score_answers import score
from jaxphys_adapters.query.source import Source, load
from jaxphys_benchmarks.inphyre.benchmark import InPhyRe
from jaxphys_benchmarks.protocol import AskOptions
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Call, Say, Script, Stub

pytestmark = pytest.mark.usefixtures("rendered")

SMALL = "size_px=64,64"


def samples(**arguments: Any) -> list[Sample]:
    """What the task asks when it is given these arguments with `-T`."""
    return list(_inspect.TASKS["inphyre"](size_px=[64, 64], **arguments).dataset)


def pictures(sample: Sample) -> list[str]:
    assert isinstance(sample.input, list)
    return [part.image for part in sample.input[0].content if isinstance(part, ContentImage)]


@pytest.mark.parametrize(
    "named",
    [{"scenarios": ["LMC", "AMC"]}, {"scenarios": "LMC,AMC"}, {"scenario": ["LMC", "AMC"]}, {"scenario": "LMC"}],
)
def test_task_arguments_reach_the_benchmark(named: dict[str, Any]) -> None:
    asked = samples(scenes=2, shots=2, modality="video_only", retriever="nner", film_frames=3, **named)
    (names,) = named.values()
    expected = names.split(",") if isinstance(names, str) else names
    assert {str(sample.id).partition("/")[0] for sample in asked} == set(expected)
    for sample in asked:
        shown = pictures(sample)
        assert len(shown) == 2 * 3 + 1
        assert isinstance(sample.input, list)
        assert "Answer: " not in sample.input[0].text.partition("about which you are asked")[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scenario": "XYZ"}, "scenarios: .*give distinct names of LMC"),
        ({"modality": "smell"}, "modality"),
        ({"shots": -1}, "shots"),
        ({"retriever": "nner", "scenario": "Red-LMC"}, "retriever: nner cannot promise"),
        ({"max_images": 5}, "max_images: 5, but 3 films"),
        ({"film_frames": 0}, "film_frames: 0"),
    ],
    ids=str,
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        samples(scenes=1, **{"scenario": "LMC", **arguments})


@pytest.mark.parametrize("most", [7, 12, 25, 32])
def test_a_few_shot_prompt_stays_inside_the_budget(most: int) -> None:
    (sample,) = samples(scenes=1, scenario="Wall", shots=3, max_images=most)
    frames = min(8, (most - 1) // 3)
    assert len(pictures(sample)) == 3 * frames + 1
    assert isinstance(sample.input, list)
    assert sample.input[0].text.count(f"{frames} frames of a film of 5 s, in order") == 3


def requests_of(serve: Callable[[Script], Stub]) -> list[Call]:
    load.cache_clear()
    stub = serve(lambda call, before: Say("Answer: A"))
    evaluate(asking(stub.url, benchmark="inphyre", scenes=10, option=(SMALL,), film_frames=2, cache=False))
    return sorted(stub.calls, key=lambda call: call.raw)


def test_no_request_depends_on_the_labels(serve: Callable[[Script], Stub], monkeypatch: pytest.MonkeyPatch) -> None:
    sent = requests_of(serve)
    assert len(sent) == 10
    truth = InPhyRe.label
    lie = {"meaning": "undetermined"}
    monkeypatch.setattr(InPhyRe, "label", lambda *a: [labels.model_copy(update=lie) for labels in truth(*a)])
    assert [call.raw for call in requests_of(serve)] == [call.raw for call in sent]
    for call in sent:
        assert len(call.images) == 3 * 2 + 1
        told = call.raw.decode()
        for uri in call.images:
            told = told.replace(uri, "")
        assert not any(word in told for word in ("scene_", "exemplar_", "LMC", "keep_momentum", "irregular"))


def test_records_tell_what_was_sent_and_runs_are_compared(tmp_path: Path) -> None:
    given: dict[str, Any] = {"benchmark": "inphyre", "scenes": 4, "film_frames": 2}
    for name, model, shots in (("zero", "regular_physics", 0), ("three", "text_copier", 3)):
        options = (SMALL, "scenario=LMC,SB", f"shots={shots}")
        evaluate(EvalOptions(**given, model=f"jaxphys/{model}", option=options, out=tmp_path / name))
    shown = replay.show(json.loads(AnswerFolder(tmp_path / "three").path("LMC/scene_00001/choice").read_text()))
    sent = [part for part in shown if isinstance(part, replay.Sent)]
    assert [(part.view, part.frame, part.frames) for part in sent] == [
        *[("film", 0, 2), ("film", 1, 2)] * 3,
        ("first_frame", 0, 1),
    ]
    assert [part.time for part in sent[:2]] == [0.0, pytest.approx(127 / 25.6)]
    found = paired.compare([tmp_path / "zero", tmp_path / "three"])
    by_group = {pair.group: pair for pair in found.pairs}
    assert found.common == 4
    assert (by_group["LMC"].accuracy_first, by_group["LMC"].accuracy_second) == (0.0, 1.0)
    assert found.contrast["choice/induction_gain_video_text_k3"] == by_group[""].difference


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of two samples of each of three scenarios, without pictures."""
    root = tmp_path_factory.mktemp("stored") / "set"
    words = "generate inphyre --scenes 6 --seed 3 --no-pictures --quiet --option scenarios=LMC,Red-LMC,SB"
    assert cli.main([*words.split(), "--out", str(root)]) == 0
    return root


def test_options_name_the_scenarios_of_a_data_set_that_are_asked_about(stored: Path) -> None:
    options = json.dumps({"scenarios": ["SB", "LMC"], "shots": 1, "retriever": "nner"})
    scenes = load(Source("inphyre", scenes=0, data=str(stored), options=options, ask=AskOptions(text_only=True)))
    assert list(scenes.by_id) == [f"{name}/scene_0000{k}" for k in (0, 1) for name in ("LMC", "SB")]


@pytest.mark.parametrize(("name", "why"), [('"color_grid"', "is unknown; give one of colour_grid"), ("[1]", "string")])
def test_an_unknown_feature_is_named_though_nothing_is_retrieved_by_it(stored: Path, name: str, why: str) -> None:
    with pytest.raises(ValueError, match="feature") as caught:
        load(Source("inphyre", scenes=0, data=str(stored), options=f'{{"feature": {name}}}'))
    assert why in str(caught.value)


def test_a_data_set_without_the_scenarios_asked_for_is_named(stored: Path) -> None:
    with pytest.raises(ValueError, match=r"holds no finished scenes of Wall, CC"):
        load(Source("inphyre", scenes=0, data=str(stored), options='{"scenarios": ["Wall", "CC"]}'))


def test_answers_about_some_scenarios_are_scored_by_those(stored: Path, tmp_path: Path) -> None:
    lines = [{"id": f"SB/scene_0000{k}/choice", "reply": "Answer: A"} for k in (0, 1)]
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join(map(json.dumps, lines)))
    found, faults = score(ScoreOptions("inphyre", stored, answers, option=("scenarios=SB", "shots=0")))
    assert faults == []
    assert found.questions == 2
    assert found.failures == {}
