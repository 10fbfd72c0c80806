"""Replies kept on disk, so that a repeated run does not pay twice.

A reply is kept only if asking again would give it again: temperature 0, finished by itself, not empty. Failures,
refusals and truncated replies are asked anew. The key holds all that shapes the reply: model and address, prompt,
pictures, limits of sampling, what was said in the conversation, and the number of the attempt. One JSON file each.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxphys import runtime
from jaxphys_adapters import atomic
from jaxphys_adapters.query import images
from jaxphys_adapters.query.policy import Raw, Request


def default_folder() -> Path:
    """`replies` in the cache folder of jaxphys; see `jaxphys.runtime.cache_dir`."""
    return runtime.cache_dir() / "replies"


def digest(fields: Mapping[str, Any]) -> str:
    """sha256 of named values, hex; equal values give equal digests."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def request_key(identity: Mapping[str, Any], request: Request) -> str:
    """Key of a call.

    Args:
        identity: what does not change between the attempts: model, address, prompt, sampling.
        request: the call.
    """
    return digest(
        {
            **identity,
            "image": images.digest(request.media),
            "turns": request.turns,
            "max_tokens": request.max_tokens,
            "attempt": request.attempt,
        }
    )


def worth_keeping(raw: Raw) -> bool:
    """Whether a reply may be used again."""
    return raw.finish == "stop" and bool(raw.text.strip())


@dataclass(frozen=True)
class ReplyCache:
    """Replies by key in a folder; a damaged file counts as absent."""

    folder: Path

    def get(self, key: str) -> Raw | None:
        """The kept reply, or None."""
        try:
            kept = json.loads(self._path(key).read_text(encoding="utf-8"))
            return Raw(text=str(kept["text"]), reasoning=str(kept["reasoning"]), cached=True)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, raw: Raw) -> None:
        """Keep a reply.

        Raises:
            StorageError: the folder cannot be written.
        """
        path = self._path(key)
        with atomic.explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(path, json.dumps({"text": raw.text, "reasoning": raw.reasoning}).encode())

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def cached(
    call: Callable[[Request], Awaitable[Raw]], cache: ReplyCache, identity: Mapping[str, Any]
) -> Callable[[Request], Awaitable[Raw]]:
    """The call, answered from the cache where it can be. Wrap only calls at temperature 0."""

    async def look_first(request: Request) -> Raw:
        key = request_key(identity, request)
        kept = cache.get(key)
        if kept is not None:
            return kept
        raw = await call(request)
        if worth_keeping(raw):
            cache.put(key, raw)
        return raw

    return look_first
