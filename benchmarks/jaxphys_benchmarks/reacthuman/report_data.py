"""What a data set looks like, family by family: what to do, when and where the hazard arrives, how groups behave.

Pure counting over specs and labels. Results that mix scenes whose outcome lies inside the window with others mislead,
so both are counted apart (ReactHuman specification, section 9). Public: `report` (by family: facts and charts),
`family_facts`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from jaxphys_benchmarks.charts import Ink, bars, histogram
from jaxphys_benchmarks.display import Canvas, Item, Text
from jaxphys_benchmarks.groups import by_key
from jaxphys_benchmarks.protocol import Report
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.spec import BANDS, ReactHumanSpec
from jaxphys_kernels.status import count_bits

BINS = 16
WIDTH, HEIGHT = 1090, 760
PAGE, INK = "#ffffff", Ink(bar="#2e5e8c", text="#2b2f2d")

VISIBLE_MM = 30.0
"""Motion by which a hidden mass is said to be seen (mm)."""

SHORT = {
    "EXECUTE_CATCH": "catch",
    "TRIGGER_DODGE": "dodge",
    "BRACE_FOR_IMPACT": "brace",
    "NO_ACTION": "no action",
}

Scenes = Sequence[tuple[ReactHumanSpec, Labels | None]]


def report(specs: Sequence[ReactHumanSpec], labels: Sequence[Labels | None]) -> dict[str, Report]:
    """Facts and charts by family, in the order of first appearance.

    Args:
        specs: the scenes. labels: of each; None where a scene has none.
    """
    scenes = by_key((spec.family, (spec, truth)) for spec, truth in zip(specs, labels, strict=True))
    found = {}
    for name, rows in scenes.items():
        facts = family_facts(rows)
        found[name] = Report(facts, _canvas(facts))
    return found


def family_facts(scenes: Scenes) -> dict[str, Any]:
    """Counts over the scenes of one family, ready for JSON; a scene without labels counts as failed.

    Raises:
        ValueError: no scenes.
    """
    if not scenes:
        raise ValueError("scenes: empty; a family needs at least one")
    specs = [spec for spec, _ in scenes]
    good = [(spec, truth) for spec, truth in scenes if truth is not None and truth.status == 0]
    met = [(spec, truth) for spec, truth in good if truth.t_imp is not None]
    probes = [truth.mass_visible_mm for _, truth in good if truth.mass_visible_mm is not None]
    points = [(spec.robot, truth.impact_point) for spec, truth in met if truth.impact_point is not None]
    distances = [float(np.hypot(point[0] - robot.x, point[1] - robot.y)) for robot, point in points]
    attempts = {(spec.group, spec.rejected) for spec in specs}
    return {
        "family": specs[0].family,
        "scenes": len(scenes),
        "labelled": len(good),
        "config_hash": sorted({spec.config_hash for spec in specs}),
        "actions": _tally(truth.correct_action for _, truth in good),
        "actions_released": _tally(truth.correct_action_released for _, truth in good),
        "safety_labels": _tally(truth.safety_label for _, truth in good),
        "impact_kinds": _tally(truth.impact_kind for _, truth in good),
        "objects": _tally(spec.object for spec in specs),
        "bands": _tally(spec.band for spec in specs),
        "adversarial": sum(spec.adversarial for spec in specs),
        "decoys": sum(spec.decoy for spec in specs),
        "resolved_in_window": sum(truth.tti is not None and truth.tti < 0 for _, truth in good),
        "frozen_before_release": sum(spec.timing.freeze_step <= 0 for spec in specs),
        "t_imp": _histogram([truth.t_imp for _, truth in met if truth.t_imp is not None]),
        "impact_distance": _histogram(distances),
        "median_t_imp": _medians(met),
        "monotone_groups": _monotone(met),
        "mass_visible_mm": {
            "scenes": len(probes),
            "visible": sum(value > VISIBLE_MM for value in probes),
            "median": float(np.median(probes)) if probes else None,
        },
        "visible_px": _visible(good),
        "rejected_draws": sum(len(rejected) for _, rejected in attempts),
        "status_bits": count_bits([word for _, rejected in sorted(attempts) for word in rejected]),
    }


def _visible(good: Sequence[tuple[ReactHumanSpec, Labels]]) -> dict[str, dict[str, float]]:
    """Pixels of the tracked body by view: medians of the first frame, and of the one of each scene that shows least."""
    rows = by_key(
        (view, counts) for _, truth in good if truth.visible_px for view, counts in truth.visible_px.items() if counts
    )
    return {
        view: {
            "scenes": len(counts),
            "first_median": float(np.median([each[0] for each in counts])),
            "least_median": float(np.median([min(each) for each in counts])),
        }
        for view, counts in rows.items()
    }


def _medians(met: Sequence[tuple[ReactHumanSpec, Labels]]) -> dict[str, float]:
    """Median time to impact by band (s)."""
    rows = by_key((spec.band, truth.t_imp) for spec, truth in met if truth.t_imp is not None)
    return {band: float(np.median(rows[band])) for band in BANDS if band in rows}


def _monotone(met: Sequence[tuple[ReactHumanSpec, Labels]]) -> dict[str, int]:
    """Whole groups, and those in which a faster band is never later."""
    rows = by_key((spec.group, (list(BANDS).index(spec.band), truth.t_imp or 0.0)) for spec, truth in met)
    whole = [[time for _, time in sorted(row)] for row in rows.values() if len(row) == len(BANDS)]
    return {"groups": len(whole), "monotone": sum(all(a >= b for a, b in pairwise(times)) for times in whole)}


def _histogram(values: Sequence[float]) -> dict[str, list[float] | list[int]]:
    counts, edges = np.histogram(np.asarray(values, dtype=np.float64), bins=BINS)
    return {"edges": edges.tolist(), "counts": counts.tolist()}


def _tally(values: Iterable[str | None]) -> dict[str, int]:
    """Counts by value, the most frequent first."""
    counts = Counter(value for value in values if value is not None)
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def _canvas(facts: Mapping[str, Any]) -> Canvas:
    """Six panels: time and place of the impact, actions, how it arrives, median time by band, safety."""
    head = f"{facts['family']}   {facts['labelled']} of {facts['scenes']} scenes labelled"
    items: list[Item] = [Text((40, 30), head.replace("_", " "), 20, INK.text, "lm")]
    time, away = facts["t_imp"], facts["impact_distance"]
    actions = {SHORT[name]: count for name, count in facts["actions"].items()}
    released = {SHORT[name]: count for name, count in facts["actions_released"].items()}
    kinds = {name.replace("_", " "): count for name, count in facts["impact_kinds"].items()}
    items += histogram((40, 60), (490, 280), "time of impact (s)", time["edges"], time["counts"], INK)
    items += histogram((570, 60), (480, 280), "impact to robot (m)", away["edges"], away["counts"], INK)
    items += bars((40, 430), (250, 270), "what to do", actions, INK)
    items += bars((310, 430), (250, 270), "released labels", released, INK)
    items += bars((580, 430), (230, 270), "how it arrives", kinds, INK)
    items += bars((830, 430), (220, 270), "safety", facts["safety_labels"], INK)
    return Canvas(WIDTH, HEIGHT, PAGE, tuple(items))
