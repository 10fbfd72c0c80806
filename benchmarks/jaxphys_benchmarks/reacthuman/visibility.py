"""Whether a hazard can be seen: pixels of the tracked body in the observed frames of the configured views.

A scene passes if the tracked body covers `config.visible_px` pixels in `config.visible_share` of the observed frames of
at least one view, at `config.size_px`; with the defaults 40 px in 4 of 5 frames. What is in front of it counts as not
seen. Pixels are counted by rays on the very solids that are drawn, without drawing them. Public: `seen_px`, `shows`,
`hidden`.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from jaxphys_benchmarks.reacthuman.blocks import forms_of, joined
from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Track
from jaxphys_benchmarks.reacthuman.picture import UNSEEN, common, seen_by
from jaxphys_benchmarks.reacthuman.seen import enough
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.visible import counts


def seen_px(
    spec: ReactHumanSpec, track: Track, views: Sequence[str], config: ReactHumanConfig
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Pixels of the tracked body in each observed frame, view by view as they are asked for.

    Args:
        spec: the scene. track: its bodies at the observed frames. views: names of cameras. config: size of frames.
    """
    frames = range(len(track.times))
    shared = common(spec, track, frames, config)
    width_px, height_px = config.size_px
    for view in views:
        eye = camera(spec, view, width_px / height_px)
        blocks = seen_by(spec, eye, shared, figure=view != UNSEEN)
        tracked = np.array([solid.of == spec.tracked for one in blocks for solid in one.of.solids])
        places = joined(blocks, len(frames))
        found = counts(forms_of(blocks), tracked, *places, [eye] * len(frames), config.size_px)
        yield view, tuple(found.tolist())


def shows(pixels: Sequence[int], config: ReactHumanConfig) -> bool:
    """Whether frames with that many pixels each are enough of a view."""
    return enough(pixels, config.visible_px, config.visible_share)


def hidden(spec: ReactHumanSpec, track: Track, config: ReactHumanConfig) -> bool:
    """Whether no configured view shows enough of the tracked body; views are looked at until one does."""
    return not any(shows(pixels, config) for _, pixels in seen_px(spec, track, config.views, config))
