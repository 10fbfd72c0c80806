"""The learning curve of trainings as a display list: mean return over the episodes, one line per run.

Public: `learning_curve`, `parts`.
"""

from collections.abc import Mapping

import numpy as np

from jaxphys_benchmarks.display import Canvas, Item, Point, Polyline, Text

PARTS = 40
"""Points of a line; each is the mean of as many episodes."""

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 60.0, 620.0, 40.0, 310.0
"""Of the plotting area (px)."""

PAPER, INK, FAINT = "#ffffff", "#333333", "#cccccc"
COLOURS = ("#1f6fb4", "#d95f02", "#1b9e77", "#7570b3", "#e7298a")


def parts(returns: np.ndarray, count: int = PARTS) -> np.ndarray:
    """(count,) mean returns of equal parts of the episodes, in order.

    Args:
        returns: (e,) in the order in which they ended. count: of parts.

    Raises:
        ValueError: fewer episodes than parts.
    """
    if len(returns) < count:
        raise ValueError(f"returns: {len(returns)} episodes; give at least {count}")
    return np.array([part.mean() for part in np.array_split(np.asarray(returns, float), count)])


def learning_curve(runs: Mapping[str, np.ndarray], title: str) -> Canvas:
    """Lines of runs over the share of the training.

    Args:
        runs: returns (e,) by name of the run. title: above the picture.

    Raises:
        ValueError: no runs, or one with fewer episodes than points.
    """
    if not runs:
        raise ValueError("runs: empty; give at least one")
    lines = {name: parts(returns) for name, returns in runs.items()}
    low, high = min(line.min() for line in lines.values()), max(line.max() for line in lines.values())
    if low == high:
        low, high = low - 0.5, high + 0.5
    ticks = _ticks(float(low), float(high))
    span = ticks[0], ticks[-1]
    items: list[Item] = [Text(((LEFT + RIGHT) / 2, TOP / 2), title, 15, INK)]
    for value in ticks:
        height = _height(value, span)
        items.append(Polyline(((LEFT, height), (RIGHT, height)), FAINT))
        items.append(Text((LEFT - 8, height), f"{value:g}", 12, INK, "rm"))
    most = max(len(returns) for returns in runs.values())
    for k in range(5):
        at = LEFT + k / 4 * (RIGHT - LEFT)
        items.append(Text((at, BOTTOM + 14), f"{round(k / 4 * most):,}", 12, INK))
    items.append(Text(((LEFT + RIGHT) / 2, BOTTOM + 36), "episodes", 13, INK))
    items.append(Text((LEFT, TOP - 8), "mean return", 12, INK, "lm"))
    for k, (name, line) in enumerate(lines.items()):
        colour, share = COLOURS[k % len(COLOURS)], len(runs[name]) / most
        items.append(Polyline(tuple(_point(j, value, share, span) for j, value in enumerate(line)), colour, 2.0))
        items.append(Text((RIGHT - 8, BOTTOM - 14 - 18 * k), name, 13, colour, "rm"))
    return Canvas(WIDTH, HEIGHT, PAPER, tuple(items))


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from at most `low` to at least `high`, four to nine of them."""
    span = max(high - low, 1e-6)
    unit = 10.0 ** np.floor(np.log10(span))
    step = float(next(unit * share for share in (0.2, 0.5, 1.0, 2.0) if span / (unit * share) <= 6))
    first = int(np.floor(low / step))
    return [k * step for k in range(first, int(np.ceil(high / step)) + 1)]


def _height(value: float, span: tuple[float, float]) -> float:
    return BOTTOM - (value - span[0]) / (span[1] - span[0]) * (BOTTOM - TOP)


def _point(place: int, value: float, share: float, span: tuple[float, float]) -> Point:
    return LEFT + (place + 0.5) / PARTS * share * (RIGHT - LEFT), _height(float(value), span)
