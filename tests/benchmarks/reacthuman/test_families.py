"""How families draw and build: shared leaves, rounded numbers, catalogue bodies, sound starts (sections 5 to 7)."""

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from jaxphys import rigid
from jaxphys_benchmarks.reacthuman import catalogue, rooms
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.drafting import candidate
from jaxphys_benchmarks.reacthuman.events import EVENTS
from jaxphys_benchmarks.reacthuman.families import FAMILIES, register
from jaxphys_benchmarks.reacthuman.families.pose import reach, turn
from jaxphys_benchmarks.reacthuman.families.topple import balance
from jaxphys_benchmarks.reacthuman.lower import lower_scenes
from jaxphys_benchmarks.reacthuman.scene import MAX_BODIES, MAX_BOXES, Scene
from jaxphys_benchmarks.reacthuman.validate import ORDERS
from tests.benchmarks.reacthuman.played_families import DEFAULT, EARLY, built, drawn, pool

VARIANTS = pytest.mark.parametrize("config", [DEFAULT, EARLY], ids=["repaired", "early"])
EACH = pytest.mark.parametrize("family", FAMILIES)

OVERLAP = 1e-3
"""Deepest overlap and largest gap to a support at the start (m, section 7.6)."""

ARCHETYPES = {
    "fall": ["object_drop", "shelf_slide", "hanging_fall", "ceiling_drop"],
    "slide_roll": ["sliding_object", "rolling_ball", "surface_cascade"],
    "topple": ["furniture_tip", "stack_collapse", "ladder_slip"],
    "articulated": ["door_swing", "pendulum_swing"],
    "ballistic": ["thrown_object", "bouncing_object", "stair_tumble"],
    "causal_chain": ["chain_reaction", "multi_object"],
}
"""Section 6."""

MOVING = ("vel", "omega", "hinge")
IN_AIR = ("hanging_fall", "ceiling_drop", "door_swing", "pendulum_swing", "thrown_object")


def test_the_table_is_that_of_the_specification() -> None:
    assert list(FAMILIES) == [name for names in ARCHETYPES.values() for name in names] == list(catalogue.FAMILIES)
    for archetype, names in ARCHETYPES.items():
        assert {FAMILIES[name].archetype for name in names} == {archetype}
    for family in FAMILIES.values():
        assert {family.event, family.event_of("early")} <= set(EVENTS)
        assert family.order in ORDERS
        assert set(family.rooms) <= set(rooms.ROOMS)


def still(scene: Scene) -> dict[str, Any]:
    """All of a scene that a band must not change."""
    content = scene.model_dump()
    content["things"] = [{k: v for k, v in thing.items() if k not in MOVING} for thing in content["things"]]
    return content


@EACH
def test_bands_differ_in_motion_only(family: str) -> None:
    for seed in range(6):
        drafts = built(family, drawn(family, seed))
        assert len({str(still(draft.scene)) for draft in drafts.values()}) == 1
        assert len({draft.scene.model_dump_json() for draft in drafts.values()}) == 4
        assert len({draft.tracked for draft in drafts.values()}) == 1


@VARIANTS
@EACH
def test_a_family_draws_as_many_numbers_whatever_it_is_about(family: str, config: ReactHumanConfig) -> None:
    kind, found = FAMILIES[family], set()
    for name in pool(family):
        for room in kind.rooms:
            for height in ("low", "high"):
                rng = np.random.default_rng(3)
                thing = catalogue.get(name, family)
                leaves = kind.draw(rng, thing, rooms.get(room), {"height": height}, config)
                found.add((tuple(leaves), rng.random()))
    assert len(found) == 1


@VARIANTS
@EACH
def test_the_same_seed_gives_the_same_scene(family: str, config: ReactHumanConfig) -> None:
    first, again = (built(family, drawn(family, 5, config), config) for _ in range(2))
    assert [d.scene.model_dump_json() for d in first.values()] == [d.scene.model_dump_json() for d in again.values()]
    other = built(family, drawn(family, 6, config), config)
    assert first["normal"].scene != other["normal"].scene


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [x for one in value.values() for x in numbers(one)]
    if isinstance(value, list | tuple):
        return [x for one in value for x in numbers(one)]
    return [value] if isinstance(value, float) else []


@VARIANTS
@EACH
def test_numbers_are_rounded_and_few(family: str, config: ReactHumanConfig) -> None:
    for seed in range(3):
        group = drawn(family, seed, config)
        for draft in built(family, group, config).values():
            stored = numbers(draft.scene.model_dump()) + numbers(dict(draft.derived)) + numbers(dict(group.leaves))
            assert stored == [round(x, 6) for x in stored]
            assert len(draft.scene.things) <= MAX_BODIES
            assert len(draft.scene.boxes) <= MAX_BOXES


@VARIANTS
@EACH
def test_bodies_are_those_of_the_catalogue(family: str, config: ReactHumanConfig) -> None:
    for seed in range(len(pool(family))):
        group = drawn(family, seed, config)
        draft = built(family, group, config)["fast"]
        names = [thing.name for thing in draft.scene.things]
        objects = [thing for thing in draft.scene.things if thing.name != "trigger"]
        assert draft.tracked == "object"
        assert sorted(names) == sorted({"object", *names})
        for thing in objects:
            row = group.object
            assert (thing.object, thing.shape) == (row.name, row.collider)
            assert thing.restitution == row.restitution
            if family == "door_swing":
                width, height = group.leaves["width"], group.leaves["height"]
                assert thing.mass == pytest.approx(row.density * width * height * 2 * row.half_depth, rel=1e-4)
            else:
                assert (thing.mass, thing.size, thing.drag_area) == (row.mass, row.size, row.drag_area)


@VARIANTS
@EACH
def test_bodies_start_on_their_supports(family: str, config: ReactHumanConfig) -> None:
    """Nothing overlaps, and what is supported is touched within the fall through a gap of a millimetre."""
    scenes = [
        draft.scene
        for seed in range(len(pool(family)))
        for band, draft in built(family, drawn(family, seed, config), config).items()
        if band in ("slow", "very_fast")
    ]
    world, state = lower_scenes(scenes)
    resting = state.replace(qvel=np.zeros_like(state.qvel)) if scenes[0].hold else state
    wait = math.ceil(math.sqrt(2 * OVERLAP / 9.81) * 240) / 240
    found = rigid.rollout(world, resting, np.array([wait]), rules=rigid.Rules(substeps=16), backend="c")
    assert set(np.asarray(found.status).tolist()) == {0}
    one = rigid.rollout(
        world, state.replace(qvel=np.zeros_like(state.qvel)), np.array([1 / 240]), rules=rigid.PARITY, backend="c"
    )
    assert np.max(np.asarray(one.depth)) < OVERLAP
    if family not in IN_AIR:
        touched = np.isfinite(np.asarray(found.first_touch)).any(axis=1)
        assert touched.all()


@EACH
def test_hazards_start_inside_the_room(family: str) -> None:
    for seed in range(8):
        group = drawn(family, seed)
        for draft in built(family, group).values():
            for thing in draft.scene.things:
                x, y, z = thing.pos
                assert abs(x) < group.room.width / 2
                assert abs(y) < group.room.depth / 2
                assert 0 < z < group.room.height


def test_a_hint_at_the_height_moves_its_leaf() -> None:
    for family, leaf, low, high in (
        ("shelf_slide", "height", 1.4, 1.9), ("hanging_fall", "height", 1.4, 2.0), ("stair_tumble", "step", 3.0, 7.0),
    ):  # fmt: skip
        kind, thing = FAMILIES[family], catalogue.get(pool(family)[0], family)
        room = rooms.get(kind.rooms[0])
        for height, span in {"low": (low - 0.3 * (high - low), low), "high": (high, high + 0.3 * (high - low))}.items():
            values = [
                kind.draw(np.random.default_rng(k), thing, room, {"height": height}, DEFAULT)[leaf] for k in range(50)
            ]
            assert span[0] <= min(values) < max(values) <= span[1]


def test_a_range_may_be_configured_and_a_wrong_name_is_refused() -> None:
    config = ReactHumanConfig(ranges={"object_drop.v_exit": (1.0, 1.1), "rolling_ball.speed": (9.0, 9.0)})
    assert 1.0 <= drawn("object_drop", 1, config).leaves["v_exit"] <= 1.1
    others = {k: v for k, v in drawn("object_drop", 1, config).leaves.items() if k != "v_exit"}
    assert others == {k: v for k, v in drawn("object_drop", 1).leaves.items() if k != "v_exit"}
    with pytest.raises(ValueError, match=r"ranges: object_drop draws no 'speed'; choose from v_exit"):
        drawn("object_drop", 1, ReactHumanConfig(ranges={"object_drop.speed": (1.0, 1.1)}))


@pytest.mark.parametrize(
    ("family", "leaf", "value", "reason"),
    [
        ("thrown_object", "speed", 0.0, "division by zero"),
        ("bouncing_object", "speed", 0.0, "invalid value"),
        ("shelf_slide", "depth", -1.0, "math domain error"),
        ("ladder_slip", "lean_deg", 90.0, "vel.0: Input should be"),
        ("multi_object", "n", 0.0, "division by zero"),
    ],
)
def test_leaves_of_which_no_scene_can_be_made_are_named(family: str, leaf: str, value: float, reason: str) -> None:
    config = ReactHumanConfig(families=(family,), ranges={f"{family}.{leaf}": (value, value)})
    with pytest.raises(ValueError, match=f"ranges: {family}: no .* can be set up .*{leaf} = {value:g}.*{reason}"):
        candidate(config, 0, family, 0, 0)


@pytest.mark.parametrize("field", ["archetype", "event", "early_event", "order", "track", "impact", "after"])
def test_an_own_family_names_what_is_unknown(field: str) -> None:
    strange: Any = {field: "nowhere"}
    with pytest.raises(ValueError, match=f"^{field}: 'nowhere' of meteor is unknown; choose from"):
        register(replace(FAMILIES["object_drop"], name="meteor", **strange))
    assert "meteor" not in (*FAMILIES, *catalogue.families())


def test_an_open_door_does_not_touch_the_robot() -> None:
    """The robot is inside the sector, south of the panel, and clear of it and of the wall at the start."""
    for seed in range(40):
        group = drawn("door_swing", seed)
        draft = built("door_swing", group)["normal"]
        hinge, point = draft.scene.things[0].hinge, draft.placement.point
        assert hinge is not None
        assert point is not None
        away = np.array(point[:2]) - np.array(hinge.anchor[:2])
        radius, bearing = np.hypot(*away), math.atan2(away[1], away[0])
        assert point[2] == 1.10
        assert 0.6 <= radius / group.leaves["width"] <= 0.9
        assert math.radians(20.0) < bearing <= math.radians(60.0) + 1e-6
        assert radius * math.sin(hinge.angle - bearing) > DEFAULT.robot_radius + group.object.half_depth


def test_furniture_and_stacks_start_beyond_their_balance() -> None:
    for seed in range(20):
        group = drawn("furniture_tip", seed)
        for config in (DEFAULT, EARLY):
            tilt = built("furniture_tip", group, config)["slow"].derived["tilt_deg"]
            if config is DEFAULT:
                assert 2.0 <= tilt - math.degrees(balance(group.object)) <= 12.0
        stack = drawn("stack_collapse", seed)
        scene = built("stack_collapse", stack)["slow"].scene
        critical = math.degrees(balance(stack.object, len(scene.things)))
        assert built("stack_collapse", stack)["slow"].derived["tilt_deg"] >= critical + 2.0
        top = scene.things[-1]
        assert top.name == "object"
        assert top.pos[2] == max(thing.pos[2] for thing in scene.things)


def test_a_rigid_stack_turns_about_one_line() -> None:
    """All items share one spin, and no point of the stack moves along the line between two centres."""
    for seed in range(8):
        things = built("stack_collapse", drawn("stack_collapse", seed))["fast"].scene.things
        for one, other in pairwise(things):
            apart = np.array(other.pos) - np.array(one.pos)
            assert one.omega == other.omega
            np.testing.assert_allclose(np.array(other.vel) - np.array(one.vel), np.cross(one.omega, apart), atol=5e-6)


@pytest.mark.parametrize("name", ["paperback_book", "plastic_bottle", "baseball_bat", "red_apple"])
def test_reach_is_the_support_of_the_turned_body(name: str) -> None:
    thing = catalogue.get(name, "object_drop")
    turned = turn(0.4, 0.9)
    up = turned.T @ np.array([0.0, 0.0, 1.0])
    expected = {
        "box": np.abs(up) @ np.array(thing.size),
        "sphere": thing.size[0],
        "capsule": thing.size[0] + thing.size[2] * abs(up[0]),
        "prism": abs(up[2]) * thing.size[2] + math.hypot(up[0], up[1]) * thing.size[0],
    }[thing.collider]
    found = reach(thing.collider, thing.size, turned, (0.0, 0.0, 1.0))
    assert found == pytest.approx(expected, rel=0.025 if thing.collider == "prism" else 1e-12)
