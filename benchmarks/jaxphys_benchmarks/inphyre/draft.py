"""`Draft`: what is drawn of many samples before anything is placed, and the choices that recipes share.

A recipe (`recipes`, `varied`) says what the objects of a scenario are, how fast they meet and under which law; `place`
finds where they start. Arrays lead with the sample axis m; column 0 is A, column 1 is B, which Wall does not have.

Public: `Draft`, `Recipe`, `shapes`, `materials`, `sizes`, `slides`, `pair`, and the names of what may be red.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from jaxphys_benchmarks.inphyre.config import InPhyReConfig, MaterialName, ShapeName
from jaxphys_benchmarks.inphyre.numbers import Bools, Floats, Ints, Numbers

SHAPES: tuple[ShapeName, ...] = ("cube", "cylinder", "sphere")
CUBE, CYLINDER, SPHERE = range(3)
RUBBER, METAL = range(2)
MATERIALS: tuple[MaterialName, ...] = ("rubber", "metal")

A, B = 0, 1
NONE, ANY = 2, 3
"""What of a scene is red: A, B, nothing, or whatever the colours say."""


@dataclass
class Draft:
    """Drawn properties of m samples.

    Attributes:
        shape, material: (m, k) indices into `SHAPES` and `MATERIALS`; k is 2, or 1 where A meets a wall.
        size, mass: (m, k) m, kg.
        speed: (m, k) when they meet (m/s), along the heading; for Wall that of A along its own path.
        law: (m,) names. params: name -> (m,) of the laws.
        red: (m,) A, B, NONE or ANY.
        offset: (m,) how far B stands beside the line on which A's centre moves (m); 0 is head-on.
        slope: (m,) of A's path to the normal of the wall, with sign.
        chases: (m,) B comes from behind and hits A.
        ok: (m,) what can be told now is as it should be.
    """

    shape: Ints
    material: Ints
    size: Floats
    mass: Floats
    speed: Floats
    law: np.ndarray
    red: Ints
    offset: Floats
    slope: Floats
    chases: Bools
    ok: Bools
    params: dict[str, Floats] = field(default_factory=dict)

    def slide(self, config: InPhyReConfig) -> Floats:
        """(m, k) deceleration of sliding (m/s²)."""
        return slides(config)[self.material]


Recipe = Callable[[InPhyReConfig, Numbers, Ints], Draft]
"""(configuration, numbers, (m,) index of the family) -> Draft."""


def pair(
    numbers: Numbers, shape: Ints, material: Ints, size: Floats, mass: Floats | float, speed: Floats, law: str
) -> Draft:
    """A draft in which A hits B, which rests, head-on; everything else is left plain.

    Args:
        numbers: for their length. shape, material, size, mass: (m, k). speed: (m,) of A. law: of all.
    """
    m = len(numbers)
    still = np.zeros(m)
    return Draft(
        shape=shape,
        material=material,
        size=size,
        mass=np.broadcast_to(np.asarray(mass, dtype=np.float64), size.shape).copy(),
        speed=np.stack([speed, still][: size.shape[1]], axis=1),
        law=np.full(m, law, dtype=object),
        red=np.full(m, ANY),
        offset=still,
        slope=still,
        chases=np.zeros(m, dtype=bool),
        ok=np.ones(m, dtype=bool),
    )


def slides(config: InPhyReConfig) -> Floats:
    """(2,) deceleration of sliding of each material (m/s²): both coefficients together, times g."""
    return np.array([friction(config, name) * config.g for name in MATERIALS])


def friction(config: InPhyReConfig, material: MaterialName) -> float:
    """Coefficient of a material on the floor by the product rule; 0 for a material that is never drawn."""
    return config.friction_object.get(material, 0.0) * config.friction_floor


def shapes(config: InPhyReConfig, numbers: Numbers, *, first: tuple[ShapeName, ...] = (), alike: bool = False) -> Ints:
    """(m, 2) shapes of A and B.

    Args:
        first: shapes of A, if not all. alike: B slides if A slides, and is a sphere if A is one (section 3.4).
    """
    chosen = np.array([SHAPES.index(name) for name in first or config.shapes])
    allowed = [SHAPES.index(name) for name in config.shapes]
    a = chosen[numbers.index(len(chosen))]
    b = np.array(allowed)[numbers.index(len(allowed))]
    if alike:
        sliders = np.array([shape for shape in allowed if shape != SPHERE] or [CYLINDER])
        slider = sliders[numbers.index(len(sliders))]
        b = np.where(a == SPHERE, SPHERE, slider)
    return np.stack([a, b], axis=1)


def materials(config: InPhyReConfig, numbers: Numbers, *, alike: bool = False) -> Ints:
    """(m, 2) materials of A and B; `alike` gives both the same, and so the same friction."""
    allowed = np.array([MATERIALS.index(name) for name in config.materials])
    a, b = allowed[numbers.index(len(allowed))], allowed[numbers.index(len(allowed))]
    return np.stack([a, a if alike else b], axis=1)


def sizes(config: InPhyReConfig, numbers: Numbers, shape: Ints) -> Floats:
    """(m, 2) sizes of A and B.

    Two spheres are equally large: where a small ball touches a large one, they do not yet touch as seen from above.
    """
    both = np.array([config.size_small, config.size_large])
    a, b = both[numbers.index(2)], both[numbers.index(2)]
    return np.stack([a, np.where(np.all(shape == SPHERE, axis=1), a, b)], axis=1)
