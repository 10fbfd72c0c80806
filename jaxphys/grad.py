"""When a derivative of a rollout may be believed.

A derivative holds while the event list stays as it is. At a grazing contact it grows without bound, and where
contacts of one instant share a ball their order is about to change: those scenes are flagged, not faked.
"""

import jax
import jax.numpy as jnp

from jaxphys.precision import precision_of
from jaxphys_kernels.billiards import replay
from jaxphys_kernels.billiards.model import Trajectory

GRAZING = 1e-3
"""Squared cosine of incidence below which a contact counts as grazing."""


def margins(trajectory: Trajectory) -> jax.Array:
    """(b, m) squared cosine of incidence at each event: 1 head-on, towards 0 grazing, 0 for joint impacts.

    Raises:
        ValueError: the trajectory has no event list.
    """
    if trajectory.events is None:
        raise ValueError("the trajectory has no events; run rollout with log=True and an event-driven back end")
    with precision_of(trajectory.pos):
        found: jax.Array = _margins(trajectory.events)
    return found


_margins = jax.jit(jax.vmap(replay.contact_margins))


def is_valid(trajectory: Trajectory, grazing: float = GRAZING) -> jax.Array:
    """(b,) bool: no status bit is set, no contact grazes and none is joint."""
    found = margins(trajectory)
    with precision_of(trajectory.pos):
        least = jnp.min(found, axis=1, initial=1.0)
        return (least > grazing) & (jnp.asarray(trajectory.status) == 0)
