"""Which scene `jaxphys view` is about, and its replays: the scene itself, and its counterfactual group.

A scene is a scene file of `jaxphys simulate`, a scene of a data set (its folder or its file), or drawn anew from the
name of a benchmark. Public: `Watched`, `watched`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from jaxphys_adapters import layout
from jaxphys_adapters.progress import say
from jaxphys_adapters.sweep import draw_spec
from jaxphys_adapters.view_engines import KINDS, engine_replay
from jaxphys_adapters.view_executed import carried_out
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.protocol import OWN, Benchmark, Spec
from jaxphys_benchmarks.replay import FPS, Replay, Replayed
from jaxphys_kernels.status import describe

SCENE_FILES = ("scene.json", "init.json")
"""Files in the folder of a scene that say all of it."""


@dataclass(frozen=True)
class Watched:
    """What is to be watched.

    Attributes:
        name: of the scene. title: for people. replays: by name, the one to start with first.
    """

    name: str
    title: str
    replays: Mapping[str, Replay]


def watched(
    scene: str,
    *,
    id: str = "",
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    variants: bool = True,
    fps: float = FPS,
    executed: Path | None = None,
) -> Watched:
    """The replays of a scene.

    Args:
        scene: a file, the folder of a scene, or the name of a benchmark. id, seed: of a scene drawn from the name.
        options: of the benchmark. variants: the counterfactual group too. fps: frames per second.
        executed: folder of executed answers, one of which is about the scene.

    Raises:
        ValueError: there is no such scene, it is faulty, cannot be replayed, or nothing was executed in it.
    """
    path = Path(scene)
    if not path.exists():
        if scene not in registry.names():
            raise ValueError(f"scene: {scene}: no such file or folder, nor one of {', '.join(registry.names())}")
        benchmark = registry.get(scene, **(options or {}))
        return _of(benchmark, draw_spec(benchmark, seed, id), variants, fps, executed)
    if id:
        raise ValueError(
            f"id: {id} is for a scene drawn from the name of a benchmark, and {scene} is there; leave it out"
        )
    file = _file(path)
    content = layout.read_json(file, constants=True)
    kind = content.get("kind")
    if kind is None:
        benchmark, spec = _read(file, content, options or {})
        return _of(benchmark, spec, variants, fps, executed)
    if executed is not None:
        raise ValueError(
            f"executed: {file} is no scene of a benchmark, and no answer was carried out in it; leave it out"
        )
    if kind not in KINDS:
        raise ValueError(f"{file}: kind: {kind!r} is unknown; give one of {', '.join(KINDS)}")
    return Watched(file.stem, f"{file.stem}: {kind.replace('_', ' ')}", {OWN: engine_replay(file, kind, fps=fps)})


def _file(path: Path) -> Path:
    """The file of a scene that is given by its folder.

    Raises:
        ValueError: the folder holds no scene.
    """
    if not path.is_dir():
        return path
    found = next((path / name for name in SCENE_FILES if (path / name).is_file()), None)
    if found is None:
        inside = layout.scene_ids(path)
        example = f"; give one of its scenes, for example {path / inside[0]}" if inside else ""
        raise ValueError(f"{path}: holds none of {', '.join(SCENE_FILES)}{example}")
    return found


def _read(file: Path, content: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[Benchmark, Spec]:
    """A stored scene, with the benchmark as its data set was configured.

    Raises:
        ValueError: it is no scene of any benchmark.
    """
    home = _data_set(file)
    if home is not None:
        benchmark = registry.get(home.benchmark, **{**home.config["options"], **options})
        return benchmark, benchmark.spec_type.model_validate(content)
    faults: list[ValidationError] = []
    for name in registry.names():
        benchmark = registry.get(name)
        try:
            spec = benchmark.spec_type.model_validate(content)
        except ValidationError as fault:
            faults.append(fault)
        else:
            return (registry.get(name, **options) if options else benchmark), spec
    # The benchmark that it fits best can say best what is wrong.
    raise min(faults, key=lambda fault: fault.error_count())


def _data_set(file: Path) -> layout.DataSet | None:
    """The data set that a scene file lies in, as `<group>/scene_<idx>/<file>`."""
    parents = file.resolve().parents
    if len(parents) < 3 or not (parents[2] / layout.CONFIG).is_file():
        return None
    return layout.open_data_set(parents[2])


def _of(benchmark: Benchmark, spec: Spec, variants: bool, fps: float, executed: Path | None) -> Watched:
    if not isinstance(benchmark, Replayed):
        raise ValueError(f"{benchmark.name}: its scenes cannot be replayed")
    shown = {OWN: _replay(benchmark, benchmark, spec, fps)}
    for name, variant in _variants(benchmark, spec).items() if variants else ():
        made = _replay(benchmark, benchmark, variant, fps)
        if _alike(made, shown.get(OWN)):
            # The scene as drawn is one of its group: call it by that name, and let it stay the first.
            shown = {name: made} | {other: one for other, one in shown.items() if other != OWN}
        else:
            shown[name] = made
    if executed is not None:
        shown = carried_out(benchmark, spec, executed, fps) | shown
    return Watched(spec.id, f"{benchmark.title}: {spec.id}", shown)


def _variants(benchmark: Benchmark, spec: Spec) -> Mapping[str, Spec]:
    """The counterfactual group, without the scene itself; empty where it cannot be made, which is told."""
    try:
        found = benchmark.variants(spec)
    except ValueError as fault:
        say(f"left out the variants: {fault}")
        return {}
    return {name: one for name, one in found.items() if name != OWN}


def _replay(benchmark: Benchmark, replayed: Replayed, spec: Spec, fps: float) -> Replay:
    (labels,) = benchmark.label([spec], *benchmark.simulate([spec]))
    status = benchmark.statuses(spec, labels)[-1]
    made = replayed.replay(spec, None if status else labels, fps=fps)
    faults = {"no ground truth": "; ".join(describe(status))} if status else {}
    return replace(made, facts={**made.facts, **faults})


def _alike(one: Replay, other: Replay | None) -> bool:
    """Whether two replays show the same motion."""
    if other is None or one.stage.solids != other.stage.solids:
        return False
    pairs = ((getattr(one.stage, name), getattr(other.stage, name)) for name in ("pos", "quat", "look"))
    return all(np.array_equal(a, b) for a, b in pairs)
