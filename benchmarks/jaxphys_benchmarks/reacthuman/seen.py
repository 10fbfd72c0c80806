"""Whether a question shows its hazard: the rule of the visibility gate, applied to what was asked.

The gate (`visibility`) accepts a scene if any configured view shows the hazard; a question shows the first few of these
views, by default only the first. Public: `enough`, `unseen`, `cautions`.
"""

import math
from collections.abc import Sequence

from jaxphys_benchmarks.protocol import Question
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.picture import spread

TOLERANCE = 1e-9
"""Of a share of frames: 0.8 of 5 are 4, whatever the last bit says."""


def enough(pixels: Sequence[int], visible_px: int, visible_share: float) -> bool:
    """Whether frames with that many pixels each are enough of a view.

    Args:
        pixels: of the tracked body, by frame. visible_px: by which a frame shows it.
        visible_share: of the frames that must show it.
    """
    needed = math.ceil(visible_share * len(pixels) - TOLERANCE)
    return sum(count >= visible_px for count in pixels) >= needed


def unseen(question: Question, labels: Labels) -> bool | None:
    """Whether no view of a question shows its hazard in enough of the frames that were shown.

    Args:
        question: its `reads` name views, number of frames and thresholds. labels: with the pixels by view and frame.

    Returns:
        None where it is not known: no picture was shown, the gate is off, or the pixels of a view were not counted.
    """
    reads, counted = question.reads, labels.visible_px or {}
    views, frames, visible_px = reads.get("views"), reads.get("frames"), reads.get("visible_px")
    if not views or not frames or not visible_px:
        return None
    known = [[counted[view][k] for k in spread(len(counted[view]), frames)] for view in views if counted.get(view)]
    if any(enough(pixels, visible_px, reads["visible_share"]) for pixels in known):
        return False
    return True if len(known) == len(views) else None


def cautions(asked: Sequence[tuple[Question, Labels]]) -> tuple[str, ...]:
    """What to know of questions before their answers are judged: how many of them hardly show their hazard."""
    known = [found for question, labels in asked if (found := unseen(question, labels)) is not None]
    if not any(known):
        return ()
    return (
        f"{sum(known)} of {len(known)} questions show the hazard in too few frames (react/unseen); see"
        " views_per_query=3 and timing=event.",
    )
