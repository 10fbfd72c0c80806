"""Systems of particles: what is diced, cooked, poured or strewn, and what it looks like. A row is one system."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

BROWN = "#8a4f22"
DICED, COOKED = "diced__", "cooked__"
CHUNK = 0.011
"""Half extent of a piece that a knife makes (m)."""


@dataclass(frozen=True)
class Substance:
    """Particles of one kind.

    Attributes:
        name: of the system. colour: of its particles. size: half extent of one (m).
    """

    name: str
    colour: str
    size: float = 0.009


POURED: tuple[Substance, ...] = (
    Substance("water", "#5fb8f0", 0.01),
    Substance("milk", "#ffffff", 0.01),
    Substance("coffee", "#3f2412", 0.01),
    Substance("orange_juice", "#f79a2b", 0.01),
    Substance("olive_oil", "#d9c62c", 0.009),
    Substance("cereal", "#e8a83a", 0.011),
    Substance("pet_food", "#8a4a2b", 0.011),
    Substance("rice", "#faf6e8", 0.007),
    Substance("sugar", "#fdfdfd", 0.006),
    Substance("tomato_sauce", "#c8281c", 0.011),
    Substance("grated_cheese", "#f7d23f", 0.009),
    Substance("dust", "#6f6a60", 0.009),
)

FLESH: Mapping[str, str] = MappingProxyType(
    {
        "vidalia_onion": "#fbf3dc", "cabbage": "#cfe39a", "apple": "#f3e3b0", "tomato": "#e8492f",
        "bell_pepper": "#f2c93a", "beet": "#a32a5f", "pineapple": "#f7dc4a", "potato": "#f3e6b5",
        "mushroom": "#e6d8c0", "lemon": "#f7e24f", "orange": "#f6a233", "peach": "#f7b96f", "carrot": "#f28a2b",
        "cucumber": "#9fd06a", "zucchini": "#c3dd8f", "chili": "#e03a24", "banana": "#f7ea9f", "steak": "#b8423a",
        "cheddar_cheese": "#f5b62e",
    }
)  # fmt: skip
"""Colour of the pieces of what can be diced."""


def roasted(colour: str) -> str:
    """A colour half way to brown."""
    pairs = zip(range(1, 7, 2), range(1, 7, 2), strict=True)
    mixed = [(2 * int(colour[i : i + 2], 16) + 3 * int(BROWN[j : j + 2], 16)) // 5 for i, j in pairs]
    return "#" + "".join(f"{value:02x}" for value in mixed)


ROWS: tuple[Substance, ...] = (
    *POURED,
    *(Substance(f"{DICED}{food}", colour, CHUNK) for food, colour in FLESH.items()),
    *(Substance(f"{COOKED}{DICED}{food}", roasted(colour), CHUNK) for food, colour in FLESH.items()),
)

SUBSTANCES: Mapping[str, Substance] = MappingProxyType({row.name: row for row in ROWS})
