"""What formulas say about billiards without any event loop."""

import numpy as np

from tests.oracle.scene import Floats


def arc_length(speed: Floats, a: float, t: Floats) -> Floats:
    """Path of a decelerating ball: v t - a t²/2 until rest, then v²/(2a)."""
    if a == 0:
        return np.asarray(speed * t)
    rolling = np.minimum(t, speed / a)
    return np.asarray(speed * rolling - 0.5 * a * rolling * rolling)


def fold(x: Floats, low: float, high: float) -> Floats:
    """Triangle wave: the coordinate of a point that is mirrored at both ends of [low, high]."""
    span = high - low
    phase = np.mod(x - low, 2 * span)
    return np.asarray(low + np.where(phase > span, 2 * span - phase, phase))


def lone_ball(pos: Floats, vel: Floats, t: Floats, *, radius: float, a: float, size: tuple[float, float]) -> Floats:
    """Centres (..., 2) after any number of wall bounces, by unfolding the table."""
    speed = np.sqrt((vel * vel).sum(axis=-1))
    heading = vel / np.where(speed > 0, speed, 1.0)[..., None]
    straight = pos + heading * arc_length(speed, a, t)[..., None]
    return np.stack([fold(straight[..., k], radius, size[k] - radius) for k in range(2)], axis=-1)
