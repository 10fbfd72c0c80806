"""The contact laws written anew from the InPhyRe specification, section 3.4.

Each takes copies of the two bodies as they meet and changes them. It returns True when the pair no longer touches.
Velocities are split along and across the normal; masses enter as shares, so that an infinite one needs no limit.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from tests.oracle.planar_gap import meeting_place
from tests.oracle.planar_scene import Body, Floats

Params = Mapping[str, float]
Law = Callable[[Body, Body, Floats, Params], bool]


def _share(mass: float, other: float) -> float:
    """m / (m + other), also of an infinite m."""
    return 1 / (1 + other / mass) if mass < math.inf else 1.0


def _approach(a: Body, b: Body, along: Floats) -> float:
    """Speed at which the centres approach along the normal; what turning adds moves no point mass."""
    return max(float((a.vel - b.vel) @ along), 0.0)


def _still(*bodies: Body) -> None:
    for body in bodies:
        body.spin, body.roll = 0.0, np.zeros(2)


def regular(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """True elastic or inelastic impact of points; spin is lost."""
    u = _approach(a, b, along) * (1 + p.get("restitution", 1.0))
    a.vel = a.vel - _share(b.mass, a.mass) * u * along
    b.vel = b.vel + (0.0 if b.mass == math.inf else _share(a.mass, b.mass)) * u * along
    _still(a, b)
    return False


def eccentric(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """Smooth rigid bodies: the impulse acts where they touch."""
    place = meeting_place(a, b, along)
    turn = np.array([along[1], -along[0]])
    # Levers arm × n about z: how a push along the normal turns each body, and how its spin moves the place along it.
    arm_a, arm_b = float((place - a.pos) @ turn), float((place - b.pos) @ turn)
    rate = float((a.vel - b.vel) @ along) + a.spin * arm_a - b.spin * arm_b
    give = 1 / a.mass + 1 / b.mass + arm_a * arm_a / a.inertia + arm_b * arm_b / b.inertia
    j = (1 + p.get("restitution", 1.0)) * rate / give
    a.vel, b.vel = a.vel - j / a.mass * along, b.vel + j / b.mass * along
    a.spin, b.spin = a.spin - j * arm_a / a.inertia, b.spin + j * arm_b / b.inertia
    return False


def keep_momentum(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """LMC: A keeps `gain` of its velocity, B gets `gain` of what the regular elastic law gives; a sphere rolls off."""
    gain = p.get("gain", 1.0)
    u = _approach(a, b, along)
    b.vel = b.vel + gain * 2 * _share(a.mass, b.mass) * u * along
    b.roll = b.vel.copy() if a.roll.any() else np.zeros(2)
    a.vel, a.roll = gain * a.vel, gain * a.roll
    return True


def spin_up(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """AMC, `exchange`: the regular law, then both spin."""
    regular(a, b, along, p)
    a.spin = b.spin = p.get("omega", 4.0)
    return False


def spin_up_keeping(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """AMC, `keep`: velocities stay, both spin."""
    a.spin = b.spin = p.get("omega", 4.0)
    return True


def tangent_gain(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """Wall: reflected along the normal, multiplied across it."""
    regular(a, b, along, p)
    across = np.array([-along[1], along[0]])
    a.vel = float(a.vel @ along) * along + p.get("gain", 2.0) * float(a.vel @ across) * across
    return False


def pass_through(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """Red-Pass: nothing happens."""
    return True


def red_keeps_momentum(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """Red-LMC: A red obeys LMC, else the true law."""
    return (keep_momentum if a.red else regular)(a, b, along, p)


def red_passes(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """Red-Pass: either red passes, else the true law."""
    return (pass_through if a.red or b.red else regular)(a, b, along, p)


def take_look(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """CC: the true law; A looks like B."""
    regular(a, b, along, p)
    a.look = b.look
    return False


def size_is_mass(a: Body, b: Body, along: Floats, p: Params) -> bool:
    """The true law of bodies of one density: masses in the ratio of the cubed sizes."""
    ratio = (max(a.half) / max(b.half)) ** 3
    u = _approach(a, b, along) * (1 + p.get("restitution", 1.0))
    a.vel, b.vel = a.vel - u / (1 + ratio) * along, b.vel + u * ratio / (1 + ratio) * along
    _still(a, b)
    return False


LAWS: dict[str, Law] = {
    law.__name__: law
    for law in (
        regular,
        eccentric,
        keep_momentum,
        spin_up,
        spin_up_keeping,
        tangent_gain,
        pass_through,
        red_keeps_momentum,
        red_passes,
        take_look,
        size_is_mass,
    )
}
