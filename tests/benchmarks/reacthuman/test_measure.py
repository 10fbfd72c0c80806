"""Ground truth against closed forms: falls, throws, doors, pendulums; hidden masses that drag shows; nudges."""

import math

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman import catalogue, mass_visible, measure, simulate
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.observed import observed
from jaxphys_benchmarks.reacthuman.scene import Scene, Thing
from jaxphys_benchmarks.reacthuman.spec import SCHEMA, Physics, ReactHumanSpec, Robot, Room, Timing
from tests.benchmarks.reacthuman.made_scenes import CHEAP, labelled

G, STEP = 9.81, 1 / 960


def fallen(height: float, speed: float, time: float) -> float:
    """Height under semi-implicit Euler after whole inner steps (section 15.2), linear between recorded ones."""
    n = np.floor(time / (4 * STEP)) * 4
    at = [height + speed * k * STEP - G * STEP**2 * k * (k + 1) / 2 for k in (n, n + 4)]
    return float(at[0] + (time / (4 * STEP) - n / 4) * (at[1] - at[0]))


def test_what_falls_from_the_ceiling_passes_the_head_when_free_fall_says_so() -> None:
    for spec, truth in labelled("ceiling_drop", decoy_fraction=0.0):
        start, speed = spec.scene.things[0].pos[2], spec.scene.things[0].vel[2]
        assert truth.impact_kind == "head_plane"
        assert truth.t_imp is not None
        assert fallen(start, speed, truth.t_imp) == pytest.approx(1.32, abs=2e-5)
        assert truth.impact_speed == pytest.approx(math.sqrt(speed**2 + 2 * G * (start - 1.32)), rel=5e-3)


def test_throws_cross_the_plane_where_they_were_aimed() -> None:
    """The impact point is drawn first (section 7.4); inner steps shorten the flight by g h t / 2."""
    for spec, truth in labelled("thrown_object", decoy_fraction=0.0):
        thing = spec.scene.things[0]
        assert truth.t_imp is not None
        assert truth.impact_point is not None
        plane = spec.robot.y + spec.robot.reach_offset
        assert truth.t_imp == pytest.approx((thing.pos[1] - plane) / -thing.vel[1], abs=1e-5)
        assert truth.impact_point[0] == pytest.approx(thing.pos[0] + thing.vel[0] * truth.t_imp, abs=1e-4)
        assert truth.impact_point[2] == pytest.approx(fallen(thing.pos[2], thing.vel[2], truth.t_imp), abs=1e-4)


def test_doors_arrive_when_their_angle_says_so() -> None:
    """The panel turns at a constant rate until its face is a capsule's radius from the robot's axis."""
    for spec, truth in labelled("door_swing", decoy_fraction=0.0):
        thing = spec.scene.things[0]
        assert thing.hinge is not None
        assert truth.t_imp is not None
        away = np.array([spec.robot.x - thing.hinge.anchor[0], spec.robot.y - thing.hinge.anchor[1]])
        bearing = math.atan2(away[1], away[0])
        shadow = math.asin((0.25 + thing.size[1]) / math.hypot(*away))
        expected = (thing.hinge.angle - bearing - shadow) / -thing.hinge.rate
        assert truth.t_imp == pytest.approx(expected, abs=1e-3)
        assert truth.impact_point is not None
        assert truth.impact_point[2] == 1.10
        assert math.dist(truth.impact_point[:2], (spec.robot.x, spec.robot.y)) == pytest.approx(0.25, abs=1e-3)


def test_pendulums_arrive_at_the_bottom() -> None:
    """Leading surface of the bob on the reach plane; speed there by energy, for an extended bob on a rod."""
    for spec, truth in labelled("pendulum_swing", decoy_fraction=0.0):
        assert truth.t_imp == pytest.approx(truth.event_time, abs=1.01 / 240)
        hinge = spec.scene.things[0].hinge
        assert hinge is not None
        assert truth.impact_velocity is not None
        assert truth.impact_velocity[1] < 0


@pytest.mark.parametrize("family", CHEAP)
def test_the_frames_of_labels_are_those_seen_without_labels(family: str) -> None:
    for spec, truth in labelled(family, decoy_fraction=0.0)[:2]:
        assert truth.track == observed(spec)


def test_published_times_are_one_step_early() -> None:
    for _, truth in labelled("object_drop", decoy_fraction=0.0):
        assert truth.time_to_floor is not None
        assert truth.time_to_floor_published is not None
        assert 0 <= truth.time_to_floor - truth.time_to_floor_published <= 2 / 240
        assert (truth.time_to_floor_published * 240) == pytest.approx(
            round(truth.time_to_floor_published * 240), abs=1e-3
        )


def test_early_interceptions_reproduce_the_published_record() -> None:
    """Section 15.2: the first state at y < 0 is record index 74, to four decimals."""
    thing = Thing(
        name="object", object="billiard_ball", shape="sphere", size=(0.028,) * 3, mass=0.156, friction=0.1,
        pos=(-0.785, 0.557, 0.028), vel=(-0.273, -1.806, 3.445),
    )  # fmt: skip
    spec = free(thing, family="bouncing_object", variant="early", impact="com", substeps=4)
    (truth,) = measure.label([spec], simulate.simulate([spec], backend="c"), catalogue.current())
    assert (truth.impact_kind, truth.t_imp_step, truth.t_imp) == ("com", 74, 0.3125)
    assert truth.impact_point is not None
    assert [round(value, 4) for value in truth.impact_point] == [-0.8703, -0.0074, 0.6240]


def free(thing: Thing, family: str = "ceiling_drop", drag: bool = False, **others: object) -> ReactHumanSpec:
    """One body in the air, adversarial where its object is."""
    substeps = others.pop("substeps", 4)
    row = catalogue.get(thing.object, family)
    fields = {
        "schema": SCHEMA, "seed": 0, "family": family, "index": 0, "group": 0,
        "object": thing.object, "adversarial": row.adversarial,
        "room": Room(type="living", width=6, depth=5, height=2.8), "robot": Robot(x=0, y=-1, stand_off=1),
        "timing": Timing(t0_step=0, freeze_step=144), "scene": Scene(things=(thing,)),
        "physics": Physics(substeps=substeps, drag="quadratic" if drag else "off"),  # type: ignore[arg-type]
        **others,
    }  # fmt: skip
    return ReactHumanSpec(**fields)  # type: ignore[arg-type]


def held(name: str, family: str) -> Thing:
    row = catalogue.get(name, family)
    return Thing(
        name="object", object=name, shape=row.collider, size=row.size, mass=row.mass, friction=row.friction,
        drag_area=row.drag_area, pos=(0, 0, 2.5),
    )  # fmt: skip


PROBES = [
    ("foam_anvil", "object_drop", 106),
    ("foam_baseball", "thrown_object", 179),
    ("steel_apple", "object_drop", 0.8),
]
"""Name, family, deficit against vacuum after 0.6 s (mm; section 15.6)."""


@pytest.mark.parametrize(("name", "family", "deficit"), PROBES)
def test_twins_fall_alike_without_drag_and_apart_with_it(name: str, family: str, deficit: float) -> None:
    """In flight, twins without drag have identical trajectories; with drag they differ as the closed forms do."""
    thing = held(name, family)
    own = catalogue.get(name, family)
    twin = catalogue.twin(own, family)
    still, moved = (free(thing, family, drag) for drag in (False, True))
    truths = measure.label([still, moved], simulate.simulate([still, moved], backend="c"), catalogue.current())
    if twin is None:
        assert [truth.mass_visible_mm for truth in truths] == [None, None]
        return
    lag = [_lag(row.mass, row.drag_area) for row in (own, twin)]
    assert truths[0].mass_visible_mm == 0.0
    assert truths[1].mass_visible_mm == pytest.approx(abs(lag[0] - lag[1]), rel=0.02, abs=0.05)
    assert lag[0] == pytest.approx(deficit, rel=0.08)


def _lag(mass: float, area: float, time: float = 0.6) -> float:
    """Displacement deficit against vacuum (mm): z = (v_t²/g) ln cosh(g t / v_t)."""
    terminal = math.sqrt(mass * G / (0.5 * 1.2 * area))
    return 1000 * (0.5 * G * time**2 - terminal**2 / G * math.log(math.cosh(G * time / terminal)))


def test_a_twin_changes_mass_friction_restitution_and_drag_only() -> None:
    thing = held("steel_apple", "object_drop")
    own, twin = catalogue.get("steel_apple", "object_drop"), catalogue.get("red_apple", "object_drop")
    other = mass_visible.twin_scene(Scene(things=(thing,)), own, twin).things[0]
    changed = {name for name in Thing.model_fields if getattr(other, name) != getattr(thing, name)}
    assert {"object", "mass", "friction"} <= changed <= {"object", "mass", "friction", "restitution", "drag_area"}
    assert other.object == "red_apple"
    assert other.mass == pytest.approx(twin.mass, abs=1e-6)


def test_a_friction_that_the_family_has_set_stays() -> None:
    """A ladder's feet are those of the scene, whatever the row says."""
    own, twin = (catalogue.get(name, "ladder_slip") for name in ("foam_prop_step", "wooden_step"))
    thing = held("foam_prop_step", "ladder_slip").model_copy(update={"friction": 0.123})
    assert mass_visible.twin_scene(Scene(things=(thing,)), own, twin).things[0].friction == 0.123


def test_drag_is_needed_to_see_foam_in_a_fall() -> None:
    """Measured by the labels of drawn scenes: the same probes without and with drag."""
    options = {"adversarial": "only", "decoy_fraction": 0.0}
    still = [truth.mass_visible_mm for _, truth in labelled("ceiling_drop", 2, **options)]
    moved = [truth.mass_visible_mm for _, truth in labelled("ceiling_drop", 2, drag="quadratic", **options)]
    pairs = [(a, b) for a, b in zip(still, moved, strict=True) if a is not None and b is not None]
    assert len(pairs) >= 4
    assert all(a < b for a, b in pairs)


def test_a_scene_that_goes_wrong_has_no_label() -> None:
    """A body that starts deep in the floor."""
    sunk = Thing(name="object", object="red_apple", shape="sphere", size=(0.037,) * 3, mass=0.18, pos=(0, 0, 0.01))
    spec = free(sunk, "object_drop")
    (truth,) = measure.label([spec], simulate.simulate([spec], backend="c"), ReactHumanConfig().catalogue)
    assert truth.status != 0
    assert truth.correct_action is None
    assert truth.track is None
