"""How bodies are drawn: composed shapes within the extents of their colliders, by catalogue row.

An adversarial object has the shape of its honest twin, so that no picture tells them apart; what the catalogue does not
know, own objects included, is drawn as its collider, a prism as a cylinder. Components move rigidly with their body.
"""

from collections.abc import Callable, Iterator

import numpy as np

from jaxphys_benchmarks.reacthuman import looks
from jaxphys_benchmarks.reacthuman import shapes_balls as balls
from jaxphys_benchmarks.reacthuman import shapes_furniture as furniture
from jaxphys_benchmarks.reacthuman import shapes_garden as garden
from jaxphys_benchmarks.reacthuman import shapes_goods as goods
from jaxphys_benchmarks.reacthuman import shapes_hung as hung
from jaxphys_benchmarks.reacthuman import shapes_kitchen as kitchen
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue
from jaxphys_benchmarks.reacthuman.scene import Thing, Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import Component, Shape, product, turned
from jaxphys_benchmarks.stage import Form, Look, Solid

Piece = tuple[Solid, Look, np.ndarray, np.ndarray]
"""A solid, its look, and where it is: (f or 1, 3) m, (f or 1, 4)."""

FORMS: dict[str, Form] = {"sphere": "sphere", "box": "box", "prism": "cylinder", "capsule": "capsule"}
"""Of colliders."""

SHAPES: dict[str, Callable[[Shape, Vector], None]] = {
    "ceramic_plate": kitchen.plate, "coffee_mug": kitchen.mug, "plastic_bottle": kitchen.bottle,
    "spice_bottle": kitchen.spice, "tin_can": kitchen.can, "metal_canister": kitchen.canister,
    "cast_iron_pan": kitchen.pan, "chef_knife": kitchen.knife, "hot_iron": kitchen.iron,
    "red_apple": garden.apple, "ripe_banana": garden.banana, "small_plant": garden.plant,
    "hanging_plant": garden.hanging_plant, "ceramic_vase": garden.vase, "decorative_vase": garden.vase,
    "rubber_ball": balls.striped, "tennis_ball": balls.tennis, "softball": balls.baseball, "baseball": balls.baseball,
    "cricket_ball": balls.cricket, "billiard_ball": balls.billiard, "bowling_ball": balls.bowling,
    "football": balls.football, "steel_ball": balls.steel, "iron_bob": balls.bob,
    "picture_frame": hung.frame, "wall_clock": hung.clock, "wall_mirror": hung.mirror, "pendant_lamp": hung.lamp,
    "chandelier": hung.chandelier, "ceiling_fan": hung.fan, "ceiling_panel": hung.panel,
    "wooden_bookshelf": furniture.bookshelf, "metal_filing_cabinet": furniture.cabinet,
    "floor_lamp": furniture.floor_lamp, "wooden_ladder": furniture.wooden_ladder,
    "aluminum": furniture.metal_ladder, "steel_industrial": furniture.metal_ladder,
    "hollow_plastic": furniture.metal_ladder, "heavy_timber": furniture.wooden_ladder,
    "heavy_oak": furniture.wooden_ladder, "wooden_step": furniture.step_ladder,
    "wooden": furniture.door, "glass": furniture.glass_door, "steel": furniture.steel_door,
    "paperback_book": goods.book, "hardcover_book": goods.book, "glass_shard": goods.shard,
    "baseball_bat": goods.bat, "foam_anvil": goods.anvil, "wooden_crate": goods.crate, "heavy_toolbox": goods.toolbox,
    "throwing_knife": goods.throwing_knife, "sandbag": goods.sandbag, "wooden_block": goods.block,
    "foam_cube": goods.concrete,
}  # fmt: skip
"""By the name of the row that a body looks like."""


def components(thing: Thing, family: str, rows: Catalogue | None = None) -> tuple[Component, ...]:
    """What a body is drawn as, in its own axes.

    Args:
        thing: the body. family: of the scene. rows: the catalogue; None: the current one.
    """
    look = looks.of_thing(thing, family, rows)
    shape = Shape(look.colour, look.finish)
    like = looks.seen_as(thing.object, family, rows) if thing.object else None
    draw = SHAPES.get(like.name) if like is not None else goods.pusher if not thing.object else None
    if draw is None or (like is not None and like.collider != thing.shape):
        shape.add(FORMS[thing.shape], extents(thing))
    else:
        draw(shape, extents(thing))
    return tuple(shape.components)


def extents(thing: Thing) -> Vector:
    """Half extents along the body's own axes (m)."""
    x, y, z = thing.size
    return (x, y, z + x) if thing.shape == "capsule" else (x, y, z)


def pieces(
    thing: Thing, family: str, pos: np.ndarray, quat: np.ndarray, rows: Catalogue | None = None
) -> Iterator[Piece]:
    """The solids of a body and where they are.

    Args:
        thing: the body. family: of the scene.
        pos: (f, 3) centres of the body (m). quat: (f, 4) its orientations.
        rows: the catalogue; None: the current one.
    """
    parts = components(thing, family, rows)
    places, turns = (np.array([getattr(part, name) for part in parts]) for name in ("pos", "quat"))
    # All components at once: (f, p, 3) and (f, p, 4).
    moved = pos[:, None] + turned(quat[:, None], places)
    directed = product(quat[:, None], turns)
    for k, part in enumerate(parts):
        name = f"{thing.name} {part.name}".rstrip()
        yield Solid(name, part.form, part.half, part.casts, of=thing.name), part.look, moved[:, k], directed[:, k]
