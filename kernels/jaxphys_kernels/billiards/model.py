"""What a billiard scene is: `World` (constants), `State` (what changes), `Events`, `Trajectory`.

All leaves are those of ONE scene; a batch has one more leading axis on every leaf. SI units. n balls,
p pockets, m event slots, t asked times. Ball 0 is the cue ball. x to the right, y up, origin at the lower
left corner of the table.

Between events a moving ball decelerates by a = mu g along its direction, whatever its mass. Contacts are
elastic and frictionless; a wall is met when the centre is one radius away from the table's edge.
"""

from dataclasses import dataclass
from enum import IntEnum

import jax
from flax import struct

from jaxphys_kernels.rules import EventRules

WALLS = ("TOP", "BOTTOM", "LEFT", "RIGHT")
"""Names of the walls in the order of every (4,) array: y = H, y = 0, x = 0, x = W."""


class Kind(IntEnum):
    """Kinds of event, in the order in which simultaneous ones are resolved and listed."""

    STOP = 0
    POCKET = 1
    WALL = 2
    BALL = 3


@dataclass(frozen=True)
class Rules(EventRules):
    """Static numbers of the event loop.

    Attributes:
        max_events, tie_window: as in `EventRules`.
        v_snap: speeds below this after an impact are set to zero (m/s).
    """


class World(struct.PyTreeNode):
    """Constants of a scene; every leaf may be swept or differentiated.

    Attributes:
        size: (2,) width and height of the table (m); inf where there is no wall.
        radius: (n,) ball radii (m).
        mass: (n,) ball masses (kg).
        mu: () coefficient of sliding friction with the cloth; 0 is allowed.
        g: () gravity (m/s²).
        pocket_pos: (p, 2) pocket centres (m); p may be 0.
        pocket_radius: (p,) capture radii (m): a ball is captured when its centre comes this close.
    """

    size: jax.Array
    radius: jax.Array
    mass: jax.Array
    mu: jax.Array
    g: jax.Array
    pocket_pos: jax.Array
    pocket_radius: jax.Array


class State(struct.PyTreeNode):
    """What changes in a scene.

    Attributes:
        time: () time (s).
        pos: (n, 2) centres (m); the last position of a captured ball.
        vel: (n, 2) velocities (m/s).
        alive: (n,) bool; False for a captured ball.
    """

    time: jax.Array
    pos: jax.Array
    vel: jax.Array
    alive: jax.Array


class Events(struct.PyTreeNode):
    """Everything that happened, in order of time; simultaneous events by (kind, bodies).

    Attributes:
        time: (m,) s; inf marks an unused slot.
        kind: (m,) int32, a `Kind`; -1 in unused slots.
        bodies: (m, 2) int32. BALL: the two balls, smaller id first. WALL: ball, index into `WALLS`.
            POCKET: ball, pocket index. STOP: ball, -1.
        pos: (m, 2, 2) centres of the two bodies at the event (m); the second row is the contact point of a
            wall, the centre of a pocket, or a copy of the first for a stop.
        vel: (m, 2, 2) velocities of the two bodies just after the event (m/s); zero for a wall. The second row of a
            capture is the velocity with which the ball came.
        impulse: (m,) size of the impulse along the contact normal (N s); zero for stops and captures.
            In a joint impact, that of this contact.
        rounds: (m,) int32, impact round inside a group of simultaneous events, from 0; two contacts of one
            round of one group were solved jointly.
        count: () int32 number of events; may exceed m, and then `EVENT_CAP` is set.
    """

    time: jax.Array
    kind: jax.Array
    bodies: jax.Array
    pos: jax.Array
    vel: jax.Array
    impulse: jax.Array
    rounds: jax.Array
    count: jax.Array


class Trajectory(struct.PyTreeNode):
    """Result of a rollout.

    Attributes:
        times: (t,) asked times (s).
        pos: (t, n, 2) centres (m); the place of capture for captured balls.
        vel: (t, n, 2) velocities (m/s).
        alive: (t, n) bool.
        first_hit: (n,) time of the first impulse between the cue ball and each ball (s); inf if none.
        first_wall: (4,) time of the first impulse between the cue ball and each of `WALLS` (s); inf if none.
        events: the event list, or None when it was not asked for.
        event_count: () int32 number of events up to the last asked time.
        status: () int32, a `Status`.
    """

    times: jax.Array
    pos: jax.Array
    vel: jax.Array
    alive: jax.Array
    first_hit: jax.Array
    first_wall: jax.Array
    events: Events | None
    event_count: jax.Array
    status: jax.Array


class Outcome(struct.PyTreeNode):
    """What every event-driven back end returns: the scene at its end time.

    Attributes:
        state: the scene at the end time.
        first_hit, first_wall, events, event_count, status: as in `Trajectory`.
    """

    state: State
    first_hit: jax.Array
    first_wall: jax.Array
    events: Events | None
    event_count: jax.Array
    status: jax.Array
