"""The table-driven planner: what each four-band group is about, from the seed alone (specification, section 5).

`plan_group` gives the premise (family, object, room, hints), whether its object counts as adversarial, and which bands
are decoys. A group does not depend on how many others are made. Objects come in turn, so that all of a pool appear
before one comes again, and adversarial groups and decoys are spread evenly. Where the configuration carries premises,
for example from text descriptions, those of a family are used in turn instead.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.reacthuman import catalogue, presets, rooms
from jaxphys_benchmarks.reacthuman.catalogue import Object, Pool, is_probe, property_action, sticks
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.premise import HINTS, Premise
from jaxphys_benchmarks.reacthuman.presets import Slot
from jaxphys_benchmarks.reacthuman.spec import Band

_STREAM = 0x706C616E
"""Sets the planner's random numbers apart from those of the leaves; above any attempt."""
_OFFSETS, _ROOM, _CYCLE = 0, 1, 2


@dataclass(frozen=True)
class Group:
    """What a group is about.

    Attributes:
        premise: see `Premise`.
        adversarial: its object counts as adversarial.
        decoy: bands in which the robot is moved out of reach.
    """

    premise: Premise
    adversarial: bool = False
    decoy: tuple[Band, ...] = ()


def plan_group(config: ReactHumanConfig, seed: int, family: str, group: int) -> Group:
    """What a group of a family is about.

    Args:
        config: of the data set. seed: of the data set. family: name. group: index within the family, from 0.

    Raises:
        ValueError: the family is unknown, or has no object or no room left; names the field.
    """
    known = catalogue.families()
    if family not in known:
        raise ValueError(f"families: {family!r} is unknown; choose from {', '.join(known)}")
    key = (seed, known.index(family))
    given = [premise for premise in config.premises if premise.family == family]
    if given:
        return _premised(config, given[group % len(given)], key, group)
    slot = presets.slot(config.preset, family, group)
    if slot is not None:
        return _scheduled(config, slot, key, family, group)
    return _dealt(config, key, family, group)


def probes_of(config: ReactHumanConfig, family: str) -> tuple[Object, ...]:
    """The objects of a family that count as adversarial under a configuration."""
    return config.catalogue.probes(family, _pool(config))


def ordinary(config: ReactHumanConfig, family: str) -> tuple[Object, ...]:
    """The other objects of a family that may be drawn: without those that hang elsewhere, or stick on the way."""
    things = [config.catalogue.get(name, family) for name in config.catalogue.pool(family)]
    plain = [thing for thing in things if not thing.adversarial and not is_probe(thing, _pool(config))]
    return tuple(thing for thing in plain if _allowed(thing, config, family))


def _pool(config: ReactHumanConfig) -> Pool:
    return "all" if config.adversarial == "only" else config.adversarial


def _allowed(thing: Object, config: ReactHumanConfig, family: str) -> bool:
    """Boxes stop on stairs (section 7.4); a mount may be asked for."""
    if sticks(thing, family) and not config.allow_sticky_shapes:
        return False
    return config.hanging_mount in ("by_object", thing.mount) or not thing.mount


def _premised(config: ReactHumanConfig, premise: Premise, key: tuple[int, int], group: int) -> Group:
    thing = config.catalogue.get(premise.object, premise.family)
    moved = thing.safety_label != "dangerous" and _falls_on(group, config.decoy_fraction, _offsets(key)[1])
    return Group(premise, is_probe(thing, _pool(config)), config.bands if moved else ())


def _scheduled(config: ReactHumanConfig, slot: Slot, key: tuple[int, int], family: str, group: int) -> Group:
    """A group of a preset whose mix is fixed; what the configuration switches off is left out."""
    decoys = [band for number, band in enumerate(config.bands) if slot.decoy(number)] if config.decoy_fraction else []
    probes = [thing for thing in probes_of(config, family) if _allowed(thing, config, family)]
    wanted = "EXECUTE_CATCH" if slot.caught else "TRIGGER_DODGE"
    things = probes if slot.adversarial and probes else ordinary(config, family)
    fitting = [thing for thing in things if property_action(thing, family) == wanted] or list(things)
    if slot.adversarial:  # a family's own probes before those of a shared pool
        fitting = [thing for thing in fitting if thing.families == (family,)] or fitting
    if decoys:
        fitting = [thing for thing in fitting if thing.safety_label != "dangerous"] or fitting
    thing = _in_turn(fitting, key, slot.earlier, 2 * ord(slot.text[0]) + slot.adversarial, family)
    return _group(config, thing, key, family, group, tuple(decoys))


def _dealt(config: ReactHumanConfig, key: tuple[int, int], family: str, group: int) -> Group:
    """A group of a data set whose mix follows the fractions of the configuration."""
    probes = [thing for thing in probes_of(config, family) if _allowed(thing, config, family)]
    plain = ordinary(config, family)
    share = config.adversarial_fraction if probes else 0.0
    if config.adversarial == "only" or not plain:
        share = 1.0
    of_probes, of_decoys = _offsets(key)
    earlier = math.floor(group * share + of_probes) - math.floor(of_probes)
    if _falls_on(group, share, of_probes):
        return _group(config, _in_turn(probes, key, earlier, 1, family), key, family, group)
    turn = group - earlier
    harmless = [thing for thing in plain if thing.safety_label != "dangerous"]
    moved = min(1.0, config.decoy_fraction / (1 - share))
    if harmless and _falls_on(turn, moved, of_decoys):
        thing = _in_turn(harmless, key, math.floor(turn * moved + of_decoys), 2, family)
        return _group(config, thing, key, family, group, config.bands)
    return _group(config, _in_turn(plain, key, turn, 0, family), key, family, group)


def _group(
    config: ReactHumanConfig,
    thing: Object,
    key: tuple[int, int],
    family: str,
    group: int,
    decoy: tuple[Band, ...] = (),
) -> Group:
    """A group about an object, in a drawn room."""
    open_to = [room for room in rooms.rooms_of(family) if room in config.rooms]
    if not open_to:
        raise ValueError(f"rooms: {config.rooms}; {family} needs one of {', '.join(rooms.rooms_of(family))}")
    where, height = np.random.default_rng([*key, _STREAM, _ROOM, group]).random(2)
    hint = config.height_hint if config.height_hint != "any" else HINTS["height"][int(height * len(HINTS["height"]))]
    hints = {} if hint == "normal" else {"height": hint}
    premise = Premise(family=family, object=thing.name, room=open_to[int(where * len(open_to))], hints=hints)
    return Group(premise, is_probe(thing, _pool(config)), decoy)


def _in_turn(things: Sequence[Object], key: tuple[int, int], turn: int, stream: int, family: str) -> Object:
    """The object of a turn: all in a drawn order, then all again in another."""
    if not things:
        raise ValueError(f"objects: none of the family {family} is left to draw")
    cycle, place = divmod(turn, len(things))
    order = np.random.default_rng([*key, _STREAM, _CYCLE, stream, cycle]).permutation(len(things))
    return things[int(order[place])]


def _offsets(key: tuple[int, int]) -> tuple[float, float]:
    first, second = np.random.default_rng([*key, _STREAM, _OFFSETS]).random(2)
    return float(first), float(second)


def _falls_on(turn: int, share: float, offset: float) -> bool:
    """Whether a turn is one of those that, evenly spread, make up a share of all."""
    return math.floor((turn + 1) * share + offset) > math.floor(turn * share + offset)
