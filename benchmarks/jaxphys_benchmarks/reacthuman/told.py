"""`Told`: an action that was told, not recovered from a plan: by a decision record, or by a person.

Models are never asked for an action, and `parse` never reads one out of a reply; this is for answers that come without
a plan (ReactHuman specification, section 10.4). `read` takes a record of untrusted JSON, or a row of a table whose
values are all texts. It has an action, `act` as in the published records or `action` in a person's words, and may have

- `intent`: what was to be done, in words;
- `forward`, `left`, `up`: where the nearer hand ends, from the pelvis of the robot at its start (m);
- `dend`, `d_min`, `d_close`, `d_at_impact`, `dend_walked`: distances that others have measured (m); those of a place
  are measured anew.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from jaxphys_benchmarks.extract import Invalid
from jaxphys_benchmarks.reacthuman.plan import MAX_TEXT
from jaxphys_benchmarks.reacthuman.recover import ACTS, BRACE, CATCH, DODGE, NONE, UNPARSEABLE, Act
from jaxphys_benchmarks.reacthuman.scene import Part, Vector

WORDS: Mapping[str, Act] = {
    "catch": CATCH, "grab": CATCH, "hold": CATCH, "reach": CATCH,
    "dodge": DODGE, "avoid": DODGE, "evade": DODGE, "retreat": DODGE, "step back": DODGE, "step aside": DODGE,
    "brace": BRACE, "crouch": BRACE,
    "none": NONE, "nothing": NONE, "stay": NONE, "wait": NONE, "freeze": NONE, "no action": NONE,
    "unparseable": UNPARSEABLE,
    **{act.lower().replace("_", " "): act for act in ACTS},
}  # fmt: skip
"""Actions by what people call them, in lower case, with blanks."""

DISTANCES: Mapping[str, str] = {
    "dend": "d_end",
    "d_min": "d_min",
    "d_close": "d_close",
    "d_at_impact": "d_at_impact",
    "dend_walked": "d_end_walked",
}
"""Distances by their names in a record and here."""

PLACE = ("forward", "left", "up")
FAR = 1000.0
"""No distance of a record is larger (m)."""


class Told(Part):
    """An action without a plan.

    Attributes:
        act: the action; never UNPARSEABLE, which is no answer. intent: in words, or None.
        hand: where the nearer hand ends, (forward, left, up) from the pelvis (m), or None.
        gaps: distances that were told, by their names here (m).
    """

    act: Act
    intent: str | None = None
    hand: Vector | None = None
    gaps: dict[str, float] = Field(default_factory=dict)


def read(record: Mapping[str, Any]) -> Told | None:
    """What a record tells; None if it says that there was nothing to be read.

    Raises:
        Invalid: naming the field at fault.
    """
    act = _act(record)
    if act == UNPARSEABLE:
        return None
    place = [_number(record, name) for name in PLACE]
    if any(value is None for value in place) and any(value is not None for value in place):
        raise Invalid(f"{', '.join(PLACE)}: give all three, or none")
    forward, left, up = place
    hand = None if forward is None or left is None or up is None else (forward, left, up)
    gaps = {name: value for key, name in DISTANCES.items() if (value := _number(record, key)) is not None}
    for name, value in gaps.items():
        if value < 0 and name != "d_close":
            raise Invalid(f"{name}: {value:g}; a distance is not negative")
    intent = record.get("intent")
    if intent is not None and not isinstance(intent, str):
        raise Invalid(f"intent: {type(intent).__name__} instead of a text")
    said = None if intent is None else intent[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8")
    return Told(act=act, intent=said, hand=hand, gaps=gaps)


def _act(record: Mapping[str, Any]) -> Act:
    for name in ("act", "action"):
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            word = re.sub(r"[\s_-]+", " ", value.strip().lower()[:40])
            if word not in WORDS:
                raise Invalid(f"{name}: {value[:40]!r} is no action; give one of catch, dodge, brace, none")
            return WORDS[word]
        if value is not None and not isinstance(value, str):
            raise Invalid(f"{name}: {type(value).__name__} instead of a text")
    raise Invalid("neither 'act' nor 'action'")


def _number(record: Mapping[str, Any], name: str) -> float | None:
    """A finite number, or None where the record has none; a table has texts."""
    value = record.get(name)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    # Python also reads 1_0 and digits of other scripts, which no plan may have either.
    plain = isinstance(value, str) and value.isascii() and "_" not in value
    try:
        number = float(value) if plain or (isinstance(value, int | float) and not isinstance(value, bool)) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not abs(number) <= FAR:
        raise Invalid(f"{name}: {str(value)[:40]!r} is no number within ±{FAR:g} m")
    return number
