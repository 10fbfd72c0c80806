"""The joint impact rule in scalar compiled code: what simultaneous contacts do, whatever their order.

Contacts that approach get the smallest non-negative impulses that just stop them, applied twice: a reflection in
the kinetic metric, exact in energy and momentum. Rounds repeat until nothing approaches (BilliardPhys-Bench
specification, section 4.6). The impulses of a round solve a non-negative least-squares problem, found by the
active-set method of Lawson and Hanson (Solving Least Squares Problems, chapter 23).

A contact list is a table `c` of float64 rows and a table `b` of int64 rows by contact. The second body of a wall
contact is -1 - wall; a wall has infinite mass.
"""

from math import sqrt

import numpy as np

from jaxphys_kernels.compiled_runtime import jit

NX, NY, APPROACH, IMPULSE, FORCE, TRIAL, RHS = range(7)
"""Rows of `c`: unit normal from the first body to the second, speed of approach, impulse so far, impulse of this
round, and scratch of its solution."""

FLOATS = 7
FIRST, SECOND, ROUND, SOLVED, BARRED = range(5)
"""Rows of `b`: the two bodies, the first round with an impulse, whether a contact is active and in the solved set,
and whether it was found to depend on that set."""

INTEGERS = 5
IDLE, ACTIVE, CHOSEN = range(3)
ROUNDS = 16


@jit
def resolve(
    c: np.ndarray,
    b: np.ndarray,
    gram: np.ndarray,
    count: int,
    vx: np.ndarray,
    vy: np.ndarray,
    mass: np.ndarray,
    snap: float,
) -> bool:
    """Resolve `count` contacts in place: velocities (n,), IMPULSE and ROUND. True if a cap was reached.

    `gram` is (2, m, m) scratch with m >= count.
    """
    for q in range(count):
        c[IMPULSE, q] = 0.0
        b[ROUND, q] = 0
        for p in range(q + 1):
            gram[0, p, q] = gram[0, q, p] = _coupling(c, b, p, q, mass)
    solved = True
    for turn in range(ROUNDS + 1):
        active = 0
        for q in range(count):
            _measure(c, b, q, vx, vy)
            c[FORCE, q] = 0.0
            b[SOLVED, q] = ACTIVE if c[APPROACH, q] > snap else IDLE
            active += b[SOLVED, q]
        if active == 0:
            return not solved
        if turn == ROUNDS:
            return True
        if active == 1:
            for q in range(count):
                if b[SOLVED, q] == ACTIVE:
                    c[FORCE, q] = c[APPROACH, q] / gram[0, q, q]
        else:
            solved &= _stopping_impulses(c, b, gram, count)
        for q in range(count):
            push = 2.0 * c[FORCE, q]
            if push > 0.0:
                if c[IMPULSE, q] == 0.0:
                    b[ROUND, q] = turn
                c[IMPULSE, q] += push
                i, j = b[FIRST, q], b[SECOND, q]
                vx[i] -= push / mass[i] * c[NX, q]
                vy[i] -= push / mass[i] * c[NY, q]
                if j >= 0:
                    vx[j] += push / mass[j] * c[NX, q]
                    vy[j] += push / mass[j] * c[NY, q]
    return True


@jit
def _measure(c: np.ndarray, b: np.ndarray, q: int, vx: np.ndarray, vy: np.ndarray) -> None:
    """Set the speed of approach of contact q."""
    i, j = b[FIRST, q], b[SECOND, q]
    rx, ry = vx[i], vy[i]
    if j >= 0:
        rx -= vx[j]
        ry -= vy[j]
    c[APPROACH, q] = rx * c[NX, q] + ry * c[NY, q]


@jit
def _coupling(c: np.ndarray, b: np.ndarray, p: int, q: int, mass: np.ndarray) -> float:
    """Change of the approach at contact p by a unit impulse at contact q."""
    i, j, k, m = b[FIRST, p], b[SECOND, p], b[FIRST, q], b[SECOND, q]
    shared = 0.0
    if i == k:
        shared += 1.0 / mass[i]
    if i == m:
        shared -= 1.0 / mass[i]
    if j >= 0:
        if j == k:
            shared -= 1.0 / mass[j]
        if j == m:
            shared += 1.0 / mass[j]
    return float(shared * (c[NX, p] * c[NX, q] + c[NY, p] * c[NY, q]))


@jit
def _stopping_impulses(c: np.ndarray, b: np.ndarray, gram: np.ndarray, count: int) -> bool:
    """Set FORCE = λ >= 0 with G λ - u >= 0, orthogonal, over the active contacts. False if the cap was reached."""
    scale = 0.0
    for q in range(count):
        b[BARRED, q] = 0
        if b[SOLVED, q] == ACTIVE and c[APPROACH, q] > scale:
            scale = c[APPROACH, q]
    for _ in range(4 * count + 16):
        enter, worst = -1, 1e-14 * scale
        for q in range(count):
            if b[SOLVED, q] == ACTIVE and b[BARRED, q] == 0:
                short = _shortfall(c, b, gram, count, q)
                if short > worst:
                    enter, worst = q, short
        if enter < 0:
            return True
        b[SOLVED, enter] = CHOSEN
        if not _solve(c, b, gram, count):
            b[SOLVED, enter] = ACTIVE
            b[BARRED, enter] = 1
            continue
        while True:
            # Walk towards the solution of the chosen set until the first impulse would pull, and drop that one.
            reach, leave = 1.0, -1
            for q in range(count):
                if b[SOLVED, q] == CHOSEN and c[TRIAL, q] <= 0.0:
                    share = c[FORCE, q] / (c[FORCE, q] - c[TRIAL, q]) if c[FORCE, q] > 0.0 else 0.0
                    if share < reach:
                        reach, leave = share, q
            for q in range(count):
                if b[SOLVED, q] == CHOSEN:
                    c[FORCE, q] += reach * (c[TRIAL, q] - c[FORCE, q])
            if leave < 0:
                break
            b[SOLVED, leave] = ACTIVE
            c[FORCE, leave] = 0.0
            if leave == enter:
                b[BARRED, leave] = 1
            if not _solve(c, b, gram, count):
                return False
    return False


@jit
def _shortfall(c: np.ndarray, b: np.ndarray, gram: np.ndarray, count: int, q: int) -> float:
    """Approach left at contact q after the impulses FORCE."""
    left = c[APPROACH, q]
    for p in range(count):
        if b[SOLVED, p] == CHOSEN:
            left -= gram[0, q, p] * c[FORCE, p]
    return float(left)


@jit
def _solve(c: np.ndarray, b: np.ndarray, gram: np.ndarray, count: int) -> bool:
    """Set TRIAL = the impulses of the chosen contacts alone, by Cholesky with one refinement. False if singular."""
    for q in range(count):
        if b[SOLVED, q] != CHOSEN:
            continue
        for p in range(q + 1):
            if b[SOLVED, p] != CHOSEN:
                continue
            total = gram[0, q, p]
            for r in range(p):
                if b[SOLVED, r] == CHOSEN:
                    total -= gram[1, q, r] * gram[1, p, r]
            if p < q:
                gram[1, q, p] = total / gram[1, p, p]
            elif total > 1e-13 * gram[0, q, q]:
                gram[1, q, q] = sqrt(total)
            else:
                return False
    for q in range(count):
        c[TRIAL, q] = 0.0
    for _ in range(2):
        for q in range(count):
            if b[SOLVED, q] == CHOSEN:
                c[RHS, q] = c[APPROACH, q]
                for p in range(count):
                    if b[SOLVED, p] == CHOSEN:
                        c[RHS, q] -= gram[0, q, p] * c[TRIAL, p]
        for q in range(count):
            if b[SOLVED, q] == CHOSEN:
                for p in range(q):
                    if b[SOLVED, p] == CHOSEN:
                        c[RHS, q] -= gram[1, q, p] * c[RHS, p]
                c[RHS, q] /= gram[1, q, q]
        for q in range(count - 1, -1, -1):
            if b[SOLVED, q] == CHOSEN:
                for p in range(q + 1, count):
                    if b[SOLVED, p] == CHOSEN:
                        c[RHS, q] -= gram[1, p, q] * c[RHS, p]
                c[RHS, q] /= gram[1, q, q]
                c[TRIAL, q] += c[RHS, q]
    return True
