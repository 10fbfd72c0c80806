"""Plans from text descriptions, through inspect-ai's OpenAI client and a server on the loopback address."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters import cli
from jaxphys_adapters.query import planning
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.extract import UNFINISHED, Invalid, extract
from jaxphys_benchmarks.protocol import Answer, Described, Reply
from tests.adapters.query.stub import Call, Say, Script, Stub

Serve = Callable[[Script], Stub]
MODEL = "openai-api/stub/m"
QUICK = replace(planning.POLICY, wait=0.01)
ARGUMENTS = {"max_retries": 0}


class Shapes:
    """A benchmark that makes scenes of descriptions: a circle or a square."""

    def plan_prompt(self, description: str) -> str:
        if len(description) > 40:
            raise ValueError("description: too long; give up to 40 characters")
        return f"Which shape? {description}"

    def read_plan(self, description: str, reply: Reply, planned_by: str) -> Answer:
        if reply.finish in UNFINISHED:
            return Answer(None, *UNFINISHED[reply.finish])

        def validate(value: Any, log: Any) -> dict[str, str]:
            if not isinstance(value, dict) or value.get("shape") not in ("circle", "square"):
                raise Invalid("shape: give circle or square")
            return {"shape": value["shape"], "description": description, "planned_by": planned_by}

        found = extract(reply.text, validate)
        return Answer(found.value, found.status, found.reason)

    def planned(self, plans: Sequence[Any]) -> dict[str, Any]:
        return {"shapes": list(plans)}


def ask(url: str, *descriptions: str, **changes: Any) -> list[Any]:
    options: dict[str, Any] = {"base_url": url, "arguments": ARGUMENTS, "policy": QUICK, **changes}
    return planning.plans(Shapes(), descriptions, MODEL, **options)


def shape_of(call: Call) -> str:
    return json.dumps({"shape": "circle" if "round" in call.prompt else "square"})


def test_each_description_gets_its_plan_in_order(serve: Serve) -> None:
    server = serve(lambda call, before: Say(shape_of(call)))
    texts = [f"{'round' if k % 3 else 'flat'} {k}" for k in range(20)]
    made = ask(server.url, *texts)
    assert [plan["shape"] for plan in made] == ["circle" if k % 3 else "square" for k in range(20)]
    assert [plan["description"] for plan in made] == texts
    assert {plan["planned_by"] for plan in made} == {MODEL}
    assert server.calls[0].body["temperature"] == 0
    assert 512 in (server.calls[0].body.get("max_tokens"), server.calls[0].body.get("max_completion_tokens"))


def test_what_was_answered_is_not_asked_again(serve: Serve) -> None:
    server = serve(lambda call, before: Say(shape_of(call)))
    first = ask(server.url, "round one")
    assert ask(server.url, "round one", "flat one")[:1] == first
    assert len(server.calls) == 2


@pytest.mark.parametrize(
    "fault",
    [Say(status=429, message="slow down"), Say(status=500), Say("a circle"), Say('{"shape": "cube"}'), Say("")],
    ids=["429", "500", "prose", "unknown", "empty"],
)
def test_faults_are_overcome(serve: Serve, fault: Say) -> None:
    met: list[int] = []

    def script(call: Call, before: int) -> Say:
        met.append(len(call.messages))
        return Say(shape_of(call)) if len(met) > 1 else fault

    assert ask(serve(script).url, "round one")[0]["shape"] == "circle"


def test_a_model_is_told_what_was_wrong_with_its_reply(serve: Serve) -> None:
    def script(call: Call, before: int) -> Say:
        corrected = "shape: give circle or square" in json.dumps(call.messages[-1])
        return Say('{"shape": "circle"}' if corrected else '{"shape": "cube"}')

    server = serve(script)
    assert ask(server.url, "round one")[0]["shape"] == "circle"
    assert [len(call.messages) for call in server.calls] == [1, 3]


@pytest.mark.parametrize(
    ("say", "message"),
    [
        (
            Say('{"shape": "cube"}'),
            "descriptions: no plan for number 2, 'bad one': shape: give circle or square; reword",
        ),
        (Say("no idea"), "descriptions: no plan for number 2, 'bad one': no JSON object"),
        (
            Say(status=400, message="odd request"),
            "descriptions: no plan for number 2, 'bad one': HTTP 400: .*odd request",
        ),
        (Say(status=401, message="wrong key"), "planner: openai-api/stub/m cannot be asked: HTTP 401: .*wrong key"),
    ],
)
def test_a_description_without_a_plan_is_named(serve: Serve, say: Say, message: str) -> None:
    server = serve(lambda call, before: say if "bad" in call.prompt else Say(shape_of(call)))
    with pytest.raises(ValueError, match=message):
        ask(server.url, "round one", "bad one", "flat one")


def test_bad_input_is_named_before_anything_is_asked(serve: Serve, tmp_path: Path) -> None:
    server = serve(lambda call, before: Say(shape_of(call)))
    with pytest.raises(ValueError, match="descriptions: number 2: description: too long"):
        ask(server.url, "round one", "x" * 41)
    with pytest.raises(ValueError, match=r"planner: .*nonsense"):
        planning.plans(Shapes(), ["round one"], "nonsense/model")
    empty, binary = tmp_path / "empty.txt", tmp_path / "binary.txt"
    empty.write_text("\n# only a remark\n")
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"descriptions: .*empty.txt holds none; write one a line"):
        planning.read_descriptions(empty)
    with pytest.raises(ValueError, match=r"descriptions: .*binary.txt is no UTF-8 text"):
        planning.read_descriptions(binary)
    assert not server.calls


@pytest.mark.parametrize("name", ["jaxphys/oracle", "jaxphys/nobody"])
def test_a_baseline_makes_no_plans(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "told.txt", tmp_path / "out"
    path.write_text("A plate falls.\n")
    words = ["--out", str(out), "--descriptions", str(path), "--planner", name, "--quiet"]
    assert cli.main(["generate", "reacthuman", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"jaxphys: planner: {name} answers questions about scenes and makes no plans; give a ")
    assert not out.exists()


def test_a_planner_that_breaks_is_named(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*arguments: object) -> Answer:
        raise LookupError("no such engine")

    monkeypatch.setattr(planning, "_ask", broken)
    with pytest.raises(ValueError, match=f"planner: {MODEL} cannot be asked: no such engine"):
        ask(serve(lambda call, before: Say("")).url, "round one", "flat one")


def test_a_file_holds_one_description_a_line(tmp_path: Path) -> None:
    path = tmp_path / "told.txt"
    path.write_text("# plates\nA plate falls.  \n\n  Ein Teller fällt.\n", encoding="utf-8")
    assert planning.read_descriptions(path) == ["A plate falls.", "Ein Teller fällt."]


def test_only_benchmarks_that_make_scenes_of_descriptions_take_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "told.txt", tmp_path / "out"
    path.write_text("A plate falls.\n")
    words = ["--out", str(out), "--descriptions", str(path), "--planner", MODEL]
    assert cli.main(["generate", "billiardphys", *words]) == 2
    assert "descriptions: billiardphys makes no scenes of them" in capsys.readouterr().err
    assert not out.exists()
    assert not isinstance(registry.get("billiardphys"), Described)
