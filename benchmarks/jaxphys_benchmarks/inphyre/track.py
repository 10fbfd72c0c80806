"""`Track`: where everything is at the times of a film, from a simulation of the spec alone.

Frame i of a film shows the scene at i / fps (InPhyRe specification, section 3). Nothing here needs labels, and the
answer to nothing is taken from here.

Public functions: `track` (one scene, the last few are kept), `tracks` (many, simulated together).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from jaxphys import planar
from jaxphys_benchmarks.groups import by_key
from jaxphys_benchmarks.inphyre import lower
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec

Floats = NDArray[np.float64]

KEPT = 32
"""Tracks of single scenes that are kept: a scene's film, first frame and annotation are made one after the other."""


@dataclass(frozen=True)
class Meeting:
    """Two bodies touch: at `time` (s), smaller index first, at `point` (m); `through`: and pass without a push.

    Under LMC the two do not touch again, but B is pushed: that is a collision like any other.
    """

    time: float
    bodies: tuple[int, int]
    point: tuple[float, float]
    through: bool


@dataclass(frozen=True, eq=False)
class Track:
    """A scene at the f times of its film; n bodies, the walls last.

    Attributes:
        times: (f,) s.
        pos, vel: (f, n, 2) centres on the floor (m), m/s.
        quat: (f, n, 4) orientations, w first; spheres roll.
        omega: (f, n, 3) angular velocity (rad/s).
        look: (f, n) whose appearance each body has, an index of bodies.
        meetings: contacts during the film, in order.
    """

    times: Floats
    pos: Floats
    vel: Floats
    quat: Floats
    omega: Floats
    look: NDArray[np.int64]
    meetings: tuple[Meeting, ...]


def film_times(spec: InPhyReSpec) -> Floats:
    """(f,) times of the frames (s): exactly i / fps."""
    return np.arange(spec.film.frames) / spec.film.fps


def track(spec: InPhyReSpec) -> Track:
    """The track of one scene; the arrays are shared and read-only."""
    return _kept(spec.model_dump_json())


@lru_cache(maxsize=KEPT)
def _kept(text: str) -> Track:
    return tracks([InPhyReSpec.model_validate_json(text)])[0]


def tracks(specs: Sequence[InPhyReSpec]) -> list[Track]:
    """Tracks of many scenes, in their order; scenes of one make are simulated together."""
    found: dict[int, Track] = {}
    alike = by_key(((spec.n, spec.film, spec.max_events), k) for k, spec in enumerate(specs))
    for places in alike.values():
        found |= zip(places, _simulated([specs[k] for k in places]), strict=True)
    return [found[k] for k in range(len(specs))]


def _simulated(specs: Sequence[InPhyReSpec]) -> list[Track]:
    """Tracks of scenes with equal numbers of bodies and equal films."""
    times = film_times(specs[0])
    # Pieces of the film as scenes of their own, as long as what labels ask for: one compiled program serves both.
    pieces = -(-len(times) // lower.MOMENTS)
    asked = np.pad(times, (0, pieces * lower.MOMENTS - len(times)), mode="edge").reshape(pieces, lower.MOMENTS)
    copies = [spec for spec in specs for _ in range(pieces)]
    _, trajectory = lower.simulate(copies, np.tile(asked, (len(specs), 1)))

    def leaf(name: str) -> Floats:
        values = np.asarray(getattr(trajectory.path, name))
        return values.reshape(len(specs), asked.size, *values.shape[2:])[:, : len(times)]

    radius = np.array([[body.size for body in spec.things] + [np.inf] * len(spec.walls) for spec in specs])
    roll, yaw = leaf("roll"), leaf("yaw")
    # Rolling without slipping: the point on the floor stands still, so v = omega x r upwards.
    across = np.stack([-roll[..., 1], roll[..., 0]], axis=-1) / radius[:, None, :, None]
    omega = np.concatenate([across, leaf("spin")[..., None]], axis=-1)
    quat = np.stack([np.cos(yaw / 2), 0 * yaw, 0 * yaw, np.sin(yaw / 2)], axis=-1)
    spheres = np.array([[body.shape == "sphere" for body in spec.things] + [False] * len(spec.walls) for spec in specs])
    quat = np.where(spheres[:, None, :, None], _turned(quat[:, 0], omega, times), quat)
    pos, vel, look = leaf("pos"), leaf("vel"), leaf("look").astype(np.int64)
    for values in (pos, vel, quat, omega, look):
        values.flags.writeable = False
    # The last piece lasts until the end of the film, so its events are those of the whole.
    met = _meetings(trajectory.events)[pieces - 1 :: pieces]
    return [Track(times, pos[k], vel[k], quat[k], omega[k], look[k], met[k]) for k in range(len(specs))]


def _meetings(events: planar.Events) -> list[tuple[Meeting, ...]]:
    """The contacts of each scene of a batch."""
    pushed = np.any(np.asarray(events.vel_after) != np.asarray(events.vel_before), axis=(-2, -1))
    kind, time, bodies, point, through = (
        np.asarray(leaf).tolist()
        for leaf in (events.kind, events.time, events.bodies, events.point, np.asarray(events.through) & ~pushed)
    )
    return [
        tuple(
            Meeting(time[b][m], (bodies[b][m][0], bodies[b][m][1]), (point[b][m][0], point[b][m][1]), through[b][m])
            for m, what in enumerate(row)
            if what == planar.Kind.CONTACT
        )
        for b, row in enumerate(kind)
    ]


def _turned(start: Floats, omega: Floats, times: Floats) -> Floats:
    """(b, f, n, 4) orientations from (b, n, 4) and (b, f, n, 3) angular velocities, frame by frame.

    Exact where the axis stands still and the speed changes evenly; within the frame of a contact it is not, which no
    picture of a plain sphere can show.
    """
    quats = [start]
    for k, dt in enumerate(np.diff(times)):
        turn = (omega[:, k] + omega[:, k + 1]) / 2 * dt
        angle = np.linalg.norm(turn, axis=-1, keepdims=True)
        step = np.concatenate([np.cos(angle / 2), turn * (np.sinc(angle / (2 * np.pi)) / 2)], axis=-1)
        quats.append(_product(step, quats[-1]))
    return np.stack(quats, axis=1)


def _product(a: Floats, b: Floats) -> Floats:
    """Hamilton product of (..., 4) quaternions, w first."""
    scalar = a[..., :1] * b[..., :1] - np.sum(a[..., 1:] * b[..., 1:], axis=-1, keepdims=True)
    vector = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([scalar, vector], axis=-1)
