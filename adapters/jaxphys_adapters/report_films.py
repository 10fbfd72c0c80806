"""The films on the report page: of each group one scene, beside the same scene with one cause changed.

It is the first scene in which the change matters to the answer, where one of the first few is such. What is compared
is `Benchmark.variants`, for example the same collision under true physics, or the same fall at another speed. Films
are of the benchmark's first kind, so that the page stays small; they are drawn for it, smaller and with fewer frames
than the stored ones, and lie inside it. Those of a few frames are shown as rows of them (`report_strips`).
"""

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jaxphys_adapters import films, frames, layout
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.progress import bar
from jaxphys_adapters.report_prompt import thumbnail
from jaxphys_adapters.report_strips import band_of, is_short, named, strip
from jaxphys_adapters.report_words import plain
from jaxphys_benchmarks.explanation import Explained
from jaxphys_benchmarks.protocol import OWN, Benchmark, Spec, View

WIDTH_PX = 360
FRAMES = 64
"""Size of a film on the page, and the most frames that it has."""
SOUGHT = 32
"""Scenes of a group among which one is looked for whose variants have another answer."""
OUTCOMES = ("outcome", "correct_action")
"""Columns that say what happens, or what is to be done."""

Take = tuple[str, Spec, Any]
"""Name of a scene or of its variant, a spec and its labels."""


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
    shown = {group: telling(benchmark, root, by_group[group][:SOUGHT]) for group in groups}
    names = dict.fromkeys(plain(name) for takes in shown.values() for name, _, _ in takes[1:])
    cards = []
    with bar(quiet, 0, len(groups), "films") as advance:
        for group, takes in shown.items():
            cards.append(_card(benchmark, takes, facts[group], varied=bool(names)))
            advance()
    most = max(len(by_group[group]) for group in groups)
    note = _note(list(names), most) + _before(benchmark, [take for takes in shown.values() for take in takes])
    return f'<p class="note">{note}</p>{"".join(cards)}'


def films_title(benchmark: Benchmark) -> str:
    """Heading of the section: films of a few frames are shown as strips."""
    return "Film strips" if any(is_short(benchmark, film) for film in [*benchmark.films][:1]) else "Films"


def _note(names: Sequence[str], most: int) -> str:
    """What the cards show; `names` are those of the variants on them, `most` is how many scenes a group has at most."""
    if not names:
        return "One scene of each group."
    among = f"the group's first {SOUGHT} scenes" if most > SOUGHT else "the group's scenes"
    return (
        f"One scene of each group. With it, the same scene with one cause changed: {html.esc(', '.join(names))}."
        f" Shown is the first of {among} in which the change alters the answer; where none does, it is the first one."
    )


def _before(benchmark: Benchmark, takes: Sequence[Take]) -> str:
    """What an event before the freeze means, where there are such: the freeze is then set by the clock."""
    early = 0
    for _, spec, labels in takes:
        when = None if benchmark.statuses(spec, labels)[-1] else benchmark.row(spec, labels).get("tti")
        early += when is not None and when < 0
    if not early:
        return ""
    return (
        " The question is asked at the last frame, the freeze. Where that is a fixed time after the release, as"
        " published, what a caption tells may have happened before it, within the frames: so it is in"
        f" {early} of {len(takes)} films."
    )


def telling(benchmark: Benchmark, root: Path, ids: Sequence[str]) -> list[Take]:
    """Of these scenes of a group the first of which a variant has another outcome, else the first; its variants follow.

    Variants in which nothing was changed are left out.

    Raises:
        ValueError: a scene is damaged.
    """
    first: list[Take] = []
    for scene in ids:
        spec, labels = layout.read_scene(benchmark, root, scene)
        shown: list[Take] = [(scene, spec, labels)]
        variants = {
            name: other
            for name, other in benchmark.variants(spec).items()
            if name != OWN and _changed(spec, other, name)
        }
        if variants:
            others = list(variants.values())
            truths = benchmark.label(others, *benchmark.simulate(others))
            shown += zip(variants, others, truths, strict=True)
        first = first or shown
        if len({_answer(benchmark, other, truth) for _, other, truth in shown}) > 1:
            return shown
    return first


def _changed(spec: Spec, variant: Spec, name: str) -> bool:
    """Whether a variant differs from its scene in more than the field that holds the variant's name."""
    renamed = (spec.model_copy(update={field: name}) for field in type(spec).model_fields)
    return variant != spec and variant not in renamed


def _outcome(benchmark: Benchmark, spec: Spec, labels: Any) -> str:
    """What happens, in words; empty for a scene without labels."""
    if benchmark.statuses(spec, labels)[-1]:
        return ""
    if isinstance(benchmark, Explained):
        return benchmark.truth(spec, labels).title
    row = benchmark.row(spec, labels)
    return next((str(row[name]) for name in OUTCOMES if row.get(name)), "")


def _answer(benchmark: Benchmark, spec: Spec, labels: Any) -> str:
    """What a scene and its variant are compared by: what is to be done where that is known, else what happens."""
    if benchmark.statuses(spec, labels)[-1]:
        return ""
    row = benchmark.row(spec, labels)
    return next((str(row[name]) for name in reversed(OUTCOMES) if row.get(name)), "")


def _card(benchmark: Benchmark, shown: Sequence[Take], facts: Mapping[str, Any], *, varied: bool) -> str:
    """A scene and its variants, side by side, with what happens in words.

    Args:
        benchmark: whose scene it is. shown: the scene and its variants. facts: of the group.
        varied: whether other cards show variants, so that one without any says why.
    """
    scene, spec, labels = shown[0]
    kind = next(iter(benchmark.films))
    seen = f"{named(kind)} camera" if len(benchmark.films) > 1 else ""
    own = band_of(benchmark, spec, labels)
    figures, drawn = [], dict[Hashable, str]()
    for name, other, truth in shown:
        first = f"this scene, {own}" if own else "this scene"
        title = first if name == scene else f"the same, {plain(name)}"
        body, film = _film(benchmark, other, truth, kind, f"{scene}, {plain(name)}" if name != scene else scene)
        happens = _outcome(benchmark, other, truth)
        # A variant that moves just as the scene does is told, not shown twice.
        if film in drawn:
            words = "nothing changes." if drawn[film] == happens else f"looks the same: {happens}"
            figures.append(f'<p class="note"><strong>{html.esc(title)}</strong>: {html.esc(words)}</p>')
        else:
            figures.append(_figure(title, happens, body))
        drawn.setdefault(film, happens)
    if varied and len(shown) == 1:
        figures.append(f'<p class="note">{html.esc(_alone(benchmark, spec))}</p>')
    row = benchmark.row(spec, labels)
    about = " ".join(str(facts.get("title", "")).split())
    words = "".join(f"<p>{html.esc(row[name])}</p>" for name in ("information", "question") if row.get(name))
    notes = (about, ", ".join(filter(None, (scene, seen))))
    said = "".join(f'<p class="note">{html.esc(note)}</p>' for note in notes if note)
    card, inner = ("strips", "rows") if is_short(benchmark, kind) else ("pair", "films")
    return (
        f'<article class="card scene {card}"><div><h3>{html.esc(plain(scene.rpartition("/")[0]))}</h3>'
        f'{said}{words}</div><div class="{inner}">{"".join(figures)}</div></article>'
    )


def _alone(benchmark: Benchmark, spec: Spec) -> str:
    """Why a scene stands without a variant."""
    names = [plain(name) for name in benchmark.variants(spec) if name != OWN]
    return (
        f"There is no second film: this scene is the same when it is made {' or '.join(names)}."
        if names
        else "There is no second film: scenes of this group have no changed version."
    )


def _film(benchmark: Benchmark, spec: Spec, labels: Any, kind: str, title: str) -> tuple[str, Hashable]:
    """A film on the page, as a row of frames or to be played, and what two films are compared by."""
    if is_short(benchmark, kind):
        return strip(benchmark, spec, labels, kind)
    film = small(benchmark, spec, kind)
    poster = thumbnail(frames.png(benchmark.picture(spec, None, View(benchmark.views[0]))), WIDTH_PX)
    return html.video(film, title, poster), film


def _figure(name: str, happens: str, body: str) -> str:
    """A film, which one it is and what happens in it; a scene without labels says nothing of that."""
    words = f"<strong>{html.esc(name)}</strong>{': ' if happens else ''}{html.esc(happens)}"
    return f"<figure>{body}<figcaption>{words}</figcaption></figure>"


def small(benchmark: Benchmark, spec: Spec, kind: str) -> bytes:
    """The MP4 file of a film at the size of the page."""
    still = benchmark.picture(spec, None, View(benchmark.views[0]))
    view = View(kind, scale=min(1.0, WIDTH_PX / still.width_px), frames=min(FRAMES, benchmark.films[kind]))
    return films.encode(benchmark.picture(spec, None, view))
