"""`EnvConfig`: what the environment simulates, what an agent may do, and what it is rewarded for, with provenance.

ReactHuman specification, sections 14 and 17; SI units. Rewards have no unit.
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from jaxphys_benchmarks.reacthuman.catalogue import FAMILIES
from jaxphys_benchmarks.reacthuman.config_fields import ASSUMED, Fields
from jaxphys_benchmarks.reacthuman.env.reward import Terms
from jaxphys_benchmarks.reacthuman.execution.config import TICK
from jaxphys_benchmarks.reacthuman.recover import Thresholds
from jaxphys_benchmarks.reacthuman.scene import ShapeName
from jaxphys_benchmarks.reacthuman.spec import BANDS, Band


class EnvConfig(Fields):
    """An environment: a bank of scenes, back end, time, action, reward."""

    families: tuple[str, ...] = Field(
        default=("thrown_object", "bouncing_object"), min_length=1,
        description="scenes of the bank; families whose object is held by a hinge cannot be taken",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    bands: tuple[Band, ...] = Field(
        default=tuple(BANDS), min_length=1, description="speeds of the scenes", json_schema_extra=ASSUMED
    )
    shapes: tuple[ShapeName, ...] = Field(
        default=("sphere",), min_length=1,
        description="colliders of the scenes' objects; with mjx all scenes must be of one form",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    scenes: int = Field(default=64, ge=1, le=4096, description="drawn of each family", json_schema_extra=ASSUMED)
    seed: int = Field(default=0, ge=0, description="of the bank", json_schema_extra=ASSUMED)
    lead: float = Field(
        default=0.9, gt=0, le=5, description="from the freeze, where an episode begins, to the impact (s)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    seconds: float = Field(default=1.5, gt=0, le=30, description="length of an episode (s)", json_schema_extra=ASSUMED)
    ticks_per_step: int = Field(
        default=6, ge=1, le=96, description="ticks of the walker per decision of the agent", json_schema_extra=ASSUMED
    )
    backend: Literal["auto", "c", "mjx"] = Field(
        default="auto", description="physics: C MuJoCo behind a callback, or MuJoCo in JAX; auto: C on CPU",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    substeps: int = Field(
        default=1, ge=1, le=16, description="physics steps per 1/240 s; 4 is the parity mode of ground truth",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    iterations: int = Field(default=10, ge=1, le=1000, description="of the solver, at most", json_schema_extra=ASSUMED)
    threads: int | None = Field(
        default=None, ge=1, description="of the C back end; none: all cores", json_schema_extra=ASSUMED
    )
    policy: str = Field(
        default="student", min_length=1, description="the frozen walker: student, teacher, or a checkpoint's folder",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    settle: float = Field(
        default=1.0, ge=0, le=10, description="time for which the robot has stood before the freeze (s)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    walk: tuple[float, float, float] = Field(
        default=(1.0, 0.6, 1.0), description="command at an action of 1: forward, left (m/s), turn (rad/s)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    dead_zone: float = Field(
        default=0.2, ge=0, lt=1, description="walking actions up to this are a stand", json_schema_extra=ASSUMED
    )
    reach: tuple[float, float, float] = Field(
        default=(0.4, 0.35, 0.6), description="of a hand from its rest at an action of 1: forward, left, up (m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    hand_speed: float = Field(
        default=3.0, gt=0, le=20, description="of a hand's target (m/s)", json_schema_extra=ASSUMED
    )
    near_hand: float = Field(
        default=0.05, gt=0, description="an object this near to a palm, beyond its radius, can be held (m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    caught_speed: float = Field(
        default=0.5, gt=0, description="relative speed of palm and object below which it is held (m/s)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    caught_time: float = Field(
        default=0.25, gt=0, description="an object held for so long is caught (s)", json_schema_extra=ASSUMED
    )
    told: bool = Field(
        default=True, description="the agent is told which action is right, else only how safe the object is",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    terms: Terms = Field(default=Terms(), description="weights of the reward", json_schema_extra=ASSUMED)
    recovery: Thresholds = Field(
        default=Thresholds(), description="from which motion on a walk or a reach is an action",
        json_schema_extra=ASSUMED,
    )  # fmt: skip

    @model_validator(mode="after")
    def _sound(self) -> Self:
        strange = [name for name in self.families if name not in FAMILIES]
        if strange or len(set(self.families)) != len(self.families):
            raise ValueError(f"families: {strange or self.families}; give distinct names of {', '.join(FAMILIES)}")
        if len(set(self.bands)) != len(self.bands):
            raise ValueError(f"bands: {self.bands}; give distinct names of {', '.join(BANDS)}")
        if self.seconds < self.dt:
            raise ValueError(f"seconds: {self.seconds:g} s; a decision takes {self.dt:g} s (ticks_per_step)")
        for name in ("walk", "reach"):
            if min(getattr(self, name)) <= 0:
                raise ValueError(f"{name}: {getattr(self, name)}; give three numbers above 0")
        return self

    @property
    def dt(self) -> float:
        """Time between decisions (s)."""
        return self.ticks_per_step * TICK

    @property
    def steps(self) -> int:
        """Decisions of an episode."""
        return max(1, round(self.seconds / self.dt))
