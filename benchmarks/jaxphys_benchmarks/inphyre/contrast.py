"""What several runs say side by side (InPhyRe specification, section 7.1): gains by exemplars, text and retrieval.

Names, each as `choice/<name>` (mean over scenarios) and `<scenario>/choice/<name>`:

- `induction_gain_<modality>_k<k>`: accuracy with k exemplars minus that without any.
- `language_share_k<k>`: with exemplars as film and text, minus as film alone.
- `slope_<modality>`: accuracy gained per exemplar, a straight line through all k >= 1 that were run.
- `nner_gain_<modality>_k<k>`: nearest exemplars minus random ones, with `/p`, the exact McNemar test by sample.

Differences are over the questions that both runs asked. `/low` and `/high` are Newcombe's paired interval, where either
setting was run once; several runs of one setting, as of several models, are averaged. Only runs that agree in
everything else are compared; where there are several such sets, their names begin with preset and test input, and with
whatever else tells them apart.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from jaxphys_benchmarks.groups import by_key
from jaxphys_benchmarks.protocol import Run, Score
from jaxphys_benchmarks.statistics import mcnemar, newcombe_paired

TASK = "choice"
VARIED = ("shots", "modality", "retriever", "feature", "scenarios")
"""Options by which runs of one set may differ."""

MODALITIES = ("video_text", "video_only")
NAMED = ("preset", "test_input")
RANDOM, NEAREST = "random", "nner"

Exact = Mapping[str, bool]
"""Question id -> whether the answer was right."""


@dataclass(frozen=True, order=True)
class Setting:
    """How exemplars were shown; without any, their modality and retriever are the same for all."""

    shots: int
    modality: str
    retriever: str

    @staticmethod
    def of(run: Run) -> "Setting":
        """The setting of a run.

        Raises:
            KeyError: the run does not tell its options.
        """
        shots = int(run.options["shots"])
        return ZERO if shots == 0 else Setting(shots, str(run.options["modality"]), str(run.options["retriever"]))


ZERO = Setting(0, "", "")


def contrast(runs: Mapping[str, Run]) -> dict[str, float]:
    """All comparisons that the runs allow, by name; those over all scenarios come first."""
    sets = by_key((_rest(run), run) for run in runs.values())
    prefixes = _prefixes([alike[0].options for alike in sets.values()])
    values: dict[str, float] = {}
    for prefix, alike in zip(prefixes, sets.values(), strict=True):
        values |= {_prefixed(name, prefix): value for name, value in _contrast(alike).items()}
    return dict(sorted(values.items(), key=lambda item: not item[0].startswith(f"{TASK}/")))


def _rest(run: Run) -> str:
    """What runs must agree in to be compared."""
    kept = {name: value for name, value in run.options.items() if name not in VARIED}
    return json.dumps(kept, sort_keys=True, default=str)


def _prefixes(sets: Sequence[Mapping[str, Any]]) -> list[str]:
    """What tells sets of runs apart, in words: preset and test input, then all else in which they differ."""
    if len(sets) < 2:
        return [""] * len(sets)
    others = dict.fromkeys(name for options in sets for name in options if name not in (*VARIED, *NAMED))
    unlike = [name for name in others if len({str(options.get(name)) for options in sets}) > 1]
    words = (
        [str(options[name]) for name in NAMED] + [f"{name}-{options.get(name)}" for name in unlike] for options in sets
    )
    return [re.sub(r"[^\w.-]+", "-", "_".join(row)) + "_" for row in words]


def _prefixed(name: str, prefix: str) -> str:
    head, _, metric = name.rpartition(f"{TASK}/")
    return f"{head}{TASK}/{prefix}{metric}"


def _contrast(runs: Sequence[Run]) -> dict[str, float]:
    by_scenario: dict[str, dict[Setting, list[Exact]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        for scenario, scores in by_key((score.group, score) for score in run.scores).items():
            by_scenario[scenario][Setting.of(run)].append(_exact(scores))
    within = {scenario: dict(_comparisons(settings)) for scenario, settings in by_scenario.items()}
    names = dict.fromkeys(name for values in within.values() for name in values if not name.endswith(ENDINGS))
    overall = {name: fmean(values[name] for values in within.values() if name in values) for name in names}
    found = {f"{TASK}/{name}": value for name, value in overall.items()}
    for scenario, values in within.items():
        found |= {f"{scenario}/{TASK}/{name}": value for name, value in values.items()}
    return found


ENDINGS = ("/low", "/high", "/p")
"""Of values that have no mean over scenarios."""


def _exact(scores: Sequence[Score]) -> Exact:
    return {score.question: bool(score.values["exact"]) for score in scores}


def _comparisons(settings: Mapping[Setting, Sequence[Exact]]) -> Iterator[tuple[str, float]]:
    """The comparisons within a scenario."""
    for setting in sorted(settings):
        runs, (shots, modality) = settings[setting], (setting.shots, setting.modality)
        if setting == ZERO:
            continue
        if setting.retriever == NEAREST:
            other = settings.get(Setting(shots, modality, RANDOM), ())
            yield from _difference(f"nner_gain_{modality}_k{shots}", runs, other, test=True)
            continue
        yield from _difference(f"induction_gain_{modality}_k{shots}", runs, settings.get(ZERO, ()))
        if modality == MODALITIES[0]:
            other = settings.get(Setting(shots, MODALITIES[1], RANDOM), ())
            yield from _difference(f"language_share_k{shots}", runs, other)
    for modality in MODALITIES:
        points = {s.shots: runs for s, runs in settings.items() if (s.modality, s.retriever) == (modality, RANDOM)}
        if len(points) > 1:
            yield f"slope_{modality}", _slope({k: fmean(_accuracy(run) for run in runs) for k, runs in points.items()})


def _accuracy(exact: Exact) -> float:
    return fmean(exact.values())


def _difference(
    name: str, runs: Sequence[Exact], others: Sequence[Exact], *, test: bool = False
) -> Iterator[tuple[str, float]]:
    """Accuracy of the runs minus that of the others; nothing if they share no question."""
    common = set.intersection(*(set(run) for run in (*runs, *others))) if others else set()
    if not common:
        return
    yield name, fmean(_share(run, common) for run in runs) - fmean(_share(other, common) for other in others)
    if len(runs) == len(others) == 1:
        pairs = [(runs[0][question], others[0][question]) for question in common]
        both, first, second = (pairs.count(pair) for pair in ((True, True), (True, False), (False, True)))
        low, high = newcombe_paired(both, first, second, len(pairs) - both - first - second)
        yield f"{name}/low", low
        yield f"{name}/high", high
        if test:
            yield f"{name}/p", mcnemar(first, second)


def _share(exact: Exact, questions: set[str]) -> float:
    return sum(exact[question] for question in questions) / len(questions)


def _slope(points: Mapping[int, float]) -> float:
    """Slope of the least-squares line through accuracy over k."""
    centre, level = fmean(points), fmean(points.values())
    return sum((k - centre) * (y - level) for k, y in points.items()) / sum((k - centre) ** 2 for k in points)
