"""The configuration of the humanoid: every field with its provenance (humanoid specification, section 14).

SI units. `gains` gives the controller its constants as a hashable record, so that they are static in a program.
"""

import dataclasses
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from jaxphys_kernels.humanoid.gains import Gains

REFERENCE: dict[str, Any] = {"provenance": "reference"}
ASSUMED: dict[str, Any] = {"provenance": "assumed"}


class HumanoidConfig(BaseModel):
    """Frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    g1_xml: Path | None = Field(
        default=None,
        description="the robot's MJCF file; None: that of the data package",
        json_schema_extra=REFERENCE,
    )
    timestep: float = Field(default=1 / 240, gt=0, le=0.02, description="physics step (s)", json_schema_extra=ASSUMED)
    steps_per_tick: int = Field(
        default=5, ge=1, le=100, description="physics steps of a control tick", json_schema_extra=ASSUMED
    )
    settle: float = Field(
        default=0.5, ge=0, le=10, description="standing before the plan starts (s)", json_schema_extra=ASSUMED
    )
    arm_kp: float = Field(
        default=60.0, gt=0, le=1000, description="gain of the arm servos (N m/rad)", json_schema_extra=ASSUMED
    )
    arm_kd: float = Field(
        default=3.0, ge=0, le=100, description="damping of the arm servos (N m s/rad)", json_schema_extra=ASSUMED
    )
    velocity_filter: float = Field(
        default=0.4, gt=0, le=10, description="time constant of the velocity filter (s)", json_schema_extra=ASSUMED
    )
    velocity_gain: float = Field(
        default=1.0, ge=0, le=10, description="of the velocity error on the command", json_schema_extra=ASSUMED
    )
    integral_gain: float = Field(
        default=0.5, ge=0, le=10, description="of its integral (1/s)", json_schema_extra=ASSUMED
    )
    integral_limit: float = Field(
        default=0.6, ge=0, le=10, description="of the integral's part (m/s)", json_schema_extra=ASSUMED
    )
    yaw_gain: float = Field(
        default=1.5, ge=0, le=10, description="of the heading error on the turning command (1/s)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    yaw_limit: float = Field(
        default=1.0, gt=0, le=3, description="largest heading error that is carried along (rad)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    lead_leg: bool = Field(
        default=False, description="a walk to the left begins with the other leg than the reference's",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    com_gain: float = Field(
        default=0.5, ge=0, le=10, description="perceived tilt by a shifted centre of mass", json_schema_extra=ASSUMED
    )
    com_height: float = Field(
        default=0.7, gt=0, le=3, description="height of the centre of mass for the tilt (m)", json_schema_extra=ASSUMED
    )
    tilt_forward: float = Field(
        default=0.1, ge=0, le=1, description="perceived pitch by the forward velocity error (s/m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    tilt_sideways: float = Field(
        default=0.1, ge=0, le=1, description="perceived roll by the sideways velocity error (s/m)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    pitch_limit: float = Field(
        default=0.25, ge=0, le=1, description="largest perceived pitch (rad)", json_schema_extra=ASSUMED
    )
    roll_limit: float = Field(
        default=0.2, ge=0, le=1, description="largest perceived roll (rad)", json_schema_extra=ASSUMED
    )
    ik_iterations: int = Field(
        default=2, ge=1, le=100, description="of the arms' inverse kinematics in a tick", json_schema_extra=ASSUMED
    )
    ik_damping: float = Field(
        default=0.05, gt=0, le=1, description="of the least squares (m)", json_schema_extra=ASSUMED
    )
    ik_posture: float = Field(
        default=0.05, ge=0, le=1, description="pull to the arms' rest posture", json_schema_extra=ASSUMED
    )
    ik_step: float = Field(
        default=0.3, gt=0, le=3, description="largest change of a joint in an iteration (rad)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    ik_margin: float = Field(
        default=0.02, ge=0, le=0.2, description="kept from the joints' limits (rad)", json_schema_extra=ASSUMED
    )
    knee_offset: tuple[float, float, float] = Field(
        default=(-0.45, 0.9, -0.45), description="a full bend of hip pitch, knee and ankle pitch (rad)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    knee_moving: float = Field(
        default=0.5, ge=0, le=1, description="share of the knee bend that is kept while walking",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    release: float = Field(
        default=0.4, gt=0, le=10, description="time in which arms go back to the policy when a plan lets them (s)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    moving: float = Field(
        default=0.01, gt=0, le=1, description="smaller commands are standing", json_schema_extra=ASSUMED
    )
    fall_height: float = Field(
        default=0.35, ge=0, le=2, description="a pelvis below it has fallen (m)", json_schema_extra=ASSUMED
    )
    fall_up: float = Field(
        default=0.5, ge=-1, le=1, description="a pelvis whose upward axis has a smaller z has fallen",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    backend: Literal["auto", "c", "mjx"] = Field(
        default="auto", description="auto: c on CPU, mjx on accelerators", json_schema_extra=ASSUMED
    )
    c_mode: Literal["pool", "rollout"] = Field(
        default="pool", description="how C MuJoCo is stepped", json_schema_extra=ASSUMED
    )
    threads: int | None = Field(
        default=None, ge=1, description="of the C back end; None: one per core", json_schema_extra=ASSUMED
    )

    @property
    def tick(self) -> float:
        """Length of a control tick (s)."""
        return self.steps_per_tick * self.timestep

    def gains(self) -> Gains:
        """Constants of the controller."""
        own = {field.name for field in dataclasses.fields(Gains)} & set(type(self).model_fields)
        return Gains(tick=self.tick, **{name: getattr(self, name) for name in own})


def provenance() -> dict[str, str]:
    """Where each default comes from: published, reference, measured, derived or assumed."""
    return {name: _extra(field.json_schema_extra)["provenance"] for name, field in HumanoidConfig.model_fields.items()}


def _extra(found: Any) -> dict[str, str]:
    return dict(found) if isinstance(found, dict) else {}
