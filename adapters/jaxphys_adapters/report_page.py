"""`jaxphys report DIR`: one self-contained HTML page of a data set and of what models answered.

The page holds headline, scores of all results below the folder that are about its scenes, films, facts of each group, a
selection of scenes with their pictures, events, questions and answers, and how it was all made. It opens without a
network, in light and dark.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from jaxphys_adapters import atomic, layout
from jaxphys_adapters import report_parts as html
from jaxphys_adapters import report_words as words
from jaxphys_adapters.progress import say
from jaxphys_adapters.report_executed import executed_section
from jaxphys_adapters.report_films import films_section, films_title
from jaxphys_adapters.report_origin import about
from jaxphys_adapters.report_results import Results, find_results, told_apart
from jaxphys_adapters.report_scenes import scenes_section
from jaxphys_adapters.report_scores import scores_section
from jaxphys_benchmarks.explanation import Explained

COUNTS = ("scenes", "rejected_draws", "failed")
"""Numbers of a group's facts that the page cannot do without or adds up."""

NAMED = 3
"""Folders of results of other data sets that are named."""
LIST = 24
"""Entries of a table of counts."""
LISTED = 8
"""Groups that are named in the head."""
SCENES = 10
"""Scenes that are shown unless told otherwise, or one of each group if that is more."""


@dataclass(frozen=True)
class ReportPage:
    """Make one self-contained HTML page of a data set and the results below it."""

    data: Annotated[Path, tyro.conf.Positional]
    """Folder that `jaxphys generate` has made; results of `jaxphys eval --out` may lie in folders below it."""
    out: Path | None = None
    """The page; DIR/report.html if not given."""
    scenes: Annotated[int | None, tyro.conf.DisallowNone] = None
    """How many scenes are shown; unset: 10, or one of each group if these are more."""
    films: bool = True
    """Play the first scene of each group, of benchmarks that have films."""
    executed: bool = True
    """Play what robots did, one scene of each group, where `jaxphys execute` was run."""
    results: Path | None = None
    """Folder of results that lie elsewhere; those about other scenes are left out."""


def run(command: ReportPage) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError: no data set, or a damaged one. StorageError: the page cannot be written.
    """
    if command.scenes is not None and command.scenes < 0:
        raise ValueError(f"scenes: {command.scenes}; give a whole number >= 0")
    out = command.out or command.data / "report.html"
    data = layout.open_data_set(command.data)
    text, faults = report_page(data, command.scenes, command.results, films=command.films, executed=command.executed)
    if out.parent != Path():
        atomic.make_folder(out.parent)
    atomic.write(out, text.encode())
    for fault in faults:
        say(f"left out {fault}")
    say(f"wrote {out} ({len(text) / 1e6:.1f} MB)")
    return 0


def report_page(
    data: layout.DataSet,
    scenes: int | None,
    elsewhere: Path | None = None,
    *,
    films: bool = True,
    executed: bool = True,
) -> tuple[str, list[str]]:
    """The page, and what was left out because it could not be read.

    Raises:
        ValueError: the data set is damaged; the text names the file.
    """
    from jaxphys_benchmarks import registry

    benchmark = registry.get(data.benchmark, **data.config["options"])
    place = {group: k for k, group in enumerate(data.config["groups"])}
    found = [scene for scene in layout.scene_ids(data.root) if scene.rpartition("/")[0] in place]
    ids = sorted(found, key=lambda scene: place[scene.rpartition("/")[0]])
    groups = list(dict.fromkeys(scene.rpartition("/")[0] for scene in ids))
    results, faults = find_results(data.root, benchmark.name)
    if elsewhere is not None:
        more, more_faults = find_results(elsewhere, benchmark.name)
        # The other folder may hold the data set.
        known = {one.root.resolve() for one in results}
        results += [one for one in more if one.root.resolve() not in known]
        results, faults = sorted(results, key=lambda r: -r.metrics.get("mean", 0.0)), faults + more_faults
    results, foreign = about(benchmark, data, set(ids), results)
    if foreign:
        named = ", ".join(str(one.root) for one in foreign[:NAMED]) + (", ..." if len(foreign) > NAMED else "")
        count = f"{len(foreign)} result{'s' if len(foreign) > 1 else ''}"
        faults = [*faults, f"{count} about other scenes than those of {data.root}: {named}"]
    results = told_apart(results)
    facts = {group: _facts(data.root / group) for group in groups}
    acted, unread = executed_section(benchmark, data.root, ids, elsewhere, drawn=executed)
    faults = [*faults, *unread]
    sections = {
        "Scores": scores_section(results, groups, benchmark.breakdowns if isinstance(benchmark, Explained) else ()),
        films_title(benchmark): films_section(benchmark, data.root, ids, facts, quiet=False) if films else "",
        "Carried out": acted,
        "Scenes": scenes_section(benchmark, data, ids, results, max(SCENES, len(groups)) if scenes is None else scenes),
        "Data set": _data_section(data.root, facts),
        "How it was made": _made_section(data.config),
    }
    shown = {name: body for name, body in sections.items() if body}
    # A page of executed answers alone is told apart from the page of the questions.
    title = f"{benchmark.title}, plans carried out" if acted and not results else benchmark.title
    body = _head(title, data.config, len(ids), facts, results, list(shown))
    for name, content in shown.items():
        body += f'<h2 id="{_anchor(name)}">{html.esc(name)}</h2>{content}'
    body += "<footer>Made by jaxphys. This page is one file and loads nothing from outside.</footer>"
    return html.page(f"{title}: report", body), faults


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def _facts(folder: Path) -> dict[str, Any]:
    """Facts of a group; empty before its report was written.

    Raises:
        ValueError: they cannot be read, or a count is none; the text names the file.
    """
    path = folder / "report.json"
    if not path.exists():
        return {}
    facts = layout.read_json(path)
    for name in COUNTS:
        value = facts.get(name, 0)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ValueError(f"{path}: {name}: {value!r} is no count; run `jaxphys generate` again to write it anew")
    return facts


def _head(
    title: str,
    config: Mapping[str, Any],
    scenes: int,
    facts: Mapping[str, Mapping[str, Any]],
    results: Sequence[Results],
    sections: Sequence[str],
) -> str:
    """Title, one sentence, links, and the numbers to remember."""
    lead = (
        f"{html.number(scenes)} {words.counted(scenes, 'scene')} in {len(facts)} {words.counted(len(facts), 'group')}"
    )
    engine = words.BACK_ENDS.get(str(config["backend"]), f"the back end \u201c{config['backend']}\u201d")
    lead += f", drawn from seed {config['seed']}, simulated and labelled with {engine}"
    if results:
        best = results[0]
        mean = f"{best.metrics.get('mean', 0.0):.3f}"
        several = f"{len(results)} results, of which {best.model} leads with {mean}"
        lead += f"; {several}" if len(results) > 1 else f"; {best.model} was asked and reached {mean}"
    groups = words.counted(len(facts), "group")
    named = f"{groups}: {', '.join(map(words.plain, facts))}" if len(facts) <= LISTED else groups
    tiles = [(words.counted(scenes, "scene"), html.number(scenes)), (named, str(len(facts)))]
    rejected = sum(f.get("rejected_draws", 0) for f in facts.values())
    failed = sum(f.get("failed", 0) for f in facts.values())
    tiles += [
        (f"{words.counted(rejected, 'draw')} rejected and drawn again", str(rejected)),
        (f"{words.counted(failed, 'scene')} without labels", str(failed)),
    ]
    if results:
        tiles.append((words.counted(len(results), "result"), str(len(results))))
    links = "".join(f'<a href="#{_anchor(name)}">{html.esc(name)}</a>' for name in sections)
    return (
        f'<p class="eyebrow">jaxphys report</p><h1>{html.esc(title)}</h1>'
        f'<p class="lead">{html.esc(lead)}.</p><nav>{links}</nav>{html.tiles(tiles)}'
    )


def _data_section(root: Path, facts: Mapping[str, Mapping[str, Any]]) -> str:
    """A panel for each group: its charts and its counts."""
    panels = {}
    for group, content in facts.items():
        if not content:
            continue
        chart = root / group / "report.png"
        counts = {name: value for name, value in content.items() if isinstance(value, dict) and _is_count(value)}
        rows = [
            [words.plain(name), ", ".join(f"{key}: {html.number(v)}" for key, v in list(value.items())[:LIST])]
            for name, value in counts.items()
        ]
        body = html.picture(chart.read_bytes(), _how_many(content), f"report of {group}") if chart.exists() else ""
        panels[words.plain(group)] = f"{body}<details><summary>All counts</summary>{html.table([], rows)}</details>"
    return html.tabs("groups", panels) if panels else ""


def _how_many(facts: Mapping[str, Any]) -> str:
    count = facts.get("scenes", 0)
    return f"{count} {words.counted(count, 'scene')}"


def _is_count(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(isinstance(v, int | float) for v in value.values())


def _made_section(config: Mapping[str, Any]) -> str:
    """Versions and options."""
    rows = [["back end", str(config["backend"])]]
    for maker in config.get("made_with", ()):
        rows.append(["versions", ", ".join(f"{k} {v}" for k, v in maker.get("versions", {}).items())])
        rows.append(["machine", f"{maker.get('machine')}, Python {maker.get('python')}"])
        rows.append(["instruction set", ", ".join(maker.get("instruction_set", ()))])
    options = [[name, json.dumps(value)] for name, value in config["options"].items()]
    return (
        f'<div class="card">{html.table([], rows)}</div>'
        f"<details><summary>All {len(options)} options</summary>{html.table(['option', 'value'], options)}</details>"
    )
