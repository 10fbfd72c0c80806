"""ReactHuman through the query layer: task arguments, estimate, films, decision files, people's answers, votes."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import inspect_ai
import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import Sample
from inspect_ai.model import ContentImage
from rich.console import Console

from jaxphys import _inspect
from jaxphys_adapters import cli
from jaxphys_adapters.query import decisions_file, evaluate, paired, results, score_answers
from jaxphys_adapters.query.options import ScoreOptions
from jaxphys_adapters.query.source import Source, load
from jaxphys_benchmarks.protocol import AskOptions
from tests.adapters.query.conftest import asking
from tests.adapters.query.stub import Say, Script, Stub
from tests.benchmarks.reacthuman.asked_scenes import ACTS, CATCH, DODGE, NONE

pytestmark = pytest.mark.usefixtures("rendered")

Serve = Callable[[Script], Stub]

SMALL = ("size_px=64,36", "visible_px=0")
"""Pictures too small to see anything in, which is not what is tested here."""
FAMILIES = "families=door_swing,rolling_ball"
PER_FAMILY = 4
RULES = {"R1", "R2", "R3", "R4", None}


def samples(**arguments: Any) -> list[Sample]:
    """What the task asks when it is given these arguments with `-T`."""
    given = {"size_px": [64, 36], "visible_px": 0, "families": "door_swing", "scenes": 1, **arguments}
    return list(_inspect.TASKS["reacthuman"](**given).dataset)


def pictures(sample: Sample) -> list[str]:
    assert isinstance(sample.input, list)
    return [part.image for part in sample.input[0].content if isinstance(part, ContentImage)]


def text(sample: Sample) -> str:
    assert isinstance(sample.input, list)
    return sample.input[0].text


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ({"families": "door_swing,rolling_ball", "scenes": 3},
         ["door_swing/scene_00000", "rolling_ball/scene_00000", "door_swing/scene_00001"]),
        ({"families": ["door_swing"], "scenes": 1, "bands": "slow,fast"},
         ["door_swing/scene_00000_slow", "door_swing/scene_00000_fast"]),
        # The second scene is of the same group, and has no other bands than the first.
        ({"scenes": 2, "bands": ["fast"]}, ["door_swing/scene_00000_fast"]),
    ],
    ids=["families", "bands", "bands-of-one-group"],
)  # fmt: skip
def test_families_bands_and_scenes_of_the_task(arguments: dict[str, Any], ids: list[str]) -> None:
    assert [sample.id for sample in samples(**arguments)] == [f"{name}/react" for name in ids]


def test_timing_views_and_label_set_of_the_task() -> None:
    plain, event = samples(), samples(timing="event", lead="constant")
    assert len(pictures(plain[0])) == len(pictures(event[0])) == 5
    assert all("egocentric_film" in uri for uri in pictures(plain[0]))
    (several,) = samples(views="overhead,observer,egocentric", views_per_query=2)
    assert [uri.rpartition("/")[2].partition("@")[0] for uri in pictures(several)] == [
        *["overhead_film"] * 5,
        *["observer_film"] * 5,
    ]
    assert "seen from above" in text(several)
    for label_set in ("three_way", "released"):
        options = json.dumps({"label_set": label_set, "families": ["door_swing"], "visible_px": 0})
        scenes = load(Source("reacthuman", scenes=1, options=options, ask=AskOptions(image=False)))
        assert scenes.questions[0].reads["label_set"] == label_set


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"families": "door"}, "families: .*give distinct names of object_drop"),
        ({"bands": "warp"}, "bands: 'warp' is unknown; give all, or some of slow, normal, fast, very_fast"),
        ({"timing": "late"}, "timing: Input should be 'published' or 'event'"),
        ({"views": "behind"}, "views"),
        ({"views_per_query": 4}, "views_per_query"),
        ({"label_set": "four"}, "label_set: Input should be 'three_way' or 'released'"),
        ({"max_images": 1}, "max_images, film_frames: 1 and 8, but 1 views need at least 2 images"),
        ({"labels": "released"}, "labels: no such field"),
    ],
    ids=str,
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        samples(**arguments)


def test_questions_that_hardly_show_their_hazard_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--scenes", "4", "--option", "families=door_swing", "--option", "size_px=160,90", "--option"]
    for few, expected in (("visible_px=10", True), ("visible_px=0", False)):
        given = ["eval", "reacthuman", "--model", "jaxphys/freeze", *words, few]
        assert cli.main([*given, "--dry-run"]) == 0
        assert ("questions show the hazard in too few frames" in capsys.readouterr().out) is expected
    assert cli.main(["eval", "reacthuman", "--model", "jaxphys/freeze", *words, "visible_px=10"]) == 0
    out = capsys.readouterr().out
    assert "questions show the hazard in too few frames" in out
    rows = [line.split()[0] for line in out.splitlines() if line.strip().startswith("react/")]
    assert (rows[0], len(rows)) == ("react/saa", results.ROWS)
    assert "more metrics: --json" in out


def test_inspect_limits_the_questions_and_scores_those(tmp_path: Path) -> None:
    (log,) = inspect_ai.eval(
        "jaxphys/reacthuman",
        model="jaxphys/oracle",
        task_args={"families": "door_swing", "scenes": 4, "size_px": [64, 36], "visible_px": 0, "cache": False},
        limit=3,
        display="none",
        log_level="error",
        log_dir=str(tmp_path),
    )
    assert log.status == "success"
    assert log.results is not None
    (found,) = log.results.scores
    values = {name: metric.value for name, metric in found.metrics.items()}
    assert (values["react/n"], values["react/saa"], values["react/safety"]) == (3, 1, 1)


def test_an_estimate_of_calls_images_and_tokens_comes_before_anything_is_sent(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = serve(lambda call, before: Say(json.dumps(ACTS[DODGE])))
    three = {"benchmark": "reacthuman", "option": (*SMALL, FAMILIES, "views_per_query=3"), "scenes": 4, "cache": False}
    assert evaluate.run(asking(stub.url, **three, dry_run=True, json=True)) == 0
    *words, line = capsys.readouterr().out.splitlines()
    told = json.loads(line)["estimate"]
    assert not stub.calls
    evaluate.evaluate(asking(stub.url, **three))
    assert told["calls"] == told["questions"] == len(stub.calls) == 4
    assert told["images"] == sum(len(call.images) for call in stub.calls) == 4 * 15
    assert told["shows"] == {"egocentric_film": 5, "observer_film": 5, "overhead_film": 5}
    assert told["words"] == sum(len(call.prompt.split()) for call in stub.calls)
    assert told["text_tokens"] > 4 / 3 * told["words"]  # the schema has more characters than words
    assert told["image_tokens"]["google"] == 60 * 258
    assert told["reply_tokens"] == 4 * 4096
    assert "60 images, 15 in a question (egocentric film 5, observer film 5, overhead film 5)" in "\n".join(words)


def test_the_task_tells_the_estimate_and_ends() -> None:
    with pytest.raises(PrerequisiteError, match=r"(?s)Nothing was sent.* 2 calls about 2 scenes.* 10 images"):
        samples(scenes=2, dry_run=True)


# Answers obtained elsewhere.


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of one group of each of two families, without pictures."""
    root = tmp_path_factory.mktemp("stored") / "set"
    words = f"generate reacthuman --scenes {2 * PER_FAMILY} --seed 2 --no-pictures --quiet --option {FAMILIES}"
    words += f" --option {SMALL[0]} --option {SMALL[1]}"
    assert cli.main([*words.split(), "--out", str(root)]) == 0
    return root


def scenes_of(stored: Path) -> list[tuple[str, str, Any]]:
    """Our name, the published name and the labels of every scene."""
    scenes = load(Source("reacthuman", scenes=0, data=str(stored)))
    return [(one.spec.id, one.questions[0].reads["sid"], one.labels) for one in scenes.by_id.values()]


def scored(stored: Path, name: str, content: Any, **changes: Any) -> score_answers.Scored:
    """The scores of a file of answers: JSON, lines of JSON, or a table."""
    path = stored.parent / name
    if isinstance(content, str):
        path.write_text(content)
    elif path.suffix == ".json":
        path.write_text(json.dumps(content))
    else:
        path.write_text("\n".join(map(json.dumps, content)))
    return score_answers.score_all(ScoreOptions("reacthuman", stored, path, **changes))


@pytest.mark.parametrize("form", ["reply", "answer", "plan", "sid", "scene", "no_sid"])
def test_files_of_plans(stored: Path, form: str) -> None:
    lines = []
    for scene, sid, _ in scenes_of(stored):
        plan = ACTS[DODGE]
        lines.append(
            {
                "reply": {"id": f"{scene}/react", "reply": f"```json\n{json.dumps(plan)}\n```"},
                "answer": {"scene": scene, "task": "react", "answer": plan},
                "plan": {"id": f"{scene}/react", "m": "me", "plan": plan},
                "sid": {"sid": sid, "m": "me", "plan": plan},
                "scene": {"scene": scene, "plan": json.dumps(plan)},
                "no_sid": {"sid": None, "scene": scene, "plan": plan},
            }[form]
        )
    found = scored(stored, "plans.jsonl", lines)
    (one,) = found.results
    assert found.faults == []
    assert one.model == ("me" if form in ("plan", "sid") else "unnamed")
    dodges = sum(labels.correct_action == DODGE for _, _, labels in scenes_of(stored))
    assert one.metrics["react/saa"] == pytest.approx(dodges / 8)
    assert one.metrics["react/safety"] == 1


def test_decisions_are_written_and_read_back(stored: Path, tmp_path: Path) -> None:
    acts = [CATCH, DODGE, NONE]
    lines = [{"sid": sid, "plan": ACTS[acts[k % 3]]} for k, (_, sid, _) in enumerate(scenes_of(stored)[:7])]
    lines[3]["plan"] = {"walking_cmd": "back"}
    first = scored(stored, "plans.jsonl", lines, out=tmp_path / "first", model="m1")
    records = [json.loads(line) for line in (tmp_path / "first" / decisions_file.DECISIONS).read_text().splitlines()]
    assert len(records) == 8
    assert {record["rule"] for record in records} <= RULES
    assert [record["act"] for record in records].count("UNPARSEABLE") == 2
    assert {record["m"] for record in records} == {"m1"}
    again = scored(stored, "decisions.jsonl", records, out=tmp_path / "again")
    assert again.faults == []
    assert again.results[0].model == "m1"
    for name in ("react/saa", "react/safety", "react/aia", "react/d_end", "react/violations", "react/n", "mean"):
        assert again.results[0].metrics[name] == pytest.approx(first.results[0].metrics[name], abs=1e-4), name
    kept = [json.loads(line) for line in (tmp_path / "again" / decisions_file.DECISIONS).read_text().splitlines()]
    for name in ("fam", "sid", "m", "act", "viol", "rule", "dend", "saa", "aia", "parse_status"):
        assert [one[name] for one in kept] == [one[name] for one in records], name
    # A folder of decisions is compared like any other run.
    found = paired.compare([tmp_path / "first", tmp_path / "again"])
    assert found.common == 8
    assert found.contrast["react/unanimous"] == 1.0


def test_a_published_file_of_several_models_is_scored_model_by_model(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only published keys; fed with the actions, the same `viol` and `rule` come out, and a wrong one is told."""
    acts = {"claude": CATCH, "kimi": NONE, "gpt": DODGE}
    rows = [
        {"fam": sid.rpartition("_")[0], "sid": sid, "m": model, "act": act, "viol": False, "rule": None, "dend": 1.0}
        for model, act in acts.items()
        for _, sid, _ in scenes_of(stored)
    ]
    found = scored(stored, "published.json", {"decisions": rows}, out=tmp_path / "out")
    assert [one.model for one in found.results] == list(acts)
    by_model = {one.model: one for one in found.results}
    dodges = sum(labels.correct_action == DODGE for _, _, labels in scenes_of(stored))
    assert by_model["gpt"].metrics["react/saa"] == pytest.approx(dodges / 8)
    assert by_model["claude"].metrics["react/d_end"] == pytest.approx(1.0)
    assert not [note for note in by_model["gpt"].notes if "another than ours" in note]
    wrong = by_model["kimi"].metrics["react/violations"]
    assert wrong > 0
    assert f"'rule' of {wrong:.0f} records is another than ours" in "\n".join(by_model["kimi"].notes)
    # A tie of three: a third of the votes is right wherever one of the three actions is.
    assert found.contrast["react/majority"] == pytest.approx(1 / 3)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["claude", "gpt", "kimi"]
    only = score_answers.score(ScoreOptions("reacthuman", stored, stored.parent / "published.json", model="gpt"))[0]
    assert only.metrics == by_model["gpt"].metrics
    with pytest.raises(ValueError, match="holds answers of claude, kimi, gpt; name one"):
        score_answers.score(ScoreOptions("reacthuman", stored, stored.parent / "published.json"))
    with pytest.raises(ValueError, match="model: 'bert' is none of 'claude'"):
        score_answers.score_all(ScoreOptions("reacthuman", stored, stored.parent / "published.json", model="bert"))
    assert score_answers.run(ScoreOptions("reacthuman", stored, stored.parent / "published.json", json=True)) == 0
    out = capsys.readouterr().out
    assert "3 models or people" in out
    assert set(json.loads(out.splitlines()[-1])["models"]) == set(acts)


def test_people_answer_in_a_table(stored: Path) -> None:
    scenes = scenes_of(stored)
    rows = ["person,scene,action,intent,forward,left,up"]
    rows += [f'Ann,{scene},dodge,"step back, away from it",,,' for scene, _, _ in scenes]
    rows += [f"Bob,{sid},catch,,0.45,0,0.2" for _, sid, _ in scenes[:2]]
    rows += ["Bob,nowhere,catch,,,,", f"Bob,{scenes[2][0]},jump,,,,", "Bob,x,catch,,,,,,", ""]
    found = scored(stored, "people.csv", "\n".join(rows))
    ann, bob = found.results
    assert (ann.model, bob.model) == ("Ann", "Bob")
    assert (ann.metrics["react/n"], ann.metrics["react/n_answered"]) == (8, 8)
    # What Bob was not asked is no decision.
    assert (bob.metrics["react/n"], bob.metrics["react/lost"]) == (2, 6)
    dodges = sum(labels.correct_action == DODGE for _, _, labels in scenes)
    assert ann.metrics["react/aia"] == pytest.approx(dodges / 8)
    assert "react/aia" not in bob.metrics
    assert "react/d_end" in bob.metrics
    assert "react/d_end" not in ann.metrics
    assert [fault.partition(":")[0] for fault in found.faults] == ["line 12", "line 13", "line 14"]
    for fault, why in zip(found.faults, ("no question 'nowhere'", "'jump' is no action", "more cells"), strict=True):
        assert why in fault


def test_a_table_of_a_spreadsheet_may_have_semicolons(stored: Path) -> None:
    (scene, _, _), *_ = scenes_of(stored)
    found = scored(stored, "semicolons.csv", f"\ufeffperson;scene;action\r\nAnn;{scene};dodge\r\nAnn;;dodge\r\n")
    assert [one.model for one in found.results] == ["Ann"]
    assert found.results[0].metrics["react/n"] == 1
    assert found.faults == ["line 3: no 'id', 'scene' or 'sid'"]


def test_what_hangs_on_the_thresholds_has_a_table_of_its_own(stored: Path) -> None:
    slow = {**ACTS[DODGE], "walking_cmd": [-0.12, 0, 0], "walking_duration": 2}
    lines = [
        {"scene": scene, "plan": slow if k < 2 else ACTS[DODGE]} for k, (scene, _, _) in enumerate(scenes_of(stored))
    ]
    (one,) = scored(stored, "slow.jsonl", lines).results
    text = StringIO()
    results.show(one, Console(file=text, width=140))
    main, _, table = text.getvalue().partition("what hangs on each threshold")
    assert "react/saa " in main
    assert "sensitivity_" not in main
    assert "saa_if_" not in main
    rows = {
        line.split()[0]: line.split()[2:] for line in table.splitlines() if line.strip().startswith(("retreat", "hand"))
    }
    assert rows["retreat"][:2] == ["0.000", "0.250"]
    assert rows["hand"][:2] == ["0.000", "0.000"]
    assert float(rows["retreat"][3]) <= one.metrics["react/saa"]


@pytest.mark.parametrize(("scenes", "more", "told"), [(2, [], True), (4, [], False), (2, ["--bands", "all"], False)])
def test_scenes_that_leave_speeds_out_are_told(
    scenes: int, more: list[str], told: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    given = f"eval reacthuman --scenes {scenes} --option families=door_swing --option visible_px=0".split()
    assert cli.main([*given, "--model", "jaxphys/freeze", "--dry-run", *more]) == 0
    hint = "hint: of reacthuman 4 scenes belong together in each of 1 groups, and 2 scenes leave some of these sets"
    assert (hint in capsys.readouterr().err) is told


def test_a_sheet_is_filled_in_with_actions_in_place_of_replies(stored: Path, tmp_path: Path) -> None:
    assert cli.main(["sheet", str(stored), "--out", str(tmp_path / "sheet.html"), "--scenes", "8", "--quiet"]) == 0
    lines = [json.loads(line) for line in (tmp_path / "sheet.answers.jsonl").read_text().splitlines()]
    assert len(lines) == 8
    assert all(set(line) == {"number", "id", "action"} for line in lines)
    key = [json.loads(line) for line in (tmp_path / "sheet.key.jsonl").read_text().splitlines()]
    assert scored(stored, "key.jsonl", key).results[0].metrics["react/saa"] == 1.0
    page = (tmp_path / "sheet.html").read_text()
    assert page.count("<li><i></i>") == 3 * 8
    assert "<li><i></i>dodge: get out of its way</li>" in page
    assert not any(word in page for word in ("keyframes", "schema", "walking_cmd"))
    for line in lines[:7]:
        line["action"] = "step back"
    found = scored(stored, "sheet.jsonl", lines)
    assert found.faults == []
    (one,) = found.results
    assert (one.metrics["react/n_answered"], one.metrics["react/dodged"]) == (7, 1.0)
    assert one.failures == {"unanswered": 1}
    (whole,) = scored(stored, "short.jsonl", lines[:7]).results
    assert (whole.metrics, whole.failures) == (one.metrics, one.failures)


def test_names_that_begin_alike_and_no_name_stay_apart(stored: Path) -> None:
    scene = scenes_of(stored)[0][0]
    long = "x" * 100
    names = ["", "unnamed", f"{long}1", f"{long}2"]
    lines = [{"scene": scene, "action": "dodge"} | ({"person": name} if name else {}) for name in names]
    found = [one.model for one in scored(stored, "alike.jsonl", lines).results]
    assert len(set(found)) == 4
    assert found[:2] == ["unnamed 2", "unnamed"]
    assert all(len(name) <= 80 for name in found)


BROKEN = {
    "two.json": ('{"a": [], "b": []}', "holds no list of records"),
    "cut.json": ("[{", "not JSON"),
    "deep.json": ("[" * 100_000, "not JSON"),
    "twice.csv": ("scene,scene\na,b\n", "the heading names a column twice"),
    "none.tsv": ("scene\t\taction\n", "the heading names a column twice, or not at all"),
    "empty.csv": ("", "answers none of the questions; it is empty"),
    "nul.csv": ("scene,action\n\x00,\x00\n", "answers none of the questions"),
    "words.json": ('["dodge", 7]', "str instead of an object"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_none_is_named(stored: Path, name: str) -> None:
    content, message = BROKEN[name]
    with pytest.raises(ValueError, match=message):
        scored(stored, name, content)


def test_names_of_people_are_neither_paths_nor_markup(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    who: list[Any] = ["../x", "..", "/", "a b", 7, "x_6", "[/x]\x1b"]
    rows = [{"scene": scenes_of(stored)[0][0], "person": name, "action": "dodge"} for name in who]
    file = stored.parent / "odd.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    assert score_answers.run(ScoreOptions("reacthuman", stored, file, out=tmp_path / "out")) == 1
    told = capsys.readouterr()
    assert told.err == "line 5: m, model, person: int instead of a name\n"
    assert " [/x] " in told.out
    assert "\x1b" not in told.out
    names = ["a_b", "unnamed", "unnamed_3", "x", "x_6", "x_6_6"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    assert score_answers.run(ScoreOptions("reacthuman", stored, file, model="[/x]")) == 1
    assert "[/x]" in capsys.readouterr().out
