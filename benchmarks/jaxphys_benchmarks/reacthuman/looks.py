"""What things of a scene look like: colours by name, finish, and the words for them.

An adversarial object looks like its honest twin; that is the point of it. A row with a colour of its own keeps it;
others have the colour of the material that their name tells. All colours are assumed.
"""

from jaxphys_benchmarks.reacthuman import catalogue
from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.scene import Box, Thing
from jaxphys_benchmarks.stage import Finish, Look

OBJECTS: dict[str, str] = {
    "ceramic_plate": "#f4f1e8", "red_apple": "#c41e2a", "coffee_mug": "#2f6db5", "paperback_book": "#d9772b",
    "plastic_bottle": "#6cc3e0", "ripe_banana": "#f2d02c", "chef_knife": "#c9ced3", "hot_iron": "#3f6fb0",
    "glass_shard": "#a8dfe0", "baseball_bat": "#c08a4a", "foam_anvil": "#33363b", "hardcover_book": "#7b1e2e",
    "tin_can": "#b9bec4", "wooden_crate": "#b07a3c", "picture_frame": "#8a5a2b", "wall_clock": "#f0ead8",
    "wall_mirror": "#bcd3de", "hanging_plant": "#3d8b37", "pendant_lamp": "#f0c75e", "chandelier": "#d8b13c",
    "wooden_bookshelf": "#8b5a2b", "metal_filing_cabinet": "#7e8a94", "floor_lamp": "#e8dcb8",
    "decorative_vase": "#2c7f8c", "wooden_ladder": "#c79a5b", "rubber_ball": "#d8342c", "tennis_ball": "#c9e23a",
    "billiard_ball": "#1b3fa8", "bowling_ball": "#20202a", "small_plant": "#4a9a3f", "spice_bottle": "#b3541e",
    "ceramic_vase": "#3b6ea5", "heavy_toolbox": "#b3262a", "wooden": "#9a6a3a", "glass": "#a9d6dc",
    "steel": "#8d979f", "softball": "#e9e24a", "baseball": "#f3efe6", "cricket_ball": "#8e1b1f",
    "throwing_knife": "#b8bec4", "sandbag": "#b79a6a", "iron_bob": "#3a3d42", "aluminum": "#c3c9ce",
    "heavy_timber": "#a2713d", "steel_industrial": "#7f878e", "wooden_step": "#c79a5b", "heavy_oak": "#8a5f33",
    "hollow_plastic": "#c3c9ce", "steel_ball": "#a9afb5", "football": "#f2f2f2", "wooden_block": "#c49a5a",
    "metal_canister": "#8f979e", "foam_cube": "#8a8f94", "cast_iron_pan": "#2b2d30", "ceiling_fan": "#efe8da",
    "ceiling_panel": "#e6e3da",
}  # fmt: skip
"""By name of the catalogue."""

METAL = ("knife", "steel", "iron", "can", "aluminum", "metal", "chandelier", "mirror")
"""Words in the name of what shines."""

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
FLOOR = "#9c9488"

PLAIN_RGB = (0.6, 0.6, 0.6)
"""The colour of catalogue rows for which none is known."""


def row(name: str, family: str, rows: catalogue.Catalogue | None = None) -> Object | None:
    """The catalogue row of an object; None for one that is not known here."""
    try:
        return (rows or catalogue.current()).get(name, family)
    except ValueError:
        return None


def seen_as(name: str, family: str, rows: catalogue.Catalogue | None = None) -> str:
    """Name of what an object looks like: of its twin where it has one."""
    found = row(name, family, rows)
    return found.twin if found is not None and found.twin else name


def words(name: str, family: str, rows: catalogue.Catalogue | None = None) -> str:
    """What an object looks like, in words."""
    like = seen_as(name, family, rows)
    found = row(like, family, rows)
    text = found.display_name if found is not None else like.replace("_", " ")
    return f"{text} door" if family == "door_swing" and "door" not in text else text


def of_thing(thing: Thing, family: str, rows: catalogue.Catalogue | None = None) -> Look:
    """How a body looks."""
    if not thing.object:
        return Look(TRIGGER)
    like = seen_as(thing.object, family, rows)
    found = row(thing.object, family, rows)
    finish: Finish = "metal" if any(word in like.split("_") for word in METAL) else "rubber"
    if found is not None and found.color_rgb != PLAIN_RGB:
        red, green, blue = (round(255 * min(max(part, 0.0), 1.0)) for part in found.color_rgb)
        return Look(f"#{red:02x}{green:02x}{blue:02x}", finish)
    return Look(OBJECTS.get(like, OTHER), finish)


def of_box(box: Box) -> Look:
    """How something looks that nothing moves."""
    return Look(BOXES.get(box.name.split("_")[0], OTHER))
