"""The conversation about one question: ask, judge the reply, ask again.

`obtain` knows neither a provider nor a benchmark: `call` sends a request, `judge` says whether a reply can be read.
Published policy (BilliardPhys-Bench specification, section 8.2): repeat on failure, truncation or an invalid reply,
with escalation: a new conversation, and longer time. Waiting for a rate limit or a broken server, and sending
smaller pictures once, belong to one attempt; each call is recorded all the same.
"""

import random
import time
from dataclasses import replace

from jaxphys_adapters.query import images
from jaxphys_adapters.query.failures import Action, CallFailed, Failure, RunEnded, after_failure, after_reply
from jaxphys_adapters.query.policy import Attempt, Call, Judge, Outcome, Raw, Request, RetryPolicy, Sleep
from jaxphys_benchmarks.protocol import Reply

CORRECTION = (
    "Your reply could not be used: {reason}. Reply again with only the JSON object that was asked for, complete and"
    " with no other text."
)
"""What is said to a reply that cannot be read, where JSON was asked for."""

FREE_CORRECTION = (
    "Your reply could not be used: {reason}. Reply again with only the answer, in the form that was asked for."
)
"""The same, where it was not."""

FINAL = frozenset({Action.ACCEPT, Action.REFUSAL, Action.GIVE_UP})


async def obtain(
    media: tuple[bytes, ...],
    call: Call,
    judge: Judge,
    policy: RetryPolicy,
    sleep: Sleep,
    correction: str = CORRECTION,
) -> Outcome:
    """Put one question until a reply can be read or the policy gives up; the last reply counts.

    Args:
        media: the pictures and films of the question.
        call: sends a request.
        judge: reads a reply.
        policy: when to stop.
        sleep: waits for seconds.
        correction: what is said to a reply that cannot be read; `{reason}` is why.

    Raises:
        RunEnded: no call can succeed (wrong key, unknown model, no quota).
    """
    request = Request(1, media, (), policy.max_tokens, policy.timeout)
    outcome = Outcome(Reply("", "error"))
    while True:
        request, result = await _send(request, call, policy, sleep, outcome)
        action, reason = _settle(result, request, judge, outcome)
        if action in FINAL or request.attempt == policy.attempts:
            return outcome
        request = _next(request, action, reason, outcome.reply, policy, correction)


async def _send(
    request: Request, call: Call, policy: RetryPolicy, sleep: Sleep, outcome: Outcome
) -> tuple[Request, Raw | Failure]:
    """One attempt: call until there is a reply or a failure that neither waiting nor a smaller picture helps."""
    for waits in range(policy.waits + 2):  # one more for the smaller picture
        started = time.monotonic()
        try:
            raw = await call(request)
        except CallFailed as error:
            failure = error.failure
        else:
            outcome.attempts.append(_record(request, Action.ACCEPT, started, raw=raw))
            return request, raw
        action = after_failure(failure)
        smaller = _smaller(request) if action is Action.SHRINK else None
        if action is Action.BACKOFF and waits < policy.waits:
            outcome.attempts.append(_record(request, action, started, failure=failure))
            await sleep(policy.pause(waits, failure, random.random()))
        elif smaller is not None:
            outcome.attempts.append(_record(request, action, started, failure=failure))
            request = smaller
        else:
            outcome.attempts.append(_record(request, action, started, failure=failure))
            break
    if action is Action.ABORT:
        raise RunEnded(str(failure))
    return request, failure


def _smaller(request: Request) -> Request | None:
    """The request with all its pictures halved, once; films stay as they are."""
    if request.shrunk or all(map(images.is_film, request.media)):
        return None
    try:
        media = tuple(data if images.is_film(data) else images.shrink(data) for data in request.media)
    except ValueError:
        return None
    return replace(request, media=media, shrunk=True)


def _settle(result: Raw | Failure, request: Request, judge: Judge, outcome: Outcome) -> tuple[Action, str]:
    """Judge what came, complete its record, and say what follows."""
    if isinstance(result, Failure):
        action = after_failure(result)
        finish = {Action.REFUSAL: "content_filter", Action.MORE_TIME: "timeout"}.get(action, "error")
        outcome.reply = Reply(result.message if action is Action.REFUSAL else "", finish)
        action = action if action in (Action.REFUSAL, Action.MORE_TIME) else Action.GIVE_UP
    else:
        outcome.reply = Reply(result.text, result.finish)
        action = after_reply(result.text, result.finish)
    answer = judge(outcome.reply)
    if action is Action.ACCEPT and answer.status != "ok":
        by_status = {"refusal": Action.REFUSAL, "truncated": Action.MORE_TOKENS}
        action = by_status.get(answer.status, Action.ASK_AGAIN)
    outcome.attempts[-1] = replace(
        outcome.attempts[-1],
        action=str(action),
        finish=outcome.reply.finish,
        status=answer.status,
        reason=answer.reason,
    )
    return action, answer.reason


def _next(request: Request, action: Action, reason: str, reply: Reply, policy: RetryPolicy, correction: str) -> Request:
    """The request of the next attempt: more time, after truncation more tokens, and fresh or with a correction."""
    grow = policy.max_tokens_factor if action is Action.MORE_TOKENS else 1.0
    turns = request.turns
    if policy.new_conversation:
        turns = ()
    elif action is Action.ASK_AGAIN and reply.text.strip():
        turns = (*turns, (reply.text, correction.format(reason=reason or "it holds no valid answer")))
    return replace(
        request,
        attempt=request.attempt + 1,
        turns=turns,
        max_tokens=round(request.max_tokens * grow),
        timeout=request.timeout * policy.timeout_factor,
    )


def _record(
    request: Request, action: Action, started: float, *, raw: Raw | None = None, failure: Failure | None = None
) -> Attempt:
    took = raw.seconds if raw is not None and raw.seconds is not None else time.monotonic() - started
    return Attempt(
        attempt=request.attempt,
        action=str(action),
        text=raw.text if raw else "",
        finish=raw.finish if raw else "",
        reasoning=raw.reasoning if raw else "",
        cached=raw.cached if raw else False,
        error=str(failure) if failure else "",
        max_tokens=request.max_tokens,
        timeout=request.timeout,
        image_sha256=images.digest(request.media),
        seconds=round(took, 3),
    )
