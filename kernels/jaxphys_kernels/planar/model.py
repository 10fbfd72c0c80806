"""What a planar scene is: `World` (constants), `State` (what changes), `Events`, `Trajectory`.

All leaves are those of ONE scene; a batch has one more leading axis on every leaf. SI units, z up, motion in x-y.
n bodies, c = n(n-1)/2 pairs in the order of `plane.pairs(n)`, m event slots, t asked times.

Seen from above every body is a rectangle with rounded corners: `half` is that of its core, `rounding` the distance
from the core to the rim. A sphere or an upright cylinder has no core, a cube no rounding, a wall is a long thin
rectangle of infinite mass (InPhyRe specification, section 3).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

import jax
from flax import struct

from jaxphys_kernels.rules import EventRules


class Shape(IntEnum):
    """Kinds of body. They differ in friction: a sphere rolls and is not slowed in its spin about z."""

    SPHERE = 0
    CYLINDER = 1
    CUBE = 2


class Kind(IntEnum):
    """Kinds of event, in the order in which simultaneous ones are listed."""

    STOP = 0
    ROLL = 1
    SPIN_END = 2
    CONTACT = 3


@dataclass(frozen=True)
class Rules(EventRules):
    """Static numbers of the event loop.

    Attributes:
        max_events: as in `EventRules`. None is enough for bodies that push each other on after an impact without
            restitution: resting contact is not modelled.
        tie_window: as in `EventRules`.
        v_snap: approaches slower than this are no contact (m/s).
    """

    max_events: int = 16


class World(struct.PyTreeNode):
    """Constants of a scene; every floating leaf may be swept or differentiated.

    Attributes:
        shape: (n,) int32, a `Shape`.
        half: (n, 2) half extents of the core (m); zero for spheres and cylinders.
        rounding: (n,) m; the radius of spheres and cylinders, zero for boxes.
        mass: (n,) kg; inf for a body that nothing moves.
        inertia: (n,) kg m² about the vertical axis; inf for a body that nothing turns.
        mu: (n,) coefficient of friction of each body with the floor.
        mu_roll: (n,) deceleration of a rolling sphere in units of g; 0 rolls for ever.
        kappa: (n,) spin friction: dω/dt = -kappa mu g / reach, with reach the radius or the shorter half extent.
        g: () gravity (m/s²).
        law: (c,) int32 which law of the table each pair obeys.
        params: name -> (c,) parameters of the laws.
        attrs: name -> (n,) attributes of the bodies that laws may look at, for example "red".
    """

    shape: jax.Array
    half: jax.Array
    rounding: jax.Array
    mass: jax.Array
    inertia: jax.Array
    mu: jax.Array
    mu_roll: jax.Array
    kappa: jax.Array
    g: jax.Array
    law: jax.Array
    params: Mapping[str, jax.Array]
    attrs: Mapping[str, jax.Array]


class State(struct.PyTreeNode):
    """What changes in a scene.

    Attributes:
        time: () s.
        pos: (n, 2) centres (m).
        vel: (n, 2) m/s.
        yaw: (n,) rad.
        spin: (n,) angular velocity about z (rad/s).
        roll: (n, 2) m/s, for a sphere the velocity at which its spin would roll without slipping: it rolls where
            roll = vel. Zero for the other shapes.
        look: (n,) int32 whose appearance each body has; at first its own index.
        through: (c,) bool: the two bodies no longer touch each other.
    """

    time: jax.Array
    pos: jax.Array
    vel: jax.Array
    yaw: jax.Array
    spin: jax.Array
    roll: jax.Array
    look: jax.Array
    through: jax.Array


class Events(struct.PyTreeNode):
    """Everything that happened, in order of time; simultaneous events by (kind, bodies).

    Attributes:
        time: (m,) s; inf marks an unused slot.
        kind: (m,) int32, a `Kind`; -1 in unused slots.
        bodies: (m, 2) int32. CONTACT: the pair, smaller index first. Otherwise: body, -1.
        pos: (m, 2, 2) centres of the two bodies (m); zero where there is no second one.
        normal: (m, 2) unit normal of a contact, from the first body to the second; else zero.
        point: (m, 2) place of contact (m); else zero.
        vel_before, vel_after: (m, 2, 2) velocities of the two bodies around the event (m/s).
        spin_before, spin_after: (m, 2) rad/s.
        look_before, look_after: (m, 2) int32.
        through: (m,) bool, whether the contact turned the pair's contact off.
        count: () int32 number of events; may exceed m, and then `EVENT_CAP` is set.
    """

    time: jax.Array
    kind: jax.Array
    bodies: jax.Array
    pos: jax.Array
    normal: jax.Array
    point: jax.Array
    vel_before: jax.Array
    vel_after: jax.Array
    spin_before: jax.Array
    spin_after: jax.Array
    look_before: jax.Array
    look_after: jax.Array
    through: jax.Array
    count: jax.Array


class Trajectory(struct.PyTreeNode):
    """Result of a rollout.

    Attributes:
        times: (t,) asked times (s).
        path: the states at the asked times; every leaf leads with t (after the scene axis of a batch).
        events: the event list.
        status: () int32, a `Status`.
    """

    times: jax.Array
    path: State
    events: Events
    status: jax.Array
