"""The part of ENACT's report page that shows pictures: film strips of episodes, and questions with their answers."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from jaxphys_adapters import report_parts as html
from jaxphys_adapters.enact.images import Picture, labelled
from jaxphys_adapters.enact.store import Store
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.items import Item, generator
from jaxphys_benchmarks.enact.prompts import actions_of

THUMBNAIL_PX, QUALITY = 232, 82
LONGEST = 14
"""Key frames of a strip: the first ones of an episode."""


@dataclass(frozen=True)
class Answered:
    """A model and its judged answers by question, rows of `detailed_eval`."""

    model: str
    rows: Mapping[str, Mapping[str, Any]]


def strips(store: Store, told: Sequence[Mapping[str, Any]], picture: Picture, count: int) -> str:
    """The first key frames of some episodes, and what changes from each to the next.

    Args:
        store: of the graphs. told: the manifest's figures of episodes. picture: gives key frames.
        count: how many episodes, of different activities as far as there are.
    """
    first = list({one.get("activity"): one for one in reversed(told)}.values())[::-1]
    parts = []
    for one in first[:count]:
        task = str(one.get("task", ""))
        frames = list(store.key_frames(task))[:LONGEST]
        graphs = store.graphs(task, frames)
        if not graphs or not frames:
            continue
        episode = Episode(graphs)
        cells = []
        for k, frame in enumerate(frames):
            change = (
                "" if not k else episode.sentences(frames[k - 1], frame, generator("report", task, k), "parentless")
            )
            cells.append(
                f"<span>{_image(picture(task, frame), f'frame {frame}')}<small>{html.esc(change)}</small></span>"
            )
        title = str(one.get("title") or one.get("activity"))
        more = int(one.get("key_frames", len(frames))) - len(frames)
        note = f" The first {len(frames)} of {len(frames) + more} key frames." if more > 0 else ""
        parts.append(
            f'<article class="scene card"><header><h3>{html.esc(title)}</h3><span class="note">{html.esc(task)}.'
            f'{note}</span></header><div class="frames episode">{"".join(cells)}</div></article>'
        )
    return "".join(parts)


def questions(items: Sequence[Item], picture: Picture, answered: Sequence[Answered], count: int) -> str:
    """Some questions, both directions and all lengths by turns, with the answers of all models.

    Args:
        items: all questions. picture: gives key frames. answered: of the models. count: how many are shown.
    """
    return "".join(_question(item, picture, answered) for item in _spread(items, answered)[:count])


def _spread(items: Sequence[Item], answered: Sequence[Answered]) -> list[Item]:
    """One question of each direction and length, then a second one of each: those that were asked, if any was."""
    asked = [item for item in items if any(item.id in one.rows for one in answered)] or list(items)
    turns: dict[tuple[bool, int], list[Item]] = {}
    for item in asked:
        turns.setdefault((item.inverse, len(item.key_frame_ids)), []).append(item)
    # Neighbours in the file are about one activity: every kind begins at another place.
    piles = [turns[key] for key in sorted(turns, key=lambda key: (key[1], key[0]))]
    piles = [
        pile[(k * len(pile)) // len(piles) :] + pile[: (k * len(pile)) // len(piles)] for k, pile in enumerate(piles)
    ]
    longest = max(map(len, piles), default=0)
    return [pile[k] for k in range(longest) for pile in piles if k < len(pile)]


def _question(item: Item, picture: Picture, answered: Sequence[Answered]) -> str:
    shown = "".join(
        f"<span>{_image(found and labelled(found, label), label)}<small>{html.esc(label)}</small></span>"
        for found, label in ((picture(item.task_name, frame), label) for frame, label in item.shown())
    )
    kind = "inverse: order the actions" if item.inverse else "forward: order the pictures"
    listed = "".join(f"<li>{html.esc(action)}</li>" for action in actions_of(item.question))
    rows = "".join(_reply(item, one.model, one.rows[item.id]) for one in answered if item.id in one.rows)
    return (
        f'<article class="scene card"><header><h3>{html.esc(item.task_name.rpartition("_")[0].replace("_", " "))}, '
        f'{len(item.key_frame_ids)} frames</h3><span class="note">{html.esc(kind)}; {html.esc(item.id)}</span></header>'
        f'<div class="frames episode">{shown}</div><ol class="said">{listed}</ol>'
        f"<p>True order: {html.esc(list(item.gt_answer))}</p>"
        f"{rows}<details><summary>The whole text</summary>"
        f"<pre>{html.esc(html.shorten(item.question))}</pre></details></article>"
    )


def _reply(item: Item, model: str, row: Mapping[str, Any]) -> str:
    strict = row.get("strict_metrics")
    metrics = strict if isinstance(strict, dict) else row.get("eval_metrics")
    accepted = isinstance(metrics, dict) and bool(metrics.get("task_accuracy"))
    pairs = metrics.get("pairwise_accuracy") if isinstance(metrics, dict) else None
    told = (
        "right" if accepted and row.get("model_answer") == list(item.gt_answer) else "accepted" if accepted else "wrong"
    )
    if isinstance(pairs, int | float) and not accepted:
        told += f", {100 * pairs:.0f} % of the steps"
    look = "right" if accepted else "wrong"
    return (
        f'<div class="reply"><div class="who">{html.esc(model)}'
        f'<span class="verdict {look}">{html.esc(told)}</span></div>'
        f"<pre>{html.esc(html.shorten(str(row.get('raw_answer', ''))))}</pre></div>"
    )


def _image(picture: Image.Image | None, alt: str) -> str:
    if picture is None:
        return f'<span class="note">{html.esc(alt)}: no picture</span>'
    small = picture.convert("RGB")
    small.thumbnail((THUMBNAIL_PX, THUMBNAIL_PX), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "JPEG", quality=QUALITY)
    return html.jpeg(out.getvalue(), alt)
