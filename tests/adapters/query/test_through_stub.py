"""The whole path, from question to metrics, through inspect-ai's OpenAI client and a server that misbehaves."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters.query import images, records
from jaxphys_adapters.query.evaluate import RunFailed, evaluate
from jaxphys_adapters.query.source import Scenes, Source, load
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Call, Say, Script, Stub
from tests.adapters.query.toy import SECRET, Toy, reply_of
from tests.support import cases

Serve = Callable[[Script], Stub]


def scenes_of(scenes: int, **ask: Any) -> Scenes:
    return load(Source("toy", scenes=scenes, **ask))


def truths(scenes: int = 2) -> dict[str, str]:
    """Right replies by the key of prompt and picture; no two questions share one."""
    known = scenes_of(scenes)
    found = {}
    for question in known.questions:
        png = known.picture(question)
        assert png is not None
        content = [
            {"type": "text", "text": question.prompt},
            {"type": "image_url", "image_url": {"url": images.data_uri(png)}},
        ]
        key = Call({"messages": [{"content": content}]}, {}, b"").key
        found[key] = reply_of(known.by_id[question.scene].labels, question)
    assert len(found) == len(known.questions)
    return found


def honest(known: dict[str, str], *faults: Callable[[str], Say]) -> Script:
    """Each question first meets the faults, in order, and then gets the right reply."""

    def script(call: Call, before: int) -> Say:
        text = known[call.key]
        return faults[before](text) if before < len(faults) else Say(text)

    return script


def attempts(out: Path, question: str = "g0/scene_00000/task1") -> list[dict[str, Any]]:
    return list(json.loads(records.AnswerFolder(out).path(question).read_text())["attempts"])


RIGHT = {"task1/right": 0.5, "task2/right": 0.5}  # of all scores; each task has half of them


def right(metrics: Any) -> dict[str, float]:
    return {name: metrics[name] for name in RIGHT}


@pytest.mark.parametrize(
    ("fault", "action"),
    [
        (lambda t: Say(status=429, message="slow down", headers=(("retry-after", "0"),)), "back off"),
        (lambda t: Say(status=500, message="broken"), "back off"),
        (lambda t: Say(t[:-2], finish="length"), "ask again with more tokens"),
        (lambda t: Say(t[:-2]), "ask again with more tokens"),
        (lambda t: Say("", finish="length"), "ask again with more tokens"),
        (lambda t: Say(""), "ask again"),
        (lambda t: Say("The answer is six."), "ask again"),
        (lambda t: Say('{"n": NaN}'), "ask again"),
        (lambda t: Say('<think>it is {"n": 0}'), "ask again"),
        (lambda t: Say("half a character: \ud83d"), "ask again"),
        (lambda t: Say(status=413, message="too large"), "shrink the picture and retry once"),
        (lambda t: Say(status=400, message="image exceeds 5 MB maximum"), "shrink the picture and retry once"),
    ],
    ids=[
        "429",
        "500",
        "truncated",
        "cut",
        "empty-length",
        "empty",
        "prose",
        "nan",
        "open-think",
        "surrogate",
        "413",
        "5MB",
    ],
)
def test_a_fault_is_overcome(toy: str, serve: Serve, tmp_path: Path, fault: Callable[[str], Say], action: str) -> None:
    known = truths(1)
    (scene,) = scenes_of(1).by_id.values()
    by_prompt = {question.prompt: reply_of(scene.labels, question) for question in scene.questions}

    def script(call: Call, before: int) -> Say:
        shrunk = call.key not in known
        return Say(by_prompt[call.prompt]) if before or shrunk else fault(by_prompt[call.prompt])

    stub = serve(script)
    found = evaluate(asking(stub.url, scenes=1, out=tmp_path))
    assert right(found.metrics) == RIGHT
    first, second = attempts(tmp_path)
    assert (first["action"], second["action"]) == (action, "accept")


@pytest.mark.parametrize(
    "wrap",
    [
        lambda t: f"```json\n{t}\n```",
        lambda t: f"I weigh {{a, b}} and so on.\n{t}",
        lambda t: f'<think>maybe {{"n": -1}}</think>\n{t}',
        lambda t: f'{{"n": -1}} no, wait: {t}',
    ],
    ids=["fenced", "prose-with-braces", "thinking", "two-objects"],
)
def test_what_surrounds_an_answer_does_not_matter(toy: str, serve: Serve, wrap: Callable[[str], str]) -> None:
    known = truths()
    stub = serve(lambda call, before: Say(wrap(known[call.key])))
    found = evaluate(asking(stub.url))
    assert right(found.metrics) == RIGHT
    assert len(stub.calls) == 4


def test_extractors_are_shown_side_by_side(toy: str, serve: Serve) -> None:
    known = truths()
    stub = serve(lambda call, before: Say('{"n": -1} no: ' + known[call.key]))
    found = evaluate(asking(stub.url))
    assert found.metrics["paper:differs"] == 4
    assert found.metrics["paper:task1/right"] == 0
    assert found.metrics["lenient:differs"] == 0


@pytest.mark.parametrize(
    ("changes", "extract", "calls"),
    [
        ({}, "robust", 3),
        ({"option": ("extract=paper", "attempts=2")}, "paper", 2),
        ({"option": ("extract=paper", "attempts=2"), "extract": "lenient", "attempts": 1}, "lenient", 1),
    ],
    ids=["default", "configured", "flags"],
)
def test_how_to_ask_is_configured_unless_a_flag_says_otherwise(
    toy: str, serve: Serve, tmp_path: Path, changes: dict[str, Any], extract: str, calls: int
) -> None:
    stub = serve(lambda call, before: Say("The answer is six."))
    found = evaluate(asking(stub.url, scenes=1, out=tmp_path, **changes))
    assert found.extract == extract
    assert len(attempts(tmp_path)) == calls
    assert json.loads((tmp_path / "run.json").read_text())["arguments"]["extract"] == extract


def test_a_slow_server_gets_more_time(toy: str, serve: Serve, tmp_path: Path) -> None:
    known = truths(1)
    stub = serve(honest(known, lambda t: Say(t, delay=1.3)))
    found = evaluate(asking(stub.url, scenes=1, timeout=1, out=tmp_path))
    assert right(found.metrics) == RIGHT
    first, second = attempts(tmp_path)
    assert (first["finish"], first["timeout"], second["timeout"]) == ("timeout", 1.0, 2.0)


@pytest.mark.parametrize(
    "refusal",
    [
        Say(status=400, code="content_filter", message="filtered"),
        Say("", finish="content_filter"),
        Say("I'm sorry, but I can't help with that."),
    ],
    ids=["http", "finish", "words"],
)
def test_a_refusal_is_counted_and_not_repeated(toy: str, serve: Serve, refusal: Say) -> None:
    stub = serve(lambda call, before: refusal)
    found = evaluate(asking(stub.url))
    assert found.failures == {"refusal": 4}
    assert len(stub.calls) == 4


@pytest.mark.parametrize(
    ("status", "code"), [(401, "invalid_api_key"), (404, "model_not_found"), (429, "insufficient_quota")]
)
def test_a_hopeless_error_ends_the_run(toy: str, serve: Serve, status: int, code: str) -> None:
    stub = serve(lambda call, before: Say(status=status, code=code, message="not today"))
    with pytest.raises(RunFailed, match=f"HTTP {status}.*not today"):
        evaluate(asking(stub.url, max_connections=1))
    assert len(stub.calls) == 1


def test_limits_and_options_reach_the_request(toy: str, serve: Serve) -> None:
    stub = serve(honest(truths()))
    evaluate(asking(stub.url, max_tokens=77, temperature=0.25))
    assert {(call.body["max_tokens"], call.body["temperature"]) for call in stub.calls} == {(77, 0.25)}
    assert all(len(call.images) == 1 for call in stub.calls)


def test_without_a_picture_none_is_sent(toy: str, serve: Serve) -> None:
    stub = serve(lambda call, before: Say('{"n": 1}'))
    evaluate(asking(stub.url, image=False))
    assert [call.images for call in stub.calls] == [[]] * 4


def test_a_picture_over_the_limit_is_shrunk_before_it_is_sent(toy: str, serve: Serve) -> None:
    side = "side_px=4000"
    stub = serve(lambda call, before: Say('{"n": 1}'))
    evaluate(asking(stub.url, scenes=1, option=(side,), max_image_mib=0.02))
    assert all(len(call.images[0].partition(",")[2]) <= 0.02 * images.MIB for call in stub.calls)


def test_api_cache_key(toy: str, serve: Serve) -> None:
    expected = cases("api")["api-cache-key"]["expected"]
    stub = serve(honest(truths()))
    first = evaluate(asking(stub.url))
    asked = len(stub.calls)
    assert evaluate(asking(stub.url)).metrics == first.metrics
    assert len(stub.calls) - asked == expected["api_calls_second_run"]
    evaluate(asking(stub.url, cache=False))
    assert len(stub.calls) == 2 * asked


def test_nothing_is_cached_above_temperature_zero(toy: str, serve: Serve) -> None:
    assert cases("api")["api-cache-key"]["expected"]["temperature>0_cached"] is False
    stub = serve(honest(truths()))
    for _ in range(2):
        evaluate(asking(stub.url, temperature=0.5))
    assert len(stub.calls) == 8


def test_other_settings_of_the_model_are_asked_anew(toy: str, serve: Serve) -> None:
    stub = serve(honest(truths()))
    evaluate(asking(stub.url))
    evaluate(asking(stub.url, model="openai-api/stub/other"))
    evaluate(asking(stub.url, max_tokens=1000))
    assert len(stub.calls) == 12


@pytest.mark.parametrize("size", cases("api")["api-batchsize-invariance"]["input"]["batch_sizes"])
def test_api_batchsize_invariance(toy: str, serve: Serve, size: int) -> None:
    known = truths(8)
    wrong = set(sorted(known)[::3])
    stub = serve(lambda call, before: Say('{"n": -1}' if call.key in wrong else known[call.key]))
    found = evaluate(asking(stub.url, scenes=8, max_connections=size))
    alone = {name: value for name, value in found.metrics.items() if name in RIGHT}
    assert sum(alone.values()) == pytest.approx(1 - len(wrong) / len(known))
    assert alone == _metrics_in_one_go(serve, known, wrong)


def _metrics_in_one_go(serve: Serve, known: dict[str, str], wrong: set[str]) -> dict[str, float]:
    stub = serve(lambda call, before: Say('{"n": -1}' if call.key in wrong else known[call.key]))
    return right(evaluate(asking(stub.url, scenes=8, max_connections=16, cache=False)).metrics)


def test_an_interrupted_run_is_taken_up_where_it_ended(toy: str, serve: Serve, tmp_path: Path) -> None:
    known = truths(4)
    stub = serve(lambda call, before: Say(known[call.key]) if len(stub.calls) <= 3 else Say(status=401))
    options = asking(stub.url, scenes=4, cache=False, out=tmp_path, temperature=0.7, max_connections=1)
    with pytest.raises(RunFailed):
        evaluate(options)
    kept = {path: path.read_bytes() for path in tmp_path.glob("g*/*.json")}
    assert len(kept) == 3
    stub.script = lambda call, before: Say(known[call.key])
    found = evaluate(options)
    assert right(found.metrics) == RIGHT
    assert len(stub.calls) == 3 + 1 + 5  # kept, refused, and the rest
    assert {path: path.read_bytes() for path in kept} == kept


def test_failed_calls_are_made_again_by_a_repeated_run(toy: str, serve: Serve, tmp_path: Path) -> None:
    stub = serve(lambda call, before: Say(status=400, message="temperature is not supported"))
    options = asking(stub.url, out=tmp_path)
    assert evaluate(options).failures == {"error": 4}
    known = truths()
    stub.script = lambda call, before: Say(known[call.key])
    assert right(evaluate(options).metrics) == RIGHT
    assert len(stub.calls) == 8


def test_one_folder_holds_one_model(toy: str, serve: Serve, tmp_path: Path) -> None:
    stub = serve(honest(truths()))
    evaluate(asking(stub.url, out=tmp_path))
    with pytest.raises(ValueError, match="holds answers of model openai-api/stub/m"):
        evaluate(asking(stub.url, out=tmp_path, model="jaxphys/oracle", base_url=None, model_arg=()))


def test_no_request_depends_on_the_labels(toy: str, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs whose labels differ send the same bytes, and no label, seed or id is among them."""

    def requests() -> list[bytes]:
        load.cache_clear()
        stub = serve(lambda call, before: Say('{"n": 1}'))
        evaluate(asking(stub.url, scenes=4, cache=False, seed=424242))
        return sorted(call.raw for call in stub.calls)

    sent = requests()
    truth = Toy.label
    monkeypatch.setattr(Toy, "label", lambda *a: [(n + 1, m + 1, s) for n, m, s in truth(*a)])
    assert requests() == sent
    for raw in sent:
        assert not any(word in raw for word in (SECRET.encode(), b"scene_", b"424242", b"jaxphys", b"hash-"))
        assert set(json.loads(raw)) == {"messages", "model", "max_tokens", "temperature"}
