"""ENACT questions put through inspect-ai: what a model gets, and how its replies are judged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model
from PIL import Image

from jaxphys import _inspect
from jaxphys_adapters.enact import asking
from jaxphys_adapters.enact.asking import Asking
from jaxphys_adapters.enact.export import Recording, export
from jaxphys_adapters.enact.pack import Pack, PackedEpisode, write_pack
from jaxphys_benchmarks.enact import items
from jaxphys_benchmarks.enact.config import EnactConfig, Qa
from tests import enact_worlds
from tests.adapters.enact.published_tree import write_lines

TASK = "chop_an_onion_1700000000000001"
CONFIG = EnactConfig(qa=Qa(samples_per_activity_L=2, lengths=(3, 4)))
FRAMES = ("0", "100", "200", "300")


@pytest.fixture(scope="module")
def how(tmp_path_factory: pytest.TempPathFactory) -> Asking:
    out = tmp_path_factory.mktemp("enact") / "data"
    world = enact_worlds.golden("kitchen")
    made = [
        items.make(TASK, frames, world, inverse=inverse) for frames in (FRAMES, FRAMES[:3]) for inverse in (False, True)
    ]
    export(out, {TASK: Recording(world.graphs, world.frames)}, made, lambda task, frame: Image.new("RGB", (64, 64)))
    return Asking(
        questions=str(out / "QA" / "enact_ordering.jsonl"),
        segmented=str(out / "segmented_activities"),
        replayed=str(out / "replayed_activities"),
    )


def run(how: Asking, tmp_path: Path, name: str, *, reply: Callable[[str], str] = str, epochs: int = 1) -> EvalLog:
    """A run in which the model sends back what `reply` makes of the text it was asked."""

    def answer(messages: Any, tools: Any, choice: Any, config: GenerateConfig) -> ModelOutput:
        assert config.temperature == 0
        output = ModelOutput.from_content("mockllm/model", reply(messages[-1].text))
        output.usage = ModelUsage()  # else a tokenizer is fetched
        return output

    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    task = _inspect.TASKS[name](**json.loads(how.to_json()))
    (log,) = eval(task, model=model, epochs=epochs, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: found.value for one in log.results.scores for name, found in one.metrics.items()}


@pytest.mark.parametrize(("name", "inverse"), [("enact_forward", False), ("enact_inverse", True)])
def test_replies_are_judged_in_both_modes(how: Asking, tmp_path: Path, name: str, inverse: bool) -> None:
    texts = {item.question: item for item in asking.load(how).items.values() if item.inverse == inverse}

    def reply(text: str) -> str:
        item = texts[text]
        return f"so [{', '.join(map(str, item.gt_answer))}]" if len(item.gt_answer) == 2 else "I cannot tell"

    found = metrics(run(how, tmp_path, name, reply=reply))
    assert found["strict/task_accuracy"] == 0.5
    assert found["strict/pairwise_accuracy"] == pytest.approx(2 / 5)
    assert (found["compat/task_accuracy"], found["compat/skipped"]) == (1.0, 1.0)
    assert found["strict/3_steps/task_accuracy"] == 1.0
    assert found["chance/3_steps/task_accuracy"] == 0.5


def test_replies_of_all_epochs_count(how: Asking, tmp_path: Path) -> None:
    replies = iter(("[1, 2, 3]", "cannot tell"))
    some = Asking(**{**json.loads(how.to_json()), "lengths": "4"})
    found = metrics(run(some, tmp_path, "enact_forward", reply=lambda text: next(replies), epochs=2))
    assert (found["strict/count"], found["compat/count"], found["compat/skipped"]) == (2.0, 1.0, 1.0)


@pytest.mark.parametrize("position", ["before", "after"])
def test_what_a_model_gets(how: Asking, position: Any) -> None:
    there = Asking(**{**json.loads(how.to_json()), "image_position": position, "lengths": "4"})
    (sample,) = asking.samples(there, inverse=False)
    (message,) = sample.input
    kinds = [part.type for part in message.content]  # type: ignore[union-attr]
    assert kinds == (["image"] * 4 + ["text"] if position == "before" else ["text"] + ["image"] * 4)
    item = asking.load(there).items[str(sample.id)]
    # The names of frames, which tell their order, and the answer stay here.
    told = sample.model_dump_json()
    assert not sample.target
    assert str(list(item.gt_answer)) not in told
    assert '"300"' not in told
    assert all(part.type != "image" for part in asking.samples(
        Asking(**{**json.loads(there.to_json()), "image": False}), inverse=False
    )[0].input[0].content)  # type: ignore[union-attr]  # fmt: skip


def test_a_baseline_may_be_the_model(how: Asking, tmp_path: Path) -> None:
    def asked(name: str) -> EvalLog:
        task = _inspect.TASKS["enact_inverse"](**json.loads(how.to_json()))
        (log,) = eval(task, model=f"jaxphys/{name}", log_dir=str(tmp_path), display="none")
        return log

    assert metrics(asked("oracle"))["strict/task_accuracy"] == 1.0
    log = asked("genius")
    assert log.error is not None
    assert "jaxphys/genius is none of jaxphys/oracle" in log.error.message


@pytest.mark.parametrize("name", ["enact_forward", "enact_inverse"])
def test_baselines_answer_in_place_of_the_model(how: Asking, tmp_path: Path, name: str) -> None:
    world = enact_worlds.episode(enact_worlds.random_world(51, frames=6))
    write_pack(tmp_path / "data.npz", Pack("external_sensor1", {TASK: PackedEpisode(world.graphs, world.frames)}))
    made = items.questions({TASK: world}, {TASK: world.frames}, CONFIG)
    write_lines(tmp_path / "QA" / "qa.jsonl", [item.record() for item in made])
    oracle = Asking(str(tmp_path / "QA" / "qa.jsonl"), pack=str(tmp_path / "data.npz"), image=False, baseline="oracle")
    log = run(oracle, tmp_path, name)
    assert log.eval.task == f"jaxphys/{name}"
    found = metrics(log)
    assert (found["strict/task_accuracy"], found["compat/task_accuracy"], found["compat/skipped"]) == (1.0, 1.0, 0.0)
    assert found["strict/count"] > 1


def test_bad_arguments_are_refused_in_one_line(how: Asking) -> None:
    for arguments, told in (
        ({"colour": "red"}, "no argument 'colour'"),
        ({"questions": "none.jsonl"}, "none.jsonl"),
        ({"baseline": "genius"}, "genius"),
    ):
        with pytest.raises(_inspect.Refused, match=told) as refused:
            _inspect.TASKS["enact_forward"](**{**json.loads(how.to_json()), **arguments})
        assert "\n" not in str(refused.value).strip()


@pytest.mark.parametrize("lengths", ["3", 3, [3], (3,), " 3"])
def test_lengths_in_every_form(how: Asking, lengths: Any) -> None:
    some = Asking(**{**json.loads(how.to_json()), "lengths": lengths})
    assert [sample.metadata["type"] for sample in asking.samples(some, inverse=True)] == [
        "inverse_world_modeling_ordering_3_steps"
    ]  # type: ignore[index]
    assert Asking.from_json(some.to_json()) == some


def test_lines_that_cannot_be_asked_are_told(how: Asking, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "QA" / "qa.jsonl"
    write_lines(path, [*(Path(how.questions).read_text().splitlines()), '{"id": "cut'])
    given = {**json.loads(how.to_json()), "questions": str(path), "image": False}
    assert len(asking.samples(Asking(**given), inverse=True)) == 2
    assert "line 5: no JSON object; the line is left out" in capsys.readouterr().err


def test_what_is_wrong_is_said_before_anything_is_asked(how: Asking, tmp_path: Path) -> None:
    given = json.loads(how.to_json())
    with pytest.raises(ValueError, match="baseline: 'genius'"):
        Asking(baseline="genius")
    with pytest.raises(ValueError, match="lengths: 'few'"):
        Asking(lengths="few")
    with pytest.raises(ValueError, match="image_position"):
        Asking(image_position="beside")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="lacks 7 images"):
        asking.samples(Asking(**{**given, "images": str(tmp_path)}), inverse=True)
    with pytest.raises(ValueError, match="no forward question"):
        asking.samples(Asking(**{**given, "lengths": "9"}), inverse=False)
    (tmp_path / "none").mkdir()
    with pytest.raises(ValueError, match="cannot be had"):
        asking.samples(Asking(**{**given, "replayed": str(tmp_path / "none")}), inverse=False)
    assert asking.directions() == {"enact_forward": False, "enact_inverse": True}
