"""`jaxphys enact eval`: judge predictions as the reference does, and strictly, side by side.

Files under the output root are those of the reference (ENACT specification, section 7.5), and ours beside them:

    meta_performance/enact_ordering_{model}.json          compat, keys of the reference
    meta_performance_strict/enact_ordering_{model}.json   strict, with skipped lines, repairs and problems of the graphs
    detailed_eval/enact_ordering_{model}.jsonl            one scored item a line, with `strict_metrics`
    signatures/enact_ordering_{model}.jsonl               with --analyze-wrong-cases: all scored items
    analysis/enact_ordering_{model}.json                  with --analyze-wrong-cases: error classes and hands
    batch_evaluation_summary.json                         of a folder

Exit codes: 0, all lines judged; 1, some lines or files were not; 2, nothing could be done.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.table import Table

from jaxphys_adapters import atomic
from jaxphys_adapters.enact.qa_file import lines
from jaxphys_adapters.enact.store import Episodes, Store, open_store
from jaxphys_adapters.progress import bar, say
from jaxphys_adapters.query.results import console
from jaxphys_benchmarks.enact.aggregate import DIRECTIONS
from jaxphys_benchmarks.enact.config import DEFAULT
from jaxphys_benchmarks.enact.evaluation import Evaluation

PREFIX, SUFFIX = "enact_ordering_", ".jsonl"
SHOWN = 10
"""Problems that are told one by one."""


@dataclass(frozen=True)
class EnactEval:
    """Judge predictions on ENACT questions, as the reference evaluator does and strictly."""

    predictions: Annotated[Path, tyro.conf.Positional]
    """File of predictions, or folder of files enact_ordering_{model}.jsonl."""
    segmented_data: Annotated[Path, tyro.conf.arg(aliases=["--segmented"])] = Path("data/segmented_activities")
    """Folder of segmented scene graphs."""
    raw_data: Annotated[Path, tyro.conf.arg(aliases=["--replayed"])] = Path("data/replayed_activities")
    """Folder of replayed scene graphs."""
    pack: Path | None = None
    """Pack of graphs, made by `jaxphys enact pack`; then neither folder is needed."""
    output_root: Path = Path("data/evaluation")
    """Folder for the results."""
    analyze_wrong_cases: bool = False
    """Also write signatures and sentences of all items, error classes and hands; scores never change."""
    dry_run: bool = False
    """Only tell what would be judged."""


def run(command: EnactEval) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError, OSError: the predictions or the graphs are missing, or the results cannot be written.
    """
    store = open_store(command.segmented_data, command.raw_data, command.pack)
    files = prediction_files(command.predictions)
    if command.dry_run:
        for path in files:
            named = frames_named(path)
            known = sum(task in store.tasks for task in named)
            say(f"{path}: model {model_of(path)}, {len(named)} tasks, graphs of {known} are there; nothing is written")
        return 0
    results: list[dict[str, Any]] = []
    complete = True
    for path in files:
        try:
            found, whole = evaluate_file(path, store, command.output_root, analyse=command.analyze_wrong_cases)
            results.append({"model_name": model_of(path), "status": "success", "overall_stats": found})
            complete &= whole
        except (OSError, ValueError) as error:
            if command.predictions.is_file():
                raise
            say(f"{path}: {error}")
            results.append({"model_name": model_of(path), "status": "error", "error": str(error)})
            complete = False
    if command.predictions.is_dir():
        done = sum(one["status"] == "success" for one in results)
        summary = {"total_processed": len(files), "successful": done, "failed": len(files) - done, "results": results}
        _write(command.output_root / "batch_evaluation_summary.json", _json(summary))
    say(f"results are in {command.output_root}")
    return 0 if complete else 1


def prediction_files(path: Path) -> list[Path]:
    """The file itself, or those of a folder that are named as predictions, sorted.

    Raises:
        ValueError: there is none.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ValueError(f"{path}: no such file or folder of predictions")
    found = sorted(path.glob(f"{PREFIX}*{SUFFIX}"))
    if not found:
        raise ValueError(f"{path}: holds no file {PREFIX}*{SUFFIX}")
    return found


def model_of(path: Path) -> str:
    """The model that a file name tells: what stands between prefix and suffix, else the name without suffix."""
    return path.name.removesuffix(SUFFIX).removeprefix(PREFIX) or path.stem


def frames_named(path: Path) -> dict[str, set[str]]:
    """Frames that the lines of a file are about, by task."""
    named: dict[str, set[str]] = defaultdict(set)
    for _, record in lines(path):
        if isinstance(record, dict) and isinstance(record.get("task_name"), str):
            frames = record.get("key_frame_ids")
            told = frames if isinstance(frames, list) else []
            named[record["task_name"]].update(frame for frame in told if isinstance(frame, str))
    return dict(named)


def evaluate_file(
    path: Path, store: Store, root: Path, *, analyse: bool = False, shown: bool = True
) -> tuple[dict[str, Any], bool]:
    """Judge one file and write its results; returns the overall numbers of `compat`, and whether all was judged.

    Args:
        path: of the predictions.
        store: of the graphs.
        root: folder for the results.
        analyse: write the analysis too.
        shown: print the tables.

    Raises:
        OSError: the file cannot be read, or a result not written.
    """
    first = len(store.problems)
    found = Evaluation(Episodes(store, frames_named(path)))
    for number, record in lines(path):
        found.add(number, record)
    problems = store.problems[first:]
    report, model, name = found.report(), model_of(path), f"{PREFIX}{model_of(path)}"
    _write(root / "meta_performance" / f"{name}.json", _json({"model_name": model, "overall_performance": report}))
    _write(root / "meta_performance_strict" / f"{name}.json", _json(_strict(found, model, problems)))
    with bar(not analyse, 0, len(found.scored), "items") as advance:
        rows, dumps = [], []
        for one in found.scored.values():
            row = {
                "id": one.record["id"],
                "task_name": one.record["task_name"],
                "type": one.record.get("type"),
                "eval_metrics": one.verdict.metrics(),
                "strict_metrics": None if one.strict is None else {**one.strict.metrics(), "reason": one.strict.reason},
                "ground_truth": one.record["gt_answer"],
                "model_answer": one.order,
                "raw_answer": one.record.get("answer", ""),
            }
            if analyse:
                dumps.append(found.analysis(one))
                row["wrong_case_analysis"] = dumps[-1]
            rows.append(row)
            advance()
    _write(root / "detailed_eval" / f"{name}{SUFFIX}", _json_lines(rows))
    if analyse:
        _write(root / "signatures" / f"{name}{SUFFIX}", _json_lines(dumps))
        _write(root / "analysis" / f"{name}.json", _json(found.errors(DEFAULT.taxonomy.group_of_contains)))
    if shown:
        _show(found, model, problems)
    return report.get("overall", {}), not found.skipped and not problems


def _strict(found: Evaluation, model: str, problems: Sequence[str]) -> dict[str, Any]:
    return {
        "model_name": model,
        "overall_performance": found.report_strict(),
        "repairs_of_compat": dict(sorted(found.repairs.items())),
        "skipped_by_compat": {
            "total": len(found.skipped),
            "by_reason": dict(sorted(Counter(one.reason for one in found.skipped).items())),
            "lines": [asdict(one) for one in found.skipped],
        },
        "problems": list(problems),
        "warnings": [f"task {task}: {told}" for task, episode in found.judged_on() for told in episode.warnings],
    }


def _show(found: Evaluation, model: str, problems: Sequence[str]) -> None:
    """Both modes side by side, with the number of skipped lines and the level of chance."""
    lenient, severe = found.report(), found.report_strict()
    table = Table(title=f"{model}: {len(found.skipped)} lines skipped by compat", title_justify="left")
    headings = (
        "",
        "items",
        "TA",
        "PA",
        "items, strict",
        "TA",
        "PA micro",
        "PA macro",
        "exact",
        "chance TA",
        "chance PA",
    )
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left")
    for section in ("overall", *DIRECTIONS):
        for key, name in ((None, section), *((key, f"  {key}") for key in severe.get(section, {}).get("per_step", {}))):
            table.add_row(name, *_cells(lenient, section, key), *_cells(severe, section, key, strict=True))
    console().print(table)
    for reason, count in Counter(one.reason for one in found.skipped).most_common():
        say(f"{model}: {count} lines skipped: {reason}")
    if found.repairs:
        told = ", ".join(f"{count} {name}" for name, count in found.repairs.most_common())
        say(f"{model}: answers that compat repaired: {told}")
    for problem in problems[:SHOWN]:
        say(problem)
    if len(problems) > SHOWN:
        say(f"... and {len(problems) - SHOWN} more problems")


def _cells(report: Mapping[str, Any], section: str, key: str | None, *, strict: bool = False) -> list[str]:
    found = report.get(section, {})
    found = found if key is None else found.get("per_step", {}).get(key, {})
    names = ["task_accuracy", "pairwise_accuracy"]
    names += ["pairwise_accuracy_macro", "exact_rate"] if strict else []
    values = [found.get(name, math.nan) for name in names]
    values += [found.get("chance", {}).get(name, math.nan) for name in ("task_accuracy", "positions")] if strict else []
    return [str(found.get("count", 0)), *("-" if math.isnan(value) else f"{100 * value:.2f}" for value in values)]


def _write(path: Path, data: bytes) -> None:
    atomic.make_folder(path.parent)
    atomic.write(path, data)


def _json(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, indent=2).encode() + b"\n"


def _json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    # A lone surrogate in a reply has no UTF-8 form; it is kept as an escape.
    return b"".join(json.dumps(_finite(row), allow_nan=False).encode() + b"\n" for row in rows)


def _finite(value: Any) -> Any:
    """The value with None for NaN and infinities, which a prediction may hold and which have no JSON form."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return {key: _finite(one) for key, one in value.items()} if isinstance(value, dict) else value
