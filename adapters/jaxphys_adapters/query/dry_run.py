"""What a run would send, before anything is sent: calls, pictures, their bytes, and words.

Bytes are extrapolated from a few pictures of each kind; tokens of text are taken as 4/3 of the words, for want of the
model's own tokenizer. How a provider counts pictures is its own affair.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from jaxphys_adapters.query import images, parts, samples
from jaxphys_adapters.query.parts import Slot
from jaxphys_adapters.query.settings import Settings
from jaxphys_adapters.query.source import Scenes, Source, load

SAMPLED = 6
"""Pictures of each kind that are drawn to see how large they are."""

TOKENS_PER_WORD = 4 / 3


@dataclass(frozen=True)
class Estimate:
    """How much would be sent.

    Attributes:
        scenes, questions: how many.
        calls: one for each question; up to `most_calls` if every reply is asked for again.
        images, films: files sent in all; `most_images` and `least_images` in one question, films included.
        image_bytes: of all of them, base64-encoded, about.
        words, text_tokens: of all prompts, the latter about.
    """

    scenes: int
    questions: int
    calls: int
    most_calls: int
    images: int
    films: int
    least_images: int
    most_images: int
    image_bytes: int
    words: int
    text_tokens: int


def estimate(source: Source, settings: Settings) -> Estimate:
    """The estimate of a run; a few pictures are drawn for it, and nothing is sent.

    Raises:
        ValueError: bad source, or a question shows too many pictures.
    """
    scenes = load(source)
    samples.check(scenes, settings)
    moving = parts.moving(scenes.benchmark, settings.film_as)
    by_question = [parts.slots(question, moving) for question in scenes.questions]
    words = sum(len(question.prompt.split()) for question in scenes.questions)
    counts = [len(slots) for slots in by_question]
    films = sum(slot.frame is None for slots in by_question for slot in slots)
    return Estimate(
        scenes=len(scenes.by_id),
        questions=len(by_question),
        calls=len(by_question),
        most_calls=len(by_question) * settings.policy.attempts,
        images=sum(counts) - films,
        films=films,
        least_images=min(counts),
        most_images=max(counts),
        image_bytes=_bytes(scenes, by_question, settings.image_limit),
        words=words,
        text_tokens=ceil(words * TOKENS_PER_WORD),
    )


def _bytes(scenes: Scenes, by_question: list[list[Slot]], limit: int) -> int:
    """Base64-encoded size of all files, from the mean of a few of each kind."""
    uses = Counter((slot.view.kind, slot.frame is None) for slots in by_question for slot in slots)
    total = 0.0
    for kind, used in uses.items():
        distinct = {
            (slot.scene, slot.view, slot.frame): (question, slot)
            for question, slots in zip(scenes.questions, by_question, strict=True)
            for slot in slots
            if (slot.view.kind, slot.frame is None) == kind
        }
        some = list(distinct.values())[:: max(1, len(distinct) // SAMPLED)][:SAMPLED]
        sizes = []
        for question, slot in some:
            data = scenes.pictures.file(slot) if slot.shown else scenes.picture(question)
            assert data is not None  # a slot without parts is the question's picture
            sizes.append(len(data) if images.is_film(data) else len(images.fit(data, limit)))
        total += used * sum(map(images.encoded_size, sizes)) / len(sizes)
    return round(total)


def shown(scenes: Scenes, settings: Settings) -> dict[str, Any]:
    """How pictures and films are sent, for the results: what was asked for, and what came of it."""
    moving = parts.moving(scenes.benchmark, settings.film_as)
    by_question = [parts.slots(question, moving) for question in scenes.questions]
    frames = Counter(
        slot.shown.view.frames
        for slots in by_question
        for slot in slots
        if slot.shown and slot.view.kind in scenes.benchmark.films and slot.frame in (0, None)
    )
    feature: Mapping[str, str] | None = None
    if scenes.feature is not None:
        feature = {"name": scenes.feature.name, "version": scenes.feature.version}
    return {
        "film_as": settings.film_as,
        "max_images": settings.max_images,
        "images_per_question": {"least": min(map(len, by_question)), "most": max(map(len, by_question))},
        "films_by_frames": {str(count): films for count, films in sorted(frames.items())},
        "feature": feature,
    }


def lines(estimate: Estimate) -> list[str]:
    """The estimate for people."""
    per_question = (
        f"{estimate.most_images}"
        if estimate.least_images == estimate.most_images
        else f"{estimate.least_images} to {estimate.most_images}"
    )
    films = f" and {estimate.films} films" if estimate.films else ""
    return [
        "Nothing was sent. A run would take",
        f"  {estimate.calls} calls about {estimate.scenes} scenes, at most {estimate.most_calls} with repetitions,",
        f"  {estimate.images} images{films}, {per_question} in a question, about"
        f" {estimate.image_bytes / images.MIB:.1f} MiB base64-encoded,",
        f"  {estimate.words} words of text, about {estimate.text_tokens} tokens at 4/3 of a token for a word.",
    ]
