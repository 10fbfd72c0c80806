"""What composed shapes are made of: solids in the axes of their body, with a look each (assumed, all of it).

A `Shape` collects the components of one body. Details, which lie within or close to larger ones, cast no shadow.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from jaxphys_benchmarks.reacthuman.scene import Quaternion, Vector
from jaxphys_benchmarks.stage import Finish, Form, Look

HERE: Vector = (0.0, 0.0, 0.0)
UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)
_HALF = float(np.sqrt(0.5))
ALONG_X: Quaternion = (_HALF, 0.0, _HALF, 0.0)
ALONG_Y: Quaternion = (_HALF, -_HALF, 0.0, 0.0)
"""A turn of what stands along z."""
FLIPPED: Quaternion = (0.0, 1.0, 0.0, 0.0)
"""Upside down, y reversed."""

WHITE, CREAM, BLACK, DARK, STEEL, BRASS = "#f7f5f0", "#efe3c2", "#17181b", "#33363b", "#c4cad0", "#d9a93a"
WOOD, LEAF, SOIL, TERRACOTTA, RED, BLUE, GLOW = (
    "#9a6b3c", "#3f8f3a", "#4a3423", "#c4623a", "#c9302c", "#2f62b5", "#ffd94a",
)  # fmt: skip
"""Colours that do not come from the catalogue."""


@dataclass(frozen=True)
class Component:
    """A solid of a body.

    Attributes:
        name: unique within the body; that of the first is "".
        form: see `jaxphys_benchmarks.stage.Solid`. half: its half extents (m).
        pos: its centre (m), quat: its orientation, in the axes of the body.
        look: its appearance. casts: whether it throws a shadow.
    """

    name: str
    form: Form
    half: Vector
    pos: Vector
    quat: Quaternion
    look: Look
    casts: bool


@dataclass
class Shape:
    """The components of a body; `colour` and `finish` hold unless a component has its own."""

    colour: str
    finish: Finish = "rubber"
    components: list[Component] = field(default_factory=list)

    def add(
        self,
        form: Form,
        half: Vector,
        pos: Vector = HERE,
        colour: str = "",
        quat: Quaternion = UPRIGHT,
        *,
        finish: Finish | None = None,
        casts: bool = True,
    ) -> None:
        """A component; see `Component` for its arguments."""
        number = len(self.components)
        look = Look(colour or self.colour, finish or self.finish)
        self.components.append(Component(f"part {number}" if number else "", form, half, pos, quat, look, casts))

    def detail(
        self,
        form: Form,
        half: Vector,
        pos: Vector = HERE,
        colour: str = "",
        quat: Quaternion = UPRIGHT,
        finish: Finish | None = None,
    ) -> None:
        """A component without a shadow."""
        self.add(form, half, pos, colour, quat, finish=finish, casts=False)

    def rod(
        self,
        start: Vector,
        end: Vector,
        radius: float,
        colour: str = "",
        form: Form = "capsule",
        *,
        casts: bool = False,
    ) -> None:
        """A capsule with its round ends about two points (m), or another round form between them."""
        a, b = np.array(start), np.array(end)
        length = float(np.linalg.norm(b - a))
        half = (radius, radius, length / 2 + radius * (form == "capsule"))
        self.add(form, half, _triple((a + b) / 2), colour, towards(b - a), casts=casts)


def towards(direction: Sequence[float] | np.ndarray) -> Quaternion:
    """The turn that takes z to a direction (3,), of any length but zero."""
    x, y, z = (float(part) for part in np.asarray(direction) / np.linalg.norm(direction))
    if z < -1 + 1e-9:
        return FLIPPED
    w = float(np.sqrt((1 + z) / 2))
    return (w, -y / (2 * w), x / (2 * w), 0.0)


def corner(u: Vector, v: Vector) -> Quaternion:
    """The turn that puts a wedge's right angle towards -u and -v, two of the axes' directions, square to each other."""
    turn = np.stack([np.cross(u, v), u, v], axis=1)
    w = np.sqrt(max(1 + np.trace(turn), 0.0)) / 2
    if w > 1e-3:
        x, y, z = turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
        return (float(w), float(x / (4 * w)), float(y / (4 * w)), float(z / (4 * w)))
    # A half turn: its axis is the longest column of turn + 1.
    columns = (turn + np.eye(3)).T
    axis = max(columns, key=lambda column: float(column @ column))
    x, y, z = axis / np.linalg.norm(axis)
    return (0.0, float(x), float(y), float(z))


def around(k: int, n: int, radius: float) -> tuple[float, float]:
    """x and y of the k-th of n places on a circle."""
    angle = 2 * np.pi * k / n
    return radius * float(np.cos(angle)), radius * float(np.sin(angle))


def about(axis: int, angle_deg: float) -> Quaternion:
    """A turn about x, y or z: 0, 1 or 2."""
    c, s = float(np.cos(np.radians(angle_deg) / 2)), float(np.sin(np.radians(angle_deg) / 2))
    return (c, s * (axis == 0), s * (axis == 1), s * (axis == 2))


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of the turn b followed by a."""
    w, x, y, z = (a[..., k] for k in range(4))
    p, q, r, s = (b[..., k] for k in range(4))
    turns = [
        w * p - x * q - y * r - z * s,
        w * q + x * p + y * s - z * r,
        w * r - x * s + y * p + z * q,
        w * s + x * r - y * q + z * p,
    ]
    return np.stack(turns, axis=-1)


def joined(a: Quaternion, b: Quaternion) -> Quaternion:
    """The turn b followed by a."""
    w, x, y, z = (float(part) for part in product(np.array(a), np.array(b)))
    return (w, x, y, z)


def turned(quat: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Points (..., 3) turned by quaternions (..., 4)."""
    w, axis = quat[..., :1], quat[..., 1:]
    twice = 2 * cross(axis, point)
    moved: np.ndarray = point + w * twice + cross(axis, twice)
    return moved


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of vectors (..., 3): what `numpy.cross` gives, in a third of its time where they are few."""
    (u, v, w), (x, y, z) = (tuple(array[..., k] for k in range(3)) for array in (a, b))
    return np.stack([v * z - w * y, w * x - u * z, u * y - v * x], axis=-1)


def tinted(colour: str, share: float) -> str:
    """A colour made darker by a share below 0, or lighter by one above."""
    goal = 255 if share > 0 else 0
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + abs(share) * (goal - part)):02x}" for part in parts)


def _triple(values: np.ndarray) -> Vector:
    x, y, z = (float(value) for value in values)
    return (x, y, z)
