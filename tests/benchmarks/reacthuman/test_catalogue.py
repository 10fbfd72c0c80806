"""The catalogue against an independent transcription of its tables, and its colliders in the simulator."""

import json
from collections import Counter
from typing import Any, get_args

import mujoco
import numpy as np
import pytest
from mujoco import mjx
from pydantic import ValidationError

from jaxphys import rigid
from jaxphys_benchmarks.reacthuman import catalogue, colliders
from jaxphys_benchmarks.reacthuman.catalogue import FAMILIES, Catalogue, Object
from jaxphys_benchmarks.reacthuman.objects import Provenance
from jaxphys_benchmarks.reacthuman.scene import Thing
from tests.support import CASES

TABLES: list[dict[str, Any]] = json.loads((CASES / "reacthuman_catalogue.json").read_text())
"""Sections 4.2 to 4.14 of the ReactHuman specification, as printed."""

ROWS = catalogue.current().rows
ROUND = 0.006
"""Printed masses have three digits."""
SINK = 1e-3
"""Contacts are soft: a body at rest sinks in by a few tenths of a millimetre."""


def key(row: dict[str, Any]) -> str:
    return f"{row['family']}-{row['name']}"


def found(row: dict[str, Any]) -> Object:
    return catalogue.get(row["name"], row["family"])


def solid(row: dict[str, Any]) -> float:
    """Mass of the printed solid, from the printed half extents."""
    size, density = row["size"], row["density"]
    volumes = {
        "sphere": lambda: 4 / 3 * np.pi * size[0] ** 3,
        "cyl": lambda: np.pi * size[0] ** 2 * 2 * size[1],
        "box": lambda: 8 * np.prod(size),
    }
    return float(density * volumes[row["shape"]]())


def test_there_are_82_rows_and_21_of_them_are_adversarial() -> None:
    assert len(ROWS) == len(TABLES) == 82
    assert sum(row.adversarial for row in ROWS) == sum(row["adversarial"] for row in TABLES) == 21
    assert {family for row in ROWS for family in row.families} == set(FAMILIES)
    assert len(FAMILIES) == 17
    homes = [(row.name, family) for row in ROWS for family in row.families]
    assert len(set(homes)) == len(homes), "a name stands for one row in each family"


@pytest.mark.parametrize("row", TABLES, ids=key)
def test_a_row_says_what_the_tables_say(row: dict[str, Any]) -> None:
    thing = found(row)
    assert thing.adversarial == row["adversarial"]
    assert thing.density == row["density"]
    assert thing.catch_safe == row["catch_safe"]
    assert thing.safety_label == row["safety_label"]
    assert thing.friction == (0.40 if row["friction"] is None else row["friction"])
    assert thing.restitution == (0.20 if row["restitution"] is None else row["restitution"])
    if thing.name != "hollow":  # looks like the wooden one (ours)
        assert thing.twin == row["twin"]
    if row["mass_hint"]:
        assert thing.mass_hint == row["mass_hint"]
    else:
        assert thing.mass_hint == ("light" if thing.mass < 1 else "medium" if thing.mass < 5 else "heavy")
    sources = thing.provenance
    if row["friction"] is not None and row["family"] not in ("ceiling_drop", "chain_reaction"):
        assert sources["friction"] == ("early_generator" if row["friction_confirmed"] else "assumed")
    if row["label_assumed"]:
        assert sources["safety_label"] == "assumed"


@pytest.mark.parametrize("row", TABLES, ids=key)
def test_masses_are_those_of_half_extents(row: dict[str, Any]) -> None:
    thing = found(row)
    assert solid(row) == pytest.approx(row["mass"], rel=0.02, abs=0.0006), "the table itself"
    if row["given_mass"] is None:
        assert thing.mass == pytest.approx(solid(row), abs=1e-6)
        assert thing.provenance["mass"] == "derived"
    else:
        assert thing.mass == row["given_mass"]
        assert thing.provenance["mass"] == "assumed"


@pytest.mark.parametrize("thing", ROWS, ids=lambda thing: f"{thing.families[0]}-{thing.name}")
def test_every_value_has_a_provenance(thing: Object) -> None:
    assert set(thing.provenance) == {*Object.model_fields, "mass"} - {"provenance"}
    assert set(thing.provenance.values()) <= set(get_args(Provenance)) - {"own"}
    assert thing.provenance["density"] in ("early_generator", "published", "assumed")
    assert thing.display_name
    assert all(0 <= channel <= 1 for channel in thing.color_rgb)
    assert Object.model_validate_json(thing.model_dump_json()) == thing


@pytest.mark.parametrize("thing", [row for row in ROWS if row.adversarial], ids=lambda row: row.name)
def test_what_an_adversarial_object_looks_like_is_known(thing: Object) -> None:
    assert thing.category == "adversarial"
    assert bool(thing.twin) != bool(thing.appearance_implied_action)
    for family in thing.families:
        assert catalogue.implied_action(thing, family) in ("EXECUTE_CATCH", "TRIGGER_DODGE")
        twin = catalogue.twin(thing, family)
        if thing.twin:
            assert twin is not None
            assert not twin.adversarial
            assert twin.color_rgb == thing.color_rgb
            assert twin.morph == thing.morph
            assert twin.mass / thing.mass > 3 or thing.mass / twin.mass > 3
            if thing.name != "foam_ceiling_panel":
                assert twin.visual_size == pytest.approx(thing.visual_size, abs=1e-9)
        else:
            assert twin is None


def test_things_that_look_heavy_or_edible_ask_for_what_they_look_like() -> None:
    looks = {name: catalogue.implied_action(catalogue.get(name, "object_drop"), "object_drop") for name in
             ("foam_anvil", "steel_apple")}  # fmt: skip
    assert looks == {"foam_anvil": "TRIGGER_DODGE", "steel_apple": "EXECUTE_CATCH"}


def test_twins_are_looked_up_in_the_family_first() -> None:
    bouncing = catalogue.get("lead_tennis", "bouncing_object")
    assert catalogue.twin(bouncing, "bouncing_object") is catalogue.get("tennis_ball", "bouncing_object")
    thrown = catalogue.get("lead_tennis", "thrown_object")
    assert catalogue.twin(thrown, "thrown_object") is catalogue.get("tennis_ball", "rolling_ball")
    assert thrown.density != bouncing.density
    steel = catalogue.get("steel_ball", "stair_tumble")
    assert catalogue.twin(steel, "stair_tumble") is catalogue.get("rubber_ball", "stair_tumble")


def test_the_published_probes() -> None:
    named = {(row.name, family) for family in FAMILIES for row in catalogue.current().probes(family, "named")}
    assert {name for name, _ in named} == {
        "foam_anvil", "steel_apple", "lead_tennis", "foam_mirror", "hollow", "foam_ceiling_panel", "lead_sandbag",
        "steel_can",
    }  # fmt: skip
    chosen = {row.name for family in FAMILIES for row in catalogue.current().probes(family, "published_14")}
    assert len(chosen) == 14
    assert not catalogue.current().probes("object_drop", "none")
    assert sum(row.adversarial for row in catalogue.current().probes("ceiling_drop", "all")) == 3
    # Published: what each named probe asks for.
    answers = {
        ("foam_anvil", "object_drop"): "EXECUTE_CATCH", ("steel_apple", "object_drop"): "TRIGGER_DODGE",
        ("lead_tennis", "thrown_object"): "TRIGGER_DODGE", ("foam_mirror", "hanging_fall"): "EXECUTE_CATCH",
        ("hollow", "door_swing"): "EXECUTE_CATCH", ("foam_ceiling_panel", "ceiling_drop"): "EXECUTE_CATCH",
        ("lead_sandbag", "pendulum_swing"): "TRIGGER_DODGE", ("steel_can", "stack_collapse"): "TRIGGER_DODGE",
    }  # fmt: skip
    for (name, family), action in answers.items():
        assert catalogue.property_action(catalogue.get(name, family), family) == action


def test_only_overrides_are_caught_where_nothing_else_is() -> None:
    caught = {
        name
        for family in catalogue.NEVER_CAUGHT
        for name in catalogue.pool(family)
        if catalogue.property_action(catalogue.get(name, family), family) == "EXECUTE_CATCH"
    }
    assert caught == {"foam_bookshelf", "foam_iron_bob", "hollow_plastic", "foam_prop_step", "foam", "hollow"}
    assert {row.name for row in ROWS if row.catch_override} == caught


DRAG = {
    "foam_anvil": (9.3, 7.1, 22, 106), "red_apple": (38, 0.4, 1.4, 6.9), "steel_apple": (116, 0.0, 0.2, 0.8),
    "foam_baseball": (6.9, 12.7, 39, 179), "baseball": (35, 0.5, 1.6, 8.1), "foam_billiard": (7.2, 11.7, 36, 167),
    "foam_cube": (10.6, 5.6, 17, 84), "foam_iron_bob": (11.8, 4.5, 14, 69), "foam_ceiling_panel": (4.3, 30, 89, 371),
}  # fmt: skip
"""Section 15.6: terminal speed (m/s), and how far drag holds a falling object back after 0.3, 0.4 and 0.6 s (mm)."""


@pytest.mark.parametrize("name", DRAG)
def test_drag_areas_give_the_printed_deficits(name: str) -> None:
    thing = next(row for row in ROWS if row.name == name)
    terminal = np.sqrt(2 * thing.mass * 9.81 / (1.2 * thing.drag_area))
    speed, *deficits = DRAG[name]
    assert terminal == pytest.approx(speed, abs=0.5 if speed > 20 else 0.05)
    for t, deficit in zip((0.3, 0.4, 0.6), deficits, strict=True):
        fallen = terminal**2 / 9.81 * np.log(np.cosh(9.81 * t / terminal))
        assert 1000 * (9.81 * t * t / 2 - fallen) == pytest.approx(deficit, rel=0.03, abs=0.1)


def test_the_areas_of_lying_and_standing_cylinders_are_those_seen_from_above() -> None:
    assert colliders.drag_area("prism", (0.1, 0.1, 0.5)) == pytest.approx(0.82 * np.pi * 0.01)
    assert colliders.drag_area("capsule", (0.1, 0.1, 0.5)) == pytest.approx(0.82 * 4 * 0.6 * 0.1)


def resting(things: list[Object]) -> tuple[rigid.World, rigid.State]:
    """One scene each: the object at rest on the floor."""
    return rigid.make_scene(
        shape=[[thing.collider] for thing in things],
        size=np.array([[thing.size] for thing in things]),
        pos=np.array([[(0.0, 0.0, thing.half_height)] for thing in things]),
        quat=np.array([[thing.rest_quat] for thing in things]),
        mass=np.array([[thing.mass] for thing in things]),
        friction=np.array([[thing.friction] for thing in things]),
    )


def test_every_row_rests_at_its_half_height() -> None:
    world, state = resting(list(ROWS))
    end = rigid.rollout(world, state, np.array([0.25]), rules=rigid.PARITY, backend="c")
    assert not np.asarray(end.status).any()
    heights = np.asarray(end.qpos)[:, 0, 0, 2]
    np.testing.assert_allclose(heights, [thing.half_height for thing in ROWS], atol=SINK)


PRINTED_HEIGHTS = {
    "object_drop-ceramic_plate": 0.012, "object_drop-ripe_banana": 0.018, "object_drop-baseball_bat": 0.035,
    "stair_tumble-ceramic_vase": 0.07, "stair_tumble-metal_canister": 0.065,
}  # fmt: skip
"""Colliders that are thinner than the printed shape, or lie down."""


@pytest.mark.parametrize("row", TABLES, ids=key)
def test_rest_heights_are_printed_half_heights(row: dict[str, Any]) -> None:
    assert found(row).half_height == PRINTED_HEIGHTS.get(key(row), row["size"][-1])


def kinds() -> dict[str, Object]:
    """One row for each collider."""
    return {thing.collider: thing for thing in ROWS}


@pytest.mark.parametrize("kind", ["prism", "capsule", "box", "sphere"])
def test_the_simulator_has_the_mass_and_inertia_of_the_catalogue(kind: str) -> None:
    for thing in (row for row in ROWS if row.collider == kind):
        model = mujoco.MjModel.from_xml_string(rigid.mjcf(*resting([thing])))
        moved = int(np.argmax(model.body_mass))
        assert model.body_mass[moved] == pytest.approx(thing.mass, abs=1e-6)
        np.testing.assert_allclose(sorted(model.body_inertia[moved]), sorted(thing.inertia), rtol=1e-6)


def test_no_row_makes_a_pair_that_mjx_does_not_have() -> None:
    assert set(kinds()) == {"sphere", "box", "prism", "capsule"}
    things = [*kinds().values(), *kinds().values()]
    world, state = rigid.make_scene(
        shape=[thing.collider for thing in things],
        size=np.array([[thing.size for thing in things]]),
        pos=np.array([[(2.0 * place, 0.0, 1.0) for place in range(len(things))]]),
        mass=np.array([[thing.mass for thing in things]]),
        static_pos=np.array([[(0.0, 5.0, 0.5)]]),
        static_half=np.array([[(0.5, 0.5, 0.5)]]),
    )
    model = mujoco.MjModel.from_xml_string(rigid.mjcf(world, state))
    assert model.npair == len(things) * (len(things) - 1) // 2 + 2 * len(things)
    mjx.put_model(model)  # NotImplementedError where a pair is missing


def test_a_prism_has_the_cross_section_of_its_cylinder() -> None:
    radius = colliders.CIRCUMRADIUS
    assert radius == pytest.approx(np.sqrt(np.pi / 3))
    assert colliders.SIDES / 2 * radius**2 * np.sin(2 * np.pi / colliders.SIDES) == pytest.approx(np.pi)


@pytest.mark.parametrize("thing", ROWS, ids=lambda thing: f"{thing.families[0]}-{thing.name}")
def test_every_row_makes_a_thing_of_a_scene(thing: Object) -> None:
    made = Thing(
        name="object", object=thing.name, shape=thing.collider, size=thing.size, mass=thing.mass,
        friction=thing.friction, restitution=thing.restitution, drag_area=thing.drag_area, quat=thing.rest_quat,
    )  # fmt: skip
    assert made.mass == thing.mass


def test_a_door_is_resized() -> None:
    door = catalogue.get("wooden", "door_swing").resized((0.5, 0.0225, 1.0))
    assert door.mass == pytest.approx(650 * 8 * 0.5 * 0.0225 * 1.0)
    assert (door.half_width, door.half_depth, door.half_height) == (0.5, 0.0225, 1.0)


WOK = {
    "name": "wok", "families": ["object_drop", "chain_reaction"], "morph": "cylinder",
    "visual_size": [0.16, 0.16, 0.05], "density": 900, "mass_override": 1.8, "catch_safe": False,
}  # fmt: skip


def test_an_own_object_needs_few_words() -> None:
    wok = Object.model_validate(WOK)
    assert (wok.collider, wok.size, wok.mass, wok.mass_hint) == ("prism", (0.16, 0.16, 0.05), 1.8, "medium")
    assert (wok.safety_label, wok.category, wok.display_name, wok.friction) == ("dangerous", "dangerous", "wok", 0.40)
    assert [wok.provenance[name] for name in ("density", "friction", "mass")] == ["own", "assumed", "assumed"]
    lying = Object.model_validate(WOK | {"lies": True, "visual_size": [0.05, 0.05, 0.2]})
    assert (lying.collider, lying.half_height) == ("capsule", 0.05)
    assert lying.half_width == pytest.approx(0.2)


def test_own_objects_join_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_current", catalogue.current())
    wok = catalogue.register(Object.model_validate(WOK))
    assert catalogue.get("wok", "chain_reaction") is wok
    assert catalogue.pool("object_drop")[-1] == "wok"
    heavier = catalogue.register(Object.model_validate(WOK | {"mass_override": 3.0}))
    assert catalogue.get("wok", "chain_reaction") is heavier
    assert Counter(catalogue.pool("object_drop"))["wok"] == 1


def test_families_may_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "_families", FAMILIES)
    assert catalogue.register_family("roof_tile") == "roof_tile"
    assert catalogue.families() == (*FAMILIES, "roof_tile")
    catalogue.register_family("roof_tile")
    assert len(catalogue.families()) == 18


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"visual_size": [16, 16, 5]}, r"visual_size\n.*16.*from 0.001 to 1.5 m"),
        ({"visual_size": [0.16, 0.16, 0.0]}, r"visual_size\n.*from 0.001 to 1.5 m"),
        ({"visual_size": [0.16, 0.16]}, r"visual_size"),
        ({"visual_size": ["a", 0.16, 0.1]}, r"visual_size"),
        ({"visual_size": [0.16, 0.2, 0.05]}, r"visual_size: .* of a cylinder; give \(r, r, half\)"),
        ({"morph": "sphere"}, r"visual_size: .* of a sphere; give \(r, r, r\)"),
        ({"lies": True}, r"visual_size: .* above its radius 0.16"),
        ({"size": [0.2, 0.2, 9.0]}, r"size\n.*from 0.001 to 1.5 m"),
        ({"density": "light"}, "density"),
        ({"size": [0.2, 0.2]}, "size"),
        ({"collider": "cone"}, "collider\n.*'sphere', 'box', 'prism' or 'capsule'"),
        ({"morph": "cone"}, "morph\n.*'sphere', 'box', 'cylinder' or 'mesh'"),
        ({"density": 0}, r"density\n.*greater than or equal to 1"),
        ({"density": 40000}, r"density\n.*less than or equal to 25000"),
        ({"mass_override": 1e-7}, r"density, mass_override: wok has 1e-07 kg; give from 1e-5 to 2000 kg"),
        ({"mass_override": -1}, r"mass_override\n.*greater than 0"),
        ({"friction": 3}, r"friction\n.*less than or equal to 2"),
        ({"restitution": 1.1}, r"restitution\n.*less than or equal to 1"),
        ({"name": "Wok"}, "name\n"),
        ({"families": []}, "families\n"),
        ({"safety_label": "harmless"}, "safety_label\n.*'safe', 'caution' or 'dangerous'"),
        ({"weight": 3}, "weight\n.*not permitted"),
    ],
)
def test_impossible_objects_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Object.model_validate(WOK | changes)


@pytest.mark.parametrize("field", ["name", "families", "morph", "visual_size", "density", "catch_safe"])
def test_what_an_object_cannot_do_without_is_named(field: str) -> None:
    with pytest.raises(ValidationError, match=f"{field}\n.*required"):
        Object.model_validate({name: value for name, value in WOK.items() if name != field})


@pytest.mark.parametrize(
    ("name", "family", "message"),
    [
        ("vase", "object_drop", "object: 'vase' is unknown in object_drop; choose from ceramic_plate, "),
        ("ceramic_vase", "object_drop", "it belongs to shelf_slide, stair_tumble; choose from"),
        ("red_apple", "quake", "it belongs to .*; no object belongs to that family"),
    ],
)
def test_unknown_objects_are_named_with_what_there_is(name: str, family: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        catalogue.get(name, family)


def test_a_catalogue_of_ones_own() -> None:
    wok = Object.model_validate(WOK | {"twin": "wok"})
    only = Catalogue((wok,))
    assert (only.pool("object_drop"), only.pool("door_swing")) == (("wok",), ())
    assert only.twin(wok, "object_drop") is wok
    assert catalogue.implied_action(wok, "object_drop", only) == "TRIGGER_DODGE"
