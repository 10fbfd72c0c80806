"""What a question consists of, in order: texts, and slots for the pictures and films that go between them.

A film is sent as stills, or as one MP4 file where its kind is among the moving ones. The same list makes the message,
the check against the image budget and the record, so that what is kept is what was sent.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from jaxphys_adapters.query import images
from jaxphys_benchmarks.protocol import AskOptions, Benchmark, Question, Shown, View

FilmAs = Literal["frames", "video"]
FILM_AS: tuple[FilmAs, ...] = ("frames", "video")
"""How a film is sent."""

UNLIMITED = 1_000_000
"""Frames and pictures where nothing limits them."""


@dataclass(frozen=True)
class Slot:
    """One file in a question.

    Attributes:
        scene: id of the scene that it shows.
        view: how it is seen.
        frame: which of the view's frames, from 0; None is the whole film as one file.
        shown: what to draw; None for the one picture of a question without parts.
    """

    scene: str
    view: View
    frame: int | None
    shown: Shown | None = None


Item = str | Slot


def moving(benchmark: Benchmark, film_as: FilmAs) -> Collection[str]:
    """Kinds of picture that are sent as MP4 files."""
    return tuple(benchmark.films) if film_as == "video" else ()


def limited(ask: AskOptions, film_as: FilmAs, film_frames: int, max_images: int) -> AskOptions:
    """How to ask within an image budget; a film that is sent as one file has all its frames, whatever their number.

    Raises:
        ValueError: a limit is below 1.
    """
    if film_as == "video":
        return replace(ask, film_frames=UNLIMITED, max_images=UNLIMITED)
    return replace(ask, film_frames=film_frames, max_images=max_images)


def items(question: Question, moving: Collection[str] = ()) -> list[Item]:
    """Texts and slots in the order in which the model gets them."""
    if not question.parts:
        picture = [] if question.view is None else [Slot(question.scene, question.view, 0)]
        return [question.prompt, *picture]
    return [item for part in question.parts for item in _expand(part, moving)]


def _expand(part: str | Shown, moving: Collection[str]) -> Iterator[Item]:
    if isinstance(part, str):
        yield part
    elif part.view.kind in moving:
        yield Slot(part.spec.id, part.view, None, part)
    else:
        yield from (Slot(part.spec.id, part.view, frame, part) for frame in range(part.view.frames))


def slots(question: Question, moving: Collection[str] = ()) -> list[Slot]:
    """The slots alone."""
    return [item for item in items(question, moving) if isinstance(item, Slot)]


def check(question: Question, moving: Collection[str], max_images: int) -> None:
    """Raises ValueError if a question shows more than the model is to get."""
    count = len(slots(question, moving))
    if count > max_images:
        raise ValueError(
            f"max_images: {question.id} shows {count} pictures and at most {max_images} may be sent; allow more, or ask"
            " with fewer exemplars"
        )


def outline(question: Question) -> list[str | int]:
    """Where the pictures stand between the texts: each text's length, and a word for each picture's view."""
    return [len(part) if isinstance(part, str) else f"{part.view.kind} x {part.view.frames}" for part in question.parts]


def sent(items: Sequence[Item], media: Sequence[bytes], time: Callable[[Slot], float | None]) -> list[dict[str, Any]]:
    """The parts as they are kept: `{"text": ...}`, or which picture it is and the hash of the file that was sent.

    Args:
        items: of the question. media: the files, one for each slot. time: when a frame is, where it has a time (s).
    """
    files = iter(media)
    return [{"text": item} if isinstance(item, str) else _reference(item, next(files), time(item)) for item in items]


def _reference(slot: Slot, data: bytes, time: float | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"scene": slot.scene, "view": slot.view.kind, "style": slot.view.style}
    if slot.frame is None:
        entry |= {"film": True, "frames": slot.view.frames}
    elif slot.view.frames > 1:
        entry |= {"frame": slot.frame, "frames": slot.view.frames}
    if time is not None:
        entry["time"] = time
    return entry | {"sha256": images.sha256(data)}
