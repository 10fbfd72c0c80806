"""The benchmarks by name. A new one is a folder and one line here.

A benchmark is imported when it is asked for, so that one does not cost the start-up time of all.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, cast

from pydantic import ValidationError

from jaxphys_benchmarks.protocol import Benchmark
from jaxphys_benchmarks.spelling import choose, nearest

BENCHMARKS: dict[str, str] = {
    "billiardphys": "jaxphys_benchmarks.billiardphys.benchmark:BilliardPhys",
    "inphyre": "jaxphys_benchmarks.inphyre.benchmark:InPhyRe",
    "reacthuman": "jaxphys_benchmarks.reacthuman.benchmark:ReactHuman",
}
"""Name to `module:class`; the class takes the options of its `config_type`."""

EPISODIC: tuple[str, ...] = ("enact",)
"""Benchmarks that ask about episodes, not independent scenes: they have commands of their own, and no object here."""


def names() -> tuple[str, ...]:
    """Names of all benchmarks that have an object, sorted."""
    return tuple(sorted(BENCHMARKS))


def everything() -> tuple[str, ...]:
    """Names of all benchmarks, sorted."""
    return tuple(sorted((*BENCHMARKS, *EPISODIC)))


def get(name: str, /, **options: Any) -> Benchmark:
    """The benchmark of that name, with these options of its configuration.

    Raises:
        ValueError: no such benchmark, or an option that it does not have.
    """
    if name in EPISODIC:
        raise ValueError(f"benchmark: {name} has commands of its own, for example `jaxphys generate {name}`")
    if name not in BENCHMARKS:
        raise ValueError(f"benchmark: {name!r} is not known; {choose(name, everything())}")
    module, _, attribute = BENCHMARKS[name].partition(":")
    made_by = getattr(import_module(module), attribute)
    try:
        return cast(Benchmark, made_by(**options))
    except ValidationError as error:
        meant = _meant(error, list(made_by.config_type.model_fields))
        if meant:
            raise ValueError(meant) from error
        raise


def _meant(error: ValidationError, fields: Sequence[str]) -> str:
    """Which field was meant by the first option that is none; empty where none is like it."""
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        near = nearest(str(fault["loc"][0]), fields) if fault["type"] == "extra_forbidden" else ()
        if near and len(fault["loc"]) == 1:
            return f"{fault['loc'][0]}: no such field; did you mean {near[0]}?"
    return ""
