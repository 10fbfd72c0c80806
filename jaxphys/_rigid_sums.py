"""Sums over the inner steps of C MuJoCo, compiled: the sensors of all pairs are read once, and most of them hardly.

NumPy needs several passes over what is by far the largest array of a rollout, which costs a tenth of the simulation.
"""

import numpy as np

from jaxphys_kernels.compiled_runtime import jit_entry, run_chunks

Recorded = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def over_steps(sensed: np.ndarray, met: np.ndarray, rebound: np.ndarray, substeps: int, h: float) -> Recorded:
    """What pairs did during each recorded step.

    Args:
        sensed: (b, inner, c, sensors) at the beginning of each inner step: contacts, least distance, and forces, of
            which the part along the normal comes first of three.
        met: (b, inner, c) rebounds during it, or (b, 0, c) where there are none.
        rebound: like met, their impulses (N s).
        substeps: inner steps per recorded step.
        h: length of an inner step (s).

    Returns:
        touching (b, k, c), impulse (b, k, c), depth (b, k, c), contacts (b, k), first (b, c) inner step at whose end a
        pair first touched, -1 for never, and start_depth (b,).
    """
    b, inner, c, _ = sensed.shape
    k = inner // substeps
    found = (
        np.zeros((b, k, c), np.bool_),
        np.zeros((b, k, c)),
        np.zeros((b, k, c)),
        np.zeros((b, k), np.int64),
        np.full((b, c), -1, np.int64),
        np.zeros(b),
    )
    run_chunks(lambda start, stop: _add(start, stop, sensed, met, rebound, substeps, h, *found), b)
    return found


@jit_entry
def _add(
    start: int,
    stop: int,
    sensed: np.ndarray,
    met: np.ndarray,
    rebound: np.ndarray,
    substeps: int,
    h: float,
    touching: np.ndarray,
    impulse: np.ndarray,
    depth: np.ndarray,
    contacts: np.ndarray,
    first: np.ndarray,
    start_depth: np.ndarray,
) -> None:
    """Scenes start to stop; arguments and results as of `over_steps`."""
    _, inner, c, sensors = sensed.shape
    rebounds = met.shape[1] > 0
    for b in range(start, stop):
        for step in range(inner):
            at, together = step // substeps, 0
            for pair in range(c):
                if sensed[b, step, pair, 0] > 0:
                    together += int(sensed[b, step, pair, 0])
                    overlap = -sensed[b, step, pair, 1]
                    touching[b, at, pair] = True
                    depth[b, at, pair] = max(depth[b, at, pair], overlap)
                    pushed = 0.0
                    for force in range(2, sensors, 3):
                        pushed += sensed[b, step, pair, force]
                    impulse[b, at, pair] += pushed * h
                    # Felt at the beginning of a step: they touched at the end of the one before.
                    if first[b, pair] < 0:
                        first[b, pair] = step
                    if step == 0:
                        start_depth[b] = max(start_depth[b], overlap)
                if rebounds and met[b, step, pair]:
                    touching[b, at, pair] = True
                    impulse[b, at, pair] += rebound[b, step, pair]
                    if first[b, pair] < 0:
                        first[b, pair] = step + 1
            contacts[b, at] = max(contacts[b, at], together)
