"""`jaxphys enact ablation`: variants against a baseline, by Welch's t-test (ENACT specification, section 9.2).

Each input is a file of `detailed_eval`, as `jaxphys enact eval` writes it. The pairwise accuracies of its items are one
sample, the baseline's the other; both directions are compared apart. Differences are variant minus baseline, so that
worse is negative.
"""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.table import Table

from jaxphys_adapters.enact.qa_file import lines
from jaxphys_adapters.output import deliver
from jaxphys_adapters.progress import say
from jaxphys_adapters.query.results import console
from jaxphys_benchmarks.enact.aggregate import DIRECTIONS
from jaxphys_benchmarks.enact.welch import SIGNIFICANT, ablation


@dataclass(frozen=True)
class EnactAblation:
    """Compare variants with a baseline: differences of pairwise accuracy and their significance."""

    baseline: Annotated[Path, tyro.conf.Positional]
    """File of detailed_eval of the baseline."""
    variants: Annotated[tuple[Path, ...], tyro.conf.Positional]
    """Files of detailed_eval of the variants."""
    out: Path | None = None
    """Also write the numbers here, as JSON."""


def run(command: EnactAblation) -> int:
    """Carry out the command; returns the exit code: 1 where some lines could not be used.

    Raises:
        ValueError, OSError: a file holds no scores, or cannot be read or written.
    """
    files = [command.baseline, *command.variants]
    if len(set(files)) < len(files) or not command.variants:
        raise ValueError("variants: give at least one file, each of them once, and none that is the baseline")
    names = _names(files)
    scores, faults = {}, 0
    for name, path in zip(names, files, strict=True):
        scores[name], broken = accuracies(path)
        faults += broken
    found = {}
    for section in DIRECTIONS:
        some = {name: by_direction[section] for name, by_direction in scores.items() if by_direction[section]}
        if names[0] in some and len(some) > 1:
            found[section] = ablation(some, names[0])
    if not found:
        raise ValueError("no direction has scores of the baseline and of a variant")
    table = Table(title=f"against {names[0]}; significant at p < {SIGNIFICANT}", title_justify="left")
    for heading in ("", "variant", "items", "difference", "p", ""):
        table.add_column(heading)
    for section, tests in found.items():
        for name, test in tests.items():
            note = "significant" if test["significant"] else "small" if test["small"] else ""
            numbers = (str(test["items"]), f"{test['difference']:+.4f}", f"{test['p']:.4f}")
            table.add_row(section, name, *numbers, note)
    console().print(table)
    if faults:
        say(f"{faults} lines hold no scores and are left out")
    if command.out is not None:
        # NaN, where nothing varies, has no JSON form.
        content: dict[str, Any] = {
            section: {name: {k: v if v == v else None for k, v in test.items()} for name, test in tests.items()}
            for section, tests in found.items()
        }
        deliver({"baseline": names[0], "tests": content}, command.out)
    return 1 if faults else 0


def accuracies(path: Path) -> tuple[dict[str, list[float]], int]:
    """Pairwise accuracies of a file of detailed results by section, and the number of lines that hold none.

    Args:
        path: of the file.

    Raises:
        OSError: it cannot be read.
        ValueError: it holds no scores.
    """
    found: dict[str, list[float]] = defaultdict(list)
    faults = 0
    for _, record in lines(path):
        told = record if isinstance(record, dict) else {}
        metrics, kind = told.get("eval_metrics"), told.get("type")
        value = metrics.get("pairwise_accuracy") if isinstance(metrics, dict) else None
        sections = [section for section, word in DIRECTIONS.items() if isinstance(kind, str) and word in kind.lower()]
        if not sections or not isinstance(value, int | float) or not 0 <= value <= 1:
            faults += 1
            continue
        found[sections[0]].append(float(value))
    if not found:
        raise ValueError(f"{path}: holds no scores; give a file of detailed_eval, as `jaxphys enact eval` writes it")
    return found, faults


def _names(files: list[Path]) -> list[str]:
    """Short names: of the files, or their paths where two files are named alike."""
    stems = [path.stem for path in files]
    return stems if len(set(stems)) == len(stems) else [str(path) for path in files]
