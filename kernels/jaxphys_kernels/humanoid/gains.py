"""The constants of the controller, steps 1 to 13 of section 6.3 of the humanoid specification.

All are assumed, and chosen by the measurements of its section 8. They are Python numbers, so that a `Gains` is hashable
and static under `jit`.
"""

from dataclasses import dataclass

from jaxphys_kernels.humanoid.joints import TICK


@dataclass(frozen=True)
class Gains:
    """Gains, limits and times of the controller; SI units."""

    tick: float = TICK
    """Time between two calls."""
    velocity_filter: float = 0.4
    """Time constant of the velocity filter."""
    velocity_gain: float = 1.0
    """Added command per velocity error."""
    integral_gain: float = 0.5
    """Growth of the integral per velocity error and second."""
    integral_limit: float = 0.6
    """Largest integral (m/s)."""
    yaw_gain: float = 1.5
    """Added turning command per heading error (1/s)."""
    yaw_limit: float = 1.0
    """Largest heading error that is carried along: a robot that is asked to turn faster than it can would otherwise
    fall behind by more than half a turn, and turn back."""
    command_limit: float = 1.0
    """Largest command that the policy was trained with (m/s, rad/s)."""
    moving: float = 0.01
    """Commands up to this are a stand (m/s, rad/s)."""
    gait_frequency: float = 1.0
    """Steps of one leg per second."""
    lead_leg: bool = False
    """Whether a walk to the left begins with the other leg, as the mirror image of one to the right; the reference
    begins every walk with the same leg, and in the first second hardly moves to the left."""
    com_gain: float = 0.5
    """Perceived pitch per pitch that the shift of the centre of mass amounts to."""
    com_height: float = 0.7
    """Height of the centre of mass over which its shift is a tilt."""
    tilt_forward: float = 0.1
    """Perceived pitch per forward velocity error (s/m)."""
    tilt_sideways: float = 0.1
    """Perceived roll per sideways velocity error (s/m)."""
    pitch_limit: float = 0.25
    """Largest perceived pitch."""
    roll_limit: float = 0.2
    """Largest perceived roll."""
    knee_offset: tuple[float, float, float] = (-0.45, 0.9, -0.45)
    """Change of hip pitch, knee and ankle pitch at a knee bend of 1."""
    knee_moving: float = 0.5
    """Share of the knee bend that is left while walking."""
    release: float = 0.4
    """Time over which arms and knees go back to the policy when a plan that does not use them replaces one that did."""
    ik_iterations: int = 2
    """Steps of the inverse kinematics per tick."""
    ik_damping: float = 0.05
    """Damping of the least squares (m/rad)."""
    ik_posture: float = 0.05
    """Pull to the rest posture, as a share per step."""
    ik_step: float = 0.3
    """Largest change of an arm joint per step (rad)."""
    ik_margin: float = 0.02
    """Distance kept from both ends of the range of an arm joint (rad)."""


DEFAULTS = Gains()
"""The values of the specification."""
