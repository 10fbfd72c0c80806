"""The fields of the configuration, by what they are about, each with its provenance and limits (section 1.1).

`config.ReactHumanConfig` puts them together and checks what one field says about another. SI units; pixels `_px`.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from jaxphys_benchmarks.reacthuman import catalogue, rooms
from jaxphys_benchmarks.reacthuman.catalogue import Object
from jaxphys_benchmarks.reacthuman.premise import Premise
from jaxphys_benchmarks.reacthuman.spec import Band

PUBLISHED: dict[str, Any] = {"provenance": "published"}
EARLY: dict[str, Any] = {"provenance": "early_generator"}
GENESIS: dict[str, Any] = {"provenance": "genesis"}
MEASURED: dict[str, Any] = {"provenance": "measured"}
ASSUMED: dict[str, Any] = {"provenance": "assumed"}

Range = tuple[float, float]
ViewName = Literal["egocentric", "observer", "closeup", "overhead"]


class Fields(BaseModel):
    """Frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Drawn(Fields):
    """What is drawn."""

    preset: Literal["release_1054", "published_306", "large"] = Field(
        default="release_1054", description="size and mix of the data set", json_schema_extra=PUBLISHED
    )
    families: tuple[str, ...] = Field(
        default=catalogue.FAMILIES, min_length=1, description="families that are drawn", json_schema_extra=PUBLISHED
    )
    variant: Literal["repaired", "early"] = Field(
        default="repaired", description="family parametrisation", json_schema_extra=ASSUMED
    )
    bands: tuple[Band, ...] = Field(
        default=("slow", "normal", "fast", "very_fast"), min_length=1, description="speed bands of a group, in order",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip
    scenes_per_family: int = Field(
        default=62, ge=1, description="scenes of each family in the whole data set", json_schema_extra=PUBLISHED
    )
    rooms: tuple[str, ...] = Field(
        default=tuple(rooms.ROOMS), min_length=1, description="rooms that scenes may happen in", json_schema_extra=EARLY
    )
    objects: tuple[Object, ...] = Field(
        default=(), max_length=1000, description="own objects, beside those of the catalogue", json_schema_extra=ASSUMED
    )
    premises: tuple[Premise, ...] = Field(
        default=(), max_length=100_000, description="what groups are about, in the order of the groups of each family;"
        " empty: drawn from the tables", json_schema_extra=ASSUMED,
    )  # fmt: skip
    adversarial: Literal["all", "published_14", "named", "none", "only"] = Field(
        default="all", description="which objects count as adversarial; only: all, and nothing else is drawn",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    adversarial_fraction: float = Field(
        default=40 / 306, ge=0, le=1,
        description="share of groups with an adversarial object, in families that have one",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip
    decoy_fraction: float = Field(
        default=9 / 306, ge=0, le=1, description="share of groups whose robot is moved out of reach",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip
    decoy_margin: Range = Field(
        default=(0.2, 1.0), description="clearance of a decoy beyond c_na (m)", json_schema_extra=ASSUMED
    )
    allow_sticky_shapes: bool = Field(
        default=False,
        description="boxes, which stop on the steps, are drawn in stair_tumble",
        json_schema_extra=ASSUMED,
    )
    object_drop_mode: Literal["slide", "tip"] = Field(
        default="slide", description="object_drop slides over the edge, or tips off it at rest (then no band acts)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    pendulum_band: Literal["rate", "length"] = Field(
        default="rate", description="the band of pendulum_swing acts on the first rate or on the length",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    hanging_mount: Literal["by_object", "wall", "ceiling"] = Field(
        default="by_object", description="what things of hanging_fall hang on", json_schema_extra=ASSUMED
    )
    ranges: dict[str, Range] = Field(
        default={}, description="ranges of sampled leaves other than a family's own, by family.leaf, for example"
        " object_drop.v_exit", json_schema_extra=ASSUMED,
    )  # fmt: skip
    height_hint: Literal["normal", "low", "high", "any"] = Field(
        default="normal", description="hint of height that the tables give; any: drawn", json_schema_extra=ASSUMED
    )
    stool_half: Range = Field(
        default=(0.18, 0.12), description="half extents of a stool's seat along x and y (m)", json_schema_extra=ASSUMED
    )
    max_attempts: int = Field(
        default=20, ge=1, le=1000, description="attempts to draw an acceptable group", json_schema_extra=ASSUMED
    )


class Made(Fields):
    """What it is made of, and how it is simulated."""

    friction_floor: float = Field(default=0.5, ge=0, le=2, description="friction of floors", json_schema_extra=EARLY)
    friction_wall: float = Field(default=0.8, ge=0, le=2, description="friction of walls", json_schema_extra=EARLY)
    friction_table: float = Field(default=0.6, ge=0, le=2, description="friction of tables", json_schema_extra=EARLY)
    friction_shelf: float = Field(default=0.5, ge=0, le=2, description="friction of shelves", json_schema_extra=EARLY)
    friction_ramp: float = Field(default=0.45, ge=0, le=2, description="friction of ramps", json_schema_extra=EARLY)
    friction_stairs: float = Field(default=0.55, ge=0, le=2, description="friction of stairs", json_schema_extra=EARLY)
    friction_stool: float = Field(default=0.2, ge=0, le=2, description="friction of stools", json_schema_extra=ASSUMED)
    friction_ladder_floor: float = Field(
        default=0.2, ge=0, le=2, description="friction of the floor under a ladder", json_schema_extra=ASSUMED
    )
    friction_ladder_feet: float = Field(
        default=0.22, ge=0, le=2, description="friction of a ladder's feet", json_schema_extra=ASSUMED
    )
    friction_ladder_wall: float = Field(
        default=0.3, ge=0, le=2, description="friction of the wall behind a ladder", json_schema_extra=ASSUMED
    )
    rolling_friction: float = Field(
        default=0.1, ge=0, le=2, description="friction that stands for a sphere in the back-solve of a chain",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    parity: Literal["default", "genesis"] = Field(
        default="default", description="genesis: pyramidal cone, 4 substeps, no drag, baked bounce, impact = com",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    substeps: int = Field(
        default=4, ge=1, le=64, description="inner steps per recorded step; 1 is the fast mode",
        json_schema_extra=EARLY,
    )  # fmt: skip
    cone: Literal["elliptic", "pyramidal"] = Field(
        default="elliptic", description="friction cone", json_schema_extra=MEASURED
    )
    solref: Range = Field(
        default=(0.01, 1.0), description="time constant (s) and damping ratio of contacts", json_schema_extra=GENESIS
    )
    g: float = Field(default=9.81, gt=0, le=100, description="gravity (m/s²)", json_schema_extra=PUBLISHED)
    drag: Literal["off", "quadratic"] = Field(
        default="off", description="air drag of all bodies", json_schema_extra=EARLY
    )
    bounce: Literal["off", "baked", "contact"] = Field(
        default="baked", description="rebounds: none, in the launch of bouncing_object, or of every sphere",
        json_schema_extra=EARLY,
    )  # fmt: skip
    horizon: float = Field(default=3.0, ge=0.6, le=20, description="simulated time (s)", json_schema_extra=EARLY)
    horizon_stairs: float = Field(
        default=4.0, ge=0.6, le=20, description="simulated time of stair_tumble (s)", json_schema_extra=ASSUMED
    )
    hold: float = Field(
        default=0.5, ge=0, le=5, description="time to settle before a chain starts (s)", json_schema_extra=PUBLISHED
    )
