"""What things of a scene look like: colours, finish, and the words for them.

Colours of objects are those of the catalogue. An adversarial object looks like its honest twin, in pictures and in
words; that is the point of it. All other colours are assumed.
"""

from jaxphys_benchmarks.reacthuman import catalogue
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue, Object
from jaxphys_benchmarks.reacthuman.scene import Box, Thing
from jaxphys_benchmarks.stage import Finish, Look

METAL = ("knife", "steel", "iron", "can", "aluminum", "metal", "chandelier", "mirror")
"""Words in the name of what shines."""
HIDDEN = ("foam", "hollow", "plastic", "solid", "steel", "lead")
"""Words that would tell what an adversarial object without a twin is made of."""

BOXES: dict[str, str] = {
    "table": "#a67c52", "stool": "#7d5a3c", "shelf": "#c2a070", "ramp": "#9aa3a8", "step": "#b5aa98", "wall": "#d9d3c7",
}  # fmt: skip
"""Of what nothing moves, by the first word of its name."""
TRIGGER, OTHER = "#5a3fa0", "#9a9a9a"

WALL, SIDE, CEILING = Look("#d9d3c7"), Look("#c6bfb1"), Look("#ffffff")
ROD, FIGURE = Look("#55585c", "metal"), Look("#5f6b78")

FLOORS: dict[str, str] = {
    "dining": "#a58a68", "kitchen": "#b9b4aa", "living": "#9c8468", "office": "#8f959a", "stair_landing": "#a79f92",
}  # fmt: skip
"""By kind of room."""
FLOOR = "#9c9488"


def row(name: str, family: str, rows: Catalogue | None = None) -> Object | None:
    """The catalogue row of an object; None for one that is not known here."""
    try:
        return (rows or catalogue.current()).get(name, family)
    except ValueError:
        return None


def seen_as(name: str, family: str, rows: Catalogue | None = None) -> Object | None:
    """The row that an object looks like: its twin's where it has one; None for an object that is not known here."""
    known = rows or catalogue.current()
    found = row(name, family, known)
    return None if found is None else known.twin(found, family) or found


def words(name: str, family: str, rows: Catalogue | None = None) -> str:
    """What an object looks like, in words."""
    like = seen_as(name, family, rows)
    if like is None:
        return name.replace("_", " ")
    told = like.display_name.split()
    return " ".join(word for word in told if not (like.adversarial and word in HIDDEN)) or like.display_name


def of_thing(thing: Thing, family: str, rows: Catalogue | None = None) -> Look:
    """How a body looks."""
    if not thing.object:
        return Look(TRIGGER)
    like = seen_as(thing.object, family, rows)
    if like is None:
        return Look(OTHER)
    finish: Finish = "metal" if set(METAL) & set(like.name.split("_")) else "rubber"
    red, green, blue = (round(255 * min(max(part, 0.0), 1.0)) for part in like.color_rgb)
    return Look(f"#{red:02x}{green:02x}{blue:02x}", finish)


def of_box(box: Box) -> Look:
    """How something looks that nothing moves."""
    return Look(BOXES.get(box.name.split("_")[0], OTHER))
