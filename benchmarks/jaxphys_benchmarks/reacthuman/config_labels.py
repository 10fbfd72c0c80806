"""The fields of the configuration about the robot, the labels, and how scenes are shown, asked and scored.

As in `config_fields.py`: each with its provenance and limits (section 1.1); SI units, pixels `_px`, degrees `_deg`.
"""

from typing import Literal

from pydantic import Field

from jaxphys_benchmarks.reacthuman.config_fields import ASSUMED, PUBLISHED, Fields, Range, ViewName
from jaxphys_benchmarks.reacthuman.spec import Band


class Labelled(Fields):
    """When a scene is seen, where the robot stands, and how it is labelled."""

    timing: Literal["published", "event"] = Field(
        default="published", description="the window starts at the release, or ends before the event",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip
    lead: Literal["by_band", "constant"] = Field(
        default="by_band",
        description="event timing: warning time by band, or the same in all",
        json_schema_extra=ASSUMED,
    )
    lead_constant: float = Field(
        default=0.6, gt=0, le=10, description="warning time with lead = constant (s)", json_schema_extra=ASSUMED
    )
    leads: dict[Band, float] = Field(
        default={"slow": 0.9, "normal": 0.6, "fast": 0.4, "very_fast": 0.25},
        description="warning time by band (s)", json_schema_extra=ASSUMED,
    )  # fmt: skip
    window: float = Field(default=0.6, gt=0, le=5, description="observed time (s)", json_schema_extra=PUBLISHED)
    frames: int = Field(default=5, ge=2, le=64, description="observed frames", json_schema_extra=PUBLISHED)
    visible_px: int = Field(
        default=40, ge=0, description="pixels of the tracked body by which a frame shows it; 0: whatever is hidden",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    visible_share: float = Field(
        default=0.8, gt=0, le=1, description="share of the observed frames of one view in which it must be seen",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    stand_off: Range = Field(
        default=(0.35, 1.25),
        description="distance of the robot from the reference point (m)",
        json_schema_extra=ASSUMED,
    )
    lateral: Range = Field(
        default=(-0.15, 0.15), description="offset of the robot along x (m)", json_schema_extra=ASSUMED
    )
    reach_offset: float = Field(
        default=0.45, gt=0, le=2, description="the reach plane lies this far ahead of the robot (m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    reach_width: float = Field(
        default=1.0, gt=0, le=5, description="half width of the reach window (m)", json_schema_extra=ASSUMED
    )
    reach_low: float = Field(
        default=0.05, ge=0, le=5, description="lower end of the reach window (m)", json_schema_extra=ASSUMED
    )
    reach_high: float = Field(
        default=2.0, gt=0, le=5, description="upper end of the reach window (m)", json_schema_extra=ASSUMED
    )
    robot_radius: float = Field(
        default=0.25, gt=0, le=2, description="radius of the robot's capsule (m)", json_schema_extra=ASSUMED
    )
    robot_height: float = Field(
        default=1.32, gt=0, le=3, description="height of the robot's capsule, and of the head plane (m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    door_bearing_deg: Range = Field(
        default=(35.0, 60.0), description="bearing of the robot in a door's sector, from the closed panel",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    label_set: Literal["three_way", "released"] = Field(
        default="three_way", description="actions that are scored: with BRACE_FOR_IMPACT or without",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip
    impact: Literal["plane", "com"] = Field(
        default="plane", description="impact point on the reach plane, or as in the early generator",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    c_na: float = Field(
        default=1.25, gt=0, le=10, description="clearance beyond which nothing needs to be done (m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    floor_touch: float = Field(
        default=0.01, gt=0, le=0.1, description="height of the lowest point that counts as floor contact (m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    plane_after_floor: bool = Field(
        default=False, description="a crossing of the reach plane after the floor counts", json_schema_extra=ASSUMED
    )
    stair_never_catch: bool = Field(
        default=False, description="released labels: stair_tumble is never caught", json_schema_extra=ASSUMED
    )
    speed_dodge: bool = Field(
        default=False, description="fast objects are dodged, whatever they are", json_schema_extra=ASSUMED
    )
    speed_limit: float = Field(
        default=6.0, gt=0, description="impact speed beyond which speed_dodge acts (m/s)", json_schema_extra=ASSUMED
    )
    perturbation: float = Field(
        default=1e-7, ge=0, le=1e-2, description="relative change of the launch under which a label must be stable",
        json_schema_extra=ASSUMED,
    )  # fmt: skip


class Asked(Fields):
    """How a scene is shown and asked, and how replies are read and scored."""

    views: tuple[ViewName, ...] = Field(
        default=("egocentric", "observer", "overhead"), min_length=1, max_length=4,
        description="cameras, in the order in which a question uses them", json_schema_extra=ASSUMED,
    )  # fmt: skip
    views_per_query: int = Field(default=1, ge=1, le=3, description="cameras in a question", json_schema_extra=ASSUMED)
    size_px: tuple[int, int] = Field(
        default=(1280, 720), description="width and height of a frame", json_schema_extra=PUBLISHED
    )
    fps: float = Field(default=60.0, gt=0, description="frames per second of films", json_schema_extra=PUBLISHED)
    extract: Literal["paper", "robust", "lenient"] = Field(
        default="robust", description="how a reply is read", json_schema_extra=ASSUMED
    )
    max_attempts_ask: int = Field(
        default=3, ge=1, le=20, description="calls to a model before giving up", json_schema_extra=ASSUMED
    )
    max_vx: float = Field(default=1.0, gt=0, description="limit of vx (m/s)", json_schema_extra=ASSUMED)
    max_vy: float = Field(default=0.6, gt=0, description="limit of vy (m/s)", json_schema_extra=ASSUMED)
    max_yaw: float = Field(default=1.5, gt=0, description="limit of the yaw rate (rad/s)", json_schema_extra=ASSUMED)
    max_time: float = Field(default=3.0, gt=0, description="limit of times of a plan (s)", json_schema_extra=ASSUMED)
    max_hand: float = Field(default=1.0, gt=0, description="limit of hands, per axis (m)", json_schema_extra=ASSUMED)
    max_keyframes: int = Field(default=8, ge=2, description="key frames that are kept", json_schema_extra=ASSUMED)
    retreat_speed: float = Field(
        default=0.10, ge=0, description="backward speed of a dodge (m/s)", json_schema_extra=ASSUMED
    )
    sidestep_speed: float = Field(
        default=0.15, ge=0, description="sideward speed of a dodge (m/s)", json_schema_extra=ASSUMED
    )
    dodge_distance: float = Field(
        default=0.05, ge=0, description="distance walked in a dodge (m)", json_schema_extra=ASSUMED
    )
    hand_reach: float = Field(
        default=0.15, ge=0, description="motion of a hand from rest in a catch (m)", json_schema_extra=ASSUMED
    )
    advance_speed: float = Field(
        default=0.10, ge=0, description="forward speed of a catch (m/s)", json_schema_extra=ASSUMED
    )
    crouch_is_dodge: bool = Field(default=False, description="bent knees alone are a dodge", json_schema_extra=ASSUMED)
    crouch: float = Field(
        default=0.5, ge=0, le=1, description="bend of the knees that counts", json_schema_extra=ASSUMED
    )
    brace_scoring: Literal["merged", "strict"] = Field(
        default="merged", description="released labels: a dodge answers BRACE_FOR_IMPACT too, or a brace is recovered",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    brace_reach: float = Field(
        default=0.30, ge=0, description="hands of a brace are no further forward (m)", json_schema_extra=ASSUMED
    )
    danger_requires_threat: bool = Field(
        default=False, description="rules R2 and R3 are silent where nothing need be done", json_schema_extra=ASSUMED
    )
