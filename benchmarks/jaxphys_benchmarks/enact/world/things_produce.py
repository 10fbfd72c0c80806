"""Fruit, vegetables, meat and what else is cut or cooked. A row is one food, with its halves where it can be cut."""

from itertools import chain

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.shapes import ALONG_X, long_food, round_food, slab
from jaxphys_benchmarks.enact.world.things import Thing

GREEN, LEAF = "#4f9a3a", "#2f7d32"


def _broccoli() -> Thing:
    """A stalk with a head of florets."""
    forge = Forge("broccoli")
    forge.draw("cylinder", (0.022, 0.022, 0.04), (0.0, 0.0, 0.04), "#9bc26b")
    for x, y, z in ((0, 0, 0.11), (0.04, 0, 0.09), (-0.04, 0, 0.09), (0, 0.04, 0.09), (0, -0.04, 0.09)):
        forge.draw("sphere", (0.036, 0.036, 0.036), (x, y, z), "#2e7d32")
    forge.bound((0.045, 0.045, 0.07), (0.0, 0.0, 0.07))
    return forge.made(0.25)


def _bacon() -> Thing:
    """A flat rasher with stripes of fat."""
    forge = Forge("bacon")
    forge.draw("box", (0.08, 0.03, 0.007), (0.0, 0.0, 0.007), "#c0504d")
    for y in (-0.018, 0.01):
        forge.draw("box", (0.08, 0.006, 0.0075), (0.0, y, 0.007), "#f5d9cf")
    forge.bound((0.08, 0.03, 0.007), (0.0, 0.0, 0.007))
    return forge.made(0.1, cooks=True, browned="#6b2f1a")


def _hot_dog() -> Thing:
    """A sausage in a bun."""
    forge = Forge("hot_dog")
    for y in (-0.024, 0.024):
        forge.draw("capsule", (0.028, 0.028, 0.09), (0.0, y, 0.028), "#e0a95c", turn=ALONG_X)
    forge.draw("capsule", (0.02, 0.02, 0.105), (0.0, 0.0, 0.045), "#b5402f", turn=ALONG_X)
    forge.bound((0.085, 0.045, 0.028), (0.0, 0.0, 0.028))
    return forge.made(0.15, cooks=True, browned="#7d3a1f")


def _pizza(category: str, topped: bool) -> Thing:
    """A round of dough, with or without what lies on it."""
    forge = Forge(category)
    forge.draw("cylinder", (0.15, 0.15, 0.009), (0.0, 0.0, 0.009), "#e8c888")
    if topped:
        forge.draw("cylinder", (0.132, 0.132, 0.003), (0.0, 0.0, 0.018), "#f2c84b")
        for x, y in ((0.0, 0.0), (0.07, 0.03), (-0.06, 0.05), (0.03, -0.075), (-0.06, -0.05)):
            forge.draw("cylinder", (0.028, 0.028, 0.003), (x, y, 0.022), "#c0392b")
    forge.bound((0.122, 0.122, 0.01), (0.0, 0.0, 0.01))
    forge.top(0.1, 0.1, (0.0, 0.0, 0.02))
    forge.grip((0.0, 0.12, 0.02))
    return forge.made(0.4, cooks=True, browned="#a9672c")


def _leek() -> Thing:
    """A white shaft with green leaves."""
    forge = Forge("leek")
    forge.draw("cylinder", (0.022, 0.022, 0.1), (0.05, 0.0, 0.024), "#f0f3dc", turn=ALONG_X)
    forge.draw("box", (0.07, 0.032, 0.014), (-0.11, 0.0, 0.024), "#4f8f3a")
    forge.bound((0.165, 0.028, 0.023), (-0.015, 0.0, 0.023))
    return forge.made(0.2)


def _bok_choy() -> Thing:
    """Pale stalks with dark leaves."""
    forge = Forge("bok_choy")
    forge.draw("ellipsoid", (0.05, 0.04, 0.03), (0.05, 0.0, 0.03), "#eef3df")
    for y in (-0.03, 0.03, 0.0):
        forge.draw("ellipsoid", (0.07, 0.035, 0.02), (-0.05, y, 0.035), LEAF)
    forge.bound((0.1, 0.05, 0.03), (-0.01, 0.0, 0.03))
    return forge.made(0.3)


def _sandwich() -> Thing:
    """Two slices of bread with ham and salad."""
    forge = Forge("sandwich")
    for z, half_z, colour, wide in (
        (0.012, 0.012, "#e3b778", 0.065),
        (0.027, 0.004, "#5fae3f", 0.07),
        (0.034, 0.005, "#e58c8a", 0.067),
        (0.05, 0.012, "#e3b778", 0.065),
    ):
        forge.draw("box", (wide, wide, half_z), (0.0, 0.0, z), colour)
    forge.bound((0.065, 0.065, 0.031), (0.0, 0.0, 0.031))
    return forge.made(0.2)


WHOLE: tuple[Thing, ...] = (
    _broccoli(),
    _bacon(),
    _hot_dog(),
    _pizza("pizza", topped=True),
    _pizza("pizza_dough", topped=False),
    _leek(),
    _bok_choy(),
    _sandwich(),
)

CUT = chain(
    # Category, half extents (m), skin, flesh.
    round_food("vidalia_onion", (0.05, 0.05, 0.045), "#d9a441", "#fbf3dc", stem="#9c6b2f", dices=True),
    round_food("cabbage", (0.085, 0.085, 0.075), "#8fc06a", "#e6f0c4", stem="#dfe8c0", dices=True, mass=0.6),
    round_food("apple", (0.045, 0.045, 0.042), "#c62f2f", "#fbf3d6", stem="#5b3a1e", dices=True),
    round_food("tomato", (0.045, 0.045, 0.04), "#e0452c", "#f49a84", stem=LEAF, dices=True),
    round_food("bell_pepper", (0.05, 0.05, 0.055), "#e6b81e", "#f6e39a", stem=LEAF, dices=True),
    round_food("beet", (0.05, 0.05, 0.045), "#7b1f4b", "#b23a6e", stem=LEAF, dices=True),
    round_food("pineapple", (0.06, 0.06, 0.085), "#c58a2a", "#f7dc5a", stem=LEAF, dices=True, mass=0.7),
    round_food("potato", (0.06, 0.045, 0.04), "#b98d55", "#f3e6b5", dices=True),
    round_food("mushroom", (0.045, 0.045, 0.035), "#d8c7b0", "#f7f1e6", stem="#8a6d52", dices=True),
    round_food("lemon", (0.05, 0.04, 0.04), "#f2d437", "#faf0a8", dices=True),
    round_food("orange", (0.045, 0.045, 0.045), "#ee8d22", "#f9c06a", dices=True),
    round_food("peach", (0.042, 0.042, 0.04), "#f0a070", "#f9d69c", dices=True),
    round_food("pumpkin", (0.12, 0.12, 0.095), "#e57a1f", "#f4b45f", stem="#5f7a2c", mass=1.2),
    round_food("artichoke", (0.05, 0.05, 0.055), "#6f9a55", "#d9e3b0", stem=GREEN),
    round_food("egg", (0.028, 0.028, 0.036), "#f4e2cb", "#ffffff"),
    long_food("carrot", 0.1, 0.024, "#ee7d22", "#f6a95c", tip=LEAF, dices=True),
    long_food("cucumber", 0.12, 0.028, "#3f8a3a", "#d7ecb0", dices=True),
    long_food("zucchini", 0.11, 0.028, "#5f9a3d", "#e6efc0", tip="#9bb86a", dices=True),
    long_food("chili", 0.075, 0.017, "#d62f1f", "#f08a70", tip=LEAF, dices=True),
    long_food("banana", 0.09, 0.022, "#f2d230", "#fbf2c0", tip="#6b5a1e", dices=True),
    long_food("bratwurst", 0.09, 0.022, "#c98a6a", "#e3b79c", cooks=True, browned="#7a3b1d"),
    long_food("baguette", 0.2, 0.04, "#cf9448", "#f3dfb2"),
    long_food("sweet_corn", 0.1, 0.03, "#f2cf3f", "#f7e38a", tip=GREEN),
    slab("steak", (0.085, 0.06, 0.018), "#a8322d", on_top="#e6b0a4", dices=True, cooks=True, browned="#5b2d1a"),
    slab("cheddar_cheese", (0.06, 0.05, 0.03), "#f0b429", form="box", dices=True, inside="#f7cf62"),
    slab("swiss_cheese", (0.06, 0.05, 0.03), "#f4d977", form="box", on_top="#e3bd4d"),
    slab("apple_pie", (0.12, 0.12, 0.03), "#d79a4a", form="cylinder", on_top="#b8722c", cooks=True, browned="#8f5522"),
    slab("salmon", (0.1, 0.045, 0.018), "#f08a62", on_top="#f7b79a", cooks=True, browned="#b8623a"),
    slab("bread_slice", (0.06, 0.06, 0.012), "#e3b778", form="box", on_top="#f3dfb2", cooks=True, browned="#9c6430"),
    slab("butter_cookie", (0.05, 0.05, 0.012), "#d9a55a", form="cylinder", on_top="#8a5a2e"),
    slab("chocolate_cake", (0.1, 0.1, 0.05), "#5a3320", form="cylinder", on_top="#f3e2e6", mass=0.6),
    slab("hamburger", (0.06, 0.06, 0.03), "#d08f43", form="ellipsoid", on_top="#e7bd7c", cooks=True, browned="#8a4a20"),
)
"""Chains of a food and its halves."""

PRODUCE: tuple[Thing, ...] = (*WHOLE, *CUT)
