"""`InPhyReSpec`: one drawn sample, the content of `scene.json`.

Every number needed to simulate, draw and ask about the sample is in it, at full precision; JSON gives back the same
bits. Body 0 is the object asked about (A); in the pair scenarios body 1 is the one that it meets (B), in Wall it
is the wall, which comes after all objects. SI units, z up, origin in the middle of the floor.
"""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from jaxphys_benchmarks.inphyre.config import COLOURS, MaterialName, ShapeName
from jaxphys_benchmarks.protocol import Spec

Point = tuple[float, float]


class Part(BaseModel):
    """A piece of a spec: frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Thing(Part):
    """An object on the floor.

    Attributes:
        name: "<colour> <shape>", unique in the scene.
        shape, colour, material: what it looks like.
        size: radius or half extent (m).
        mass: kg. mu: coefficient of friction with the floor, both surfaces together.
        mu_roll, kappa: as in the world of `jaxphys.planar`.
        pos: start of the centre (m). vel: at the start (m/s). roll: rolling velocity of a sphere at the start (m/s).
        yaw: rad. spin: rad/s.
    """

    name: str = Field(min_length=1, max_length=60)
    shape: ShapeName
    colour: str
    material: MaterialName
    size: float = Field(gt=0)
    mass: float = Field(gt=0)
    mu: float = Field(ge=0)
    mu_roll: float = Field(default=0.0, ge=0)
    kappa: float = Field(default=0.0, ge=0)
    pos: Point
    vel: Point = (0.0, 0.0)
    roll: Point = (0.0, 0.0)
    yaw: float = 0.0
    spin: float = 0.0

    @model_validator(mode="after")
    def _known_colour(self) -> Self:
        if self.colour not in COLOURS:
            raise ValueError(f"colour: {self.colour!r} is unknown; choose from {', '.join(COLOURS)}")
        return self


class Wall(Part):
    """An upright wall: a box that nothing moves; centre and half extents on the floor, and its height (m)."""

    pos: Point
    half: Point
    height: float = Field(gt=0)
    yaw: float = 0.0


class Asked(Part):
    """How the sample is asked about, drawn with it.

    Attributes:
        query: a key of `queries.QUERIES`.
        template, wording: which text of the question and which wording of the options, counted modulo their number.
        order: the option that stands at each letter, as an index into `scenarios.MEANINGS` of the query.
        axis: unit vector that the question calls vertical (Wall).
    """

    query: str
    template: int = Field(ge=0)
    wording: int = Field(ge=0)
    order: tuple[int, int, int, int]
    axis: Point = (0.0, 1.0)

    @model_validator(mode="after")
    def _permutation(self) -> Self:
        if sorted(self.order) != [0, 1, 2, 3]:
            raise ValueError(f"order: {self.order} is no order of four options; give each of 0, 1, 2, 3 once")
        return self


class FilmSize(Part):
    """Frames of the film, frames per second, and pixels."""

    frames: int = Field(ge=2)
    fps: float = Field(gt=0)
    width_px: int = Field(ge=16)
    height_px: int = Field(ge=16)


class InPhyReSpec(Spec):
    """A drawn sample.

    Attributes:
        seed, scenario, index, attempt: with `pool`, the key of the random stream that the sample was drawn from.
        pool: it is an exemplar, never asked about.
        variant: "" as drawn; else what was changed afterwards, as part of the id.
        family: which kind of sample of its scenario it is, one of `Scenario.families` or of the varied preset's.
        preset: of the configuration.
        things: objects, the one asked about first. walls: after them.
        law, params: of A and what it meets (`other`), in `jaxphys.laws`; all other pairs obey the regular law.
        restitution: of the regular law.
        g: m/s². asked, film: how it is asked about and shown.
        max_events: event capacity.
        change_threshold, rotation_threshold, overlap_limit: of the labels (section 3.5).
        rejected: status words of the attempts before this one.
        status: status word that the screen gave this attempt; not zero when no attempt was accepted.
        config_hash: of the `InPhyReConfig` it was drawn with.
    """

    seed: int = Field(ge=0)
    scenario: str
    index: int = Field(ge=0)
    attempt: int = Field(default=0, ge=0)
    pool: bool = False
    variant: str = Field(default="", pattern="^[a-z0-9_]*$", max_length=40)
    family: str = "all"
    preset: Literal["published", "varied"] = "published"
    things: tuple[Thing, ...] = Field(min_length=1, max_length=8)
    walls: tuple[Wall, ...] = Field(default=(), max_length=2)
    law: str
    params: dict[str, float] = Field(default_factory=dict)
    restitution: float = Field(default=1.0, ge=0, le=1)
    g: float = Field(gt=0)
    asked: Asked
    film: FilmSize
    max_events: int = Field(default=16, ge=1)
    change_threshold: float = Field(default=0.02, gt=0)
    rotation_threshold: float = Field(default=0.1, gt=0)
    overlap_limit: float = Field(default=0.005, gt=0)
    rejected: tuple[int, ...] = ()
    status: int = Field(default=0, ge=0)
    config_hash: str = ""

    @property
    def id(self) -> str:
        """`LMC/scene_00012`, of an exemplar `LMC/exemplar_00003`; a variant follows after an underscore."""
        kind = "exemplar" if self.pool else "scene"
        return f"{self.scenario}/{kind}_{self.index:05d}" + (f"_{self.variant}" if self.variant else "")

    @property
    def n(self) -> int:
        """Number of bodies, walls included."""
        return len(self.things) + len(self.walls)

    @property
    def other(self) -> int:
        """Index of the body that A is to meet: the second one, or the first wall."""
        return len(self.things) if self.walls else 1

    @property
    def duration(self) -> float:
        """Length of the film (s)."""
        return self.film.frames / self.film.fps

    @model_validator(mode="after")
    def _sound(self) -> Self:
        names = [thing.name for thing in self.things]
        if len(set(names)) != len(names):
            raise ValueError(f"things: the names {names} are not unique; change a colour or a shape")
        if self.n < 2:
            raise ValueError("things: there is nothing to meet; give a second object or a wall")
        return self
