"""ENACT questions put through inspect-ai: what a model gets, and how its replies are judged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from PIL import Image

from jaxphys_adapters.enact import asking
from jaxphys_adapters.enact.asking import Asking
from jaxphys_adapters.enact.export import Recording, export
from jaxphys_benchmarks.enact import items
from tests import enact_worlds

TASK = "chop_an_onion_1700000000000001"
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


@solver
def put(arguments: str) -> Solver:
    async def ask(state: TaskState, generate: Generate) -> TaskState:
        return await asking.solve(state, generate, Asking.from_json(arguments))

    return ask


@metric
def both_modes() -> Metric:
    def over(scores: list[SampleScore]) -> dict[str, float]:
        return asking.tally(scores)

    return over


@scorer(metrics=[both_modes()])
def judge(arguments: str) -> Scorer:
    async def read(state: TaskState, target: Target) -> Score:
        return await asking.score(state, Asking.from_json(arguments))

    return read


def run(how: Asking, tmp_path: Path, *, inverse: bool, reply: Callable[[str], str] = str) -> EvalLog:
    """A run in which the model sends back what `reply` makes of the text it was asked."""

    def answer(messages: Any, *rest: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", reply(messages[-1].text))
        output.usage = ModelUsage()  # else a tokenizer is fetched
        return output

    task = Task(dataset=asking.samples(how, inverse=inverse), solver=put(how.to_json()), scorer=judge(how.to_json()))
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: found.value for one in log.results.scores for name, found in one.metrics.items()}


@pytest.mark.parametrize("inverse", [False, True])
def test_replies_are_judged_in_both_modes(how: Asking, tmp_path: Path, inverse: bool) -> None:
    texts = {item.question: item for item in asking.load(how).items.values() if item.inverse == inverse}

    def reply(text: str) -> str:
        item = texts[text]
        return f"so [{', '.join(map(str, item.gt_answer))}]" if len(item.gt_answer) == 2 else "I cannot tell"

    found = metrics(run(how, tmp_path, inverse=inverse, reply=reply))
    assert found["strict/task_accuracy"] == 0.5
    assert found["strict/pairwise_accuracy"] == pytest.approx(2 / 5)
    assert (found["compat/task_accuracy"], found["compat/skipped"]) == (1.0, 1.0)
    assert found["strict/3_steps/task_accuracy"] == 1.0
    assert found["chance/3_steps/task_accuracy"] == 0.5


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


def test_baselines_answer_in_place_of_the_model(how: Asking, tmp_path: Path) -> None:
    oracle = Asking(**{**json.loads(how.to_json()), "baseline": "oracle"})
    assert metrics(run(oracle, tmp_path, inverse=True))["strict/task_accuracy"] == 1.0


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
