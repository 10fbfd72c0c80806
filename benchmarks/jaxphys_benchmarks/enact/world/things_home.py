"""Books, papers, toys, clothes, decorations, tools and luggage. A row is one thing."""

import numpy as np

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.shapes import ALONG_X, DARK, STEEL, ball, book, carton, tin, tool, tray
from jaxphys_benchmarks.enact.world.things import Edge, Thing, about

RED, BLUE, YELLOW, GREEN, PINK = "#d83a34", "#2f6fd0", "#f2c12e", "#3f9a4a", "#e58fb5"
WICKER = "#b98a4e"


def chest(category: str, half: tuple[float, float, float], colour: str, lid: str, mass: float = 1.5) -> Thing:
    """A box with a hinged lid at its back and a handle on the lid: a tool box, a lunch box, a suitcase."""
    forge = Forge(category)
    a, b, c = half
    forge.cavity((a, b, c), (0.0, 0.0, c), 0.012, colour)
    top = 2 * c
    forge.hinge("lid", (0.0, b, top), (1.0, 0.0, 0.0), 1.9, (0.0, -b - 0.012, top + 0.012))
    forge.draw("box", (a + 0.004, b + 0.004, 0.012), (0.0, 0.0, top + 0.012), lid, link="lid")
    forge.bound((a, b, 0.012), (0.0, 0.0, top + 0.012), link="lid")
    forge.draw("box", (0.4 * a, 0.012, 0.01), (0.0, 0.0, top + 0.045), DARK, link="lid")
    for sign in (-1.0, 1.0):
        forge.draw("box", (0.01, 0.012, 0.018), (sign * 0.36 * a, 0.0, top + 0.03), DARK, link="lid")
    forge.draw("box", (0.03, 0.008, 0.016), (0.0, -b - 0.008, top), STEEL, link="lid", finish="metal")
    forge.grip((0.0, b - 0.006, top))
    return forge.made(mass)


def teddy(category: str, colour: str, belly: str) -> Thing:
    """A bear that sits."""
    forge = Forge(category)
    forge.draw("ellipsoid", (0.06, 0.05, 0.065), (0.0, 0.0, 0.065), colour)
    forge.draw("ellipsoid", (0.035, 0.012, 0.04), (0.0, -0.045, 0.065), belly)
    forge.draw("sphere", (0.048, 0.048, 0.048), (0.0, -0.005, 0.155), colour)
    forge.draw("sphere", (0.02, 0.02, 0.02), (0.0, -0.048, 0.148), belly)
    for sign in (-1.0, 1.0):
        forge.draw("sphere", (0.02, 0.02, 0.02), (sign * 0.042, 0.0, 0.195), colour)
        forge.draw("sphere", (0.007, 0.007, 0.007), (sign * 0.018, -0.048, 0.168), "#1b1b1b")
        forge.draw("ellipsoid", (0.022, 0.045, 0.022), (sign * 0.045, -0.05, 0.024), colour)
        forge.draw("ellipsoid", (0.02, 0.02, 0.042), (sign * 0.07, -0.015, 0.085), colour)
    forge.bound((0.06, 0.055, 0.1), (0.0, -0.01, 0.1))
    return forge.made(0.2)


def vehicle(category: str, body: str, roof: str) -> Thing:
    """A toy car."""
    forge = Forge(category)
    forge.draw("box", (0.09, 0.045, 0.022), (0.0, 0.0, 0.042), body)
    forge.draw("box", (0.045, 0.04, 0.02), (-0.01, 0.0, 0.082), roof)
    for x in (-0.055, 0.055):
        for y in (-0.045, 0.045):
            forge.draw("cylinder", (0.024, 0.024, 0.008), (x, y, 0.024), DARK, turn=about((1, 0, 0), 0.5 * np.pi))
    forge.bound((0.09, 0.045, 0.05), (0.0, 0.0, 0.05))
    return forge.made(0.25)


def blocks(category: str) -> Thing:
    """Three cubes glued to each other."""
    forge = Forge(category)
    for at, colour in (((-0.041, 0, 0.04), RED), ((0.041, 0, 0.04), BLUE), ((0.0, 0, 0.12), YELLOW)):
        forge.draw("box", (0.04, 0.04, 0.04), at, colour)
    forge.bound((0.08, 0.04, 0.08), (0.0, 0.0, 0.08))
    return forge.made(0.3)


def lantern(category: str, frame: str, glow: str) -> Thing:
    """A light in a frame with a ring on top."""
    forge = Forge(category)
    forge.draw("box", (0.06, 0.06, 0.01), (0.0, 0.0, 0.01), frame)
    forge.draw("cylinder", (0.045, 0.045, 0.06), (0.0, 0.0, 0.08), glow)
    for x in (-0.05, 0.05):
        for y in (-0.05, 0.05):
            forge.draw("box", (0.007, 0.007, 0.065), (x, y, 0.08), frame)
    forge.draw("taper", (0.08, 0.08, 0.025), (0.0, 0.0, 0.165), frame)
    forge.draw("sphere", (0.015, 0.015, 0.015), (0.0, 0.0, 0.2), frame)
    forge.bound((0.06, 0.06, 0.1), (0.0, 0.0, 0.1))
    return forge.made(0.4)


def jack_o_lantern() -> Thing:
    """A pumpkin with a face."""
    forge = Forge("jack_o_lantern")
    forge.draw("ellipsoid", (0.12, 0.12, 0.1), (0.0, 0.0, 0.1), "#e8731a")
    forge.draw("cylinder", (0.018, 0.018, 0.02), (0.0, 0.0, 0.21), "#5f7a2c")
    for x in (-0.045, 0.045):
        forge.draw("box", (0.02, 0.02, 0.016), (x, -0.095, 0.13), "#1d1208")
    forge.draw("box", (0.055, 0.02, 0.012), (0.0, -0.1, 0.07), "#1d1208")
    forge.bound((0.1, 0.1, 0.1), (0.0, 0.0, 0.1))
    return forge.made(1.0)


def candle(category: str, colour: str, radius: float = 0.03, height: float = 0.13) -> Thing:
    """Wax with a wick and a flame."""
    forge = Forge(category)
    forge.draw("cylinder", (radius, radius, height / 2), (0.0, 0.0, height / 2), colour)
    forge.draw("cylinder", (1.5 * radius, 1.5 * radius, 0.006), (0.0, 0.0, 0.006), "#c9a23c")
    forge.draw("ellipsoid", (0.008, 0.008, 0.017), (0.0, 0.0, height + 0.017), "#f39a1f")
    forge.bound((1.2 * radius, 1.2 * radius, height / 2), (0.0, 0.0, height / 2))
    return forge.made(0.2)


def bow(category: str, colour: str) -> Thing:
    """A ribbon tied in a bow."""
    forge = Forge(category)
    for sign in (-1.0, 1.0):
        forge.draw("ellipsoid", (0.045, 0.026, 0.024), (sign * 0.045, 0.0, 0.026), colour)
        forge.draw("box", (0.012, 0.04, 0.004), (sign * 0.025, -0.045, 0.006), colour)
    forge.draw("sphere", (0.021, 0.021, 0.021), (0.0, 0.0, 0.03), "#ffffff")
    forge.bound((0.08, 0.03, 0.025), (0.0, 0.0, 0.025))
    return forge.made(0.1)


def wreath(category: str) -> Thing:
    """A green ring with berries, lying."""
    forge = Forge(category)
    forge.draw("tube", (0.15, 0.15, 0.022), (0.0, 0.0, 0.022), "#2f7a3a")
    for k in range(8):
        angle = k * np.pi / 4
        x, y = 0.135 * float(np.cos(angle)), 0.135 * float(np.sin(angle))
        forge.draw("sphere", (0.024, 0.024, 0.024), (x, y, 0.034), RED if k % 2 else "#3f9a4a")
    forge.bound((0.12, 0.12, 0.022), (0.0, 0.0, 0.022))
    forge.grip((0.0, 0.12, 0.044))
    return forge.made(0.4)


def stocking(category: str) -> Thing:
    """A red sock with a white cuff, lying."""
    forge = Forge(category)
    forge.draw("box", (0.1, 0.045, 0.016), (0.02, 0.0, 0.016), RED)
    forge.draw("box", (0.035, 0.075, 0.016), (-0.09, -0.03, 0.016), RED)
    forge.draw("box", (0.028, 0.055, 0.02), (0.13, 0.0, 0.02), "#f7f7f4")
    forge.bound((0.14, 0.06, 0.016), (0.015, -0.01, 0.016))
    return forge.made(0.15)


def cloth(category: str, half: tuple[float, float, float], colour: str, stripe: str) -> Thing:
    """Folded cloth with a stripe."""
    forge = Forge(category)
    a, b, c = half
    for k in range(3):
        forge.draw("box", (a * (1 - 0.03 * k), b, c / 3.3), (0.0, 0.0, (2 * k + 1) * c / 3), colour)
    forge.draw("box", (0.15 * a, b + 0.001, c), (0.5 * a, 0.0, c + 0.001), stripe)
    forge.bound((a, b, c), (0.0, 0.0, c))
    return forge.made(0.3)


def garment(category: str, colour: str, trim: str) -> Thing:
    """A shirt that lies flat."""
    forge = Forge(category)
    forge.draw("box", (0.085, 0.11, 0.016), (0.0, 0.0, 0.016), colour)
    for sign in (-1.0, 1.0):
        forge.draw("box", (0.05, 0.035, 0.014), (sign * 0.115, 0.06, 0.014), colour, turn=about((0, 0, 1), sign * -0.5))
    forge.draw("cylinder", (0.032, 0.032, 0.002), (0.0, 0.1, 0.033), trim)
    forge.bound((0.1, 0.1, 0.016), (0.0, 0.0, 0.016))
    return forge.made(0.2)


def axe() -> Thing:
    """A handle along x with a blade at its left end, the edge down."""
    forge = Forge("axe")
    forge.draw("box", (0.3, 0.014, 0.02), (0.0, 0.0, 0.12), "#b5793f")
    forge.draw("box", (0.05, 0.016, 0.05), (-0.27, 0.0, 0.1), "#c0392b")
    forge.draw("box", (0.07, 0.009, 0.03), (-0.27, 0.0, 0.03), "#dfe5ea", finish="metal")
    forge.bound((0.31, 0.03, 0.07), (-0.02, 0.0, 0.07))
    forge.edge = Edge((-0.34, 0.0, 0.0), (-0.2, 0.0, 0.0))
    forge.grip((0.2, 0.0, 0.13))
    return forge.made(1.2)


def logs() -> tuple[Thing, Thing]:
    """An upright log and its half."""
    whole = Forge("log")
    whole.draw("cylinder", (0.09, 0.09, 0.14), (0.0, 0.0, 0.14), "#7b5230")
    whole.draw("cylinder", (0.082, 0.082, 0.002), (0.0, 0.0, 0.28), "#e0b982")
    whole.bound((0.078, 0.078, 0.14), (0.0, 0.0, 0.14))
    piece = Forge("half_log")
    piece.draw("box", (0.08, 0.035, 0.14), (0.0, 0.0, 0.14), "#7b5230")
    piece.draw("box", (0.076, 0.004, 0.138), (0.0, -0.034, 0.14), "#e0b982")
    piece.draw("box", (0.076, 0.032, 0.002), (0.0, 0.0, 0.28), "#e0b982")
    piece.bound((0.08, 0.037, 0.14), (0.0, 0.0, 0.14))
    return whole.made(1.5, halves="half_log"), piece.made(0.8)


def laptop() -> Thing:
    """A keyboard and a screen on a hinge."""
    forge = Forge("laptop")
    forge.box((0.15, 0.105, 0.009), (0.0, 0.0, 0.009), "#8f979f")
    forge.draw("box", (0.13, 0.05, 0.001), (0.0, 0.025, 0.0185), DARK)
    forge.hinge("lid", (0.0, 0.105, 0.02), (1.0, 0.0, 0.0), 1.9, (0.0, -0.1, 0.024))
    forge.draw("box", (0.15, 0.105, 0.006), (0.0, 0.0, 0.025), "#a8b0b8", link="lid")
    forge.draw("box", (0.138, 0.09, 0.001), (0.0, 0.0, 0.0185), "#3f86d8", link="lid")
    forge.bound((0.15, 0.105, 0.006), (0.0, 0.0, 0.025), link="lid")
    forge.grip((0.0, 0.1, 0.02))
    return forge.made(1.2)


def lamp(category: str) -> Thing:
    """A table lamp with a button on its foot."""
    forge = Forge(category)
    forge.draw("cylinder", (0.075, 0.075, 0.012), (0.0, 0.0, 0.012), DARK)
    forge.draw("cylinder", (0.01, 0.01, 0.13), (0.0, 0.0, 0.14), "#c9a23c")
    forge.draw("taper", (0.11, 0.11, 0.07), (0.0, 0.0, 0.32), "#f4e3b0")
    forge.bound((0.065, 0.065, 0.19), (0.0, 0.0, 0.19))
    forge.button((0.0, -0.055, 0.03))
    forge.grip((0.0, 0.0, 0.385))
    return forge.made(0.8)


def pen(category: str, colour: str, tip: str, length: float = 0.08) -> Thing:
    """A stick along x with a tip."""
    forge = Forge(category)
    forge.draw("capsule", (0.009, 0.009, length), (0.0, 0.0, 0.009), colour, turn=ALONG_X)
    forge.draw("cylinder", (0.0095, 0.0095, 0.014), (-length + 0.02, 0.0, 0.009), tip, turn=ALONG_X)
    forge.bound((length, 0.009, 0.009), (0.0, 0.0, 0.009))
    return forge.made(0.05)


OFFICE: tuple[Thing, ...] = (
    laptop(),
    lamp("table_lamp"),
    book("notebook", (0.085, 0.11, 0.014), "#2f6fd0"),
    book("hardback", (0.085, 0.12, 0.025), "#8f2f3f", "#f2c12e"),
    book("textbook", (0.1, 0.13, 0.03), "#2f8f5a"),
    book("novel", (0.07, 0.1, 0.02), "#e08a2a"),
    book("folder", (0.12, 0.15, 0.01), "#f2c12e", "#ffffff"),
    book("magazine", (0.1, 0.13, 0.008), "#d95f9a", "#ffffff"),
    book("binder", (0.12, 0.14, 0.032), "#3a3f8f", "#ffffff"),
    pen("pen", BLUE, "#111111"),
    pen("pencil", YELLOW, "#e58fb5"),
    pen("marker", GREEN, "#111111", 0.065),
    carton("stapler", (0.07, 0.02, 0.025), "#c0392b", "#2d3138"),
    carton("calculator", (0.05, 0.075, 0.012), "#3a3f47", "#8fc9a8", second="#c7d7c0"),
    carton("mouse", (0.03, 0.05, 0.018), "#4a4f57", "#9aa3ab"),
    carton("keyboard", (0.18, 0.06, 0.012), "#2d3138", "#8f979f", second="#8f979f"),
    tray("pencil_box", (0.11, 0.045, 0.025), "#5f8fd0"),
    tray("document_tray", (0.14, 0.17, 0.035), "#3a3f47"),
    tray("wastebasket", (0.13, 0.13, 0.14), "#7c858e"),
    tin("pencil_holder", "#3f9a8f", "#e8f5f2", 0.04, 0.1),
)

TOYS: tuple[Thing, ...] = (
    teddy("teddy_bear", "#b07a45", "#e6c79a"),
    teddy("plush_panda", "#f4f4f0", "#2b2b2b"),
    vehicle("toy_car", RED, "#bfe0f2"),
    vehicle("toy_truck", BLUE, YELLOW),
    blocks("toy_blocks"),
    ball("softball", 0.055, "#f4f2e6", "#d83a34"),
    ball("tennis_ball", 0.045, "#cfe04a", "#f4f4f0"),
    ball("basketball", 0.11, "#e07a2a", "#3a2a1e"),
    ball("beach_ball", 0.1, "#f4f4f0", "#2f8fd0"),
    carton("board_game", (0.15, 0.11, 0.03), "#5a3f9a", "#f2c12e"),
    carton("jigsaw_puzzle", (0.12, 0.09, 0.025), "#2f9a8f", "#f7a3b5"),
    carton("dollhouse", (0.12, 0.09, 0.12), "#f0a3c0", "#ffffff", second="#b5342b", mass=0.9),
    tool("toy_sword", 0.16, "#f2c12e", "#8fc9e8", (0.1, 0.012, 0.02), mass=0.15),
)

DECOR: tuple[Thing, ...] = (
    lantern("lantern", "#2b2e33", "#f7c948"),
    lantern("paper_lantern", "#8f2f2a", "#f2624a"),
    jack_o_lantern(),
    candle("candle", "#f4ecd8"),
    candle("red_candle", "#c8322b", 0.025, 0.17),
    bow("bow", "#d83a8a"),
    bow("ribbon", "#2f6fd0"),
    wreath("wreath"),
    stocking("christmas_stocking"),
    carton("gift_box", (0.1, 0.08, 0.07), "#2f9a5a", "#d83a34", second="#f2c12e"),
    carton("picture_frame", (0.09, 0.02, 0.12), "#8a5a32", "#8fc9e8"),
    ball("christmas_ornament", 0.05, "#c8102e", "#f2c12e"),
    tin("vase", "#6a4fa3", "#e8d9f5", 0.055, 0.2),
)

CARE: tuple[Thing, ...] = (
    tool("toothbrush", 0.1, "#2f9ad8", "#ffffff", (0.018, 0.01, 0.02), mass=0.05),
    tool("hairbrush", 0.11, "#8f3f8f", "#2b2b2b", (0.05, 0.03, 0.022), mass=0.15),
    tool("razor", 0.08, "#3a3f47", "#b8bec4", (0.012, 0.028, 0.016), mass=0.08),
    carton("toothpaste", (0.09, 0.022, 0.02), "#f4f7fb", "#d83a34", mass=0.15),
    carton("bar_of_soap", (0.05, 0.035, 0.02), "#f2a7c3", "#fbe3ec", mass=0.15),
    carton("sponge", (0.06, 0.04, 0.022), "#f2d230", "#3f9a4a", mass=0.05),
    carton("first_aid_kit", (0.12, 0.05, 0.08), "#f4f4f0", "#d83a34"),
    tin("toilet_paper", "#fbfbf7", "#e3e6ea", 0.055, 0.1),
    cloth("towel", (0.12, 0.09, 0.03), "#5fb3c8", "#ffffff"),
    cloth("bath_towel", (0.15, 0.11, 0.04), "#e58fb5", "#ffffff"),
    cloth("napkin", (0.07, 0.07, 0.006), "#e8c04a", "#b5342b"),
    cloth("blanket", (0.16, 0.12, 0.045), "#8f6fb5", "#f4ecd8"),
    cloth("jeans", (0.12, 0.09, 0.03), "#2f4f8f", "#c9a23c"),
    garment("t_shirt", "#d83a34", "#ffffff"),
    garment("sweater", "#3f9a6a", "#f4ecd8"),
    carton("sock", (0.07, 0.03, 0.02), "#f4f4f0", "#2f6fd0", second="#d83a34", mass=0.05),
)

GARAGE: tuple[Thing, ...] = (
    chest("toolbox", (0.22, 0.12, 0.09), "#c8322b", "#d94a3f"),
    chest("lunch_box", (0.14, 0.1, 0.05), "#2f8fd0", "#f2c12e", 0.6),
    chest("cooler", (0.24, 0.15, 0.14), "#2f6fd0", "#f4f7fb", 2.0),
    chest("storage_box", (0.22, 0.16, 0.12), "#8f979f", "#5f666e"),
    tool("hammer", 0.13, "#b5793f", "#5a626a", (0.022, 0.05, 0.022), mass=0.6),
    tool("screwdriver", 0.1, "#f2a01e", "#b8bec4", (0.05, 0.009, 0.012), mass=0.2),
    tool("wrench", 0.12, "#aab2ba", "#8a929a", (0.03, 0.035, 0.014), mass=0.4),
    tool("pliers", 0.1, "#d83a34", "#5a626a", (0.035, 0.022, 0.014), mass=0.3),
    tool("paintbrush", 0.11, "#b5793f", "#2f8f5a", (0.035, 0.03, 0.014), mass=0.15),
    carton("electric_drill", (0.09, 0.035, 0.075), "#f2c12e", "#2d3138", mass=1.0),
    carton("tape_measure", (0.04, 0.025, 0.035), "#f2c12e", "#2d3138", mass=0.2),
    carton("suitcase", (0.2, 0.09, 0.15), "#2f5f8f", "#b5793f", mass=2.0),
    carton("duffel_bag", (0.2, 0.11, 0.1), "#3f7a4a", "#2d3138", mass=1.5),
    carton("backpack", (0.13, 0.09, 0.17), "#8f2f6a", "#f2c12e", mass=1.0),
    carton("tent_bag", (0.24, 0.08, 0.08), "#e07a2a", "#3a3f47", mass=1.5),
    carton("cardboard_box", (0.15, 0.12, 0.11), "#c39a62", "#8a6a3e", mass=0.8),
    tray("crate", (0.18, 0.14, 0.1), "#c79a5c", handles="#8a5a32", rough=True),
    tray("wooden_crate", (0.18, 0.14, 0.1), "#8a5f3a", handles="#5f3f24", rough=True),
    tray("plastic_crate", (0.18, 0.14, 0.1), "#2f8f8f", handles="#1f6f6f"),
    tray("wicker_basket", (0.17, 0.13, 0.08), WICKER, handles="#8a5f2e", rough=True),
    tray("fruit_basket", (0.16, 0.12, 0.06), "#d9b06a", handles="#a87a3a", rough=True),
    tray("laundry_basket", (0.22, 0.17, 0.14), "#f4f7fb", handles="#2f6fd0"),
    tray("toy_box", (0.24, 0.18, 0.13), "#f2c12e", handles=RED),
    tray("paper_bag", (0.13, 0.09, 0.13), "#c9a06a"),
    axe(),
    *logs(),
)

HOME: tuple[Thing, ...] = (*OFFICE, *TOYS, *DECOR, *CARE, *GARAGE)
