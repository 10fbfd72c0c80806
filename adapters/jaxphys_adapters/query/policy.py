"""Records of asking a model: how patiently (`RetryPolicy`), what is sent, what comes back, and what is kept."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from jaxphys_adapters.query.failures import Failure
from jaxphys_benchmarks.protocol import Answer, Reply


@dataclass(frozen=True)
class RetryPolicy:
    """How often, how long and how patiently to ask.

    Attributes:
        attempts: questions put before giving up.
        new_conversation: ask afresh; otherwise the reply and what is wrong with it go along.
        timeout: of the first attempt (s); multiplied by `timeout_factor` with each further one.
        max_tokens: of the first attempt; multiplied by `max_tokens_factor` after a truncated reply.
        waits: how often a rate limit or a broken server is waited for, per attempt.
        wait: first wait (s), doubled each time up to `longest_wait`; the provider's own wish is honoured if longer.
    """

    attempts: int = 3
    new_conversation: bool = True
    timeout: float = 120.0
    timeout_factor: float = 2.0
    max_tokens: int = 4096
    max_tokens_factor: float = 2.0
    waits: int = 6
    wait: float = 2.0
    longest_wait: float = 60.0

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        for name in ("attempts", "timeout", "timeout_factor", "max_tokens", "max_tokens_factor"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}: {getattr(self, name)}; give a number > 0")
        for name in ("waits", "wait", "longest_wait"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name}: {getattr(self, name)}; give a number >= 0")

    def pause(self, count: int, failure: Failure, jitter: float) -> float:
        """Wait before repetition number `count` = 0, 1, ... (s); `jitter` in [0, 1] spreads callers."""
        wait = min(self.wait * 2.0**count, self.longest_wait) * (0.5 + 0.5 * jitter)
        return max(wait, min(failure.retry_after or 0.0, self.longest_wait))


@dataclass(frozen=True)
class Request:
    """One call: what is added to the question, and the limits.

    Attributes:
        attempt: 1, 2, ...
        media: pictures as PNG files, and films as MP4 files, in the order of the question.
        turns: earlier replies of this conversation, each with what was said to it.
        max_tokens, timeout: limits of this call (s).
        shrunk: the pictures were already made smaller.
    """

    attempt: int
    media: tuple[bytes, ...]
    turns: tuple[tuple[str, str], ...]
    max_tokens: int
    timeout: float
    shrunk: bool = False


@dataclass(frozen=True)
class Raw:
    """What a call brought.

    Attributes:
        text: of the reply.
        finish: as in `Reply`.
        reasoning: what the provider separates from the reply.
        cached: it was not asked anew.
        seconds: that the provider took, without any wait for one of its connections; None: not known.
    """

    text: str
    finish: str = "stop"
    reasoning: str = ""
    cached: bool = False
    seconds: float | None = None


@dataclass(frozen=True)
class Attempt:
    """One call as it is kept.

    Attributes:
        attempt: as in `Request`; waiting and shrinking stay within one.
        action: what followed.
        text, finish, reasoning, cached: as in `Raw`.
        status, reason: how the reply was judged.
        error: why there is no reply.
        max_tokens, timeout: limits that were sent. image_sha256: of what was shown, see `images.digest`.
        seconds: that the provider took, where that is known, else until the reply or the failure.
    """

    attempt: int
    action: str
    text: str = ""
    finish: str = ""
    reasoning: str = ""
    cached: bool = False
    status: str = ""
    reason: str = ""
    error: str = ""
    max_tokens: int = 0
    timeout: float = 0.0
    image_sha256: str = ""
    seconds: float = 0.0


@dataclass
class Outcome:
    """How a question ended: the reply that counts, and every call."""

    reply: Reply
    attempts: list[Attempt] = field(default_factory=list)


Call = Callable[[Request], Awaitable[Raw]]
"""Sends a request; raises `CallFailed`."""

Judge = Callable[[Reply], Answer]
"""Reads a reply."""

Sleep = Callable[[float], Awaitable[Any]]
"""Waits for seconds."""
