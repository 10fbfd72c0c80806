"""Closed loops through the query layer, of a toy that rolls: rounds, ensembles, records, resuming, the provider."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from jaxphys import _inspect
from jaxphys_adapters.query import dry_run, evaluate, loop_records, score_answers, scores_file
from jaxphys_adapters.query import source as sources
from jaxphys_adapters.query.ensemble import Ensemble, Post
from jaxphys_adapters.query.evaluate import EvalOptions
from jaxphys_adapters.query.options import ScoreOptions
from jaxphys_adapters.query.records import AnswerFolder
from jaxphys_adapters.query.settings import Settings
from jaxphys_adapters.query.source import Source
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import Answer
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Call, Say, Script, Stub
from tests.adapters.query.toy import data_set
from tests.adapters.query.toy_loop import FALLS, ROUNDS, Rolling, ToyLoop, ToyLoopConfig

pytestmark = pytest.mark.usefixtures("rendered")

Serve = Callable[[Script], Stub]

SCENES = 4
"""None of them falls."""


@pytest.fixture(autouse=True)
def toyloop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BENCHMARKS, "toyloop", "tests.adapters.query.toy_loop:ToyLoop")
    _inspect.declare("toyloop")
    sources.load.cache_clear()
    ToyLoop.made.clear()


def loop(url: str, **changes: Any) -> EvalOptions:
    given = {"benchmark": "toyloop", "scenes": SCENES, "mode": "closed_loop", "cache": False, **changes}
    return asking(url, **given)


def two(call: Call, before: int) -> Say:
    return Say('{"n": 2}')


def test_every_round_asks_with_what_the_answers_before_have_made_of_it(serve: Serve, tmp_path: Path) -> None:
    stub = serve(two)
    found = evaluate.evaluate(loop(stub.url, out=tmp_path))
    starts = [spec.a for spec in ToyLoop().sample(0, SCENES)]
    asked = sorted(call.prompt for call in stub.calls)
    expected = [f'Watch: It is at {a + 2 * k}, round {k}: {{"n": integer}}' for a in starts for k in range(ROUNDS)]
    assert asked == sorted(expected)
    assert all(len(call.images) == 2 for call in stub.calls)
    # A picture is that of its moment: 3 rounds of a scene show it at 3 places.
    assert len({call.images[1] for call in stub.calls}) == len({a + 2 * k for a in starts for k in range(ROUNDS)})
    assert ToyLoop.made == [SCENES]
    assert found.metrics["task1/executed_end"] == sum(starts) / SCENES + 2 * ROUNDS
    assert found.metrics["task1/loop_asked"] == ROUNDS
    assert found.questions == SCENES
    scores = scores_file.read(tmp_path)
    assert {score.values["executed_end"] for score in scores.values()} == {a + 2.0 * ROUNDS for a in starts}


def test_the_first_reply_is_the_one_that_is_scored(serve: Serve) -> None:
    sums = {spec.a: spec.a + spec.b for spec in ToyLoop().sample(0, 3)}

    def script(call: Call, before: int) -> Say:
        at = int(call.prompt.split("at ")[1].split(",")[0])
        return Say(json.dumps({"n": sums[at] if "round 0" in call.prompt else 0}))

    assert evaluate.evaluate(loop(serve(script).url, scenes=3)).metrics["task1/right"] == 1


def test_a_baseline_is_told_the_scene_as_it_is_now_and_nothing_is_drawn(
    rendered: list[tuple[float, ...]], tmp_path: Path
) -> None:
    found = evaluate.evaluate(loop("", model="jaxphys/oracle", base_url=None, model_arg=(), out=tmp_path))
    # It answers with where the ball is, so the ball is twice as far each time.
    starts = [spec.a for spec in ToyLoop().sample(0, SCENES)]
    assert found.metrics["task1/executed_end"] == 2**ROUNDS * sum(starts) / SCENES
    # One picture is drawn to see whether there is something to draw with, of the scene's own question.
    assert rendered == []


def test_who_has_fallen_is_not_asked_and_the_others_go_on(serve: Serve) -> None:
    specs = ToyLoop().sample(0, 20)
    fallen = sum(spec.b == FALLS for spec in specs)
    assert 0 < fallen < 20
    stub = serve(two)
    evaluate.evaluate(loop(stub.url, scenes=20))
    assert len(stub.calls) == 20 * ROUNDS - fallen * (ROUNDS - 1)


def test_a_reply_that_cannot_be_read_leaves_things_as_they_are(serve: Serve, tmp_path: Path) -> None:
    def script(call: Call, before: int) -> Say:
        return Say("no idea") if "round 1" in call.prompt else Say('{"n": 2}')

    found = evaluate.evaluate(loop(serve(script).url, attempts=1, out=tmp_path))
    starts = [spec.a for spec in ToyLoop().sample(0, SCENES)]
    assert found.metrics["task1/executed_end"] == sum(starts) / SCENES + 2 * (ROUNDS - 1)
    record = json.loads(next(tmp_path.glob("g0/*_task1.json")).read_text())
    assert [entry["status"] for entry in record[loop_records.JOURNAL]] == ["ok", "no_json", "ok"]


@pytest.mark.parametrize("broken_at", [0, 1, 2])
def test_an_interrupted_run_is_taken_up_and_nothing_is_asked_twice(
    serve: Serve, tmp_path: Path, broken_at: int
) -> None:
    answered: list[str] = []
    broken = True

    def script(call: Call, before: int) -> Say:
        if broken and f"round {broken_at}" in call.prompt and len(answered) >= broken_at * SCENES + 1:
            return Say(status=401, message="no key")
        answered.append(call.prompt)
        return Say('{"n": 2}')

    stub = serve(script)
    with pytest.raises(evaluate.RunFailed):
        evaluate.evaluate(loop(stub.url, out=tmp_path, max_connections=1))
    assert not list(tmp_path.glob("g*/*_task1.json"))
    broken = False
    found = evaluate.evaluate(loop(stub.url, out=tmp_path))
    assert len(answered) == ROUNDS * SCENES
    starts = [spec.a for spec in ToyLoop().sample(0, SCENES)]
    assert found.metrics["task1/executed_end"] == sum(starts) / SCENES + 2 * ROUNDS
    # Once more: nothing is asked, and nothing simulated.
    ToyLoop.made.clear()
    assert evaluate.evaluate(loop(stub.url, out=tmp_path)).metrics == found.metrics
    assert len(answered) == ROUNDS * SCENES
    assert ToyLoop.made == []
    # Another Δt is another question.
    evaluate.evaluate(loop(stub.url, out=tmp_path, every=0.5))
    assert len(answered) == 2 * ROUNDS * SCENES


def test_replies_about_other_scenes_are_not_taken_for_those_about_these(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Rolling._moment

    def wordless(self: Rolling, spec: Any, at: int) -> Any:
        moment = told(self, spec, at)
        parts = tuple(part for part in moment.question.parts if not isinstance(part, str))
        return replace(moment, question=replace(moment.question, prompt="Watch.", parts=("Watch.", *parts)))

    monkeypatch.setattr(Rolling, "_moment", wordless)
    stub = serve(two)
    evaluate.evaluate(loop(stub.url, out=tmp_path))
    evaluate.evaluate(loop(stub.url, out=tmp_path))
    assert len(stub.calls) == ROUNDS * SCENES
    # Scenes of another seed have the same names, and here the same words.
    evaluate.evaluate(loop(stub.url, out=tmp_path, seed=1))
    assert len(stub.calls) == 2 * ROUNDS * SCENES


def test_replies_are_kept_in_the_cache_unless_latency_is_measured(serve: Serve) -> None:
    stub = serve(two)
    evaluate.evaluate(loop(stub.url, cache=True))
    first = len(stub.calls)
    evaluate.evaluate(loop(stub.url, cache=True))
    assert len(stub.calls) == first
    evaluate.evaluate(loop(stub.url, cache=True, latency="measured"))
    assert len(stub.calls) == 2 * first


def test_a_measured_latency_is_what_the_calls_took_and_is_kept(serve: Serve, tmp_path: Path) -> None:
    def script(call: Call, before: int) -> Say:
        return Say('{"n": 2}', delay=0.6 if "round 0" in call.prompt else 0.0)

    stub = serve(script)
    evaluate.evaluate(loop(stub.url, scenes=1, latency="measured", out=tmp_path))
    (path,) = tmp_path.glob("g*/*_task1.json")
    record = json.loads(path.read_text())
    assert record[loop_records.JOURNAL][0]["seconds"] >= 0.6
    path.unlink()
    evaluate.evaluate(loop(stub.url, scenes=1, latency="measured", out=tmp_path))
    assert json.loads(path.read_text())[loop_records.JOURNAL] == record[loop_records.JOURNAL]
    assert len(stub.calls) == ROUNDS


def test_a_measured_latency_does_not_count_the_wait_for_a_connection(serve: Serve, tmp_path: Path) -> None:
    stub = serve(lambda call, before: Say('{"n": 2}', delay=0.4 if "round 0" in call.prompt else 0.0))
    evaluate.evaluate(loop(stub.url, latency="measured", out=tmp_path, max_connections=1))
    records = [json.loads(path.read_text()) for path in tmp_path.glob("g*/*_task1.json")]
    assert len(records) == SCENES
    # The last of them has waited for the three before.
    assert all(0.4 <= record[loop_records.JOURNAL][0]["seconds"] < 0.8 for record in records)


@pytest.mark.parametrize(
    "changes",
    [
        {"outcome": {}},
        {"outcome": {"end": "x", "together": 1}},
        {"outcome": {"end": float("inf"), "together": 1}},
        {"journal": [{}]},
    ],
    ids=str,
)
def test_a_kept_scene_that_is_damaged_is_run_anew_from_its_replies(
    serve: Serve, tmp_path: Path, changes: dict[str, Any]
) -> None:
    stub = serve(two)
    first = evaluate.evaluate(loop(stub.url, scenes=1, out=tmp_path))
    (path,) = tmp_path.glob("g*/*_task1.json")
    whole = json.loads(path.read_text())
    path.write_text(json.dumps({**whole, **changes}).replace("Infinity", "1e999"))
    assert evaluate.evaluate(loop(stub.url, scenes=1, out=tmp_path)).metrics == first.metrics
    assert json.loads(path.read_text())[loop_records.OUTCOME] == whole[loop_records.OUTCOME]
    assert len(stub.calls) == ROUNDS


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The scenes as a data set."""
    return data_set("toyloop", tmp_path / "data", SCENES)


def test_the_folder_of_a_closed_loop_scores_the_same_again(serve: Serve, data: Path, tmp_path: Path) -> None:
    """Scored again, it lost what came of its scenes."""
    out = tmp_path / "out"
    asked = evaluate.evaluate(loop(serve(two).url, data=data, scenes=0, out=out))
    found, faults = score_answers.score(ScoreOptions(benchmark="toyloop", data=data, answers=out, out=tmp_path / "o"))
    assert faults == []
    assert found.metrics == asked.metrics
    assert found.metrics["task1/loop_asked"] == ROUNDS
    assert scores_file.read(tmp_path / "o") == scores_file.read(out)


@pytest.mark.parametrize("changes", [{"outcome": {}}, {"journal": 3}, {"outcome": None}], ids=str)
def test_a_damaged_record_of_a_closed_loop_is_named_when_it_is_scored(
    serve: Serve, data: Path, tmp_path: Path, changes: dict[str, Any]
) -> None:
    out = tmp_path / "out"
    evaluate.evaluate(loop(serve(two).url, data=data, scenes=0, out=out))
    path = next(out.glob("g*/*_task1.json"))
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(ValueError, match=rf"{path.name}: the record of a closed loop is damaged"):
        score_answers.score(ScoreOptions(benchmark="toyloop", data=data, answers=out))


def test_what_simulating_raises_ends_the_run_and_is_told(serve: Serve) -> None:
    with pytest.raises(evaluate.RunFailed, match="the floor gave way"):
        evaluate.evaluate(loop(serve(two).url, execution=("fails=true",)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"benchmark": "toy"}, "mode: toy has nothing that carries answers out; give open_loop"),
        ({"latency": -1.0}, "latency"),
        ({"styles": "swapped"}, "styles: a closed loop asks in the plain look"),
        ({"execution": ("x",)}, "execution: option: 'x'; give NAME=VALUE"),
        ({"execution": ("colour=red",)}, "execution"),
        ({"mode": "half_open"}, "mode: 'half_open'; give one of open_loop, closed_loop"),
    ],
    ids=str,
)
def test_bad_options_are_named_before_anything_is_asked(
    serve: Serve, toy: str, changes: dict[str, Any], message: str
) -> None:
    stub = serve(two)
    with pytest.raises(ValueError, match=message):
        evaluate.evaluate(loop(stub.url, **changes))
    assert not stub.calls


def test_an_estimate_counts_all_rounds(serve: Serve) -> None:
    told = dry_run.estimate(Source("toyloop", scenes=SCENES), Settings(loop="{}"))
    once = dry_run.estimate(Source("toyloop", scenes=SCENES), Settings())
    assert told.calls == ROUNDS * once.calls == ROUNDS * SCENES
    assert (told.images, told.words) == (ROUNDS * once.images, ROUNDS * once.words)


# Ensembles alone.


def members(count: int, begin: Any, play: Callable[[Ensemble, int], Any]) -> list[Any]:
    """What `play` returns, or raises, for each of several members that begin together."""
    found: list[Any] = [None] * count
    specs = ToyLoop().sample(0, count)

    async def main() -> None:
        ensemble = Ensemble(begin)

        async def one(k: int) -> None:
            try:
                place = await ensemble.join(specs[k], (0, 0, ""))
                found[k] = await play(ensemble, place)
            except (ValueError, RuntimeError) as error:
                found[k] = error

        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for k in range(count):
                    group.start_soon(one, k)

    anyio.run(main)
    return found


def rolling(**options: Any) -> Callable[[Any], Rolling]:
    return lambda scenes: Rolling(scenes, False, ToyLoopConfig(**options))


def test_who_leaves_early_does_not_hold_the_others_up() -> None:
    async def play(ensemble: Ensemble, place: int) -> int:
        rounds = 0
        try:
            while not ensemble.over and not (place == 1 and rounds == 1):
                moment = ensemble.moment(place)
                await anyio.sleep(0.01 * place)
                await ensemble.go_on(place, Post(Answer(1, "ok") if moment else None, 0.0))
                rounds += 1
        finally:
            ensemble.leave(place)
        return rounds

    class Lenient(Rolling):
        def go_on(self, answers: Any, seconds: Any) -> None:
            super().go_on([answer or Answer(None, "no_answer") for answer in answers], seconds)

    found = members(3, lambda scenes: Lenient(scenes, False, ToyLoopConfig()), play)
    assert found == [ROUNDS, 1, ROUNDS]


def test_a_failure_reaches_every_member() -> None:
    async def play(ensemble: Ensemble, place: int) -> None:
        await ensemble.go_on(place, Post(Answer(1, "ok"), 0.0))

    assert [str(error) for error in members(3, rolling(execution={"fails": True}), play)] == ["the floor gave way"] * 3


def test_a_beginning_that_fails_reaches_every_member() -> None:
    def begin(scenes: Any) -> Rolling:
        raise ValueError("nothing to roll on")

    async def play(ensemble: Ensemble, place: int) -> None:
        raise AssertionError

    assert [str(error) for error in members(3, begin, play)] == ["nothing to roll on"] * 3


def test_records_of_rounds_that_are_damaged_count_as_absent(tmp_path: Path) -> None:
    folder = loop_records.LoopFolder(AnswerFolder(tmp_path))
    path = tmp_path / "g0" / "00000_task1.rounds" / "000.json"
    path.parent.mkdir(parents=True)
    for content in ("", "{}", "[]", '{"reply": 3}', '{"reply": {"text": "a"}, "fingerprint": "f"}'):
        path.write_text(content)
        assert folder.kept("g0/scene_00000/task1", 0, "f") is None
        assert folder.finished("g0/scene_00000/task1", "f") is None


WHOLE = '{"reply": {"text": "a", "finish": "stop"}, "fingerprint": "f", "attempts": [], "seconds": 0.5}'


@pytest.mark.parametrize(
    ("text", "damaged"),
    [("0.5", "1e999"), ("0.5", "-1e999"), ("0.5", "-0.1"), ("0.5", "1" + "0" * 400), ("0.5", '"nan"'), ("0.5", "null"),
     ('"a"', "3"), ("[]", '[{"attempt": 1, "action": "accept", "timeout": 1e999}]')],
)  # fmt: skip
def test_rounds_with_numbers_that_nobody_has_written_count_as_absent(tmp_path: Path, text: str, damaged: str) -> None:
    """A time of 1e999 is read as infinity, and made every repetition fail."""
    folder = loop_records.LoopFolder(AnswerFolder(tmp_path))
    path = tmp_path / "g0" / "00000_task1.rounds" / "000.json"
    path.parent.mkdir(parents=True)
    path.write_text(WHOLE)
    kept = folder.kept("g0/scene_00000/task1", 0, "f")
    assert kept is not None
    assert kept[1] == 0.5
    path.write_text(WHOLE.replace(text, damaged))
    assert folder.kept("g0/scene_00000/task1", 0, "f") is None
