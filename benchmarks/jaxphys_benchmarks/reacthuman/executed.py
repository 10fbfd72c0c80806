"""Pictures, films and replays of a scene in which the robot acts (ReactHuman specification, section 14).

Made of a `Motion` alone: where robot and bodies were. Cameras that look on hold the robot wherever it goes; that of the
head rides on it, and sees its arms, legs and hands. Public: `executed_picture`, `executed_replay`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman.cameras import KINDS, ROBOT_HEIGHT, camera
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.head import head_cameras
from jaxphys_benchmarks.reacthuman.labels import Labels, Track
from jaxphys_benchmarks.reacthuman.picture import FILM_MARK, UNSEEN, spread, staged
from jaxphys_benchmarks.reacthuman.replay import around, facts
from jaxphys_benchmarks.reacthuman.robot import HEAD, posed, skin
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.replay import FPS, Replay, frame_times
from jaxphys_benchmarks.stage import Camera, Stage

REACH = 0.3
"""How far around its pelvis the robot is kept in the picture (m)."""


def executed_picture(spec: ReactHumanSpec, motion: Motion, view: View, config: ReactHumanConfig | None = None) -> Stage:
    """A picture or film of a robot that acts.

    Args:
        spec: the scene. motion: of the robot and the bodies of the scene, at any times.
        view: "<camera>_film" shows `view.frames` of the motion, spread evenly; "<camera>" its last frame.
        config: for the size of frames and own objects; None: the default.

    Raises:
        ValueError: an unknown camera, more frames than there are, a scale that leaves no pixel, or poses that are none.
    """
    config = config or ReactHumanConfig()
    width_px, height_px = (round(side * view.scale) for side in config.size_px)
    if min(width_px, height_px) < 1:
        raise ValueError(f"view: scale {view.scale:g} leaves no pixel; give a larger one")
    there = len(motion.times)
    if view.kind.endswith(FILM_MARK):
        if not 1 <= view.frames <= there:
            raise ValueError(f"view: {view.frames} frames; the motion of {spec.id} has {there}")
        frames = spread(there, view.frames)
    else:
        frames = [there - 1]
    kind, aspect = view.kind.removesuffix(FILM_MARK), width_px / height_px
    stage = _staged(spec, motion, frames, _camera(spec, kind, aspect, motion), (width_px, height_px), config)
    if kind != UNSEEN:
        return stage
    riding = head_cameras(spec, np.asarray(motion.robot)[frames], aspect)
    return replace(stage.without({HEAD}), camera=riding[0], cameras=riding)


def executed_replay(
    spec: ReactHumanSpec,
    labels: Labels | None,
    motion: Motion,
    told: Mapping[str, str] | None = None,
    *,
    fps: float = FPS,
    config: ReactHumanConfig | None = None,
) -> Replay:
    """A robot that acts, to be watched from all sides.

    Args:
        spec: the scene. labels: for the facts. motion: frames evenly apart, of which every so manieth is shown.
        told: facts to be put before those of the scene, such as what came of it.
        fps: frames per second, at about which it is shown. config: for own objects; None: the default.

    Raises:
        ValueError: `fps` is not positive or too large, or poses are none.
    """
    config = config or ReactHumanConfig()
    times = np.asarray(motion.times)
    frame_times(0.0, float(times[-1] - times[0]), fps)
    step = float(times[-1] - times[0]) / max(len(times) - 1, 1)
    frames = range(0, len(times), min(max(1, round(1 / max(fps * step, 1e-9))), len(times)))
    aspect = config.size_px[0] / config.size_px[1]
    cameras = {kind: _camera(spec, kind, aspect, motion) for kind in KINDS}
    # Where a camera cannot ride along, it looks from where the head was at first.
    cameras[UNSEEN] = head_cameras(spec, np.asarray(motion.robot)[:1], aspect)[0]
    stage = _staged(spec, motion, frames, cameras[UNSEEN], config.size_px, config)
    shown = "models see what was before it; the robot begins when time goes on"
    return Replay(
        stage,
        cameras,
        {**(told or {}), **facts(spec, labels)},
        around=around(stage),
        hidden={UNSEEN: frozenset({HEAD})},
        shown=shown,
    )


def _camera(spec: ReactHumanSpec, kind: str, aspect: float, motion: Motion) -> Camera:
    """A camera that has the robot in the picture from first to last."""
    robot = np.asarray(motion.robot)
    if robot.ndim != 2 or robot.shape[1] < 2:
        raise ValueError(f"robot: poses have shape {robot.shape}; give (frames, 36)")
    low, high = robot[:, :2].min(axis=0) - REACH, robot[:, :2].max(axis=0) + REACH
    corners = [np.array([x, y, z]) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (0.0, ROBOT_HEIGHT)]
    return camera(spec, kind, aspect, corners)


def _staged(
    spec: ReactHumanSpec,
    motion: Motion,
    frames: Sequence[int],
    eye: Camera,
    size_px: tuple[int, int],
    config: ReactHumanConfig,
) -> Stage:
    """Some frames of a motion, with the robot in them."""
    track, poses = _track(spec, motion, frames), np.asarray(motion.robot)[frames]
    every = range(len(frames))
    stage = staged(spec, track, every, eye, size_px, config, figure=False, robot=posed(poses))
    return replace(stage, skin=skin(poses))


def _track(spec: ReactHumanSpec, motion: Motion, frames: Sequence[int]) -> Track:
    """The bodies in some frames of a motion; rows beyond those of the scene stand for nothing."""
    n, there = len(spec.scene.things), np.shape(motion.pos)[1]
    if there < n:
        raise ValueError(f"pos: {there} bodies move, but {spec.id} has {n}; this is the motion of another scene")
    leaves = {name: np.asarray(getattr(motion, name))[frames][:, :n] for name in ("pos", "quat")}
    rates = {name: np.zeros_like(leaves["pos"]) for name in ("vel", "omega")}
    lists = {name: leaf.tolist() for name, leaf in {**leaves, **rates}.items()}
    return Track.model_validate({"times": np.asarray(motion.times)[frames].tolist(), **lists})
