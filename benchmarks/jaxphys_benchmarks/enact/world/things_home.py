"""Toys, decorations, clothes and what a bathroom holds. A row is one thing."""

import numpy as np

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.shapes import ALONG_X, ALONG_Y, DARK, ball, carton, tool
from jaxphys_benchmarks.enact.world.things import Thing, about

RED, BLUE, YELLOW, GREEN, PINK = "#d83a34", "#2f6fd0", "#f2c12e", "#3f9a4a", "#e58fb5"


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


def roll(category: str) -> Thing:
    """A roll of paper on its end."""
    forge = Forge(category)
    forge.draw("cylinder", (0.058, 0.058, 0.05), (0.0, 0.0, 0.05), "#fdfdfb")
    forge.draw("cylinder", (0.022, 0.022, 0.0505), (0.0, 0.0, 0.0505), "#8a6a4a")
    forge.draw("box", (0.03, 0.003, 0.045), (0.02, -0.057, 0.047), "#ffffff")
    forge.bound((0.048, 0.048, 0.05), (0.0, 0.0, 0.05))
    return forge.made(0.1)


def soap(category: str, colour: str) -> Thing:
    """A rounded bar."""
    forge = Forge(category)
    forge.draw("ellipsoid", (0.06, 0.042, 0.024), (0.0, 0.0, 0.022), colour)
    forge.draw("ellipsoid", (0.035, 0.022, 0.01), (0.0, 0.0, 0.04), "#fbe3ec")
    forge.bound((0.05, 0.035, 0.022), (0.0, 0.0, 0.022))
    return forge.made(0.15)


def sock(category: str, colour: str, band: str) -> Thing:
    """It lies, a leg and a foot."""
    forge = Forge(category)
    forge.draw("capsule", (0.026, 0.026, 0.075), (0.02, 0.0, 0.024), colour, turn=ALONG_X)
    forge.draw("capsule", (0.026, 0.026, 0.055), (-0.045, -0.03, 0.024), colour, turn=ALONG_Y)
    forge.draw("cylinder", (0.028, 0.028, 0.012), (0.075, 0.0, 0.024), band, turn=ALONG_X)
    forge.bound((0.08, 0.045, 0.024), (0.01, -0.02, 0.024))
    return forge.made(0.05)


def vase(category: str, colour: str) -> Thing:
    """A round belly, a neck and flowers."""
    forge = Forge(category)
    forge.draw("ellipsoid", (0.065, 0.065, 0.075), (0.0, 0.0, 0.072), colour)
    forge.draw("cylinder", (0.03, 0.03, 0.035), (0.0, 0.0, 0.16), colour)
    for x, y, hue in ((0.035, 0.0, RED), (-0.03, 0.02, YELLOW), (0.0, -0.03, PINK)):
        forge.draw("capsule", (0.005, 0.005, 0.05), (0.6 * x, 0.6 * y, 0.22), GREEN)
        forge.draw("sphere", (0.026, 0.026, 0.026), (x, y, 0.27), hue)
    forge.bound((0.05, 0.05, 0.095), (0.0, 0.0, 0.095))
    return forge.made(0.5)


def frame(category: str, wood: str, picture: str) -> Thing:
    """A picture that stands."""
    forge = Forge(category)
    forge.draw("box", (0.1, 0.012, 0.13), (0.0, 0.0, 0.13), wood)
    forge.draw("box", (0.08, 0.013, 0.11), (0.0, 0.0, 0.13), "#fbfaf5")
    forge.draw("box", (0.06, 0.014, 0.085), (0.0, 0.0, 0.13), picture)
    forge.draw("ellipsoid", (0.03, 0.015, 0.03), (0.02, 0.0, 0.15), YELLOW)
    forge.bound((0.1, 0.03, 0.13), (0.0, 0.0, 0.13))
    return forge.made(0.4)


def dollhouse(category: str) -> Thing:
    """Walls, a roof, a door and windows."""
    forge = Forge(category)
    forge.draw("box", (0.12, 0.09, 0.08), (0.0, 0.0, 0.08), "#f6d7e3")
    for turn, y in ((np.pi, -0.05), (0.0, 0.05)):
        forge.draw("wedge", (0.13, 0.05, 0.045), (0.0, y, 0.205), "#b5342b", turn=about((0.0, 0.0, 1.0), turn))
    forge.draw("box", (0.025, 0.003, 0.045), (0.0, -0.09, 0.045), "#6b4628")
    for x in (-0.07, 0.07):
        forge.draw("box", (0.025, 0.003, 0.025), (x, -0.09, 0.1), "#8fc9e8")
    forge.bound((0.12, 0.09, 0.12), (0.0, 0.0, 0.12))
    return forge.made(0.9)


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
    dollhouse("dollhouse"),
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
    frame("picture_frame", "#8a5a32", "#8fc9e8"),
    ball("christmas_ornament", 0.05, "#c8102e", "#f2c12e"),
    vase("vase", "#6a4fa3"),
)

CARE: tuple[Thing, ...] = (
    tool("toothbrush", 0.1, "#2f9ad8", "#ffffff", (0.018, 0.01, 0.02), mass=0.05),
    tool("hairbrush", 0.11, "#8f3f8f", "#2b2b2b", (0.05, 0.03, 0.022), mass=0.15),
    tool("razor", 0.08, "#3a3f47", "#b8bec4", (0.012, 0.028, 0.016), mass=0.08),
    carton("toothpaste", (0.09, 0.022, 0.02), "#f4f7fb", "#d83a34", mass=0.15),
    soap("bar_of_soap", "#f2a7c3"),
    carton("sponge", (0.06, 0.04, 0.022), "#f2d230", "#3f9a4a", mass=0.05),
    carton("first_aid_kit", (0.12, 0.05, 0.08), "#f4f4f0", "#d83a34"),
    roll("toilet_paper"),
    cloth("towel", (0.12, 0.09, 0.03), "#5fb3c8", "#ffffff"),
    cloth("bath_towel", (0.15, 0.11, 0.04), "#e58fb5", "#ffffff"),
    cloth("napkin", (0.07, 0.07, 0.006), "#e8c04a", "#b5342b"),
    cloth("blanket", (0.16, 0.12, 0.045), "#8f6fb5", "#f4ecd8"),
    cloth("jeans", (0.12, 0.09, 0.03), "#2f4f8f", "#c9a23c"),
    garment("t_shirt", "#d83a34", "#ffffff"),
    garment("sweater", "#3f9a6a", "#f4ecd8"),
    sock("sock", "#f4f4f0", "#d83a34"),
)

HOME: tuple[Thing, ...] = (*TOYS, *DECOR, *CARE)
