"""The command line as a whole: help without extras, one line for every error, exit codes."""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters import cli, options
from jaxphys_benchmarks import registry

from .conftest import SMALL, Ran

Run = Callable[..., Ran]


def test_help_lists_every_command_and_imports_nothing_heavy() -> None:
    program = """
import sys
from jaxphys_adapters import cli
code = cli.main(["--help"])
heavy = {"jax", "numpy", "tyro", "PIL", "pydantic", "inspect_ai", "pyarrow", "numba"} & set(sys.modules)
sys.exit(f"imported {heavy}" if heavy else code)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert all(f"  {name}" in ran.stdout for name in cli.COMMANDS)


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_exists_and_explains_itself(name: str, jaxphys: Run) -> None:
    command = cli.COMMANDS[name]
    for where in (command.record, command.function):
        module, _, attribute = where.partition(":")
        assert callable(getattr(import_module(module), attribute))
    ran = jaxphys(name, "--help")
    assert ran.code == 0
    assert f"jaxphys {name}" in ran.out


@pytest.mark.parametrize("name", ["generate", "eval"])
def test_the_help_names_all_benchmarks(name: str, jaxphys: Run) -> None:
    told = jaxphys(name, "--help").out
    assert all(benchmark in told for benchmark in registry.everything())


def test_version(jaxphys: Run) -> None:
    ran = jaxphys("--version")
    assert (ran.code, ran.out.split()[0]) == (0, "jaxphys")


def test_no_words_is_help(jaxphys: Run) -> None:
    assert "usage: jaxphys COMMAND" in jaxphys().out


GENERATE = ("generate", "billiardphys", "--out", "nowhere")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("fly",), "'fly' is no command; choose one of "),
        (("generete",), "'generete' is no command; did you mean generate? There are demo, "),
        (("generate", "chess", "--out", "nowhere"), "'chess' is not known; choose one of billiardphys, enact"),
        (("eval", "enakt", "x/"), "'enakt' is not known; did you mean enact? There are billiardphys, enact, "),
        (("sweep", "enact", "--speeds", "1"), "sweep is not for enact, which has jaxphys generate enact"),
        ((*GENERATE, "--scenes", "0"), "scenes: 0; give at least 1"),
        ((*GENERATE, "--seed=-1"), "seed: -1"),
        ((*GENERATE, "--windows", "0"), "windows"),
        ((*GENERATE, "--windows=-1,2"), "windows"),
        ((*GENERATE, "--windows", "1,1"), "distinct"),
        ((*GENERATE, "--windows", "nan"), "not finite"),
        ((*GENERATE, "--windows", "soon"), "'soon' is not a number"),
        ((*GENERATE, "--option", "colour=red"), "colour: no such field"),
        ((*GENERATE, "--option", "R"), "give NAME=VALUE"),
        ((*GENERATE, "--option", "R=-0.03"), "R: Input should be greater than 0"),
        ((*GENERATE, "--option", "R=NaN"), "R: "),
        ((*GENERATE, "--option", "R=0.6"), "does not fit"),
        ((*GENERATE, "--option", "n_balls=0"), "n_balls"),
        ((*GENERATE, "--option", "mu=-1"), "mu"),
        ((*GENERATE, "--option", "R=0.03", "--option", "R=0.04"), "R is given twice"),
        (
            (*GENERATE, "--option", 'objects=[{"name": "wok", families: }]'),
            "at character 18, 'families: }]'",
        ),
        ((*GENERATE, "--option", "windows=[1, 2"), "delimiter at its end"),
        ((*GENERATE, "--option", "windows={1}"), "option: windows: not JSON: "),
        ((*GENERATE, "--option", "windows=" + "[" * 100_000), "option: windows: not JSON: nested too deeply"),
        ((*GENERATE, "--shard", "0/2"), "i counts from 1 to n"),
        ((*GENERATE, "--shard", "3/2"), "i counts from 1 to n"),
        ((*GENERATE, "--shard", "half"), "give i/n"),
        ((*GENERATE, "--backend", "quantum"), "backend"),
        ((*GENERATE, "--backend", "stepped"), "cannot give labels"),
        ((*GENERATE, "--option", "n_balls=16", "--option", "R=0.2"), "n_balls"),
        ((*GENERATE, "--option", "n_balls=16", "--option", "R=0.2", "--option", "s50=1"), "n_balls"),
        ((*GENERATE, "--option", "self=1"), "self: no such field"),
        ((*GENERATE, "--option", "name=1"), "name: no such field"),
        (("sweep", "billiardphys", "--speeds", "0:1:1e300"), "of at most"),
    ],
)
def test_bad_input_is_one_clear_line_before_anything_is_made(
    words: tuple[str, ...], message: str, tmp_path: Path, jaxphys: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = jaxphys(*words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_debug_shows_the_traceback(jaxphys: Run) -> None:
    with pytest.raises(ValueError, match="is not known"):
        jaxphys("generate", "chess", "--out", "nowhere", "--debug")


def test_a_missing_extra_is_named(jaxphys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "jaxphys_adapters.parquet", raising=False)
    monkeypatch.delitem(sys.modules, "jaxphys_adapters.tables", raising=False)
    ran = jaxphys("export", "somewhere", "--out", "nowhere")
    assert ran.code == 2
    assert "pip install '.[data]' in the checkout" in ran.err


def test_calibrate(jaxphys: Run) -> None:
    ran = jaxphys("calibrate", "billiardphys", "--option", "R=0.04", "--windows", "1,2")
    assert ran.code == 0
    numbers: dict[str, Any] = json.loads(ran.out)["numbers"]
    # Specification, section 3: 1.401 m and 1.411 m/s at R = 0.04 m, 20 000 scenes.
    assert numbers["s50"] == pytest.approx(1.401, rel=0.03)
    assert numbers["v50/t1s"] == pytest.approx(1.411, rel=0.03)


@pytest.mark.slow
def test_a_killed_process_leaves_nothing_half_written(tmp_path: Path, jaxphys: Run) -> None:
    words = ["generate", "billiardphys", *SMALL, "--scenes", "400", "--quiet", "--out", str(tmp_path / "set")]
    process = subprocess.Popen([sys.executable, "-m", "jaxphys_adapters.cli", *words])
    while not list((tmp_path / "set").glob("*/scene_*")):
        assert process.poll() is None
    process.kill()
    process.wait()
    assert jaxphys(*words).code == 0
    words[-1] = str(tmp_path / "undisturbed")
    assert jaxphys(*words).code == 0
    for path in sorted((tmp_path / "undisturbed").rglob("*.*")):
        assert (tmp_path / "set" / path.relative_to(tmp_path / "undisturbed")).read_bytes() == path.read_bytes()
    assert not list((tmp_path / "set").rglob(".tmp-*"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.04", 0.04),
        ("six", "six"),
        ("1,2.5", (1, 2.5)),
        ("[1, 2]", [1, 2]),
        ("null", None),
        ("true", True),
        ("a,b", ("a", "b")),
    ],
)
def test_values_of_options(text: str, value: Any) -> None:
    assert options.parse_value(text) == value


def test_ranges_of_numbers() -> None:
    assert options.parse_numbers("x", "0.2:1.0:5") == pytest.approx((0.2, 0.4, 0.6, 0.8, 1.0))
    assert options.parse_numbers("x", "3:9:1") == (3.0,)
    assert options.parse_shard("2/4") == (1, 4)
