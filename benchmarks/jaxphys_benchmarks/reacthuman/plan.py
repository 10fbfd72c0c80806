"""`Plan`: the motion that a model answers with, in its normal form (ReactHuman specification, section 10.3).

`normalised` turns parsed JSON into a plan. What is missing or of the wrong kind is `Invalid`; what is out of range is
clipped, and every clip is named in `Plan.clips`. SI units; hands are (forward, left, up) from the pelvis of the robot
as it stands at the freeze. `schema` describes the normal form as JSON Schema.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from jaxphys_benchmarks.extract import Invalid, Log
from jaxphys_benchmarks.reacthuman.scene import Part, Vector

SCHEMA_ID = "jaxphys.reacthuman.plan/1"

MAX_TEXT = 2000
"""Characters kept of a text."""

REST: tuple[Vector, Vector] = ((0.10, 0.15, 0.0), (0.10, -0.15, 0.0))
"""Left and right hand of the robot at rest (section 3.2)."""


class Limits(Part):
    """What plans are clipped to; those of the configuration, under the same names.

    Attributes:
        max_vx, max_vy: m/s, and max_yaw: rad/s, of the walking command, either way.
        max_time: of key frames and of walking (s). max_hand: of hands, per axis, either way (m).
        max_keyframes: of more, the first ones and the last are kept.
    """

    max_vx: float = Field(default=1.0, gt=0)
    max_vy: float = Field(default=0.6, gt=0)
    max_yaw: float = Field(default=1.5, gt=0)
    max_time: float = Field(default=3.0, gt=0)
    max_hand: float = Field(default=1.0, gt=0)
    max_keyframes: int = Field(default=8, ge=2)


LIMITS = Limits()
"""The limits unless configured otherwise."""


class KeyFrame(Part):
    """Where the hands are at a time.

    Attributes:
        t: from the freeze (s). left_hand, right_hand: (forward, left, up) from the pelvis (m).
        knee_bend: 0 upright to 1 crouched.
    """

    t: float
    left_hand: Vector
    right_hand: Vector
    knee_bend: float = 0.0


class Plan(Part):
    """A motion plan; t = 0 is the instant at which time was frozen.

    Attributes:
        object_identified, intent: in the model's words; "" where it says nothing.
        confidence: 0 to 1, or None.
        walking_cmd: forward and leftward speed (m/s) and yaw rate (rad/s), held for `walking_duration` (s).
        catch_duration: s, or None; published, of no effect.
        keyframes: times rising; hands move straight from one to the next.
        clips: what was out of range and where, for example "walking_cmd.vx", in the order of the plan.
    """

    object_identified: str = ""
    intent: str = ""
    confidence: float | None = None
    walking_cmd: Vector
    walking_duration: float
    catch_duration: float | None = None
    keyframes: tuple[KeyFrame, ...] = Field(min_length=1)
    clips: tuple[str, ...] = ()


_TRIPLE: dict[str, Any] = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}


def schema(limits: Limits = LIMITS) -> dict[str, Any]:
    """The normal form as JSON Schema."""
    number, time = {"type": "number"}, {"type": "number", "minimum": 0, "maximum": limits.max_time}
    share = {"type": "number", "minimum": 0, "maximum": 1}
    frame = {
        "type": "object",
        "required": ["t", "left_hand", "right_hand"],
        "properties": {"t": time, "left_hand": _TRIPLE, "right_hand": _TRIPLE, "knee_bend": {**share, "default": 0}},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "type": "object",
        "required": ["walking_cmd", "keyframes"],
        "properties": {
            "object_identified": {"type": "string"},
            "intent": {"type": "string"},
            "confidence": share,
            "walking_cmd": _TRIPLE,
            "walking_duration": time,
            "catch_duration": {**number, "minimum": 0},
            "keyframes": {"type": "array", "minItems": 1, "maxItems": limits.max_keyframes, "items": frame},
        },
    }


def normalised(value: Any, log: Log | None = None, limits: Limits = LIMITS) -> Plan:
    """The plan in a parsed JSON value.

    Optional keys may be missing or null. A missing walking_duration is the last key frame's time. Times must rise
    strictly before they are clipped; of key frames that clipping brings to one time the last is kept.

    Args:
        value: anything that JSON can hold.
        log: called once per repair; None repairs nothing. Repaired are numbers in quotes, and optional keys whose
            value is of the wrong kind, which are dropped.
        limits: what is clipped to.

    Raises:
        Invalid: naming the field at fault.
    """
    if not isinstance(value, dict):
        raise Invalid("not an object")
    for name in ("walking_cmd", "keyframes"):
        if value.get(name) is None:
            raise Invalid(f"no key {name!r}")
    read, clip = _Reader(log), _Clipper()
    walking = read.numbers(value["walking_cmd"], "walking_cmd")
    frames = _frames(value["keyframes"], read)
    duration = read.optional(value, "walking_duration")
    confidence = read.optional(value, "confidence")
    catch = read.optional(value, "catch_duration")
    most = {"vx": limits.max_vx, "vy": limits.max_vy, "yaw": limits.max_yaw}
    vx, vy, yaw = (clip(v, -m, m, f"walking_cmd.{name}") for v, (name, m) in zip(walking, most.items(), strict=True))
    if duration is not None:
        duration = clip(duration, 0.0, limits.max_time, "walking_duration")
    keyframes = _thinned(frames, limits, clip)
    return Plan(
        object_identified=read.text(value, "object_identified"),
        intent=read.text(value, "intent"),
        confidence=None if confidence is None else clip(confidence, 0.0, 1.0, "confidence"),
        walking_cmd=(vx, vy, yaw),
        walking_duration=keyframes[-1].t if duration is None else duration,
        catch_duration=None if catch is None else clip(catch, 0.0, math.inf, "catch_duration"),
        keyframes=keyframes,
        clips=tuple(clip.made),
    )


def _frames(entries: Any, read: "_Reader") -> list[KeyFrame]:
    """All key frames as they were given, checked."""
    if not isinstance(entries, list) or not entries:
        raise Invalid("keyframes is not a list of at least one key frame")
    frames: list[KeyFrame] = []
    for k, entry in enumerate(entries):
        where = f"keyframes[{k}]"
        if not isinstance(entry, dict):
            raise Invalid(f"{where} is not an object")
        for name in ("t", "left_hand", "right_hand"):
            if entry.get(name) is None:
                raise Invalid(f"{where} has no key {name!r}")
        time = read.number(entry["t"], f"{where}.t")
        if frames and time <= frames[-1].t:
            raise Invalid(f"{where}.t is {time:g} after {frames[-1].t:g}; times must rise")
        left, right = (read.numbers(entry[hand], f"{where}.{hand}") for hand in ("left_hand", "right_hand"))
        knee = read.optional(entry, "knee_bend", where)
        frames.append(KeyFrame(t=time, left_hand=left, right_hand=right, knee_bend=knee or 0.0))
    return frames


def _thinned(frames: Sequence[KeyFrame], limits: Limits, clip: "_Clipper") -> tuple[KeyFrame, ...]:
    """Key frames within the limits."""
    kept = list(enumerate(frames))
    if len(kept) > limits.max_keyframes:
        first = limits.max_keyframes - 1
        clip.made.append(f"keyframes: {len(kept)} given, the first {first} and the last are kept")
        kept = [*kept[:first], kept[-1]]
    made: list[KeyFrame] = []
    for k, frame in kept:
        where = f"keyframes[{k}]"
        time = clip(frame.t, 0.0, limits.max_time, f"{where}.t")
        left = clip.hand(frame.left_hand, limits.max_hand, f"{where}.left_hand")
        right = clip.hand(frame.right_hand, limits.max_hand, f"{where}.right_hand")
        knee = clip(frame.knee_bend, 0.0, 1.0, f"{where}.knee_bend")
        if made and time <= made[-1].t:
            made.pop()
        made.append(KeyFrame(t=time, left_hand=left, right_hand=right, knee_bend=knee))
    return tuple(made)


class _Clipper:
    """Keeps numbers within limits, and the names of those that were not."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def __call__(self, value: float, low: float, high: float, name: str) -> float:
        if low <= value <= high:
            return value + 0.0
        if name not in self.made:
            self.made.append(name)
        return min(max(value, low), high)

    def hand(self, place: Vector, most: float, name: str) -> Vector:
        """A place with each coordinate within ± `most`."""
        x, y, z = (self(value, -most, most, name) for value in place)
        return (x, y, z)


_NUMBER = re.compile(r"\s*[+-]?(\d{1,15}\.?\d{0,17}|\.\d{1,17})([eE][+-]?\d{1,3})?\s*")


class _Reader:
    """Reads numbers and texts of untrusted JSON."""

    def __init__(self, log: Log | None) -> None:
        self.log = log
        self._said: set[str] = set()

    def _repair(self, text: str) -> None:
        if self.log is not None and text not in self._said:
            self._said.add(text)
            self.log(text)

    def number(self, value: Any, where: str) -> float:
        """A finite number."""
        if isinstance(value, str) and self.log is not None and len(value) < 64 and _NUMBER.fullmatch(value):
            self._repair("read numbers in quotes")
            value = float(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Invalid(f"{where} is {_shown(value)}, not a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise Invalid(f"{where} is not finite")
        return number

    def numbers(self, value: Any, where: str) -> tuple[float, float, float]:
        """Three finite numbers."""
        if not isinstance(value, list) or len(value) != 3:
            raise Invalid(f"{where} is not a list of three numbers")
        x, y, z = (self.number(entry, f"{where}[{k}]") for k, entry in enumerate(value))
        return x, y, z

    def optional(self, value: Mapping[str, Any], name: str, where: str = "") -> float | None:
        """A number that may be missing or null."""
        if value.get(name) is None:
            return None
        try:
            return self.number(value[name], f"{where}.{name}" if where else name)
        except Invalid:
            if self.log is None:
                raise
            self._repair(f"dropped {name}, which is no number")
            return None

    def text(self, value: Mapping[str, Any], name: str) -> str:
        """A text that may be missing or null."""
        found = value.get(name)
        if found is None:
            return ""
        if not isinstance(found, str):
            if self.log is None:
                raise Invalid(f"{name} is {_shown(found)}, not a text")
            self._repair(f"dropped {name}, which is no text")
            return ""
        # A lone surrogate can be written in JSON, and nowhere else.
        return found[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8")


def _shown(value: Any) -> str:
    """What stands in place of what was asked for, in few characters."""
    return f"{type(value).__name__} {value!r:.40}" if isinstance(value, str | bool) else f"a {type(value).__name__}"
