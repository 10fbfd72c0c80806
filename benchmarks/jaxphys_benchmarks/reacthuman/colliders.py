"""What a catalogue object collides as: shape, size, volume, inertia and projected area (sections 15.5 and 15.6).

A visual cylinder that stands or slides is a 12-sided prism of equal area, one that rolls or tumbles a capsule of the
same extent, lying along x: MJX has no pair of box and cylinder. Sizes are those of
`jaxphys_kernels.rigid.model.World.size`.
"""

import math
from typing import Literal

from jaxphys_benchmarks.reacthuman.scene import Quaternion, ShapeName, Vector

Morph = Literal["sphere", "box", "cylinder", "mesh"]

SIDES = 12
"""Of a prism."""

CIRCUMRADIUS = math.sqrt(math.pi / (SIDES / 2 * math.sin(2 * math.pi / SIDES)))
"""Of the prism over the radius of the cylinder of the same cross-section: sqrt(π/3)."""

DRAG_COEFFICIENTS: dict[ShapeName, float] = {"sphere": 0.47, "box": 1.05, "prism": 0.82, "capsule": 0.82}
"""Of the visual shape behind each collider (section 15.6, assumed)."""

UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)
LYING: Quaternion = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
"""A capsule, whose axis is its z axis, lying along x."""


def collider_of(morph: Morph, visual_size: Vector, lies: bool) -> tuple[ShapeName, Vector]:
    """Shape and size (m) of the collider of a visual shape of `visual_size` (m).

    Args:
        morph: the visual shape; a mesh is taken for the box around it.
        visual_size: half extents of a box or mesh, (r, r, r) of a sphere, (r, r, half height) of a cylinder.
        lies: a cylinder lies along x, and is a capsule of the same extent.

    Raises:
        ValueError: naming the field: a sphere or cylinder that is not round, or a cylinder too short to lie.
    """
    x, y, z = visual_size
    if morph in ("box", "mesh"):
        return "box", visual_size
    if x != y or (morph == "sphere" and x != z):
        raise ValueError(
            f"visual_size: {visual_size} of a {morph}; give (r, r, {'r' if morph == 'sphere' else 'half'})"
        )
    if morph == "sphere":
        return "sphere", visual_size
    if not lies:
        return "prism", visual_size
    if z <= x:
        raise ValueError(f"visual_size: {visual_size}; a cylinder that lies needs a half height above its radius {x}")
    return "capsule", (x, x, round(z - x, 9))


def volume(morph: Morph, visual_size: Vector) -> float:
    """Volume of a visual shape (m³); a mesh is taken for the box around it."""
    x, y, z = visual_size
    if morph == "sphere":
        return 4 / 3 * math.pi * x**3
    if morph == "cylinder":
        return 2 * math.pi * x * x * z
    return 8 * x * y * z


def extent(collider: ShapeName, size: Vector) -> Vector:
    """Half extents along x, y and z of a collider in the pose in which it rests (m); a capsule lies along x.

    A prism counts as its cylinder: its corners stand out by 2.33 % of the radius.
    """
    x, y, z = size
    return (z + x, x, x) if collider == "capsule" else (x, y, z)


def inertia(collider: ShapeName, size: Vector, mass: float) -> Vector:
    """Principal moments of the uniform solid about its centre, along the axes of the body (kg m²); prism: cylinder."""
    x, y, z = size
    if collider == "sphere":
        return (0.4 * mass * x * x,) * 3
    if collider == "box":
        return (mass / 3 * (y * y + z * z), mass / 3 * (x * x + z * z), mass / 3 * (x * x + y * y))
    if collider == "prism":
        across = mass * (x * x / 4 + z * z / 3)
        return (across, across, mass * x * x / 2)
    tube, caps = 2 * math.pi * x * x * z, 4 / 3 * math.pi * x**3
    of_tube, of_caps = mass * tube / (tube + caps), mass * caps / (tube + caps)
    across = of_tube * (x * x / 4 + z * z / 3) + of_caps * (0.4 * x * x + z * z + 0.75 * z * x)
    return (across, across, of_tube * x * x / 2 + of_caps * 0.4 * x * x)


def drag_area(collider: ShapeName, size: Vector) -> float:
    """Drag coefficient times the area that the resting shape shows from above (m²)."""
    x, y, _ = extent(collider, size)
    shadow = math.pi * x * x if collider in ("sphere", "prism") else 4 * x * y
    return DRAG_COEFFICIENTS[collider] * shadow
