"""Fixtures and appliances of kitchens, laundries and bathrooms. A row of the tables is one thing."""

from itertools import pairwise

import numpy as np

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.things import Heat, Thing, about

WHITE, STEEL, DARK = "#f2f2ee", "#b8bec4", "#2d3138"
STONE = "#5c626b"
WATER, STEAM, FOAM, WARM, GLOW = "#5fb8f0", "#fbfbfb", "#f4fbff", "#f6a23a", "#ff4a1c"
WALL = 0.03
FACING = about((1.0, 0.0, 0.0), 0.5 * np.pi)
"""Turn of z to the front."""


def cupboard(
    category: str, half: tuple[float, float, float], colour: str, door: str, levels: tuple[float, ...], *,
    lined: str = "#ffffff", plate: str = "", span: float = 1.9, base: float = 0.0,
) -> Thing:  # fmt: skip
    """Shelves behind a door that hinges on the right, with a handle on its left.

    Args:
        category: of it. half: of the body. colour, door, lined: of the body, the door and the inside.
        levels: heights of its shelves above the floor. plate: colour of a name plate on the door.
        span: how far the door opens (rad). base: height that it hangs or stands above the floor.
    """
    forge = Forge(category)
    a, b, c = half
    middle = base + c
    forge.cavity((a, b, c), (0.0, 0.0, middle), WALL, colour, inner=lined, front=True)
    forge.fills.clear()
    forge.surfaces.clear()
    for z in levels:
        forge.box((a - WALL, b - WALL / 2, 0.01), (0.0, WALL / 2, z), lined if lined != "#ffffff" else "#d5e4ec")
    bottoms = (base + WALL, *(z + 0.01 for z in levels))
    for low, high in pairwise((*bottoms, base + 2 * c - WALL + 0.01)):
        forge.fill((a - WALL, b, (high - low - 0.01) / 2), (0.0, 0.0, (low + high - 0.01) / 2))
        forge.top(a - WALL - 0.03, b - WALL, (0.0, 0.0, low))
    # Hands reach the upper shelves best, and eyes see them.
    forge.fills.reverse()
    forge.surfaces.reverse()
    grab = (-a + 0.08, -b - 0.09, base + min(1.25 * c, 1.1))
    forge.hinge("door", (a, -b, middle), (0.0, 0.0, 1.0), span, grab)
    forge.draw("box", (a, 0.02, c), (0.0, -b - 0.02, middle), door, link="door")
    forge.bound((a, 0.02, c), (0.0, -b - 0.02, middle), link="door")
    forge.draw("capsule", (0.014, 0.014, min(0.25, 0.5 * c)), grab, DARK, link="door", finish="metal")
    if plate:
        forge.draw("box", (0.09, 0.004, 0.035), (0.0, -b - 0.043, base + 1.75 * c), plate, link="door")
    forge.top(a - 0.05, b - 0.05, (0.0, 0.0, base + 2 * c))
    return forge.made(60.0, fixed=True)


def worktop(category: str, length: float, top: str, front: str) -> Thing:
    """A worktop on closed cupboards."""
    forge = Forge(category)
    forge.box((length, 0.32, 0.02), (0.0, 0.0, 0.88), top)
    forge.bound((length, 0.3, 0.43), (0.0, 0.02, 0.43))
    forge.draw("box", (length, 0.29, 0.41), (0.0, 0.03, 0.45), WHITE)
    forge.draw("box", (length - 0.02, 0.27, 0.04), (0.0, 0.04, 0.04), DARK)
    for x in (-length / 2, length / 2):
        forge.draw("box", (length / 2 - 0.015, 0.008, 0.36), (x, -0.265, 0.47), front)
        forge.draw("box", (0.06, 0.01, 0.008), (x, -0.28, 0.78), STEEL, finish="metal")
    forge.top(length - 0.04, 0.28, (0.0, 0.0, 0.9))
    return forge.made(fixed=True)


def burner() -> Thing:
    """A cooker with one hot plate and a knob in front."""
    forge = Forge("burner")
    forge.box((0.35, 0.32, 0.45), (0.0, 0.0, 0.45), "#e4e4e0")
    forge.draw("box", (0.34, 0.3, 0.004), (0.0, 0.0, 0.9), DARK)
    forge.draw("cylinder", (0.15, 0.15, 0.006), (0.0, -0.04, 0.902), "#5a6069", lit=GLOW)
    forge.draw("box", (0.29, 0.008, 0.27), (0.0, -0.325, 0.4), DARK)
    forge.draw("box", (0.24, 0.02, 0.012), (0.0, -0.345, 0.7), STEEL, finish="metal")
    forge.button((0.22, -0.33, 0.84))
    forge.top(0.2, 0.2, (0.0, -0.04, 0.9))
    forge.heat = Heat((0.0, -0.04, 1.1), (0.17, 0.17, 0.2))
    return forge.made(fixed=True)


def box_oven(
    category: str, half: tuple[float, float, float], base: float, body: str, glass: str, *, side: bool, heats: bool
) -> Thing:
    """A hollow box behind a window, with a panel and a button on its right: an oven, a microwave, a washer.

    Args:
        category, half: of it. base: height of its bottom. body, glass: colours.
        side: its door hinges on the left; at the bottom otherwise. heats: what is inside while it is on.
    """
    forge = Forge(category)
    a, b, c = half
    panel = 0.07
    middle = base + c
    room = a - panel
    forge.cavity((room, b, c), (-panel, 0.0, middle), 0.02, body, inner="#dfe3e6", front=True)
    forge.box((panel, b, c), (a - panel, 0.0, middle), body)
    if base > 0.3:
        forge.box((a, b, (base - 0.002) / 2), (0.0, 0.0, (base - 0.002) / 2), "#d9d9d4")
    forge.button((a - panel, -b - 0.008, middle - 0.2 * c), needs_closed=True)
    forge.draw("box", (0.045, 0.006, 0.018), (a - panel, -b - 0.003, middle + 0.45 * c), "#9fe0b0")
    if side:
        grab = (-a + 2 * room - 0.05, -b - 0.07, middle)
        forge.hinge("door", (-a, -b, middle), (0.0, 0.0, -1.0), 1.9, grab)
        bar, turn = (0.011, 0.011, 0.55 * c), about((0.0, 0.0, 1.0), 0.0)
    else:
        grab = (-panel, -b - 0.07, middle + 0.72 * c)
        forge.hinge("door", (0.0, -b, base), (1.0, 0.0, 0.0), 1.5, grab)
        bar, turn = (0.011, 0.011, 0.6 * room), about((0.0, 1.0, 0.0), 0.5 * np.pi)
    forge.draw("box", (room, 0.015, c), (-panel, -b - 0.015, middle), body, link="door")
    forge.bound((room, 0.015, c), (-panel, -b - 0.015, middle), link="door")
    if category == "washer":
        ring = 0.75 * min(room, c)
        forge.draw("cylinder", (ring, ring, 0.01), (-panel, -b - 0.03, middle), STEEL, turn=FACING, link="door")
        forge.draw(
            "cylinder",
            (0.8 * ring, 0.8 * ring, 0.012),
            (-panel, -b - 0.031, middle),
            glass,
            turn=FACING,
            link="door",
            lit=FOAM,
        )
    else:
        forge.draw(
            "box", (0.78 * room, 0.003, 0.55 * c), (-panel, -b - 0.031, middle - 0.1 * c), glass, link="door", lit=WARM
        )
    forge.draw("capsule", bar, grab, DARK, turn=turn, link="door", finish="metal")
    forge.top(a - 0.05, b - 0.04, (0.0, 0.0, base + 2 * c))
    if heats:
        forge.heat = Heat((-panel, 0.0, middle), (room, b, c))
    return forge.made(30.0, fixed=True)


def sink(category: str, half_x: float, top: str, front: str) -> Thing:
    """A worktop with a basin, a tap and a button that turns it on."""
    forge = Forge(category)
    a, b = half_x, 0.32
    in_a, in_b, deep = 0.26, 0.18, 0.16
    y = -0.04
    forge.cavity((in_a, in_b, deep / 2), (0.0, y, 0.9 - deep / 2), 0.012, STEEL)
    forge.box(((a - in_a) / 2, b, 0.02), (-(a + in_a) / 2, 0.0, 0.88), top)
    forge.box(((a - in_a) / 2, b, 0.02), ((a + in_a) / 2, 0.0, 0.88), top)
    back = b - (y + in_b)
    forge.box((in_a, back / 2, 0.02), (0.0, b - back / 2, 0.88), top)
    lead = (y - in_b) + b
    forge.box((in_a, lead / 2, 0.02), (0.0, -b + lead / 2, 0.88), top)
    forge.box((a - 0.01, b - 0.03, 0.36), (0.0, 0.02, 0.37), front)
    for x in (-a / 2, a / 2):
        forge.draw("box", (0.06, 0.01, 0.008), (x, -b + 0.04, 0.66), STEEL, finish="metal")
    forge.draw("cylinder", (0.018, 0.018, 0.13), (0.0, 0.22, 1.03), STEEL, finish="metal")
    forge.draw("capsule", (0.016, 0.016, 0.1), (0.0, 0.13, 1.16), STEEL, turn=FACING, finish="metal")
    forge.draw("cylinder", (0.015, 0.015, 0.02), (0.0, 0.045, 1.13), STEEL, finish="metal")
    forge.draw("cylinder", (0.013, 0.013, 0.17), (0.0, 0.045, 0.93), WATER, flows=True)
    forge.draw("cylinder", (0.12, 0.12, 0.004), (0.0, y, 0.9 - deep + 0.018), WATER, flows=True)
    forge.button((0.12, 0.2, 0.93), colour="#2f6fd0")
    forge.top((a - in_a) / 2 - 0.02, b - 0.06, ((a + in_a) / 2, 0.0, 0.9))
    forge.top((a - in_a) / 2 - 0.02, b - 0.06, (-(a + in_a) / 2, 0.0, 0.9))
    return forge.made(fixed=True)


def coffee_maker() -> Thing:
    """A tower with a hood over a hot plate and a button on its foot."""
    forge = Forge("coffee_maker")
    forge.box((0.1, 0.13, 0.015), (0.0, 0.0, 0.015), DARK)
    forge.box((0.1, 0.04, 0.14), (0.0, 0.09, 0.17), "#b5342b")
    forge.box((0.1, 0.12, 0.035), (0.0, 0.01, 0.335), DARK)
    forge.draw("cylinder", (0.065, 0.065, 0.003), (0.0, -0.03, 0.032), STEEL)
    forge.draw("cylinder", (0.02, 0.02, 0.02), (0.0, -0.03, 0.29), STEEL)
    forge.draw("cylinder", (0.008, 0.008, 0.12), (0.0, -0.03, 0.155), "#4b2a14", flows=True)
    forge.button((0.06, -0.11, 0.335))
    forge.fill((0.09, 0.09, 0.13), (0.0, -0.04, 0.16))
    forge.top(0.075, 0.07, (0.0, -0.04, 0.03))
    # Whatever is taken out of it must not drag it along.
    return forge.made(2.0, fixed=True)


def kettle() -> Thing:
    """A round body with a spout, a handle and a button."""
    forge = Forge("electric_kettle")
    forge.draw("cylinder", (0.095, 0.095, 0.012), (0.0, 0.0, 0.012), DARK)
    forge.draw("taper", (0.09, 0.09, 0.1), (0.0, 0.0, 0.12), "#c9d2da", finish="metal")
    forge.draw("cylinder", (0.05, 0.05, 0.012), (0.0, 0.0, 0.225), DARK)
    forge.draw("capsule", (0.016, 0.016, 0.05), (-0.085, 0.0, 0.17), "#c9d2da", turn=about((0, 1, 0), -0.6))
    forge.draw("box", (0.012, 0.014, 0.075), (0.12, 0.0, 0.13), DARK)
    for z in (0.065, 0.195):
        forge.draw("box", (0.03, 0.012, 0.01), (0.09, 0.0, z), DARK)
    forge.bound((0.075, 0.075, 0.115), (0.0, 0.0, 0.115))
    forge.bound((0.03, 0.014, 0.075), (0.105, 0.0, 0.13))
    for x, z, size in ((-0.12, 0.27, 0.025), (-0.14, 0.32, 0.032), (-0.13, 0.38, 0.04)):
        forge.draw("sphere", (size, size, size), (x, 0.0, z), STEAM, flows=True)
    forge.button((0.0, -0.095, 0.025))
    forge.fill((0.07, 0.07, 0.115), (0.0, 0.0, 0.125))
    forge.grip((0.0, 0.0, 0.237))
    return forge.made(1.0)


KITCHEN: tuple[Thing, ...] = (
    cupboard("fridge", (0.38, 0.33, 0.85), "#e9edf0", "#dfe6ea", (0.5, 1.0), plate="#3d6fb4"),
    cupboard("cabinet", (0.4, 0.24, 0.6), "#b5824c", "#c99559", (0.42, 0.8), lined="#efdcbc"),
    cupboard("pantry", (0.42, 0.27, 0.85), "#8fa88f", "#a3bba3", (0.55, 1.0), lined="#f2efe2"),
    cupboard("freezer", (0.36, 0.32, 0.55), "#dce8f2", "#c7dcec", (0.6,), plate="#2f8fd0", lined="#f4faff"),
    cupboard("medicine_cabinet", (0.36, 0.16, 0.36), "#f4f4f0", "#d3e6ee", (0.42,), lined="#fdfdfb"),
    worktop("countertop", 0.6, STONE, "#dfe3df"),
    worktop("kitchen_island", 0.8, "#d9c7a3", "#7f97a8"),
    worktop("workbench", 0.7, "#b98a4e", "#6f7780"),
    worktop("bathroom_counter", 0.5, "#e3ddd0", "#9db7b0"),
    burner(),
    box_oven("oven", (0.38, 0.31, 0.25), 0.62, "#d5d9dc", "#3a3f47", side=False, heats=True),
    box_oven("microwave", (0.32, 0.21, 0.17), 0.0, "#e8eaec", "#3f4a57", side=True, heats=True),
    box_oven("washer", (0.36, 0.32, 0.27), 0.34, "#f2f4f6", "#8fc1e0", side=True, heats=False),
    box_oven("dishwasher", (0.34, 0.31, 0.26), 0.32, "#c9d0d5", "#aeb7bf", side=False, heats=False),
    sink("sink", 0.5, STONE, "#dfe3df"),
    sink("bathroom_sink", 0.45, "#f4f1ea", "#9db7b0"),
    coffee_maker(),
    kettle(),
)
