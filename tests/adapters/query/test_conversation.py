"""The retry policy, with scripted calls and no network."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from jaxphys_adapters.query.conversation import obtain
from jaxphys_adapters.query.failures import Action, CallFailed, Failure, RunEnded
from jaxphys_adapters.query.policy import Outcome, Raw, Request, RetryPolicy
from jaxphys_benchmarks.protocol import Answer, Reply
from tests.adapters.query.test_images import noise

POLICY = RetryPolicy(attempts=3, timeout=10.0, max_tokens=100, waits=4, wait=1.0, longest_wait=5.0)
GOOD = Raw("good")
STATUSES = {"good": "ok", "no": "refusal", "cut {": "truncated"}


def judge(reply: Reply) -> Answer:
    if reply.finish != "stop":
        return Answer(None, reply.finish, reply.finish)
    status = STATUSES.get(reply.text, "invalid")
    return Answer(1 if status == "ok" else None, status, "" if status == "ok" else "it is bad")


def play(
    *script: Raw | Failure, policy: RetryPolicy = POLICY, media: tuple[bytes, ...] = ()
) -> tuple[Outcome, list[Request], list[float]]:
    requests: list[Request] = []
    pauses: list[float] = []
    steps = iter(script)

    async def call(request: Request) -> Raw:
        requests.append(request)
        step = next(steps)
        if isinstance(step, Failure):
            raise CallFailed(step)
        return step

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    outcome = asyncio.run(obtain(media, call, judge, policy, sleep))
    assert next(steps, None) is None, "fewer calls than expected"
    return outcome, requests, pauses


def test_a_good_reply_ends_it() -> None:
    outcome, requests, pauses = play(GOOD)
    assert outcome.reply == Reply("good", "stop")
    assert [a.action for a in outcome.attempts] == [Action.ACCEPT]
    assert len(requests) == 1
    assert pauses == []


def test_a_bad_reply_is_asked_again_afresh_with_more_time() -> None:
    outcome, requests, _ = play(Raw("bad"), Raw(""), GOOD)
    assert [r.timeout for r in requests] == [10.0, 20.0, 40.0]
    assert [r.turns for r in requests] == [(), (), ()]
    assert [r.max_tokens for r in requests] == [100, 100, 100]
    assert [(a.attempt, a.text, a.status) for a in outcome.attempts] == [
        (1, "bad", "invalid"), (2, "", "invalid"), (3, "good", "ok"),
    ]  # fmt: skip


def test_in_one_conversation_the_mistake_is_pointed_out() -> None:
    _, requests, _ = play(Raw("bad"), GOOD, policy=replace(POLICY, new_conversation=False))
    ((reply, correction),) = requests[1].turns
    assert reply == "bad"
    assert "it is bad" in correction


@pytest.mark.parametrize("cut", [Raw("cut {"), Raw("cut {", "length"), Raw("", "length")])
def test_a_cut_off_reply_gets_more_tokens(cut: Raw) -> None:
    outcome, requests, _ = play(cut, cut, GOOD)
    assert [r.max_tokens for r in requests] == [100, 200, 400]
    assert outcome.attempts[0].action == Action.MORE_TOKENS


def test_the_policy_gives_up_and_keeps_the_last_reply() -> None:
    outcome, requests, _ = play(Raw("a"), Raw("b"), Raw("c"))
    assert outcome.reply.text == "c"
    assert [a.text for a in outcome.attempts] == ["a", "b", "c"]
    assert len(requests) == POLICY.attempts


@pytest.mark.parametrize("refusal", [Raw("no"), Raw("", "content_filter"), Failure(400, "content_filter", "blocked")])
def test_a_refusal_is_recorded_and_not_repeated(refusal: Raw | Failure) -> None:
    outcome, requests, _ = play(refusal)
    assert outcome.attempts[-1].action == Action.REFUSAL
    assert len(requests) == 1


def test_waiting_for_a_rate_limit_costs_no_attempt() -> None:
    busy = Failure(429)
    outcome, requests, pauses = play(busy, busy, Failure(503, retry_after=4.0), busy, GOOD)
    assert {r.attempt for r in requests} == {1}
    assert all(low <= pause <= high for pause, low, high in zip(pauses, (0.5, 1, 4, 2.5), (1, 2, 4, 5), strict=True))
    assert [a.action for a in outcome.attempts] == [Action.BACKOFF] * 4 + [Action.ACCEPT]
    assert outcome.attempts[0].error.startswith("HTTP 429")


def test_waiting_ends() -> None:
    outcome, requests, pauses = play(*[Failure(500)] * 5)
    assert len(requests) == POLICY.waits + 1
    assert len(pauses) == POLICY.waits
    assert outcome.reply.finish == "error"
    assert outcome.attempts[-1].action == Action.GIVE_UP


def test_a_time_out_gets_twice_the_time() -> None:
    slow = Failure(timed_out=True)
    outcome, requests, _ = play(slow, slow, slow)
    assert [r.timeout for r in requests] == [10.0, 20.0, 40.0]
    assert outcome.reply == Reply("", "timeout")


def test_a_picture_that_is_too_large_is_shrunk_once() -> None:
    large = Failure(413)
    outcome, requests, _ = play(large, GOOD, media=(noise(128, 64), noise(256, 256)))
    sizes = [[Image.open(BytesIO(data)).size for data in r.media] for r in requests]
    assert sizes == [[(128, 64), (256, 256)], [(64, 32), (128, 128)]]
    assert [a.action for a in outcome.attempts] == [Action.SHRINK, Action.ACCEPT]
    again, requests, _ = play(large, large, media=(noise(128, 64),))
    assert len(requests) == 2
    assert again.reply.finish == "error"


FILM = b"\0\0\0\x08ftyp"


@pytest.mark.parametrize(
    "media", [(), (noise(16, 16),), (noise(128, 64), noise(16, 16)), (FILM,)], ids=["none", "tiny", "one-tiny", "film"]
)
def test_what_cannot_be_shrunk_is_an_error(media: tuple[bytes, ...]) -> None:
    outcome, _, _ = play(Failure(413), media=media)
    assert outcome.reply.finish == "error"


def test_a_shrunk_picture_stays_shrunk_in_later_attempts() -> None:
    _, requests, _ = play(Failure(413), Raw("bad"), GOOD, media=(noise(128, 64), FILM))
    assert [r.shrunk for r in requests] == [False, True, True]
    assert requests[2].media == requests[1].media
    assert requests[1].media[1] == FILM


@pytest.mark.parametrize("failure", [Failure(401), Failure(429, "insufficient_quota")])
def test_a_hopeless_call_ends_the_run(failure: Failure) -> None:
    with pytest.raises(RunEnded, match=f"HTTP {failure.status}"):
        play(failure)


@pytest.mark.parametrize(
    "make",
    [lambda: RetryPolicy(attempts=0), lambda: RetryPolicy(timeout=float("nan")), lambda: RetryPolicy(wait=-1.0)],
)
def test_a_bad_policy_names_the_field(make: Callable[[], RetryPolicy]) -> None:
    with pytest.raises(ValueError, match=r"attempts|timeout|wait"):
        make()
