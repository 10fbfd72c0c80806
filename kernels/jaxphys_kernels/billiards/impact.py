"""The joint impact rule: simultaneous contacts resolved together, whatever the order of the arrays.

Contacts that approach are reflected in the kinetic metric: find the smallest impulses λ >= 0 that just stop
every approach, then apply them twice. Energy and momentum are exact, impulses never pull, and neither ball
order nor contact order matters. Rounds repeat until nothing approaches: one contact gives the ordinary
law, two perpendicular walls the corner rule, a row of touching balls a chain of hits (BilliardPhys-Bench
specification, section 4.6).

A scene of n balls has n(n-1)/2 + 4n contact slots: walls first (ball by ball, in the order of `WALLS`), then
pairs (i, j), i < j, in lexicographic order: the order in which simultaneous events are listed.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxphys_kernels.plane import pairs

ROUNDS = 16
"""Cap of the impact rounds; clusters of 3 to 7 discs were seen to need at most 5."""

WALL_NORMALS = np.array([[0.0, 1.0], [0.0, -1.0], [-1.0, 0.0], [1.0, 0.0]])
"""(4, 2) directions from the table to each of `WALLS`."""


# On GPUs and TPUs the default product of float32 matrices keeps about three digits.
_einsum = functools.partial(jnp.einsum, precision=lax.Precision.HIGHEST)


_Rounds = tuple[jax.Array, jax.Array, jax.Array, jax.Array, jax.Array, jax.Array]
"""vel, impulse, first round, rounds done, whether something still approaches, whether a cap was reached."""

_Solving = tuple[jax.Array, jax.Array, jax.Array, jax.Array]
"""size, chosen, steps done, whether to go on."""


def resolve(
    pos: jax.Array, vel: jax.Array, mass: jax.Array, touching: jax.Array, v_snap: float
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """Velocities after all impacts among the contacts of a set.

    Args:
        pos, vel: (n, 2) m, m/s. mass: (n,) kg.
        touching: (4n + pairs,) bool, the contact set.
        v_snap: approaches up to this speed are not impacts, and slower balls come to rest (m/s).

    Returns:
        vel (n, 2); impulse (4n + pairs,) summed over the rounds (N s), positive where a contact took part;
        rounds (4n + pairs,) int32, the first round it took part in; and a flag that a cap was reached.
    """
    jacobian = _jacobian(pos)
    gram = _einsum("cnk,n,dnk->cd", jacobian, 1 / mass, jacobian)

    def round_of(carry: _Rounds) -> _Rounds:
        vel, impulse, rounds, count, _, failed = carry
        approach = _einsum("cnk,nk->c", jacobian, vel)
        active = touching & (approach > v_snap)
        size, unsolved = _stopping_impulses(gram, jnp.where(active, approach, 0), active)
        rounds = jnp.where((size > 0) & (impulse == 0), count, rounds)
        vel = vel - 2 * _einsum("cnk,c->nk", jacobian, size) / mass[:, None]
        left = touching & (_einsum("cnk,nk->c", jacobian, vel) > v_snap)
        return vel, impulse + 2 * size, rounds, count + 1, jnp.any(left), failed | unsolved

    def approaching(carry: _Rounds) -> jax.Array:
        *_, count, again, _ = carry
        return again & (count < ROUNDS)

    start = _einsum("cnk,nk->c", jacobian, vel)
    vel, impulse, rounds, _, again, failed = lax.while_loop(
        approaching,
        round_of,
        (
            vel,
            jnp.zeros_like(start),
            jnp.zeros(start.shape, jnp.int32),
            jnp.zeros((), jnp.int32),
            jnp.any(touching & (start > v_snap)),
            jnp.zeros((), bool),
        ),
    )
    # Only balls that took part are snapped: a slow ball elsewhere must go on.
    struck = _einsum("cn,c->n", jnp.any(jacobian != 0, axis=-1).astype(pos.dtype), impulse) > 0
    slow = struck & (jnp.sum(vel * vel, axis=-1) < v_snap * v_snap)
    return jnp.where(slow[:, None], 0, vel), impulse, rounds, again | failed


def _jacobian(pos: jax.Array) -> jax.Array:
    """(4n + pairs, n, 2): row times velocities is the approach speed of a contact."""
    n = pos.shape[0]
    walls = np.zeros((4 * n, n, 2))
    for ball in range(n):
        walls[4 * ball : 4 * ball + 4, ball] = WALL_NORMALS
    first, second = pairs(n)
    offset = pos[second] - pos[first]
    square = jnp.sum(offset * offset, axis=-1, keepdims=True)
    normal = offset / jnp.sqrt(jnp.where(square > 0, square, 1))
    row = np.arange(len(first))
    between = jnp.zeros((len(first), n, 2), pos.dtype).at[row, first].set(normal).at[row, second].set(-normal)
    return jnp.concatenate([jnp.asarray(walls, pos.dtype), between])


def _stopping_impulses(gram: jax.Array, approach: jax.Array, active: jax.Array) -> tuple[jax.Array, jax.Array]:
    """λ >= 0 with G λ - u >= 0 and λ ⟂ (G λ - u) over the active contacts, by the active-set method.

    Contacts enter the solved set one by one, the fastest approach first, and leave it where the solution
    would pull (Lawson and Hanson, Solving Least Squares Problems, chapter 23). One contact alone is the
    ordinary law and needs no loop.
    """
    c = gram.shape[0]
    tiny = jnp.asarray(1e-14, gram.dtype)
    scale = jnp.max(jnp.where(active, approach, 0))
    alone = jnp.sum(active) <= 1
    single = jnp.where(active, approach / jnp.diagonal(gram), 0)

    def solve(chosen: jax.Array) -> jax.Array:
        both = chosen[:, None] & chosen[None, :]
        # A redundant contact makes G singular; the ridge picks the evenly shared solution and the two
        # refinements remove its effect on the velocities.
        matrix = jnp.where(both, gram, 0) + jnp.diag(jnp.where(chosen, tiny, 1))
        factor = jax.scipy.linalg.cho_factor(matrix)
        target = jnp.where(chosen, approach, 0)
        x = jax.scipy.linalg.cho_solve(factor, target)
        for _ in range(2):
            x = x + jax.scipy.linalg.cho_solve(factor, target - _einsum("cd,d->c", jnp.where(both, gram, 0), x))
        return jnp.where(chosen, x, 0)

    def step(carry: _Solving) -> _Solving:
        size, chosen, count, _ = carry
        trial = solve(chosen)
        pulls = chosen & (trial < 0)
        blend = jnp.where(pulls, size / jnp.where(pulls, size - trial, 1), jnp.inf)
        reach = jnp.minimum(jnp.min(blend), 1)
        size = jnp.where(jnp.any(pulls), size + reach * (trial - size), trial)
        chosen = chosen & ~(pulls & (blend <= reach))
        size = jnp.where(chosen, size, 0)
        short = jnp.where(active & ~chosen, approach - _einsum("cd,d->c", gram, size), 0)
        worst = jnp.max(short)
        enter = ~jnp.any(pulls) & (worst > 1e-13 * scale)
        chosen = jnp.where(enter, chosen | (short >= worst * (1 - 1e-9)), chosen)
        return size, chosen, count + 1, jnp.any(pulls) | enter

    first = active & (approach >= scale * (1 - 1e-9))
    size, _, _, again = lax.while_loop(
        lambda carry: carry[3] & (carry[2] < 4 * c),
        step,
        (jnp.zeros_like(approach), first, jnp.zeros((), jnp.int32), ~alone),
    )
    return jnp.where(alone, single, size), again
