"""Repair JSON text where the meaning is beyond doubt: trailing commas and Python literals.

Text in, text out; nothing is evaluated. Works on tokens, so the inside of a string is never touched.
BilliardPhys-Bench specification, section 8.3 (`lenient`).
"""

import json
import re
from collections.abc import Callable

_TOKEN = re.compile(
    r"""
    (?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+")
    |(?P<single>'[^'\\]*+(?:\\.[^'\\]*+)*+')
    |(?P<comma>,(?=\s*+[}\])]))
    |(?P<word>[A-Za-z_]\w*+)
    |(?P<tuple>[()])
    |(?P<other>[^"'(),A-Za-z_]++|,)
    """,
    re.VERBOSE | re.DOTALL,
)
_WORDS = {"True": "true", "False": "false", "None": "null"}
_BRACKETS = {"(": "[", ")": "]"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def repaired(text: str, log: Callable[[str], None]) -> str | None:
    """The text with trailing commas removed and Python literals turned into JSON.

    Args:
        text: an object or a list that is not valid JSON.
        log: called once per kind of repair.

    Returns:
        The repaired text, which may still not be JSON; None if nothing was repaired or a string never ends.
    """
    parts: list[str] = []
    made: dict[str, None] = {}
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            return None
        place = token.end()
        part, repair = _rewrite(token.lastgroup or "", token.group())
        parts.append(part)
        if repair:
            made[repair] = None
    for repair in made:
        log(repair)
    return "".join(parts) if made else None


def _rewrite(kind: str, token: str) -> tuple[str, str]:
    """(JSON text of a token, what was repaired or "")."""
    if kind == "comma":
        return "", "removed a trailing comma"
    if kind == "single":
        return _double_quoted(token[1:-1]), "read single-quoted strings"
    if kind == "tuple":
        return _BRACKETS[token], "read a tuple as a list"
    if kind == "word" and token in _WORDS:
        return _WORDS[token], "read True, False and None as JSON"
    return token, ""


def _double_quoted(inner: str) -> str:
    """JSON text of a Python string's inside: the only escape that differs is that of the quotes."""
    plain = _ESCAPE.sub(lambda escape: "'" if escape[1] == "'" else escape[0], inner)
    return '"' + re.sub(r'(\\.)|"', lambda match: match[1] or json.dumps('"')[1:-1], plain, flags=re.DOTALL) + '"'
