"""`jaxphys sweep BENCHMARK`: one scene at many values, and where the answer flips.

    OUT/sweep.json   axes, rates, and the values at which an answer changes
    OUT/sweep.npz    full results; leading axes in the order of `axes`
    OUT/sweep.png    the map of answers

The scene is drawn from a seed, or read from the scene file of a data set. All values run as one batch. Without
`--out` the facts go to standard output: as a table to a terminal, and as JSON to a file or program or with `--json`.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.console import Console

from jaxphys_adapters import atomic, frames, layout
from jaxphys_adapters.environment import made_with
from jaxphys_adapters.options import parse_numbers, parse_options
from jaxphys_adapters.output import deliver
from jaxphys_adapters.progress import say
from jaxphys_adapters.sweep_table import lines, table
from jaxphys_benchmarks.protocol import Benchmark, Spec, Sweep

MAX_POINTS = 2_000_000
AXIS_NAMES: Mapping[str, str] = {"speeds": "speed", "directions": "direction_deg", "windows": "window"}
"""Axis behind each of the options that have a name of their own."""


@dataclass(frozen=True)
class SweepScene:
    """Run one scene at many values and find where the answer flips."""

    benchmark: Annotated[str, tyro.conf.Positional]
    """Name of the benchmark, for example billiardphys or reacthuman."""
    scene: Path | None = None
    """File of a scene of a data set, init.json or scene.json; without it one is drawn."""
    seed: int = 0
    """Seed of the drawn scene."""
    id: str = ""
    """Id of the drawn scene, for example t3s/scene_00007 or object_drop/scene_00003; the first one if not given."""
    speeds: str = ""
    """Short for --axis speed=VALUES: 0.2,0.4,0.8 or 0.2:1.5:27 (first:last:count), in the unit of the benchmark."""
    directions: str = ""
    """Short for --axis direction_deg=VALUES, counterclockwise from the x axis, if there is one: 0,90 or 0:350:36."""
    windows: str = ""
    """Short for --axis window=VALUES, prediction windows (s), if there are any: 1,2,3,4,5."""
    axis: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    """An axis of the benchmark, as NAME=VALUES, for example mass=0.1:1:10; may be repeated; a wrong NAME lists them."""
    option: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    """Option of the benchmark for the drawn scene, as NAME=VALUE; may be repeated."""
    out: Path | None = None
    """Folder for sweep.json, sweep.npz and sweep.png."""
    json: bool = False
    """Print the facts as JSON on a terminal too, rather than as a table."""


def run(command: SweepScene) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError: unknown benchmark, scene or axis, or too many values.
        StorageError: `out` cannot be written.
    """
    from jaxphys_benchmarks import registry

    axes = read_axes(command)
    benchmark = registry.get(command.benchmark, **parse_options(command.option))
    spec = read_spec(benchmark, command.scene) if command.scene else draw_spec(benchmark, command.seed, command.id)
    swept = benchmark.sweep(spec, axes)
    facts = {
        "benchmark": benchmark.name,
        **swept.facts,
        "spec": spec.model_dump(mode="json"),
        "made_with": made_with(),
    }
    if command.out is None:
        if command.json or not sys.stdout.isatty():
            deliver(facts, None)
        else:
            _tell(swept)
        return 0
    store(command.out, facts, swept)
    say(f"wrote sweep.json, sweep.npz and sweep.png to {command.out}")
    return 0


def _tell(swept: Sweep) -> None:
    """Lines and a table for people, on standard output."""
    console = Console(highlight=False, markup=False)
    for line in lines(swept):
        console.print(line)
    console.print(table(swept))


def read_axes(command: SweepScene) -> dict[str, tuple[float, ...]]:
    """Values of every axis that was given.

    Raises:
        ValueError: none, one given twice, one that is no list of numbers, or too many values in all.
    """
    given = [(axis, getattr(command, option)) for option, axis in AXIS_NAMES.items() if getattr(command, option)]
    for pair in command.axis:
        name, equals, values = pair.partition("=")
        if not equals:
            raise ValueError(f"axis: {pair!r}; give NAME=VALUES, for example speed=0.2:1.5:27")
        given.append((name.strip(), values))
    axes: dict[str, tuple[float, ...]] = {}
    for name, values in given:
        if name in axes:
            raise ValueError(f"axis: {name} is given twice; give it once")
        axes[name] = parse_numbers(name, values)
    if not axes:
        raise ValueError("axis: none given; give for example --axis speed=0.5,1,2 or --speeds 0.2:1.5:27")
    if prod(map(len, axes.values())) > MAX_POINTS:
        raise ValueError(f"axis: {prod(map(len, axes.values()))} points; give at most {MAX_POINTS}")
    return axes


def read_spec(benchmark: Benchmark, path: Path) -> Spec:
    """The scene of a scene file.

    Raises:
        ValueError: the file cannot be read, or is no scene of the benchmark.
    """
    return benchmark.spec_type.model_validate(layout.read_json(path, constants=True))


def draw_spec(benchmark: Benchmark, seed: int, scene: str) -> Spec:
    """A scene drawn from a seed, by its id; the first one without an id.

    Raises:
        ValueError: a negative seed, or no scene of that id.
    """
    if seed < 0:
        raise ValueError(f"seed: {seed}; give a whole number >= 0")
    index = 0
    if scene:
        digits = scene.rpartition("_")[2]
        if not digits.isdecimal() or scene not in benchmark.ids([int(digits)]):
            raise ValueError(f"id: {scene!r} is no scene; give for example {benchmark.ids([0])[0]}")
        index = int(digits)
    specs = benchmark.sample(seed, index + 1, indices=[index])
    return next(spec for spec in specs if not scene or spec.id == scene)


def store(out: Path, facts: Mapping[str, Any], swept: Sweep) -> None:
    """Write the three files; each appears whole or not at all.

    Raises:
        StorageError: the folder cannot be written.
    """
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, axes=json.dumps(facts["axes"]), **dict(swept.arrays))
    atomic.make_folder(out)
    atomic.write(out / "sweep.npz", buffer.getvalue())
    atomic.write(out / "sweep.png", frames.png(swept.picture))
    atomic.write(out / "sweep.json", layout.to_json(facts))
