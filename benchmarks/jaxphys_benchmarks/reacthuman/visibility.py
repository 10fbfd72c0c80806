"""Whether a hazard can be seen: pixels of the tracked body in the observed frames of the configured views.

A scene passes if the tracked body covers `config.visible_px` pixels in `config.visible_share` of the observed frames of
at least one view, at `config.size_px`; with the defaults 40 px in 4 of 5 frames. What is in front of it counts as not
seen. Pixels are counted by rays on the very solids that are drawn, without drawing them. Public: `seen_px`, `shows`,
`hidden`.
"""

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np

from jaxphys_benchmarks.reacthuman.blocks import Block, Solids, forms_of, joined
from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Track
from jaxphys_benchmarks.reacthuman.picture import UNSEEN, common, seen_by
from jaxphys_benchmarks.reacthuman.seen import enough
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.stage import Camera
from jaxphys_benchmarks.visible import counts

KEPT = 8192
"""Numbers that are remembered: of the scenes that the gate has passed, labels say the same again."""
_Key = tuple[Camera, tuple[int, int], str, tuple[Solids, ...], bytes]
_known: dict[_Key, tuple[int, ...]] = {}


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
        yield view, _counted(blocks, eye, spec.tracked, config.size_px, len(frames))


def shows(pixels: Sequence[int], config: ReactHumanConfig) -> bool:
    """Whether frames with that many pixels each are enough of a view."""
    return enough(pixels, config.visible_px, config.visible_share)


def hidden(spec: ReactHumanSpec, track: Track, config: ReactHumanConfig) -> bool:
    """Whether no configured view shows enough of the tracked body; views are looked at until one does."""
    return not any(shows(pixels, config) for _, pixels in seen_px(spec, track, config.views, config))


def _counted(
    blocks: Sequence[Block], eye: Camera, tracked: str, size_px: tuple[int, int], frames: int
) -> tuple[int, ...]:
    """Pixels of one body in each frame of a film of blocks."""
    places = hashlib.blake2b(digest_size=16)
    for one in blocks:
        places.update(repr(one.pos.shape).encode() + one.pos.tobytes() + one.quat.tobytes())
    key = (eye, size_px, tracked, tuple(one.of for one in blocks), places.digest())
    known = _known.get(key)
    if known is None:
        if len(_known) >= KEPT:
            _known.clear()
        counted = np.array([solid.of == tracked for one in blocks for solid in one.of.solids])
        found = counts(forms_of(blocks), counted, *joined(blocks, frames), [eye] * frames, size_px)
        known = _known[key] = tuple(found.tolist())
    return known
