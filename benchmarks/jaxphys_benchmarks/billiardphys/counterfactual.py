"""The same layout at other speeds and directions (BilliardPhys-Bench specification, section 5.4).

`sweep` runs one scene over a grid of speeds x directions in one batch; all windows are read off that one rollout,
because the times of the first hits are cumulative: a label that is true at t stays true later. `speed_group` gives
scenes to ask about that differ in the cue speed only.

Public: `sweep`, `evaluate`, `Grid`, `speed_group`, `with_cue`, `BANDS`.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys import billiards
from jaxphys_benchmarks.billiardphys.lower import Floats, arrange, rules_of
from jaxphys_benchmarks.billiardphys.sample import visible_arrow_scale
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec, Cue
from jaxphys_benchmarks.billiardphys.sweep_chart import Answers, sweep_canvas
from jaxphys_benchmarks.display import Canvas
from jaxphys_benchmarks.protocol import Sweep
from jaxphys_kernels.billiards.model import WALLS

Bools = NDArray[np.bool_]

BANDS: dict[str, float] = {"slow": 0.5, "normal": 1.0, "fast": 1.5, "very_fast": 2.0}
"""Speed bands: multiples of a scene's own cue speed."""

AXES = ("direction_deg", "speed", "window")
"""Axes of a sweep, in the order of the arrays."""


@dataclass(frozen=True)
class Grid:
    """Labels of one layout over directions x speeds x windows; arrays lead with (d, k, w).

    Attributes:
        directions: (d,) rad. speeds: (k,) m/s. windows: (w,) s.
        q1: (d, k, w, n - 1) does the cue ball hit ball 1, 2, …
        q2: (d, k, w, 4) does it hit each wall.
        pos: (d, k, w, n, 2) m. alive: (d, k, w, n).
        status: (d, k) status word of the run to the last window; where it is not zero there are no labels.
    """

    directions: Floats
    speeds: Floats
    windows: Floats
    q1: Bools
    q2: Bools
    pos: Floats
    alive: Bools
    status: NDArray[np.int32]

    @property
    def hit_rate(self) -> Floats:
        """(k, w) share of the valid directions in which the cue ball hits some ball; NaN if none is valid."""
        valid = (self.status == 0)[:, :, None]
        hit = np.any(self.q1, axis=-1) & valid
        runs = valid.sum(0)
        return np.where(runs > 0, hit.sum(0) / np.maximum(runs, 1), np.nan)

    def flips(self, task: str) -> Bools:
        """(d, k - 1, w) whether the set of task "q1" or "q2" changes between neighbouring speeds."""
        labels = {"q1": self.q1, "q2": self.q2}[task]
        valid = (self.status == 0)[:, :, None]
        both: Bools = valid[:, 1:] & valid[:, :-1]
        return np.asarray(np.any(labels[:, 1:] != labels[:, :-1], axis=-1) & both)


def evaluate(
    spec: BilliardSpec,
    *,
    speeds: Sequence[float],
    directions: Sequence[float] | None = None,
    windows: Sequence[float] | None = None,
    backend: str = "auto",
) -> Grid:
    """Labels of a scene's layout at other cue velocities.

    Args:
        spec: gives layout, direction and t where they are not given.
        speeds: m/s, ascending. directions: rad from the x axis. windows: s, ascending.

    Raises:
        ValueError: an axis that is empty, not ascending, or out of range.
    """
    turn = np.asarray([spec.cue.angle] if directions is None else directions, dtype=np.float64)
    pace = _ascending("speed", speeds, least=0.0)
    times = _ascending("window", [spec.t] if windows is None else windows, least=np.nextafter(0.0, 1.0))
    if turn.ndim != 1 or not turn.size or not np.isfinite(turn).all():
        raise ValueError("direction_deg: give at least one finite direction")
    d, k, w, n = len(turn), len(pace), len(times), spec.n
    heading = np.stack([np.cos(turn), np.sin(turn)], -1)
    if directions is None and spec.cue.v0 > 0:
        # The drawn components, so that the drawn speed gives the drawn scene bit for bit.
        heading = np.array([spec.cue.vel]) / spec.cue.v0
    vel = np.zeros((d, k, n, 2))
    vel[:, :, 0] = heading[:, None] * pace[:, None]
    if directions is None:
        vel[:, pace == spec.cue.v0, 0] = spec.cue.vel
    pos = np.broadcast_to(np.array(spec.positions), (d * k, n, 2)).copy()
    world, state = arrange(spec, pos, vel.reshape(d * k, n, 2))
    run = billiards.rollout(world, state, times, rules=rules_of([spec]), backend=backend, log=w > 1)
    first_hit, first_wall = (np.asarray(leaf)[:, None] for leaf in (run.first_hit, run.first_wall))
    until = times[:, None]
    return Grid(
        directions=turn,
        speeds=pace,
        windows=times,
        q1=(first_hit[..., 1:] <= until).reshape(d, k, w, n - 1),
        q2=(first_wall <= until).reshape(d, k, w, 4),
        pos=np.asarray(run.pos).reshape(d, k, w, n, 2),
        alive=np.asarray(run.alive).reshape(d, k, w, n),
        status=np.asarray(run.status).reshape(d, k),
    )


def sweep(spec: BilliardSpec, axes: Mapping[str, Sequence[float]], *, backend: str = "auto") -> Sweep:
    """A sweep for files and pictures over the named axes "speed", "direction_deg" and "window".

    An axis that is missing keeps the scene's own value. Raises ValueError for an unknown or bad axis.
    """
    unknown = sorted(set(axes) - set(AXES))
    if unknown:
        raise ValueError(f"axes: {', '.join(unknown)} unknown; give {', '.join(AXES)}")
    degrees = axes.get("direction_deg")
    grid = evaluate(
        spec,
        speeds=axes.get("speed", [spec.cue.v0]),
        directions=None if degrees is None else np.deg2rad(np.asarray(degrees, dtype=np.float64)).tolist(),
        windows=axes.get("window"),
        backend=backend,
    )
    shown = np.rad2deg(grid.directions).tolist() if degrees is None else [float(angle) for angle in degrees]
    flips = {task: grid.flips(task) for task in ("q1", "q2")}
    facts: dict[str, Any] = {
        "scene": spec.id,
        "axes": {"direction_deg": shown, "speed": grid.speeds.tolist(), "window": grid.windows.tolist()},
        "hit_rate": [[None if math.isnan(rate) else rate for rate in row] for row in grid.hit_rate.tolist()],
        "flips": {task: int(found.sum()) for task, found in flips.items()},
        "flip_speeds": {task: _flip_speeds(grid, found) for task, found in flips.items()},
        "invalid": int((grid.status != 0).sum()),
    }
    arrays = {
        "q1": grid.q1, "q2": grid.q2, "pos": grid.pos, "alive": grid.alive, "status": grid.status,
        "q1_flips": flips["q1"], "q2_flips": flips["q2"],
    }  # fmt: skip
    return Sweep(facts, arrays, _map(spec.id, grid, shown))


def with_cue(spec: BilliardSpec, v0: float, *, variant: str, angle: float | None = None) -> BilliardSpec:
    """The same layout with another cue speed (m/s), and direction (rad); the margin is not carried over."""
    if angle is not None or spec.cue.v0 == 0:
        turn = spec.cue.angle if angle is None else angle
        cue = Cue(v0=v0, angle=turn, vel=(v0 * math.cos(turn), v0 * math.sin(turn)))
    else:
        factor = v0 / spec.cue.v0
        cue = Cue(v0=v0, angle=spec.cue.angle, vel=(factor * spec.cue.vel[0], factor * spec.cue.vel[1]))
    content = spec.model_dump() | {"cue": cue, "variant": variant, "margin": None}
    return BilliardSpec.model_validate(content)


def speed_group(spec: BilliardSpec, bands: Mapping[str, float] = BANDS) -> dict[str, BilliardSpec]:
    """A counterfactual group: the scene by band, with its cue speed multiplied; ids end in the band's name.

    One arrow scale for all, so that the arrows differ by the speed alone and the fastest still ends on the table.
    """
    group = {name: with_cue(spec, factor * spec.cue.v0, variant=name) for name, factor in bands.items()}
    fastest = max((one.cue for one in group.values()), key=lambda cue: cue.v0, default=spec.cue)
    scale = visible_arrow_scale(spec.arrow_scale, spec.positions[0], fastest.vel, (spec.table.W, spec.table.H))
    return {name: one.model_copy(update={"arrow_scale": scale}) for name, one in group.items()}


def _ascending(name: str, values: Sequence[float], *, least: float) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all() or array.min() < least:
        bound = "> 0" if least else ">= 0"
        raise ValueError(f"{name}: give at least one finite number {bound}, got {list(values)[:5]}")
    if np.any(np.diff(array) <= 0):
        raise ValueError(f"{name}: give ascending numbers, got {list(values)[:5]}")
    return array


def _flip_speeds(grid: Grid, flips: Bools) -> list[list[list[float]]]:
    """By direction and window, the middles of the speed intervals in which the set changes (m/s)."""
    middles = 0.5 * (grid.speeds[1:] + grid.speeds[:-1])
    return [[middles[flips[d, :, w]].tolist() for w in range(len(grid.windows))] for d in range(len(grid.directions))]


def _map(scene: str, grid: Grid, degrees: Sequence[float]) -> Canvas:
    """Rows: directions by windows; a cell's colour is the set of balls, and below of walls, that the cue ball hits."""
    within = f" within {grid.windows[0]:g} s" if len(grid.windows) == 1 else ""
    asked = (("balls", grid.q1, [f"ball {k}" for k in range(1, grid.q1.shape[-1] + 1)]), ("walls", grid.q2, WALLS))
    return sweep_canvas(
        grid.speeds.tolist(),
        _rows(grid, degrees),
        [
            Answers(f"{scene}: {what} hit by the cue ball{within}", *_sets(labels, grid.status, names))
            for what, labels, names in asked
        ],
    )


def _rows(grid: Grid, degrees: Sequence[float]) -> list[str]:
    """Names of directions by windows; of what there is one of, nothing is said."""
    named = {
        (True, True): "",
        (True, False): "t = {1:g} s",
        (False, True): "{0:.4g}°",
        (False, False): "{0:.4g}° {1:g} s",
    }
    form = named[len(degrees) == 1, len(grid.windows) == 1]
    return [form.format(angle, t) for angle in degrees for t in grid.windows]


def _sets(labels: Bools, status: NDArray[np.int32], names: Sequence[str]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """(d * w, k) codes of what is true at each speed, -1 without labels, and the names of the codes."""
    by_row = labels.swapaxes(1, 2).reshape(-1, labels.shape[1], labels.shape[-1])
    invalid = np.repeat(status != 0, labels.shape[2], axis=0)
    sets = [[tuple(np.flatnonzero(cell).tolist()) for cell in row] for row in by_row]
    frequent = Counter(found for row in sets for found in row if found)
    # "None is hit" comes first whatever its frequency, so that it always has the faint colour.
    order: list[tuple[int, ...]] = [(), *(found for found, _ in frequent.most_common())]
    codes = np.where(invalid, -1, np.array([[order.index(found) for found in row] for row in sets]))
    return codes, tuple(", ".join(names[k] for k in found) or "none" for found in order)
