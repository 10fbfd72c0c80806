"""Other laws, the regular variant, and sweeps: where the answer flips, and what is refused."""

import numpy as np
import pytest

from jaxphys_benchmarks.inphyre.counterfactual import sweep, under_true_law, variants, with_law
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.spec import Asked, InPhyReSpec
from jaxphys_benchmarks.protocol import Sweep
from tests.benchmarks.inphyre.measured_samples import cubes, drawn, measured, truth


def asking(query: str) -> Asked:
    return Asked(query=query, template=0, wording=0, order=(0, 1, 2, 3))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_regular_variant_of_a_sample(scenario: str) -> None:
    """The baseline table of section 7.3: true physics answers otherwise, but in SB and where nothing is red."""
    specs, labels = measured("published", scenario)
    if SCENARIOS[scenario].is_regular:
        assert variants(specs[0]) == {}
        assert under_true_law(specs[0]) == specs[0]
        return
    own = variants(specs[0])["own"]
    assert (own.id, own.model_copy(update={"variant": ""})) == (f"{specs[0].id}_own", specs[0])
    real = [variants(spec)["regular"] for spec in specs[:40]]
    for spec, one, twin, found in zip(specs, labels, real, truth(real), strict=False):
        assert twin.id == f"{spec.id}_regular"
        assert (twin.law, twin.things, twin.asked) == ("regular", spec.things, spec.asked)
        assert found.status == 0
        assert (found.meaning == one.meaning) == (scenario == "SB" or spec.family == "other")


def test_true_physics_of_a_blow_beside_the_centre_stays() -> None:
    spec = next(spec for spec in drawn("AMC-reg", 12, preset="varied") if spec.family == "eccentric")
    assert under_true_law(spec) is spec


def test_with_law() -> None:
    spec = with_law(cubes(3.0, 0.8), "keep_momentum", {"gain": 1.5})
    (labels,) = truth([spec])
    assert labels.meaning == "increases"
    with pytest.raises(ValueError, match=r"params: law 'take_look' has no 'gain'; it has restitution"):
        with_law(spec, "take_look", {"gain": 2.0})
    with pytest.raises(ValueError, match="law: 'magic' is not known"):
        with_law(spec, "magic")


def test_a_mass_ratio_turns_a_back() -> None:
    """A stops between (1 - .02)/(1 + .02) and its inverse, goes on below and comes back above."""
    ratios = [0.2, 0.9, 0.99, 1.01, 1.1, 4.0]
    found = sweep(cubes(3.0, 0.8, asked=asking("direction")), {"mass_ratio": ratios})
    assert found.facts["meanings"] == ["keeps_direction"] * 2 + ["stops"] * 2 + ["bounces_back"] * 2
    assert found.facts["flips"] == {"mass_ratio": 2}
    assert found.facts["flip_values"] == [[pytest.approx(0.945), pytest.approx(1.055)]]
    assert found.arrays["meaning"].tolist() == [1, 1, 2, 2, 0, 0]


def test_restitution_and_mass_ratio() -> None:
    """A comes back where e m_B > m_A; axes come with the longest last."""
    ratios, bounces = np.linspace(0.5, 4, 15).tolist(), [0.4, 1.0]
    found = sweep(cubes(3.0, 0.8, asked=asking("direction")), {"mass_ratio": ratios, "restitution": bounces})
    assert list(found.facts["axes"]) == ["restitution", "mass_ratio"]
    assert found.arrays["meaning"].shape == (2, 15)
    for bounce, row in zip(bounces, found.facts["meanings"], strict=True):
        for ratio, meaning in zip(ratios, row, strict=True):
            change = (1 - bounce * ratio) / (1 + ratio)
            assert meaning == ("stops" if abs(change) < 0.02 else "keeps_direction" if change > 0 else "bounces_back")


def test_gain_and_speed() -> None:
    """Too slow an A meets nothing, and has no answer."""
    spec = cubes(3.0, 0.8, law="keep_momentum", params={"gain": 1.0})
    found = sweep(spec, {"gain": [0.5, 1.0, 2.0], "speed": [0.0, 0.5, 2.0, 4.0]})
    assert list(found.facts["axes"]) == ["gain", "speed"]
    answers = [[None, None, meaning, meaning] for meaning in ("decreases", "no_change", "increases")]
    assert found.facts["meanings"] == answers
    assert (found.facts["invalid"], found.facts["flips"]) == (6, {"gain": 4, "speed": 0})
    assert (found.arrays["status"] != 0).sum() == 6


def test_the_own_values_give_the_own_label() -> None:
    for scenario in ("Wall", "AMC", "SB-reg", "Red-LMC"):
        specs, labels = measured("published", scenario)
        found = sweep(specs[3], {"speed": [float(np.hypot(*specs[3].things[0].vel))]})
        assert found.facts["meanings"] == [labels[3].meaning]


def test_without_restitution_what_brakes_less_pushes_on() -> None:
    """A, of less friction than B, runs into B again and again: no answer, and the facts say why."""
    spec = cubes(3.0, 0.8)
    ahead = spec.things[1].model_copy(update={"mu": 0.24})
    found = sweep(spec.model_copy(update={"things": (spec.things[0], ahead)}), {"restitution": [0.0, 1.0]})
    assert found.facts["meanings"] == [None, "decreases"]
    assert found.facts["failed"]["EVENT_CAP"] == found.facts["invalid"] == 1
    assert sweep(spec, {"restitution": [0.0, 1.0]}).facts["failed"].get("EVENT_CAP", 0) == 0


def test_spin_is_an_axis_of_its_law() -> None:
    spec = cubes(3.0, 0.8, law="spin_up", params={"omega": 4.0}, asked=asking("rotation"))
    assert sweep(spec, {"omega": [-1.0, 0.0, 1.0]}).facts["meanings"] == ["rotates", "still", "rotates"]


def test_the_map() -> None:
    found: Sweep = sweep(cubes(3.0, 0.8), {"restitution": [0.5, 1.0], "speed": np.linspace(0.5, 5, 40).tolist()})
    assert found.picture.width_px == 1090
    texts = {item.text for item in found.picture.items if hasattr(item, "text")}
    assert {"restitution 0.5", "restitution 1", "launch speed of A (m/s)", "no change", "no answer"} <= texts


@pytest.mark.parametrize(
    ("spec", "axes", "message"),
    [
        (cubes(1.0, 1.0), {}, "axes: none; give one or more of restitution"),
        (cubes(1.0, 1.0), {"colour": [1.0]}, "axes: colour; give"),
        (cubes(1.0, 1.0), {"gain": [1.0]}, "gain: law 'regular' of LMC/scene_00000 has none"),
        (cubes(1.0, 1.0), {"restitution": [0.0, 1.5]}, r"restitution: give finite numbers in \[0, 1\]"),
        (cubes(1.0, 1.0), {"mass_ratio": [0.0]}, "mass_ratio: give finite numbers > 0"),
        (cubes(1.0, 1.0), {"speed": []}, "speed: give finite numbers >= 0"),
        (cubes(1.0, 1.0), {"speed": [2.0, 1.0]}, "speed: give ascending numbers"),
        (cubes(0.0, 1.0), {"speed": [2.0]}, "speed: A rests in LMC/scene_00000"),
        (drawn("Wall", 1)[0], {"mass_ratio": [1.0]}, "mass_ratio: Wall/scene_00000 meets a wall"),
    ],
)
def test_bad_axes(spec: InPhyReSpec, axes: dict[str, list[float]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sweep(spec, axes)
