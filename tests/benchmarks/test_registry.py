"""Benchmarks by name."""

import subprocess
import sys

import pytest

from jaxphys_benchmarks import registry


@pytest.mark.parametrize("name", registry.names())
def test_every_registered_benchmark_loads_under_its_name(name: str) -> None:
    benchmark = registry.get(name)
    assert benchmark.name == name
    assert benchmark.title
    assert set(benchmark.tasks)
    assert {"oracle", "random"} <= set(benchmark.baselines())


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'snooker' is not known; choose one of billiardphys, enact, inphyre"):
        registry.get("snooker")


def test_a_misspelt_name_is_told_which_one_was_meant() -> None:
    with pytest.raises(ValueError, match=r"'billiardfys' is not known; did you mean billiardphys\? There are "):
        registry.get("billiardfys")


@pytest.mark.parametrize("name", registry.EPISODIC)
def test_a_benchmark_without_scenes_says_how_it_is_used(name: str) -> None:
    assert name in registry.everything()
    with pytest.raises(ValueError, match=f"has commands of its own, for example `jaxphys generate {name}`"):
        registry.get(name)


def test_options_are_checked() -> None:
    assert registry.get("billiardphys", R=0.02).config.R == 0.02  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="colour"):
        registry.get("billiardphys", colour="red")


@pytest.mark.parametrize(
    ("name", "typed", "meant"),
    [
        ("billiardphys", "widnows", "windows"),
        ("inphyre", "scenrios", "scenarios"),
        ("reacthuman", "famlies", "families"),
    ],
)
def test_a_misspelt_option_is_told_what_was_meant(name: str, typed: str, meant: str) -> None:
    with pytest.raises(ValueError, match=f"^{typed}: no such field; did you mean {meant}\\?$"):
        registry.get(name, **{typed: "x"})


def test_listing_names_imports_no_benchmark() -> None:
    code = "import sys; from jaxphys_benchmarks import registry; registry.names(); print('jax' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
