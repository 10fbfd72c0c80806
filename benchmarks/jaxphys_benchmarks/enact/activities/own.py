"""Own activities from the text of a TOML file: a room, things and a script; nothing in it is executed as code.

The records say which fields there are; `docs/enact_activities.md` tells how they are used. A `kind` that is a list is
one of these, and a `what` that is a list is done for each of these, both as the seed decides. Public: `read`, `Own`.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.activities.scene import Scene, diced
from jaxphys_benchmarks.enact.play.script import Goto, Hand
from jaxphys_benchmarks.enact.world import catalogue, rooms
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec

Found = TypeVar("Found")
Unit = Annotated[float, Field(ge=-1, le=1)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Names = Name | Annotated[tuple[Name, ...], Field(min_length=1)]


class Record(BaseModel):
    """Frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Placement(Record):
    """Where something is put: on or into something, at a spot (u, v), on a level, with a turn (rad)."""

    on: str = ""
    into: str = ""
    at: tuple[Unit, Unit] | None = None
    level: int | None = Field(default=None, ge=0, le=9)
    yaw: float | None = None


class OwnThing(Placement):
    """A thing that is there at the start; without `on` and `into` it stands on the floor.

    Attributes:
        name: of yours. kind: category of the catalogue, or several, of which the seed takes one.
        cut: what a knife makes of it: two halves, or diced ones, or diced ones that can be cooked.
        holds: particles that are in or on it.
    """

    name: Name
    kind: str | Annotated[tuple[str, ...], Field(min_length=1)]
    cut: Literal["", "halved", "diced", "cooked"] = ""
    holds: str = ""


class Step(Record):
    """Something done with something."""

    do: Literal["open", "close", "press", "heat", "handover", "look", "goto", "back"]
    what: Names


class Take(Record):
    """A thing is taken."""

    do: Literal["take"]
    what: Names
    hand: Hand = ""


class Place(Placement):
    """What is held is put down."""

    do: Literal["place"]
    what: Names

    @model_validator(mode="after")
    def _somewhere(self) -> "Place":
        if bool(self.on) == bool(self.into):
            raise ValueError("give either `on` or `into`")
        return self


class Move(Place):
    """Take and place."""

    do: Literal["move"]  # type: ignore[assignment]
    hand: Hand = ""


class Cut(Record):
    """What is held cuts."""

    do: Literal["cut"]
    what: Names
    knife: Name


class Pour(Record):
    """What is held is tipped over something."""

    do: Literal["pour"]
    what: Names
    into: Name


class Wait(Record):
    """Nothing is done for a while (s)."""

    do: Literal["wait"]
    seconds: float = Field(gt=0, le=60)


Steps = Annotated[Step | Take | Place | Move | Cut | Pour | Wait, Field(discriminator="do")]


class Own(Record):
    """An own activity.

    Attributes:
        title: for people. room: where. fixtures: furniture by names of yours. things: what is there at the start.
        script: what is done, in order.
    """

    title: str = Field(min_length=1, max_length=80)
    room: str
    fixtures: Mapping[Name, str] = {}
    things: Annotated[tuple[OwnThing, ...], Field(max_length=40)] = ()
    script: Annotated[tuple[Steps, ...], Field(min_length=1, max_length=200)]


def read(name: str, text: str) -> Activity:
    """An own activity.

    Args:
        name: of it, in letters, digits and underscores. text: of a TOML file.

    Raises:
        ValueError: something is wrong with it; tells the place and what may stand there.
    """
    try:
        given = Own.model_validate(tomllib.loads(text))
    except ValidationError as error:
        raise ValueError("\n".join(f"activity {name}: {_told(issue)}" for issue in error.errors())) from None
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits is a ValueError of its own, brackets within brackets a RecursionError.
        raise ValueError(f"activity {name}: this is no TOML: {error}") from None
    try:
        spec = EpisodeSpec(activity=name)
    except ValidationError as error:
        raise ValueError(f"activity name {name!r}: {error.errors()[0]['msg']}") from None
    found = Activity(name, given.title, given.room, lambda scene: _write(given, scene), published=False)
    try:
        _check(given)
        found.make(spec)
    except (ValueError, KeyError) as error:
        raise ValueError(f"activity {name}: {error}") from None
    return found


def _told(issue: Any) -> str:
    """An issue of the validation, with the place as it stands in the file: `script 3, into: ...`."""
    where: list[str] = []
    for part in issue["loc"]:
        if isinstance(part, int):
            where[-1] += f" {part + 1}"
        elif not (part in DONE and len(where) == 1 and where[0].startswith("script ")):
            # The word of a step, which is how its kind is told, is no field.
            where.append(str(part))
    return f"{', '.join(where) or 'the file'}: {issue['msg']}"


def _check(given: Own) -> None:
    """What the types do not say: that all that is named is there."""
    room = rooms.room(given.room)
    known: dict[str, str] = {"floor": "floor"}

    def fresh(where: str, of: str) -> None:
        if of in known:
            raise ValueError(f"{where}: the name {of!r} is taken; choose another")
        known[of] = where

    def there(where: str, of: str) -> None:
        if of and of not in known:
            raise ValueError(f"{where}: there is no {of!r}; there are {', '.join(known)}")

    for own, slot in given.fixtures.items():
        _said(f"fixtures, {own}", room.slot, slot)
        fresh(f"fixtures, {own}", own)
    for k, thing in enumerate(given.things):
        where = f"things {k + 1}"
        if thing.on and thing.into:
            raise ValueError(f"{where}: give either `on` or `into`")
        there(f"{where}, on", thing.on)
        there(f"{where}, into", thing.into)
        for kind in _all(thing.kind):
            if _said(f"{where}, kind", catalogue.thing, kind).fixed:
                raise ValueError(f"{where}, kind: {kind!r} is furniture; ask for it under `fixtures`")
        if thing.holds:
            _said(f"{where}, holds", catalogue.substance, thing.holds)
        fresh(where, thing.name)
        if thing.cut:
            for half in _halves(thing.name):
                fresh(where, half)
        if thing.cut == "cooked":
            fresh(where, f"cooked_{thing.name}")
    cooked = {f"cooked_{thing.name}" for thing in given.things if thing.cut == "cooked"}
    for k, step in enumerate(given.script):
        for field in ("what", "on", "into", "knife"):
            for of in _all(getattr(step, field, "")):
                there(f"script {k + 1}, {field}", of)
                if of in cooked and step.do != "heat":
                    raise ValueError(f"script {k + 1}, {field}: {of!r} is particles, which can only be heated")


def _said(where: str, look: Callable[[str], Found], of: str) -> Found:
    """What a table has under a name; its refusal with the place in the file."""
    try:
        return look(of)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _write(given: Own, scene: Scene) -> None:
    names = {"floor": scene.floor, **{own: scene.fixture(slot) for own, slot in given.fixtures.items()}}
    for thing in given.things:
        kind = scene.one(_all(thing.kind))
        placed = scene.put(
            kind, on=names.get(thing.on, ""), inside=names.get(thing.into, ""), at=thing.at, level=thing.level,
            yaw=thing.yaw,
        )  # fmt: skip
        names[thing.name] = placed
        if thing.holds:
            scene.filled(placed, thing.holds)
        if thing.cut:
            halves = scene.cuttable(placed, diced=thing.cut != "halved")
            names |= dict(zip(_halves(thing.name), halves, strict=True))
        if thing.cut == "cooked":
            names[f"cooked_{thing.name}"] = scene.cookable(diced(kind))
    for step in given.script:
        if isinstance(step, Wait):
            scene.wait(step.seconds)
            continue
        for what in scene.shuffled(_all(step.what)):
            DONE[step.do](scene, names, names[what], step)


def _all(of: str | Sequence[str]) -> tuple[str, ...]:
    return (of,) if isinstance(of, str) else tuple(of)


def _halves(name: str) -> tuple[str, str]:
    return f"{name}_half_1", f"{name}_half_2"


Doing = Callable[[Scene, Mapping[str, str], str, Any], None]


def _where(names: Mapping[str, str], step: Placement) -> dict[str, Any]:
    return {
        "on": names.get(step.on, ""), "into": names.get(step.into, ""), "at": step.at, "level": step.level,
        "yaw": step.yaw,
    }  # fmt: skip


DONE: Mapping[str, Doing] = {
    "open": lambda scene, names, what, step: scene.open(what),
    "close": lambda scene, names, what, step: scene.close(what),
    "press": lambda scene, names, what, step: scene.press(what),
    "heat": lambda scene, names, what, step: scene.heat(what),
    "handover": lambda scene, names, what, step: scene.handover(what),
    "look": lambda scene, names, what, step: scene.look(what),
    "goto": lambda scene, names, what, step: scene.do(Goto(what)),
    "back": lambda scene, names, what, step: scene.back(what),
    "take": lambda scene, names, what, step: scene.take(what, step.hand),
    "place": lambda scene, names, what, step: scene.place(what, **_where(names, step)),
    "move": lambda scene, names, what, step: scene.move(what, **_where(names, step), hand=step.hand),
    "cut": lambda scene, names, what, step: scene.cut(what, names[step.knife]),
    "pour": lambda scene, names, what, step: scene.pour(what, names[step.into]),
    "wait": lambda scene, names, what, step: scene.wait(step.seconds),
}
"""What each word of a script does."""
