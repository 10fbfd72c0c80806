"""`jaxphys calibrate`: the numbers that set the difficulty of a benchmark, measured anew for a configuration."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from jaxphys_adapters.environment import made_with
from jaxphys_adapters.options import parse_options
from jaxphys_adapters.output import deliver
from jaxphys_adapters.progress import say


@dataclass(frozen=True)
class Calibrate:
    """Measure the numbers that set the difficulty.

    billiardphys: the speeds of a 50 % hit rate; inphyre: how often the commonest answer is right; reacthuman: events,
    accepted groups and times to impact by family.
    """

    benchmark: Annotated[str, tyro.conf.Positional]
    """Name of the benchmark: billiardphys, inphyre or reacthuman."""
    windows: str = ""
    """Prediction windows in seconds, for example 1,2,3,4,5; only of benchmarks that have any."""
    option: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    """Any other option of the benchmark, as NAME=VALUE, for example families=rolling_ball; may be repeated."""
    out: Path | None = None
    """Write the JSON here instead of to standard output."""


def run(command: Calibrate) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError: unknown benchmark or bad option.
    """
    from jaxphys_benchmarks import registry

    options = parse_options(command.option, windows=command.windows)
    benchmark = registry.get(command.benchmark, **options)
    numbers = benchmark.calibrate()
    content = {
        "benchmark": benchmark.name,
        "options": {name: json.loads(json.dumps(value)) for name, value in options.items()},
        "numbers": numbers,
        "made_with": made_with(),
    }
    deliver(content, command.out)
    if command.out is not None:
        for name, value in numbers.items():
            say(f"  {name:<12} {value:.4g}")
    return 0
