"""Whether a hidden mass can be seen: an adversarial scene against its honest twin (ReactHuman specification, 15.6).

The twin is the same scene with the mass, friction, restitution and drag of the normal object that looks the same.
Without drag, bounce and collisions the two move alike, and the right action cannot be found by looking.

Public: `twin_scene`, `twin_of`, `mass_visible`.
"""

from collections.abc import Sequence

import numpy as np

from jaxphys_benchmarks.reacthuman.catalogue import Catalogue, Object
from jaxphys_benchmarks.reacthuman.placement import DECIMALS
from jaxphys_benchmarks.reacthuman.scene import Scene
from jaxphys_benchmarks.reacthuman.simulate import kind_of, runs
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.tracking import Story, story


def twin_scene(scene: Scene, own: Object, twin: Object) -> Scene:
    """A scene whose bodies of one object are its twin, in the shape, size and motion of the object.

    Masses and drag go by the ratio of the two rows, so that a door panel of another size than its row is treated alike.
    A friction that a family has set itself, such as that of a ladder's feet, stays.

    Args:
        scene: the adversarial one. own: its object. twin: the normal object.
    """
    heavier = twin.mass / own.mass
    draggier = twin.drag_area / own.drag_area if own.drag_area else 1.0
    things = [
        thing.model_copy(
            update={
                "object": twin.name,
                "mass": round(thing.mass * heavier, DECIMALS),
                "drag_area": round(thing.drag_area * draggier, DECIMALS),
                "friction": twin.friction if thing.friction == own.friction else thing.friction,
                "restitution": twin.restitution if thing.restitution == own.restitution else thing.restitution,
            }
        )
        if thing.object == own.name
        else thing
        for thing in scene.things
    ]
    return scene.model_copy(update={"things": tuple(things)})


def twin_of(spec: ReactHumanSpec, objects: Catalogue) -> Object | None:
    """The normal object that an adversarial scene's object looks like, None where there is none."""
    return objects.twin(objects.get(spec.object, spec.family), spec.family) if spec.adversarial else None


def mass_visible(
    specs: Sequence[ReactHumanSpec], places: Sequence[tuple[Story, int]], objects: Catalogue
) -> list[float | None]:
    """Farthest distance between the tracked bodies of scenes and of their twins within the window (mm).

    Args:
        specs: scenes. places: their motion: story and row. objects: catalogue.

    Returns:
        None where the object has no twin, or is not adversarial.
    """
    twins = {k: twin for k, spec in enumerate(specs) if (twin := twin_of(spec, objects))}
    found: list[float | None] = [None] * len(specs)
    order, scenes = list(twins), []
    for k in order:
        spec = specs[k]
        scene = twin_scene(spec.scene, objects.get(spec.object, spec.family), twins[k])
        scenes.append(scene.model_copy(update={"horizon": max(spec.timing.freeze_step, 1) * spec.physics.dt}))
    kinds = [kind_of(specs[k]) for k in order]
    for run in runs(scenes, [specs[k].physics for k in order], kinds, backend="c"):
        other = story(run)
        for row, at in enumerate(run.places.tolist()):
            spec = specs[order[at]]
            own, scene = places[order[at]]
            body = list(own.names[scene]).index(spec.tracked)
            steps = slice(max(spec.timing.t0_step, 0), max(spec.timing.freeze_step, 0) + 1)
            away = own.pos[scene, steps, body] - other.pos[row, steps, body]
            found[order[at]] = round(1000.0 * float(np.sqrt(np.sum(away**2, axis=-1)).max()), 3)
    return found
