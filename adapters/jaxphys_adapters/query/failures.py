"""What to do about a call that brought no usable reply: a table from the kind of failure to an action.

Not every 400 is a rate limit and not every 429 passes: a picture that is too large is sent smaller once, a content
filter is an outcome and not an error, a rate limit or a broken server is waited for, an exhausted quota or a wrong
key ends the run, a slow call gets more time, a cut-off reply more tokens.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Action(StrEnum):
    """What follows a call."""

    ACCEPT = "accept"
    BACKOFF = "back off"
    SHRINK = "shrink the picture and retry once"
    REFUSAL = "record a refusal"
    MORE_TOKENS = "ask again with more tokens"
    MORE_TIME = "ask again with more time"
    ASK_AGAIN = "ask again"
    GIVE_UP = "record an error"
    ABORT = "end the run"


@dataclass(frozen=True)
class Failure:
    """A call without a reply.

    Attributes:
        status: HTTP status, or None when no response came.
        code: the provider's own code, lower case.
        message: the provider's message.
        timed_out: the call took longer than it was given.
        transient: the provider's client holds that a repetition may succeed.
        retry_after: how long the provider asks to wait (s).
    """

    status: int | None = None
    code: str = ""
    message: str = ""
    timed_out: bool = False
    transient: bool = False
    retry_after: float | None = None

    def __str__(self) -> str:
        """For people."""
        head = "timed out" if self.timed_out else f"HTTP {self.status}" if self.status else "no response"
        return ": ".join(part for part in (head, self.code, self.message[:300]) if part)


class CallFailed(Exception):
    """A call failed; carries the `Failure`."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class RunEnded(RuntimeError):
    """No call can succeed until something is changed: a wrong key, an unknown model, an exhausted quota."""


_FILTERED = re.compile(r"content[ _-]?filter|content management policy|content_policy|responsibleaipolicy", re.I)
_TOO_LARGE = re.compile(
    r"\b(?:image|picture|payload|request|body)\b.{0,80}\b(?:exceeds|too large|too big|maximum|larger than)\b",
    re.I | re.S,
)
_NO_QUOTA = re.compile(r"insufficient_quota|billing|exceeded your current quota|credit balance", re.I)

_BAD_REQUEST = frozenset({400, 403, 422})
_WAIT = frozenset({408, 409, 425, 429})
_HOPELESS = frozenset({401, 403, 404, 405})

RULES: tuple[tuple[Callable[[Failure], bool], Action], ...] = (
    (lambda f: f.timed_out, Action.MORE_TIME),
    (lambda f: f.status == 413, Action.SHRINK),
    (lambda f: f.status in _BAD_REQUEST and bool(_FILTERED.search(f.code + " " + f.message)), Action.REFUSAL),
    (lambda f: f.status in _BAD_REQUEST and bool(_TOO_LARGE.search(f.message)), Action.SHRINK),
    (lambda f: f.status in {402, 429} and bool(_NO_QUOTA.search(f.code + " " + f.message)), Action.ABORT),
    (lambda f: f.status in _HOPELESS, Action.ABORT),
    (lambda f: f.status in _WAIT or (f.status or 0) >= 500, Action.BACKOFF),
    (lambda f: f.transient, Action.BACKOFF),
)
"""First match counts; what matches nothing is recorded as an error."""


def after_failure(failure: Failure) -> Action:
    """What to do about a call without a reply."""
    return next((action for matches, action in RULES if matches(failure)), Action.GIVE_UP)


def after_reply(text: str, finish: str) -> Action:
    """What to do about a reply before it is read: its finish reason, and whether there is any text."""
    by_finish = {"length": Action.MORE_TOKENS, "content_filter": Action.REFUSAL, "error": Action.GIVE_UP}
    return by_finish.get(finish, Action.ACCEPT if text.strip() else Action.ASK_AGAIN)


def failure_of(error: BaseException) -> Failure | None:
    """Read a provider client's exception; None if it is not about the call (a programming error, for example).

    The whole chain of causes is looked at, because wrappers repeat the request in their text, where words such as
    "image" prove nothing.
    """
    chain = list(_chain(error))
    if any(_is_timeout(e) for e in chain):
        return Failure(timed_out=True, message=str(chain[-1])[:300])
    for e in reversed(chain):
        status = getattr(e, "status_code", None)
        if isinstance(status, int):
            code, message = _body(e)
            return Failure(status=status, code=code, message=message, retry_after=_retry_after(e))
    for e in chain:
        if isinstance(e, ConnectionError | json.JSONDecodeError) or "Connection" in type(e).__name__:
            return Failure(message=f"{type(e).__name__}: {e}"[:300], transient=True)
    if type(error).__name__ == "RetryError":  # raised only for what the client's own rules call transient
        return Failure(message=f"{type(chain[-1]).__name__}: {chain[-1]}"[:300], transient=True)
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        e = todo.pop(0)
        if e is None or id(e) in seen:
            continue
        seen.add(id(e))
        yield e
        last = getattr(e, "last_attempt", None)  # what tenacity's RetryError wraps
        todo += [last.exception() if last is not None else None, e.__cause__]


def _is_timeout(error: BaseException) -> bool:
    return isinstance(error, TimeoutError) or "Timeout" in type(error).__name__


def _body(error: BaseException) -> tuple[str, str]:
    """Code and message of a provider's error body, whatever its shape."""
    body: Any = getattr(error, "body", None)
    if isinstance(body, Mapping) and isinstance(body.get("error"), Mapping):
        body = body["error"]
    fields: Mapping[str, Any] = body if isinstance(body, Mapping) else {}
    code = fields.get("code") or getattr(error, "code", None) or fields.get("type") or ""
    message = fields.get("message") or getattr(error, "provider_message", None) or str(error)
    return str(code).lower(), str(message)


def _retry_after(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        wait = float(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
    return wait if 0 <= wait < float("inf") else None
