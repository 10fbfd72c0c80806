"""The catalogue's 82 rows (ReactHuman specification, sections 4.2 to 4.14), one table per group of families.

A number stands as in the source; None, or a field left out, is not known and is filled in by section 4.1 as assumed.
Unmarked values are those of the early public generator; `assumed` and `published` name the fields that are not.
"""

from typing import Any

from jaxphys_benchmarks.reacthuman.catalogue_looks import DISPLAY_NAMES, colour
from jaxphys_benchmarks.reacthuman.objects import Object

# Of the shared pool of section 4.2, ramps take what neither rolls nor topples on them, and chains neither what lies (it
# rolls) nor what is thinner than a strike sinks in (the trigger climbs it).
FALLS = ("object_drop", "ceiling_drop")
SLIDES = (*FALLS, "sliding_object")
STRUCK = (*FALLS, "chain_reaction", "multi_object")
DROP = (*STRUCK, "sliding_object")
CASCADE, HOPS = (*DROP, "surface_cascade"), (*STRUCK, "surface_cascade")


def _row(
    name: str,
    families: str | tuple[str, ...],
    morph: str,
    sizes: tuple[float, ...],
    density: float,
    friction: float | None,
    restitution: float | None,
    catch_safe: bool,
    safety_label: str,
    mass_hint: str | None = None,
    *,
    assumed: str = "",
    published: str = "",
    **others: Any,
) -> Object:
    """A row; `sizes` is (r,), (r, half height) or the half extents (m); `assumed`, `published`: names of fields."""
    given = {
        "name": name,
        "families": (families,) if isinstance(families, str) else families,
        "morph": morph,
        "visual_size": sizes if len(sizes) == 3 else (sizes[0], sizes[0], sizes[-1]),
        "density": density,
        "friction": friction,
        "restitution": restitution,
        "catch_safe": catch_safe,
        "safety_label": safety_label,
        "mass_hint": mass_hint,
        **others,
    }
    marks = dict.fromkeys((field for field, value in given.items() if value is not None), "early_generator")
    given["color_rgb"], marks["color_rgb"] = colour(name, others.get("twin", "")), "assumed"
    if name in DISPLAY_NAMES:
        given["display_name"], marks["display_name"] = DISPLAY_NAMES[name], "assumed"
    ours = ("lies", "collider", "size", "mass_override", "catch_override", "probe", "appearance_implied_action")
    marks |= dict.fromkeys((field for field in ours if field in others), "assumed")
    marks |= dict.fromkeys(published.split(), "published") | dict.fromkeys(assumed.split(), "assumed")
    return Object.model_validate({**given, "provenance": marks})


# Section 4.2. The mug, knife, bat and plate are hollow or thin meshes, so their masses are given.
OBJECT_DROP = (
    _row("ceramic_plate", DROP, "cylinder", (0.13, 0.035), 2300, 0.30, 0.15, True, "safe", "light",
         size=(0.13, 0.13, 0.012), mass_override=0.60, phys_half_x=0.13, phys_half_z=0.035),
    _row("red_apple", HOPS, "sphere", (0.037,), 850, 0.45, 0.30, True, "safe", "light"),
    _row("coffee_mug", DROP, "cylinder", (0.055, 0.043), 1900, 0.35, 0.12, True, "safe", "light", mass_override=0.35),
    _row("paperback_book", CASCADE, "box", (0.075, 0.11, 0.015), 700, 0.55, 0.05, True, "safe", "light"),
    _row("plastic_bottle", HOPS, "cylinder", (0.035, 0.11), 250, 0.30, 0.40, True, "safe", "light"),
    _row("ripe_banana", FALLS, "cylinder", (0.018, 0.1), 950, 0.40, 0.20, True, "safe", "light",
         lies=True, phys_half_x=0.10, phys_half_z=0.018),
    _row("chef_knife", DROP, "box", (0.117, 0.012, 0.012), 7800, 0.20, 0.08, False, "dangerous", "medium",
         mass_override=0.25, phys_half_x=0.117, phys_half_z=0.119),
    _row("hot_iron", DROP, "box", (0.065, 0.12, 0.055), 1400, 0.25, 0.06, False, "dangerous", "heavy"),
    _row("glass_shard", SLIDES, "box", (0.06, 0.04, 0.004), 2500, 0.15, 0.20, False, "dangerous", "light"),
    _row("baseball_bat", FALLS, "cylinder", (0.035, 0.43), 600, 0.45, 0.35, False, "dangerous", "medium",
         lies=True, mass_override=0.95, phys_half_x=0.43, phys_half_z=0.035),
    _row("foam_anvil", DROP, "box", (0.08, 0.06, 0.07), 40, 0.50, 0.60, True, "safe", "light",
         adversarial=True, probe="named", appearance_implied_action="TRIGGER_DODGE"),
    _row("steel_apple", STRUCK, "sphere", (0.037,), 7800, 0.20, 0.08, False, "dangerous", "heavy",
         adversarial=True, probe="named", twin="red_apple"),
)  # fmt: skip

# Section 4.3.
STACK_COLLAPSE = (
    _row("hardcover_book", ("stack_collapse", "surface_cascade"), "box", (0.095, 0.125, 0.018), 750, 0.55, 0.05,
         True, "safe", "light"),
    _row("tin_can", "stack_collapse", "cylinder", (0.04, 0.055), 900, 0.40, 0.20, True, "safe", "light"),
    _row("wooden_crate", "stack_collapse", "box", (0.12, 0.1, 0.1), 450, 0.65, 0.10, False, "caution", "medium"),
    _row("steel_can", "stack_collapse", "cylinder", (0.04, 0.055), 7800, None, 0.08, False, "dangerous", "heavy",
         adversarial=True, probe="named", twin="tin_can"),
)  # fmt: skip

# Section 4.4.
HANGING_FALL = (
    _row("picture_frame", "hanging_fall", "box", (0.3, 0.015, 0.22), 800, 0.40, None, True, "safe",
         assumed="friction safety_label", mount="wall"),
    _row("wall_clock", "hanging_fall", "box", (0.18, 0.015, 0.18), 900, None, None, True, "safe",
         assumed="safety_label", mount="wall"),
    _row("wall_mirror", "hanging_fall", "box", (0.25, 0.02, 0.4), 2500, 0.15, None, False, "dangerous", "heavy",
         assumed="friction", mount="wall"),
    _row("foam_mirror", "hanging_fall", "box", (0.25, 0.02, 0.4), 35, None, None, True, "safe",
         assumed="safety_label", adversarial=True, probe="named", twin="wall_mirror", mount="wall"),
    _row("hanging_plant", "hanging_fall", "sphere", (0.12,), 1200, 0.50, None, True, "caution", "medium",
         assumed="friction", mount="ceiling"),
    _row("pendant_lamp", "hanging_fall", "cylinder", (0.15, 0.12), 1600, None, None, False, "dangerous", "medium",
         mount="ceiling"),
    _row("chandelier", "hanging_fall", "box", (0.3, 0.3, 0.2), 1800, 0.25, None, False, "dangerous", "heavy",
         assumed="friction", mount="ceiling"),
)  # fmt: skip

# Section 4.5.
FURNITURE_TIP = (
    _row("wooden_bookshelf", "furniture_tip", "box", (0.2, 0.15, 0.9), 550, 0.60, None, False, "dangerous", "heavy",
         assumed="friction safety_label mass_hint"),
    _row("metal_filing_cabinet", "furniture_tip", "box", (0.2, 0.23, 0.6), 800, 0.50, None, False, "dangerous", "heavy",
         assumed="friction safety_label mass_hint"),
    _row("floor_lamp", "furniture_tip", "cylinder", (0.04, 0.72), 280, 0.35, None, False, "caution", "light",
         assumed="friction"),
    _row("decorative_vase", "furniture_tip", "cylinder", (0.12, 0.38), 1600, None, None, False, "dangerous", "heavy",
         assumed="safety_label mass_hint"),
    _row("wooden_ladder", "furniture_tip", "box", (0.18, 0.06, 0.85), 480, None, None, False, "caution", "medium",
         assumed="safety_label mass_hint"),
    _row("foam_bookshelf", "furniture_tip", "box", (0.2, 0.15, 0.9), 35, None, None, False, "safe", "light",
         adversarial=True, probe="chosen", twin="wooden_bookshelf", catch_override=True),
    _row("steel_lamp", "furniture_tip", "cylinder", (0.04, 0.72), 7800, None, None, False, "dangerous", "heavy",
         assumed="visual_size safety_label mass_hint", adversarial=True, twin="floor_lamp"),
)  # fmt: skip

# Section 4.6.
ROLLING_BALL = (
    _row("rubber_ball", "rolling_ball", "sphere", (0.035,), 400, 0.65, 0.75, True, "safe", "light",
         assumed="safety_label mass_hint"),
    _row("tennis_ball", "rolling_ball", "sphere", (0.033,), 350, None, None, True, "safe", "light",
         assumed="safety_label mass_hint"),
    _row("billiard_ball", "rolling_ball", "sphere", (0.028,), 1700, 0.10, 0.85, False, "caution", "light",
         assumed="mass_hint"),
    _row("bowling_ball", "rolling_ball", "sphere", (0.108,), 1100, 0.25, None, False, "dangerous", "heavy",
         assumed="friction"),
    _row("foam_billiard", "rolling_ball", "sphere", (0.028,), 40, None, None, True, "safe", "light",
         assumed="safety_label mass_hint", adversarial=True, probe="chosen", twin="billiard_ball"),
    _row("lead_tennis", "rolling_ball", "sphere", (0.033,), 8000, None, None, False, "dangerous", "heavy",
         assumed="safety_label mass_hint", adversarial=True, probe="named", twin="tennis_ball"),
)  # fmt: skip

# Section 4.7.
SHELF_SLIDE = (
    _row("small_plant", "shelf_slide", "cylinder", (0.06, 0.065), 900, None, None, True, "safe",
         assumed="safety_label"),
    _row("spice_bottle", "shelf_slide", "cylinder", (0.03, 0.058), 600, 0.20, None, True, "caution",
         assumed="friction"),
    _row("ceramic_vase", "shelf_slide", "cylinder", (0.08, 0.15), 1600, 0.30, None, False, "dangerous",
         assumed="friction safety_label"),
    _row("heavy_toolbox", "shelf_slide", "box", (0.15, 0.1, 0.08), 900, None, None, False, "dangerous", "heavy",
         assumed="safety_label"),
    _row("foam_vase", "shelf_slide", "cylinder", (0.08, 0.15), 35, None, None, True, "safe",
         assumed="safety_label", adversarial=True, probe="chosen", twin="ceramic_vase"),
)  # fmt: skip

# Section 4.8: half thickness along y; width and height are those in the middle of what scenes draw.
DOOR_SWING = (
    _row("wooden", "door_swing", "box", (0.4625, 0.0225, 1.025), 650, None, None, False, "caution",
         assumed="safety_label"),
    _row("hollow", "door_swing", "box", (0.4625, 0.019, 1.025), 120, None, None, False, "caution",
         category="safe", twin="wooden", assumed="twin", probe="named", published="probe", catch_override=True),
    _row("glass", "door_swing", "box", (0.4625, 0.006, 1.025), 2500, None, None, False, "dangerous",
         assumed="safety_label"),
    _row("steel", "door_swing", "box", (0.4625, 0.030, 1.025), 7800, None, None, False, "dangerous",
         assumed="safety_label"),
    _row("foam", "door_swing", "box", (0.4625, 0.0225, 1.025), 30, None, None, False, "safe",
         assumed="safety_label", adversarial=True, twin="wooden", catch_override=True),
)  # fmt: skip

# Section 4.9.
THROWN_OBJECT = (
    _row("softball", "thrown_object", "sphere", (0.048,), 195, 0.60, None, True, "safe",
         assumed="friction safety_label"),
    _row("baseball", "thrown_object", "sphere", (0.037,), 730, None, None, True, "safe", assumed="safety_label"),
    _row("cricket_ball", "thrown_object", "sphere", (0.036,), 1120, 0.65, None, False, "dangerous",
         assumed="friction safety_label"),
    _row("throwing_knife", "thrown_object", "box", (0.012, 0.004, 0.15), 7800, 0.25, None, False, "dangerous",
         assumed="friction safety_label"),
    _row("foam_baseball", "thrown_object", "sphere", (0.037,), 28, None, None, True, "safe", "light",
         assumed="safety_label mass_hint", adversarial=True, probe="chosen", twin="baseball"),
    _row("lead_tennis", "thrown_object", "sphere", (0.033,), 3600, None, None, False, "dangerous", "heavy",
         assumed="safety_label mass_hint", adversarial=True, probe="named", twin="tennis_ball"),
)  # fmt: skip

# Section 4.10.
PENDULUM_SWING = (
    _row("sandbag", "pendulum_swing", "box", (0.18, 0.12, 0.25), 400, 0.70, None, False, "safe", assumed="friction"),
    _row("iron_bob", "pendulum_swing", "sphere", (0.12,), 7800, 0.30, None, False, "dangerous", "heavy",
         assumed="friction safety_label mass_hint"),
    _row("chandelier", "pendulum_swing", "box", (0.3, 0.3, 0.35), 2600, None, None, False, "dangerous", "heavy",
         assumed="safety_label mass_hint"),
    _row("foam_iron_bob", "pendulum_swing", "sphere", (0.12,), 25, None, None, False, "safe", "light",
         adversarial=True, twin="iron_bob", catch_override=True),
    _row("lead_sandbag", "pendulum_swing", "box", (0.18, 0.12, 0.25), 6800, None, None, False, "dangerous", "heavy",
         assumed="safety_label mass_hint", adversarial=True, probe="named", twin="sandbag"),
)  # fmt: skip

# Section 4.11.
LADDER_SLIP = (
    _row("aluminum", "ladder_slip", "box", (0.22, 0.05, 0.95), 360, 0.22, None, False, "caution", "light"),
    _row("heavy_timber", "ladder_slip", "box", (0.2, 0.06, 1.05), 620, None, None, False, "dangerous", "heavy",
         assumed="safety_label mass_hint"),
    _row("steel_industrial", "ladder_slip", "box", (0.25, 0.06, 1.1), 1100, 0.20, None, False, "dangerous", "heavy",
         assumed="friction safety_label mass_hint"),
    _row("wooden_step", "ladder_slip", "box", (0.22, 0.05, 1.25), 480, None, None, False, "caution", "medium",
         assumed="visual_size safety_label mass_hint"),
    _row("heavy_oak", "ladder_slip", "box", (0.22, 0.05, 1.25), 750, None, None, False, "dangerous", "heavy",
         assumed="visual_size safety_label mass_hint"),
    _row("hollow_plastic", "ladder_slip", "box", (0.22, 0.05, 0.95), 30, None, None, False, "safe", "light",
         assumed="visual_size safety_label mass_hint", adversarial=True, probe="chosen", catch_override=True,
         appearance_implied_action="TRIGGER_DODGE"),
    _row("foam_prop_step", "ladder_slip", "box", (0.22, 0.05, 1.25), 22, None, None, False, "safe", "light",
         assumed="visual_size safety_label mass_hint", adversarial=True, twin="wooden_step", catch_override=True),
)  # fmt: skip

# Section 4.12.
BOUNCING_OBJECT = (
    _row("rubber_ball", "bouncing_object", "sphere", (0.04,), 350, 0.65, 0.82, True, "safe",
         assumed="friction safety_label"),
    _row("tennis_ball", "bouncing_object", "sphere", (0.033,), 350, None, 0.72, True, "safe", assumed="safety_label"),
    _row("billiard_ball", "bouncing_object", "sphere", (0.028,), 1700, 0.10, 0.88, False, "caution",
         assumed="safety_label"),
    _row("steel_ball", "bouncing_object", "sphere", (0.025,), 3000, None, 0.70, False, "dangerous",
         assumed="safety_label"),
    _row("foam_billiard", "bouncing_object", "sphere", (0.028,), 40, None, 0.80, True, "safe", "light",
         assumed="safety_label mass_hint", adversarial=True, probe="chosen", twin="billiard_ball"),
    _row("lead_tennis", "bouncing_object", "sphere", (0.033,), 2500, None, 0.20, False, "dangerous", "heavy",
         assumed="safety_label mass_hint", adversarial=True, probe="named", twin="tennis_ball"),
)  # fmt: skip

# Section 4.13: cylinders lie along x and roll; the canister and the vase keep their full length.
STAIR_TUMBLE = (
    _row("rubber_ball", "stair_tumble", "sphere", (0.08,), 400, 0.80, None, True, "safe",
         assumed="friction safety_label"),
    _row("football", "stair_tumble", "sphere", (0.105,), 80, None, 0.72, True, "safe", assumed="safety_label"),
    _row("wooden_block", "stair_tumble", "box", (0.08, 0.08, 0.08), 600, 0.55, None, True, "safe",
         assumed="friction safety_label"),
    _row("bowling_ball", "stair_tumble", "sphere", (0.108,), 1600, 0.25, None, False, "dangerous", "heavy",
         assumed="friction safety_label mass_hint"),
    _row("ceramic_vase", "stair_tumble", "cylinder", (0.07, 0.18), 2200, None, None, False, "dangerous",
         lies=True, assumed="safety_label"),
    _row("metal_canister", "stair_tumble", "cylinder", (0.065, 0.14), 2800, 0.35, None, False, "dangerous",
         lies=True, assumed="friction safety_label"),
    _row("foam_cube", "stair_tumble", "box", (0.09, 0.09, 0.09), 40, None, None, True, "safe", "light",
         assumed="safety_label mass_hint", adversarial=True, appearance_implied_action="TRIGGER_DODGE"),
    _row("steel_ball", "stair_tumble", "sphere", (0.08,), 7800, None, None, False, "dangerous", "heavy",
         assumed="safety_label mass_hint", adversarial=True, probe="chosen", twin="rubber_ball"),
)  # fmt: skip

# Section 4.14: what published scenes and probes need.
_ALL = "morph visual_size density friction restitution catch_safe safety_label mass_hint twin"
ADDED = (
    _row("cast_iron_pan", ("chain_reaction", "multi_object"), "box", (0.09, 0.09, 0.008), 7200, 0.30, 0.10, False,
         "dangerous", "heavy", assumed="morph visual_size friction restitution catch_safe mass_hint",
         published="density safety_label name"),
    _row("ceiling_fan", "ceiling_drop", "box", (0.45, 0.45, 0.06), 70, 0.40, 0.10, False, "dangerous", "heavy",
         assumed=_ALL, published="name"),
    _row("ceiling_panel", "ceiling_drop", "box", (0.3, 0.3, 0.01), 900, 0.50, 0.05, False, "dangerous", "medium",
         assumed=f"name {_ALL}"),
    _row("foam_ceiling_panel", "ceiling_drop", "box", (0.3, 0.3, 0.02), 30, 0.50, 0.30, True, "safe", "light",
         assumed=_ALL, published="name probe catch_safe", adversarial=True, probe="named", twin="ceiling_panel"),
)  # fmt: skip

ROWS = (
    *OBJECT_DROP, *STACK_COLLAPSE, *HANGING_FALL, *FURNITURE_TIP, *ROLLING_BALL, *SHELF_SLIDE, *DOOR_SWING,
    *THROWN_OBJECT, *PENDULUM_SWING, *LADDER_SLIP, *BOUNCING_OBJECT, *STAIR_TUMBLE, *ADDED,
)  # fmt: skip
"""In the order of the specification."""
