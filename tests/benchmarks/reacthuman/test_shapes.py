"""Composed shapes: within their colliders, the same for twins, and rigid."""

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman import shapes, shapes_furniture
from jaxphys_benchmarks.reacthuman.blocks import apart
from jaxphys_benchmarks.reacthuman.catalogue import current
from jaxphys_benchmarks.reacthuman.families import parts
from jaxphys_benchmarks.reacthuman.objects import Object
from jaxphys_benchmarks.reacthuman.scene import Thing
from jaxphys_benchmarks.reacthuman.shapes_parts import Component, corner, joined, product, towards, turned
from jaxphys_benchmarks.stage import TAPER

ROWS = [(row, family) for row in current().rows for family in row.families[:1]]
IDS = [f"{row.name} {family}" for row, family in ROWS]
AXES = np.concatenate([np.eye(3), -np.eye(3)])
SLACK = 0.02
"""Of the half extent of a collider, by which a shape may stand out, and 1 mm."""


def body(row: Object) -> Thing:
    return parts.body(row, np.array([0.0, 0.0, 1.0]))


def reach(part: Component, direction: np.ndarray) -> float:
    """How far a component extends in a unit direction of its body (m)."""
    w, x, y, z = part.quat
    local = turned(np.array([w, -x, -y, -z]), direction)
    a, b, c = part.half
    ellipse = float(np.hypot(a * local[0], b * local[1]))
    lengths = {
        "sphere": a,
        "box": float(np.abs(local) @ part.half),
        "cylinder": ellipse + c * abs(local[2]),
        "tube": ellipse + c * abs(local[2]),
        "capsule": a + (c - a) * abs(local[2]),
        "ellipsoid": float(np.linalg.norm(local * part.half)),
        "taper": max(ellipse - c * local[2], TAPER * ellipse + c * local[2]),
        "wedge": a * abs(local[0]) + max(-b * local[1] - c * local[2], b * local[1] - c * local[2],
                                         c * local[2] - b * local[1]),
    }  # fmt: skip
    return float(np.array(part.pos) @ direction + lengths[part.form])


@pytest.mark.parametrize(("row", "family"), ROWS, ids=IDS)
def test_a_shape_lies_within_its_collider(row: Object, family: str) -> None:
    thing = body(row)
    hardware = shapes_furniture.HARDWARE if family == "door_swing" else 0.0
    half = np.array(shapes.extents(thing))
    directions = AXES
    if thing.shape == "sphere":
        angles = np.random.default_rng(0).normal(size=(200, 3))
        directions = angles / np.linalg.norm(angles, axis=1, keepdims=True)
    for direction in directions:
        limit = half[0] if thing.shape == "sphere" else float(np.abs(direction) @ half)
        extra = hardware * abs(direction[1])
        for part in shapes.components(thing, family):
            out = reach(part, direction) - limit
            assert out <= SLACK * limit + 1e-3 + extra, (part.name, part.form, direction, out)


@pytest.mark.parametrize(("row", "family"), ROWS, ids=IDS)
def test_a_shape_is_as_large_as_its_collider(row: Object, family: str) -> None:
    """In length, width and height, to a third: what is hit is about what is seen."""
    thing = body(row)
    drawn = shapes.components(thing, family)
    for axis, half in zip(np.eye(3), shapes.extents(thing), strict=True):
        span = max(reach(part, axis) for part in drawn) + max(reach(part, -axis) for part in drawn)
        assert span / (2 * half) > 0.67, (axis, span, half)


@pytest.mark.parametrize(("row", "family"), ROWS, ids=IDS)
def test_components_have_names_and_colours_of_their_own(row: Object, family: str) -> None:
    drawn = shapes.components(body(row), family)
    assert len({part.name for part in drawn}) == len(drawn)
    assert drawn[0].name == ""
    assert any(part.casts for part in drawn)
    for part in drawn:
        assert np.linalg.norm(part.quat) == pytest.approx(1, abs=1e-6)
        assert min(part.half) > 0
        assert len(part.look.colour) == 7
        int(part.look.colour[1:], 16)


def test_every_row_has_a_shape_of_several_parts() -> None:
    plain = {row.name for row, family in ROWS if len(shapes.components(body(row), family)) < 2}
    assert not plain


def test_an_adversarial_object_has_the_shape_of_its_honest_twin() -> None:
    seen = 0
    for row in current().rows:
        for family in row.families if row.twin else ():
            like = current().twin(row, family)
            assert like is not None
            fake = body(row)
            honest = fake.model_copy(update={"object": like.name})
            home = family if family in like.families else like.families[0]
            assert shapes.components(fake, family) == shapes.components(honest, home)
            seen += 1
    assert seen >= 14


def test_components_move_rigidly_with_their_body() -> None:
    thing = body(current().get("coffee_mug", "object_drop"))
    rng = np.random.default_rng(1)
    quat = rng.normal(size=(3, 4))
    quat /= np.linalg.norm(quat, axis=1, keepdims=True)
    pos = rng.normal(size=(3, 3))
    drawn = list(apart(shapes.body(thing, "object_drop", pos, quat)))
    own = shapes.components(thing, "object_drop")
    assert [solid.of for solid, *_ in drawn] == ["object"] * len(own)
    for (solid, look, places, turns), part in zip(drawn, own, strict=True):
        assert (solid.form, solid.half, look) == (part.form, part.half, part.look)
        for k in range(3):
            # A point of the component goes the same way by its own pose and by that of the body.
            point = np.array([0.3, -0.2, 0.7])
            there = np.array(part.pos) + turned(np.array(part.quat), point)
            np.testing.assert_allclose(places[k] + turned(turns[k], point), pos[k] + turned(quat[k], there), atol=1e-12)


@pytest.mark.parametrize(
    ("shape", "size", "form", "half"),
    [
        ("sphere", (0.1, 0.1, 0.1), "sphere", (0.1, 0.1, 0.1)),
        ("prism", (0.1, 0.1, 0.3), "cylinder", (0.1, 0.1, 0.3)),
        ("capsule", (0.1, 0.1, 0.3), "capsule", (0.1, 0.1, 0.4)),
        ("box", (0.1, 0.2, 0.3), "box", (0.1, 0.2, 0.3)),
    ],
)
def test_what_the_catalogue_does_not_know_is_drawn_as_its_collider(
    shape: str, size: tuple[float, float, float], form: str, half: tuple[float, float, float]
) -> None:
    thing = Thing(name="object", object="own_thing", shape=shape, size=size, mass=1.0)  # type: ignore[arg-type]
    (only,) = shapes.components(thing, "object_drop")
    assert only.form == form
    assert only.half == pytest.approx(half)


def test_an_own_object_of_a_known_name_but_another_collider_is_drawn_as_that() -> None:
    cube = Thing(name="object", object="red_apple", shape="box", size=(0.1, 0.1, 0.1), mass=1.0)
    (only,) = shapes.components(cube, "object_drop")
    assert only.form == "box"


def test_what_strikes_others_is_no_object() -> None:
    trigger = Thing(name="trigger", shape="box", size=(0.075, 0.05, 0.04), mass=1.0)
    drawn = shapes.components(trigger, "chain_reaction")
    assert len(drawn) > 3
    for axis, half in zip(AXES, (0.075, 0.05, 0.04) * 2, strict=True):
        assert max(reach(part, axis) for part in drawn) == pytest.approx(half, rel=0.03)


def test_turns_do_what_they_say() -> None:
    for u in AXES:
        np.testing.assert_allclose(turned(np.array(towards(u)), np.array([0.0, 0.0, 1.0])), u, atol=1e-9)
        for v in AXES:
            if u @ v == 0:
                quat = np.array(corner(tuple(u), tuple(v)))
                np.testing.assert_allclose(turned(quat, np.array([0.0, 1.0, 0.0])), u, atol=1e-9)
                np.testing.assert_allclose(turned(quat, np.array([0.0, 0.0, 1.0])), v, atol=1e-9)
    a, b = (0.6, 0.0, 0.8, 0.0), (0.8, 0.6, 0.0, 0.0)
    point = np.array([0.1, 0.2, 0.3])
    both = turned(np.array(joined(a, b)), point)
    np.testing.assert_allclose(both, turned(np.array(a), turned(np.array(b), point)), atol=1e-12)
    np.testing.assert_allclose(product(np.array(a), np.array(b)), joined(a, b), atol=1e-12)
