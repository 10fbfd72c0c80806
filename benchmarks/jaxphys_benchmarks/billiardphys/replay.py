"""The replay of a scene: its balls rolling on a table with cushions (see `jaxphys_benchmarks.stage_table`)."""

import numpy as np

from jaxphys_benchmarks.billiardphys.labels import Labels
from jaxphys_benchmarks.billiardphys.lower import lower, rules_of
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec
from jaxphys_benchmarks.replay import FPS, Replay
from jaxphys_benchmarks.stage_table import ball_name, table_stage


def replay(spec: BilliardSpec, labels: Labels | None, *, fps: float = FPS) -> Replay:
    """The motion from the stroke to the end of the window.

    Args:
        spec: the scene. labels: for the facts. fps: frames per second.
    """
    world, state = lower([spec])
    stage, _ = table_stage(world, state, spec.t, rules_of([spec]), fps)
    facts = {
        "cue ball": f"0, {spec.cue.v0:.4g} m/s towards {np.degrees(spec.cue.angle):.1f}°",
        "table": f"{spec.table.W:g} × {spec.table.H:g} m, {spec.n} balls, friction {spec.mu:g}",
        "window": f"{spec.t:g} s",
    }
    if labels is not None:
        facts["hits balls"] = ", ".join(map(str, sorted(labels.hit_balls))) or "none"
        facts["hits walls"] = ", ".join(sorted(labels.hit_walls)) or "none"
    return Replay(stage, {"table": stage.camera}, facts, {ball_name(k): str(k) for k in range(spec.n)})
