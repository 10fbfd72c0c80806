"""Counterfactual sweeps: the same scenes at many values of anything, as one more batch axis.

speeds = np.linspace(0.3, 1.2, 64)
sweep(billiards.rollout, world, state, {"vel": scale_speed(state, speeds)}, times=[5.0])
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import jax
import numpy as np
from jax.typing import ArrayLike

Result = TypeVar("Result")


def sweep(
    rollout: Callable[..., Result],
    world: Any,
    state: Any,
    values: Mapping[str, ArrayLike],
    /,
    *args: Any,
    **options: Any,
) -> Result:
    """Roll out every scene at every value; leaves of the result lead with (b, k).

    Args:
        rollout: a batched rollout, called once as `rollout(world, state, *args, **options)` with b·k scenes.
        world: constants of b scenes; leaves lead with b.
        state: the b scenes as they start.
        values: leaf name of world or state, inside a mapping for example "params.gain" -> values. Each is (k,) +
            leaf shape of one scene, shared by the scenes, or (b, k) + that shape; a scalar per value, (k,) or
            (b, k), fills the whole leaf. All names vary together: value number j of each.
        *args: handed to `rollout`; `times` with a scene axis must have one row per scene and value.
        **options: handed to `rollout`.

    Raises:
        ValueError: an unknown leaf name, or values whose shape fits neither form.
    """
    if not values:
        raise ValueError("values is empty; name at least one leaf of world or state to sweep")
    b = jax.tree.leaves(state)[0].shape[0]
    k = _count(values, world, state)

    def vary(tree: Any) -> Any:
        def wide(name: str, leaf: Any) -> Any:
            if isinstance(leaf, Mapping):
                return {key: wide(f"{name}.{key}", value) for key, value in leaf.items()}
            found = _spread(name, values[name], leaf, b, k) if name in values else _repeat(leaf, k)
            return found.reshape(b * k, *leaf.shape[1:])

        return type(tree)(**{name: wide(name, leaf) for name, leaf in vars(tree).items()})

    result = rollout(vary(world), vary(state), *args, **options)
    return jax.tree.map(lambda x: x.reshape(b, k, *x.shape[1:]), result)  # type: ignore[no-any-return]


def scale_speed(state: Any, speeds: ArrayLike, ball: int = 0) -> np.ndarray:
    """Velocities (b, k, n, 2) in which one ball keeps its direction and takes each speed (m/s)."""
    vel = np.asarray(state.vel)
    norm = np.linalg.norm(vel[:, ball], axis=-1, keepdims=True)
    if (norm == 0).any():
        raise ValueError(f"ball {ball} of scene {int(np.argmin(norm))} is at rest and has no direction; use `aim`")
    heading = vel[:, ball] / norm
    return _with_ball(vel, ball, np.asarray(speeds, vel.dtype)[None, :, None] * heading[:, None])


def aim(state: Any, angles: ArrayLike, ball: int = 0) -> np.ndarray:
    """Velocities (b, k, n, 2) in which one ball keeps its speed and takes each direction (rad from +x)."""
    vel = np.asarray(state.vel)
    angles = np.asarray(angles, vel.dtype)
    heading = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    speed = np.linalg.norm(vel[:, ball], axis=-1)
    return _with_ball(vel, ball, speed[:, None, None] * heading[None])


def _with_ball(vel: np.ndarray, ball: int, rows: np.ndarray) -> np.ndarray:
    wide = np.repeat(vel[:, None], rows.shape[1], axis=1)
    wide[:, :, ball] = rows
    return wide


def _repeat(leaf: Any, k: int) -> Any:
    return leaf[:, None].repeat(k, axis=1)


def _leaves(fields: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Leaves by name; those of a mapping after its name and a dot."""
    found: dict[str, Any] = {}
    for name, leaf in fields.items():
        found |= _leaves(leaf, f"{prefix}{name}.") if isinstance(leaf, Mapping) else {prefix + name: leaf}
    return found


def _count(values: Mapping[str, ArrayLike], world: Any, state: Any) -> int:
    known = _leaves(vars(world)) | _leaves(vars(state))
    counts = {}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"values names {name!r}; the leaves are {', '.join(known)}")
        shape, one = np.shape(value), known[name].shape[1:]
        shared = shape[1:] in ((), one)
        counts[name] = shape[0] if shared else shape[1] if len(shape) > 1 else -1
    if len(set(counts.values())) != 1:
        raise ValueError(f"values differ in length: {counts}")
    return counts.popitem()[1]


def _spread(name: str, value: ArrayLike, leaf: Any, b: int, k: int) -> Any:
    value = value if isinstance(value, jax.Array) else np.asarray(value, leaf.dtype)
    one = leaf.shape[1:]
    shape = value.shape
    forms = {
        (k, *one): (1, k, *one),
        (b, k, *one): (b, k, *one),
        (k,): (1, k) + (1,) * len(one),
        (b, k): (b, k) + (1,) * len(one),
    }
    if shape not in forms:
        raise ValueError(f"values[{name!r}] has shape {shape}; it must be one of {', '.join(map(str, forms))}")
    wide = value.reshape(forms[shape])
    return (jax.numpy if isinstance(wide, jax.Array) else np).broadcast_to(wide, (b, k, *one))
