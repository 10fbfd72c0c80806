"""The films on the report page: of each group one scene, beside the same scene with one cause changed.

It is the first scene in which the change matters to the answer, where one of the first few is such. What is compared
is `Benchmark.variants`, for example the same collision under true physics. Films are drawn for the page, smaller and
with fewer frames than the stored ones, and lie inside it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxphys_adapters import films, frames, layout
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.progress import bar
from jaxphys_adapters.report_prompt import thumbnail
from jaxphys_benchmarks.protocol import OWN, Benchmark, Spec, View

WIDTH_PX = 360
FRAMES = 64
"""Size of a film on the page, and the most frames that it has."""
SOUGHT = 32
"""Scenes of a group among which one is looked for whose variants have another answer."""


def films_section(
    benchmark: Benchmark, root: Path, ids: Sequence[str], facts: Mapping[str, Mapping[str, Any]], quiet: bool = True
) -> str:
    """One card per group; empty for a benchmark without films.

    Args:
        benchmark: whose scenes they are. root: of the data set. ids: of its scenes. facts: by group, for the titles.
        quiet: no progress bar.

    Raises:
        ValueError: a scene is damaged.
    """
    by_group: dict[str, list[str]] = {}
    for scene in ids if benchmark.films else ():
        by_group.setdefault(scene.rpartition("/")[0], []).append(scene)
    groups = [group for group in facts if group in by_group]
    if not groups:
        return ""
    cards = []
    with bar(quiet, 0, len(groups), "films") as advance:
        for group in groups:
            cards.append(_card(benchmark, telling(benchmark, root, by_group[group][:SOUGHT]), facts[group]))
            advance()
    note = (
        "One scene of each group. Beside it, where the group breaks a law of physics, the same scene without the"
        " violation: the first scene in which that matters to the answer."
    )
    return f'<p class="note">{note}</p>{"".join(cards)}'


Take = tuple[str, Spec, Any]
"""A name for people, a spec and its labels."""


def telling(benchmark: Benchmark, root: Path, ids: Sequence[str]) -> list[Take]:
    """Of these scenes of a group the first of which a variant has another outcome, else the first; its variants follow.

    Raises:
        ValueError: a scene is damaged.
    """
    first: list[Take] = []
    for scene in ids:
        spec, labels = layout.read_scene(benchmark, root, scene)
        shown: list[Take] = [(scene, spec, labels)]
        variants = {name: other for name, other in benchmark.variants(spec).items() if name != OWN}
        if variants:
            others = list(variants.values())
            truths = benchmark.label(others, *benchmark.simulate(others))
            names = (f"the same scene, {name}" for name in variants)
            shown += zip(names, others, truths, strict=True)
        first = first or shown
        if len({_outcome(benchmark, other, truth) for _, other, truth in shown}) > 1:
            return shown
    return first


def _outcome(benchmark: Benchmark, spec: Spec, labels: Any) -> str:
    """What happens, in words; empty for a scene without labels."""
    if benchmark.statuses(spec, labels)[-1]:
        return ""
    return str(benchmark.row(spec, labels).get("outcome") or "")


def _card(benchmark: Benchmark, shown: Sequence[Take], facts: Mapping[str, Any]) -> str:
    """A scene and its variants, side by side, with what happens in words."""
    scene, spec, labels = shown[0]
    figures, drawn = [], set[bytes]()
    for kind in benchmark.films:
        for name, other, truth in shown:
            film = small(benchmark, other, kind)
            # A variant that moves just as the scene does is told, not shown twice.
            if film in drawn:
                figures.append(f'<p class="note"><strong>{html.esc(name)}</strong>: nothing changes.</p>')
            else:
                figures.append(_figure(benchmark, name, other, truth, film))
            drawn.add(film)
    row = benchmark.row(spec, labels)
    title = " ".join(str(facts.get("title", "")).split())
    words = "".join(f"<p>{html.esc(row[name])}</p>" for name in ("information", "question") if row.get(name))
    return (
        f'<article class="card scene pair"><div><h3>{html.esc(scene.rpartition("/")[0])}</h3>'
        f'<p class="note">{html.esc(title)}</p>{words}</div><div class="films">{"".join(figures)}</div></article>'
    )


def _figure(benchmark: Benchmark, name: str, spec: Spec, labels: Any, film: bytes) -> str:
    """A film, and below it which one it is and what happens in it; a scene without labels says nothing of that."""
    happens = _outcome(benchmark, spec, labels)
    words = f"<strong>{html.esc(name)}</strong>{': ' if happens else ''}{html.esc(happens)}"
    poster = thumbnail(frames.png(benchmark.picture(spec, None, View(benchmark.views[0]))), WIDTH_PX)
    return f"<figure>{html.video(film, name, poster)}<figcaption>{words}</figcaption></figure>"


def small(benchmark: Benchmark, spec: Spec, kind: str) -> bytes:
    """The MP4 file of a film at the size of the page."""
    still = benchmark.picture(spec, None, View(benchmark.views[0]))
    view = View(kind, scale=min(1.0, WIDTH_PX / still.width_px), frames=min(FRAMES, benchmark.films[kind]))
    return films.encode(benchmark.picture(spec, None, view))
