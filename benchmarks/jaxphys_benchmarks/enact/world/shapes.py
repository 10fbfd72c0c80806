"""Makers of loose things: each makes one kind of shape, which tables of things name with sizes and colours.

All sizes are half extents or radii in metres. Public: the makers.
"""

import numpy as np

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.things import Thing, about
from jaxphys_benchmarks.stage import Form, Vector

STEEL, DARK, WOOD, CREAM = "#b8bec4", "#2d3138", "#8a5a32", "#f3ead6"
ALONG_X = about((0.0, 1.0, 0.0), 0.5 * np.pi)
ALONG_Y = about((1.0, 0.0, 0.0), -0.5 * np.pi)
OVER = about((1.0, 0.0, 0.0), np.pi)
"""Turns of z into x, into y, and upside down."""

FLAT = 0.022
"""Half height below which a box holds nothing inside (m)."""

SQUARE = 0.82
"""Half width of the box that stands for a round thing, over its radius."""


def contents(forge: Forge, half: Vector) -> None:
    """A fill site in a closed package, for what is poured out of it.

    It is in the upper part: the middle of a flat thing that a package stands on must not be in the package.
    """
    a, b, c = half
    forge.fill((0.6 * a, 0.6 * b, 0.4 * c), (0.0, 0.0, 1.3 * c))


def bottle(category: str, colour: str, cap: str, label: str, radius: float = 0.045, height: float = 0.27) -> Thing:
    """A round body with a shoulder, a neck, a cap and a label."""
    forge = Forge(category)
    body = 0.36 * height
    forge.draw("cylinder", (radius, radius, body), (0.0, 0.0, body), colour)
    forge.draw("taper", (radius, radius, 0.06 * height), (0.0, 0.0, 0.78 * height), colour)
    forge.draw("cylinder", (0.45 * radius, 0.45 * radius, 0.04 * height), (0.0, 0.0, 0.88 * height), colour)
    forge.draw("cylinder", (0.55 * radius, 0.55 * radius, 0.04 * height), (0.0, 0.0, 0.96 * height), cap)
    forge.draw("cylinder", (1.03 * radius, 1.03 * radius, 0.12 * height), (0.0, 0.0, 0.4 * height), label)
    forge.bound((SQUARE * radius, SQUARE * radius, height / 2), (0.0, 0.0, height / 2))
    contents(forge, (SQUARE * radius, SQUARE * radius, height / 2))
    forge.grip((0.0, 0.0, 0.82 * height))
    return forge.made(0.5)


def tin(category: str, colour: str, label: str, radius: float = 0.045, height: float = 0.12) -> Thing:
    """A closed can or jar with a band around it."""
    forge = Forge(category)
    forge.draw("cylinder", (radius, radius, height / 2), (0.0, 0.0, height / 2), colour)
    forge.draw("cylinder", (1.02 * radius, 1.02 * radius, 0.3 * height), (0.0, 0.0, 0.48 * height), label)
    forge.draw("cylinder", (0.9 * radius, 0.9 * radius, 0.005), (0.0, 0.0, height), STEEL, finish="metal")
    forge.bound((SQUARE * radius, SQUARE * radius, height / 2), (0.0, 0.0, height / 2))
    contents(forge, (SQUARE * radius, SQUARE * radius, height / 2))
    return forge.made(0.4)


def carton(category: str, half: Vector, colour: str, label: str, *, second: str = "", mass: float = 0.4) -> Thing:
    """A box with a label on its front and a band."""
    forge = Forge(category)
    a, b, c = half
    forge.box(half, (0.0, 0.0, c), colour)
    forge.draw("box", (0.75 * a, b + 0.002, 0.4 * c), (0.0, 0.0, 1.05 * c), label)
    forge.draw("box", (a + 0.001, b + 0.001, 0.1 * c), (0.0, 0.0, 1.75 * c), second or label)
    forge.draw("box", (0.7 * a, 0.7 * b, 0.001), (0.0, 0.0, 2 * c), second or label)
    contents(forge, half)
    forge.top(0.95 * a, 0.95 * b, (0.0, 0.0, 2 * c))
    return forge.made(mass)


def bag(category: str, half: Vector, colour: str, label: str, *, mass: float = 0.3) -> Thing:
    """A bulging bag with a seam at its top and bottom."""
    forge = Forge(category)
    a, b, c = half
    forge.draw("ellipsoid", (1.05 * a, b, 1.02 * c), (0.0, 0.0, c), colour)
    forge.draw("box", (0.9 * a, 0.35 * b, 0.9 * c), (0.0, 0.0, 0.95 * c), colour)
    forge.draw("box", (0.95 * a, 0.12 * b, 0.09 * c), (0.0, 0.0, 1.93 * c), label)
    forge.draw("box", (0.95 * a, 0.12 * b, 0.06 * c), (0.0, 0.0, 0.06 * c), label)
    forge.draw("ellipsoid", (0.55 * a, 0.3 * b, 0.42 * c), (0.0, -0.75 * b, 1.0 * c), label)
    forge.bound((0.9 * a, 0.9 * b, c), (0.0, 0.0, c))
    contents(forge, (0.9 * a, 0.9 * b, c))
    return forge.made(mass)


def gable(category: str, half: Vector, colour: str, label: str) -> Thing:
    """A carton of milk, with a ridge on top."""
    forge = Forge(category)
    a, b, c = half
    body = 0.78 * c
    forge.draw("box", (a, b, body), (0.0, 0.0, body), colour)
    for turn in (0.0, np.pi):
        forge.draw(
            "wedge", (a, b / 2, 0.16 * c), (0.0, (1 if turn == 0 else -1) * -b / 2, 1.72 * c), label,
            turn=about((0.0, 0.0, 1.0), turn + np.pi),
        )  # fmt: skip
    forge.draw("box", (a, 0.004, 0.08 * c), (0.0, 0.0, 1.92 * c), colour)
    forge.draw("box", (a + 0.001, b + 0.001, 0.3 * c), (0.0, 0.0, 0.7 * c), label)
    forge.bound((a, b, c), (0.0, 0.0, c))
    contents(forge, (a, b, c))
    return forge.made(0.6)


def round_food(
    category: str, half: Vector, colour: str, inside: str, *, stem: str = "", form: Form = "ellipsoid",
    dices: bool = False, cooks: bool = False, mass: float = 0.25,
) -> list[Thing]:  # fmt: skip
    """A fruit or vegetable, with the halves that a knife makes of it; the cut faces of those look up."""
    whole = Forge(category)
    a, b, c = half
    whole.draw(form, half, (0.0, 0.0, c), colour)
    if stem:
        whole.draw("cylinder", (0.1 * a + 0.004, 0.1 * a + 0.004, 0.012), (0.0, 0.0, 2 * c + 0.004), stem)
    whole.bound((SQUARE * a, SQUARE * b, c), (0.0, 0.0, c))
    if not dices:
        return [whole.made(mass, cooks=cooks)]
    part = f"half_{category}"
    low = 0.55 * c
    half_one = Forge(part)
    half_one.draw("taper", (0.95 * a, 0.95 * b, low), (0.0, 0.0, low), colour, turn=OVER)
    half_one.draw("ellipsoid", (0.82 * a, 0.82 * b, 0.9 * low), (0.0, 0.0, 0.95 * low), colour)
    half_one.draw("taper", (0.84 * a, 0.84 * b, 0.003), (0.0, 0.0, 2 * low + 0.001), inside, turn=OVER)
    half_one.bound((0.75 * a, 0.75 * b, low), (0.0, 0.0, low))
    diced = f"diced__{category}"
    return [
        whole.made(mass, halves=part, dices=diced, cooks=cooks),
        half_one.made(mass / 2, dices=diced, cooks=cooks),
    ]


def long_food(
    category: str, length: float, radius: float, colour: str, inside: str, *, tip: str = "", dices: bool = False,
    cooks: bool = False, browned: str = "",
) -> list[Thing]:  # fmt: skip
    """A sausage, a cucumber: it lies along its x, with the halves that a knife makes of it."""
    found = []
    for name, reach in ((category, length), (f"half_{category}", 0.52 * length))[: 2 if dices else 1]:
        forge = Forge(name)
        forge.draw("capsule", (radius, radius, reach), (0.0, 0.0, radius), colour, turn=ALONG_X)
        if tip:
            knob = (0.7 * radius, 0.7 * radius, 0.25 * length)
            forge.draw("cylinder", knob, (0.85 * reach, 0.0, radius), tip, turn=ALONG_X)
        if name != category:
            face = (0.98 * radius, 0.98 * radius, 0.012)
            forge.draw("cylinder", face, (-0.9 * reach, 0.0, radius), inside, turn=ALONG_X)
        forge.bound((reach, SQUARE * radius, radius), (0.0, 0.0, radius))
        halves = f"half_{category}" if dices and name == category else ""
        diced = f"diced__{category}" if dices else ""
        found.append(forge.made(0.2, cooks=cooks, browned=browned, dices=diced, halves=halves))
    return found


def slab(
    category: str, half: Vector, colour: str, *, on_top: str = "", form: Form = "ellipsoid", dices: bool = False,
    cooks: bool = False, browned: str = "", inside: str = "", mass: float = 0.2,
) -> list[Thing]:  # fmt: skip
    """A flat piece: a steak, a slice of bread, a pie; drawn round or as a box."""
    a, b, c = half
    found = []
    for name, scale in ((category, 1.0), (f"half_{category}", 0.66))[: 2 if dices else 1]:
        forge = Forge(name)
        forge.draw(form, (scale * a, scale * b, c), (0.0, 0.0, c), colour)
        if on_top:
            forge.draw("ellipsoid", (0.8 * scale * a, 0.8 * scale * b, 0.5 * c), (0.0, 0.0, 1.6 * c), on_top)
        if name != category:
            forge.draw("box", (0.08 * a, 0.7 * scale * b, 0.8 * c), (-0.78 * scale * a, 0.0, c), inside or CREAM)
        forge.bound((0.85 * scale * a, 0.85 * scale * b, c), (0.0, 0.0, c))
        halves = f"half_{category}" if dices and name == category else ""
        diced = f"diced__{category}" if dices else ""
        found.append(forge.made(mass, cooks=cooks, browned=browned, dices=diced, halves=halves))
    return found


def bowl(category: str, colour: str, radius: float = 0.11, height: float = 0.075, inner: str = "#fbfaf5") -> Thing:
    """A round open vessel; wider at its rim."""
    forge = Forge(category)
    floor = 0.008
    forge.draw("cylinder", (0.62 * radius, 0.62 * radius, floor / 2), (0.0, 0.0, floor / 2), colour)
    forge.draw("cylinder", (0.6 * radius, 0.6 * radius, 0.001), (0.0, 0.0, floor), inner)
    steps = 4
    for k in range(steps):
        wide = radius * (0.7 + 0.3 * (k / (steps - 1)) ** 0.6)
        deep = (height - floor / 2) / steps / 2
        forge.draw("tube", (wide, wide, deep + 0.002), (0.0, 0.0, floor / 2 + (2 * k + 1) * deep), colour)
    wide, wall = SQUARE * radius, 0.01
    forge.bound((wide, wide, floor / 2), (0.0, 0.0, floor / 2))
    up = (height - floor) / 2
    for sign in (-1.0, 1.0):
        forge.bound((wall / 2, wide, up), (sign * (wide - wall / 2), 0.0, floor + up))
        forge.bound((wide - wall, wall / 2, up), (0.0, sign * (wide - wall / 2), floor + up))
    # What is heaped over the rim is inside as well.
    forge.fill((wide - wall, wide - wall, height / 2 + 0.02), (0.0, 0.0, height / 2 + 0.02 + floor / 2))
    forge.top(wide - wall, wide - wall, (0.0, 0.0, floor))
    forge.grip((0.0, 0.95 * wide, height), (0.0, 0.0, 1.0))
    return forge.made(0.35)


def plate(category: str, colour: str, radius: float = 0.13, rim: str = "#ffffff") -> Thing:
    """A flat round dish with a rim."""
    forge = Forge(category)
    forge.draw("cylinder", (0.7 * radius, 0.7 * radius, 0.006), (0.0, 0.0, 0.006), colour)
    forge.draw("tube", (radius, radius, 0.005), (0.0, 0.0, 0.011), rim)
    forge.draw("tube", (0.86 * radius, 0.86 * radius, 0.005), (0.0, 0.0, 0.009), colour)
    forge.bound((SQUARE * radius, SQUARE * radius, 0.007), (0.0, 0.0, 0.007))
    forge.top(0.72 * radius, 0.72 * radius, (0.0, 0.0, 0.014))
    forge.grip((0.0, 0.9 * radius, 0.014))
    return forge.made(0.4)


def mug(category: str, colour: str, radius: float = 0.045, height: float = 0.1) -> Thing:
    """A cup with a handle on its right."""
    forge = Forge(category)
    forge.draw("tube", (radius, radius, height / 2), (0.0, 0.0, height / 2), colour)
    forge.draw("cylinder", (0.82 * radius, 0.82 * radius, 0.006), (0.0, 0.0, 0.006), colour)
    forge.draw("cylinder", (0.8 * radius, 0.8 * radius, 0.002), (0.0, 0.0, 0.5 * height), "#4b2f1d")
    bar = (0.007, 0.007, 0.26 * height)
    forge.draw("capsule", bar, (1.7 * radius, 0.0, height / 2), colour)
    for z in (0.3, 0.7):
        forge.draw("capsule", (0.007, 0.007, 0.45 * radius), (1.3 * radius, 0.0, z * height), colour, turn=ALONG_X)
    forge.bound((SQUARE * radius, SQUARE * radius, height / 2), (0.0, 0.0, height / 2))
    forge.bound((0.4 * radius, 0.008, 0.3 * height), (1.3 * radius, 0.0, height / 2))
    forge.fill((0.7 * radius, 0.7 * radius, height / 2 + 0.01), (0.0, 0.0, height / 2 + 0.01))
    forge.grip((0.0, 0.0, height))
    return forge.made(0.3)


def ball(category: str, radius: float, colour: str, band: str) -> Thing:
    """A ball with a band, which does not roll away."""
    forge = Forge(category)
    forge.draw("sphere", (radius, radius, radius), (0.0, 0.0, radius), colour)
    forge.draw("cylinder", (1.005 * radius, 1.005 * radius, 0.16 * radius), (0.0, 0.0, radius), band)
    forge.bound((0.7 * radius, 0.7 * radius, radius), (0.0, 0.0, radius))
    return forge.made(0.2)


def book(category: str, half: Vector, cover: str, title: str = CREAM) -> Thing:
    """It lies; pages between two covers."""
    forge = Forge(category)
    a, b, c = half
    forge.draw("box", (a, b, 0.2 * c), (0.0, 0.0, 0.2 * c), cover)
    forge.draw("box", (a, b, 0.2 * c), (0.0, 0.0, 1.8 * c), cover)
    forge.draw("box", (0.95 * a, 0.95 * b, 0.7 * c), (0.02 * a, 0.0, c), CREAM)
    forge.draw("box", (0.05 * a, b, c), (-0.95 * a, 0.0, c), cover)
    forge.draw("box", (0.6 * a, 0.25 * b, 0.002), (0.0, 0.35 * b, 2 * c), title)
    forge.bound((a, b, c), (0.0, 0.0, c))
    forge.top(0.9 * a, 0.9 * b, (0.0, 0.0, 2 * c))
    return forge.made(0.4)


def tray(
    category: str, half: Vector, colour: str, *, handles: str = "", rough: bool = False, stacks: bool = False
) -> Thing:
    """An open box: a basket, a crate, a bin; what lies on a flat one, as a baking sheet, is on it and not inside."""
    forge = Forge(category)
    a, b, c = half
    # The middle of a flat one is in its floor, below whatever stands on it.
    forge.cavity(half, (0.0, 0.0, c), 1.1 * c if c < FLAT else 0.012, colour, wall=min(0.012, 0.5 * c))
    if c < FLAT:
        forge.fills.clear()
    if stacks:
        # What stands on the rim is on it: nothing above the rim is inside.
        forge.fills.clear()
        forge.fill((a - 0.012, b - 0.012, c - 0.005), (0.0, 0.0, c + 0.005))
        forge.top(a, b, (0.0, 0.0, 2 * c))
    if rough:
        for z in (0.5, 1.0, 1.5):
            forge.draw("box", (a + 0.003, b + 0.003, 0.06 * c), (0.0, 0.0, z * c), handles or WOOD)
    elif handles:
        for sign in (-1.0, 1.0):
            forge.draw("box", (0.008, 0.3 * b, 0.012), (sign * (a + 0.008), 0.0, 1.7 * c), handles)
    forge.grip((0.0, b - 0.005, 2 * c))
    return forge.made(0.6)


def tool(category: str, length: float, handle: str, head: str, head_half: Vector, *, mass: float = 0.4) -> Thing:
    """A handle along x with a head at its left end: a hammer, a brush."""
    forge = Forge(category)
    a, b, c = head_half
    thick = max(0.012, 0.5 * min(b, c))
    high = max(thick, c)
    forge.draw("capsule", (thick, thick, length), (0.0, 0.0, high), handle, turn=ALONG_X)
    forge.draw("box", head_half, (-length + a, 0.0, c), head)
    forge.bound((length, max(0.014, b), high), (0.0, 0.0, high))
    forge.grip((0.45 * length, 0.0, high + 0.5 * thick))
    return forge.made(mass)
