"""`jaxphys simulate ENGINE SCENE.json`: one scene from a file, its result as JSON.

What `planar` and `rigid` give is told in `jaxphys_adapters.planar_result` and `rigid_result`; `billiards` gives

    {"kind": "billiards_result", "units": "SI", "t": 3.0, "pos": [[x, y] or null, ...], "vel": [...],
     "events": [{"t", "kind", "ids", "pos", "wall", "pocket"}, ...], "q1": {"1": "T", ...}, "q2": {"TOP": "F", ...},
     "status": 0, "why": [], "backend", "made_with"}

where `pos` and `vel` of a pocketed ball are null. With `--times` the run ends at the last of these times instead of the
scene's end: `frames` holds the state at each of them, and everything else is about the last. A scene whose status is
not zero has no valid result: then q1 and q2 are null and the exit code is 1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import tyro

from jaxphys import billiards, planar
from jaxphys_adapters.environment import made_with
from jaxphys_adapters.options import parse_numbers
from jaxphys_adapters.output import deliver
from jaxphys_adapters.planar_file import read_planar_file
from jaxphys_adapters.planar_result import describe_planar
from jaxphys_adapters.progress import say
from jaxphys_adapters.scene_file import read_scene_file
from jaxphys_kernels.billiards.model import WALLS, Events, Kind, Trajectory
from jaxphys_kernels.status import describe

MOST_STEPS = 100_000_000
"""Steps of the stepped back end."""


@dataclass(frozen=True)
class Simulate:
    """Run one scene from a file and give its result as JSON."""

    engine: Annotated[Literal["billiards", "planar", "rigid"], tyro.conf.Positional]
    """The engine: billiards, planar for primitives with contact laws, or rigid for bodies in space."""
    scene: Annotated[Path, tyro.conf.Positional]
    """A JSON file: a billiards_scene, planar_scene or rigid_scene, or a scene of a data set (init.json, scene.json)."""
    times: str = ""
    """End at the last of these times (s), not of the scene, with the state at each: 0.5,1 or 0.1:3:30 (30 of them)."""
    backend: str = "auto"
    """auto, xla or stepped; billiards also compiled and readable; of rigid: auto, c or mjx."""
    dt: float = 1 / 240
    """Step of the stepped back end (s); a rigid scene says its own."""
    max_events: int | None = None
    """Event capacity, 1024 for billiards and 64 for planar; reaching it sets the status bit EVENT_CAP."""
    out: Path | None = None
    """Write the JSON here instead of to standard output."""


@dataclass(frozen=True)
class Engine:
    """What the command needs of an engine of events.

    Attributes:
        face: its module: `validate`, `rollout`, `resolve_backend` and `Rules`.
        read: scene file to world, state and end time. describe: trajectory and back end to the result.
        max_events: event capacity unless told otherwise.
    """

    face: Any
    read: Callable[[Path], tuple[Any, Any, float]]
    describe: Callable[[Any, str], dict[str, Any]]
    max_events: int

    def result(self, command: Simulate) -> dict[str, Any]:
        """Simulate the scene of a command."""
        max_events = self.max_events if command.max_events is None else command.max_events
        if not 0 < command.dt < np.inf or max_events < 1:
            raise ValueError(f"dt, max_events: {command.dt:g}, {max_events}; give a step > 0 s and at least 1 event")
        world, state, t_end = self.read(command.scene)
        times = _times(command, t_end)
        if command.backend == "stepped" and times.max() / command.dt > MOST_STEPS:
            raise ValueError(f"dt: {command.dt:g} s makes more than {MOST_STEPS} steps; give a longer step")
        self.face.validate(world, state, times)
        trajectory = self.face.rollout(
            world, state, times, rules=self.face.Rules(max_events=max_events), backend=command.backend, dt=command.dt
        )
        return self.describe(trajectory, self.face.resolve_backend(command.backend))


def _rigid_result(command: Simulate) -> dict[str, Any]:
    """Simulate the rigid scene of a command."""
    # Imported only here: MuJoCo comes with an extra.
    from jaxphys import rigid
    from jaxphys_adapters.rigid_file import read_rigid_file
    from jaxphys_adapters.rigid_result import describe_rigid

    scene = read_rigid_file(command.scene)
    times = _times(command, scene.t_end)
    if (times - scene.state.time).max() / scene.rules.step > MOST_STEPS:
        raise ValueError(f"t_end, times: more than {MOST_STEPS} steps of {scene.rules.step:g} s; give earlier times")
    trajectory = rigid.rollout(scene.world, scene.state, times, rules=scene.rules, backend=command.backend)
    return describe_rigid(scene.world, trajectory, rigid.resolve_backend(command.backend))


def _times(command: Simulate, t_end: float) -> np.ndarray:
    return np.array(parse_numbers("times", command.times) if command.times else (t_end,))


def run(command: Simulate) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError: the file, the times or the numbers are faulty.
        StorageError: `out` cannot be written.
    """
    result = ENGINES[command.engine](command)
    if not command.times:
        del result["frames"]
    deliver(result, command.out)
    for reason in result["why"]:
        say(f"jaxphys: no valid result: {reason}")
    return 1 if result["status"] else 0


def describe_result(trajectory: Trajectory, backend: str) -> dict[str, Any]:
    """The result of a batch of one scene, ready for JSON; non-finite numbers become null."""
    times = np.asarray(trajectory.times).reshape(-1)
    pos, vel, alive = (np.asarray(leaf)[0] for leaf in (trajectory.pos, trajectory.vel, trajectory.alive))
    frames = [
        {"t": float(t), "pos": _rows(pos[k], alive[k]), "vel": _rows(vel[k], alive[k])} for k, t in enumerate(times)
    ]
    status, end = int(np.asarray(trajectory.status)[0]), float(times[-1])
    first_hit, first_wall = np.asarray(trajectory.first_hit)[0], np.asarray(trajectory.first_wall)[0]
    return {
        "kind": "billiards_result",
        "units": "SI",
        "t": end,
        "pos": frames[-1]["pos"],
        "vel": frames[-1]["vel"],
        "events": [] if trajectory.events is None else _events(trajectory.events),
        "q1": None if status else {str(ball): _letter(first_hit[ball] <= end) for ball in range(1, len(first_hit))},
        "q2": None if status else {wall: _letter(t <= end) for wall, t in zip(WALLS, first_wall, strict=True)},
        "status": status,
        "why": describe(status),
        "frames": frames,
        "backend": backend,
        "made_with": made_with(),
    }


def _letter(answer: Any) -> str:
    return "T" if answer else "F"


def _rows(pairs: np.ndarray, alive: np.ndarray) -> list[list[float | None] | None]:
    """(n, 2) numbers as lists; null for a pocketed ball, and no -0.0."""
    return [
        [value + 0.0 if np.isfinite(value) else None for value in pair] if lives else None
        for pair, lives in zip(pairs.tolist(), alive.tolist(), strict=True)
    ]


def _events(events: Events) -> list[dict[str, Any]]:
    """The log of a batch of one scene, at the resolution of the simulation."""
    kinds, bodies = np.asarray(events.kind)[0], np.asarray(events.bodies)[0]
    listed = []
    for k in range(min(int(np.asarray(events.count)[0]), len(kinds))):
        kind, (first, second) = Kind(int(kinds[k])), bodies[k].tolist()
        balls = [first, second] if kind is Kind.BALL else [first]
        places = np.asarray(events.pos)[0, k, : len(balls)]
        entry = {
            "t": float(np.asarray(events.time)[0, k]),
            "kind": kind.name.lower(),
            "ids": balls,
            "pos": _rows(places, np.ones(len(balls), dtype=bool)),
        }
        if kind is Kind.WALL:
            entry["wall"] = WALLS[second]
        if kind is Kind.POCKET:
            entry["pocket"] = second
        listed.append(entry)
    return listed


ENGINES: Mapping[str, Callable[[Simulate], dict[str, Any]]] = {
    "billiards": Engine(billiards, read_scene_file, describe_result, 1024).result,
    "planar": Engine(planar, read_planar_file, describe_planar, 64).result,
    "rigid": _rigid_result,
}
