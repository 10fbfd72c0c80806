"""The fixtures of a kitchen."""

from itertools import pairwise

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.things import Heat, Thing

WHITE, STEEL, DARK = "#f2f2ee", "#b8bec4", "#2d3138"
OAK, WALNUT, PINE = "#c89b62", "#7a4f2e", "#dcb77e"
STONE = "#5c626b"
WALL = 0.03


def fridge() -> Thing:
    """Two compartments behind one door hinged on the right; the lower one is a freezer's drawer of air."""
    forge = Forge("fridge")
    a, b, c = 0.38, 0.33, 0.85
    forge.cavity((a, b, c), (0.0, 0.0, c), WALL, "#e9edf0", inner="#ffffff", front=True)
    forge.fills.clear()
    forge.surfaces.clear()
    levels = (0.55, 1.0)
    for z in levels:
        forge.box((a - WALL, b - WALL, 0.01), (0.0, 0.0, z), "#cfe8f5")
    edges = (WALL, *levels, 2 * c - WALL)
    for low, high in pairwise(edges):
        forge.fill((a - WALL, b - WALL / 2, (high - low) / 2), (0.0, 0.0, (low + high) / 2))
    for z in (levels[1] + 0.01, levels[0] + 0.01, WALL):
        forge.top(a - WALL - 0.03, b - WALL - 0.03, (0.0, 0.0, z))
    forge.fills.reverse()
    forge.hinge("door", (a, -b, c), (0.0, 0.0, 1.0), 1.9, (-a + 0.08, -b - 0.09, 1.05))
    forge.draw("box", (a, 0.025, c), (0.0, -b - 0.025, c), "#dfe6ea", link="door")
    forge.bound((a, 0.025, c), (0.0, -b - 0.025, c), link="door")
    forge.draw("capsule", (0.015, 0.015, 0.25), (-a + 0.08, -b - 0.09, 1.05), DARK, link="door", finish="metal")
    forge.draw("box", (0.08, 0.004, 0.03), (0.0, -b - 0.054, 1.5), "#3d6fb4", link="door")
    forge.top(a - 0.05, b - 0.05, (0.0, 0.0, 2 * c))
    return forge.made(60.0, fixed=True)


def countertop() -> Thing:
    """A worktop on closed cupboards."""
    forge = Forge("countertop")
    forge.box((0.6, 0.32, 0.02), (0.0, 0.0, 0.88), STONE)
    forge.bound((0.6, 0.3, 0.43), (0.0, 0.02, 0.43))
    forge.draw("box", (0.6, 0.29, 0.41), (0.0, 0.03, 0.45), WHITE)
    forge.draw("box", (0.58, 0.27, 0.04), (0.0, 0.04, 0.04), DARK)
    for x in (-0.3, 0.3):
        forge.draw("box", (0.285, 0.008, 0.36), (x, -0.265, 0.47), "#dfe3df")
        forge.draw("box", (0.06, 0.01, 0.008), (x, -0.28, 0.78), STEEL, finish="metal")
    forge.top(0.56, 0.28, (0.0, 0.0, 0.9))
    return forge.made(fixed=True)


def table(category: str, half: tuple[float, float], height: float, colour: str) -> Thing:
    """A top on four legs."""
    forge = Forge(category)
    a, b = half
    forge.box((a, b, 0.02), (0.0, 0.0, height - 0.02), colour)
    for x in (-1, 1):
        for y in (-1, 1):
            leg = (0.035, 0.035, height / 2 - 0.02)
            forge.box(leg, (x * (a - 0.06), y * (b - 0.06), leg[2]), WALNUT)
    forge.top(a - 0.04, b - 0.04, (0.0, 0.0, height))
    return forge.made(fixed=True)


def burner() -> Thing:
    """A cooker with one hot plate and a knob in front."""
    forge = Forge("burner")
    forge.box((0.35, 0.32, 0.45), (0.0, 0.0, 0.45), "#e4e4e0")
    forge.draw("box", (0.34, 0.3, 0.004), (0.0, 0.0, 0.9), DARK)
    forge.draw("cylinder", (0.14, 0.14, 0.006), (0.0, -0.02, 0.902), "#4a4f57")
    forge.draw("box", (0.29, 0.008, 0.27), (0.0, -0.325, 0.4), DARK)
    forge.draw("box", (0.24, 0.02, 0.012), (0.0, -0.345, 0.7), STEEL, finish="metal")
    forge.button((0.2, -0.34, 0.83))
    forge.top(0.12, 0.12, (0.0, -0.02, 0.9))
    forge.heat = Heat((0.0, -0.02, 1.1), (0.16, 0.16, 0.2))
    return forge.made(fixed=True)


FIXTURES: tuple[Thing, ...] = (
    fridge(),
    countertop(),
    table("breakfast_table", (0.7, 0.4), 0.75, OAK),
    burner(),
)
