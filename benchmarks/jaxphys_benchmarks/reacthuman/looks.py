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
    "table": "#bca27a", "stool": "#a98f69", "shelf": "#d6cebd", "ramp": "#c2b8a6", "step": "#b3ada1", "wall": "#b7c2c6",
}  # fmt: skip
"""Of what nothing moves, by the first word of its name: pale, so that bodies stand out."""
TRIGGER, OTHER = "#12706f", "#9a9a9a"

ROD = Look("#55585c", "metal")
ROPES: dict[str, Look] = {"sandbag": Look("#8a6a3c"), "lead_sandbag": Look("#8a6a3c")}
"""Of what does not hang on a rod or chain, by object."""

FLOORS: dict[str, str] = {
    "dining": "#9a9388", "kitchen": "#a2a8ab", "living": "#8f8983", "office": "#7f888f", "stair_landing": "#98948d",
}  # fmt: skip
"""By kind of room."""
FLOOR = "#9c9488"
BOUNCE = 1.0
"""Of the light of the rooms, see `Stage`: what comes from overhead is seen from below."""
WALLS: dict[str, str] = {
    "dining": "#b4c1b6", "kitchen": "#bccad1", "living": "#b6bccb", "office": "#b9c3c8", "stair_landing": "#bdc3bb",
}  # fmt: skip
"""By kind of room; cool, because wood, fruit and much else that moves is warm."""
WALL, CEILING = BOXES["wall"], Look("#e6eaec")


def walls(room: str) -> tuple[Look, Look]:
    """Of the north wall and the ceiling of a kind of room."""
    return Look(WALLS.get(room, WALL)), CEILING


def of_rope(thing: Thing) -> Look:
    """Of what a body hangs on."""
    return ROPES.get(thing.object, ROD)


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
    return of_row(seen_as(thing.object, family, rows) if thing.object else None, thing.object)


def of_row(like: Object | None, name: str) -> Look:
    """How a body looks.

    Args:
        like: the row that it looks like; None where the catalogue does not know it. name: of the object, "" for a
            trigger.
    """
    if not name:
        return Look(TRIGGER)
    if like is None:
        return Look(OTHER)
    finish: Finish = "metal" if set(METAL) & set(like.name.split("_")) else "rubber"
    red, green, blue = (round(255 * min(max(part, 0.0), 1.0)) for part in like.color_rgb)
    return Look(f"#{red:02x}{green:02x}{blue:02x}", finish)


def of_box(box: Box, room: str = "") -> Look:
    """How something looks that nothing moves, a wall in its kind of room."""
    if box.name == "wall":
        return walls(room)[0]
    return Look(BOXES.get(box.name.split("_")[0], OTHER))
