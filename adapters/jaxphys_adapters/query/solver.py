"""inspect-ai's solver: hold the conversation about one question, and keep what came of it.

A question whose record in the output folder is finished is not asked again. Replies at temperature 0 come from the
cache where they can. The reply that counts, and every call, are left in the sample's store for the scorer and the log.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from inspect_ai.model import (
    ChatMessageAssistant,
    ContentImage,
    ContentVideo,
    GenerateConfig,
    Model,
    ModelOutput,
    StopReason,
    get_model,
)
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.solver import TaskState

from jaxphys_adapters.query import addresses, cache, calls, images, parts
from jaxphys_adapters.query.conversation import CORRECTION, FREE_CORRECTION, obtain
from jaxphys_adapters.query.parts import Item
from jaxphys_adapters.query.policy import Outcome
from jaxphys_adapters.query.provider import Baseline, asked
from jaxphys_adapters.query.records import AnswerFolder
from jaxphys_adapters.query.settings import Settings
from jaxphys_adapters.query.source import Source, load
from jaxphys_benchmarks.protocol import EXTRACTORS, Answer, Question, Reply

REPLY, ATTEMPTS = "reply", "attempts"
"""Keys of the sample's store."""

STOP_REASONS: Mapping[str, StopReason] = {
    "stop": "stop", "length": "max_tokens", "content_filter": "content_filter"
}  # fmt: skip

watchers: list[Callable[[], object]] = []
"""Called after every question, for example to move a progress bar."""

NOT_IN_KEY = frozenset(
    {"max_connections", "adaptive_connections", "max_retries", "timeout", "attempt_timeout", "cache"}
)
"""Settings of a call that cannot change its reply."""


async def solve(state: TaskState, source: Source, settings: Settings) -> TaskState:
    """Put the sample's question to the model being evaluated.

    Raises:
        RunEnded: no call can succeed.
    """
    scenes = load(source)
    _, question = scenes.find(str(state.sample_id))
    media = _media(state)
    model = get_model()
    identity = identity_of(model, question, settings)
    folder = AnswerFolder(Path(settings.out)) if settings.out else None
    fingerprint = cache.digest({**identity, "image": images.digest(media)})
    outcome = folder.finished(question.id, fingerprint) if folder else None
    if outcome is None:
        items = parts.items(question, parts.moving(scenes.benchmark, settings.film_as))
        outcome = await ask(model, question, items, media, source, settings, identity)
        if folder:
            answers = {name: scenes.benchmark.parse(question, outcome.reply, extractor=name) for name in EXTRACTORS}
            folder.save(question, fingerprint, outcome, answers, parts.sent(items, media, scenes.pictures.time))
    leave(state, model, outcome)
    for watcher in watchers:
        watcher()
    return state


async def ask(
    model: Model,
    question: Question,
    items: Sequence[Item],
    media: tuple[bytes, ...],
    source: Source,
    settings: Settings,
    identity: Mapping[str, Any],
) -> Outcome:
    """Put one question to a model until it is answered; at temperature 0 from the cache where it can be.

    Args:
        model: to ask. question: what to ask. items: its texts and slots. media: the files in the slots.
        source: of the scenes. settings: how to ask. identity: as `identity_of` gives it.

    Raises:
        RunEnded: no call can succeed.
    """
    benchmark = load(source).benchmark

    def judge(reply: Reply) -> Answer:
        return benchmark.parse(question, reply, extractor=settings.extract)

    call = calls.caller(model, items, settings.temperature)
    if settings.cache and settings.temperature == 0 and not isinstance(model.api, Baseline):
        call = cache.cached(call, cache.ReplyCache(cache.default_folder()), identity)
    correction = CORRECTION if "JSON" in question.prompt else FREE_CORRECTION
    under_way = asked.set((source, question.id))
    try:
        return await obtain(media, call, judge, settings.policy, calls.sleep, correction)
    finally:
        asked.reset(under_way)


def _media(state: TaskState) -> tuple[bytes, ...]:
    """The files in the sample's message, in order; drawn now where nobody has opened them before."""
    content = state.user_prompt.content
    uris = [
        part.image if isinstance(part, ContentImage) else part.video
        for part in (content if isinstance(content, list) else ())
        if isinstance(part, ContentImage | ContentVideo)
    ]
    return tuple(addresses.read(uri) if addresses.is_address(uri) else images.from_data_uri(uri) for uri in uris)


def identity_of(model: Model, question: Question, settings: Settings) -> dict[str, Any]:
    """What shapes a reply and does not change between attempts."""
    config: GenerateConfig = model.config.merge(active_generate_config())
    order = {"parts": parts.outline(question)} if question.parts else {}
    return {
        **order,
        "model": str(model),
        "address": model.api.base_url or "",
        "arguments": {name: repr(value) for name, value in model.model_args.items()},
        "config": config.model_dump(mode="json", exclude_none=True, exclude=set(NOT_IN_KEY)),
        "prompt": question.prompt,
        "temperature": settings.temperature,
    }


def leave(state: TaskState, model: Model, outcome: Outcome) -> None:
    """Leave the reply that counts, and every call, in a sample."""
    reply = outcome.reply
    state.output = ModelOutput.from_content(str(model), reply.text, STOP_REASONS.get(reply.finish, "unknown"))
    state.messages.append(ChatMessageAssistant(content=reply.text, model=str(model)))
    state.store.set(REPLY, asdict(reply))
    state.store.set(ATTEMPTS, [asdict(attempt) for attempt in outcome.attempts])
