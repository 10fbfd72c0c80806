"""How catalogue rows look: colours (assumed), and names for people where the row's own name does not say it.

An object with a twin has the colour of its twin, because it looks the same.
"""

from jaxphys_benchmarks.reacthuman.scene import Vector

DISPLAY_NAMES: dict[str, str] = {
    "wooden": "wooden door", "hollow": "hollow prop door", "glass": "glass door", "steel": "steel door",
    "foam": "foam door", "aluminum": "aluminium ladder", "heavy_timber": "heavy timber ladder",
    "steel_industrial": "industrial steel ladder", "wooden_step": "wooden step ladder", "heavy_oak": "heavy oak ladder",
    "hollow_plastic": "hollow plastic ladder", "foam_prop_step": "foam prop step ladder",
    "steel_can": "solid steel can", "foam_mirror": "foam mirror", "steel_lamp": "solid steel floor lamp",
    "foam_billiard": "foam billiard ball", "lead_tennis": "lead-core tennis ball", "iron_bob": "iron ball on a rod",
    "foam_iron_bob": "foam ball that looks like iron", "lead_sandbag": "sandbag filled with lead",
    "cast_iron_pan": "cast-iron pan",
}  # fmt: skip
"""By row name."""

COLOURS: dict[str, str] = {
    "ceramic_plate": "#e8e4da", "red_apple": "#b3232a", "coffee_mug": "#3f6ea5", "paperback_book": "#c9a24b",
    "plastic_bottle": "#7cc4e0", "ripe_banana": "#e6c530", "chef_knife": "#b9bfc6", "hot_iron": "#8a4fa3",
    "glass_shard": "#bfe3e6", "baseball_bat": "#c08a4e", "foam_anvil": "#3b3d42", "hardcover_book": "#7b2d2d",
    "tin_can": "#aeb4ba", "wooden_crate": "#a77a47", "picture_frame": "#6b4a2b", "wall_clock": "#f0efe9",
    "wall_mirror": "#cfdde3", "hanging_plant": "#4f8a3d", "pendant_lamp": "#d9b44a", "chandelier": "#e0c878",
    "wooden_bookshelf": "#8b5e34", "metal_filing_cabinet": "#7f8790", "floor_lamp": "#4a4a4a",
    "decorative_vase": "#3d7f86", "wooden_ladder": "#b98d56", "rubber_ball": "#d1462f", "tennis_ball": "#c9de3c",
    "billiard_ball": "#1f3f8a", "bowling_ball": "#23252b", "small_plant": "#5a9a48", "spice_bottle": "#a8542b",
    "ceramic_vase": "#b96a4a", "heavy_toolbox": "#b02a2a", "wooden": "#9a6b3c", "glass": "#bcd9dd",
    "steel": "#8d949b", "softball": "#e3e66a", "baseball": "#f2efe6", "cricket_ball": "#8e1f2b",
    "throwing_knife": "#9aa1a8", "sandbag": "#b79d72", "iron_bob": "#45484d", "aluminum": "#c6ccd1",
    "heavy_timber": "#8c6239", "steel_industrial": "#737a81", "wooden_step": "#c59a62", "heavy_oak": "#7a5230",
    "hollow_plastic": "#c6ccd1", "steel_ball": "#9ba2a9", "football": "#f4f4f0", "wooden_block": "#c79b5f",
    "metal_canister": "#5d7f5f", "foam_cube": "#8f8f8f", "cast_iron_pan": "#3a8a3f", "ceiling_fan": "#efece4",
    "ceiling_panel": "#e9e9e4",
}  # fmt: skip
"""By row name; published is only that the pan is drawn green."""


def colour(name: str, twin: str = "") -> Vector:
    """Red, green and blue of a row, 0 to 1; that of its twin where it has one."""
    digits = COLOURS[twin or name].removeprefix("#")
    red, green, blue = (round(int(digits[place : place + 2], 16) / 255, 6) for place in (0, 2, 4))
    return (red, green, blue)
