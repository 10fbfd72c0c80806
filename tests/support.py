"""What several tests need: stored cases, and one scene through the face of the core."""

import json
import pathlib
from typing import Any

import numpy as np

from jaxphys import billiards

CASES = pathlib.Path(__file__).parent / "cases"
R, A = 0.03, 0.0196


def cases(name: str) -> dict[str, dict[str, Any]]:
    """Stored cases of a file in tests/cases, by id."""
    return {case["id"]: case for case in json.loads((CASES / f"{name}.json").read_text())}


def roll(pos: Any, vel: Any, times: Any, *, backend: str = "auto", **scene: Any) -> billiards.Trajectory:
    """One scene given by lists; leaves keep the scene axis of 1."""
    world, state = billiards.make_scene(pos=[pos], vel=[vel], **scene)
    return billiards.rollout(world, state, np.atleast_1d(np.asarray(times, float)), backend=backend)


def names(events: billiards.Events, scene: int = 0) -> list[tuple[str, tuple[int, ...]]]:
    """Kinds and bodies of the events of one scene of a batch, in order."""
    count = min(int(events.count[scene]), events.kind.shape[1])
    kinds = [billiards.Kind(int(k)).name.lower() for k in events.kind[scene][:count]]
    return [(k, tuple(int(b) for b in pair if b >= 0)) for k, pair in zip(kinds, events.bodies[scene], strict=False)]


def kinetic(vel: Any, mass: Any = 1.0) -> np.ndarray:
    """Kinetic energy, summed over the last two axes."""
    return 0.5 * np.sum(np.asarray(mass)[..., None] * np.square(vel), axis=(-2, -1))
