"""Stored outcomes are taken for done only if they are whole, and of this very answer to this very scene."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters import execution_files, motions
from jaxphys_adapters.execution_files import Wanted
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.embodied import Executed
from jaxphys_benchmarks.explanation import Explanation
from jaxphys_benchmarks.protocol import Answer
from tests.benchmarks.reacthuman.asked_scenes import question, spec
from tests.benchmarks.reacthuman.moved_robots import arms_lifted

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


def test_while_another_answer_is_stored_there_is_no_outcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ended in between, a run left the outcome of the answer before beside the motion of the new one."""
    one, other = wanted({"walking_duration": 1.0}), wanted({"walking_duration": 2.0})
    path, motion = stored(tmp_path, one), arms_lifted(SCENE)
    path.with_name("observer_film.mp4").touch()
    write = motions.write

    def ended(*given: Any) -> None:
        write(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(motions, "write", ended)
    with pytest.raises(KeyboardInterrupt):
        execution_files.store(tmp_path, other, Executed(SCENE.id, OUTCOME, motion, Explanation("touched")))
    assert [file.name for file in path.parent.iterdir()] == [execution_files.MOTION]
    assert not execution_files.is_done(tmp_path, one, COLUMNS)
    monkeypatch.undo()
    # An answer of which no motion is kept does not stand beside that of another.
    stored(tmp_path, other)
    assert [file.name for file in path.parent.iterdir()] == [execution_files.OUTCOME]


def test_a_film_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    one, benchmark = wanted(), registry.get("reacthuman")
    path = stored(tmp_path, one)
    fault = execution_files.film(benchmark, tmp_path, one, ("observer_film",), 0.5)
    assert "motion.npz: no motion" in fault
    assert f"delete {path} and run `jaxphys execute` again" in fault
    motion = arms_lifted(SCENE)
    motions.write(
        path.with_name(execution_files.MOTION),
        dataclasses.replace(motion, pos=motion.pos[:, :0], quat=motion.quat[:, :0]),
    )
    fault = execution_files.film(benchmark, tmp_path, one, ("observer_film",), 0.5)
    assert str(path.parent) in fault
    assert "the motion of another scene" in fault


def test_a_data_set_may_be_moved_but_answers_are_not_mixed(tmp_path: Path) -> None:
    about = {"benchmark": "reacthuman", "answers": "oracle", "options": {"seconds": 1.0, "threads": 2}}
    execution_files.begin(tmp_path, {**about, "data": "here"})
    execution_files.begin(tmp_path, {**about, "data": "/there", "options": {"seconds": 1.0, "threads": 1}})
    with pytest.raises(ValueError, match="seconds"):
        execution_files.begin(tmp_path, {**about, "data": "here", "options": {"seconds": 2.0}})
    with pytest.raises(ValueError, match="answers"):
        execution_files.begin(tmp_path, {**about, "answers": "freeze", "data": "here"})
