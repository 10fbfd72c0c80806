"""`BilliardSpec`: one drawn scene, the content of `init.json` (BilliardPhys-Bench specification, section 6).

Every number needed to simulate, draw and ask about the scene is in it, at full precision; JSON gives back the
same bits. Ball 0 is the cue ball, ids run from 0, all other balls start at rest. SI units, origin at the lower
left corner of the table, y up.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from jaxphys_benchmarks.billiardphys.config import MAX_BALLS, CueSpeedText
from jaxphys_benchmarks.protocol import Spec

OVERLAP_TOLERANCE = 1e-9
"""Gaps and wall distances down to minus this count as touching (m) (section 4.8)."""

Point = tuple[float, float]


class Part(BaseModel):
    """A piece of a spec: frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Table(Part):
    """Size of the table (m)."""

    W: float = Field(gt=0)
    H: float = Field(gt=0)


class Pocket(Part):
    """A ball is captured when its centre comes within `radius` of `centre` (m)."""

    centre: Point
    radius: float = Field(gt=0)


class Ball(Part):
    """A ball's id and the place of its centre (m)."""

    id: int = Field(ge=0)
    pos: Point


class Cue(Part):
    """Velocity of the cue ball: speed (m/s), angle from the x axis (rad), and components (m/s)."""

    v0: float = Field(ge=0)
    angle: float
    vel: Point


class CanvasSize(Part):
    """Pixels of the table area at scale 1, and the scale that multiplies both."""

    width_px: int = Field(ge=1)
    height_px: int = Field(ge=1)
    scale: float = Field(gt=0, le=8)


class EventRules(Part):
    """Static numbers of the event loop (section 2)."""

    max_events: int = Field(ge=1)
    tie_window: float = Field(ge=0)
    v_snap: float = Field(ge=0)


class Margin(Part):
    """How far the labels are from changing (section 5.3).

    Attributes:
        q1, q2: a start error of `eps` changes the task's set in at least one of the copies.
        q3: it moves some ball by more than R at time t.
        flag: q1 or q2.
        eps: size of the start error, standard deviation per coordinate (m).
        eps_ok: largest tried error up to which neither set changes (m); None if even the least does.
    """

    q1: bool
    q2: bool
    q3: bool
    flag: bool
    eps: float = Field(gt=0)
    eps_ok: float | None


class BilliardSpec(Spec):
    """A drawn scene.

    Attributes:
        seed, index, attempt: with t, the key of the random stream that the scene was drawn from.
        variant: "" as drawn; else what was changed afterwards, as part of the id.
        t: length of the prediction window (s).
        table, R, mass, mu, g, pockets, balls, cue: the physics.
        arrow_scale, canvas, cue_speed_text: how it is shown.
        rules: static numbers of the event loop.
        rejected: status words of the attempts before this one.
        status: status word that the screen gave this attempt; not zero when no attempt was accepted.
        margin: None if the scene was not screened.
        config_hash: of the `BilliardConfig` it was drawn with.
    """

    seed: int = Field(ge=0)
    index: int = Field(ge=0)
    attempt: int = Field(default=0, ge=0)
    variant: str = Field(default="", pattern="^[a-z0-9_]*$", max_length=40)
    table: Table
    R: float = Field(gt=0)
    mass: float = Field(default=1.0, gt=0)
    mu: float = Field(ge=0)
    g: float = Field(gt=0)
    t: float = Field(gt=0)
    pockets: tuple[Pocket, ...] = ()
    balls: tuple[Ball, ...] = Field(min_length=1, max_length=MAX_BALLS)
    cue: Cue
    arrow_scale: float = Field(default=0.25, gt=0)
    canvas: CanvasSize = CanvasSize(width_px=1000, height_px=500, scale=1.0)
    cue_speed_text: CueSpeedText = "arrow_scale_in_prompt"
    rules: EventRules = EventRules(max_events=64, tie_window=1e-9, v_snap=1e-12)
    rejected: tuple[int, ...] = ()
    status: int = Field(default=0, ge=0)
    margin: Margin | None = None
    config_hash: str = ""

    @property
    def id(self) -> str:
        """`t3s/scene_00012`: the window and the scene index; a variant follows after an underscore."""
        return f"{window_name(self.t)}/scene_{self.index:05d}" + (f"_{self.variant}" if self.variant else "")

    @property
    def window(self) -> str:
        """What results are grouped by: `t3s`."""
        return window_name(self.t)

    @property
    def n(self) -> int:
        """Number of balls."""
        return len(self.balls)

    @property
    def positions(self) -> tuple[Point, ...]:
        """(n, 2) start positions by id (m)."""
        return tuple(ball.pos for ball in self.balls)

    @field_validator("balls")
    @classmethod
    def _ids_count_up(cls, balls: tuple[Ball, ...]) -> tuple[Ball, ...]:
        if [ball.id for ball in balls] != list(range(len(balls))):
            raise ValueError(f"ids {[ball.id for ball in balls]}; list the balls by id 0, 1, 2, … (0 is the cue ball)")
        return balls

    @model_validator(mode="after")
    def _possible(self) -> Self:
        check_places([ball.id for ball in self.balls], self.positions, self.R, (self.table.W, self.table.H))
        components = (self.cue.v0 * math.cos(self.cue.angle), self.cue.v0 * math.sin(self.cue.angle))
        if math.dist(components, self.cue.vel) > 1e-9 * max(1.0, self.cue.v0):
            raise ValueError(f"cue: vel {self.cue.vel} is not v0 at angle; give vel = {components}")
        return self


def window_name(t: float) -> str:
    """Folder of a window: `t3s`, `t2.5s`; different windows have different names."""
    return f"t{int(t) if float(t).is_integer() else repr(float(t))}s"


def check_places(ids: Sequence[int], pos: Sequence[Point], radius: float, size: Point | None) -> None:
    """Raises ValueError naming the ball outside the table, or the pair that overlaps (section 4.8).

    Args:
        ids: for messages. pos: (n, 2) m. radius: of every ball (m).
        size: width and height of the table (m); None: no walls.
    """
    if size is not None:
        for ball, (x, y) in zip(ids, pos, strict=True):
            out = max(radius - x, x - size[0] + radius, radius - y, y - size[1] + radius)
            if out > OVERLAP_TOLERANCE:
                raise ValueError(
                    f"balls: ball {ball} at ({x}, {y}) lies outside the table by {out:.3g} m;"
                    f" keep centres within [{radius}, {size[0] - radius:g}] x [{radius}, {size[1] - radius:g}]"
                )
    for (i, a), (j, b) in itertools.combinations(zip(ids, pos, strict=True), 2):
        gap = math.dist(a, b) - 2 * radius
        if gap < -OVERLAP_TOLERANCE:
            raise ValueError(
                f"balls: [{i}, {j}] overlap by {-gap:.3g} m; move them to a distance of at least 2 R = {2 * radius:g} m"
            )
