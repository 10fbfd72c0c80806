"""Every number that shapes a ReactHuman data set, with its provenance and its limits (specification, section 1.1).

`ReactHumanConfig` is frozen, refuses unknown fields and NaN, and is identified by `config_hash`. Its fields are in
`config_fields.py` and `config_labels.py`; what a preset or `parity` stands for is in `presets.py`.
"""

import functools
import hashlib
import json
from collections.abc import Mapping, Sized
from typing import Any, Self

from pydantic import model_validator

from jaxphys_benchmarks.reacthuman import catalogue, rooms
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue
from jaxphys_benchmarks.reacthuman.config_fields import Drawn, Made
from jaxphys_benchmarks.reacthuman.config_labels import Asked, Labelled
from jaxphys_benchmarks.reacthuman.premise import Premise
from jaxphys_benchmarks.reacthuman.presets import PARITY, filled
from jaxphys_benchmarks.reacthuman.spec import BANDS

WORDS = ("families", "bands", "rooms", "views")
RANGES = ("stand_off", "lateral", "decoy_margin", "door_bearing_deg")
"""Fields that are ranges (low, high)."""


class ReactHumanConfig(Asked, Labelled, Made, Drawn):
    """What scenes are drawn, how they are simulated and labelled, and how they are shown, asked and scored."""

    @model_validator(mode="before")
    @classmethod
    def _as_typed(cls, fields: Any) -> Any:
        """What a preset or parity stands for; one name or `a,b` will do for a list, `family` for `families`."""
        if not isinstance(fields, dict):
            return fields
        given = dict(fields)
        for one, many in (("family", "families"), ("band", "bands"), ("room", "rooms"), ("view", "views")):
            if one in given and many not in given:
                given[many] = given.pop(one)
        for name in (*WORDS, *RANGES, "solref", "size_px"):
            if isinstance(given.get(name), str):
                given[name] = tuple(word.strip() for word in given[name].split(",") if word.strip())
        return filled({**_of_premises(given), **given})

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        known = catalogue.families()
        strange = [name for name in self.families if name not in known]
        if strange or len(set(self.families)) != len(self.families):
            raise ValueError(f"families: {strange or self.families}; give distinct names of {', '.join(known)}")
        if len(set(self.bands)) != len(self.bands):
            raise ValueError(f"bands: {self.bands}; give distinct names of {', '.join(BANDS)}")
        for name in self.rooms:
            rooms.get(name)
        if len(set(self.views)) != len(self.views) or len(self.views) < self.views_per_query:
            raise ValueError(
                f"views: {self.views}; give distinct names, at least views_per_query = {self.views_per_query}"
            )
        for name in RANGES:
            low, high = getattr(self, name)
            if not low <= high or (name != "lateral" and low < 0):
                raise ValueError(f"{name}: ({low}, {high}) is no range; give 0 <= low <= high")
        if max(abs(self.lateral[0]), abs(self.lateral[1])) > self.stand_off[0]:
            raise ValueError(f"lateral: {self.lateral} goes beyond the least stand_off = {self.stand_off[0]}")
        missing = [band for band in self.bands if self.leads.get(band, 0) <= 0]
        if missing:
            raise ValueError(f"leads: {self.leads}; give a time > 0 s for {missing[0]}")
        for name, limits in self.ranges.items():
            if name.partition(".")[0] not in known or not limits[0] <= limits[1]:
                raise ValueError(f"ranges: {name} = {limits}; give FAMILY.LEAF: (low, high) with low <= high")
        if not all(0.02 <= half <= 1 for half in self.stool_half):
            raise ValueError(f"stool_half: {self.stool_half}; give from 0.02 to 1 m")
        shortest, longest = (self.frames - 1) / 240, min(self.horizon, self.horizon_stairs)
        if not shortest <= self.window <= longest:
            raise ValueError(f"window: {self.window} s; give from {shortest:.4g} s to the horizon of {longest:g} s")
        if min(self.solref) <= 0:
            raise ValueError(f"solref: {self.solref}; give a time constant (s) and a damping ratio > 0")
        if self.reach_low >= self.reach_high:
            raise ValueError(f"reach_low: {self.reach_low} is not below reach_high = {self.reach_high}")
        if min(self.size_px) < 16 or max(self.size_px) > 8192:
            raise ValueError(f"size_px: {self.size_px}; give from 16 to 8192 pixels for either side")
        for name, wanted in PARITY.get(self.parity, {}).items():
            if getattr(self, name) != wanted:
                raise ValueError(
                    f"{name}: {getattr(self, name)!r} contradicts parity = {self.parity}, which has {wanted}"
                )
        if self.adversarial_fraction + self.decoy_fraction > 1 and self.adversarial not in ("none", "only"):
            raise ValueError(
                f"decoy_fraction: {self.decoy_fraction:g} and adversarial_fraction = {self.adversarial_fraction:g} are"
                " more than all; make one smaller"
            )
        self._can_be_drawn()
        return self

    def _can_be_drawn(self) -> None:
        """Every family needs a room and an object, own objects a family and, if they name one, a twin."""
        known = catalogue.families()
        for thing in self.objects:
            strange = [family for family in thing.families if family not in known]
            if strange:
                raise ValueError(f"objects: {thing.name}: families: {strange[0]!r}; choose from {', '.join(known)}")
            if thing.twin and self.catalogue.twin(thing, thing.families[0]) is None:
                raise ValueError(f"objects: {thing.name}: twin: {thing.twin!r} is unknown; give the name of an object")
        for family in self.families:
            if not set(rooms.rooms_of(family)) & set(self.rooms):
                raise ValueError(f"rooms: {self.rooms}; {family} needs one of {', '.join(rooms.rooms_of(family))}")
            if not self.catalogue.pool(family):
                raise ValueError(f"objects: no object belongs to the family {family}; add one")
            if self.adversarial == "only" and not self.catalogue.probes(family, "all"):
                raise ValueError(f"adversarial: only; {family} has no adversarial object; leave it out of families")
        for premise in self.premises:
            self.check(premise)

    def check(self, premise: Premise) -> None:
        """Whether a premise can be drawn under this configuration.

        Raises:
            ValueError: names the field, its value, and what would do.
        """
        if premise.family not in self.families:
            raise ValueError(f"family: {premise.family!r}; choose from {', '.join(self.families)}")
        premise.check(self.catalogue, self.rooms)
        thing = self.catalogue.get(premise.object, premise.family)
        if catalogue.sticks(thing, premise.family) and not self.allow_sticky_shapes:
            raise ValueError(
                f"object: {thing.name} stops on the way in {premise.family}; choose another, or set allow_sticky_shapes"
            )

    def __hash__(self) -> int:
        # Fields that are mappings have no hash of their own, and results are kept by configuration.
        return hash(self.config_hash)

    @functools.cached_property
    def catalogue(self) -> Catalogue:
        """The catalogue with the own objects."""
        return catalogue.extended(self.objects)

    @property
    def config_hash(self) -> str:
        """First 16 hex digits of the sha256 of the canonical JSON (sorted keys, no blanks)."""
        return _hash(self.model_dump_json())


def _of_premises(given: Mapping[str, Any]) -> dict[str, Any]:
    """Families and size that premises ask for: all of theirs, with as many groups as the largest has premises."""
    premises = given.get("premises")
    if not isinstance(premises, list | tuple) or not premises:
        return {}
    of = [entry.get("family") if isinstance(entry, Mapping) else getattr(entry, "family", None) for entry in premises]
    counts = {name: of.count(name) for name in catalogue.families() if name in of}
    bands = given.get("bands", BANDS)
    size = max(counts.values(), default=1) * (len(bands) if isinstance(bands, Sized) else 1)
    return {"families": tuple(counts) or given.get("families", catalogue.FAMILIES), "scenes_per_family": max(1, size)}


@functools.lru_cache(maxsize=64)
def _hash(text: str) -> str:
    canonical = json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def provenance() -> dict[str, str]:
    """Where the default of each field comes from: published, early_generator, genesis, measured or assumed."""
    schema = ReactHumanConfig.model_json_schema()["properties"]
    return {name: str(entry["provenance"]) for name, entry in schema.items()}
