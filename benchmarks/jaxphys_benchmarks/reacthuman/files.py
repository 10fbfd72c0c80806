"""What a scene looks like on disk: `scene.json`, `labels.json`, and both again in the published names.

    scene.json         every drawn number: what is needed to simulate, draw and ask about the scene again
    labels.json        what happened, measured on the simulated motion, and the bodies at the observed frames
    ground_truth.json  the published records (ReactHuman specification, sections 10.1 and 10.2), for people and other
                       tools: object, room, robot, the family's own block, cameras, light, ground truth; the early
                       difficulty is there without values, because its definition is not public

Nothing here touches the disk: `published` makes the objects, `read` checks and reads the first two back, bit for bit.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from jaxphys_benchmarks.reacthuman import cameras, remarks
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue, Object, current, implied_action
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.stored import LABELS, SCENE, spec_and_labels
from jaxphys_kernels.status import describe

GROUND_TRUTH = "ground_truth.json"

BLOCKS: Mapping[str, str] = {
    "object_drop": "drop",
    "furniture_tip": "tip",
    "hanging_fall": "hanging",
    "stack_collapse": "stack",
    "sliding_object": "ramp",
    "rolling_ball": "roll",
    "shelf_slide": "shelf",
    "door_swing": "door",
    "thrown_object": "thrown",
    "pendulum_swing": "pendulum",
    "bouncing_object": "bounce",
    "ladder_slip": "ladder",
    "chain_reaction": "chain",
    "ceiling_drop": "ceiling_drop",
    "stair_tumble": "stair",
    "surface_cascade": "cascade",
    "multi_object": "multi",
}
"""Name of the block of a family's own numbers in the published scene file."""


def published(
    spec: ReactHumanSpec,
    labels: Labels,
    objects: Catalogue | None = None,
    views: Sequence[str] = (),
    size_px: tuple[int, int] = (1280, 720),
) -> dict[str, dict[str, Any]]:
    """The scene's files by name, ready for JSON.

    Args:
        spec: the scene. labels: its ground truth. objects: catalogue of the configuration; None: the current one.
        views: cameras that are described. size_px: width and height of their pictures.

    Raises:
        ValueError: the status word is not zero, so there is no ground truth to publish.
    """
    if labels.status:
        raise ValueError(
            f"{spec.id}: status {labels.status}, no label is written: {'; '.join(describe(labels.status))}"
        )
    return {
        SCENE: spec.model_dump(mode="json", by_alias=True),
        LABELS: {"id": spec.id, **labels.model_dump(mode="json")},
        GROUND_TRUTH: {
            **ground_truth(spec, labels, objects or current()),
            **cameras.published(spec, views, size_px),
        },
    }


def ground_truth(spec: ReactHumanSpec, labels: Labels, objects: Catalogue) -> dict[str, Any]:
    """The published records of a scene, under the published names where there are any."""
    thing = objects.get(spec.object, spec.family)
    point = list(labels.impact_point) if labels.impact_point else None
    return {
        "scene_id": spec.published_id(),
        "id": spec.id,
        "group_id": spec.group_id,
        "seed": spec.seed,
        "attempt": spec.attempt,
        "task_type": spec.family,
        "description": spec.description,
        "planned_by": spec.planned_by,
        "hints": dict(spec.hints),
        "described": spec.described,
        "adversarial": spec.adversarial,
        "band": spec.band,
        "variant": spec.variant,
        "timing_mode": spec.timing.mode,
        "label_set": spec.label_set,
        "room": spec.room.model_dump(mode="json"),
        "object": _object(thing),
        BLOCKS.get(spec.family, spec.family): dict(spec.sampled),
        "derived": {**spec.derived, "t_strike": labels.strike_time},
        "lighting": remarks.lighting(spec),
        "robot": {
            "x": spec.robot.x,
            "y": spec.robot.y,
            "z": spec.robot.z,
            "yaw": spec.robot.yaw_deg,
            "stand_off": spec.robot.stand_off,
            "lateral_offset": spec.robot.lateral_offset,
            "reach_offset": spec.robot.reach_offset,
        },
        "dt": spec.physics.dt,
        "substeps": spec.physics.substeps,
        "cone": spec.physics.cone,
        "drag": spec.physics.drag,
        "bounce": spec.physics.bounce,
        "duration_s": spec.scene.horizon,
        "ground_truth_action": labels.correct_action,
        "safety_label": labels.safety_label,
        "interception_point_2d": point[:2] if point else None,
        "interception_point_3d": point,
        "time_to_floor_s": labels.time_to_floor_published,
        "ground_truth": {
            "correct_action": labels.correct_action,
            "correct_action_released": labels.correct_action_released,
            "impact_point_world": point,
            "impact_kind": labels.impact_kind,
            "time_to_impact": labels.tti,
            "t_imp_step": labels.t_imp_step,
            "t_imp_s": labels.t_imp,
            "time_to_floor_s": labels.time_to_floor,
            "time_to_floor_published_s": labels.time_to_floor_published,
            "t_strike_s": labels.strike_time,
            "reachable_mask": labels.reachable,
            "safety_label": labels.safety_label,
            "object_value": thing.object_value,
            "clearance_m": labels.clearance,
            "impact_speed": labels.impact_speed,
            "impact_velocity": list(labels.impact_velocity) if labels.impact_velocity else None,
            "impact_impulse_estimate": labels.impact_impulse,
            "contact_order": list(labels.contact_order),
            "status": labels.status,
            "provenance": dict(labels.provenance),
        },
        "difficulty": remarks.difficulty(),
        "extras": {
            "object_display": thing.display_name,
            "notes": remarks.notes(spec, labels, objects),
            "appearance_implied_action": implied_action(thing, spec.family, objects),
            "mass_visible_mm": labels.mass_visible_mm,
            "visible_px": {view: list(counts) for view, counts in (labels.visible_px or {}).items()},
        },
    }


def read(files: Mapping[str, Mapping[str, Any]]) -> tuple[ReactHumanSpec, Labels]:
    """Spec and labels from the objects that `published` made; a spec of an older version is brought up to the newest.

    Raises:
        ValueError: naming the file and the field that is missing or wrong.
    """
    for name in (SCENE, LABELS):
        if not isinstance(files.get(name), Mapping):
            raise ValueError(f"{name}: missing; a scene has {SCENE}, {LABELS} and {GROUND_TRUTH}")
    spec, labels = spec_and_labels(files, ReactHumanSpec, Labels)
    if labels.status:
        raise ValueError(f"{LABELS}: status: {labels.status}; a stored scene has ground truth and status 0")
    if labels.track is None or any(len(row) != len(spec.scene.things) for row in labels.track.pos):
        raise ValueError(f"{LABELS}: track: missing, or not of the {len(spec.scene.things)} bodies of {SCENE}")
    truth = files.get(GROUND_TRUTH)
    if not isinstance(truth, Mapping):
        raise ValueError(f"{GROUND_TRUTH}: missing; a scene has {SCENE}, {LABELS} and {GROUND_TRUTH}")
    pairs = {"scene_id": spec.published_id(), "ground_truth_action": labels.correct_action}
    for field, expected in pairs.items():
        if truth.get(field) != expected:
            raise ValueError(
                f"{GROUND_TRUTH}: {field}: {truth.get(field)!r}, but {SCENE} and {LABELS} give {expected!r}"
            )
    return spec, labels


def _object(thing: Object) -> dict[str, Any]:
    """The published fields of a catalogue row."""
    return {
        "name": thing.name,
        "display_name": thing.display_name,
        "category": thing.category,
        "morph": thing.morph,
        "mesh_path": thing.mesh_path,
        "bottom_z_offset": thing.bottom_z_offset,
        "phys_half_x": thing.phys_half_x or thing.half_width,
        "phys_half_z": thing.phys_half_z or thing.half_height,
        "mesh_base_y": thing.mesh_base_y,
        "mesh_top_y": thing.mesh_top_y,
        "size": list(thing.visual_size),
        "collider": thing.collider,
        "collider_size": list(thing.size),
        "density": thing.density,
        "mass": thing.mass,
        "friction": thing.friction,
        "restitution": thing.restitution,
        "drag_area_cd": thing.drag_area,
        "color_rgb": list(thing.color_rgb),
        "roughness": thing.roughness,
        "ior": thing.ior,
        "catch_safe": thing.catch_safe,
        "safety_label": thing.safety_label,
        "mass_hint": thing.mass_hint,
        "description": thing.description,
    }
