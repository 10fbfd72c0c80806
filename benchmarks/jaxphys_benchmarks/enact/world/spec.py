"""What an episode is drawn from: nothing but this and the configuration decides its bits (ENACT specification, 14)."""

import hashlib
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

Hands = Literal["alternate", "right", "left"]
HANDS: tuple[Hands, ...] = ("alternate", "right", "left")

SEEDS = 10**9
"""Seeds are below it."""


class EpisodeSpec(BaseModel):
    """One episode.

    Attributes:
        activity: name of the activity. seed: of placement and timing.
        hands: which hands do what one hand can do. mirrored: left and right of the house and the hands are exchanged.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    activity: str = Field(min_length=1, pattern=r"^[A-Za-z][A-Za-z0-9_]*[A-Za-z0-9]$")
    seed: int = Field(default=0, ge=0, lt=SEEDS)
    hands: Hands = "alternate"
    mirrored: bool = False

    @property
    def task_name(self) -> str:
        """`{activity}_{16 digits}`: the digits tell the hands, the side and the seed, in place of a time stamp."""
        # Nothing in the digits may tell which questions are asked of an episode: they are its recipe and no more.
        return f"{self.activity}_{1 + HANDS.index(self.hands)}{int(self.mirrored)}{self.seed:014d}"

    def rng(self, *purpose: object) -> np.random.Generator:
        """A generator for one purpose, the same in every process whatever was drawn before."""
        # Mirror images are drawn alike.
        text = "/".join(map(str, (self.activity, self.seed, *purpose)))
        return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big"))


def spec_of(task_name: str) -> EpisodeSpec:
    """The episode of a task name.

    Raises:
        ValueError: it is not one of ours.
    """
    activity, _, digits = task_name.rpartition("_")
    if (
        len(digits) != 16
        or not digits.isascii()
        or not digits.isdigit()
        or digits[0] not in "123"
        or digits[1] not in "01"
    ):
        raise ValueError(f"task name {task_name!r}: give one such as {EpisodeSpec(activity='chopping_wood').task_name}")
    return EpisodeSpec(
        activity=activity, seed=int(digits[2:]), hands=HANDS[int(digits[0]) - 1], mirrored=digits[1] == "1"
    )
