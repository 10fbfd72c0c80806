"""One call to a model through inspect-ai, as a `Call` of the conversation: limits in, text or a `Failure` out.

inspect-ai's own retries are switched off, so that every call is seen, judged by `failures` and recorded.
"""

import math
from collections.abc import Awaitable, Callable, Sequence

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    Model,
    ModelOutput,
)

from jaxphys_adapters.query import images
from jaxphys_adapters.query.failures import CallFailed, failure_of
from jaxphys_adapters.query.parts import Item
from jaxphys_adapters.query.policy import Raw, Request
from jaxphys_adapters.query.samples import message

FINISH = {"stop": "stop", "max_tokens": "length", "content_filter": "content_filter", "model_length": "error"}
"""inspect-ai's stop reasons; any other counts as "stop". A full context is not helped by more tokens."""

sleep = anyio.sleep


def caller(model: Model, items: Sequence[Item], temperature: float | None) -> Callable[[Request], Awaitable[Raw]]:
    """The call that puts a question, given by its texts and slots, to `model`."""

    async def call(request: Request) -> Raw:
        messages: list[ChatMessage] = [message(items, [images.data_uri(data) for data in request.media])]
        for reply, correction in request.turns:
            messages += [ChatMessageAssistant(content=reply), ChatMessageUser(content=correction)]
        config = GenerateConfig(
            max_retries=0,
            attempt_timeout=math.ceil(request.timeout),
            max_tokens=request.max_tokens,
            temperature=temperature,
        )
        try:
            output = await model.generate(messages, config=config, cache=False)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            raise CallFailed(failure) from error
        return read(output)

    return call


def read(output: ModelOutput) -> Raw:
    """Text, finish reason and separated reasoning of an output; half characters are replaced, so it can be kept."""
    if output.empty:
        return Raw("", "stop", seconds=output.time)
    content = output.message.content
    parts = [] if isinstance(content, str) else content
    reasoning = "\n".join(part.reasoning for part in parts if isinstance(part, ContentReasoning))
    finish = FINISH.get(output.stop_reason, "stop")
    return Raw(_whole(output.completion), finish, _whole(reasoning), seconds=output.time)


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
