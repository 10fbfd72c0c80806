"""The catalogue: which objects exist, and which of them a family may use (ReactHuman specification, section 4).

A name may stand for different rows in different families; `get(name, family)` finds the right one. Own objects are
added for good by `register`, or for one configuration by its field `objects`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from jaxphys_benchmarks.reacthuman.catalogue_rows import ROWS
from jaxphys_benchmarks.reacthuman.labels import Action
from jaxphys_benchmarks.reacthuman.objects import Object

__all__ = ["FAMILIES", "Catalogue", "Object", "current", "get", "pool", "register", "twin"]

FAMILIES = (
    "object_drop", "shelf_slide", "hanging_fall", "ceiling_drop", "sliding_object", "rolling_ball", "surface_cascade",
    "furniture_tip", "stack_collapse", "ladder_slip", "door_swing", "pendulum_swing", "thrown_object",
    "bouncing_object", "stair_tumble", "chain_reaction", "multi_object",
)  # fmt: skip
"""Names of the families, in the order of the specification, section 6."""

NEVER_CAUGHT = ("furniture_tip", "ladder_slip", "pendulum_swing", "door_swing")
"""Families in which only objects with `catch_override` are caught (section 8.4)."""

Pool = Literal["all", "named", "published_14", "none"]


@dataclass(frozen=True)
class Catalogue:
    """Rows, and how they are found.

    Attributes:
        rows: in order; of two rows with one name in one family, the later counts.
    """

    rows: tuple[Object, ...]

    @cached_property
    def _by_family(self) -> dict[str, dict[str, Object]]:
        found: dict[str, dict[str, Object]] = {}
        for row in self.rows:
            for family in row.families:
                found.setdefault(family, {})[row.name] = row
        return found

    def pool(self, family: str) -> tuple[str, ...]:
        """Names of the objects that a family may use, in the order of the rows; empty for an unknown family."""
        return tuple(self._by_family.get(family, ()))

    def get(self, name: str, family: str) -> Object:
        """The row that a name stands for in a family; twins of its rows are known there too, whatever they belong to.

        Raises:
            ValueError: no such object there; names the field and what there is.
        """
        rows = self._by_family.get(family, {})
        if name not in rows:
            like = next((self.twin(row, family) for row in rows.values() if row.twin == name), None)
            if like is not None:
                return like
            homes = sorted({home for row in self.rows if row.name == name for home in row.families})
            hint = f"; it belongs to {', '.join(homes)}" if homes else ""
            there = f"choose from {', '.join(rows)}" if rows else "no object belongs to that family"
            raise ValueError(f"object: {name!r} is unknown in {family}{hint}; {there}")
        return rows[name]

    def twin(self, thing: Object, family: str) -> Object | None:
        """The normal object that looks like `thing`: of the same family, or else the first row of that name."""
        if not thing.twin:
            return None
        if thing.twin in self._by_family.get(family, {}):
            return self._by_family[family][thing.twin]
        others = (row for row in self.rows if row.name == thing.twin and not row.adversarial)
        return next(others, None)

    def probes(self, family: str, which: Pool) -> tuple[Object, ...]:
        """The adversarial objects of a family: all, the published names, or fourteen with our choice of the rest."""
        rows = self._by_family.get(family, {}).values()
        return tuple(row for row in rows if is_probe(row, which))


def is_probe(thing: Object, which: Pool) -> bool:
    """Whether an object counts as adversarial (section 4.1).

    "all": rows whose look and mass disagree; "named": the eight that the paper names, the hollow door among them;
    "published_14": those and six of ours, of families that no named one covers and of the balls.
    """
    if which == "all":
        return thing.adversarial
    return thing.probe == "named" or (which == "published_14" and thing.probe == "chosen") if which != "none" else False


def property_action(thing: Object, family: str) -> Action:
    """Three-way label by the properties of an object alone, where its path meets the robot (section 8.4)."""
    if family in NEVER_CAUGHT:
        return "EXECUTE_CATCH" if thing.catch_override else "TRIGGER_DODGE"
    return "EXECUTE_CATCH" if thing.catch_safe else "TRIGGER_DODGE"


def sticks(thing: Object, family: str) -> bool:
    """Whether an object comes to rest on its way: a box on the stairs (section 7.4)."""
    return family == "stair_tumble" and thing.collider == "box"


def implied_action(thing: Object, family: str, rows: Catalogue | None = None) -> Action:
    """Three-way label of what an object looks like: of its twin where it has one."""
    like = (rows or current()).twin(thing, family)
    return thing.appearance_implied_action or property_action(like or thing, family)


_current = Catalogue(ROWS)
_families: tuple[str, ...] = FAMILIES


def current() -> Catalogue:
    """The catalogue with everything that was registered."""
    return _current


def register(thing: Object) -> Object:
    """Adds an own object for all families that it names; one of the same name there is replaced. Returns it."""
    global _current  # replaced as a whole, so that readers never see half
    _current = extended((thing,))
    return thing


def families() -> tuple[str, ...]:
    """Names of all families, own ones included."""
    return _families


def register_family(name: str) -> str:
    """Makes the name of an own family known, so that objects, premises and configurations may use it. Returns it."""
    global _families  # likewise
    if name not in _families:
        _families = (*_families, name)
    return name


def extended(things: Sequence[Object] | Iterable[Object]) -> Catalogue:
    """The current catalogue with further objects; nothing is registered."""
    return Catalogue((*_current.rows, *things))


def get(name: str, family: str) -> Object:
    """`Catalogue.get` of the current catalogue."""
    return _current.get(name, family)


def pool(family: str) -> tuple[str, ...]:
    """`Catalogue.pool` of the current catalogue."""
    return _current.pool(family)


def twin(thing: Object, family: str) -> Object | None:
    """`Catalogue.twin` of the current catalogue."""
    return _current.twin(thing, family)
