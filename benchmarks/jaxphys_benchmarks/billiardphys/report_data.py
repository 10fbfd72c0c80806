"""What a data set looks like, window by window (BilliardPhys-Bench specification, section 5.2).

Per window: histogram of the cue speeds, scenes with and without a hit of the cue ball, wall sets, events, chain
depths, status bits of rejected draws, margin flags. Pure counting over specs and labels.

Public functions: `report` (by window: facts and picture), `window_facts`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxphys_benchmarks.billiardphys.charts import report_canvas
from jaxphys_benchmarks.billiardphys.labels import KIND_NAMES, Labels
from jaxphys_benchmarks.billiardphys.screen import EPS_LADDER
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec
from jaxphys_benchmarks.protocol import Report
from jaxphys_kernels.billiards.model import WALLS
from jaxphys_kernels.status import count_bits

BINS = 20


def report(specs: Sequence[BilliardSpec], labels: Sequence[Labels | None]) -> dict[str, Report]:
    """Facts and charts by window, windows in ascending order.

    Args:
        specs: the scenes. labels: of each; None where a scene has none because every draw was rejected.
    """
    windows: dict[float, list[tuple[BilliardSpec, Labels | None]]] = {}
    for spec, truth in zip(specs, labels, strict=True):
        windows.setdefault(spec.t, []).append((spec, truth))
    result = {}
    for t in sorted(windows):
        facts = window_facts(windows[t])
        result[windows[t][0][0].window] = Report(facts, report_canvas(facts))
    return result


def window_facts(scenes: Sequence[tuple[BilliardSpec, Labels | None]]) -> dict[str, Any]:
    """Counts over the scenes of one window, ready for JSON; a scene without labels counts as failed.

    Raises:
        ValueError: no scenes.
    """
    if not scenes:
        raise ValueError("scenes: empty; a window needs at least one")
    specs = [spec for spec, _ in scenes]
    good = [(spec, truth) for spec, truth in scenes if truth is not None and truth.status == 0]
    truths = [truth for _, truth in good]
    hits = sum(any(truth.q1) for truth in truths)
    walls = sum(any(truth.q2) for truth in truths)
    events = [Counter(event.kind for event in truth.events) for truth in truths]
    failed = [truth.status if truth is not None else spec.status for spec, truth in scenes]
    return {
        "t": specs[0].t,
        "scenes": len(scenes),
        "labelled": len(good),
        "config_hash": sorted({spec.config_hash for spec in specs}),
        "v0": _histogram([spec.cue.v0 for spec in specs]),
        "collision": {"with": hits, "without": len(good) - hits},
        "wall_hit": {"with": walls, "without": len(good) - walls},
        "wall_sets": _tally(_wall_set(truth) for truth in truths),
        "walls": {wall: sum(truth.q2[k] for truth in truths) for k, wall in enumerate(WALLS)},
        "balls_hit": _tally(len(truth.hit_balls) for truth in truths),
        "events": {name: sum(counts[name] for counts in events) for name in KIND_NAMES.values()},
        "events_per_scene": _tally(sum(counts.values()) for counts in events),
        "secondary_collision": sum(_secondary(truth) for truth in truths),
        "chain_depth": _tally(depth for truth in truths for depth in truth.chain_depth),
        "pocketed": sum(pos is None for truth in truths for pos in truth.pos),
        "rejected_draws": sum(len(spec.rejected) for spec in specs),
        "status_bits": count_bits([*(word for spec in specs for word in spec.rejected), *failed]),
        "margin": _margins(truths),
    }


def _histogram(values: Sequence[float]) -> dict[str, list[float] | list[int]]:
    counts, edges = np.histogram(np.asarray(values), bins=BINS)
    return {"edges": edges.tolist(), "counts": counts.tolist()}


def _tally(values: Iterable[Any]) -> dict[str, int]:
    """Counts by value, keys as text in ascending order of the values."""
    return {str(value): count for value, count in sorted(Counter(values).items())}


def _wall_set(truth: Labels) -> str:
    return "+".join(wall for wall in WALLS if wall in truth.hit_walls) or "none"


def _secondary(truth: Labels) -> bool:
    """Whether two balls other than the cue ball met."""
    return any(event.kind == "ball" and 0 not in event.ids for event in truth.events)


def _margins(truths: Sequence[Labels]) -> Mapping[str, Any]:
    margins = [truth.margin for truth in truths if truth.margin is not None]
    kept = Counter(margin.eps_ok for margin in margins)
    return {
        "screened": len(margins),
        **{name: sum(getattr(margin, name) for margin in margins) for name in ("flag", "q1", "q2", "q3")},
        "eps_ok": {"none": kept[None], **{f"{eps:g}": kept[eps] for eps in EPS_LADDER}},
    }
