"""The questions about pictures of hazards: frames per second of the query frames, and the published set end to end.

`hazard_frames`: the five query frames of one scene of each family, by view, size and renderer, against the bare
renderer on the same models. Bare means: models compiled beforehand, textures already with the driver, nothing but the
scene's update, the drawing and the reading of pixels (GL), or refit and rays (warp). Ours includes the making of the
model, the soft shadows on the floor and their upload. Ratios are medians of interleaved pairs.

`hazard_set`: 306 scenes sampled, drawn in three views, written, asked of two baselines and scored; seconds by stage and
MiB on disk per 1,000 scenes.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mujoco
import numpy as np

from bench.billiards import Plan
from bench.harness import Contender, pair
from bench.rows import Row
from jaxphys_adapters import cli, stage_floor, stage_gl, stage_model, stage_warp, stages
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.stage import Stage

BENCH, SET = "hazard.frames", "hazard.set"
VIEWS = ("egocentric", "observer", "overhead")
SIZES = {True: ((640, 360),), False: ((640, 360), (1280, 720))}
FEW = {"gl": 17, "warp": 2}
"""Scenes that a renderer draws; a slow one draws fewer."""
ROUNDS = {("gl", True): 3, ("gl", False): 7, ("warp", True): 3, ("warp", False): 3}
"""Interleaved pairs by renderer and quickness: the slow one takes half a minute for each."""
EACH = 18
"""Scenes of each family in the published evaluation."""


def hazard_frames(plan: Plan) -> Iterator[Row]:
    """Frames per second of each view, size and renderer, and over the bare renderer."""
    for width_px, height_px in SIZES[plan.quick]:
        benchmark = ReactHuman(size_px=(width_px, height_px))
        specs = benchmark.sample(0, 1)
        labels = benchmark.label(specs, *benchmark.simulate(specs))
        for view in VIEWS:
            shown = [
                benchmark.picture(spec, truth, View(f"{view}_film", frames=5))
                for spec, truth in zip(specs, labels, strict=True)
            ]
            for name, bare in (("gl", _bare_gl), ("warp", _bare_warp)):
                yield from _compared(f"{view} {width_px}x{height_px}", name, shown[: FEW[name]], bare, plan)


def _compared(
    what: str, name: str, shown: list[Stage], bare: Callable[[list[Stage]], Callable[[], object]], plan: Plan
) -> Iterator[Row]:
    if reason := stages.missing(name):
        yield Row(BENCH, f"{name} {what}", None, "frames/s", error=reason)
        return
    frames = sum(len(stage) for stage in shown)
    ours = Contender(f"{name} {what}", frames, lambda: [stages.render(stage, name) for stage in shown])
    peer = Contender(f"bare {name}", frames, bare(shown))
    found = pair(ours, peer, ROUNDS[name, plan.quick], 1.0)
    yield Row(BENCH, ours.name, found.rate, "frames/s", peer.name, found.ratio)


def _bare_gl(shown: list[Stage]) -> Callable[[], object]:
    """MuJoCo's own calls, on models compiled beforehand."""
    built = [stage_model.build(stage) for stage in shown]
    name = stage_gl.platform()
    if name is None:
        raise OSError(stage_gl.MISSING)
    width, height = shown[0].width_px, shown[0].height_px
    context = stage_gl._context_type(name)(width, height)
    option, camera = mujoco.MjvOption(), mujoco.MjvCamera()
    option.geomgroup[stage_model.BEYOND] = True
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    rect = mujoco.MjrRect(0, 0, width, height)
    scenes = []
    for stage, (model, _) in zip(shown, built, strict=True):
        scene = mujoco.MjvScene(model, maxgeom=model.ngeom + 8)
        for flag in stage_gl._OFF:
            scene.flags[flag] = False
        scene.flags[mujoco.mjtRndFlag.mjRND_SKYBOX] = stage_model.sees_horizon(stage)
        scenes.append(scene)
    with context.as_current():
        drawings = []
        for stage, (model, _) in zip(shown, built, strict=True):
            for number, pixels in zip(stage_model.FLOORS, stage_floor.textures(stage, 0), strict=True):
                stage_model.fill(model, number, pixels)
            drawings.append(mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50.value))
            mujoco.mjr_setBuffer(stage_gl._OFFSCREEN, drawings[-1])
    pixels = np.empty((height, width, 3), np.uint8)

    def run() -> object:
        with context.as_current():
            for stage, (model, data), scene, drawing in zip(shown, built, scenes, drawings, strict=True):
                for k in range(len(stage)):
                    stage_model.place(model, data, stage, k)
                    mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL.value, scene)
                    mujoco.mjr_render(rect, scene, drawing)
                    mujoco.mjr_readPixels(pixels, None, rect, drawing)
        return pixels

    return run


def _bare_warp(shown: list[Stage]) -> Callable[[], object]:
    """mujoco-warp's renderer with one context per scene, poses and colours put in frame by frame."""
    import mujoco_warp as mjw
    import warp as wp

    with stage_warp._quietly(wp), wp.ScopedDevice("cpu"):
        built = []
        for stage in shown:
            host, data = stage_model.build(stage, baked=True)
            context = mjw.create_render_context(
                host,
                cam_res=(stage.width_px, stage.height_px),
                render_rgb=True,
                render_depth=False,
                render_seg=False,
                samples_per_pixel=stage_warp.SAMPLES,
            )
            built.append((host, data, mjw.put_model(host), mjw.put_data(host, data), context))

    def run() -> object:
        found: list[Any] = []
        with stage_warp._quietly(wp), wp.ScopedDevice("cpu"):
            for stage, (host, data, model, there, context) in zip(shown, built, strict=True):
                for k in range(len(stage)):
                    stage_model.place(host, data, stage, k, baked=True)
                    there.geom_xpos.assign(data.geom_xpos[None])
                    there.geom_xmat.assign(data.geom_xmat.reshape(1, -1, 3, 3))
                    mjw.refit_bvh(model, there, context)
                    mjw.render(model, there, context)
                    found.append(context.rgb_data.numpy())
        return found

    return run


def hazard_set(plan: Plan) -> Iterator[Row]:
    """Seconds of every stage of the published set, by its own commands."""
    count = 2 if plan.quick else EACH
    scenes = 17 * count
    with TemporaryDirectory() as folder:
        root = Path(folder) / "set"
        steps = {
            "generate scenes, stills and films of three views": [
                "generate", "reacthuman", "--out", str(root), "--scenes", str(scenes), "--videos", "--quiet",
            ],
            **{
                f"ask and score {name}": [
                    "eval", "reacthuman", "--model", f"jaxphys/{name}", "--data", str(root), "--out", str(root / name),
                ]
                for name in ("oracle", "constant_velocity")
            },
            "report": ["report", str(root)],
        }  # fmt: skip
        for name, command in steps.items():
            clock = time.perf_counter()
            if code := cli.main(command):
                yield Row(SET, f"{name}, {scenes} scenes", None, "s", error=f"exit code {code}")
                return
            yield Row(SET, f"{name}, {scenes} scenes", time.perf_counter() - clock, "s")
            if name.startswith("generate"):
                size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
                yield Row(SET, "disk per 1,000 scenes", size / scenes * 1000 / 2**20, "MiB")


QUESTIONS: dict[str, Callable[[Plan], Iterator[Row]]] = {"hazard_frames": hazard_frames, "hazard_set": hazard_set}
