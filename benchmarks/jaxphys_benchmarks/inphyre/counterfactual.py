"""The same sample under another law, or at other speeds, masses and parameters: where does the answer flip?

`sweep` runs one sample over a grid of values in one batch. Places stay; what is on the way may be met earlier, later or
not at all, and where not exactly one answer holds there is none.

Public functions: `under_true_law`, `with_law`, `variants`, `sweep`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np

from jaxphys import laws, planar
from jaxphys_benchmarks.inphyre.lower import lower, moments, rules_of
from jaxphys_benchmarks.inphyre.measure import NO_MEANING, codes, faults, meetings
from jaxphys_benchmarks.inphyre.numbers import Floats, Ints
from jaxphys_benchmarks.inphyre.scenarios import MEANINGS, REAL, SCENARIOS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.inphyre.sweep_chart import sweep_canvas
from jaxphys_benchmarks.protocol import OWN, Sweep
from jaxphys_kernels.planar.model import State, World
from jaxphys_kernels.status import count_bits

TRUE_LAWS = (REAL, "eccentric")
"""Laws of real mechanics; the second one knows that a blow beside the centre turns a body."""

REGULAR = "regular"
"""Name of the variant under the true law."""

AXES = ("restitution", "gain", "omega", "mass_ratio", "speed")
"""Axes of a sweep: parameters of the law, m_B / m_A, and A's launch speed (m/s)."""

BOUNDS: Mapping[str, tuple[float, float, str]] = {
    "restitution": (0.0, 1.0, "in [0, 1]"),
    "gain": (0.0, np.inf, ">= 0"),
    "omega": (-np.inf, np.inf, "of any sign"),
    "mass_ratio": (float(np.nextafter(0.0, 1.0)), np.inf, "> 0"),
    "speed": (0.0, np.inf, ">= 0"),
}
"""Least and greatest value of each axis, and the same in words."""

CHUNK = 4096
"""Cells simulated in one batch, to bound memory."""


def with_law(spec: InPhyReSpec, law: str, params: Mapping[str, float] | None = None) -> InPhyReSpec:
    """The same sample, in which A and what it meets obey another law.

    Args:
        law: name in `jaxphys.laws`. params: of the law; what is missing takes its default.

    Raises:
        ValueError: an unknown law, or a parameter that it does not have.
    """
    row, given = laws.get(law), dict(params or {})
    strange = sorted(set(given) - set(row.defaults))
    if strange:
        raise ValueError(f"params: law {law!r} has no {strange[0]!r}; it has {', '.join(row.defaults) or 'none'}")
    return spec.model_copy(update={"law": law, "params": given})


def under_true_law(spec: InPhyReSpec) -> InPhyReSpec:
    """The same sample as real mechanics has it; a sample that obeys it already is left as it is."""
    return spec if spec.law in TRUE_LAWS else with_law(spec, REAL)


def variants(spec: InPhyReSpec) -> dict[str, InPhyReSpec]:
    """The counterfactual group of a sample of an irregular scenario: itself, and the same under the true law.

    Of a regular scenario there is none: the true law is its own, and groups of one would say nothing.
    """
    if SCENARIOS[spec.scenario].is_regular:
        return {}
    group = {OWN: spec, REGULAR: under_true_law(spec)}
    return {name: member.model_copy(update={"variant": name}) for name, member in group.items()}


def sweep(spec: InPhyReSpec, axes: Mapping[str, Sequence[float]], *, backend: str = "auto") -> Sweep:
    """What happens to A over named axes, one or more of `AXES`; arrays lead with them, the longest last.

    The facts count the `flips` between neighbours along each axis; `flip_values` are the middles between the neighbours
    along the longest axis, for each combination of the others. A meaning is None where there is no answer; `invalid`
    counts these cells and `failed` says why, by status bit. Without restitution a body that friction brakes less than
    the one ahead of it pushes that on, hit by hit without end, which is `EVENT_CAP`.

    Raises:
        ValueError: no axis, an unknown one, one that the sample does not have, or bad values; the text names the axis.
    """
    unknown = sorted(set(axes) - set(AXES))
    if unknown or not axes:
        raise ValueError(f"axes: {', '.join(unknown) or 'none'}; give one or more of {', '.join(AXES)}")
    grid = {name: _values(spec, name, axes[name]) for name in sorted(axes, key=lambda name: len(axes[name]))}
    shape = tuple(len(values) for values in grid.values())
    cells = {name: found.ravel() for name, found in zip(grid, np.meshgrid(*grid.values(), indexing="ij"), strict=True)}
    found, status = (flat.reshape(shape) for flat in _evaluated(spec, cells, backend))
    names = MEANINGS[spec.asked.query]
    *others, across = grid
    count = found.size // shape[-1]
    changes = {name: _flips(np.moveaxis(found, k, -1)) for k, name in enumerate(grid)}
    facts: dict[str, Any] = {
        "scene": spec.id,
        "law": spec.law,
        "query": spec.asked.query,
        "axes": {name: values.tolist() for name, values in grid.items()},
        "meanings": np.array([*names, None], dtype=object)[found].tolist(),
        "flips": {name: int(row.sum()) for name, row in changes.items()},
        "flip_values": [_middles(grid[across], row) for row in changes[across].reshape(count, shape[-1] - 1)],
        "invalid": int((found == NO_MEANING).sum()),
        "failed": count_bits(status.ravel().tolist()),
    }
    firsts = {name: cells[name][:: shape[-1]].tolist() for name in others}
    rows = [", ".join(f"{name} {values[k]:.4g}" for name, values in firsts.items()) for k in range(count)]
    chart = sweep_canvas(f"{spec.id}: what happens to A", across, grid[across].tolist(), rows, found, names)
    return Sweep(facts, {"meaning": found, "status": status}, chart)


def _values(spec: InPhyReSpec, name: str, values: Sequence[float]) -> Floats:
    """The values of an axis, checked."""
    array = np.asarray(values, dtype=np.float64)
    least, most, bounds = BOUNDS[name]
    if array.ndim != 1 or not array.size or not np.isfinite(array).all() or array.min() < least or array.max() > most:
        raise ValueError(f"{name}: give finite numbers {bounds}, got {list(values)[:5]}")
    if np.any(np.diff(array) <= 0):
        raise ValueError(f"{name}: give ascending numbers, got {list(values)[:5]}")
    if name in ("restitution", "gain", "omega") and name not in laws.get(spec.law).defaults:
        raise ValueError(f"{name}: law {spec.law!r} of {spec.id} has none; sweep another axis")
    if name == "mass_ratio" and spec.walls:
        raise ValueError(f"mass_ratio: {spec.id} meets a wall, which nothing moves; sweep another axis")
    if name == "speed" and not any(spec.things[0].vel):
        raise ValueError(f"speed: A rests in {spec.id} and has no direction; sweep another axis")
    return array


def _evaluated(spec: InPhyReSpec, cells: Mapping[str, Floats], backend: str) -> tuple[Ints, Ints]:
    """Codes of the answers and status words of cells; a word is not zero where there is no answer."""
    total = len(next(iter(cells.values())))
    found, status = [], []
    for start in range(0, total, CHUNK):
        part = {name: values[start : start + CHUNK] for name, values in cells.items()}
        b = len(next(iter(part.values())))
        world, state = jax.tree.map(lambda leaf, b=b: np.repeat(leaf, b, axis=0), lower([spec]))
        world, state = _changed(spec, world, state, part)
        run = planar.rollout(world, state, moments([spec])[0], rules=rules_of([spec]), backend=backend)
        meets = meetings([spec] * b, run)
        code, _ = codes([spec] * b, meets)
        word = np.asarray(run.status) | faults([spec] * b, meets, code)
        found.append(np.where(word != 0, NO_MEANING, code))
        status.append(word)
    return np.concatenate(found), np.concatenate(status)


def _changed(spec: InPhyReSpec, world: World, state: State, cells: Mapping[str, Floats]) -> tuple[World, State]:
    """A batch of copies of one scene, each with the values of its cell."""
    params = {name: np.array(values) for name, values in world.params.items()}
    for name in set(cells) & set(params):
        params[name][:, spec.other - 1] = cells[name]
    mass, inertia = np.array(world.mass), np.array(world.inertia)
    if "mass_ratio" in cells:
        new = cells["mass_ratio"] * mass[:, 0]
        inertia[:, 1] *= new / mass[:, 1]
        mass[:, 1] = new
    vel, roll = np.array(state.vel), np.array(state.roll)
    if "speed" in cells:
        launched = np.sqrt(np.sum(vel[:, 0] ** 2, axis=-1))
        factor = (cells["speed"] / launched)[:, None]
        vel[:, 0] *= factor
        roll[:, 0] *= factor
    return world.replace(params=params, mass=mass, inertia=inertia), state.replace(vel=vel, roll=roll)


def _flips(found: Ints) -> np.ndarray:
    """Whether the answer changes between neighbours along the last axis; not where either has none."""
    left, right = found[..., :-1], found[..., 1:]
    return np.asarray((left != right) & (left != NO_MEANING) & (right != NO_MEANING))


def _middles(values: Floats, flips: np.ndarray) -> list[float]:
    """Middles of the intervals in which the answer changes."""
    return (0.5 * (values[1:] + values[:-1]))[flips].tolist()  # type: ignore[no-any-return]
