"""From a text description to a premise, through a language model (ReactHuman specification, section 5).

`prompt` says what there is to choose from, `read` takes the reply for what it is: untrusted text. The model chooses
names and hints; every number stays with the seeded sampler.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from jaxphys_benchmarks.extract import UNFINISHED, Invalid, Log, extract
from jaxphys_benchmarks.protocol import Answer, Reply
from jaxphys_benchmarks.reacthuman import rooms
from jaxphys_benchmarks.reacthuman.catalogue import sticks
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.premise import HINTS, Premise

VERSION = "jaxphys.reacthuman.premise/1"
"""Of the prompt; part of its text, so that kept replies are those to this prompt."""

LONGEST = 2000
"""Characters of a description."""

ALIASES = {"task_type": "family"}
"""Names of fields as published, and ours."""

_PROMPT = """You plan a scene of a physical hazard in a home. [{version}]

Read the description and choose what comes closest to it: one family, one of that family's objects, one of its rooms,
and hints where the description speaks of speed or height. Choose from these lists only. Give no numbers: they are
drawn later.

Families:
{families}

Hints, each to be left out where the description does not speak of it:
{hints}

Description, as a JSON string:
{description}

Reply with one JSON object and nothing else:
{{"family": "...", "object": "...", "room": "...", "hints": {{"speed": "...", "height": "..."}}}}"""


def prompt(config: ReactHumanConfig, description: str) -> str:
    """What a language model is asked about a description.

    Raises:
        ValueError: the description is empty, or longer than `LONGEST` characters.
    """
    words = description.strip()
    if not 0 < len(words) <= LONGEST:
        raise ValueError(f"description: {len(words)} characters; give from 1 to {LONGEST}")
    return _PROMPT.format(
        version=VERSION,
        families="\n".join(_family(config, name) for name in config.families),
        hints="\n".join(f"- {name}: {', '.join(values)}" for name, values in HINTS.items()),
        description=json.dumps(words, ensure_ascii=False),
    )


def read(config: ReactHumanConfig, description: str, reply: Reply, planned_by: str) -> Answer:
    """The premise in a reply, as a dict ready for JSON, or why there is none.

    Args:
        config: its families, objects and rooms are allowed. description: that was asked about.
        reply: untrusted. planned_by: name of the model.
    """
    if reply.finish in UNFINISHED:
        status, reason = UNFINISHED[reply.finish]
        return Answer(None, status, reason)

    def validate(value: Any, log: Log | None) -> dict[str, Any]:
        return _validated(config, value, description.strip(), planned_by)

    found = extract(reply.text, validate)
    return Answer(found.value, found.status, found.reason)


def _family(config: ReactHumanConfig, name: str) -> str:
    objects = []
    for key in config.catalogue.pool(name):
        thing = config.catalogue.get(key, name)
        if sticks(thing, name) and not config.allow_sticky_shapes:
            continue
        plain = key.replace("_", " ")
        label = thing.description or (thing.display_name if thing.display_name != plain else "")
        objects.append(f"{key} ({label})" if label else key)
    open_to = [room for room in rooms.rooms_of(name) if room in config.rooms]
    return f"- {name}: {FAMILIES[name].summary}\n  objects: {', '.join(objects)}\n  rooms: {', '.join(open_to)}"


def _validated(config: ReactHumanConfig, value: Any, description: str, planned_by: str) -> dict[str, Any]:
    """The record of a premise.

    Raises:
        Invalid: names the field.
    """
    if not isinstance(value, Mapping):
        raise Invalid("the answer is no JSON object")
    fields = {ALIASES.get(name, name): entry for name, entry in value.items()}
    chosen = {name: fields.get(name) for name in ("family", "object", "room")}
    hints = fields.get("hints") or {}
    if isinstance(hints, Mapping):
        hints = {name: hint for name, hint in hints.items() if hint not in (None, "")}
    try:
        premise = Premise.model_validate(
            {**chosen, "hints": hints, "description": description, "planned_by": planned_by[:120]}
        )
        config.check(premise)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in fault["loc"])
        raise Invalid(f"{where}: {fault['msg'].removeprefix('Value error, ')}"[:500]) from None
    except ValueError as error:
        raise Invalid(str(error)[:500]) from None
    return premise.model_dump(mode="json")


def options(premises: Sequence[Any]) -> dict[str, Any]:
    """Options of the configuration that draw the scenes of these premises."""
    return {"premises": list(premises)}
