"""Whether a hazard can be seen: pixels of the tracked body in the observed frames of the configured views.

A scene passes if the tracked body covers `config.visible_px` pixels in `config.visible_share` of the observed frames of
at least one view, at `config.size_px`; with the defaults 40 px in 4 of 5 frames. What is in front of it counts as not
seen. Pixels are counted by rays on the very stage that is drawn, without drawing it. Public: `seen_px`, `shows`,
`hidden`.
"""

import math
from collections.abc import Sequence

from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Labels, Track
from jaxphys_benchmarks.reacthuman.picture import FILM_MARK, picture
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.visible import visible_px

TOLERANCE = 1e-9
"""Of a share of frames: 0.8 of 5 are 4, whatever the last bit says."""


def seen_px(spec: ReactHumanSpec, track: Track, view: str, config: ReactHumanConfig) -> tuple[int, ...]:
    """Pixels of the tracked body in each observed frame of a view.

    Args:
        spec: the scene. track: its bodies at the observed frames. view: name of a camera. config: size of frames.
    """
    film = View(f"{view}{FILM_MARK}", frames=len(track.times))
    stage = picture(spec, Labels(track=track), film, config)
    return tuple(visible_px(stage, stage.parts(spec.tracked)).tolist())


def shows(pixels: Sequence[int], config: ReactHumanConfig) -> bool:
    """Whether frames with that many pixels each are enough of a view."""
    needed = math.ceil(config.visible_share * len(pixels) - TOLERANCE)
    return sum(count >= config.visible_px for count in pixels) >= needed


def hidden(spec: ReactHumanSpec, track: Track, config: ReactHumanConfig) -> bool:
    """Whether no configured view shows enough of the tracked body; views are looked at until one does."""
    return not any(shows(seen_px(spec, track, view, config), config) for view in config.views)
