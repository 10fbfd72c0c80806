"""What the published records of a scene say beside its numbers: light, difficulty, notes (specification, section 10).

Light is what every picture is drawn with. The early difficulty has names and bin edges, and no public definition: it
is there under its name, without values. Notes are sentences for people about what is easily overlooked.
"""

from typing import Any

from jaxphys_benchmarks.lighting import AMBIENT, LAMPS
from jaxphys_benchmarks.reacthuman import looks
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

DIFFICULTY = ("initial_state", "action", "physics")
"""Parts of the early difficulty vector, each within 0 to 1."""
BIN_EDGES = (0.25, 0.5, 0.75)
"""Between its bins."""

HIDDEN_MM = 1.0
"""Below this, what a mass changes of the motion cannot be seen (mm)."""


def lighting(spec: ReactHumanSpec) -> dict[str, Any]:
    """The light of a scene under the names of the early scene file.

    Lamps are far away, so they have a direction (of the light, unit length) and no place. The last one, upwards, is
    what the floor throws back.
    """
    floor = looks.FLOORS.get(spec.room.type, looks.FLOOR)
    return {
        "ambient_light": [AMBIENT] * 3,
        "background_color": [round(int(floor[k : k + 2], 16) / 255, 6) for k in (1, 3, 5)],
        "shadow": True,
        "lights": [
            *(_light([-part for part in lamp.unit], lamp.diffuse, lamp.specular, lamp.spread) for lamp in LAMPS),
            _light([0.0, 0.0, 1.0], looks.BOUNCE * AMBIENT, 0.0, None),
        ],
    }


def _light(towards: list[float], diffuse: float, specular: float, half_extent: float | None) -> dict[str, Any]:
    return {
        "type": "directional",
        "pos": None,
        "dir": [round(part, 6) + 0.0 for part in towards],
        "color": [1.0, 1.0, 1.0],
        "intensity": round(diffuse, 6),
        "specular": specular,
        "half_extent_rad": half_extent,
    }


def difficulty() -> dict[str, Any]:
    """The early difficulty: its parts, whose definition is not public, and the edges of their bins."""
    return {**dict.fromkeys(DIFFICULTY), "bin_edges": list(BIN_EDGES)}


def notes(spec: ReactHumanSpec, labels: Labels, objects: Catalogue) -> str:
    """Sentences about what is easily overlooked in a scene; empty where there is nothing.

    Args:
        spec: the scene. labels: its ground truth. objects: catalogue that its object is a row of.
    """
    thing = objects.get(spec.object, spec.family)
    like, told = objects.twin(thing, spec.family), []
    if spec.adversarial and like is not None:
        told.append(f"Looks like the {like.display_name} of {like.mass:.3g} kg and has {thing.mass:.3g} kg.")
    elif spec.adversarial:
        told.append(f"Its look does not tell its mass of {thing.mass:.3g} kg.")
    if labels.mass_visible_mm is not None and labels.mass_visible_mm < HIDDEN_MM:
        told.append("The observed frames do not show the mass.")
    if spec.decoy:
        told.append("A decoy: the robot stands out of reach on purpose.")
    if labels.tti is not None and labels.tti < 0:
        told.append("The impact lies within the observed window.")
    if spec.timing.freeze_step <= 0:
        told.append("Time is frozen before anything moves.")
    if spec.described is False:
        told.append(f"The description speaks of another speed than {spec.band.replace('_', ' ')}.")
    return " ".join(told)
