"""`jaxphys report enact DIR`: one self-contained HTML page of simulated episodes and of what models answered.

The page holds the scores of all results below the folder, in both modes and beside chance; the film strip of some
episodes with what changes from picture to picture; some questions with their pictures, actions, true order and the
models' answers; figures of every episode; and how it was all made. It opens without a network, in light and dark.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from jaxphys_adapters import atomic
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.enact import folder, images, report_episodes
from jaxphys_adapters.enact.evaluate import PREFIX, SUFFIX
from jaxphys_adapters.enact.qa_file import lines, load_qa
from jaxphys_adapters.enact.report_episodes import Answered
from jaxphys_adapters.enact.store import open_store
from jaxphys_adapters.progress import say
from jaxphys_adapters.report_words import counted
from jaxphys_benchmarks.enact.aggregate import DIRECTIONS
from jaxphys_benchmarks.statistics import wilson

TITLE = "ENACT"
STRIPS, QUESTIONS = 4, 8
"""Episodes and questions that are shown unless told otherwise."""


@dataclass(frozen=True)
class EnactReport:
    """Make one self-contained HTML page of a generated ENACT data set and the results below it.

    Attributes:
        data: folder that `jaxphys generate enact` has made; results lie in its folder `results`.
        out: the page; DIR/report.html if not given.
        episodes: how many episodes are shown as strips.
        questions: how many questions are shown.
        frames: folder of key frames to show instead of those of DIR, as `jaxphys enact render` writes them.
    """

    data: Annotated[Path, tyro.conf.Positional]
    out: Path | None = None
    episodes: int = STRIPS
    questions: int = QUESTIONS
    frames: Path | None = None

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        for name in ("episodes", "questions"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: {getattr(self, name)}; give a whole number >= 0")


@dataclass(frozen=True)
class Results:
    """What one model reached: the reports of both modes, and the judged answers by question."""

    model: str
    compat: Mapping[str, Any]
    strict: Mapping[str, Any]
    answers: Mapping[str, Mapping[str, Any]]


def run(command: EnactReport) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError, OSError: no data set, or the page cannot be written.
    """
    manifest = folder.check(command.data)
    text, faults = report(command, manifest)
    out = command.out or command.data / "report.html"
    if out.parent != Path():
        atomic.make_folder(out.parent)
    atomic.write(out, text.encode())
    for fault in faults:
        say(f"left out {fault}")
    say(f"wrote {out} ({len(text) / 1e6:.1f} MB)")
    return 0


def report(command: EnactReport, manifest: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The page, and what was left out because it could not be read.

    Args:
        command: what is shown.
        manifest: of the folder.

    Raises:
        ValueError, OSError: questions or graphs cannot be read.
    """
    results, faults = find(command.data / folder.RESULTS)
    items = load_qa(command.data / folder.QUESTIONS).items
    store = open_store(Path(), Path(), command.data / folder.GRAPHS)
    picture = images.recorded(command.frames or command.data / folder.REPLAYED)
    answered = [Answered(one.model, one.answers) for one in results]
    told = [one for one in manifest.get("episodes", ()) if isinstance(one, dict)]
    sections = {
        "Scores": _scores(results),
        "Episodes": report_episodes.strips(store, told, picture, command.episodes),
        "Questions": report_episodes.questions(items, picture, answered, command.questions),
        "Without looking": _leaks(manifest),
        "Data set": _figures(told),
        "How it was made": _made(manifest),
    }
    shown = {name: body for name, body in sections.items() if body}
    links = "".join(f'<a href="#{_anchor(name)}">{html.esc(name)}</a>' for name in shown)
    frames = sum(int(one.get("key_frames", 0)) for one in told)
    activities = len({one.get("activity") for one in told})
    counts = {"question": len(items), "episode": len(told), "activity": activities, "key frame": frames}
    tiles = [(counted(count, name), html.number(count)) for name, count in counts.items()]
    body = (
        f'<p class="eyebrow">jaxphys report</p><h1>{TITLE}</h1><p class="lead">Simulated household episodes, seen from '
        "a robot's head: in which order did the pictures come, and in which order the changes?</p>"
        f"<nav>{links}</nav>{html.tiles(tiles)}"
    )
    for name, content in shown.items():
        body += f'<h2 id="{_anchor(name)}">{html.esc(name)}</h2>{content}'
    body += "<footer>Made by jaxphys. This page is one file and loads nothing from outside.</footer>"
    return html.page(f"{TITLE}: report", body), [*faults, *store.problems]


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def find(root: Path) -> tuple[list[Results], list[str]]:
    """Results of all models below a folder, the best first, and what could not be read.

    Args:
        root: as `jaxphys eval enact` writes it: one folder for each model.
    """
    found, faults = [], []
    for path in sorted(root.glob(f"*/meta_performance/{PREFIX}*.json")):
        above = path.parent.parent
        try:
            lenient = json.loads(path.read_bytes())
            severe = json.loads((above / "meta_performance_strict" / path.name).read_bytes())
            detailed = above / "detailed_eval" / path.with_suffix(SUFFIX).name
            rows = {str(row["id"]): row for _, row in lines(detailed) if isinstance(row, dict) and "id" in row}
            in_compat, in_strict = lenient["overall_performance"], severe["overall_performance"]
            if not isinstance(in_compat, dict) or not isinstance(in_strict, dict):
                raise ValueError("no table of scores")
            found.append(Results(str(lenient["model_name"]), in_compat, in_strict, rows))
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            faults.append(f"{path}: {error}")
    return sorted(found, key=lambda one: -_rate(one.strict, "overall", "task_accuracy")), faults


def task_accuracies(data: Path) -> dict[str, dict[str, float]]:
    """Task accuracy without repairs, by model, the best first, and direction.

    Args:
        data: folder that `jaxphys generate enact` has made.
    """
    return {
        one.model: {word: _rate(one.strict, section, "task_accuracy") for section, word in DIRECTIONS.items()}
        for one in find(data / folder.RESULTS)[0]
    }


def _rate(report: Mapping[str, Any], section: str, name: str, length: str = "") -> float:
    part = report.get(section, {})
    value = (part.get("per_step", {}).get(length, {}) if length else part).get(name)
    return float(value) if isinstance(value, int | float) else float("nan")


def _scores(results: Sequence[Results]) -> str:
    """A table of all models, and accuracy over the number of frames for each direction."""
    if not results:
        return ""
    heads = ["model", "asked"]
    heads += [f"{word}, {name}" for word in DIRECTIONS.values() for name in ("TA strict", "PA strict", "TA compat")]
    rows = []
    for one in results:
        cells = [html.number(int(_rate(one.strict, "overall", "count")))] if one.strict else ["0"]
        for section in DIRECTIONS:
            numbers = (
                _rate(one.strict, section, "task_accuracy"),
                _rate(one.strict, section, "pairwise_accuracy"),
                _rate(one.compat, section, "task_accuracy"),
            )
            cells += [_percent(value) for value in numbers]
        rows.append([one.model, *cells])
    level = results[0].strict
    chances = [["guessing", ""]]
    for section in DIRECTIONS:
        chance = level.get(section, {}).get("chance", {})
        chances[0] += [_percent(chance.get(name, float("nan"))) for name in ("task_accuracy", "positions")] + [""]
    note = (
        '<p class="note">TA: answers that are right or that the scene graphs accept, in %; PA: steps that are. '
        "<em>strict</em> repairs no reply and counts every question; <em>compat</em> agrees with the public evaluator. "
        "Guessing earns the exact orders and right positions of the last row.</p>"
    )
    body = note + f'<div class="card">{html.table(heads, [*rows, *chances])}</div>{_by_chance(results)}'
    charts = []
    for section, word in DIRECTIONS.items():
        lengths = sorted(
            {key for one in results for key in one.strict.get(section, {}).get("per_step", {})}, key=_steps
        )
        if len(lengths) < 2:
            continue
        series = {
            one.model: [_none_if_nan(_rate(one.strict, section, "task_accuracy", length)) for length in lengths]
            for one in results
        }
        charts.append(
            html.lines(
                f"{word.capitalize()}: TA strict (%) by frames", [str(_steps(k)) for k in lengths], series, whole=100
            )
        )
    if charts:
        body += html.legend(one.model for one in results) + f'<div class="charts">{"".join(charts)}</div>'
    return body


def _by_chance(results: Sequence[Results]) -> str:
    """Which models seem to be worse than guessing and are not told apart from it; empty if there are none."""
    found = []
    for one in results:
        for section, word in DIRECTIONS.items():
            rate, count = (_rate(one.strict, section, name) for name in ("task_accuracy", "count"))
            chance = _number(one.strict.get(section, {}).get("chance", {}), "task_accuracy")
            if 0 <= rate < chance and count >= 1 and chance <= (high := wilson(rate * count, count)[1]):
                found.append(f"{one.model}, {word} (up to {_percent(high)} against {_percent(chance)})")
    words = f"Below guessing by so little that its 95 % interval holds guessing: {html.esc('; '.join(found))}."
    return f'<p class="note">{words}</p>' if found else ""


def _steps(key: str) -> int:
    digits = key.partition("_")[0]
    return int(digits) if digits.isdigit() else 0


def _none_if_nan(value: float) -> float | None:
    return None if value != value else value


def _percent(value: float) -> str:
    return "–" if value != value else f"{100 * value:.1f}"


def _leaks(manifest: Mapping[str, Any]) -> str:
    """What ways to answer that look at no picture earn, beside guessing; empty where it was not measured."""
    found = [one for one in manifest.get("leaks", ()) if isinstance(one, dict)]
    if not found:
        return ""
    rows = []
    for one in found:
        pairs = [
            f"{_percent(_number(one, name))} ({_percent(_number(one, f'chance_{name}'))}"
            f" ± {_percent(_number(one, f'band_{name}'))})"
            for name in ("exact", "positions")
        ]
        rows.append([str(one.get("name", "")), *pairs, "as guessing" if one.get("within") else "unlike guessing"])
    note = (
        '<p class="note">Orders taken from names and numbers of files must be as good as guessing (in parentheses, '
        "with the 95 % interval; all in %). What the texts of the actions give by themselves is only told.</p>"
    )
    return note + f'<div class="card">{html.table(["way", "right orders", "right positions", ""], rows)}</div>'


def _number(row: Mapping[str, Any], name: str) -> float:
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else float("nan")


def _figures(told: Sequence[Mapping[str, Any]]) -> str:
    """Figures of every episode, and how often each kind of fact begins."""
    if not told:
        return ""
    heads = ["episode", "frames", "key frames", "left grasps", "right grasps", "what begins"]
    rows = []
    for one in told:
        added = one.get("added", {})
        begins = (
            ", ".join(f"{name} {count}" for name, count in sorted(added.items())) if isinstance(added, dict) else ""
        )
        numbers = [html.number(one.get(name)) for name in ("frames", "key_frames", "grasps_left", "grasps_right")]
        rows.append([str(one.get("task", "")), *numbers, begins])
    return f'<div class="card">{html.table(heads, rows)}</div>'


def _made(manifest: Mapping[str, Any]) -> str:
    """Versions and options."""
    rows = [
        [name.replace("_", " "), value if isinstance(value, str) else json.dumps(value)]
        for name, value in manifest.items()
        if name not in ("episodes", "config", "leaks")
    ]
    options = [[name, json.dumps(value)] for name, value in dict(manifest.get("config", {})).items()]
    body = f'<div class="card">{html.table([], rows)}</div>'
    if options:
        body += f"<details><summary>All options</summary>{html.table(['option', 'value'], options)}</details>"
    return body
