"""`Story`: where the bodies of simulated scenes are at every state, and which of their points counts.

Tracked points (ReactHuman specification, section 8.2): the centre; the point nearest to the robot's axis, at the height
of the centre; or the lower edge of the top, where that is nearest to the robot's axis. All scenes of a story are of one
kind and are looked at side by side; nothing here loops over states. Hinged bodies are computed in NumPy as free ones
are, because a program compiled for every size of batch would cost more than the sums.

Public: `Story`, `story`, `moved`, `half_extent`, `tracked_points`, `swept_clearance`, `path`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.family import Path
from jaxphys_benchmarks.reacthuman.nearest import FINE, along, nearest
from jaxphys_benchmarks.reacthuman.simulate import Run
from jaxphys_kernels.quaternions import entries
from jaxphys_kernels.rigid import prism
from jaxphys_kernels.rigid.model import Joint, Shape, World, pairs

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

Track = Literal["com", "nearest", "top_edge"]

LINE = (-1.0, 5.0)
"""Heights between which the robot's axis is looked at as a line (m): no room is higher."""


@dataclass(frozen=True, eq=False)
class Story:
    """b scenes of one kind at t + 1 states.

    Attributes:
        run: what was simulated. names: of the bodies of each scene. objects: (b, n) whether a body is an object of the
            catalogue, not a trigger.
        pos, vel: (b, t + 1, n, 3). quat: (b, t + 1, n, 4). omega: (b, t + 1, n, 3), world frame.
    """

    run: Run
    names: Sequence[Sequence[str]]
    objects: NDArray[np.bool_]
    pos: Floats
    quat: Floats
    vel: Floats
    omega: Floats

    @property
    def b(self) -> int:
        """Number of scenes."""
        return len(self.names)

    @cached_property
    def shape(self) -> Ints:
        """(b, n) kinds of body."""
        return np.asarray(self.run.world.shape).astype(np.int64)

    @cached_property
    def size(self) -> Floats:
        """(b, n, 3) m."""
        return np.asarray(self.run.world.size)

    @cached_property
    def lowest(self) -> Floats:
        """(b, t + 1, n) heights of the lowest points (m)."""
        found = np.full(self.pos.shape[:3], np.inf)
        for kind in np.unique(self.shape[self.shape != Shape.ABSENT]).tolist():
            scene, body = np.nonzero(self.shape == kind)
            down = entries(self.quat[scene, :, body])[2]
            found[scene, :, body] = self.pos[scene, :, body, 2] - half_extent(kind, self.size[scene, body], down)
        return found

    @cached_property
    def southmost(self) -> Floats:
        """(b, n) least y of the bodies as they start (m)."""
        found = np.full(self.shape.shape, np.inf)
        for kind in np.unique(self.shape[self.shape != Shape.ABSENT]).tolist():
            scene, body = np.nonzero(self.shape == kind)
            south = entries(self.quat[scene, :1, body])[1]
            found[scene, body] = self.pos[scene, 0, body, 1] - half_extent(kind, self.size[scene, body], south)[:, 0]
        return found

    @cached_property
    def touches(self) -> dict[tuple[int, int], Floats]:
        """(b,) times of first contact of each pair of `jaxphys_kernels.rigid.model.pairs` (s), inf for never."""
        order = pairs(self.run.n, self.run.s)
        return {pair: self.run.first_touch[:, k] for k, pair in enumerate(order)}

    def touch(self, body: int, partner: int) -> Floats:
        """(b,) first contact of two partners as `jaxphys_kernels.rigid.model.pairs` numbers them (s), inf for never."""
        pair = (body, partner) if (body, partner) in self.touches else (partner, body)
        return self.touches[pair]

    def body(self, names: Sequence[str]) -> Ints:
        """(b,) indices of the bodies of these names, one of each scene.

        Raises:
            ValueError: a scene has no such body.
        """
        return np.array([list(row).index(name) for row, name in zip(self.names, names, strict=True)])

    def of(self, leaf: Floats, body: Ints) -> Floats:
        """(b, t + 1, ...) what `leaf` says of one body of each scene."""
        return leaf[np.arange(self.b), :, body]


def story(run: Run) -> Story:
    """The motion of a run in the world frame."""
    names = [[thing.name for thing in scene.things] for scene in run.scenes]
    objects = np.array([[bool(thing.object) for thing in scene.things] for scene in run.scenes])
    return Story(run, names, objects, *moved(run.world, run.qpos, run.qvel))


def moved(world: World, qpos: Floats, qvel: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The bodies of b scenes at t states, in the world frame.

    Args:
        world: of the scenes. qpos: (b, t, n, 7), qvel: (b, t, n, 6), as in `jaxphys_kernels.rigid.model`.

    Returns:
        pos (b, t, n, 3) m, quat (b, t, n, 4), vel (b, t, n, 3) m/s, omega (b, t, n, 3) rad/s.
    """
    pos, quat = qpos[..., :3], qpos[..., 3:]
    vel, omega = qvel[..., :3], _rotated(quat, qvel[..., 3:])
    held = np.asarray(world.joint) == Joint.HINGE
    if held.any():
        pos, quat, vel, omega = pos.copy(), quat.copy(), vel.copy(), omega.copy()
        scene, body = np.nonzero(held)
        axis = np.asarray(world.axis)[scene, body][:, None]
        half = 0.5 * qpos[scene, :, body, :1]
        swung = np.concatenate([np.cos(half), np.sin(half) * axis], axis=-1)
        arm = _rotated(swung, np.broadcast_to(np.asarray(world.com)[scene, body][:, None], (*half.shape[:2], 3)))
        turning = qvel[scene, :, body, :1] * axis
        pos[scene, :, body] = np.asarray(world.anchor)[scene, body][:, None] + arm
        quat[scene, :, body], omega[scene, :, body] = swung, turning
        vel[scene, :, body] = np.cross(turning, arm)
    return pos, quat, vel, omega


def half_extent(shape: int, size: Floats, direction: tuple[Floats, ...]) -> Floats:
    """How far bodies of one shape reach from their centres along a world axis (m).

    Args:
        shape: a `Shape`. size: (m, 3). direction: the axis in the body frames, components (m, t).
    """
    x, y, z = (size[:, None, k] for k in range(3))
    dx, dy, dz = direction
    if shape == Shape.SPHERE:
        return np.broadcast_to(x, dx.shape)
    if shape == Shape.CAPSULE:
        return np.asarray(np.abs(dz) * z + x)
    if shape == Shape.PRISM:
        # Opposite corners of the base reach equally far: half of them will do.
        corners = prism.UNIT[: prism.SIDES // 2].tolist()
        return np.asarray(x * np.max([np.abs(dx * cx + dy * cy) for cx, cy, _ in corners], axis=0) + np.abs(dz) * z)
    return np.asarray(np.abs(dx) * x + np.abs(dy) * y + np.abs(dz) * z)


def tracked_points(story: Story, body: Ints, track: Track, axis: Floats) -> tuple[Floats, Floats]:
    """The tracked point of one body of each scene, and its velocity.

    Args:
        story: scenes. body: (b,) index. track: which point. axis: (b, 2) x and y of the robot's axis (m).

    Returns:
        (b, t + 1, 3) m and m/s.
    """
    pos, vel = story.of(story.pos, body), story.of(story.vel, body)
    if track == "com":
        return pos, vel
    quat, omega = story.of(story.quat, body), story.of(story.omega, body)
    shape, size = story.shape[np.arange(story.b), body], story.size[np.arange(story.b), body]
    points = np.empty_like(pos)
    for kind in np.unique(shape).tolist():
        rows = shape == kind
        if track == "top_edge":
            points[rows] = _top_edge(kind, size[rows], pos[rows], quat[rows], axis[rows])
        else:
            # Seen from the axis at the height of the centre: a flat face has one such point, and many nearest ones.
            level = pos[rows] * (1.0, 1.0, 0.0)
            found, _ = nearest(kind, size[rows], level, quat[rows], axis[rows], (0.0, 0.0), 0)
            points[rows] = found + (pos[rows] - level)
    return points, vel + np.cross(omega, points - pos)


def swept_clearance(story: Story, body: Ints, axis: Floats, until: Ints) -> tuple[Floats, Floats]:
    """Least distances of one body of each scene to the robot (m), 0 if it is hit: over all states, and up to some.

    The robot is a vertical capsule on the floor (section 3.2).

    Args:
        story: scenes. body: (b,) index. axis: (b, 2) x and y of the robot (m). until: (b,) last states that count.

    Returns:
        (b,) each.
    """
    shape, size = story.shape[np.arange(story.b), body], story.size[np.arange(story.b), body]
    pos, quat = story.of(story.pos, body), story.of(story.quat, body)
    far: Floats = np.empty(pos.shape[:2])
    radius, height = story.run.kind.judging.robot_radius, story.run.kind.judging.robot_height
    span = (min(radius, height / 2), max(height - radius, height / 2))
    for kind in np.unique(shape).tolist():
        rows = shape == kind
        _, away = nearest(kind, size[rows], pos[rows], quat[rows], axis[rows], span, FINE)
        far[rows] = away
    early = np.where(np.arange(far.shape[1]) <= until[:, None], far, np.inf)
    return np.maximum(far.min(axis=1) - radius, 0.0), np.maximum(early.min(axis=1) - radius, 0.0)


def path(story: Story, scene: int, name: str) -> Path:
    """The motion of one body of one scene."""
    body = list(story.names[scene]).index(name)
    return Path(
        times=story.run.time,
        pos=story.pos[scene, :, body],
        quat=story.quat[scene, :, body],
        vel=story.vel[scene, :, body],
        lowest=story.lowest[scene, :, body],
    )


def _top_edge(shape: int, size: Floats, pos: Floats, quat: Floats, axis: Floats) -> Floats:
    """The point nearest to a vertical line on the lowest edge of the top of boxes or prisms; of others the centre."""
    if shape not in (Shape.BOX, Shape.PRISM):
        return pos
    rows = entries(quat)
    if shape == Shape.BOX:
        rim = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    else:
        rim = prism.UNIT[: prism.SIDES, :2]
    top = size[:, None, 2]
    corners = [
        np.stack(along(rows, (size[:, None, 0] * x, size[:, None, 1] * y, top)), axis=-1) + pos for x, y in rim.tolist()
    ]
    found, height = pos.copy(), np.full(pos.shape[:-1], np.inf)
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        middle = 0.5 * (start[..., 2] + end[..., 2])
        side = end - start
        flat = side[..., 0] ** 2 + side[..., 1] ** 2
        ahead = (axis[:, None, 0] - start[..., 0]) * side[..., 0] + (axis[:, None, 1] - start[..., 1]) * side[..., 1]
        share = np.clip(ahead / np.where(flat > 0, flat, 1.0), 0.0, 1.0)
        lower = middle < height
        found = np.where(lower[..., None], start + share[..., None] * side, found)
        height = np.where(lower, middle, height)
    return found


def _rotated(quat: Floats, vector: Floats) -> Floats:
    """Vectors of the body frame in the world frame."""
    x, y, z = np.moveaxis(vector, -1, 0)
    return np.stack(along(entries(quat), (x, y, z)), axis=-1)
