"""The benchmarks by name. A new one is a folder and one line here.

A benchmark is imported when it is asked for, so that one does not cost the start-up time of all.
"""

from importlib import import_module
from typing import Any, cast

from jaxphys_benchmarks.protocol import Benchmark

BENCHMARKS: dict[str, str] = {
    "billiardphys": "jaxphys_benchmarks.billiardphys.benchmark:BilliardPhys",
    "inphyre": "jaxphys_benchmarks.inphyre.benchmark:InPhyRe",
    "reacthuman": "jaxphys_benchmarks.reacthuman.benchmark:ReactHuman",
}
"""Name to `module:class`; the class takes the options of its `config_type`."""


def names() -> tuple[str, ...]:
    """Names of all benchmarks, sorted."""
    return tuple(sorted(BENCHMARKS))


def get(name: str, /, **options: Any) -> Benchmark:
    """The benchmark of that name, with these options of its configuration.

    Raises:
        ValueError: no such benchmark, or an option that it does not have.
    """
    if name not in BENCHMARKS:
        raise ValueError(f"benchmark: {name!r} is not known; choose one of {', '.join(names())}")
    module, _, attribute = BENCHMARKS[name].partition(":")
    return cast(Benchmark, getattr(import_module(module), attribute)(**options))
