"""`Labels`: the ground truth of a sample, measured on its trajectory (InPhyRe specification, section 3.5)."""

from pydantic import BaseModel, ConfigDict, Field

Pair = tuple[float, float]


class Contact(BaseModel):
    """The first meeting of A with B or the wall, as it was simulated.

    Attributes:
        time: s. normal: unit vector from A. point: place (m).
        v_before, v_after: velocities of A and of the other (m/s). w_before, w_after: their spins (rad/s).
        look_before, look_after: whose appearance A and the other have, indices of bodies.
        through: from then on the two do not touch.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    time: float
    normal: Pair
    point: Pair
    v_before: tuple[Pair, Pair]
    v_after: tuple[Pair, Pair]
    w_before: Pair
    w_after: Pair
    look_before: tuple[int, int]
    look_after: tuple[int, int]
    through: bool


class Labels(BaseModel):
    """Ground truth.

    Attributes:
        status: a status word; not zero means that there is no ground truth.
        meaning: what happens to A, a key of the options of the sample's query; "" without ground truth.
        contact: None where A meets nothing.
        measured: the numbers behind the meaning, for example the ratio of speeds.
        events: number of events. end: place of every body at the end of the film (m).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: int = 0
    meaning: str = ""
    contact: Contact | None = None
    measured: dict[str, float] = Field(default_factory=dict)
    events: int = 0
    end: tuple[Pair, ...] = ()
