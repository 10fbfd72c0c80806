"""A scene as one row of a table, with an explicit type for every column.

Neutral types: a name of a leaf type, `[type]` for a list, `{name: type}` for a record. Everything may be null. What
varies in its names from family to family (sampled and derived numbers) is a list of names and values.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from jaxphys_benchmarks.reacthuman import files
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue, current, implied_action
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.stored import LABELS, SCENE

_PLACE = ["float64"]
_NAMED = [{"name": "string", "value": "float64"}]

COLUMNS: dict[str, Any] = {
    "scene_id": "string",
    "family": "string",
    "band": "string",
    "group": "int64",
    "group_id": "string",
    "variant": "string",
    "object": "string",
    "object_display": "string",
    "category": "string",
    "mass": "float64",
    "mass_hint": "string",
    "catch_safe": "bool",
    "twin": "string",
    "tracked": "string",
    "description": "string",
    "planned_by": "string",
    "hints": {"speed": "string", "height": "string"},
    "described": "bool",
    "adversarial": "bool",
    "decoy": "bool",
    "appearance_implied_action": "string",
    "safety_label": "string",
    "correct_action": "string",
    "correct_action_released": "string",
    "impact_point": _PLACE,
    "impact_kind": "string",
    "impact_body": "string",
    "t_imp": "float64",
    "t_imp_step": "int64",
    "tti": "float64",
    "time_to_floor": "float64",
    "time_to_floor_published": "float64",
    "event_time": "float64",
    "strike_time": "float64",
    "impact_speed": "float64",
    "impact_velocity": _PLACE,
    "impact_impulse": "float64",
    "clearance": "float64",
    "reachable": "bool",
    "contact_order": ["string"],
    "mass_visible_mm": "float64",
    "visible_px": [{"view": "string", "px": ["int64"]}],
    "room": {"type": "string", "width": "float64", "depth": "float64", "height": "float64"},
    "robot": {
        "x": "float64",
        "y": "float64",
        "z": "float64",
        "yaw_deg": "float64",
        "stand_off": "float64",
        "lateral_offset": "float64",
        "reach_offset": "float64",
    },
    "timing": {"mode": "string", "t0_step": "int64", "freeze_step": "int64", "frames": "int64"},
    "physics": {"dt": "float64", "substeps": "int64", "cone": "string", "drag": "string", "bounce": "string"},
    "horizon": "float64",
    "impact": "string",
    "cameras": [{"name": "string", "pos": _PLACE, "lookat": _PLACE, "fov": "float64"}],
    "notes": "string",
    "things": [
        {
            "name": "string",
            "object": "string",
            "shape": "string",
            "size": _PLACE,
            "mass": "float64",
            "friction": "float64",
            "restitution": "float64",
            "drag_area": "float64",
            "pos": _PLACE,
            "quat": _PLACE,
            "vel": _PLACE,
            "omega": _PLACE,
        }
    ],
    "boxes": [{"name": "string", "pos": _PLACE, "half": _PLACE, "quat": _PLACE, "friction": "float64"}],
    "track": {"times": _PLACE, "pos": [[_PLACE]], "quat": [[_PLACE]], "vel": [[_PLACE]], "omega": [[_PLACE]]},
    "sampled": _NAMED,
    "derived": _NAMED,
    "label_set": "string",
    "seed": "int64",
    "index": "int64",
    "attempt": "int64",
    "rejected": ["int64"],
    "backend": "string",
    "status": "int64",
    "config_hash": "string",
}
"""Type of each column."""


def row(
    spec: ReactHumanSpec,
    labels: Labels,
    objects: Catalogue | None = None,
    views: Sequence[str] = (),
    size_px: tuple[int, int] = (1280, 720),
) -> dict[str, Any]:
    """The row of a scene: one value for each of `COLUMNS`.

    Args:
        spec: the scene. labels: its ground truth. objects: catalogue of the configuration; None: the current one.
        views: cameras that are described. size_px: width and height of their pictures.

    Raises:
        ValueError: the scene has no ground truth.
    """
    rows = objects or current()
    content = files.published(spec, labels, rows, views, size_px)
    scene, truth, told = content[SCENE], content[LABELS], content[files.GROUND_TRUTH]
    thing = rows.get(spec.object, spec.family)
    source = {
        **scene,
        **truth,
        "scene_id": spec.published_id(),
        "group_id": spec.group_id,
        "object_display": thing.display_name,
        "category": thing.category,
        "mass": next(body["mass"] for body in scene["scene"]["things"] if body["name"] == spec.tracked),
        "mass_hint": thing.mass_hint,
        "catch_safe": thing.catch_safe,
        "twin": thing.twin,
        "hints": {name: spec.hints.get(name) for name in COLUMNS["hints"]},
        "described": spec.described,
        "horizon": spec.scene.horizon,
        "cameras": told["cameras"],
        "notes": told["extras"]["notes"],
        "backend": labels.provenance.get("backend"),
        "visible_px": [{"view": view, "px": list(counts)} for view, counts in (labels.visible_px or {}).items()],
        "appearance_implied_action": implied_action(thing, spec.family, rows),
        "room": _some(scene["room"], COLUMNS["room"]),
        "robot": _some(scene["robot"], COLUMNS["robot"]),
        "timing": _some(scene["timing"], COLUMNS["timing"]),
        "physics": _some(scene["physics"], COLUMNS["physics"]),
        "things": [_some(body, COLUMNS["things"][0]) for body in scene["scene"]["things"]],
        "boxes": [_some(box, COLUMNS["boxes"][0]) for box in scene["scene"]["boxes"]],
        "sampled": _named(spec.sampled),
        "derived": _named(spec.derived),
    }
    return {name: source[name] for name in COLUMNS}


def _some(record: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in names}


def _named(numbers: Mapping[str, float]) -> list[dict[str, Any]]:
    return [{"name": name, "value": value} for name, value in numbers.items()]
