"""Pictures and films of a scene as a `Stage` (ReactHuman specification, sections 3.3 and 9).

`picture(spec, labels, view)` shows the bodies as they were at the observed frames, nothing later. A still is the middle
one of these frames, in which the bands of a group differ (they begin alike); a film has all of them, or fewer, spread
evenly from the first to the last, which is the freeze. Bodies are drawn as composed shapes (`shapes`) among furniture
(`furnishing`) in a room (`surroundings`), with the robot (`figure`) where others look at it. Frames show where things
are, never what they weigh or how it ends.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman import looks, shapes
from jaxphys_benchmarks.reacthuman.blocks import Block, Piece, block, joined
from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.figure import figure as standing
from jaxphys_benchmarks.reacthuman.furnishing import furnished
from jaxphys_benchmarks.reacthuman.labels import Labels, Track
from jaxphys_benchmarks.reacthuman.observed import observed
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.surroundings import held, room
from jaxphys_benchmarks.stage import Camera, Stage

VIEWS = ("egocentric", "observer", "overhead")
"""Kinds of still picture."""
UNSEEN = "egocentric"
"""The view in which the robot does not see itself."""
FILM_MARK = "_film"
FILMS = {f"{view}{FILM_MARK}": 5 for view in VIEWS}
"""Kinds of moving picture, and how many frames they have unless configured otherwise."""


def picture(
    spec: ReactHumanSpec,
    labels: Labels | None,
    view: View,
    config: ReactHumanConfig | None = None,
) -> Stage:
    """A picture or film of a scene.

    Args:
        spec: the scene. labels: only the observed frames are taken from them, if they are there.
        view: one of `VIEWS`, "closeup", or the film of one, with a number of frames.
        config: for the size of frames and own objects; None: the default.

    Raises:
        ValueError: an unknown kind of view, more frames than were observed, or a scale that leaves no pixel.
    """
    config = config or ReactHumanConfig()
    width_px, height_px = (round(side * view.scale) for side in config.size_px)
    if min(width_px, height_px) < 1:
        raise ValueError(f"view: scale {view.scale:g} leaves no pixel; give a larger one")
    kind = view.kind.removesuffix(FILM_MARK)
    eye = camera(spec, kind, width_px / height_px)
    track = track_of(spec, labels)
    shown = frames_of(spec, view, len(track.times))
    return staged(spec, track, shown, eye, (width_px, height_px), config, figure=kind != UNSEEN)


def staged(
    spec: ReactHumanSpec,
    track: Track,
    shown: Sequence[int],
    eye: Camera,
    size_px: tuple[int, int],
    config: ReactHumanConfig,
    *,
    figure: bool,
    robot: Sequence[Piece] | None = None,
) -> Stage:
    """A film of a scene, as it is drawn.

    Args:
        spec: the scene.
        track: its bodies at some times.
        shown: which of these times, by index.
        eye: the camera; walls that would hide the scene from it are left out.
        size_px: width and height of a frame.
        config: for own objects.
        figure: whether the robot is seen, standing.
        robot: the robot's solids in another pose at these times, which are seen in any case; None: there are none.
    """
    blocks = seen_by(spec, eye, common(spec, track, shown, config), figure=figure, around=robot is not None)
    if robot is not None:
        blocks.append(block(robot))
    f = len(shown)
    pos, quat = joined(blocks, f)
    times = np.array(track.times)[shown]
    span = float(times[-1] - times[0])
    every = [look for one in blocks for look in one.of.looks]
    kinds = list(dict.fromkeys(every))
    numbers = {look: k for k, look in enumerate(kinds)}
    return Stage(
        width_px=size_px[0],
        height_px=size_px[1],
        camera=eye,
        solids=tuple(solid for one in blocks for solid in one.of.solids),
        times=times - track.times[0],
        pos=pos,
        quat=quat,
        looks=tuple(kinds),
        look=np.tile([numbers[look] for look in every], (f, 1)),
        fps=(f - 1) / span if span > 0 else 1.0,
        floor=looks.FLOORS.get(spec.room.type, looks.FLOOR),
        bounce=looks.BOUNCE,
    )


def common(spec: ReactHumanSpec, track: Track, shown: Sequence[int], config: ReactHumanConfig) -> list[Block]:
    """What every camera of a scene has before it: bodies and furniture; arguments as of `staged`."""
    return [*_bodies(spec, track, shown, config), furnished(spec.scene.boxes, spec.room.type)]


def seen_by(
    spec: ReactHumanSpec, eye: Camera, shared: Sequence[Block], *, figure: bool, around: bool = False
) -> list[Block]:
    """What a camera of a scene has before it.

    Args:
        spec: the scene. eye: the camera; walls that would hide the scene from it are left out.
        shared: what `common` gives. figure: whether the robot is seen, standing. around: see `room`.
    """
    return [*shared, room(spec, eye, around=around), *([standing(spec.robot_root)] if figure else [])]


def track_of(spec: ReactHumanSpec, labels: Labels | None) -> Track:
    """The observed frames, from the labels where they have them, else simulated."""
    return labels.track if labels is not None and labels.track is not None else observed(spec)


def frames_of(spec: ReactHumanSpec, view: View, there: int) -> list[int]:
    """Which of the observed frames a view shows.

    Raises:
        ValueError: more frames than there are, or several of a still.
    """
    if not view.kind.endswith(FILM_MARK):
        return [(there - 1) // 2]
    if not 1 <= view.frames <= there:
        raise ValueError(f"view: {view.frames} frames; {there} of {spec.id} are observed")
    return spread(there, view.frames)


def spread(there: int, frames: int) -> list[int]:
    """Indices of some of `there` frames, spread evenly from the first to the last."""
    return [round(at) for at in np.linspace(0, there - 1, frames)]


def _bodies(spec: ReactHumanSpec, track: Track, shown: Sequence[int], config: ReactHumanConfig) -> Iterator[Block]:
    pos, quat = np.array(track.pos)[shown], np.array(track.quat)[shown]
    for k, thing in enumerate(spec.scene.things):
        yield shapes.body(thing, spec.family, pos[:, k], quat[:, k], config.catalogue)
        if (holding := held(thing, pos[:, k])) is not None:
            yield holding
