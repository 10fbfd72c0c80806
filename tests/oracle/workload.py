"""The scenes of the speed and accuracy tables: 7 balls on a 2 x 1 m table (performance document, section 2).

Centres uniform with a gap above 0.2 R, directions uniform, speeds U(0.3, 1.2) m/s. `cue`: only ball 0 moves;
`all`: every ball does. Only NumPy: scenes are the same for every engine.
"""

from typing import Literal

import numpy as np

from tests.oracle.scene import Floats

SIZE = (2.0, 1.0)
RADIUS = 0.03
MU, GRAVITY = 0.002, 9.8
A = MU * GRAVITY
Moving = Literal["cue", "all"]


def draw(
    scenes: int, moving: Moving, *, balls: int = 7, seed: int = 0, low: float = 0.3, high: float = 1.2
) -> tuple[Floats, Floats]:
    """Positions and velocities (scenes, balls, 2); a scene depends on its index and the seed alone."""
    pos, vel = np.empty((scenes, balls, 2)), np.zeros((scenes, balls, 2))
    for scene in range(scenes):
        rng = np.random.default_rng([seed, balls, scene])
        pos[scene] = _layout(rng, balls)
        angle, speed = rng.uniform(0, 2 * np.pi, balls), rng.uniform(low, high, balls)
        vel[scene] = np.stack([speed * np.cos(angle), speed * np.sin(angle)], axis=-1)
    if moving == "cue":
        vel[:, 1:] = 0
    return pos, vel


def _layout(rng: np.random.Generator, balls: int) -> Floats:
    placed = np.empty((balls, 2))
    for k in range(balls):
        while True:
            centre = rng.uniform((RADIUS, RADIUS), (SIZE[0] - RADIUS, SIZE[1] - RADIUS))
            offset = placed[:k] - centre
            if (np.square(offset).sum(axis=1) > (2.2 * RADIUS) ** 2).all():
                placed[k] = centre
                break
    return placed
