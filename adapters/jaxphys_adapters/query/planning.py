"""Plans of scenes from text descriptions: one call to a language model for each, judged by the benchmark.

The benchmark writes the prompt and reads the reply (`protocol.Described`); calls, retries and kept replies are those of
the questions. A reply that cannot be read is answered with what is wrong with it. Either all descriptions get a plan or
none does; what was answered is kept, so that another try pays only for the rest.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import Model, get_model
from rich.text import Text

from jaxphys_adapters.query import cache, calls
from jaxphys_adapters.query.conversation import obtain
from jaxphys_adapters.query.failures import RunEnded
from jaxphys_adapters.query.policy import RetryPolicy
from jaxphys_benchmarks.protocol import Answer, Described, Reply

POLICY = RetryPolicy(new_conversation=False, max_tokens=512)
"""At most 512 tokens, as published; at temperature 0 only a correction brings another reply."""

AT_ONCE = 8
"""Calls under way."""

MOST_BYTES = 64_000_000


def read_descriptions(path: Path) -> list[str]:
    """The descriptions in a text file: one a line; empty lines, and lines that begin with #, are left out.

    Raises:
        ValueError: it is no text, is too large, or holds none; names the file. OSError: it cannot be read.
    """
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"descriptions: {path} is larger than {MOST_BYTES // 1_000_000} MB; split it")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"descriptions: {path} is no UTF-8 text ({error.reason}); save it as such") from None
    found = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise ValueError(f"descriptions: {path} holds none; write one a line")
    return found


def plans(
    benchmark: Described,
    descriptions: Sequence[str],
    planner: str,
    *,
    base_url: str | None = None,
    arguments: dict[str, Any] | None = None,
    policy: RetryPolicy = POLICY,
) -> list[Any]:
    """The plans of all descriptions, in order.

    Args:
        benchmark: writes the prompts and reads the replies.
        descriptions: texts.
        planner: the model, as inspect-ai names it, for example anthropic/claude-sonnet-4-6.
        base_url: address of the provider, if not its own. arguments: further ones of the provider.
        policy: when to ask again.

    Raises:
        ValueError: a description or the model cannot be used, or a description has no plan; names it and says why.
    """
    if planner.startswith("jaxphys/"):
        raise ValueError(
            f"planner: {planner} answers questions about scenes and makes no plans; give a language model, for example"
            " anthropic/claude-sonnet-4-6"
        )
    prompts = [_prompt(benchmark, number, text) for number, text in enumerate(descriptions, 1)]
    try:
        model = get_model(planner, base_url=base_url, **(arguments or {}))
    except PrerequisiteError as error:
        raise ValueError(f"planner: {Text.from_markup(str(error.message)).plain}") from error
    except ValueError as error:
        raise ValueError(f"planner: {error}") from error
    answers = anyio.run(_ask_all, benchmark, descriptions, prompts, model, planner, policy)
    for number, (text, answer) in enumerate(zip(descriptions, answers, strict=True), 1):
        if answer.status != "ok":
            raise ValueError(
                f"descriptions: no plan for number {number}, {text[:60]!r}: {answer.reason or answer.status}; reword it"
                " or choose another planner"
            )
    return [answer.value for answer in answers]


def _prompt(benchmark: Described, number: int, text: str) -> str:
    try:
        return benchmark.plan_prompt(text)
    except ValueError as error:
        raise ValueError(f"descriptions: number {number}: {error}") from error


async def _ask_all(
    benchmark: Described,
    descriptions: Sequence[str],
    prompts: Sequence[str],
    model: Model,
    planner: str,
    policy: RetryPolicy,
) -> list[Answer]:
    answers: list[Answer | None] = [None] * len(prompts)
    ended: list[Exception] = []
    limit = anyio.CapacityLimiter(AT_ONCE)

    async def one(place: int) -> None:
        async with limit:
            if ended:
                return
            try:
                answers[place] = await _ask(benchmark, descriptions[place], prompts[place], model, planner, policy)
            # What leaves the group would be an ExceptionGroup, whoever raised it.
            except (RunEnded, ValueError, LookupError, OSError) as error:
                ended.append(error)

    async with anyio.create_task_group() as group:
        for place in range(len(prompts)):
            group.start_soon(one, place)
    if ended:
        raise ValueError(f"planner: {planner} cannot be asked: {ended[0]}") from ended[0]
    return [answer for answer in answers if answer is not None]


async def _ask(
    benchmark: Described, description: str, prompt: str, model: Model, planner: str, policy: RetryPolicy
) -> Answer:
    read: Answer | None = None

    def judge(reply: Reply) -> Answer:
        nonlocal read
        read = benchmark.read_plan(description, reply, planner)
        return read

    call = calls.caller(model, [prompt], 0.0)
    identity = {
        "model": str(model),
        "address": model.api.base_url or "",
        "arguments": {name: repr(value) for name, value in model.model_args.items()},
        "prompt": prompt,
        "temperature": 0.0,
    }
    call = cache.cached(call, cache.ReplyCache(cache.default_folder()), identity)
    outcome = await obtain((), call, judge, policy, calls.sleep)
    if read is None or read.status == "ok":
        return read or Answer(None, "error", "no reply")
    last = outcome.attempts[-1]
    return replace(read, reason=last.error or read.reason)
