"""Read the JSON answer out of a model's reply, whatever the reply is.

The text is untrusted: nothing here raises on it, runs it, recurses into it or needs more than linear time.
Three modes (BilliardPhys-Bench specification, section 8.3):

- `paper`: the first balanced `{...}`, as published; a draft, or braces in prose, win over the answer.
- `robust`: what follows the reasoning block; of all top-level objects the last one that validates. A bare
  list counts where the caller allows it. Code fences need no removal: objects are found inside them.
- `lenient`: `robust`, and if that fails the same with repairs of what is unambiguous, each one logged.

Braces are matched string- and escape-aware. An object that never closes means that the reply was cut off:
that is no answer in any mode, never the balanced objects inside it. `NaN`, infinities, numbers that overflow
and duplicate keys are rejected. What a valid answer is, the caller's `validate` decides.
"""

import json
import math
import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from jaxphys_benchmarks.repair import repaired

MAX_DEPTH = 64
"""Deeper nesting is not an answer; the limit keeps the JSON parser far from the recursion limit."""

MAX_CANDIDATES = 256
"""Objects tried per reply, from the last; bounds the time on a reply made of millions of objects."""

MAX_REPAIRS = 100
"""Repairs kept of one reply; a reply can ask for millions."""

UNFINISHED: dict[str, tuple[str, str]] = {
    "length": ("truncated", "the reply reached the token limit"),
    "content_filter": ("refusal", "the reply was withheld by a content filter"),
    "timeout": ("timeout", "no reply in time"),
    "error": ("error", "the call failed"),
    "unanswered": ("unanswered", "not answered"),
}
"""Status and reason of a reply that did not finish, whatever text came with it, by `Reply.finish`."""

Log = Callable[[str], None]
Validate = Callable[[Any, Log | None], Any]
"""(parsed JSON, log) -> the answer. `log` is None where nothing may be repaired. Raises `Invalid`."""


class Invalid(ValueError):
    """The reply holds JSON, but not a valid answer; the message names the field at fault."""


@dataclass(frozen=True)
class Extraction:
    """What was read.

    Attributes:
        value: what `validate` returned; None unless `status` is "ok".
        status: "ok", "no_json", "invalid", "truncated" (an object never closes), "no_answer" (the reasoning
            never ends) or "refusal" (no JSON, and the words of a refusal).
        reason: for people; empty when ok.
        repairs: what `lenient` changed.
    """

    value: Any | None
    status: str
    reason: str = ""
    repairs: tuple[str, ...] = ()


_OBJECT = r"\{\s*+(?:[\"'{\[}]|\w++\s*+:|\Z)"  # a brace that begins like an object, not like a set in prose
_OBJECT_OPENER = re.compile(_OBJECT)
_OPENER = re.compile(r"\{|\[(?=\s*+" + _OBJECT + ")")
_PROSE_GROUP = re.compile(r"\{[^{}]*+\}")
_STRING = r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\""
_MARKS = {
    "{": re.compile(_STRING + r"|[\"{}]", re.DOTALL),
    "[": re.compile(_STRING + r"|[\"\[\]]", re.DOTALL),
    "both": re.compile(_STRING + r"|[{}\[\]]", re.DOTALL),
}
_CLOSER = {"{": "}", "[": "]"}
_THINK_OPEN = re.compile(r"\s*+<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_THINK_CLOSE = re.compile(r"</(think|thinking|thought|reasoning)>", re.IGNORECASE)
_THINK_TAG = re.compile(r"</?(think|thinking|thought|reasoning)>", re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(?:i['\u2019]?m|i am|we are) (?:very )?(?:sorry|unable|not able)\b"
    r"|\b(?:i|we) (?:can(?:no|['\u2019])t|can not|won['\u2019]t|will not|must decline|decline)\b",
    re.IGNORECASE,
)


def extract(text: str, validate: Validate, *, mode: str = "robust", bare_list: bool = False) -> Extraction:
    """The answer in a reply.

    Args:
        text: the raw reply.
        validate: decides what a valid answer is and returns it in its normal form.
        mode: "paper", "robust" or "lenient".
        bare_list: whether a top-level list may be the answer (never in `paper`).

    Raises:
        KeyError: unknown mode. Never because of `text`.
    """
    return _MODES[mode](text, validate, bare_list)


def parse_json(text: str) -> Any:
    """Strict JSON: no duplicate keys, no NaN or infinity, bounded depth. Raises `Invalid`."""
    depth = 0
    for mark in _MARKS["both"].finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark.group(), 0)
        if depth > MAX_DEPTH:
            raise Invalid(f"nested deeper than {MAX_DEPTH} levels")
    try:
        return json.loads(text, parse_constant=_no_constant, parse_float=_finite_float, object_pairs_hook=_unique_keys)
    except Invalid:
        raise
    except (ValueError, RecursionError) as error:
        raise Invalid(f"not JSON: {str(error)[:120]}") from None


def _no_constant(name: str) -> Any:
    raise Invalid(f"{name} is not a number")


def _finite_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Invalid(f"{digits[:40]} is too large for a number")
    return number


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Invalid(f"duplicate key {key[:40]!r}")
        found[key] = value
    return found


def _end(text: str, start: int) -> int | None:
    """Where the structure that opens at `start` ends, or None if it never does."""
    opener = text[start]
    closer = _CLOSER[opener]
    depth = 0
    for token in _MARKS[opener].finditer(text, start):
        mark = token.group()
        if mark == opener:
            depth += 1
        elif mark == closer:
            depth -= 1
            if depth == 0:
                return token.end()
        elif mark == '"':  # a string that never ends
            return None
    return None


def _structures(text: str) -> Iterator[tuple[int, int | None]]:
    """(start, end) of every top-level object or list of objects; end is None for one that never closes."""
    place = 0
    while opener := _OPENER.search(text, place):
        start = opener.start()
        if text[start] == "{" and not _OBJECT_OPENER.match(text, start):
            group = _PROSE_GROUP.match(text, start)
            place = group.end() if group else start + 1
            if group:
                yield start, place
            continue
        end = _end(text, start)
        yield start, end
        if end is None:
            return
        place = end


def reads_like_refusal(text: str) -> bool:
    """Whether a reply begins with the words of a refusal."""
    return _REFUSAL.search(text[:400]) is not None


def after_reasoning(text: str) -> str | None:
    """What follows the reasoning; None if it never ends.

    A leading block goes whatever it holds. Elsewhere tags count unless they are data inside an object: some
    chat templates put the opening tag into the prompt, so a lone closing tag ends reasoning as well.
    """
    place = 0
    while opening := _THINK_OPEN.match(text, place):
        closing = _THINK_CLOSE.search(text, opening.end())
        if closing is None:
            return None
        place = closing.end()
    text = text[place:]
    tags = list(_THINK_TAG.finditer(text))
    if not tags:
        return text
    spans = [(start, end) for start, end in _structures(text) if end is not None]
    for tag in reversed(tags):
        before = bisect_right(spans, (tag.start(), len(text))) - 1
        if before < 0 or spans[before][1] <= tag.start():
            return text[tag.end() :] if tag.group().startswith("</") else None
    return text


_NO_ANSWER = Extraction(None, "no_answer", "the reasoning block never ends")
_TRUNCATED = Extraction(None, "truncated", "the JSON never closes")


def _nothing(text: str) -> Extraction:
    if not text.strip():
        return Extraction(None, "no_json", "empty reply")
    if reads_like_refusal(text):
        return Extraction(None, "refusal", "no JSON; the reply reads like a refusal")
    return Extraction(None, "no_json", "no JSON object in the reply")


def _paper(text: str, validate: Validate, bare_list: bool) -> Extraction:
    if after_reasoning(text) is None:
        return _NO_ANSWER
    for start, end in _structures(text):
        first = text.index("{", start)
        if end is not None:
            end = end if first == start else _end(text, first)
        if end is None:
            return _TRUNCATED
        try:
            return Extraction(validate(parse_json(text[first:end]), None), "ok")
        except Invalid as error:
            return Extraction(None, "invalid", str(error))
    return _nothing(text)


def _candidates(text: str, bare_list: bool) -> list[str] | Extraction:
    """Top-level structures from the last to the first, or why there is nothing to try."""
    answer = after_reasoning(text)
    if answer is None:
        return _NO_ANSWER
    found: deque[str] = deque(maxlen=MAX_CANDIDATES)
    for start, end in _structures(answer):
        if end is None:
            return _TRUNCATED
        if (bare_list or answer[start] == "{") and not _is_prose(answer, start):
            found.append(answer[start:end])
    return list(reversed(found)) if found else _nothing(answer)


def _is_prose(text: str, start: int) -> bool:
    return text[start] == "{" and not _OBJECT_OPENER.match(text, start)


def _robust(text: str, validate: Validate, bare_list: bool) -> Extraction:
    found = _candidates(text, bare_list)
    return found if isinstance(found, Extraction) else _last_valid(found, validate, repair=False)


def _lenient(text: str, validate: Validate, bare_list: bool) -> Extraction:
    found = _candidates(text, bare_list)
    if isinstance(found, Extraction):
        return found
    strict = _last_valid(found, validate, repair=False)
    return strict if strict.status == "ok" else _last_valid(found, validate, repair=True)


def _last_valid(candidates: list[str], validate: Validate, *, repair: bool) -> Extraction:
    reason = ""
    for text in candidates:
        repairs: list[str] = []
        try:
            value = _parsed(text, repairs.append) if repair else parse_json(text)
            return Extraction(
                validate(value, repairs.append if repair else None), "ok", "", tuple(repairs[:MAX_REPAIRS])
            )
        except Invalid as error:
            reason = reason or str(error)
    return Extraction(None, "invalid", reason)


def _parsed(text: str, log: Log) -> Any:
    try:
        return parse_json(text)
    except Invalid as error:
        better = repaired(text, log)
        if better is None:
            raise
        try:
            return parse_json(better)
        except Invalid:
            raise error from None


_MODES: dict[str, Callable[[str, Validate, bool], Extraction]] = {
    "paper": _paper,
    "robust": _robust,
    "lenient": _lenient,
}
