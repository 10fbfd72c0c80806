"""Reading option strings of the command line: NAME=VALUE pairs, comma lists, shards.

Values are JSON where they parse as JSON, comma lists otherwise tuples, else text; what begins like a list or a record
of JSON must be one. The benchmark's `config_type` does the checking. Nothing is evaluated.
"""

import json
from collections.abc import Sequence
from typing import Any

MOST_NUMBERS = 2_000_000
"""Numbers in one list."""
SHOWN = 24
"""Characters shown from where a value cannot be read."""


def parse_value(text: str) -> Any:
    """`0.04` a number, `six` text, `1,2.5` a tuple of numbers, `[0.7, 1.3]` a list, `true` and `null` as in JSON.

    Raises:
        ValueError: begins with [ or {, but is not JSON; says where.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if text.startswith(("[", "{")):
            rest = text[error.pos : error.pos + SHOWN]
            where = f"at character {error.pos + 1}, {rest!r}" if rest else "at its end"
            raise ValueError(f"not JSON: {error.msg} {where}") from None
    except RecursionError:
        raise ValueError("not JSON: nested too deeply") from None
    if "," in text:
        return tuple(parse_value(piece.strip()) for piece in text.split(",") if piece.strip())
    return text


def parse_options(pairs: Sequence[str], *, windows: str = "") -> dict[str, Any]:
    """Options by name.

    Raises:
        ValueError: a pair without "=", an option given twice, broken JSON, or windows that are no numbers.
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"option: {pair!r}; give NAME=VALUE, for example R=0.04")
        if name.strip() in options:
            raise ValueError(f"option: {name.strip()} is given twice; give it once")
        try:
            options[name.strip()] = parse_value(value.strip())
        except ValueError as error:
            raise ValueError(f"option: {name.strip()}: {error}") from None
    if windows:
        if "windows" in options:
            raise ValueError("windows: given twice; use either --windows or --option windows=...")
        options["windows"] = parse_numbers("windows", windows)
    return options


def parse_numbers(name: str, text: str) -> tuple[float, ...]:
    """Numbers from `1,2.5,3` or from `0.2:1.0:5`, five evenly spaced from 0.2 to 1.0.

    Raises:
        ValueError: naming the option and the piece that is no finite number.
    """
    pieces = text.split(":") if ":" in text else text.split(",")
    numbers = []
    for piece in pieces:
        try:
            number = float(piece)
        except ValueError:
            raise ValueError(f"{name}: {piece.strip()!r} is not a number; give for example 1,2,3") from None
        if number - number != 0:
            raise ValueError(f"{name}: {piece.strip()} is not finite; give for example 1,2,3")
        numbers.append(number)
    if ":" not in text:
        return tuple(numbers)
    if len(numbers) != 3 or numbers[2] != int(numbers[2]) or not 1 <= numbers[2] <= MOST_NUMBERS:
        raise ValueError(f"{name}: {text!r}; give FIRST:LAST:COUNT, for example 0.2:1.0:5, of at most {MOST_NUMBERS}")
    first, last, count = numbers[0], numbers[1], int(numbers[2])
    if count == 1:
        return (first,)
    return tuple(first + (last - first) * k / (count - 1) for k in range(count))


def parse_shard(text: str) -> tuple[int, int]:
    """`2/4` as (1, 4): zero-based part, and number of parts.

    Raises:
        ValueError: not of the form i/n with 1 <= i <= n.
    """
    first, slash, second = text.partition("/")
    if not slash or not first.strip().isdecimal() or not second.strip().isdecimal():
        raise ValueError(f"shard: {text!r}; give i/n, for example 1/4")
    i, n = int(first), int(second)
    if not 1 <= i <= n:
        raise ValueError(f"shard: {text!r}; i counts from 1 to n")
    return i - 1, n
