"""The configuration and the spec: provenance, and bad values that are named before work starts."""

from typing import Any

import pytest
from pydantic import ValidationError

from jaxphys import laws
from jaxphys_benchmarks.inphyre.config import InPhyReConfig, provenance
from jaxphys_benchmarks.inphyre.scenarios import NUMBERS, SCENARIOS
from jaxphys_benchmarks.inphyre.spec import Asked, Thing
from tests.benchmarks.inphyre.measured_samples import cubes


def test_every_default_says_where_it_comes_from() -> None:
    found = provenance()
    assert set(found) == set(InPhyReConfig.model_fields)
    assert set(found.values()) == {"published", "measured", "assumed"}
    assert {name for name, source in found.items() if source == "published"} == {
        "scenarios", "samples_per_scenario", "n_exemplars_pool", "shots", "modality", "test_input", "retriever",
        "shapes", "restitution",
    }  # fmt: skip


def test_the_hash_tells_configurations_apart() -> None:
    default = InPhyReConfig()
    assert default.config_hash == InPhyReConfig(**default.model_dump()).config_hash
    assert default.config_hash != InPhyReConfig(p_red=0.4).config_hash
    assert default.duration == 5.0


def test_scenarios_and_counterparts() -> None:
    assert list(NUMBERS.values()) == list(range(10))
    assert [name for name, scenario in SCENARIOS.items() if scenario.is_regular] == ["LMC-reg", "AMC-reg", "SB-reg"]
    for scenario in SCENARIOS.values():
        assert SCENARIOS[scenario.regular].is_regular
        assert scenario.law in laws.names()
    assert {name: scenario.regular for name, scenario in SCENARIOS.items()} == {
        "LMC": "LMC-reg", "AMC": "AMC-reg", "Wall": "LMC-reg", "Red-LMC": "LMC-reg", "Red-Pass": "LMC-reg",
        "SB": "SB-reg", "CC": "LMC-reg", "LMC-reg": "LMC-reg", "AMC-reg": "AMC-reg", "SB-reg": "SB-reg",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scenarios": ("LMC", "LMD")}, "scenarios: "),
        ({"scenarios": ("LMC", "LMC")}, "give distinct names of LMC, AMC"),
        ({"colours": ("red", "blue", "pink")}, "colours: 'pink' is unknown; choose from gray"),
        ({"colours": ("red", "blue", "red")}, "colours: .* give at least 2 different ones other than red"),
        ({"colours": ("red", "blue", "green"), "n_distractors": 1}, "give at least 3 different ones other than red"),
        ({"colours": ("gray", "blue", "green")}, "colours: red is missing"),
        ({"contact_speed": (3.0, 1.0)}, r"contact_speed: \(3.0, 1.0\) is no range"),
        ({"frames": 16}, r"contact_time: \(0.4, 1.5\), but a film of 16 frames lasts 0.625 s"),
        ({"amc_omega": (0.0, 1.0)}, "amc_omega: .* is no range"),
        ({"varied_mass_ratio": (0.5, 1.5)}, "varied_mass_ratio: .* a heavier B is overtaken by A"),
        ({"wall_axis": "z"}, "wall_axis: 'z'; motion is planar"),
        ({"preset": "varied", "materials": ("metal",)}, "materials: .* tell rubber from metal"),
        ({"friction_object": {"rubber": 0.8}}, "friction_object: .* give a number >= 0 for each material"),
        ({"friction_object": {"rubber": -0.8, "metal": 0.1}}, "friction_object: "),
        ({"size_px": (8, 320)}, "size_px: "),
        ({"restitution": 0.5}, "restitution: 0.5; A stops .* leave Red-Pass out of scenarios"),
        ({"restitution": 0.0, "scenarios": "Wall,AMC,CC"}, "restitution: 0; .* leave AMC and Wall out"),
        ({"shapes": "sphere"}, r"amc_shapes: \['cube'\] are needed by AMC and AMC-reg, but shapes = \('sphere',\)"),
        (
            {"shapes": "cylinder", "amc_shapes": "cylinder", "preset": "varied", "scenarios": "AMC-reg"},
            r"amc_shapes: \['cube', 'cylinder'\] are needed by AMC-reg",
        ),
        ({"contact_speed": "1"}, r"contact_speed\.1\n"),
        ({"size_small": 0.9}, "size_small: 0.9 is larger than size_large"),
        ({"g": float("nan")}, "g\n"),
        ({"gravity": 9.8}, "gravity\n"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        InPhyReConfig(**options)


def test_lists_may_be_typed_as_words() -> None:
    """As on a command line."""
    typed = InPhyReConfig(contact_speed="1.5, 2", size_px="240,160", scenario="LMC,CC", amc_shapes="cylinder")
    assert typed == InPhyReConfig(
        contact_speed=(1.5, 2.0), size_px=(240, 160), scenarios=("LMC", "CC"), amc_shapes=("cylinder",)
    )


def test_a_small_library_will_do() -> None:
    config = InPhyReConfig(colours=("gray", "blue", "green"), scenarios=("LMC", "Wall"))
    assert config.preset == "published"


def test_bad_specs_are_named() -> None:
    spec = cubes(1.0, 1.0)
    fields: dict[str, Any] = {
        "shape": "cube",
        "material": "metal",
        "size": 0.3,
        "mass": 1.0,
        "mu": 0.1,
        "pos": (0.0, 0.0),
    }
    with pytest.raises(ValidationError, match="colour: 'pink' is unknown"):
        Thing(name="pink cube", colour="pink", **fields)
    with pytest.raises(ValidationError, match=r"order: \(0, 0, 1, 2\) is no order of four options"):
        Asked(query="speed", template=0, wording=0, order=(0, 0, 1, 2))
    content = spec.model_dump()
    with pytest.raises(ValidationError, match=r"the names .* are not unique"):
        type(spec)(**(content | {"things": (spec.things[0], spec.things[0])}))
    with pytest.raises(ValidationError, match="there is nothing to meet"):
        type(spec)(**(content | {"things": spec.things[:1]}))


def test_ids_and_the_other() -> None:
    spec = cubes(1.0, 1.0, index=12)
    assert (spec.id, spec.n, spec.other) == ("LMC/scene_00012", 2, 1)
    assert spec.model_copy(update={"pool": True, "variant": "regular"}).id == "LMC/exemplar_00012_regular"
