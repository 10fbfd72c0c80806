"""Systems of particles: what is diced, cooked, poured or strewn, and what it looks like."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

BROWN = "#7a4a22"


@dataclass(frozen=True)
class Substance:
    """Particles of one kind.

    Attributes:
        name: of the system. colour: of its particles. size: half extent of one (m). liquid: it is poured.
    """

    name: str
    colour: str
    size: float = 0.009
    liquid: bool = False


ROWS = (Substance("water", "#8fd0f0", 0.008, True),)

SUBSTANCES: Mapping[str, Substance] = MappingProxyType({row.name: row for row in ROWS})
