"""How bodies are drawn: composed shapes within the extents of their colliders, by catalogue row.

An adversarial object has the shape of its honest twin, so that no picture tells them apart; what the catalogue does not
know, own objects included, is drawn as its collider, a prism as a cylinder. Components move rigidly with their body.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from jaxphys_benchmarks.reacthuman import looks
from jaxphys_benchmarks.reacthuman import shapes_balls as balls
from jaxphys_benchmarks.reacthuman import shapes_furniture as furniture
from jaxphys_benchmarks.reacthuman import shapes_garden as garden
from jaxphys_benchmarks.reacthuman import shapes_goods as goods
from jaxphys_benchmarks.reacthuman import shapes_hung as hung
from jaxphys_benchmarks.reacthuman import shapes_kitchen as kitchen
from jaxphys_benchmarks.reacthuman.blocks import Block, Solids
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue
from jaxphys_benchmarks.reacthuman.scene import Thing, Vector
from jaxphys_benchmarks.reacthuman.shapes_parts import Component, Shape, product, turned
from jaxphys_benchmarks.stage import Form, Look, Solid

KEPT = 1024
"""Bodies whose components are remembered: scenes of a group have the same."""

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


class Parts(NamedTuple):
    """The p components of a body, as solids too, and their places and orientations side by side: (p, 3) m, (p, 4)."""

    components: tuple[Component, ...]
    of: Solids
    pos: np.ndarray
    quat: np.ndarray


def components(thing: Thing, family: str, rows: Catalogue | None = None) -> tuple[Component, ...]:
    """What a body is drawn as, in its own axes.

    Args:
        thing: the body. family: of the scene. rows: the catalogue; None: the current one.
    """
    return _parts_of(thing, family, rows).components


def _parts_of(thing: Thing, family: str, rows: Catalogue | None) -> Parts:
    like = looks.seen_as(thing.object, family, rows) if thing.object else None
    draw = SHAPES.get(like.name) if like is not None else goods.pusher if not thing.object else None
    if like is not None and like.collider != thing.shape:
        draw = None
    return _parts(thing.name, draw, FORMS[thing.shape], extents(thing), looks.of_row(like, thing.object))


@lru_cache(maxsize=KEPT)
def _parts(body: str, draw: Callable[[Shape, Vector], None] | None, form: Form, half: Vector, look: Look) -> Parts:
    shape = Shape(look.colour, look.finish)
    if draw is None:
        shape.add(form, half)
    else:
        draw(shape, half)
    places, turns = (np.array([getattr(part, name) for part in shape.components]) for name in ("pos", "quat"))
    for array in (places, turns):
        array.setflags(write=False)
    solids = tuple(
        Solid(f"{body} {part.name}".rstrip(), part.form, part.half, part.casts, of=body) for part in shape.components
    )
    return Parts(tuple(shape.components), Solids(solids, tuple(part.look for part in shape.components)), places, turns)


def extents(thing: Thing) -> Vector:
    """Half extents along the body's own axes (m)."""
    x, y, z = thing.size
    return (x, y, z + x) if thing.shape == "capsule" else (x, y, z)


def body(thing: Thing, family: str, pos: np.ndarray, quat: np.ndarray, rows: Catalogue | None = None) -> Block:
    """The solids of a body and where they are.

    Args:
        thing: the body. family: of the scene.
        pos: (f, 3) centres of the body (m). quat: (f, 4) its orientations.
        rows: the catalogue; None: the current one.
    """
    own = _parts_of(thing, family, rows)
    # All components at once: (f, p, 3) and (f, p, 4).
    return Block(own.of, pos[:, None] + turned(quat[:, None], own.pos), product(quat[:, None], own.quat))
