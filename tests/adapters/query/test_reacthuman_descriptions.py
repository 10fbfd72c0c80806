"""ReactHuman's scenes from descriptions and of own objects, from the command to the files; a server on the loopback."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxphys_adapters import cli, generate
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import Described
from tests.adapters.query.stub import Call, Say, Script, Stub

Serve = Callable[[Script], Stub]
MODEL = "openai-api/stub/m"


def test_the_benchmark_makes_scenes_of_descriptions() -> None:
    assert isinstance(registry.get("reacthuman"), Described)


@pytest.mark.parametrize("given", ["descriptions", "planner"])
def test_descriptions_need_a_planner(given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "told.txt", tmp_path / "out"
    path.write_text("A plate falls.\n")
    words = {"descriptions": ["--descriptions", str(path)], "planner": ["--planner", MODEL]}[given]
    assert cli.main(["generate", "reacthuman", "--out", str(out), *words]) == 2
    assert "give both, a file and the model that reads it" in capsys.readouterr().err
    assert not out.exists()


CHOSEN = {
    "plate": {"family": "object_drop", "object": "ceramic_plate", "room": "kitchen", "hints": {"speed": "fast"}},
    "ball": {"family": "thrown_object", "object": "cricket_ball", "room": "living", "hints": {}},
}


def chosen(call: Call) -> str:
    told = call.prompt.rpartition("Description")[2]
    return json.dumps(next(plan for word, plan in CHOSEN.items() if word in told))


def made_of(out: Path, path: Path, url: str) -> generate.Generate:
    return generate.Generate(
        "reacthuman", out, scenes=8, pictures=False, quiet=True, backend="c", descriptions=path, planner=MODEL,
        base_url=url, model_arg=("max_retries=0",),
    )  # fmt: skip


def test_scenes_say_what_they_were_made_of(serve: Serve, tmp_path: Path) -> None:
    server = serve(lambda call, before: Say(chosen(call)))
    path, out = tmp_path / "told.txt", tmp_path / "out"
    path.write_text("A plate slides off the kitchen table, fast.\nSomeone throws a ball.\n")
    command = made_of(out, path, server.url)
    assert generate.run(command) == 0
    specs = [json.loads(found.read_text()) for found in sorted(out.glob("*/scene_*/scene.json"))]
    assert {(spec["family"], spec["object"], spec["room"]["type"]) for spec in specs} == {
        ("object_drop", "ceramic_plate", "kitchen"), ("thrown_object", "cricket_ball", "living"),
    }  # fmt: skip
    assert {spec["description"] for spec in specs} == set(path.read_text().splitlines())
    assert {spec["planned_by"] for spec in specs} == {MODEL}
    assert [spec["hints"] for spec in specs if spec["family"] == "object_drop"] == [{"speed": "fast"}] * 4
    before = {found: found.read_bytes() for found in out.rglob("*.json")}
    assert generate.run(command) == 0
    assert {found: found.read_bytes() for found in out.rglob("*.json")} == before
    assert len(server.calls) == 2, "the second run was answered from the cache"


def test_an_unknown_object_leaves_nothing_behind(serve: Serve, tmp_path: Path) -> None:
    server = serve(lambda call, before: Say(json.dumps(CHOSEN["plate"] | {"object": "grand_piano"})))
    path, out = tmp_path / "told.txt", tmp_path / "out"
    path.write_text("A grand piano slides off the table.\n")
    with pytest.raises(ValueError, match=r"number 1, .*object: 'grand_piano' is unknown in object_drop; choose from"):
        generate.run(made_of(out, path, server.url))
    assert not out.exists()


WOK = {
    "name": "wok", "families": ["object_drop"], "morph": "cylinder", "visual_size": [0.16, 0.16, 0.05],
    "density": 7800, "mass_override": 1.8, "catch_safe": False,
}  # fmt: skip


def option(name: str, value: object) -> str:
    return f"{name}={json.dumps(value)}"


def test_an_own_object_is_drawn(tmp_path: Path) -> None:
    premise = {"family": "object_drop", "object": "wok", "room": "kitchen"}
    given = (option("objects", [WOK]), option("premises", [premise]))
    command = generate.Generate(
        "reacthuman", tmp_path / "out", scenes=4, pictures=False, quiet=True, backend="c", option=given
    )
    assert generate.run(command) == 0
    (spec, *_) = [json.loads(found.read_text()) for found in sorted((tmp_path / "out").glob("*/scene_*/scene.json"))]
    thing = next(thing for thing in spec["scene"]["things"] if thing["object"] == "wok")
    assert (thing["mass"], thing["shape"], thing["size"]) == (1.8, "prism", [0.16, 0.16, 0.05])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("families=earthquake", "families: ['earthquake']; give distinct names of object_drop, "),
        (
            option("objects", [WOK | {"visual_size": [16, 16, 5]}]),
            "objects.0.visual_size: (16.0, 16.0, 5.0); give half",
        ),
        (option("objects", [WOK | {"density": 0}]), "objects.0.density: Input should be greater than or equal to 1"),
        (option("objects", [WOK | {"families": ["earthquake"]}]), "objects: wok: families: 'earthquake'; choose from"),
        (
            option("premises", [{"family": "object_drop", "object": "grand_piano", "room": "kitchen"}]),
            "object: 'grand_piano' is unknown in object_drop; choose from ceramic_plate, ",
        ),
    ],
)
def test_impossible_wishes_are_named_and_nothing_is_written(
    given: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert cli.main(["generate", "reacthuman", "--out", str(out), "--option", given]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert not out.exists()
