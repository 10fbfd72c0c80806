"""Simultaneous impacts by brute force: every set of active contacts is tried.

Slow beyond a dozen contacts and exact: no iteration, no tolerance on convergence. BilliardPhys-Bench
specification, section 4.6: λ >= 0 with G λ - u >= 0 and λ ⟂ (G λ - u), then 2 λ is applied, round by round.
"""

import itertools
from collections.abc import Sequence

import numpy as np

from tests.oracle.scene import Floats

WALL_NORMALS = np.array([[0.0, 1.0], [0.0, -1.0], [-1.0, 0.0], [1.0, 0.0]])
"""(4, 2) directions towards TOP, BOTTOM, LEFT, RIGHT."""

Contact = tuple[str, tuple[int, ...]]
"""("ball", (i, j)) or ("wall", (ball, wall))."""

MAX_ROUNDS = 16
MAX_ACTIVE = 14


def resolve(pos: Floats, vel: Floats, mass: Floats, contacts: Sequence[Contact], v_snap: float) -> Floats:
    """Change `vel` (n, 2) in place by all impacts among the contacts; the impulse of each (N s), in order.

    Raises:
        RuntimeError: if something still approaches after `MAX_ROUNDS`, or more than `MAX_ACTIVE` contacts at once.
    """
    rows = np.array([_row(pos, contact) for contact in contacts])
    total = np.zeros(len(rows))
    struck: set[int] = set()
    for _ in range(MAX_ROUNDS):
        approach = rows @ vel.ravel()
        active = np.flatnonzero(approach > v_snap)
        if len(active) == 0:
            break
        impulse = 2 * _smallest_stop(rows[active], np.repeat(mass, 2), approach[active])
        vel -= ((rows[active].T @ impulse) / np.repeat(mass, 2)).reshape(vel.shape)
        total[active] += impulse
        struck |= {int(ball) for k in active for ball in np.flatnonzero(rows[k].reshape(-1, 2).any(axis=1))}
    else:
        raise RuntimeError(f"balls still approach after {MAX_ROUNDS} impact rounds")
    for ball in struck:
        if np.hypot(*vel[ball]) < v_snap:
            vel[ball] = 0.0
    return total


def _row(pos: Floats, contact: Contact) -> Floats:
    """(2n,) gradient of the approach speed with respect to the velocities."""
    kind, (first, second) = contact
    row = np.zeros_like(pos)
    if kind == "wall":
        row[first] = WALL_NORMALS[second]
    else:
        offset = pos[second] - pos[first]
        row[first] = offset / np.hypot(*offset)
        row[second] = -row[first]
    return row.ravel()


def _smallest_stop(rows: Floats, mass: Floats, approach: Floats) -> Floats:
    """The λ of smallest norm among all solutions; one contact alone is the ordinary law."""
    if len(approach) == 1:
        return np.asarray(approach / (rows[0] ** 2 / mass).sum())
    if len(approach) > MAX_ACTIVE:
        raise RuntimeError(f"{len(approach)} contacts at once; at most {MAX_ACTIVE} can be tried")
    gram = (rows / mass) @ rows.T
    slack = 1e-11 * approach.max()
    solutions = []
    for size in range(1, len(approach) + 1):
        for chosen in itertools.combinations(range(len(approach)), size):
            some = np.ix_(chosen, chosen)
            trial = np.zeros(len(approach))
            trial[list(chosen)] = np.linalg.lstsq(gram[some], approach[list(chosen)], rcond=1e-12)[0]
            left = gram @ trial - approach
            if (trial >= 0).all() and (left >= -slack).all() and (np.abs(left[list(chosen)]) <= slack).all():
                solutions.append(trial)
    return min(solutions, key=lambda x: float(x @ x))
