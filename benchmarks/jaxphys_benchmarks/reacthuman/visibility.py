"""Whether a hazard can be seen: pixels of the tracked body in the observed frames of the configured views.

A scene passes if the tracked body covers `config.visible_px` pixels in `config.visible_share` of the observed frames of
at least one view, at `config.size_px`; with the defaults 40 px in 4 of 5 frames. What is in front of it counts as not
seen. Pixels are counted by rays on the very stage that is drawn, without drawing it. Public: `seen_px`, `shows`,
`hidden`.
"""

from collections.abc import Iterator, Sequence

from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Track
from jaxphys_benchmarks.reacthuman.picture import UNSEEN, common, staged
from jaxphys_benchmarks.reacthuman.seen import enough
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.visible import visible_px


def seen_px(
    spec: ReactHumanSpec, track: Track, views: Sequence[str], config: ReactHumanConfig
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Pixels of the tracked body in each observed frame, view by view as they are asked for.

    Args:
        spec: the scene. track: its bodies at the observed frames. views: names of cameras. config: size of frames.
    """
    frames = range(len(track.times))
    pieces = common(spec, track, frames, config)
    width_px, height_px = config.size_px
    for view in views:
        eye, figure = camera(spec, view, width_px / height_px), view != UNSEEN
        stage = staged(spec, track, frames, eye, config.size_px, config, figure=figure, seen_by_all=pieces)
        yield view, tuple(visible_px(stage, stage.parts(spec.tracked)).tolist())


def shows(pixels: Sequence[int], config: ReactHumanConfig) -> bool:
    """Whether frames with that many pixels each are enough of a view."""
    return enough(pixels, config.visible_px, config.visible_share)


def hidden(spec: ReactHumanSpec, track: Track, config: ReactHumanConfig) -> bool:
    """Whether no configured view shows enough of the tracked body; views are looked at until one does."""
    return not any(shows(pixels, config) for _, pixels in seen_px(spec, track, config.views, config))
