"""Pictures and films of a sample as a `Stage` (InPhyRe specification, section 8.3): CLEVR's objects, floor and camera.

`picture(spec, labels, view)` needs no labels. A film of k frames shows k of the film's own frames, spread evenly from
the first to the last; `first_frame` is the first of them. A look changes at the first frame at or after the contact.
Styles change what is asked and shown around a sample, never how it looks.
"""

import numpy as np

from jaxphys_benchmarks.inphyre.config import COLOURS
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.inphyre.track import track
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.stage import CLEVR_CAMERA, Form, Look, Solid, Stage

FIRST_FRAME, FILM = "first_frame", "film"

VIEWS = (FIRST_FRAME,)
"""Kinds of picture."""

WALL = Look("#b9b3a7")
"""Of walls: none of the colours that objects have."""

FORMS: dict[str, Form] = {"sphere": "sphere", "cylinder": "cylinder", "cube": "box"}


def picture(spec: InPhyReSpec, labels: Labels | None, view: View) -> Stage:
    """A picture or film of a sample.

    Args:
        spec: the sample. labels: not looked at. view: "first_frame", or "film" with a number of frames.

    Raises:
        ValueError: an unknown kind of view, more frames than the film has, or a scale that leaves no pixel.
    """
    shown = frames_of(spec, view)
    width_px, height_px = (round(side * view.scale) for side in (spec.film.width_px, spec.film.height_px))
    if min(width_px, height_px) < 1:
        raise ValueError(f"view: scale {view.scale:g} leaves no pixel; give a larger one")
    path = track(spec)
    solids = solids_of(spec)
    heights = np.array([solid.half[2] for solid in solids])
    pos = path.pos[shown]
    # What is left out between two frames lengthens them, so that a short film takes as long as the whole.
    pace = (len(shown) - 1) / (spec.film.frames - 1)
    return Stage(
        width_px=width_px,
        height_px=height_px,
        camera=CLEVR_CAMERA,
        solids=solids,
        times=path.times[shown],
        pos=np.concatenate([pos, np.broadcast_to(heights[:, None], (*pos.shape[:2], 1))], axis=-1),
        quat=path.quat[shown],
        looks=looks_of(spec),
        look=path.look[shown],
        fps=spec.film.fps * (pace or 1.0),
    )


def frames_of(spec: InPhyReSpec, view: View) -> list[int]:
    """Which frames of a sample's film a view shows.

    Raises:
        ValueError: an unknown kind of view, or more frames than the film has.
    """
    if view.kind == FIRST_FRAME:
        return [0]
    if view.kind != FILM:
        raise ValueError(f"view: no kind {view.kind!r}; give {FIRST_FRAME} or {FILM}")
    if not 1 <= view.frames <= spec.film.frames:
        raise ValueError(f"view: {view.frames} frames; the film of {spec.id} has {spec.film.frames}")
    return [round(at) for at in np.linspace(0, spec.film.frames - 1, view.frames)]


def solids_of(spec: InPhyReSpec) -> tuple[Solid, ...]:
    """The bodies, walls last."""
    things = [Solid(thing.name, FORMS[thing.shape], (thing.size,) * 3) for thing in spec.things]
    walls = [
        Solid(f"wall {k}" if k else "wall", "box", (*wall.half, wall.height / 2)) for k, wall in enumerate(spec.walls)
    ]
    return (*things, *walls)


def looks_of(spec: InPhyReSpec) -> tuple[Look, ...]:
    """The appearance that each body starts with."""
    return (*(Look(COLOURS[thing.colour], thing.material) for thing in spec.things), *(WALL for _ in spec.walls))
