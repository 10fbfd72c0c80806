"""`BilliardConfig`: every choice behind a data set, published or assumed (BilliardPhys-Bench specification, section 2).

A field's JSON schema says where its default comes from: `provenance` is "published" (in the paper,
arXiv:2605.30900) or "assumed" (ours). The configuration is frozen, rejects unknown fields and NaN, and is
identified by `config_hash`. SI units; pixels `_px`.
"""

import functools
import hashlib
import json
import math
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

PUBLISHED: dict[str, Any] = {"provenance": "published"}
ASSUMED: dict[str, Any] = {"provenance": "assumed"}

MAX_BALLS = 16

CueSpeedText = Literal["none", "arrow_scale_in_prompt", "number_in_prompt", "number_in_image"]


class BilliardConfig(BaseModel):
    """What scenes are drawn, how they are simulated, shown, asked and scored."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    W: float = Field(default=2.0, gt=0, description="width of the table (m)", json_schema_extra=PUBLISHED)
    H: float = Field(default=1.0, gt=0, description="height of the table (m)", json_schema_extra=PUBLISHED)
    n_balls: int = Field(
        default=7, ge=1, le=MAX_BALLS, description="balls, the cue included", json_schema_extra=PUBLISHED
    )
    mu: float = Field(
        default=0.002, ge=0, description="coefficient of friction with the cloth", json_schema_extra=PUBLISHED
    )
    g: float = Field(default=9.8, gt=0, description="gravity (m/s²)", json_schema_extra=PUBLISHED)
    R: float = Field(default=0.03, gt=0, description="ball radius (m)", json_schema_extra=ASSUMED)
    mass: float = Field(default=1.0, gt=0, description="mass of every ball (kg)", json_schema_extra=ASSUMED)

    pockets: Literal["none", "six"] = Field(
        default="none", description="pockets of the table", json_schema_extra=ASSUMED
    )
    r_pocket_corner: float = Field(
        default=0.06, gt=0, description="capture radius at the corners (m)", json_schema_extra=ASSUMED
    )
    r_pocket_side: float = Field(
        default=0.045, gt=0, description="capture radius at the long sides (m)", json_schema_extra=ASSUMED
    )

    windows: tuple[float, ...] = Field(
        default=(1.0, 2.0, 3.0, 4.0, 5.0),
        min_length=1,
        description="prediction windows (s)",
        json_schema_extra=PUBLISHED,
    )
    scenes_per_window: int = Field(default=200, ge=1, description="scenes of each window", json_schema_extra=PUBLISHED)

    v0_policy: Literal["v50", "common"] = Field(
        default="v50", description="cue speed relative to the 50 % speed of the window, or one range for all",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    v50_range: tuple[float, float] = Field(
        default=(0.7, 1.3), description="factors of v50(t) (policy v50)", json_schema_extra=ASSUMED
    )
    common_range: tuple[float, float] = Field(
        default=(0.2, 1.0), description="cue speeds (m/s) (policy common)", json_schema_extra=ASSUMED
    )
    s50: float | None = Field(
        default=None, gt=0, description="median path to the first hit (m); null: calibrated", json_schema_extra=ASSUMED
    )
    min_gap: float = Field(
        default=1e-3, ge=0, description="least gap between balls at the start (m)", json_schema_extra=ASSUMED
    )
    direction: Literal["uniform", "fixed"] = Field(
        default="uniform", description="direction of the cue velocity", json_schema_extra=ASSUMED
    )
    angle: float = Field(
        default=0.0, description="direction from the x axis (rad), used with `fixed`", json_schema_extra=ASSUMED
    )
    cue_position: Literal["sampled", "fixed"] = Field(
        default="sampled",
        description="place of the cue ball: like the others, or `cue_start`",
        json_schema_extra=ASSUMED,
    )
    cue_start: tuple[float, float] = Field(
        default=(0.5, 0.5), description="place of the cue ball (m), used with `fixed`", json_schema_extra=ASSUMED
    )

    max_events: int = Field(default=64, ge=1, description="event capacity of a scene", json_schema_extra=ASSUMED)
    tie_window: float = Field(
        default=1e-9, ge=0, description="closer events are simultaneous (s)", json_schema_extra=ASSUMED
    )
    v_snap: float = Field(
        default=1e-12, ge=0, description="slower balls rest after an impact (m/s)", json_schema_extra=ASSUMED
    )
    dtype: Literal["float64"] = Field(
        default="float64", description="precision of the labels", json_schema_extra=ASSUMED
    )

    screen: bool = Field(default=True, description="redraw scenes whose labels are unstable", json_schema_extra=ASSUMED)
    max_draws: int = Field(
        default=100, ge=1, description="attempts to draw an acceptable scene", json_schema_extra=ASSUMED
    )
    margin_eps: float = Field(
        default=1e-4, gt=0, description="start error of the margin flags (m)", json_schema_extra=ASSUMED
    )
    margin_draws: int = Field(
        default=8, ge=1, description="perturbed copies per start error", json_schema_extra=ASSUMED
    )
    margin_policy: Literal["flag", "drop"] = Field(
        default="flag", description="keep flagged scenes, or redraw them", json_schema_extra=ASSUMED
    )

    canvas_px: tuple[int, int] = Field(
        default=(1000, 500), description="pixels of the table area at scale 1", json_schema_extra=ASSUMED
    )
    scale: float = Field(
        default=1.0, gt=0, le=8, description="multiplies both sides of the canvas", json_schema_extra=ASSUMED
    )
    arrow_scale: float = Field(
        default=0.25,
        gt=0,
        description="length drawn per speed (m per m/s), halved where the tip would leave the table",
        json_schema_extra=ASSUMED,
    )
    cue_speed_text: CueSpeedText = Field(
        default="arrow_scale_in_prompt", description="where the cue speed can be read", json_schema_extra=ASSUMED
    )

    q1_key: str = Field(default="Q1", min_length=1, description="JSON key of task 1", json_schema_extra=ASSUMED)
    q2_key: str = Field(default="Q2", min_length=1, description="JSON key of task 2", json_schema_extra=ASSUMED)
    q3_key: str = Field(
        default="predictions", min_length=1, description="JSON key of task 3", json_schema_extra=PUBLISHED
    )
    extract: Literal["paper", "robust", "lenient"] = Field(
        default="robust",
        description="how a reply is read; `paper` is the published reading and is always reported beside it",
        json_schema_extra=ASSUMED,
    )
    force_numeric: bool = Field(
        default=False, description="demand a number where the published format allows null", json_schema_extra=ASSUMED
    )
    max_attempts: int = Field(
        default=3, ge=1, description="calls to a model before giving up", json_schema_extra=ASSUMED
    )
    missing_policy: Literal["wrong"] = Field(
        default="wrong",
        description="how a missing answer counts in every metric; the one rule there is",
        json_schema_extra=ASSUMED,
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        _check_table(self)
        _check_pockets(self)
        for name in ("v50_range", "common_range"):
            low, high = getattr(self, name)
            if not 0 <= low <= high:
                raise ValueError(f"{name}: ({low}, {high}) is no range; give 0 <= low <= high")
        if any(t <= 0 for t in self.windows) or len(set(self.windows)) != len(self.windows):
            raise ValueError(f"windows: {self.windows}; give distinct times > 0 s")
        keys = (self.q1_key, self.q2_key, self.q3_key, "meta")
        if len(set(keys)) != len(keys):
            raise ValueError(f"q1_key, q2_key, q3_key: {keys[:3]}; give three different keys, none of them 'meta'")
        return self

    @property
    def config_hash(self) -> str:
        """First 16 hex digits of the sha256 of the canonical JSON (sorted keys, no blanks)."""
        return _hash(self)


@functools.lru_cache(maxsize=64)
def _hash(config: BilliardConfig) -> str:
    text = json.dumps(config.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def provenance() -> dict[str, str]:
    """Where the default of each field comes from: "published" or "assumed"."""
    schema = BilliardConfig.model_json_schema()["properties"]
    return {name: str(entry["provenance"]) for name, entry in schema.items()}


def _check_table(config: BilliardConfig) -> None:
    if min(config.W, config.H) <= 2 * config.R:
        raise ValueError(
            f"R: a ball of {config.R} m does not fit on a {config.W} x {config.H} m table; give a smaller R"
        )
    width, height = config.canvas_px
    if width < 1 or height < 1 or not math.isclose(width * config.H, height * config.W, rel_tol=1e-9):
        raise ValueError(
            f"canvas_px: {width} x {height} has not the shape of a {config.W} x {config.H} m table;"
            f" give for example {(1000, max(1, round(1000 * config.H / config.W)))}"
        )
    x, y = config.cue_start
    inside = config.R <= x <= config.W - config.R and config.R <= y <= config.H - config.R
    if config.cue_position == "fixed" and not inside:
        raise ValueError(f"cue_start: ({x}, {y}) is closer than R = {config.R} m to an edge; move it inside")


def _check_pockets(config: BilliardConfig) -> None:
    """Centres stay R away from the walls, so smaller pockets could never be reached (section 2)."""
    if config.pockets == "none":
        return
    if config.r_pocket_corner <= math.sqrt(2) * config.R:
        raise ValueError(
            f"r_pocket_corner: {config.r_pocket_corner} m; give more than √2 R = {math.sqrt(2) * config.R}"
        )
    if config.r_pocket_side <= config.R:
        raise ValueError(f"r_pocket_side: {config.r_pocket_side} m; give more than R = {config.R}")


PRESETS: dict[str, BilliardConfig] = {
    "default": BilliardConfig(),
    "common": BilliardConfig(v0_policy="common"),
    "pockets": BilliardConfig(pockets="six"),
}
"""Named configurations: the default, one speed range for all windows, and a table with six pockets."""
