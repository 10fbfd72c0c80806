"""Questions as inspect-ai's samples: one per call, with its pictures and a target that says nothing.

The picture of a question without parts is drawn at once and sent along as a data URI. Parts are addresses: what they
show is drawn when inspect-ai opens them, once for all questions that show it.
"""

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText, ContentVideo

from jaxphys_adapters.query import addresses, images, parts
from jaxphys_adapters.query.parts import Item, Slot
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_adapters.query.settings import Settings
from jaxphys_adapters.query.source import Scenes, Source, load
from jaxphys_benchmarks.looped import looped_of
from jaxphys_benchmarks.protocol import Question, View

TARGET = "kept by the scorer"
"""The labels stay in `source`; the scorer looks them up by the sample's id."""


def message(items: Sequence[Item], media: Sequence[str]) -> ChatMessageUser:
    """A question as one chat message.

    Args:
        items: texts and slots in order. media: URI of the file in each slot.
    """
    files = iter(media)
    content: list[Content] = [
        ContentText(text=item) if isinstance(item, str) else _file(next(files), item.frame is None) for item in items
    ]
    return ChatMessageUser(content=content)


def _file(uri: str, film: bool) -> Content:
    return ContentVideo(video=uri, format="mp4") if film else ContentImage(image=uri)


def dataset(source: Source, settings: Settings) -> MemoryDataset:
    """One sample per question, scene by scene.

    Raises:
        ValueError: bad source, a question shows too many pictures, or the picture of a question without parts does not
            fit into the limit at any size.
    """
    scenes = load(source)
    check(scenes, settings)
    if settings.loop:
        return MemoryDataset([_begun(question) for question in scenes.questions], name=source.benchmark)
    moving, image_limit = parts.moving(scenes.benchmark, settings.film_as), settings.image_limit
    single = _single_pictures(scenes, image_limit)
    place = f"{source.digest}-{image_limit}"
    samples = []
    for question in scenes.questions:
        items = parts.items(question, moving)
        slots = [item for item in items if isinstance(item, Slot)]
        media = [
            _address(scenes.pictures, place, slot, image_limit) if slot.shown else single[slot.scene, slot.view]
            for slot in slots
        ]
        samples.append(_sample(question, message(items, media)))
    return MemoryDataset(samples, name=source.benchmark)


def _sample(question: Question, asked: ChatMessageUser) -> Sample:
    about = {"scene": question.scene, "task": question.task, "prompt_hash": question.prompt_hash}
    return Sample(id=question.id, input=[asked], target=TARGET, metadata=about)


def _begun(question: Question) -> Sample:
    """A scene of a closed loop: what is asked about it, with which pictures, is made as it goes on."""
    return _sample(question, ChatMessageUser(content=question.prompt))


def check(scenes: Scenes, settings: Settings) -> None:
    """See before any work whether the questions can be sent: their number of pictures, and whether one can be drawn.

    Raises:
        ValueError: a question shows too many pictures, or the options of a closed loop are none of the benchmark's.
        OSError, ImportError: there is nothing to draw with.
    """
    if settings.loop:
        looped_of(scenes.benchmark).loop_type(**json.loads(settings.loop))
    moving = parts.moving(scenes.benchmark, settings.film_as)
    for question in scenes.questions:
        parts.check(question, moving, settings.max_images)
    drawn = (slot for question in scenes.questions for slot in parts.slots(question, moving) if slot.shown)
    for slot in islice(drawn, 1):
        scenes.pictures.file(slot)


def _single_pictures(scenes: Scenes, image_limit: int) -> dict[tuple[str, View], str]:
    """Data URIs of the pictures of questions without parts."""
    shown = {
        (question.scene, question.view): question
        for question in scenes.questions
        if question.view is not None and not question.parts
    }

    def draw(question: Question) -> str:
        png = scenes.picture(question)
        assert png is not None  # only questions with a view are drawn
        return images.data_uri(images.fit(png, image_limit))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(shown, pool.map(draw, shown.values()), strict=True))


def _address(pictures: Pictures, place: str, slot: Slot, image_limit: int) -> str:
    """The address of the file in a slot."""
    view = slot.view
    look = f"{view.kind}@{view.style}-{view.scale:g}"
    name = f"{look}.mp4" if slot.frame is None else f"{look}_{slot.frame + 1:03d}_of_{view.frames:03d}.png"
    return addresses.address(f"{place}/{slot.scene}/{name}", partial(read, pictures, slot, image_limit))


def read(pictures: Pictures, slot: Slot, image_limit: int) -> bytes:
    """The file in a slot, made smaller if it must be."""
    data = pictures.file(slot)
    if slot.frame is None:
        if not images.fits(len(data), image_limit):
            raise ValueError(f"film_as: the film of {slot.scene} is larger than max_image_mib; send its frames")
        return data
    return images.fit(data, image_limit)
