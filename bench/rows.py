"""Rows of results: made, written as one JSON object a line, printed as tables.

A row holds {bench, name, value, unit, peer, ratio, commit, machine}. `ratio` is the value over the peer's value
in the same run, or null. A measurement that did not finish is a row with value null and an `error`.
"""

import importlib.metadata
import json
import math
import os
import pathlib
import platform
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.targets import target_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
LATEST = ROOT / "bench/results/latest.jsonl"
PACKAGES = ("jax", "jaxlib", "numpy", "numba", "mujoco", "mujoco-mjx", "pymunk", "pybullet")
FLAGS = ("XLA_FLAGS", "NPROC", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_CORETYPE", "JAX_PLATFORMS")


@dataclass(frozen=True)
class Row:
    """One figure; with `error` set, one figure that could not be had."""

    bench: str
    name: str
    value: float | None
    unit: str
    peer: str | None = None
    ratio: float | None = None
    error: str | None = None


def machine() -> dict[str, Any]:
    """What the figures depend on: processor, cores this process may use, versions, environment flags, load."""
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
        "flags": {name: os.environ[name] for name in FLAGS if name in os.environ},
        "load": round(os.getloadavg()[0], 2),
    }


def _cpu_model() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def commit() -> str:
    """Short hash of the checkout, with `+` when tracked files differ from it."""
    git = ["git", "-C", str(ROOT)]
    try:
        name = subprocess.run([*git, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=True)
        dirty = subprocess.run([*git, "status", "--porcelain", "-uno"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return name.stdout.strip() + ("+" if dirty.stdout.strip() else "")


def write(rows: Iterable[Row], path: pathlib.Path, commit: str, machine: dict[str, Any]) -> None:
    """Write all rows at once: readers see the old file or the whole new one."""
    lines = []
    for row in rows:
        item: dict[str, Any] = {
            "bench": row.bench,
            "name": row.name,
            "value": row.value,
            "unit": row.unit,
            "peer": row.peer,
            "ratio": row.ratio,
            "commit": commit,
            "machine": machine,
        }
        lines.append(json.dumps(item if row.error is None else {**item, "error": row.error}, allow_nan=False))
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        file.write("".join(line + "\n" for line in lines))
    os.replace(file.name, path)


def show(rows: Iterable[Row], console: Console) -> None:
    """Print one table per bench; failures and missed targets stand out in red.

    Names of the form "subject: quantity" become a table with a column per quantity.
    """
    by_bench: dict[str, list[Row]] = {}
    for row in rows:
        by_bench.setdefault(row.bench, []).append(row)
    for bench, found in by_bench.items():
        crossed = any(": " in row.name for row in found)
        console.print(_crossed(bench, found) if crossed else _listed(bench, found))


def _listed(bench: str, rows: Iterable[Row]) -> Table:
    table = Table("name", "value", "unit", "peer", "ratio", "target", title=bench)
    for row in rows:
        target, ratio = target_of(row), "" if row.ratio is None else f"{row.ratio:.3g}"
        verdict = "" if target is None else _marked(str(target), target.met_by(row))
        table.add_row(row.name, _value(row), row.unit, row.peer or "", ratio, verdict)
    return table


def _crossed(bench: str, rows: list[Row]) -> Table:
    quantities = list(dict.fromkeys(f"{row.name.split(': ')[1]} ({row.unit})" for row in rows if ": " in row.name))
    table = Table("name", *quantities, title=bench)
    subjects: dict[str, dict[str, str]] = {}
    for row in rows:
        subject, _, quantity = row.name.partition(": ")
        target = target_of(row)
        cell = _value(row) if target is None else _marked(_value(row), target.met_by(row))
        subjects.setdefault(subject, {})[f"{quantity} ({row.unit})" if quantity else quantities[0]] = cell
    for subject, cells in subjects.items():
        table.add_row(subject, *(cells.get(quantity, "") for quantity in quantities))
    return table


def _value(row: Row) -> str:
    return _marked(f"failed: {row.error}", good=False) if row.value is None else readable(row.value)


def _marked(text: str, good: bool) -> str:
    return f"[{'green' if good else 'red'}]{escape(text)}[/]"


def readable(value: float) -> str:
    """Three digits, thousands grouped; small numbers in powers of ten."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if abs(value) >= 1000:
        return f"{round(value, 2 - math.floor(math.log10(abs(value)))):,.0f}"
    return f"{value:.3g}"
