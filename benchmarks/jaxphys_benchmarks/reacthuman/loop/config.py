"""`LoopConfig`: how often a robot looks again, and what thinking costs it, each with its provenance.

ReactHuman specification, section 17, item 6. SI units.
"""

import math
from typing import Literal, Self

from pydantic import Field, model_validator

from jaxphys_benchmarks.reacthuman.config_fields import ASSUMED, Fields
from jaxphys_benchmarks.reacthuman.execution.config import TICK, ExecutionConfig

ROUNDING = 1e-6
"""Share of a tick, or of a round, by which a quotient of times may be off."""
LATEST = 1e6
"""Longer than any run (s): what takes so long never takes effect."""


class LoopConfig(Fields):
    """When a policy is asked, and when what it answers takes effect."""

    every: float = Field(
        default=0.2, ge=TICK, le=10, description="time between two observations (s), to the nearest tick of the"
        " controller", json_schema_extra=ASSUMED,
    )  # fmt: skip
    latency: float | Literal["measured"] = Field(
        default=0.0, description="simulated time from an observation until its answer takes effect (s), or measured:"
        " as long as the answer took", json_schema_extra=ASSUMED,
    )  # fmt: skip
    until: float = Field(
        default=2.0, ge=0, le=60, description="last time at which the policy is asked, from the freeze (s)",
        json_schema_extra=ASSUMED,
    )  # fmt: skip
    execution: ExecutionConfig = Field(
        default=ExecutionConfig(), description="how plans are carried out", json_schema_extra=ASSUMED
    )

    @model_validator(mode="after")
    def _late(self) -> Self:
        if not isinstance(self.latency, str) and self.latency < 0:
            raise ValueError(f"latency: {self.latency}; give a time >= 0 (s), or measured")
        return self

    @property
    def schedule(self) -> tuple[int, ...]:
        """Ticks of the rounds, `every` apart on the whole."""
        rounds = range(int(self.until / self.every + ROUNDING) + 1)
        ticks = dict.fromkeys(round(number * self.every / TICK) for number in rounds)
        return tuple(tick for tick in ticks if tick < self.execution.ticks)

    def ticks_of(self, seconds: float) -> int:
        """Ticks of the controller in some time, rounded up: an answer is never early."""
        return max(0, math.ceil(min(seconds, LATEST) / TICK - ROUNDING))
