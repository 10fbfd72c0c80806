"""Single observed frames and whole films of a scene, beside the pictures and films that questions show.

`<view>_frame_<k>` is the k-th observed frame of a camera. `<view>_motion` is everything that was simulated, from the
release or the first observed frame to the horizon, at the frame rate of the configuration. `published` arranges both
in files under the published names (ReactHuman specification, sections 3.3 and 9): the frames are what a model may be
shown; the films show how it ends.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jaxphys_benchmarks.protocol import Shown, View
from jaxphys_benchmarks.reacthuman import files, picture
from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.picture import FILM_MARK, UNSEEN, spread, staged
from jaxphys_benchmarks.reacthuman.replay import steps_of, whole_track
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.stage import Stage

FRAME_MARK, MOTION_MARK = "_frame_", "_motion"

_FRAME = re.compile(rf"(\w+){FRAME_MARK}(\d{{1,3}})")


def drawn(spec: ReactHumanSpec, labels: Labels | None, view: View, config: ReactHumanConfig) -> Stage:
    """A picture or film of any kind.

    Args:
        spec: the scene. labels: only the observed frames are taken from them, if they are there.
        view: as `picture.picture` takes it, or a frame or the motion of one of its cameras.
        config: for the size and rate of frames, and own objects.

    Raises:
        ValueError: an unknown kind of view, a frame that was not observed, or a scale that leaves no pixel.
    """
    single = _FRAME.fullmatch(view.kind)
    if single is not None:
        return _frame(spec, labels, View(f"{single[1]}{FILM_MARK}", view.scale, view.style), int(single[2]), config)
    if view.kind.endswith(MOTION_MARK):
        return _motion(spec, view, config)
    return picture.picture(spec, labels, view, config)


def _frame(spec: ReactHumanSpec, labels: Labels | None, film: View, k: int, config: ReactHumanConfig) -> Stage:
    there = spec.timing.frames
    if k >= there:
        raise ValueError(f"view: frame {k}; {spec.id} has frames 0 to {there - 1}")
    return picture.picture(spec, labels, View(film.kind, film.scale, film.style, there), config).only([k])


def _motion(spec: ReactHumanSpec, view: View, config: ReactHumanConfig) -> Stage:
    """`View.frames` of the whole motion, spread evenly."""
    width, height = (round(side * view.scale) for side in config.size_px)
    if min(width, height) < 1:
        raise ValueError(f"view: scale {view.scale:g} leaves no pixel; give a larger one")
    kind = view.kind.removesuffix(MOTION_MARK)
    track = whole_track(spec, config.fps)
    there = len(track.times)
    if not 1 <= view.frames <= there:
        raise ValueError(f"view: {view.frames} frames; the motion of {spec.id} has {there}")
    eye = camera(spec, kind, width / height)
    return staged(spec, track, spread(there, view.frames), eye, (width, height), config, figure=kind != UNSEEN)


def published(
    scenes: Iterable[tuple[Any, Any]], config: ReactHumanConfig
) -> Iterator[tuple[str, Mapping[str, Any] | Shown]]:
    """The files of scenes under the published names, one folder for each scene.

        <scene id>/scene.json                      the published records
        <scene id>/<view>/brain_view_t0.150.png    the observed frames
        <scene id>/<view>.mp4                      the whole motion

    Args:
        scenes: specs and labels. config: for the views.
    """
    for spec, labels in scenes:
        folder = spec.published_id()
        content = files.published(spec, labels, config.catalogue, config.views, config.size_px)
        yield f"{folder}/scene.json", content[files.GROUND_TRUTH]
        first, frames = spec.timing.steps[0], len(steps_of(spec, config.fps))
        for view in config.views:
            for k, step in enumerate(spec.timing.steps):
                name = f"{folder}/{view}/brain_view_t{(step - first) * spec.physics.dt:.3f}.png"
                yield name, Shown(spec, View(f"{view}{FRAME_MARK}{k}"))
            yield f"{folder}/{view}.mp4", Shown(spec, View(f"{view}{MOTION_MARK}", frames=frames))
