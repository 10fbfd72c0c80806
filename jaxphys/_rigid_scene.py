"""`make_scene` of the rigid engine: World and State from what people say of bodies."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.typing import ArrayLike

from jaxphys import _asked
from jaxphys_kernels.rigid.model import FLOOR, Joint, Shape, State, World, pairs

LEAST_FRICTION = 0.01
"""Of a pair, as Genesis has it (ReactHuman specification, section 15.1)."""


def make_scene(
    *,
    shape: Any,
    size: ArrayLike,
    pos: ArrayLike | None = None,
    mass: ArrayLike = 1.0,
    quat: ArrayLike | None = None,
    vel: ArrayLike = 0.0,
    omega: ArrayLike = 0.0,
    friction: ArrayLike = 0.4,
    restitution: ArrayLike = 0.0,
    drag_area: ArrayLike = 0.0,
    inertia: ArrayLike | None = None,
    static_pos: ArrayLike | None = None,
    static_half: ArrayLike | None = None,
    static_quat: ArrayLike | None = None,
    static_friction: ArrayLike = 0.5,
    floor_friction: ArrayLike = 0.5,
    gravity: ArrayLike = 9.81,
    joint: Any = "free",
    anchor: ArrayLike = 0.0,
    axis: ArrayLike | Sequence[float] = (0.0, 0.0, 1.0),
    com: ArrayLike = 0.0,
    angle: ArrayLike = 0.0,
    rate: ArrayLike = 0.0,
    damping: ArrayLike = 0.0,
    frictionloss: ArrayLike = 0.0,
    dtype: type = np.float64,
) -> tuple[World, State]:
    """World and State of b scenes with n bodies and s static boxes; NumPy leaves, broadcast over the scenes.

    Args:
        shape: (n,) or (b, n) names "sphere", "box", "prism", "capsule", "absent", or `Shape` values.
        size: (b, n, 3) m, see `World.size`.
        pos: (b, n, 3) centres of free bodies (m); may be left out where all bodies are hinged.
        mass: (n,) or (b, n) kg.
        quat: (b, n, 4) orientations, w first; None: upright.
        vel: (b, n, 3) m/s.
        omega: (b, n, 3) angular velocities in the world frame (rad/s).
        friction: (n,) or (b, n). Of a pair the larger coefficient counts, at least 0.01.
        restitution: (n,) or (b, n), of the bounce law.
        drag_area: (n,) or (b, n) drag coefficient times area (m²).
        inertia: (b, n, 3) kg m² along the axes of the body; None: of the uniform solid, of a prism as of its cylinder.
        static_pos: (b, s, 3) centres of the static boxes (m); None: there are none.
        static_half: (b, s, 3) half extents (m); zeros mark an absent box.
        static_quat: (b, s, 4); None: upright.
        static_friction: (s,) or (b, s).
        floor_friction: () or (b,).
        gravity: () or (b,) m/s².
        joint: (n,) or (b, n) names "free", "hinge". A hinged body touches nothing.
        anchor: (b, n, 3) a point of the axis of a hinge (m).
        axis: (b, n, 3) its direction.
        com: (b, n, 3) centre of a hinged body, from the anchor at angle 0 (m).
        angle: (b, n) of a hinge at the start (rad).
        rate: (b, n) of a hinge at the start (rad/s).
        damping: (b, n) of a hinge (N m s/rad).
        frictionloss: (b, n) of a hinge (N m).
        dtype: np.float64, or np.float32 for bulk sweeps on accelerators.

    Raises:
        ValueError: an unknown shape or joint, or an array that does not broadcast; the text names it.
    """
    sizes: np.ndarray = np.asarray(size, dtype)
    if sizes.ndim != 3 or sizes.shape[-1] != 3:
        raise ValueError(f"size has shape {sizes.shape}; it must be (scenes, bodies, 3)")
    b, n, _ = sizes.shape

    def spread(name: str, value: Any, shape: tuple[int, ...], kind: Any = dtype) -> np.ndarray:
        return _asked.spread(name, value, shape, kind)

    shapes = spread("shape", _asked.numbers("shape", shape, Shape), (b, n), np.int32)
    joints = spread("joint", _asked.numbers("joint", joint, Joint), (b, n), np.int32)
    held = (joints == int(Joint.HINGE)) & (shapes != int(Shape.ABSENT))
    free = ~held & (shapes != int(Shape.ABSENT))
    if pos is None and free.any():
        raise ValueError("pos is missing; give the centres (scenes, bodies, 3) of the free bodies")
    halves: np.ndarray = np.zeros((b, 0, 3), dtype) if static_half is None else np.asarray(static_half, dtype)
    if halves.ndim != 3 or halves.shape[::2] != (b, 3):
        raise ValueError(f"static_half has shape {halves.shape}; it must be ({b}, boxes, 3)")
    s = halves.shape[1]
    if static_half is None and static_pos is not None:
        raise ValueError("static_half is missing; give the half extents (scenes, boxes, 3) of the static boxes")
    if s and static_pos is None:
        raise ValueError("static_pos is missing; give the centres (scenes, boxes, 3)")
    masses = spread("mass", mass, (b, n))
    upright = (1.0, 0.0, 0.0, 0.0)
    quats = _unit("quat", spread("quat", upright if quat is None else quat, (b, n, 4)))
    turning = spread("omega", omega, (b, n, 3))
    qpos = np.concatenate([spread("pos", 0.0 if pos is None else pos, (b, n, 3)), quats], axis=-1)
    qvel = np.concatenate([spread("vel", vel, (b, n, 3)), _into_body(quats, turning)], axis=-1)
    for state, value, name in ((qpos, angle, "angle"), (qvel, rate, "rate")):
        first = np.zeros_like(state)
        first[..., 0] = spread(name, value, (b, n))
        state[held] = first[held]
    statics = spread("static_pos", 0.0 if static_pos is None else static_pos, (b, s, 3))
    turned = spread("static_quat", upright if static_quat is None else static_quat, (b, s, 4))
    leaves: dict[str, Any] = {
        "shape": shapes,
        "joint": joints,
        "size": sizes.copy(),
        "mass": masses,
        "inertia": (solid_inertia(shapes, sizes, masses) if inertia is None else spread("inertia", inertia, (b, n, 3))),
        "com": np.where(held[..., None], spread("com", com, (b, n, 3)), 0).astype(dtype),
        "restitution": spread("restitution", restitution, (b, n)),
        "drag_area": spread("drag_area", drag_area, (b, n)),
        "anchor": spread("anchor", anchor, (b, n, 3)),
        "axis": _unit("axis", spread("axis", axis, (b, n, 3))),
        "damping": spread("damping", damping, (b, n)),
        "frictionloss": spread("frictionloss", frictionloss, (b, n)),
        "static_pos": statics,
        "static_quat": _unit("static_quat", turned),
        "static_half": halves.copy(),
        "pair_friction": _pair_friction(
            spread("friction", friction, (b, n)),
            spread("static_friction", static_friction, (b, s)),
            spread("floor_friction", floor_friction, (b,)),
        ),
        "gravity": spread("gravity", gravity, (b,)),
    }
    start: dict[str, Any] = {"time": np.zeros(b, dtype), "qpos": qpos, "qvel": qvel}
    return World(**leaves), State(**start)


def _unit(field: str, vectors: np.ndarray) -> np.ndarray:
    """Vectors made to length 1."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    if not (length > 0).all():
        raise ValueError(f"{field}: a row has length 0; give a direction")
    return np.asarray(vectors / length, vectors.dtype)


def _into_body(quat: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) of the world frame in the frames of bodies."""
    w, axis = quat[..., :1], -quat[..., 1:]
    turned = 2 * np.cross(axis, vectors)
    return np.asarray(vectors + w * turned + np.cross(axis, turned))


def _pair_friction(bodies: np.ndarray, statics: np.ndarray, floor: np.ndarray) -> np.ndarray:
    """(b, c) the larger coefficient of each pair."""
    n, s = bodies.shape[1], statics.shape[1]
    every = np.concatenate([bodies, statics, floor[:, None]], axis=1)
    ends = np.array([(i, n + s if j == FLOOR else j) for i, j in pairs(n, s)], int).reshape(-1, 2)
    larger: np.ndarray = np.maximum(np.maximum(every[:, ends[:, 0]], every[:, ends[:, 1]]), LEAST_FRICTION)
    return larger.astype(bodies.dtype)


def solid_inertia(shapes: np.ndarray, size: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """(..., 3) kg m² of uniform solids along their axes, from shapes (...), sizes (..., 3) and masses (...)."""
    x, y, z = np.moveaxis(size**2, -1, 0)
    r, length = size[..., 0], size[..., 2]
    box = np.stack([y + z, x + z, x + y], axis=-1) / 3
    across, along = x / 4 + z / 3, x / 2
    cylinder = np.stack([across, across, along], axis=-1)
    # A capsule is a cylinder of half length l and two half balls at its ends.
    with np.errstate(invalid="ignore", divide="ignore"):
        ends = np.where(r > 0, 4 / 3 * r / (4 / 3 * r + 2 * length), 0)
    tip = 0.4 * x + 0.75 * r * length + z
    capsule = np.stack([(1 - ends) * across + ends * tip] * 2 + [(1 - ends) * along + ends * 0.4 * x], axis=-1)
    table: Sequence[np.ndarray] = (np.repeat(0.4 * x[..., None], 3, axis=-1), box, cylinder, capsule)
    # An absent body (-1) is never simulated; any form will do.
    chosen = np.take_along_axis(np.stack(table), np.asarray(shapes)[None, ..., None].clip(0), axis=0)[0]
    return np.asarray(chosen * mass[..., None], size.dtype)
