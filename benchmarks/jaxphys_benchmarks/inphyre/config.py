"""`InPhyReConfig`: every choice behind a data set, published or assumed (InPhyRe specification, section 2).

A field's JSON schema says where its default comes from: `provenance` is "published" (in the paper,
arXiv:2509.12263), "measured" or "assumed" (ours). The configuration is frozen, rejects unknown fields and NaN, and is
identified by `config_hash`. SI units; pixels `_px`.
"""

import functools
import hashlib
import json
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS

PUBLISHED: dict[str, Any] = {"provenance": "published"}
MEASURED: dict[str, Any] = {"provenance": "measured"}
ASSUMED: dict[str, Any] = {"provenance": "assumed"}

Range = tuple[float, float]
ShapeName = Literal["cube", "cylinder", "sphere"]
MaterialName = Literal["rubber", "metal"]

COLOURS: dict[str, str] = {
    "gray": "#575757",
    "red": "#ad2323",
    "blue": "#2a4bd7",
    "green": "#1d6914",
    "brown": "#814a19",
    "purple": "#8126c0",
    "cyan": "#29d0d0",
    "yellow": "#ffee33",
}
"""The CLEVRER colours (section 8.1)."""


RANGES = (
    "contact_speed", "contact_time", "amc_omega", "wall_k", "wall_slope", "sb_mass_ratio", "varied_mass_ratio",
    "varied_gain", "varied_loss",
)  # fmt: skip
"""Fields that are ranges of positive numbers."""


class InPhyReConfig(BaseModel):
    """What scenes are drawn, under which laws, how they are shown and asked."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    preset: Literal["published", "varied"] = Field(
        default="published",
        description="`published`: one answer per scenario; `varied`: the answer varies inside a scenario",
        json_schema_extra=ASSUMED,
    )
    scenarios: tuple[str, ...] = Field(
        default=tuple(SCENARIOS), min_length=1, description="scenarios that are drawn", json_schema_extra=PUBLISHED
    )
    samples_per_scenario: int = Field(
        default=2000,
        ge=1,
        description="samples of each scenario in the whole data set, exemplars included",
        json_schema_extra=PUBLISHED,
    )
    n_exemplars_pool: int = Field(
        default=10, ge=1, description="samples of each scenario set aside as exemplars", json_schema_extra=PUBLISHED
    )
    shots: int = Field(
        default=3, ge=0, description="exemplars shown before the question; 0 asks zero-shot",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip
    modality: Literal["video_text", "video_only"] = Field(
        default="video_text", description="exemplars with their question and answer, or the film alone",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip
    test_input: Literal["first_frame", "full_video"] = Field(
        default="first_frame", description="what is shown of the scene asked about", json_schema_extra=PUBLISHED
    )
    retriever: Literal["random", "nner"] = Field(
        default="random", description="how exemplars are picked from the pool", json_schema_extra=PUBLISHED
    )
    feature: str = Field(
        default="colour_grid", description="image feature of the `nner` retriever", json_schema_extra=ASSUMED
    )
    frames: int = Field(default=128, ge=2, le=4096, description="frames of a film", json_schema_extra=ASSUMED)
    fps: float = Field(default=25.6, gt=0, description="frames per second", json_schema_extra=ASSUMED)
    size_px: tuple[int, int] = Field(
        default=(480, 320), description="width and height of a frame", json_schema_extra=ASSUMED
    )
    colours: tuple[str, ...] = Field(
        default=tuple(COLOURS), min_length=3, description="colour library", json_schema_extra=ASSUMED
    )
    materials: tuple[MaterialName, ...] = Field(
        default=("rubber", "metal"), min_length=1, description="material library", json_schema_extra=ASSUMED
    )
    shapes: tuple[ShapeName, ...] = Field(
        default=("cube", "cylinder", "sphere"), min_length=1, description="shape library", json_schema_extra=PUBLISHED
    )
    size_small: float = Field(
        default=0.35, gt=0, description="radius or half extent of small objects (m)", json_schema_extra=ASSUMED
    )
    size_large: float = Field(
        default=0.70, gt=0, description="radius or half extent of large objects (m)", json_schema_extra=ASSUMED
    )
    region: float = Field(default=3.0, gt=0, description="objects start within ± this (m)", json_schema_extra=ASSUMED)
    min_gap: float = Field(
        default=0.4, ge=0, description="least gap between objects at the start (m)", json_schema_extra=ASSUMED
    )
    max_hidden: float = Field(
        default=0.3, ge=0, le=1, description="share of an object that another may hide in the first frame",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    contact_speed: Range = Field(default=(1.0, 3.0), description="speed at contact (m/s)", json_schema_extra=ASSUMED)
    contact_time: Range = Field(default=(0.4, 1.5), description="time of contact (s)", json_schema_extra=ASSUMED)
    g: float = Field(default=9.8, gt=0, description="gravity (m/s²)", json_schema_extra=ASSUMED)
    friction_object: dict[MaterialName, float] = Field(
        default={"rubber": 0.8, "metal": 0.4}, description="friction of a material", json_schema_extra=ASSUMED
    )
    friction_floor: float = Field(default=0.3, ge=0, description="friction of the floor", json_schema_extra=ASSUMED)
    friction_rule: Literal["product"] = Field(
        default="product", description="how two coefficients make one", json_schema_extra=MEASURED
    )
    mu_roll: float = Field(
        default=0.0, ge=0, description="deceleration of a rolling sphere over g", json_schema_extra=ASSUMED
    )
    yaw_friction: Literal["uniform", "rim", "none"] = Field(
        default="uniform", description="pressure model of spin friction", json_schema_extra=ASSUMED
    )
    restitution: float = Field(default=1.0, ge=0, le=1, description="of all contacts", json_schema_extra=PUBLISHED)
    sphere_launch: Literal["sliding", "rolling"] = Field(
        default="sliding", description="spheres start without spin and slide first, or already roll",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    amc_shapes: tuple[ShapeName, ...] = Field(
        default=("cube",), min_length=1,
        description="shapes of A in AMC: the spin of a plain round body cannot be seen", json_schema_extra=ASSUMED,
    )  # fmt: skip
    amc_linear: Literal["exchange", "keep"] = Field(
        default="exchange", description="AMC: velocities are exchanged or kept", json_schema_extra=ASSUMED
    )
    amc_omega: Range = Field(
        default=(2.0, 6.0), description="AMC: spin after contact, sign random (rad/s)", json_schema_extra=ASSUMED
    )
    wall_axis: Literal["tangent", "z"] = Field(
        default="tangent", description="Wall: what vertical means; z is refused, because motion is planar",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    wall_k: Range = Field(default=(1.5, 3.0), description="Wall: gain of the vertical speed", json_schema_extra=ASSUMED)
    wall_slope: Range = Field(
        default=(0.2, 1.0), description="Wall: vertical over normal speed at contact", json_schema_extra=ASSUMED
    )
    sb_mass_ratio: Range = Field(
        default=(5.0, 20.0), description="SB: mass of the heavy object over the light one", json_schema_extra=ASSUMED
    )
    varied_mass_ratio: Range = Field(
        default=(0.3, 1.0), description="varied LMC: mass of B over that of A, at most 1 so that B outruns A",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    varied_gain: Range = Field(
        default=(1.3, 2.0), description="varied LMC: gain of a velocity that grows", json_schema_extra=ASSUMED
    )
    varied_loss: Range = Field(
        default=(0.3, 0.7), description="varied Wall: gain of a vertical velocity that shrinks",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    mass: float = Field(default=1.0, gt=0, description="mass of ordinary objects (kg)", json_schema_extra=ASSUMED)
    p_red: float = Field(
        default=0.5, ge=0, le=1, description="share of samples with a red object (Red-LMC, Red-Pass)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    red_min_per_family: int = Field(
        default=3, ge=0, description="exemplars of each family in the pool", json_schema_extra=ASSUMED
    )
    n_distractors: int = Field(
        default=0, ge=0, le=4, description="static bystanders outside the path", json_schema_extra=ASSUMED
    )
    change_threshold: float = Field(
        default=0.02, gt=0, lt=1, description="relative change that counts", json_schema_extra=ASSUMED
    )
    rotation_threshold: float = Field(
        default=0.1, gt=0, description="spin that counts (rad/s)", json_schema_extra=ASSUMED
    )
    overlap_limit: float = Field(
        default=0.005, gt=0, description="overlap after an LMC event that is let pass (m)", json_schema_extra=ASSUMED
    )
    max_events: int = Field(default=16, ge=1, description="event capacity of a scene", json_schema_extra=ASSUMED)
    screen: bool = Field(default=True, description="redraw scenes whose label is unstable", json_schema_extra=ASSUMED)
    max_draws: int = Field(
        default=100, ge=1, description="attempts to draw an acceptable scene", json_schema_extra=ASSUMED
    )
    extract: Literal["paper", "robust", "lenient"] = Field(
        default="robust", description="how a reply is read", json_schema_extra=ASSUMED
    )
    max_attempts: int = Field(
        default=3, ge=1, description="calls to a model before giving up", json_schema_extra=ASSUMED
    )

    @model_validator(mode="before")
    @classmethod
    def _as_typed(cls, fields: Any) -> Any:
        """Where a list is wanted, one name or `a,b` will do, as typed on a command line; `scenario` is `scenarios`."""
        if not isinstance(fields, dict):
            return fields
        given = dict(fields)
        if "scenario" in given:
            given["scenarios"] = given.pop("scenario")
        for name in ("scenarios", "colours", "materials", "shapes", "amc_shapes", "size_px", *RANGES):
            if isinstance(given.get(name), str):
                given[name] = tuple(word.strip() for word in given[name].split(",") if word.strip())
        return given

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        unknown = [name for name in self.scenarios if name not in SCENARIOS]
        if unknown or len(set(self.scenarios)) != len(self.scenarios):
            raise ValueError(f"scenarios: {self.scenarios}; give distinct names of {', '.join(SCENARIOS)}")
        strange = [name for name in self.colours if name not in COLOURS]
        if strange:
            raise ValueError(f"colours: {strange[0]!r} is unknown; choose from {', '.join(COLOURS)}")
        for name in RANGES:
            low, high = getattr(self, name)
            if not 0 < low <= high:
                raise ValueError(f"{name}: ({low}, {high}) is no range; give 0 < low <= high")
        if self.contact_time[1] >= self.duration:
            raise ValueError(
                f"contact_time: {self.contact_time}, but a film of {self.frames} frames lasts {self.duration:g} s; give"
                " earlier contacts, more frames or a smaller fps"
            )
        if self.samples_per_scenario <= self.n_exemplars_pool:
            raise ValueError(
                f"samples_per_scenario: {self.samples_per_scenario} leaves none beside n_exemplars_pool ="
                f" {self.n_exemplars_pool}; give more"
            )
        if self.varied_mass_ratio[1] > 1:
            raise ValueError(f"varied_mass_ratio: {self.varied_mass_ratio}; a heavier B is overtaken by A; give <= 1")
        if self.wall_axis == "z":
            raise ValueError("wall_axis: 'z'; motion is planar and nothing moves along z; give 'tangent'")
        plain = len(set(self.colours) - {"red"})
        if plain < 2 + self.n_distractors or len(set(self.colours)) != len(self.colours):
            raise ValueError(
                f"colours: {self.colours}; give at least {2 + self.n_distractors} different ones other than red,"
                " one for each object"
            )
        if "red" not in self.colours and any(name.startswith("Red-") for name in self.scenarios):
            raise ValueError("colours: red is missing, which the scenarios Red-LMC and Red-Pass need")
        self._can_be_answered()
        if self.preset == "varied" and set(self.materials) != {"rubber", "metal"}:
            raise ValueError(f"materials: {self.materials}; the laws of the varied preset tell rubber from metal")
        missing = [name for name in self.materials if name not in self.friction_object]
        if missing or min(self.friction_object.values()) < 0:
            raise ValueError(f"friction_object: {self.friction_object}; give a number >= 0 for each material")
        if min(self.size_px) < 16:
            raise ValueError(f"size_px: {self.size_px}; give at least 16 pixels for either side")
        if self.size_small > self.size_large:
            raise ValueError(f"size_small: {self.size_small} is larger than size_large = {self.size_large}")
        return self

    def _can_be_answered(self) -> None:
        """Scenarios need a restitution and shapes under which one of their options holds."""
        asked = set(self.scenarios)
        if "Red-Pass" in asked and (1 - self.restitution) / 2 >= self.change_threshold:
            raise ValueError(
                f"restitution: {self.restitution}; A stops at an equal B only when it is 1; leave Red-Pass out of"
                " scenarios"
            )
        stuck = sorted(asked & {"AMC", "Wall"})
        if stuck and self.restitution == 0:
            raise ValueError(f"restitution: 0; A stays at what it hits; leave {' and '.join(stuck)} out of scenarios")
        spinning = asked & {"AMC", "AMC-reg"}
        needed = {*self.amc_shapes, *(("cube",) if self.preset == "varied" and "AMC-reg" in asked else ())}
        if spinning and not needed <= set(self.shapes):
            raise ValueError(
                f"amc_shapes: {sorted(needed)} are needed by {' and '.join(sorted(spinning))}, but shapes ="
                f" {self.shapes}; add them there, give other amc_shapes, or leave the scenarios out"
            )

    def __hash__(self) -> int:
        # Fields that are mappings have no hash of their own, and results are kept by configuration.
        return hash(self.config_hash)

    @property
    def duration(self) -> float:
        """Length of a film (s)."""
        return self.frames / self.fps

    @property
    def config_hash(self) -> str:
        """First 16 hex digits of the sha256 of the canonical JSON (sorted keys, no blanks)."""
        return _hash(self.model_dump_json())


@functools.lru_cache(maxsize=64)
def _hash(text: str) -> str:
    canonical = json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def provenance() -> dict[str, str]:
    """Where the default of each field comes from: "published", "measured" or "assumed"."""
    schema = InPhyReConfig.model_json_schema()["properties"]
    return {name: str(entry["provenance"]) for name, entry in schema.items()}
