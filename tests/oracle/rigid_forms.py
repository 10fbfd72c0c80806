"""What formulas say about rigid bodies without any solver, in plain floats and NumPy.

Free flight is that of semi-implicit Euler, which every engine here uses: its offset from the parabola, g δ t/2, is
larger than the tolerances. Everything else is continuous mechanics. Sources: ReactHuman specification, section 15, and
textbook mechanics.
"""

import math
from collections.abc import Callable

import numpy as np

from tests.oracle.scene import Floats

GRAVITY = 9.81
AIR = 1.2
"""Density of air (kg/m³)."""


def flight(pos: Floats, vel: Floats, steps: Floats | int, step: float, g: float = GRAVITY) -> Floats:
    """Centre (..., 3) after `steps` inner steps of semi-implicit Euler: z0 + v t - g δ² n (n + 1)/2."""
    n = np.asarray(steps)[..., None]
    fall = np.array([0.0, 0.0, -0.5 * g * step * step])
    return np.asarray(np.asarray(pos) + np.asarray(vel) * step * n + fall * n * (n + 1))


def parabola(pos: Floats, vel: Floats, time: Floats | float, g: float = GRAVITY) -> Floats:
    """Centre (..., 3) of continuous free flight."""
    t = np.asarray(time)[..., None]
    return np.asarray(np.asarray(pos) + np.asarray(vel) * t + np.array([0.0, 0.0, -0.5 * g]) * t * t)


def fall_time(height: float, g: float = GRAVITY) -> float:
    """Time (s) in which something falls through `height` from rest."""
    return math.sqrt(2 * height / g)


def apexes(height: float, restitution: float, count: int) -> list[float]:
    """Heights of a ball's first `count` apexes after a drop: h e^(2n)."""
    return [height * restitution ** (2 * k) for k in range(1, count + 1)]


def after_a_bounce(height: float, restitution: float, time: float, g: float = GRAVITY) -> tuple[float, float, float]:
    """Height at `time`, after one bounce, and its derivatives by drop height and restitution.

    With t1 = √(2h/g), speed v = g t1 and τ = T - t1: z = e v τ - g τ²/2, and dt1/dh = 1/(g t1).
    """
    first = fall_time(height, g)
    left = time - first
    z = restitution * g * first * left - 0.5 * g * left * left
    by_first = restitution * g * (left - first) + g * left
    return z, by_first / (g * first), g * first * left


def pendulum_period(length: float, amplitude: float, g: float = GRAVITY) -> float:
    """Period (s) of a point mass, 4 √(L/g) K(sin²(θ0/2)), by the arithmetic-geometric mean."""
    a, b = 1.0, math.cos(0.5 * amplitude)
    while abs(a - b) > 1e-15:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return 2 * math.pi * math.sqrt(length / g) / a


def pendulum_rate(length: float, amplitude: float, angle: float, g: float = GRAVITY) -> float:
    """Rate (rad/s, positive) at `angle` of a point mass that was released at rest at `amplitude`."""
    return math.sqrt(2 * g / length * (math.cos(angle) - math.cos(amplitude)))


def door(inertia: float, damping: float, rate: float, time: float) -> tuple[float, float]:
    """Angle and rate of a hinge with viscous damping: ω0 e^(-ct/I), (I ω0/c)(1 - e^(-ct/I))."""
    if damping == 0:
        return rate * time, rate
    left = math.exp(-damping * time / inertia)
    return inertia * rate / damping * (1 - left), rate * left


def door_stop(inertia: float, damping: float, dry: float, rate: float) -> tuple[float, float]:
    """Time and angle at which dry friction (N m) besides the damping stops a hinge."""
    ratio = dry / damping
    time = inertia / damping * math.log(1 + rate / ratio)
    return time, inertia * rate / damping - ratio * time


def incline(theta: float, mu: float, gyration: float = 0.0, g: float = GRAVITY) -> float:
    """Acceleration (m/s²) down a slope of angle `theta` from rest.

    Args:
        theta: rad. mu: friction.
        gyration: I/(m r²) of what rolls, 2/5 for a sphere; 0 for a block, which slides or stays.
    """
    pull, grip = g * math.sin(theta), mu * g * math.cos(theta)
    if gyration == 0:
        return max(pull - grip, 0.0)
    rolling = pull / (1 + gyration)
    return rolling if pull - rolling <= grip else pull - grip


def stop_distance(speed: float, mu: float, g: float = GRAVITY) -> float:
    """Way (m) of a box that slides on a level floor until it stops."""
    return speed * speed / (2 * mu * g)


def rolling_speed(speed: float, spin: float, radius: float) -> float:
    """Speed (m/s) of a ball when it begins to roll; `spin` > 0 rolls forward (rad/s): (5 v + 2 r ω)/7."""
    return (5 * speed + 2 * radius * spin) / 7


def ladder_critical(mu_floor: float, mu_wall: float = 0.0) -> float:
    """Angle from the floor (rad) below which a uniform ladder slips: tan θ = (1 - μf μw)/(2 μf)."""
    return math.atan((1 - mu_floor * mu_wall) / (2 * mu_floor))


def ladder_separation(length: float, theta: float, g: float = GRAVITY) -> tuple[float, float]:
    """Angle (rad) and time (s) at which a ladder without friction leaves the wall; θ'' = -(3g/2L) cos θ from rest.

    The angle follows from the energy, sin θ = 2/3 sin θ0; the time from fourth-order steps until it is reached.
    """

    def rates(state: Floats) -> Floats:
        return np.array([state[1], -1.5 * g / length * math.cos(state[0])])

    end = math.asin(2 / 3 * math.sin(theta))
    state, time, step = np.array([theta, 0.0]), 0.0, 1e-4
    while True:
        after = _runge_kutta(rates, state, step)
        if after[0] <= end:
            return end, time + step * (state[0] - end) / (state[0] - after[0])
        state, time = after, time + step


def _runge_kutta(rates: Callable[[Floats], Floats], state: Floats, step: float) -> Floats:
    k1 = rates(state)
    k2 = rates(state + 0.5 * step * k1)
    k3 = rates(state + 0.5 * step * k2)
    k4 = rates(state + step * k3)
    return np.asarray(state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4))


def tip_angle(width: float, height: float) -> float:
    """Tilt about a bottom edge (rad) at which a box is balanced."""
    return math.atan(width / height)


def rocking_ratio(width: float, height: float) -> float:
    """Angular rate after over before a plastic impact on the other bottom edge: 1 - 3/2 sin² α."""
    return 1 - 1.5 * math.sin(tip_angle(width, height)) ** 2


def terminal_speed(mass: float, drag_area: float, g: float = GRAVITY) -> float:
    """Speed (m/s) at which quadratic drag, ½ ρ CdA v², carries the weight."""
    return math.sqrt(2 * mass * g / (AIR * drag_area))


def drag_deficit(speed: float, time: float, g: float = GRAVITY) -> float:
    """By how much (m) drag shortens a fall of `time` from rest: g t²/2 - (v²/g) ln cosh(g t/v)."""
    return 0.5 * g * time * time - speed * speed / g * math.log(math.cosh(g * time / speed))


def top(inertia: tuple[float, float, float], omega: tuple[float, float, float], time: float) -> Floats:
    """Angular velocity (3,) in the body frame of a torque-free body with I1 = I2 after `time`."""
    turn = (inertia[2] - inertia[0]) / inertia[0] * omega[2] * time
    c, s = math.cos(turn), math.sin(turn)
    return np.array([c * omega[0] - s * omega[1], s * omega[0] + c * omega[1], omega[2]])


def soft_restitution(damping_ratio: float) -> float:
    """Rebound of a spring with damping ratio ζ < 1, in the limit of small steps (specification, section 15.4)."""
    root = math.sqrt(1 - damping_ratio**2)
    phase = math.atan2(2 * damping_ratio * root, 2 * damping_ratio**2 - 1)
    return math.exp(-damping_ratio / root * phase)
