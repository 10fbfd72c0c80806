"""Questions as inspect-ai's samples: one per call, with the picture as a data URI and a target that says nothing."""

import os
from concurrent.futures import ThreadPoolExecutor

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText

from jaxphys_adapters.query import images
from jaxphys_adapters.query.source import Source, load
from jaxphys_benchmarks.protocol import Question, View

TARGET = "kept by the scorer"
"""The labels stay in `source`; the scorer looks them up by the sample's id."""


def message(question: Question, image: str | None) -> ChatMessageUser:
    """The question as one chat message: the prompt, and the picture's data URI if there is one."""
    text = ContentText(text=question.prompt)
    return ChatMessageUser(content=[text] if image is None else [text, ContentImage(image=image)])


def dataset(source: Source, image_limit: int = images.DEFAULT_LIMIT) -> MemoryDataset:
    """One sample per question, scene by scene; a picture is drawn once for all questions that show it.

    Raises:
        ValueError: bad source, or a picture does not fit into `image_limit` (base64-encoded bytes) at any size.
    """
    scenes = load(source)
    shown = {(question.scene, question.view): question for question in scenes.questions if question.view}

    def draw(question: Question) -> str:
        png = scenes.picture(question)
        assert png is not None  # only questions with a view are drawn
        return images.data_uri(images.fit(png, image_limit))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        drawn = pool.map(draw, shown.values())
        pictures: dict[tuple[str, View | None], str] = dict(zip(shown, drawn, strict=True))
    samples = [
        Sample(
            id=question.id,
            input=[message(question, pictures.get((question.scene, question.view)))],
            target=TARGET,
            metadata={"scene": question.scene, "task": question.task, "prompt_hash": question.prompt_hash},
        )
        for question in scenes.questions
    ]
    return MemoryDataset(samples, name=source.benchmark)
