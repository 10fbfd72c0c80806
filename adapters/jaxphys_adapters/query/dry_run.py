"""What a run would send, before anything is sent: calls, pictures, their bytes, words, and tokens by `tokens`.

Bytes and tokens of pictures are extrapolated from a few of each kind, as they would be sent; how a provider counts
films is its own affair.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image

from jaxphys_adapters.query import images, parts, samples, tokens
from jaxphys_adapters.query.parts import Slot
from jaxphys_adapters.query.settings import Settings
from jaxphys_adapters.query.source import Scenes, Source, load
from jaxphys_benchmarks import advice
from jaxphys_benchmarks.looped import looped_of

SAMPLED = 6
"""Pictures of each kind that are drawn to see how large they are."""


@dataclass(frozen=True)
class Estimate:
    """How much would be sent.

    Attributes:
        scenes, questions: how many; in a closed loop at most, as if every scene were asked about to the end.
        calls: one for each question; up to `most_calls` if every reply is asked for again.
        images, films: files sent in all; `most_images` and `least_images` in one question, films included.
        shows: by kind of picture, the most files of it in one question.
        image_bytes: of all of them, base64-encoded, about.
        words, text_tokens: of all prompts, the latter about.
        image_tokens: of all images, about, by who counts so.
        reply_tokens: at most, if every reply is as long as it may be.
        notes: what else to know before asking.
    """

    scenes: int
    questions: int
    calls: int
    most_calls: int
    images: int
    films: int
    least_images: int
    most_images: int
    shows: Mapping[str, int]
    image_bytes: int
    words: int
    text_tokens: int
    image_tokens: Mapping[str, int]
    reply_tokens: int
    notes: Sequence[str] = ()


def estimate(source: Source, settings: Settings) -> Estimate:
    """The estimate of a run; a few pictures are drawn for it, and nothing is sent.

    Raises:
        ValueError: bad source, or a question shows too many pictures.
    """
    scenes = load(source)
    samples.check(scenes, settings)
    moving = parts.moving(scenes.benchmark, settings.film_as)
    by_question = [parts.slots(question, moving) for question in scenes.questions]
    counts = [len(slots) for slots in by_question]
    films = sum(slot.frame is None for slots in by_question for slot in slots)
    kinds = [Counter(slot.view.kind for slot in slots) for slots in by_question]
    size, counted = _pictures(scenes, by_question, settings.image_limit)
    rounds = looped_of(scenes.benchmark).most_questions(**json.loads(settings.loop)) if settings.loop else 1
    calls = len(by_question) * rounds
    return Estimate(
        scenes=len(scenes.by_id),
        questions=calls,
        calls=calls,
        most_calls=calls * settings.policy.attempts,
        images=(sum(counts) - films) * rounds,
        films=films * rounds,
        least_images=min(counts),
        most_images=max(counts),
        shows={kind: max(one[kind] for one in kinds) for kind in dict.fromkeys(kind for one in kinds for kind in one)},
        image_bytes=round(size * rounds),
        words=sum(len(question.prompt.split()) for question in scenes.questions) * rounds,
        text_tokens=sum(tokens.of_text(question.prompt) for question in scenes.questions) * rounds,
        image_tokens={who: round(count * rounds) for who, count in counted.items()},
        reply_tokens=calls * settings.policy.max_tokens,
        notes=advice.cautions(scenes.benchmark, scenes.asked),
    )


def _pictures(scenes: Scenes, by_question: list[list[Slot]], limit: int) -> tuple[float, dict[str, float]]:
    """Base64-encoded size of all files and tokens of all images, from the mean of a few of each kind."""
    uses = Counter((slot.view.kind, slot.frame is None) for slots in by_question for slot in slots)
    total, counted = 0.0, dict.fromkeys(tokens.RULES, 0.0)
    for kind, used in uses.items():
        distinct = {
            (slot.scene, slot.view, slot.frame): (question, slot)
            for question, slots in zip(scenes.questions, by_question, strict=True)
            for slot in slots
            if (slot.view.kind, slot.frame is None) == kind
        }
        some = list(distinct.values())[:: max(1, len(distinct) // SAMPLED)][:SAMPLED]
        files = []
        for question, slot in some:
            data = scenes.pictures.file(slot) if slot.shown else scenes.picture(question)
            assert data is not None  # a slot without parts is the question's picture
            files.append(data if images.is_film(data) else images.fit(data, limit))
        total += used * sum(images.encoded_size(len(data)) for data in files) / len(files)
        sides = [_sides(data) for data in files if not images.is_film(data)]
        for who, rule in tokens.RULES.items():
            counted[who] += used * sum(rule(*pair) for pair in sides) / len(files)
    return total, counted


def _sides(png: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(png)) as picture:
        return picture.width, picture.height


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
    kinds = ", ".join(f"{kind.replace('_', ' ')} {count}" for kind, count in estimate.shows.items())
    counted = ", ".join(f"{count} by {who}" for who, count in estimate.image_tokens.items())
    told = [
        "Nothing was sent. A run would take",
        f"  {estimate.calls} calls about {estimate.scenes} scenes, at most {estimate.most_calls} with repetitions,",
        f"  {estimate.images} images{films}, {per_question} in a question{f' ({kinds})' if kinds else ''}, about"
        f" {estimate.image_bytes / images.MIB:.1f} MiB base64-encoded,",
        f"  {estimate.words} words of text, about {estimate.text_tokens} tokens,",
        f"  tokens of images, as counted by three providers: about {counted},",
        f"  and at most {estimate.reply_tokens} tokens of replies.",
    ]
    return [*(told if estimate.images else [*told[:4], told[5]]), *estimate.notes]
