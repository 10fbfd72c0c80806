"""Stages: what a 3-D picture or film shows, in metres, without drawing it.

A benchmark describes solids, their poses and their looks at some times as a `Stage`;
`jaxphys_adapters.stages` renders it. x and y span the floor, z is up. Colours are "#rrggbb". A stage of one frame is
a still picture.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

Vector = tuple[float, float, float]

Form = Literal["sphere", "cylinder", "box", "capsule", "ellipsoid", "taper", "wedge", "tube"]
TAPER, TUBE = 0.5, 0.8
"""Width of a taper's upper end over that of its lower one, and of a tube's inside over that of its outside."""
Finish = Literal["rubber", "metal"]


@dataclass(frozen=True)
class Look:
    """Appearance of a solid: rubber is matt, metal has a highlight."""

    colour: str
    finish: Finish = "rubber"


@dataclass(frozen=True)
class Solid:
    """Something to be drawn in one piece; a body may be made of several, which may overlap.

    In its own axes a solid is the set of points, with (a, b, c) its half extents:
    sphere, cylinder, capsule: round, a = b, about z, the round ends of the capsule within c; box: all of them;
    ellipsoid: (x/a)² + (y/b)² + (z/c)² ≤ 1;
    taper: a frustum, |z| ≤ c and (x/a)² + (y/b)² ≤ s² with s falling evenly from 1 at the bottom to `TAPER` at the top;
    wedge: the half of the box with y/b + z/c ≤ 0, so that its slope rises towards -y;
    tube: open at both ends, |z| ≤ c and `TUBE`² ≤ (x/a)² + (y/b)² ≤ 1.

    Attributes:
        name: unique within the stage.
        form: what it is.
        half: half extents of the box around it (m); a sphere has its radius three times.
        casts: whether it throws a shadow on the floor, which walls around a scene should not, nor what lies within or
            close to another part of its body.
        of: the body that it is a part of; "" for one that is nothing's.
    """

    name: str
    form: Form
    half: Vector
    casts: bool = True
    of: str = ""


@dataclass(frozen=True)
class Camera:
    """A pinhole camera.

    Attributes:
        position, target: where it is and what is in the middle of the picture (m).
        fov_deg: vertical field of view.
        up: what is up in the picture, as far as it is square to the line of sight; a head that leans has its own.
    """

    position: Vector
    target: Vector
    fov_deg: float
    up: Vector = (0.0, 0.0, 1.0)

    def project(self, points: np.ndarray, width_px: int, height_px: int) -> np.ndarray:
        """Where points are seen in a picture of this size.

        Args:
            points: (..., 3) m.

        Returns:
            (..., 3): x to the right and y down (px; the centre of the upper left pixel is 0.5, 0.5), and the depth in
            front of the camera (m); what has a depth <= 0 is not seen, and its x and y are NaN.
        """
        eye, target = np.asarray(self.position, float), np.asarray(self.target, float)
        forward = (target - eye) / np.linalg.norm(target - eye)
        right = np.cross(forward, self.up)
        right /= np.linalg.norm(right)
        local = (np.asarray(points, float) - eye) @ np.stack([right, np.cross(forward, right), forward], axis=-1)
        depth = local[..., 2]
        scale = 0.5 * height_px / np.tan(np.radians(self.fov_deg) / 2) / np.where(depth > 0, depth, np.nan)
        return np.stack([width_px / 2 + scale * local[..., 0], height_px / 2 + scale * local[..., 1], depth], axis=-1)


CLEVR_CAMERA = Camera(position=(0.0, -10.853, 5.848), target=(0.0, 0.0, 0.0), fov_deg=33.9)
"""The direction and lens of CLEVR's camera (Blender's default at (7.4811, -6.5076, 5.3437), 35 mm on a sensor 32 mm
wide, 3 : 2), turned about z so that in the picture x runs to the right and y away from the viewer: a wall along y then
looks vertical. It stands 9 % farther away, so that every object of half extent 0.7 m with its centre within ±3 m is
inside the picture."""


@dataclass(frozen=True, eq=False)
class Skin:
    """The surface of a machine, whose meshes a renderer may have: drawn in place of the solids that stand for it.

    Attributes:
        model: whose meshes they are, for example "g1".
        links: names of l rigid parts. of: the body (`Solid.of`) that each is a part of; where a renderer has the
            meshes, it draws none of the solids of these bodies, which still throw the shadows.
        pos: (f, l, 3) places of their frames (m). quat: (f, l, 4) orientations, w first.
    """

    model: str
    links: tuple[str, ...]
    of: tuple[str, ...]
    pos: np.ndarray
    quat: np.ndarray

    def without(self, bodies: Collection[str]) -> "Skin":
        """The same without the links of these bodies."""
        kept = [k for k, body in enumerate(self.of) if body not in bodies]
        links, of = (tuple(names[k] for k in kept) for names in (self.links, self.of))
        return replace(self, links=links, of=of, pos=self.pos[:, kept], quat=self.quat[:, kept])

    def only(self, frames: Sequence[int] | np.ndarray) -> "Skin":
        """The same in some of its frames."""
        return replace(self, pos=self.pos[frames], quat=self.quat[frames])


@dataclass(frozen=True, eq=False)
class Stage:
    """A film of solids on a floor.

    Attributes:
        width_px, height_px: size of a frame.
        camera: the same for all frames, unless there are `cameras`: one for each frame, of one field of view.
        solids: n of them.
        times: (f,) s.
        pos: (f, n, 3) centres (m).
        quat: (f, n, 4) orientations, w first.
        looks: all appearances that occur.
        look: (f, n) int index into `looks`.
        fps: frames per second at which it is to be played.
        floor: colour of the floor. shadows: solids cast them.
        bounce: light that the floor throws back on what looks down, as in a room, over that of the sky.
        cameras: (f) of them, for a camera that moves, or none.
        skin: the surface of a machine that some of the solids stand for, or None.
    """

    width_px: int
    height_px: int
    camera: Camera
    solids: tuple[Solid, ...]
    times: np.ndarray
    pos: np.ndarray
    quat: np.ndarray
    looks: tuple[Look, ...]
    look: np.ndarray
    fps: float = 25.6
    floor: str = "#8c8c8c"
    shadows: bool = True
    bounce: float = 0.0
    cameras: tuple[Camera, ...] = ()
    skin: Skin | None = None

    def __post_init__(self) -> None:
        """Raises ValueError naming the array whose shape does not fit."""
        f, n = len(self.times), len(self.solids)
        wanted = {"times": (f,), "pos": (f, n, 3), "quat": (f, n, 4), "look": (f, n)}
        arrays = {name: getattr(self, name) for name in wanted}
        if self.skin is not None:
            links = len(self.skin.links)
            wanted |= {"skin.of": (links,), "skin.pos": (f, links, 3), "skin.quat": (f, links, 4)}
            arrays |= {"skin.of": np.array(self.skin.of), "skin.pos": self.skin.pos, "skin.quat": self.skin.quat}
        for name, shape in wanted.items():
            found = arrays[name].shape
            if found != shape or not f:
                raise ValueError(f"{name} has shape {found}; it must be {shape} with at least one frame")
        if self.cameras and (len(self.cameras) != f or len({camera.fov_deg for camera in self.cameras}) != 1):
            raise ValueError(f"cameras: {len(self.cameras)} for {f} frames; give one a frame, of one field of view")

    def __len__(self) -> int:
        return len(self.times)

    def seen_from(self, frame: int) -> Camera:
        """The camera of a frame."""
        return self.cameras[frame] if self.cameras else self.camera

    def parts(self, body: str) -> list[int]:
        """Indices of the solids that a body consists of."""
        return [k for k, solid in enumerate(self.solids) if solid.of == body]

    def without(self, bodies: Collection[str]) -> "Stage":
        """The same stage without the solids of these bodies."""
        kept = [k for k, solid in enumerate(self.solids) if solid.of not in bodies]
        arrays = {name: getattr(self, name)[:, kept] for name in ("pos", "quat", "look")}
        skin = None if self.skin is None else self.skin.without(bodies)
        return replace(self, solids=tuple(self.solids[k] for k in kept), skin=skin, **arrays)

    def undressed(self) -> "Stage":
        """The same stage without its skin and without the solids that it is drawn in place of."""
        return self if self.skin is None else replace(self.without(set(self.skin.of)), skin=None)

    def only(self, frames: Sequence[int] | np.ndarray) -> "Stage":
        """The same stage with some of its frames, in the order given (indices, or a mask)."""
        arrays = {name: getattr(self, name)[frames] for name in ("times", "pos", "quat", "look")}
        chosen = np.arange(len(self))[frames] if self.cameras else ()
        skin = None if self.skin is None else self.skin.only(frames)
        return replace(self, cameras=tuple(self.cameras[k] for k in chosen), skin=skin, **arrays)
