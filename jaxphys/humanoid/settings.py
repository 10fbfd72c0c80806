"""What shapes a training, checked before any work; importing it costs nothing.

All values are assumed (humanoid specification, section 11.2), and kept because of what the student then did.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Self

HIDDEN = (512, 256, 128)
"""Widths of the hidden layers: 0.8 MB of weights."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What shapes the result of a training; all of it is assumed, chosen by what the student then did."""

    seed: int = 0
    """Of everything that is drawn."""
    rounds: int = 80
    """Rounds of running and learning."""
    robots: int = 160
    """Robots that run in a round."""
    seconds: float = 4.0
    """Length of a run after settling (s)."""
    updates: int = 1400
    """Updates of the network per round."""
    batch: int = 512
    """Observations per update."""
    hidden: tuple[int, ...] = HIDDEN
    """Widths of the hidden layers."""
    rate: float = 2e-2
    """Learning rate of the matrices at the start."""
    last_rate: float = 2e-4
    """Learning rate at the end, a cosine later."""
    averaging: float = 0.999
    """Decay of the averaged parameters per update."""
    led: float = 0.25
    """Share of the robots that the teacher drives."""
    moving: float = 0.25
    """Share of the robots that start in the middle of a motion of the round before."""
    replanned: float = 0.25
    """Share of the robots that get a second plan on the way."""
    candidates: int = 10
    """The last rounds, among which the validation plans choose."""

    def checked(self) -> Self:
        """Itself, if it makes sense.

        Raises:
            ValueError: names the field and what would do.
        """
        for name in ("rounds", "robots", "updates", "batch", "candidates"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: {getattr(self, name)}; give 1 or more")
        for name in ("led", "moving", "replanned"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}: {getattr(self, name)}; give a share from 0 to 1")
        if not 0 < self.last_rate <= self.rate:
            raise ValueError(f"last_rate: {self.last_rate}; give more than 0 and at most rate, {self.rate}")
        if not 0 <= self.averaging < 1:
            raise ValueError(f"averaging: {self.averaging}; give from 0 to below 1")
        if not self.seconds > 0:
            raise ValueError(f"seconds: {self.seconds}; give more than 0 s")
        return self

    def told(self) -> dict[str, Any]:
        """Ready for JSON."""
        names = [field.name for field in dataclasses.fields(Settings)]
        return {name: list(value) if isinstance(value := getattr(self, name), tuple) else value for name in names}
