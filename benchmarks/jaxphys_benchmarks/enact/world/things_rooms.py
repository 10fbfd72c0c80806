"""Furniture of living rooms, offices and garages, and what stands before a house. A row of the table is one thing."""

import numpy as np

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.things import Thing, about

DARK, STEEL = "#2d3138", "#b8bec4"
OAK, WALNUT, PINE = "#c89b62", "#7a4f2e", "#dcb77e"
TYRE = about((0.0, 1.0, 0.0), 0.5 * np.pi)


def table(category: str, half: tuple[float, float], height: float, colour: str, legs: str = WALNUT) -> Thing:
    """A top on four legs."""
    forge = Forge(category)
    a, b = half
    forge.box((a, b, 0.02), (0.0, 0.0, height - 0.02), colour)
    for x in (-1, 1):
        for y in (-1, 1):
            leg = (0.03, 0.03, height / 2 - 0.02)
            forge.box(leg, (x * (a - 0.06), y * (b - 0.06), leg[2]), legs)
    forge.top(a - 0.04, b - 0.04, (0.0, 0.0, height))
    return forge.made(fixed=True)


def desk() -> Thing:
    """A table with a drawer at its right."""
    forge = Forge("desk")
    a, b, height = 0.7, 0.36, 0.75
    forge.box((a, b, 0.02), (0.0, 0.0, height - 0.02), OAK)
    for x in (-a + 0.03, a - 0.03):
        forge.box((0.03, b - 0.02, height / 2 - 0.02), (x, 0.0, height / 2 - 0.02), WALNUT)
    wide, tall, z = 0.22, 0.07, 0.63
    x, y = a - 0.06 - wide - 0.01, -0.02
    forge.slide("drawer", (0.0, -1.0, 0.0), 0.4, (x, -b - 0.03, z))
    thin = 0.008
    forge.box((wide, b - 0.06, thin), (x, y, z - tall + thin), PINE, link="drawer")
    for side in (-1, 1):
        forge.box((thin, b - 0.06, tall), (x + side * wide, y, z), PINE, link="drawer")
    forge.box((wide, thin, tall), (x, y + b - 0.06, z), PINE, link="drawer")
    forge.box((wide + 0.01, 0.012, tall), (x, -b + 0.02, z), WALNUT, link="drawer")
    forge.draw("capsule", (0.012, 0.012, 0.08), (x, -b - 0.03, z), STEEL, turn=TYRE, link="drawer", finish="metal")
    forge.fill((wide, b - 0.06, tall), (x, y, z), link="drawer")
    forge.top(wide - 0.03, b - 0.1, (x, y, z - tall + 2 * thin), link="drawer")
    forge.surfaces.insert(0, forge.surfaces.pop())
    forge.top(a - 0.04, b - 0.04, (0.0, 0.0, height))
    return forge.made(fixed=True)


def bookcase(category: str, half: tuple[float, float, float], levels: tuple[float, ...], colour: str) -> Thing:
    """Open shelves."""
    forge = Forge(category)
    a, b, c = half
    thick = 0.02
    for side in (-1, 1):
        forge.box((thick / 2, b, c), (side * (a - thick / 2), 0.0, c), colour)
    forge.box((a - thick, thick / 2, c), (0.0, b - thick / 2, c), "#e6cfa6")
    for z in (*levels, 2 * c - thick / 2):
        forge.box((a - thick, b - thick / 2, thick / 2), (0.0, -thick / 2, z), colour)
    for low, high in reversed(list(zip(levels, (*levels[1:], 2 * c - thick / 2), strict=True))):
        bottom, top = low + thick / 2, high - thick / 2
        forge.fill((a - thick, b, (top - bottom) / 2), (0.0, 0.0, (bottom + top) / 2))
        forge.top(a - 0.05, b - 0.03, (0.0, -thick / 2, bottom))
    forge.top(a - 0.04, b - 0.03, (0.0, 0.0, 2 * c))
    return forge.made(fixed=True)


def chair(category: str, colour: str) -> Thing:
    """A seat with a back."""
    forge = Forge(category)
    forge.box((0.21, 0.21, 0.02), (0.0, 0.0, 0.44), colour)
    forge.box((0.21, 0.018, 0.24), (0.0, 0.2, 0.7), colour)
    for x in (-0.18, 0.18):
        for y in (-0.18, 0.18):
            forge.box((0.02, 0.02, 0.21), (x, y, 0.21), WALNUT)
    forge.top(0.18, 0.16, (0.0, -0.02, 0.46))
    return forge.made(fixed=True)


def sofa(category: str, colour: str, dark: str) -> Thing:
    """A seat for three with arms."""
    forge = Forge(category)
    forge.box((0.9, 0.4, 0.2), (0.0, 0.0, 0.22), dark)
    for x in (-0.52, 0.0, 0.52):
        forge.draw("box", (0.25, 0.3, 0.03), (x, -0.09, 0.44), colour)
    forge.bound((0.78, 0.3, 0.025), (0.0, -0.09, 0.445))
    forge.box((0.9, 0.1, 0.25), (0.0, 0.3, 0.65), colour)
    for x in (-0.84, 0.84):
        forge.box((0.08, 0.4, 0.1), (x, 0.0, 0.52), colour)
    forge.top(0.7, 0.26, (0.0, -0.1, 0.47))
    return forge.made(fixed=True)


def bed(category: str) -> Thing:
    """A mattress with a pillow."""
    forge = Forge(category)
    forge.box((0.7, 0.95, 0.12), (0.0, 0.0, 0.2), WALNUT)
    forge.box((0.68, 0.92, 0.08), (0.0, 0.0, 0.4), "#e9eef2")
    forge.draw("box", (0.69, 0.6, 0.02), (0.0, -0.3, 0.475), "#5f86b5")
    forge.draw("ellipsoid", (0.3, 0.18, 0.06), (0.0, 0.65, 0.52), "#ffffff")
    forge.box((0.7, 0.03, 0.45), (0.0, 0.97, 0.45), WALNUT)
    forge.top(0.6, 0.55, (0.0, -0.3, 0.495))
    return forge.made(fixed=True)


def door() -> Thing:
    """A leaf on hinges in a frame, with a handle."""
    forge = Forge("door")
    for x in (-0.48, 0.48):
        forge.box((0.04, 0.07, 1.05), (x, 0.0, 1.05), "#f4f1ea")
    forge.box((0.52, 0.07, 0.04), (0.0, 0.0, 2.1), "#f4f1ea")
    grab = (-0.36, -0.08, 1.02)
    forge.hinge("leaf", (0.44, 0.0, 1.0), (0.0, 0.0, 1.0), 1.5, grab)
    forge.draw("box", (0.44, 0.02, 1.02), (0.0, 0.0, 1.02), "#3f6f8f", link="leaf")
    forge.bound((0.44, 0.02, 1.02), (0.0, 0.0, 1.02), link="leaf")
    for z in (0.55, 1.45):
        forge.draw("box", (0.3, 0.024, 0.32), (0.0, 0.0, z), "#4f86a8", link="leaf")
    forge.draw("capsule", (0.014, 0.014, 0.07), grab, "#d9b23a", turn=TYRE, link="leaf", finish="metal")
    forge.draw("sphere", (0.03, 0.03, 0.03), (-0.38, -0.03, 1.02), "#d9b23a", link="leaf", finish="metal")
    return forge.made(fixed=True)


def car() -> Thing:
    """Its tail with an open-topped boot under a lid, towards the front of the thing; the cabin lies behind that."""
    forge = Forge("car")
    paint, length = "#2f6fb5", 1.5
    wide, tail, low, high = 0.8, -length, 0.45, 0.85
    forge.box((wide, 0.45, (low - 0.2) / 2), (0.0, tail + 0.45, (low + 0.2) / 2), paint)
    deep = (high - low) / 2
    for side in (-1, 1):
        forge.box((0.1, 0.45, deep), (side * (wide - 0.1), tail + 0.45, low + deep), paint)
    forge.box((wide - 0.2, 0.04, deep - 0.03), (0.0, tail + 0.04, low + deep - 0.03), paint)
    forge.box((wide, 1.0, 0.33), (0.0, tail + 1.9, 0.53), paint)
    forge.draw("box", (0.68, 0.75, 0.25), (0.0, tail + 1.75, 1.1), "#9fc4dc")
    forge.draw("box", (0.7, 0.7, 0.03), (0.0, tail + 1.75, 1.36), paint)
    forge.draw("box", (wide - 0.2, 0.4, 0.004), (0.0, tail + 0.48, low + 0.002), "#3a3f47")
    forge.fill((wide - 0.2, 0.42, deep + 0.05), (0.0, tail + 0.48, low + deep + 0.05))
    forge.top(wide - 0.24, 0.36, (0.0, tail + 0.48, low))
    forge.hinge("boot", (0.0, tail + 0.9, high), (-1.0, 0.0, 0.0), 1.35, (0.0, tail - 0.03, high - 0.02))
    forge.draw("box", (wide - 0.08, 0.46, 0.02), (0.0, tail + 0.44, high + 0.02), paint, link="boot")
    forge.bound((wide - 0.08, 0.46, 0.02), (0.0, tail + 0.44, high + 0.02), link="boot")
    forge.draw("box", (0.14, 0.012, 0.03), (0.0, tail - 0.03, high), STEEL, link="boot", finish="metal")
    for side in (-1, 1):
        forge.draw("box", (0.09, 0.012, 0.05), (side * 0.66, tail - 0.006, 0.7), "#e0352b")
        for y in (0.5, 2.4):
            forge.draw("cylinder", (0.28, 0.28, 0.09), (side * 0.76, tail + y, 0.28), DARK, turn=TYRE)
            forge.draw("cylinder", (0.15, 0.15, 0.1), (side * 0.76, tail + y, 0.28), STEEL, turn=TYRE)
    forge.draw("box", (0.2, 0.012, 0.05), (0.0, tail - 0.006, 0.45), "#f4f4f0")
    return forge.made(fixed=True)


def christmas_tree() -> Thing:
    """Three cones on a trunk, with baubles and a star; there is room below it."""
    forge = Forge("christmas_tree")
    forge.box((0.05, 0.05, 0.24), (0.0, 0.0, 0.24), WALNUT)
    for z, wide in ((0.72, 0.5), (1.1, 0.38), (1.42, 0.26)):
        forge.draw("taper", (wide, wide, 0.22), (0.0, 0.0, z), "#2f7a3a")
        forge.bound((0.85 * wide, 0.85 * wide, 0.2), (0.0, 0.0, z), meets=False)
    for k in range(9):
        angle, z = 0.7 * k, 0.6 + 0.1 * k
        reach = 0.46 - 0.028 * k - 0.04
        at = (reach * float(np.cos(angle)), reach * float(np.sin(angle)), z)
        forge.draw("sphere", (0.035, 0.035, 0.035), at, ("#d83a34", "#f2c12e", "#5f8fd0")[k % 3])
    forge.draw("sphere", (0.06, 0.06, 0.06), (0.0, 0.0, 1.68), "#f7d774")
    return forge.made(fixed=True)


def stump(category: str, radius: float, height: float) -> Thing:
    """What wood is chopped on."""
    forge = Forge(category)
    forge.draw("cylinder", (radius, radius, height / 2), (0.0, 0.0, height / 2), "#6b4628")
    forge.draw("cylinder", (0.92 * radius, 0.92 * radius, 0.003), (0.0, 0.0, height), "#d9b27a")
    forge.bound((0.85 * radius, 0.85 * radius, height / 2), (0.0, 0.0, height / 2))
    forge.top(0.75 * radius, 0.75 * radius, (0.0, 0.0, height + 0.002))
    return forge.made(fixed=True)


def television(category: str) -> Thing:
    """A dark screen on a foot."""
    forge = Forge(category)
    forge.box((0.3, 0.02, 0.19), (0.0, 0.0, 0.27), DARK)
    forge.draw("box", (0.28, 0.004, 0.17), (0.0, -0.02, 0.27), "#3f6f9f")
    forge.box((0.1, 0.08, 0.012), (0.0, 0.0, 0.012), DARK)
    forge.box((0.02, 0.02, 0.04), (0.0, 0.0, 0.05), DARK)
    return forge.made(fixed=True)


FURNITURE: tuple[Thing, ...] = (
    table("breakfast_table", (0.6, 0.38), 0.75, OAK),
    table("coffee_table", (0.6, 0.35), 0.5, "#a8703a", "#5a3a22"),
    table("conference_table", (0.8, 0.42), 0.75, "#d9d2c4", "#8f979f"),
    table("console_table", (0.6, 0.22), 0.8, "#6f4a35", "#3a2a1e"),
    table("side_table", (0.3, 0.3), 0.6, PINE),
    table("garden_table", (0.6, 0.35), 0.7, "#7f9a6f", "#5f7a4f"),
    desk(),
    bookcase("bookcase", (0.5, 0.18, 0.75), (0.15, 0.55, 0.95), OAK),
    bookcase("shelf", (0.55, 0.2, 0.6), (0.2, 0.62), "#8f979f"),
    bookcase("wall_rack", (0.5, 0.18, 0.7), (0.35, 0.8), "#a3493a"),
    chair("straight_chair", OAK),
    chair("swivel_chair", "#3f4a57"),
    sofa("sofa", "#8fa3b5", "#6f8496"),
    bed("bed"),
    door(),
    car(),
    christmas_tree(),
    stump("tree_stump", 0.26, 0.45),
    television("monitor"),
    television("television"),
)
