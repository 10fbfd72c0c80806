"""`ReactHumanSpec`: one drawn scene, the content of `scene.json` (ReactHuman specification, section 10.1).

Everything needed to simulate, label, draw and ask about the scene is in it; derived numbers were rounded to 1e-6
before they entered. `sampled` is shared by the four rows of a group; `scene` and `derived` may differ.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from jaxphys_benchmarks.protocol import Spec
from jaxphys_benchmarks.reacthuman.scene import Part, Scene, Vector

SCHEMA = "jaxphys.reacthuman.scene/1"

MOST_STEPS = 1_000_000
"""Inner steps of the longest scene, and recorded steps between its release and its window."""

Positive = Annotated[float, Field(gt=0)]

Band = Literal["slow", "normal", "fast", "very_fast"]
BANDS: dict[Band, float] = {"slow": 0.4, "normal": 1.0, "fast": 1.8, "very_fast": 3.0}
"""Multipliers of the scaled leaf (section 5)."""


class Room(Part):
    """A room, centred on the origin: width along x, depth along y, height (m)."""

    type: str
    width: float = Field(gt=0, le=100)
    depth: float = Field(gt=0, le=100)
    height: float = Field(gt=0, le=100)


class Robot(Part):
    """Where the robot stands, facing +Y (section 3.2).

    Attributes:
        x, y, z: of its root (m). yaw_deg: 90.
        stand_off: drawn distance to the reference point (m). lateral_offset: drawn (m). reach_offset: the reach plane
            lies this far ahead of the root (m).
    """

    x: float = Field(ge=-1e6, le=1e6)
    y: float = Field(ge=-1e6, le=1e6)
    z: float = Field(default=0.79, ge=0, le=100)
    yaw_deg: float = 90.0
    stand_off: float = Field(ge=0)
    lateral_offset: float = 0.0
    reach_offset: float = Field(default=0.45, gt=0)


class Timing(Part):
    """The observation window (section 9): its first step, the step at which time is frozen, and the frames between.

    The first step may be negative: then the scene as it starts is held for the missing part.
    """

    mode: Literal["published", "event"] = "published"
    t0_step: int = Field(ge=-MOST_STEPS)
    freeze_step: int = Field(le=MOST_STEPS)
    frames: int = Field(default=5, ge=2, le=64)

    @model_validator(mode="after")
    def _forwards(self) -> Self:
        if self.freeze_step <= self.t0_step:
            raise ValueError(f"freeze_step: {self.freeze_step} is not after t0_step = {self.t0_step}")
        return self

    @property
    def steps(self) -> tuple[int, ...]:
        """Recorded steps of the observed frames, counted from the release; 0 is the scene as it starts."""
        span = self.freeze_step - self.t0_step
        return tuple(self.t0_step + round(k * span / (self.frames - 1)) for k in range(self.frames))


class Judging(Part):
    """What counts as an impact, and what should be done about it (sections 8.2 and 8.4).

    Attributes:
        reach_width: a crossing of the reach plane counts within this distance of the robot's x (m). reach_low,
            reach_high: and between these heights (m).
        robot_radius, robot_height: of the capsule that stands for the robot (m); the height is that of the head plane.
        floor_touch: a point below this height touches the floor (m).
        plane_after_floor: a crossing after a contact with the floor counts.
        c_na: clearance beyond which nothing need be done (m).
        stair_never_catch: released labels: stair_tumble is never caught.
        speed_limit: impact speed beyond which everything is dodged (m/s), None for never.
    """

    reach_width: float = Field(default=1.0, gt=0)
    reach_low: float = Field(default=0.05, ge=0)
    reach_high: float = Field(default=2.0, gt=0)
    robot_radius: float = Field(default=0.25, gt=0)
    robot_height: float = Field(default=1.32, gt=0)
    floor_touch: float = Field(default=0.01, gt=0)
    plane_after_floor: bool = False
    c_na: float = Field(default=1.25, gt=0)
    stair_never_catch: bool = False
    speed_limit: float | None = Field(default=None, gt=0)


class Physics(Part):
    """How the scene is simulated (sections 2 and 15)."""

    dt: float = Field(default=1 / 240, ge=1e-4, le=0.05)
    substeps: int = Field(default=4, ge=1, le=64)
    cone: Literal["elliptic", "pyramidal"] = "elliptic"
    solref: tuple[Positive, Positive] = (0.01, 1.0)
    drag: Literal["off", "quadratic"] = "off"
    bounce: Literal["off", "baked", "contact"] = "off"


class ReactHumanSpec(Spec):
    """A drawn scene.

    Attributes:
        schema_: version of this format (`schema` in JSON).
        seed, family, index, attempt: the key of the random stream; the band is not part of it.
        group: index of the four-band group within the family; variant: of the family parametrisation.
        suffix: "" as drawn; else what was changed afterwards, as part of the id.
        description: text that the scene was planned from, or "". planned_by: who made {family, object, room, hints} of
            it: "table" or the model's name. hints: speed and height, as planned; see `described`.
        object: catalogue row of the tracked object, by name (and family).
        adversarial: its look and its mass disagree. decoy: the robot was moved out of reach on purpose.
        room, robot, timing, judging, physics, scene: see their classes.
        tracked: name of the body whose motion is labelled.
        sampled: drawn numbers by name, the same in all bands. derived: back-solved ones.
        label_set, impact: of the configuration.
        rejected: status words of the attempts before this one. status: of this attempt.
        config_hash: of the configuration.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        serialize_by_alias=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    schema_: str = Field(alias="schema", serialization_alias="schema")
    seed: int = Field(ge=0)
    family: str
    index: int = Field(ge=0)
    attempt: int = Field(default=0, ge=0)
    variant: Literal["repaired", "early"] = "repaired"
    band: Band = "normal"
    group: int = Field(ge=0)
    suffix: str = Field(default="", pattern="^[a-z0-9_]*$", max_length=40)
    description: str = ""
    planned_by: str = "table"
    hints: dict[str, str] = Field(default_factory=dict)
    object: str
    adversarial: bool = False
    decoy: bool = False
    room: Room
    robot: Robot
    timing: Timing
    judging: Judging = Judging()
    physics: Physics = Physics()
    scene: Scene
    tracked: str = "object"
    sampled: dict[str, float] = Field(default_factory=dict)
    derived: dict[str, float] = Field(default_factory=dict)
    label_set: Literal["three_way", "released"] = "three_way"
    impact: Literal["plane", "com"] = "plane"
    rejected: tuple[int, ...] = ()
    status: int = Field(default=0, ge=0)
    config_hash: str = ""

    @model_validator(mode="before")
    @classmethod
    def _migrated(cls, content: Any) -> Any:
        """Stored content of an older version is brought up to the newest."""
        return migrated(content) if isinstance(content, dict) and "schema" in content else content

    @model_validator(mode="after")
    def _whole(self) -> Self:
        """The parts are about the same thing, and the window ends within the simulated time."""
        objects = {thing.name: thing.object for thing in self.scene.things}
        if self.tracked not in objects:
            raise ValueError(f"tracked: {self.tracked!r} is no body of the scene; choose from {', '.join(objects)}")
        if objects[self.tracked] != self.object:
            raise ValueError(f"object: {self.object!r}, but the tracked body is a {objects[self.tracked]!r}")
        steps = round(self.scene.horizon / self.physics.dt)
        if not self.timing.freeze_step <= steps or steps < 1:
            raise ValueError(
                f"scene.horizon: {self.scene.horizon} s are {steps} steps; freeze_step = {self.timing.freeze_step} lies"
                " beyond"
            )
        inner = round((self.scene.horizon + self.scene.hold) / self.physics.dt) * self.physics.substeps
        if inner > MOST_STEPS:
            raise ValueError(
                f"scene.horizon: {inner} inner steps; at most {MOST_STEPS}: take fewer substeps, or less time"
            )
        return self

    @property
    def id(self) -> str:
        """`object_drop/scene_00012`; a suffix follows after an underscore."""
        return f"{self.family}/scene_{self.index:05d}" + (f"_{self.suffix}" if self.suffix else "")

    @property
    def robot_root(self) -> Vector:
        """Position of the robot's root (m)."""
        return (self.robot.x, self.robot.y, self.robot.z)

    @property
    def group_id(self) -> str:
        """`shelf_slide-g0017`: the four-band group."""
        return f"{self.family}-g{self.group:04d}"

    @property
    def described(self) -> bool | None:
        """Whether this is the scene that its description speaks of, which is that of the hinted speed, else of the
        normal one; the others of its group are the same at other speeds. None where there is no description."""
        return self.band == self.hints.get("speed", "normal") if self.description else None

    def published_id(self) -> str:
        """`<family>_<8 hex>`, as in the published data (section 5)."""
        text = f"{self.seed}/{self.family}/{self.group}/{self.band}/{self.variant}/{self.decoy}/{self.suffix}"
        return f"{self.family}_{hashlib.sha256(text.encode()).hexdigest()[:8]}"


Migration = Callable[[dict[str, Any]], dict[str, Any]]

MIGRATIONS: dict[str, Migration] = {}
"""From the version of a stored spec to the next one: what turns its content into that; the newest has none."""


def migrated(content: Mapping[str, Any], migrations: Mapping[str, Migration] = MIGRATIONS) -> dict[str, Any]:
    """The content of a `scene.json` of any known version, as of the newest.

    Args:
        content: as stored. migrations: steps by version.

    Raises:
        ValueError: an unknown version.
    """
    found, seen = dict(content), set[str]()
    while found.get("schema") != SCHEMA:
        version = found.get("schema")
        if not isinstance(version, str) or version not in migrations or version in seen:
            raise ValueError(f"schema: {version!r} is not known; this version reads {SCHEMA}")
        seen.add(version)
        found = migrations[version](found)
    return found
