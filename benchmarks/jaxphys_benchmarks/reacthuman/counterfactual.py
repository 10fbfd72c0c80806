"""The same scene with one cause changed: at other speeds, masses and frictions, and where the label flips.

`variants` gives the four bands of a scene's group and, of an adversarial scene, its honest twin: scenes to ask about.
`sweep` runs one scene over a grid of values in one batch. The robot, and all that is not changed, stay as they are.

Axes of a sweep: `speed` multiplies the leaf that the band scales (1 is the normal band); `mass` (kg), `friction`,
`restitution` and `drag_area` (m²) of the tracked object and its like; `floor_friction`, and that of the other surfaces
of the scene (`table_friction`, `ramp_friction`, ...); and any sampled leaf by name, from which the scene is
built anew. Public: `variants`, `sweep`, `AXES`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.protocol import Sweep
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.drafting import built, candidate, family_of, kind_of, refined
from jaxphys_benchmarks.reacthuman.events import NEVER
from jaxphys_benchmarks.reacthuman.mass_visible import twin_of, twin_scene
from jaxphys_benchmarks.reacthuman.placement import DECIMALS
from jaxphys_benchmarks.reacthuman.scene import Scene
from jaxphys_benchmarks.reacthuman.simulate import runs
from jaxphys_benchmarks.reacthuman.spec import BANDS, Band, ReactHumanSpec
from jaxphys_benchmarks.reacthuman.sweep_chart import sweep_canvas
from jaxphys_benchmarks.reacthuman.timing import timing_of
from jaxphys_benchmarks.reacthuman.tracking import story
from jaxphys_benchmarks.reacthuman.truth import truth
from jaxphys_kernels.status import count_bits

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SPEED = "speed"

MATERIAL: Mapping[str, tuple[float, float]] = {
    "mass": (1e-6, 1e5),
    "friction": (0.0, 10.0),
    "restitution": (0.0, 1.0),
    "drag_area": (0.0, 100.0),
}
"""Quantities of the object, with their least and greatest values."""

AXES = (SPEED, *MATERIAL, "floor_friction")
"""Axes that every scene has; its sampled leaves come on top."""

ACTIONS = ("EXECUTE_CATCH", "TRIGGER_DODGE", "NO_ACTION")
"""Three-way labels; results hold their indices."""

NO_LABEL = -1

TWIN = "twin"


def variants(config: ReactHumanConfig, spec: ReactHumanSpec) -> dict[str, ReactHumanSpec]:
    """The bands of a scene's group by name, and its twin where it is adversarial; ids end in the name.

    Raises:
        ValueError: the scene was drawn with another configuration, so its group is not known.
    """
    if spec.suffix:
        return {}
    group: dict[str, ReactHumanSpec] = {band: _renamed(one, band) for band, one in _group(config, spec).items()}
    twin = twin_of(spec, config.catalogue)
    if twin is None:
        return group
    scene = twin_scene(spec.scene, config.catalogue.get(spec.object, spec.family), twin)
    honest = {"scene": scene, "object": twin.name, "adversarial": False}
    return {**group, TWIN: _renamed(spec.model_copy(update=honest), TWIN)}


def sweep(
    config: ReactHumanConfig, spec: ReactHumanSpec, axes: Mapping[str, Sequence[float]], *, backend: str = "c"
) -> Sweep:
    """When and where the hazard reaches the robot, and what should be done, over named axes; arrays lead with them.

    The facts hold, by cell, the action, the time to impact and its point, and count the `flips` of the action between
    neighbours along each axis; `flip_values` are the middles between the neighbours along the last axis, for each
    combination of the others. `failed` says, by status bit, why cells have no label.

    Args:
        config: that the scene was drawn with. spec: the scene. axes: values by name, ascending; the longest axis goes
            last. backend: that simulates.

    Raises:
        ValueError: no axis, an unknown one, bad values, or a scene that cannot be made with them; the text names it.
    """
    grid = {name: _values(spec, name, axes[name]) for name in sorted(axes, key=lambda name: len(axes[name]))}
    if not grid:
        raise ValueError(f"axes: none; give one or more of {', '.join(_known(spec))}")
    shape = tuple(len(values) for values in grid.values())
    cells = {name: found.ravel() for name, found in zip(grid, np.meshgrid(*grid.values(), indexing="ij"), strict=True)}
    scenes = _scenes(config, spec, cells, backend)
    found = _evaluated(config, spec, scenes, backend)
    action = found["action"].reshape(shape)
    arrays = {name: leaf.reshape(*shape, *leaf.shape[1:]) for name, leaf in found.items()}
    *others, across = grid
    if found["status"].all():
        reasons = ", ".join(f"{name} {count}" for name, count in count_bits(found["status"].tolist()).items())
        raise ValueError(f"{spec.id}: no cell can be simulated: {reasons}; put the bodies apart and above the floor")
    changes = {name: _flips(np.moveaxis(action, k, -1)) for k, name in enumerate(grid)}
    rows = action.size // shape[-1]
    facts: dict[str, Any] = {
        "scene": spec.id,
        "family": spec.family,
        "band": spec.band,
        "axes": {name: values.tolist() for name, values in grid.items()},
        "actions": np.array([*ACTIONS, None], dtype=object)[action].tolist(),
        "t_imp": _plain(arrays["t_imp"]),
        "tti": _plain(arrays["tti"]),
        "impact_point": _plain(arrays["impact_point"]),
        "clearance": _plain(arrays["clearance"]),
        "flips": {name: int(row.sum()) for name, row in changes.items()},
        "flip_values": [_middles(grid[across], row) for row in changes[across].reshape(rows, shape[-1] - 1)],
        "invalid": int((action == NO_LABEL).sum()),
        "failed": count_bits(found["status"].tolist()),
    }
    names = [", ".join(f"{name} {cells[name][r * shape[-1]]:.4g}" for name in others) for r in range(rows)]
    chart = sweep_canvas(f"{spec.id}: what to do", across, grid[across].tolist(), names, action, arrays["t_imp"])
    return Sweep(facts, arrays, chart)


def _group(config: ReactHumanConfig, spec: ReactHumanSpec) -> dict[Band, ReactHumanSpec]:
    """The four bands of a scene's group, built anew around its robot.

    Raises:
        ValueError: the scene itself does not come out again.
    """
    (one,) = refined(config, [candidate(config, spec.seed, spec.family, spec.group, spec.attempt)], backend="c")
    if one.drafts[spec.band].scene != spec.scene:
        raise ValueError(
            f"{spec.id}: drawn with configuration {spec.config_hash}, but this one is {config.config_hash}; give the"
            " options of its data set"
        )
    group = {}
    for band, draft in one.drafts.items():
        change: dict[str, Any] = {"band": band, "scene": draft.scene, "derived": dict(draft.derived)}
        group[band] = spec.model_copy(update=change)
    if config.timing == "event":
        times = _evaluated(config, spec, [one.scene for one in group.values()], "c")["t_imp"].tolist()
        for (band, member), time in zip(group.items(), times, strict=True):
            group[band] = member.model_copy(update={"timing": timing_of(config, band, time, spec.physics)})
    return group | {spec.band: spec}


def _renamed(spec: ReactHumanSpec, suffix: str) -> ReactHumanSpec:
    return spec.model_copy(update={"suffix": suffix})


def _known(spec: ReactHumanSpec) -> tuple[str, ...]:
    """The axes of a scene."""
    surfaces = (_surface(box.name) for box in spec.scene.boxes)
    return tuple(dict.fromkeys((*AXES, *surfaces, *spec.sampled)))


def _surface(box: str) -> str:
    """The axis of a box's friction; the steps of stairs share one."""
    return f"{box.partition('_')[0]}_friction"


def _values(spec: ReactHumanSpec, name: str, values: Sequence[float]) -> Floats:
    """The values of an axis, checked."""
    if name not in _known(spec):
        raise ValueError(f"axes: {name} unknown; {spec.family} has {', '.join(_known(spec))}")
    leaf = name in spec.sampled and name not in AXES
    least, most = MATERIAL.get(name, (-np.inf, np.inf) if leaf else (0.0, 100.0))
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all() or array.min() < least or array.max() > most:
        raise ValueError(f"{name}: give finite numbers from {least:g} to {most:g}, got {list(values)[:5]}")
    if np.any(np.diff(array) <= 0):
        raise ValueError(f"{name}: give ascending numbers, got {list(values)[:5]}")
    return array


def _scenes(config: ReactHumanConfig, spec: ReactHumanSpec, cells: Mapping[str, Floats], backend: str) -> list[Scene]:
    """The scene of every cell."""
    count = len(next(iter(cells.values())))
    rows = [{name: float(values[k]) for name, values in cells.items()} for k in range(count)]
    redrawn = [name for name in cells if name == SPEED or name in spec.sampled]
    if redrawn:
        scenes = _rebuilt(config, spec, [{name: row[name] for name in redrawn} for row in rows], backend)
    else:
        scenes = [spec.scene] * count
    return [_changed(scene, spec, row) for scene, row in zip(scenes, rows, strict=True)]


def _rebuilt(
    config: ReactHumanConfig, spec: ReactHumanSpec, rows: Sequence[Mapping[str, float]], backend: str
) -> list[Scene]:
    """The scene built anew with other leaves, or another multiplier of the scaled one.

    Raises:
        ValueError: leaves that no scene can be made of, naming them.
    """
    family = family_of(spec.family)
    own = candidate(config, spec.seed, spec.family, spec.group, spec.attempt)
    made = []
    for row in rows:
        leaves = {name: value for name, value in row.items() if name != SPEED}
        drawn = replace(own.drawn, leaves={**spec.sampled, **leaves})
        draft = built(family, drawn, row.get(SPEED, BANDS[spec.band]), config)
        made.append(replace(own, drawn=drawn, drafts={spec.band: draft}))
    return [one.drafts[spec.band].scene for one in refined(config, made, backend=backend)]


def _changed(scene: Scene, spec: ReactHumanSpec, row: Mapping[str, float]) -> Scene:
    """The scene with the material quantities of a cell."""
    material = {name: row[name] for name in MATERIAL if name in row}
    if material:
        things = tuple(
            thing.model_copy(update=material) if thing.object == spec.object else thing for thing in scene.things
        )
        scene = scene.model_copy(update={"things": things})
    boxes = tuple(
        box.model_copy(update={"friction": row[_surface(box.name)]}) if _surface(box.name) in row else box
        for box in scene.boxes
    )
    return scene.model_copy(update={"boxes": boxes, "floor_friction": row.get("floor_friction", scene.floor_friction)})


def _evaluated(
    config: ReactHumanConfig, spec: ReactHumanSpec, scenes: Sequence[Scene], backend: str
) -> dict[str, NDArray[Any]]:
    """What happens in scenes around the robot of one spec: arrays that lead with the scene."""
    b = len(scenes)
    found: dict[str, NDArray[Any]] = {
        "action": np.full(b, NO_LABEL),
        "t_imp": np.full(b, np.nan),
        "tti": np.full(b, np.nan),
        "impact_point": np.full((b, 3), np.nan),
        "impact_speed": np.full(b, np.nan),
        "clearance": np.full(b, np.nan),
        "event_time": np.full(b, np.nan),
        "status": np.zeros(b, np.int64),
    }
    kind, family = kind_of(config, spec.family), family_of(spec.family)
    for run in runs(scenes, [spec.physics] * b, [kind._replace(judging=spec.judging)] * b, backend=backend):
        told = story(run)
        one = truth(told, family, [spec.robot] * told.b, [spec.tracked] * told.b, config.catalogue)
        at, good = run.places, run.status == 0
        met = good & (one.impact.state != NEVER)
        freeze = np.array([_frozen(config, spec, time) for time in one.impact.time.tolist()]) * run.dt
        found["status"][at] = run.status
        found["action"][at] = np.where(good, [ACTIONS.index(action) for action in one.actions], NO_LABEL)
        found["t_imp"][at] = np.where(met, one.impact.time, np.nan)
        found["tti"][at] = np.where(met, one.impact.time - freeze, np.nan)
        found["impact_point"][at] = np.where(met[:, None], one.impact.point, np.nan)
        found["impact_speed"][at] = np.where(met, np.sqrt(np.sum(one.impact.velocity**2, axis=-1)), np.nan)
        found["clearance"][at] = np.where(good, one.clearance, np.nan)
        found["event_time"][at] = np.where(good & (one.event != NEVER), one.event * run.dt, np.nan)
    return found


def _frozen(config: ReactHumanConfig, spec: ReactHumanSpec, t_imp: float) -> int:
    """Step at which time is frozen: in event timing it follows the impact."""
    return timing_of(config, spec.band, t_imp, spec.physics).freeze_step


def _flips(action: Ints) -> NDArray[np.bool_]:
    """Whether the action changes between neighbours along the last axis; not where either has none."""
    left, right = action[..., :-1], action[..., 1:]
    return np.asarray((left != right) & (left != NO_LABEL) & (right != NO_LABEL))


def _middles(values: Floats, flips: NDArray[np.bool_]) -> list[float]:
    return [float(value) for value in 0.5 * (values[1:] + values[:-1])[flips]]


def _plain(array: NDArray[Any]) -> Any:
    """Nested lists, rounded, with None for NaN."""
    if array.ndim == 1:
        return [None if np.isnan(value) else value for value in (np.round(array, DECIMALS) + 0.0).tolist()]
    return [_plain(row) for row in array]
