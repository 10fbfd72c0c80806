"""What a robot could not do of a plan, in a line for each kind, and each of it in full.

A finding is `<field of the plan>[<place>]: <sentence>`. Findings about one field belong together; those whose sentences
are known are put in few words, of others the first is shown. Public: `kinds`, `in_full`.
"""

import re
from collections.abc import Callable, Sequence

_NAMED = re.compile(r"(\w+)(?:\[(\d+)\])?: (.*)", re.DOTALL)
_NUMBER = r"(-?[\d.]+)"
_SPEED = re.compile(rf"{_NUMBER} (\S+) asked; the robot (.+) at {_NUMBER} to {_NUMBER}")
_BEND = re.compile(rf"a bend of {_NUMBER} asked at .* while the robot walks it is {_NUMBER}")
_REACH = re.compile(rf"the (\w+) hand is asked .* reaches .*, {_NUMBER} m less")

_WAYS = {
    "walks forward": ("walk ahead", "walk back"),
    "walks sideways": ("walk to the left", "walk to the right"),
    "turns": ("turn left", "turn right"),
}
"""What is asked by a positive and by a negative speed."""

WALK = "cmd"
"""The field whose places are directions; those of all others are key frames."""


def kinds(findings: Sequence[str]) -> list[str]:
    """A line for each kind of finding, in the order in which they come."""
    groups: dict[str, list[str]] = {}
    for finding in findings:
        field, place, sentence = _parts(finding)
        groups.setdefault(f"{field}{place}" if field == WALK else field or finding, []).append(sentence)
    return [_line(sentences) for sentences in groups.values()]


def in_full(findings: Sequence[str]) -> list[str]:
    """Every finding as a sentence that names the key frame, counted from 1, instead of the field."""
    told = []
    for finding in findings:
        field, place, sentence = _parts(finding)
        told.append(f"key frame {int(place) + 1}: {sentence}" if place and field != WALK else sentence)
    return told


def _parts(finding: str) -> tuple[str, str, str]:
    """Field, place and sentence; of other text the sentence alone."""
    found = _NAMED.fullmatch(finding)
    return (found[1], found[2] or "", found[3]) if found else ("", "", finding)


def _line(sentences: Sequence[str]) -> str:
    for pattern, words in _WORDS:
        found = [pattern.search(sentence) for sentence in sentences]
        whole = [one for one in found if one is not None]
        if len(whole) == len(sentences):
            return words(whole)
    more = len(sentences) - 1
    return f"{sentences[0]} (and {more} more)" if more else sentences[0]


def _speed(found: Sequence[re.Match[str]]) -> str:
    asked, unit, what, low, high = found[0].groups()
    ahead, back = _WAYS.get(what, (what, what))
    possible = high if float(asked) > 0 else low
    return f"{ahead if float(asked) > 0 else back}: asked {asked.lstrip('-')}, can {possible.lstrip('-')} {unit}"


def _bend(found: Sequence[re.Match[str]]) -> str:
    asked, held = max((one.groups() for one in found), key=lambda pair: float(pair[0]))
    return f"knees: bend of {asked} asked, {held} while walking{_times(len(found))}"


def _reach(found: Sequence[re.Match[str]]) -> str:
    most = max(float(one[2]) for one in found)
    count = f"{len(found)} targets" if len(found) > 1 else "a target"
    return f"{found[0][1]} hand: {count} out of reach, by {'at most ' if len(found) > 1 else ''}{most:.2f} m"


def _times(count: int) -> str:
    return f" ({count} key frames)" if count > 1 else ""


_WORDS: tuple[tuple[re.Pattern[str], Callable[[Sequence[re.Match[str]]], str]], ...] = (
    (_SPEED, _speed),
    (_BEND, _bend),
    (_REACH, _reach),
)
