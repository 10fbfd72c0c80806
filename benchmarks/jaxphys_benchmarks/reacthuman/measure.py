"""Ground truth of scenes, measured on their trajectories (ReactHuman specification, sections 8.2, 8.4 and 10.2).

Public: `label`.
"""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.bulk import collector_paused
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue, Object
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.events import NEVER
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.labelling import reachable, released
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.mass_visible import mass_visible
from jaxphys_benchmarks.reacthuman.observed import track
from jaxphys_benchmarks.reacthuman.placement import DECIMALS
from jaxphys_benchmarks.reacthuman.simulate import Run
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.tracking import Story, story
from jaxphys_benchmarks.reacthuman.truth import Truth, truth
from jaxphys_benchmarks.reacthuman.visibility import seen_px
from jaxphys_kernels.status import Status

Floats = NDArray[np.float64]


def label(
    specs: Sequence[ReactHumanSpec],
    simulated: Sequence[Run],
    objects: Catalogue,
    shown: ReactHumanConfig | None = None,
) -> list[Labels]:
    """Ground truth of a batch; a scene whose status word is not zero gets nothing but that.

    Args:
        specs: scenes. simulated: of them, as `simulate.simulate` gives it. objects: catalogue of the configuration.
        shown: views and size of frames in which pixels are counted; None: none are.
    """
    with collector_paused():
        stories = [story(run) for run in simulated]
        where = {place: (told, row) for told in stories for row, place in enumerate(told.run.places.tolist())}
        visible = mass_visible(specs, [where[k] for k in range(len(specs))], objects)
        found: dict[int, Labels] = {}
        for told in stories:
            own = told.run.places.tolist()
            rows = _labelled([specs[k] for k in own], told, objects, [visible[k] for k in own], shown)
            found |= dict(zip(own, rows, strict=True))
        return [found[k] for k in range(len(specs))]


def _labelled(
    specs: Sequence[ReactHumanSpec],
    told: Story,
    objects: Catalogue,
    visible: Sequence[float | None],
    shown: ReactHumanConfig | None,
) -> list[Labels]:
    family = FAMILIES[told.run.kind.family]
    one = truth(told, family, [spec.robot for spec in specs], [spec.tracked for spec in specs], objects)
    finite = np.isfinite(told.pos).all(axis=(1, 2, 3))
    words = told.run.status | np.where(finite, 0, int(Status.NONFINITE))
    provenance = {"engine": "mujoco", "version": mujoco.__version__, "backend": told.run.backend}
    numbers = _numbers(specs, one)
    found = []
    for k, spec in enumerate(specs):
        if words[k]:
            found.append(Labels(status=int(words[k])))
            continue
        body = told.run.scenes[k].things[int(one.impact.body[k])]
        thing, seen = objects.get(body.object, spec.family), track(told, k, spec)
        found.append(
            Labels(
                correct_action=one.actions[k],
                correct_action_released=_released(spec, thing, one, k),
                safety_label=thing.safety_label,
                impact_kind=str(one.impact.kind[k]),  # type: ignore[arg-type]
                impact_body=body.name if one.impact.state[k] != NEVER else "",
                contact_order=one.orders[k],
                mass_visible_mm=visible[k],
                track=seen,
                visible_px=dict(seen_px(spec, seen, shown.views, shown)) if shown else None,
                provenance=provenance,
                **numbers[k],
            )
        )
    return found


def _released(spec: ReactHumanSpec, thing: Object, one: Truth, k: int) -> Any:
    """The released set has no rule for scenes in which nothing reaches the robot: those are NO_ACTION here too."""
    return "NO_ACTION" if one.actions[k] == "NO_ACTION" else released(thing, spec.family, spec.judging)


def _numbers(specs: Sequence[ReactHumanSpec], one: Truth) -> list[dict[str, Any]]:
    """Measured fields of the labels of each scene; None where there is nothing to measure."""
    impact, told, dt = one.impact, one.story, one.story.run.dt
    mass = np.asarray(told.run.world.mass)[np.arange(told.b), impact.body]
    speed = np.sqrt(np.sum(impact.velocity**2, axis=-1))
    strikes = _strikes(one)
    freeze = np.array([spec.timing.freeze_step for spec in specs]) * dt
    columns = {
        "t_imp": impact.time,
        "tti": impact.time - freeze,
        "time_to_floor": impact.floor_time,
        # Published times count the record index, one step less (section 1.2).
        "time_to_floor_published": np.where(impact.floor_state == NEVER, np.inf, (impact.floor_state - 1) * dt),
        "event_time": np.where(one.event == NEVER, np.inf, one.event * dt),
        "strike_time": strikes,
        "impact_speed": speed,
        "impact_impulse": mass * speed,
        "clearance": one.clearance,
    }
    rounded = {name: _floats(values) for name, values in columns.items()}
    points, velocities = (np.round(leaf, DECIMALS) + 0.0 for leaf in (impact.point, impact.velocity))
    rows = []
    for k, spec in enumerate(specs):
        met = impact.state[k] != NEVER
        point = tuple(points[k].tolist()) if met else None
        row: dict[str, Any] = {name: values[k] for name, values in rounded.items()}
        row["impact_point"] = point
        row["impact_velocity"] = tuple(velocities[k].tolist()) if met else None
        row["t_imp_step"] = int(impact.state[k]) - 1 if met else None
        row["reachable"] = reachable(point, spec.robot)
        rows.append(row)
    return rows


def _strikes(one: Truth) -> Floats:
    """(b,) first contact of a trigger with an object (s), inf where there is no trigger."""
    told = one.story
    found = np.full(told.b, np.inf)
    for first in range(told.run.n):
        for second in range(first + 1, told.run.n):
            mixed = told.objects[:, first] != told.objects[:, second]
            found = np.minimum(found, np.where(mixed, told.touch(first, second), np.inf))
    return found


def _floats(values: Floats) -> list[float | None]:
    """Rounded numbers, None for what is not finite."""
    return [value if np.isfinite(value) else None for value in (np.round(values, DECIMALS) + 0.0).tolist()]
