"""What a data set looks like, scenario by scenario: what happens, which letters are right, when and how fast it meets.

Pure counting over specs and labels. Public functions: `report` (by scenario: facts and charts), `scenario_facts`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxphys_benchmarks.charts import Ink, bars, histogram
from jaxphys_benchmarks.display import Canvas, Item, Text
from jaxphys_benchmarks.groups import by_key
from jaxphys_benchmarks.inphyre import files
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.queries import LETTERS
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.protocol import Report
from jaxphys_kernels.status import count_bits

BINS = 16
WIDTH, HEIGHT = 1090, 760
PAGE, INK = "#ffffff", Ink(bar="#2e5e8c", text="#2b2f2d")


def report(specs: Sequence[InPhyReSpec], labels: Sequence[Labels | None]) -> dict[str, Report]:
    """Facts and charts by scenario, in the order of the paper.

    Args:
        specs: the samples. labels: of each; None where a sample has none because every draw was rejected.
    """
    scenes = by_key((spec.scenario, (spec, truth)) for spec, truth in zip(specs, labels, strict=True))
    found = {}
    for name in SCENARIOS:
        if name in scenes:
            facts = scenario_facts(scenes[name])
            found[name] = Report(facts, _canvas(facts))
    return found


def scenario_facts(scenes: Sequence[tuple[InPhyReSpec, Labels | None]]) -> dict[str, Any]:
    """Counts over the samples of one scenario, ready for JSON; a sample without labels counts as failed.

    Raises:
        ValueError: no samples.
    """
    if not scenes:
        raise ValueError("scenes: empty; a scenario needs at least one")
    specs = [spec for spec, _ in scenes]
    good = [(spec, truth) for spec, truth in scenes if truth is not None and truth.status == 0]
    contacts = [truth.contact for _, truth in good if truth.contact is not None]
    letters = Counter(files.question(spec, truth)["answer"] for spec, truth in good)
    scenario = SCENARIOS[specs[0].scenario]
    return {
        "scenario": scenario.name,
        "title": scenario.title,
        "regular_counterpart": scenario.regular,
        "scenes": len(scenes),
        "labelled": len(good),
        "config_hash": sorted({spec.config_hash for spec in specs}),
        "meanings": _tally(truth.meaning for _, truth in good),
        "letters": {letter: letters[letter] for letter in LETTERS},
        "families": _tally(spec.family for spec in specs),
        "laws": _tally(spec.law for spec in specs),
        "shapes": _tally(spec.things[0].shape for spec in specs),
        "colours": _tally(spec.things[0].colour for spec in specs),
        "contact_speed": _histogram([float(np.hypot(*contact.v_before[0])) for contact in contacts]),
        "contact_time": _histogram([contact.time for contact in contacts]),
        "no_contact": len(good) - len(contacts),
        "rejected_draws": sum(len(spec.rejected) for spec in specs),
        "status_bits": count_bits(
            [*(word for spec in specs for word in spec.rejected)]
            + [truth.status if truth is not None else spec.status for spec, truth in scenes]
        ),
    }


def _histogram(values: Sequence[float]) -> dict[str, list[float] | list[int]]:
    counts, edges = np.histogram(np.asarray(values), bins=BINS)
    return {"edges": edges.tolist(), "counts": counts.tolist()}


def _tally(values: Iterable[str]) -> dict[str, int]:
    """Counts by value, the most frequent first."""
    return dict(sorted(Counter(values).items(), key=lambda entry: (-entry[1], entry[0])))


def _canvas(facts: Mapping[str, Any]) -> Canvas:
    """Six panels: what happens, letters, speed and time of contact, shapes and colours of the object asked about."""
    head = f"{facts['scenario']}: {facts['title']}   {facts['labelled']} of {facts['scenes']} scenes labelled"
    speed, time = facts["contact_speed"], facts["contact_time"]
    words = {name.replace("_", " "): count for name, count in facts["meanings"].items()}
    items: list[Item] = [Text((40, 30), head, 20, INK.text, "lm")]
    items += histogram((40, 60), (490, 280), "speed at contact (m/s)", speed["edges"], speed["counts"], INK)
    items += histogram((570, 60), (480, 280), "time of contact (s)", time["edges"], time["counts"], INK)
    items += bars((40, 430), (310, 270), "what happens to the object asked about", words, INK)
    items += bars((380, 430), (110, 270), "answer", facts["letters"], INK)
    items += bars((520, 430), (150, 270), "its shape", facts["shapes"], INK)
    items += bars((690, 430), (370, 270), "its colour", facts["colours"], INK)
    return Canvas(WIDTH, HEIGHT, PAGE, tuple(items))
