"""The light that every stage is seen in: three lamps that are far away, and light from all sides, as in CLEVR.

Whoever renders a stage uses these numbers, and whoever publishes a scene tells them.
"""

from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.stage import Vector


@dataclass(frozen=True)
class Lamp:
    """A light that is far away.

    Attributes:
        towards: direction from the scene to the lamp.
        diffuse, specular: strength of its light and of its highlights, of white.
        spread: half its extent, as seen from the scene (rad).
        rays: how many stand for it.
    """

    towards: Vector
    diffuse: float
    specular: float
    spread: float
    rays: int

    @property
    def unit(self) -> Vector:
        """`towards`, of length 1."""
        x, y, z = np.asarray(self.towards) / np.linalg.norm(self.towards)
        return float(x), float(y), float(z)


LAMPS = (
    Lamp((-0.50, -0.40, 0.85), diffuse=0.66, specular=0.8, spread=0.13, rays=24),
    Lamp((0.80, -0.55, 0.60), diffuse=0.26, specular=0.4, spread=0.30, rays=14),
    Lamp((0.10, 0.85, 0.60), diffuse=0.12, specular=0.2, spread=0.30, rays=8),
)
"""Key, fill and back light, as in CLEVR."""
AMBIENT = 0.42
"""Light from all sides."""
