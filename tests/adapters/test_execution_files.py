"""Stored outcomes are taken for done only if they are whole, and of this very answer to this very scene."""

import json
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters import execution_files
from jaxphys_adapters.execution_files import Wanted
from jaxphys_benchmarks.embodied import Executed
from jaxphys_benchmarks.explanation import Explanation
from jaxphys_benchmarks.protocol import Answer
from tests.benchmarks.reacthuman.asked_scenes import question, spec

COLUMNS = {"hit": "bool", "speed": "float64"}
OUTCOME = {"hit": False, "speed": None}
SCENE = spec()


def wanted(value: Any = None, **changes: Any) -> Wanted:
    return Wanted(SCENE.model_copy(update=changes), None, question(SCENE), Answer(value, "ok"))


def stored(out: Path, one: Wanted) -> Path:
    execution_files.store(out, one, Executed(one.spec.id, OUTCOME, None, Explanation("not touched")))
    return out / one.spec.id / execution_files.OUTCOME


def test_an_outcome_is_of_its_answer_and_of_its_scene(tmp_path: Path) -> None:
    one = wanted({"walking_duration": 1.0})
    assert not execution_files.is_done(tmp_path, one, COLUMNS)
    stored(tmp_path, one)
    assert execution_files.is_done(tmp_path, one, COLUMNS)
    assert not execution_files.is_done(tmp_path, wanted({"walking_duration": 2.0}), COLUMNS)
    other = wanted({"walking_duration": 1.0}, robot=SCENE.robot.model_copy(update={"x": 0.5}))
    assert other.spec.id == one.spec.id
    assert not execution_files.is_done(tmp_path, other, COLUMNS)


@pytest.mark.parametrize(
    "changes",
    [{"outcome": None}, {"outcome": {"hit": False}}, {"outcome": [1]}, {"told": None}, {"answer": 3}, {"digest": ""}],
    ids=str,
)
def test_an_outcome_that_is_damaged_is_made_anew(tmp_path: Path, changes: dict[str, Any]) -> None:
    one = wanted()
    path = stored(tmp_path, one)
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    assert not execution_files.is_done(tmp_path, one, COLUMNS)
    path.write_text("{")
    assert not execution_files.is_done(tmp_path, one, COLUMNS)


def test_a_data_set_may_be_moved_but_answers_are_not_mixed(tmp_path: Path) -> None:
    about = {"benchmark": "reacthuman", "answers": "oracle", "options": {"seconds": 1.0, "threads": 2}}
    execution_files.begin(tmp_path, {**about, "data": "here"})
    execution_files.begin(tmp_path, {**about, "data": "/there", "options": {"seconds": 1.0, "threads": 1}})
    with pytest.raises(ValueError, match="seconds"):
        execution_files.begin(tmp_path, {**about, "data": "here", "options": {"seconds": 2.0}})
    with pytest.raises(ValueError, match="answers"):
        execution_files.begin(tmp_path, {**about, "answers": "freeze", "data": "here"})
