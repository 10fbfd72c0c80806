"""The replay of a scene: everything that was simulated, from the release or the first observed frame to the horizon.

The robot stands where it stands and does nothing; ground truth is simulated without it (ReactHuman specification,
section 2). A scene that is observed before its release rests until then.
"""

import re

import numpy as np

from jaxphys_benchmarks.reacthuman import figure
from jaxphys_benchmarks.reacthuman.cameras import KINDS, camera
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Labels, Track
from jaxphys_benchmarks.reacthuman.picture import UNSEEN, staged
from jaxphys_benchmarks.reacthuman.simulate import simulate
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.tracking import story
from jaxphys_benchmarks.reacthuman.verdict import NAMES
from jaxphys_benchmarks.replay import FPS, Replay, frame_times
from jaxphys_benchmarks.stage import Stage

AROUND = re.compile(r"wall|room (?!.* furniture ).*")
"""Names of what stands around a scene: the room, but for the furniture in it, and a wall that is part of the scene."""


def replay(
    spec: ReactHumanSpec, labels: Labels | None, *, fps: float = FPS, config: ReactHumanConfig | None = None
) -> Replay:
    """The motion of a scene.

    Args:
        spec: the scene. labels: for the facts. fps: every so manieth recorded step is shown.
        config: for the size of frames and own objects; None: the default.

    Raises:
        ValueError: `fps` is not positive, or too large.
    """
    config = config or ReactHumanConfig()
    frame_times(0.0, spec.scene.horizon, fps)
    whole = whole_track(spec, fps)
    aspect = config.size_px[0] / config.size_px[1]
    cameras = {kind: camera(spec, kind, aspect) for kind in KINDS}
    # Seen from the robot's head, no wall hides the scene, so all of them are there.
    stage = staged(spec, whole, range(len(whole.times)), cameras[UNSEEN], config.size_px, config, figure=True)
    # The frames that models see from the head never have the robot in them.
    hidden = {UNSEEN: frozenset({figure.NAME})}
    return Replay(stage, cameras, facts(spec, labels), around=around(stage), hidden=hidden, shown=shown(spec, fps))


def around(stage: Stage) -> frozenset[str]:
    """Names of the solids that stand around a scene."""
    return frozenset(solid.name for solid in stage.solids if AROUND.fullmatch(solid.name))


def steps_of(spec: ReactHumanSpec, fps: float = FPS) -> np.ndarray:
    """(f,) recorded steps of the frames of the whole motion, counted from the release."""
    stride = max(1, round(1 / (fps * spec.physics.dt)))
    return np.arange(min(spec.timing.t0_step, 0), round(spec.scene.horizon / spec.physics.dt) + 1, stride)


def whole_track(spec: ReactHumanSpec, fps: float = FPS) -> Track:
    """The bodies at frames from the start to the horizon, simulated anew."""
    (run,) = simulate([spec])
    told, n = story(run), len(spec.scene.things)
    steps = steps_of(spec, fps)
    rests = (steps < 0)[:, None, None]
    state = np.maximum(steps, 0)
    places = {name: getattr(told, name)[0, state, :n] for name in ("pos", "quat")}
    rates = {name: np.where(rests, 0.0, getattr(told, name)[0, state, :n]) for name in ("vel", "omega")}
    leaves = {name: np.round(leaf, 6).tolist() for name, leaf in {**places, **rates}.items()}
    return Track.model_validate({"times": (steps * spec.physics.dt).tolist(), **leaves})


def shown(spec: ReactHumanSpec, fps: float = FPS) -> str:
    """How much of a replay a model is shown, for people."""
    begin = steps_of(spec, fps)[0]
    first, last = ((step - begin) * spec.physics.dt for step in (spec.timing.t0_step, spec.timing.freeze_step))
    return f"models see {first:.2f} to {last:.2f} s of it; then time is frozen"


def facts(spec: ReactHumanSpec, labels: Labels | None) -> dict[str, str]:
    """What there is to know of a scene, for people."""
    tracked = next(thing for thing in spec.scene.things if thing.name == spec.tracked)
    first, last = (step * spec.physics.dt for step in (spec.timing.t0_step, spec.timing.freeze_step))
    told = {
        "family": spec.family.replace("_", " "),
        "object": spec.object.replace("_", " ") + (", which is not what it looks like" if spec.adversarial else ""),
        "mass": f"{tracked.mass:.3g} kg",
        "speed band": spec.band.replace("_", " "),
        "observed": f"{first:.2f} to {last:.2f} s after the release",
    }
    if labels is None or labels.correct_action is None:
        return told
    told["what to do"] = NAMES[labels.correct_action]
    if labels.impact_point is not None and labels.t_imp is not None:
        place = ", ".join(f"{value:.2f}" for value in labels.impact_point)
        told["impact"] = f"{labels.impact_kind.replace('_', ' ')} at {labels.t_imp:.2f} s, ({place}) m"
    if labels.clearance is not None:
        told["nearest to the robot"] = f"{labels.clearance:.2f} m"
    return told
