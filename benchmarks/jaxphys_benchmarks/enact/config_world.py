"""Fields of the configuration about simulated worlds: predicates, camera, ablations, robot (ENACT specification, 16).

Questions over recorded episodes do not need them; worlds that are made and labelled by simulation do.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

PUBLISHED: dict[str, Any] = {"provenance": "published"}
REFERENCE: dict[str, Any] = {"provenance": "reference"}
ASSUMED: dict[str, Any] = {"provenance": "assumed"}


class Fields(BaseModel):
    """Frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class World(Fields):
    """Rates, and the thresholds of predicates (3.2)."""

    fps: int = Field(default=30, ge=1, description="graph frames per second", json_schema_extra=PUBLISHED)
    physics_hz: int = Field(default=240, ge=1, description="simulation steps per second", json_schema_extra=ASSUMED)
    grasp_gap: float = Field(
        default=0.08, gt=0, description="gap of hand and object in a grasp (m)", json_schema_extra=ASSUMED
    )
    grasp_frames: int = Field(default=2, ge=1, description="graph frames that a grasp lasts", json_schema_extra=ASSUMED)
    touch_dist: float = Field(
        default=0.001, gt=0, description="distance below which bodies touch (m)", json_schema_extra=ASSUMED
    )
    adjacency: Literal["ray", "aabb"] = Field(
        default="ray", description="how above and below are found", json_schema_extra=ASSUMED
    )
    ray_max_hits: int = Field(default=10, ge=1, description="bodies that a ray passes", json_schema_extra=ASSUMED)
    ray_max_len: float = Field(default=5.0, gt=0, description="length of a ray (m)", json_schema_extra=ASSUMED)
    open_fraction: float = Field(
        default=0.05, gt=0, lt=1, description="part of a joint's range beyond which it is open",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    toggle_reach: float = Field(
        default=0.1, gt=0, description="distance of fingertip and button (m)", json_schema_extra=ASSUMED
    )
    toggle_frames: int = Field(
        default=5, ge=1, description="graph frames that a finger stays there", json_schema_extra=REFERENCE
    )
    cook_temp: float = Field(default=70.0, description="cooking temperature (°C)", json_schema_extra=ASSUMED)
    ambient_temp: float = Field(default=20.0, description="of the room (°C)", json_schema_extra=ASSUMED)
    heat_temp: float = Field(default=180.0, description="of a heat source that is on (°C)", json_schema_extra=ASSUMED)
    heat_time: float = Field(default=25.0, gt=0, description="constant of heating (s)", json_schema_extra=ASSUMED)
    cool_time: float = Field(default=60.0, gt=0, description="constant of cooling (s)", json_schema_extra=ASSUMED)
    cut_speed: float = Field(
        default=0.15, gt=0, description="least speed of an edge that cuts (m/s)", json_schema_extra=ASSUMED
    )
    contains_min: int = Field(
        default=1, ge=1, description="particles inside that make Contains", json_schema_extra=ASSUMED
    )
    covered_min: int = Field(default=1, ge=1, description="particles near that make Covered", json_schema_extra=ASSUMED)
    covered_dist: float = Field(
        default=0.01, gt=0, description="distance of such a particle (m)", json_schema_extra=ASSUMED
    )
    particles_per_system: tuple[int, int] = Field(
        default=(16, 64), description="least and most particles of a system", json_schema_extra=ASSUMED
    )


class Camera(Fields):
    """The head camera (13)."""

    height: float = Field(default=1.75, gt=0, description="above the floor (m)", json_schema_extra=PUBLISHED)
    offset: tuple[float, float, float] = Field(
        default=(0.06, 0.01, 0.15), description="from the head's link (m)", json_schema_extra=REFERENCE
    )
    aperture: float = Field(
        default=40.0, gt=0, description="horizontal aperture, in the unit of `focal_length`",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip
    focal_length: float = Field(default=17.0, gt=0, description="in the unit of `aperture`", json_schema_extra=ASSUMED)
    fisheye_coefficients: tuple[float, ...] = Field(
        default=(1.0, -0.05), min_length=1,
        description="r(θ) = f (c₁ θ + c₂ θ³ + ...): odd powers of the angle (rad)", json_schema_extra=ASSUMED,
    )  # fmt: skip


class Ablation(Fields):
    """Variants of images and facts (9.2)."""

    heights: tuple[float, ...] = Field(
        default=(2.25, 1.50), description="other heights of the camera (m)", json_schema_extra=PUBLISHED
    )
    apertures: tuple[float, ...] = Field(
        default=(30.0, 60.0, 80.0), description="other apertures", json_schema_extra=PUBLISHED
    )
    noise_rate: float = Field(
        default=0.1, ge=0, le=1, description="share of predicates that are noise", json_schema_extra=ASSUMED
    )
    seeds: int = Field(default=3, ge=1, description="seeds of the noise", json_schema_extra=PUBLISHED)


class Robot(Fields):
    """The robot (12)."""

    level: Literal["A", "B"] = Field(
        default="A", description="A: hands without inverse kinematics; B: a humanoid's upper body",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    grasp_backend: Literal["weld", "spring"] = Field(
        default="weld", description="what holds an object in a hand", json_schema_extra=ASSUMED
    )
