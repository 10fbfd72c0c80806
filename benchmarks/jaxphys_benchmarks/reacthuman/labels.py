"""`Labels`: the ground truth of a scene (ReactHuman specification, section 10.2), measured on its trajectory."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from jaxphys_benchmarks.reacthuman.scene import Vector

Action = Literal["EXECUTE_CATCH", "TRIGGER_DODGE", "BRACE_FOR_IMPACT", "NO_ACTION"]


class Track(BaseModel):
    """The bodies at the observed frames, for pictures, queries and baselines.

    Attributes:
        times: of the frames (s, from release); the last one is the freeze. pos: per frame and body, centres (m).
            quat: orientations. vel: velocities of the centres (m/s). omega: rad/s, world frame.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    times: tuple[float, ...]
    pos: tuple[tuple[Vector, ...], ...]
    quat: tuple[tuple[tuple[float, float, float, float], ...], ...]
    vel: tuple[tuple[Vector, ...], ...]
    omega: tuple[tuple[Vector, ...], ...]


class Labels(BaseModel):
    """Ground truth.

    Attributes:
        status: a status word; not zero means that there is no ground truth.
        correct_action: of the three-way label set: EXECUTE_CATCH, TRIGGER_DODGE or NO_ACTION.
        correct_action_released: of the released set, with BRACE_FOR_IMPACT.
        safety_label: of the catalogue: safe, caution or dangerous.
        impact_point: where (m), or None. impact_kind: plane, head_plane, panel, floor, com or undefined.
            impact_body: name of the body.
        t_imp: s from release, interpolated; t_imp_step: index of the recorded step, whose state is that at
            (t_imp_step + 1) / 240 s. tti: from the freeze (s), may be negative.
        time_to_floor: s, and time_to_floor_published: one step earlier, as published.
        event_time: of the family's event (s). strike_time: of the trigger's strike (s).
        impact_speed: m/s; impact_velocity; impact_impulse: mass times speed (N s).
        clearance: least distance between the object's path and the robot (m).
        reachable: the impact point is within reach of the hands from the start root.
        contact_order: names in the order of first contact with the tracked body or of the chain.
        mass_visible_mm: how much farther the normal twin has moved within the window (mm); None where there is no twin.
        track: the bodies at the observed frames.
        visible_px: pixels of the tracked body in the observed frames, by view; None where they were not counted.
        provenance: back end and versions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    status: int = 0
    correct_action: Action | None = None
    correct_action_released: Action | None = None
    safety_label: str = ""
    impact_point: Vector | None = None
    impact_kind: Literal["plane", "head_plane", "panel", "floor", "com", "undefined"] = "undefined"
    impact_body: str = ""
    t_imp: float | None = None
    t_imp_step: int | None = None
    tti: float | None = None
    time_to_floor: float | None = None
    time_to_floor_published: float | None = None
    event_time: float | None = None
    strike_time: float | None = None
    impact_speed: float | None = None
    impact_velocity: Vector | None = None
    impact_impulse: float | None = None
    clearance: float | None = None
    reachable: bool = False
    contact_order: tuple[str, ...] = ()
    mass_visible_mm: float | None = None
    track: Track | None = None
    visible_px: dict[str, tuple[int, ...]] | None = None
    provenance: dict[str, Any] = Field(default_factory=dict)
