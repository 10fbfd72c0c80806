"""What is kept of replies, and under which key."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jaxphys_adapters.query import cache
from jaxphys_adapters.query.policy import Raw, Request
from tests.support import cases

CASE = cases("api")["api-cache-key"]
IDENTITY: dict[str, Any] = {"model": "m", "prompt": "p", "temperature": 0}
REQUEST = Request(1, (b"png",), (), 100, 10.0)


def twice(folder: Path, raw: Raw) -> int:
    """How often the model is called when one request is made twice."""
    calls = 0

    async def call(request: Request) -> Raw:
        nonlocal calls
        calls += 1
        return raw

    async def both() -> None:
        look = cache.cached(call, cache.ReplyCache(folder), IDENTITY)
        first, second = await look(REQUEST), await look(REQUEST)
        assert replace(second, cached=False) == first

    asyncio.run(both())
    return calls


@pytest.mark.parametrize(
    ("raw", "calls"),
    [
        (Raw("answer", reasoning="because"), 1),
        (Raw(""), 2),
        (Raw(" \n"), 2),
        (Raw("cut", "length"), 2),
        (Raw("no", "content_filter"), 2),
        (Raw("x", "error"), 2),
    ],
    ids=str,
)
def test_only_finished_replies_are_kept(tmp_path: Path, raw: Raw, calls: int) -> None:
    assert CASE["expected"]["empty_or_error_responses_cached"] is False
    assert twice(tmp_path, raw) == calls


def test_a_failed_call_is_not_kept(tmp_path: Path) -> None:
    async def call(request: Request) -> Raw:
        raise RuntimeError("down")

    with pytest.raises(RuntimeError, match="down"):
        asyncio.run(cache.cached(call, cache.ReplyCache(tmp_path), IDENTITY)(REQUEST))  # type: ignore[arg-type]
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.parametrize(
    "other",
    [
        (IDENTITY | {"model": "n"}, REQUEST),
        (IDENTITY | {"prompt": "q"}, REQUEST),
        (IDENTITY | {"temperature": 0.5}, REQUEST),
        (IDENTITY, replace(REQUEST, media=(b"other",))),
        (IDENTITY, replace(REQUEST, media=())),
        (IDENTITY, replace(REQUEST, media=(b"png", b"png"))),
        (IDENTITY, replace(REQUEST, media=(b"png", b"other"))),
        (IDENTITY, replace(REQUEST, max_tokens=200)),
        (IDENTITY, replace(REQUEST, attempt=2)),
        (IDENTITY, replace(REQUEST, turns=(("a", "b"),))),
    ],
)
def test_whatever_shapes_the_reply_is_in_the_key(other: tuple[dict[str, Any], Request]) -> None:
    assert cache.request_key(*other) != cache.request_key(IDENTITY, REQUEST)


def test_how_long_one_waits_is_not_in_the_key() -> None:
    assert cache.request_key(IDENTITY, replace(REQUEST, timeout=99.0)) == cache.request_key(IDENTITY, REQUEST)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"text": "a"}', b"\xff"])
def test_a_damaged_file_counts_as_absent(tmp_path: Path, damage: bytes) -> None:
    kept = cache.ReplyCache(tmp_path)
    kept.put("abcd", Raw("answer"))
    assert kept.get("abcd") == Raw("answer", cached=True)
    (path,) = tmp_path.rglob("*.json")
    path.write_bytes(damage)
    assert kept.get("abcd") is None
