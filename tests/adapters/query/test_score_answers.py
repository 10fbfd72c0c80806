"""Answers obtained elsewhere: what lines may look like, what is reported, and that nothing missing is forgiven."""

import json
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters.query import score_answers
from jaxphys_adapters.query.evaluate import EvalOptions, evaluate
from jaxphys_adapters.query.options import ScoreOptions
from jaxphys_adapters.query.source import Source, load
from tests.adapters.query.toy import data_set, reply_of

SCENES = 3


@pytest.fixture
def data(toy: str, tmp_path: Path) -> Path:
    """A data set folder of the toy benchmark."""
    return data_set("toy", tmp_path / "data", SCENES)


def right_lines() -> list[dict[str, Any]]:
    scenes = load(Source("toy", scenes=SCENES))
    return [
        {"id": question.id, "reply": reply_of(scene.labels, question)}
        for scene in scenes.by_id.values()
        for question in scene.questions
    ]


def options(data: Path, lines: list[Any] | bytes, **changes: Any) -> ScoreOptions:
    path = data.parent / "answers.jsonl"
    text = lines if isinstance(lines, bytes) else "\n".join(map(json.dumps, lines)).encode()
    path.write_bytes(text)
    return ScoreOptions(benchmark="toy", data=data, answers=path, **changes)


@pytest.mark.parametrize("form", ["id-reply", "scene-task-reply", "answer-object", "answer-text"])
def test_forms_of_a_line(data: Path, form: str) -> None:
    lines = []
    for line in right_lines():
        scene, _, task = line["id"].rpartition("/")
        lines.append(
            {
                "id-reply": line,
                "scene-task-reply": {"scene": scene, "task": task, "reply": line["reply"]},
                "answer-object": {"scene": scene, "task": task, "answer": json.loads(line["reply"])},
                "answer-text": {"id": line["id"], "answer": line["reply"]},
            }[form]
        )
    found, faults = score_answers.score(options(data, lines))
    assert faults == []
    assert (found.metrics["task1/right"], found.metrics["task2/right"]) == (0.5, 0.5)
    assert (found.scenes, found.questions) == (SCENES, 2 * SCENES)


def test_a_missing_answer_is_wrong(data: Path) -> None:
    found, _ = score_answers.score(options(data, right_lines()[:2]))
    assert found.metrics["task1/right"] == pytest.approx(1 / 6)
    assert found.questions == 6
    assert any("4 questions have no usable line" in note for note in found.notes)


BAD: list[tuple[bytes, str]] = [
    (b"{", "not JSON"),
    (b"\xff\xfe", "not JSON"),
    (b"[1, 2]", "list instead of an object"),
    (b'{"reply": "x"}', "no 'id', nor 'scene' and 'task'"),
    (b'{"id": 3, "reply": "x"}', "no 'id'"),
    (b'{"id": "g0/scene_00000/task1"}', "neither 'reply' nor 'answer'"),
    (b'{"id": "g0/scene_00000/task1", "reply": 7}', "reply: int instead of a text"),
    (b'{"id": "g0/scene_00000/task1", "reply": "x", "finish": "bored"}', "finish: 'bored'"),
    (b'{"id": "g0/scene_00000/task1", "reply": "x", "finish": []}', "finish: []"),
    (b'{"id": "g9/scene_00000/task1", "reply": "x"}', "no question 'g9/scene_00000/task1'"),
    (b"[" * 100_000, "not JSON: nested too deeply"),
]


@pytest.mark.parametrize(("line", "message"), BAD, ids=[message for _, message in BAD])
def test_a_bad_line_is_reported_with_its_number(data: Path, line: bytes, message: str) -> None:
    good = json.dumps(right_lines()[0]).encode()
    found, (fault,) = score_answers.score(options(data, b"\n".join([good, b"", line])))
    assert fault.startswith(f"line 3: {message}")
    assert found.questions == 6


def test_the_later_of_two_lines_counts_and_both_are_named(data: Path) -> None:
    first = {**right_lines()[0], "reply": '{"n": -1}'}
    found, (fault,) = score_answers.score(options(data, [first, *right_lines()]))
    assert fault.startswith("line 2: g0/scene_00000/task1 again, first in line 1")
    assert found.metrics["task1/right"] == 0.5


def test_the_reason_of_a_reply_that_did_not_finish_is_kept(data: Path) -> None:
    lines = right_lines()
    lines[0] |= {"finish": "content_filter"}
    found, _ = score_answers.score(options(data, lines))
    assert found.failures == {"refusal": 1}


def test_the_folder_of_an_evaluation_scores_the_same(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = evaluate(EvalOptions(benchmark="toy", model="jaxphys/oracle", data=data, scenes=0, out=out))
    found, faults = score_answers.score(ScoreOptions(benchmark="toy", data=data, answers=out))
    assert found.model == "jaxphys/oracle"
    assert faults == []
    assert found.metrics == asked.metrics


def test_the_command(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = options(data, b"{\n" + json.dumps(right_lines()[0]).encode(), json=True, out=tmp_path / "o", model="me")
    assert score_answers.run(given) == 1
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[-1])["model"] == "me"
    assert "line 1: not JSON" in err
    assert json.loads((tmp_path / "o" / "metrics.json").read_text())["n"] == SCENES


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"benchmark": "chess"}, "benchmark: 'chess' is not known"),
        ({"data": Path("/nowhere")}, "/nowhere: no such folder"),
        ({"answers": Path("/nowhere.jsonl")}, "/nowhere.jsonl"),
    ],
    ids=["benchmark", "data", "answers"],
)
def test_bad_options_are_named(data: Path, changes: dict[str, Any], message: str) -> None:
    given = {"benchmark": "toy", "data": data, "answers": data.parent / "none.jsonl", **changes}
    with pytest.raises((ValueError, OSError), match=message):
        score_answers.run(ScoreOptions(**given))


def test_a_file_without_a_usable_line_is_an_error(data: Path) -> None:
    with pytest.raises(ValueError, match="answers none of the questions; line 1: not JSON"):
        score_answers.run(options(data, b"{\n"))
