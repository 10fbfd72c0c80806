"""Other speeds, masses and frictions: groups as variants, twins, and where a sweep flips the action."""

import numpy as np
import pytest

from jaxphys_adapters import frames
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.spec import BANDS
from tests.benchmarks.reacthuman.made_scenes import drawn, labelled

HONEST = {"decoy_fraction": 0.0, "adversarial": "none"}


@pytest.mark.parametrize("family", ["object_drop", "bouncing_object"])
def test_variants_are_the_bands_of_the_group(family: str) -> None:
    """Built anew from the key of the group, they are the very scenes that were drawn."""
    group = drawn(family, 1, **HONEST)
    benchmark = ReactHuman(families=(family,), **HONEST)
    found = benchmark.variants(group[2])
    assert list(found) == list(BANDS)
    assert [one.scene for one in found.values()] == [one.scene for one in group]
    assert [one.id for one in found.values()] == [f"{group[2].id}_{band}" for band in BANDS]
    assert [one.timing for one in found.values()] == [one.timing for one in group]
    assert benchmark.variants(found["slow"]) == {}


def test_variants_keep_event_timing() -> None:
    options = {"timing": "event", **HONEST}
    group = drawn("rolling_ball", 1, **options)
    found = ReactHuman(families="rolling_ball", **options).variants(group[1])
    assert [one.timing for one in found.values()] == [one.timing for one in group]


def test_adversarial_scenes_have_a_twin() -> None:
    options = {"adversarial": "only", "decoy_fraction": 0.0}
    benchmark = ReactHuman(families="pendulum_swing", **options)
    spec = next(spec for spec in drawn("pendulum_swing", 2, **options) if spec.object == "foam_iron_bob")
    twin = benchmark.variants(spec)["twin"]
    assert twin.id == f"{spec.id}_twin"
    assert twin.scene.things[0].mass > 100 * spec.scene.things[0].mass
    assert twin.scene.things[0].pos == spec.scene.things[0].pos


@pytest.mark.parametrize(
    ("family", "name", "twin", "actions", "safety"),
    [
        ("pendulum_swing", "foam_iron_bob", "iron_bob", ("EXECUTE_CATCH", "TRIGGER_DODGE"), ("safe", "dangerous")),
        ("object_drop", "steel_apple", "red_apple", ("TRIGGER_DODGE", "EXECUTE_CATCH"), ("dangerous", "safe")),
        ("thrown_object", "lead_tennis", "tennis_ball", ("TRIGGER_DODGE", "EXECUTE_CATCH"), ("dangerous", "safe")),
    ],
)
def test_a_twin_is_labelled_as_what_it_is(
    family: str, name: str, twin: str, actions: tuple[str, str], safety: tuple[str, str]
) -> None:
    """It looks the same and moves the same, but the right answer is that about the honest object."""
    room = "kitchen"
    options = {"premises": [{"family": family, "object": name, "room": room}], "decoy_fraction": 0.0}
    benchmark = ReactHuman(**options)
    (spec,) = benchmark.sample(3, 1)
    other = benchmark.variants(spec)["twin"]
    assert (other.object, other.scene.things[0].object, other.adversarial) == (twin, twin, False)
    truths = benchmark.label([spec, other], *benchmark.simulate([spec, other]))
    assert tuple(truth.correct_action for truth in truths) == actions
    assert tuple(truth.safety_label for truth in truths) == safety
    assert [truth.mass_visible_mm is None for truth in truths] == [False, True]


def test_a_scene_that_cannot_be_simulated_is_refused() -> None:
    """A body inside the floor: there is no cell to show."""
    spec = drawn("object_drop", 1, **HONEST)[1]
    thing = spec.scene.things[0].model_copy(update={"pos": (0.0, 0.0, -5.0)})
    buried = spec.model_copy(update={"scene": spec.scene.model_copy(update={"things": (thing,)})})
    with pytest.raises(ValueError, match="no cell can be simulated: OVERLAP 2; put the bodies apart"):
        ReactHuman(families="object_drop", **HONEST).sweep(buried, {"mass": [0.1, 1.0]})


def test_another_configuration_is_noticed() -> None:
    spec = drawn("object_drop", 1, **HONEST)[0]
    with pytest.raises(ValueError, match="drawn with configuration"):
        ReactHuman(families="object_drop", friction_table=0.1, **HONEST).variants(spec)


def test_a_sweep_of_speed_passes_through_the_bands() -> None:
    """The multiplier of a band gives what that band's scene gives, and faster is earlier."""
    rows = labelled("object_drop", 1, **HONEST)
    found = ReactHuman(families="object_drop", **HONEST).sweep(rows[1][0], {"speed": list(BANDS.values())})
    np.testing.assert_allclose(found.arrays["t_imp"], [truth.t_imp for _, truth in rows], atol=1e-6)
    assert np.all(np.diff(found.arrays["t_imp"]) < 0)
    assert found.facts["actions"] == [truth.correct_action for _, truth in rows]
    assert found.facts["flips"] == {"speed": 0}
    assert frames.png(found.picture)


def test_a_sweep_finds_where_the_hazard_stops_short() -> None:
    """What friction stops on the table never gets over the edge: nothing need be done."""
    group = drawn("object_drop", 3, **HONEST)
    spec = next(spec for spec in group if spec.band == "normal" and spec.scene.things[0].shape in ("box", "prism"))
    found = ReactHuman(families="object_drop", **HONEST).sweep(
        spec, {"friction": [0.1, 2.0], "floor_friction": [0.1, 0.5, 1.0]}
    )
    assert list(found.facts["axes"]) == ["friction", "floor_friction"]
    assert found.arrays["action"].shape == (2, 3)
    assert found.facts["actions"][1] == ["NO_ACTION"] * 3
    assert found.facts["t_imp"][1] == [None] * 3
    assert found.facts["flips"]["friction"] == 3
    assert found.facts["flips"]["floor_friction"] == 0


def test_a_rough_table_holds_what_slides_on_it() -> None:
    benchmark = ReactHuman(families=("object_drop",))
    spec = next(one for one in benchmark.sample(0, 16) if one.scene.things[0].shape == "box" and one.band == "slow")
    found = benchmark.sweep(spec, {"table_friction": [0.05, 4.0]})
    fast, held = found.facts["t_imp"]
    assert fast is not None
    assert held is None or held > fast


def test_a_sweep_of_a_sampled_leaf_builds_the_scene_anew() -> None:
    """What falls straight down arrives where it was let go, and the own value gives the scene itself."""
    (spec, truth) = labelled("ceiling_drop", 1, **HONEST)[1]
    values = sorted([-0.2, 0.0, 0.2, spec.sampled["x"]])
    found = ReactHuman(families="ceiling_drop", **HONEST).sweep(spec, {"speed": [1.0], "x": values})
    assert found.arrays["impact_point"][0, :, 0] == pytest.approx(values, abs=2e-3)
    own = values.index(spec.sampled["x"])
    assert found.facts["impact_point"][0][own] == list(truth.impact_point or ())
    assert found.facts["t_imp"][0][own] == truth.t_imp


def test_mass_matters_with_drag_only() -> None:
    spec = drawn("ceiling_drop", 1, **HONEST)[1]
    still = ReactHuman(families="ceiling_drop", **HONEST).sweep(spec, {"mass": [0.05, 5.0]})
    assert np.ptp(still.arrays["t_imp"]) < 1e-9
    dragged = drawn("ceiling_drop", 1, drag="quadratic", **HONEST)[1]
    moved = ReactHuman(families="ceiling_drop", drag="quadratic", **HONEST).sweep(dragged, {"mass": [0.05, 5.0]})
    assert moved.arrays["t_imp"][0] > moved.arrays["t_imp"][1]


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ({}, "axes: none"),
        ({"colour": [1.0]}, "axes: colour unknown; object_drop has speed, mass"),
        ({"mass": [-1.0]}, "mass: give finite numbers from 1e-06"),
        ({"restitution": [0.5, 1.5]}, "restitution: give finite numbers from 0 to 1"),
        ({"speed": [2.0, 1.0]}, "speed: give ascending numbers"),
        ({"mass": [float("nan")]}, "mass: give finite"),
    ],
)
def test_bad_axes_are_named(axes: dict[str, list[float]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ReactHuman(families="object_drop", **HONEST).sweep(drawn("object_drop", 1, **HONEST)[0], axes)
