"""`ExecutionConfig`: how plans are carried out and by which numbers an outcome is judged, each with its provenance.

ReactHuman specification, section 14; humanoid specification, sections 6.2, 7 and 14. SI units.
"""

from typing import Literal

from pydantic import Field

from jaxphys_benchmarks.reacthuman.config_fields import ASSUMED, MEASURED, PUBLISHED, Fields

STEPS_PER_TICK = 5
"""Recorded steps per tick of the controller."""
STEP = 1 / 240
"""A recorded step (s)."""
TICK = STEPS_PER_TICK * STEP
"""A tick of the controller (s)."""


class ExecutionConfig(Fields):
    """How the robot carries out plans, and when a hazard counts as caught, held or touched."""

    policy: str = Field(
        default="student", min_length=1, description="walking policy: student, teacher, or the folder of a checkpoint",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    seconds: float = Field(default=4.0, gt=0, le=60, description="time from the freeze (s)", json_schema_extra=ASSUMED)
    backend: Literal["auto", "c", "mjx"] = Field(
        default="auto", description="physics: C MuJoCo, or MuJoCo in JAX; auto: C on CPU", json_schema_extra=ASSUMED
    )
    threads: int | None = Field(
        default=None, ge=1, description="of the C back end; none: all cores", json_schema_extra=ASSUMED
    )
    batch: int = Field(default=64, ge=1, le=4096, description="scenes at once", json_schema_extra=ASSUMED)
    cone: Literal["elliptic", "pyramidal"] = Field(
        default="elliptic", description="friction cone of robot and hazard together", json_schema_extra=MEASURED
    )
    iterations: int = Field(default=50, ge=1, le=1000, description="of the solver, at most", json_schema_extra=MEASURED)
    tolerance: float = Field(
        default=1e-10, ge=0, le=1e-2, description="at which the solver stops", json_schema_extra=MEASURED
    )
    settle: float = Field(
        default=1.0, ge=0, le=10, description="time for which the robot has stood before the freeze (s)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    z_ref: float = Field(
        default=0.79, gt=0, le=2, description="height above the ground that hands count from (m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    record_steps: int = Field(
        default=4, ge=0, le=240, description="every so manieth step of 1/240 s is kept for films; 0: none",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip
    caught_speed: float = Field(
        default=0.3, gt=0, description="relative speed of hand and object below which it is caught (m/s)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    caught_time: float = Field(default=0.25, gt=0, description="for at least this long (s)", json_schema_extra=ASSUMED)
    near_hand: float = Field(
        default=0.05, gt=0, description="an object this near to a hand has been reached (m)", json_schema_extra=ASSUMED
    )
    motion_hand: float = Field(
        default=0.05, gt=0, description="way of a hand from which the robot has reacted (m)", json_schema_extra=ASSUMED
    )
    motion_base: float = Field(
        default=0.05, gt=0, description="way of the pelvis from which the robot has reacted (m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    end_distance: float = Field(
        default=0.20, gt=0, description="level 4: a hand ends this near to the impact (m)", json_schema_extra=ASSUMED
    )
    soft_speed: float = Field(
        default=2.0, gt=0, description="level 5: speed of the first contact (m/s)", json_schema_extra=ASSUMED
    )

    @property
    def ticks(self) -> int:
        """Ticks of a whole run."""
        return max(1, round(self.seconds / TICK))
