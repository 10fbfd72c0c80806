"""What a call gives, the same for every engine: asked times, names and shapes, whether values are known, complaints."""

from enum import IntEnum
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike


def is_traced(tree: Any) -> bool:
    """Whether a leaf is a tracer: its values are not known."""
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(tree))


def require(good: ArrayLike, name: str, rule: str) -> None:
    """Raise ValueError for the first entry of `name` that is not good; `rule` says what it must be."""
    good = np.asarray(good)
    if not good.all():
        where = [int(i) for i in np.argwhere(~good)[0]]
        raise ValueError(f"{name}{where if where else ''} {rule}")


def check_times(start: ArrayLike, times: np.ndarray, *, from_start: bool) -> None:
    """Raise ValueError unless times (t,) or (b, t) are finite, ascending and later than the starts (b,).

    Args:
        start: () or (b,) s. times: s.
        from_start: the start itself may be asked for.
    """
    require(np.isfinite(times), "times", "must be finite")
    rows = times.reshape(1, -1) if times.ndim == 1 else times
    begin = np.asarray(start)[:, None]
    if from_start:
        require(rows >= begin, "times", "must not be before the start of the scene")
    else:
        require(rows > begin, "times", "must be later than the start of the scene")
    require(np.diff(rows, axis=1) >= 0, "times", "must be ascending")


def asked_times(times: Any, start: Any, dtype: Any, *, from_start: bool) -> Any:
    """Times (b, t) of a call that gives (t,) or (b, t), checked where their values are known.

    Raises:
        ValueError: a wrong shape, or as `check_times`.
    """
    b = start.shape[0]
    asked = times if isinstance(times, jax.Array) else np.asarray(times, np.dtype(dtype))
    if asked.ndim == 1:
        asked = (jnp if isinstance(asked, jax.Array) else np).broadcast_to(asked, (b, asked.shape[0]))
    if asked.ndim != 2 or asked.shape[0] != b or asked.shape[1] == 0:
        raise ValueError(f"times has shape {asked.shape}; it must be (t,) or ({b}, t) with t of at least 1")
    if not is_traced((start, asked)):
        check_times(start, np.asarray(asked), from_start=from_start)
    return asked


def spread(name: str, value: Any, shape: tuple[int, ...], kind: Any) -> np.ndarray:
    """A copy of `value`, broadcast to a shape and of a dtype.

    Raises:
        ValueError: it does not broadcast; the text names it.
    """
    try:
        return np.broadcast_to(np.asarray(value, kind), shape).copy()
    except ValueError:
        raise ValueError(f"{name} has shape {np.shape(value)}; it must broadcast to {shape}") from None


def numbers(field: str, names: Any, kind: type[IntEnum]) -> np.ndarray:
    """int32 values of an enumeration from its names in lower case, or from values.

    Raises:
        ValueError: an unknown one; the text lists what there is.
    """
    known = {row.name.lower(): int(row) for row in kind} | {int(row): int(row) for row in kind}
    look_up = np.vectorize(lambda name: known[str(name) if isinstance(name, str) else int(name)], otypes=[np.int32])
    try:
        found: np.ndarray = look_up(np.asarray(names, object))
    except (KeyError, ValueError, TypeError):
        listed = ", ".join(row.name.lower() for row in kind)
        raise ValueError(f"{field}: {names!r} holds something unknown; give {listed}") from None
    return found
