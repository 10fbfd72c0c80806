"""The question about pictures: frames per second of every renderer, and of the film writer.

The film is like those of InPhyRe: 480 × 320 pixels, a ball that rolls past a standing cube, so that no two frames are
equal. Only renderers that work here are asked; the ratio is to MuJoCo's OpenGL renderer in the same round.
"""

import functools
from collections.abc import Callable, Iterator

import numpy as np

from bench.billiards import Plan
from bench.harness import Contender, interleave
from bench.rows import Row
from jaxphys_adapters import stages, video
from jaxphys_benchmarks.stage import CLEVR_CAMERA, Look, Solid, Stage

BENCH = "pictures.rendering"
SIZE = (480, 320)
FRAMES = {"gl": 64, "warp": 4}
"""Of the film that each renderer draws; a slow one draws fewer."""


def film(frames: int) -> Stage:
    """A metal ball passes a rubber cube that spins."""
    times = np.arange(frames) / 25.6
    pos, quat = np.zeros((frames, 2, 3)), np.zeros((frames, 2, 4))
    pos[:, 0, 0], pos[:, 0, 1], pos[:, 1, 0] = 1.5 * times - 3, -1.5, 1.0
    pos[:, :, 2] = 0.35, 0.7
    quat[:, 0, 0] = 1
    quat[:, 1, 0], quat[:, 1, 3] = np.cos(times), np.sin(times)
    return Stage(
        width_px=SIZE[0],
        height_px=SIZE[1],
        camera=CLEVR_CAMERA,
        solids=(Solid("ball", "sphere", (0.35,) * 3), Solid("cube", "box", (0.7,) * 3)),
        times=times,
        pos=pos,
        quat=quat,
        looks=(Look("#ad2323", "metal"), Look("#29d0d0")),
        look=np.tile([0, 1], (frames, 1)),
    )


def rendering(plan: Plan) -> Iterator[Row]:
    """Frames per second by renderer, and of the encoder; first calls, which load and compile, apart."""
    contenders = []
    for name in stages.RENDERERS:
        if reason := stages.missing(name):
            yield Row(BENCH, f"{name}: speed", None, "frames/s", error=reason)
        else:
            shown = film(FRAMES[name])
            contenders.append(Contender(name, len(shown), functools.partial(stages.render, shown, name)))
    drawn = stages.render(film(32))
    contenders.append(Contender("mp4", len(drawn), functools.partial(video.mp4, drawn, 25.6)))
    timings = interleave(contenders, rounds=3 if plan.quick else 6)
    for name, timing in timings.items():
        if timing.error is not None:
            yield Row(BENCH, f"{name}: speed", None, "frames/s", error=timing.error)
            continue
        peer = "gl" if name == "warp" and "gl" in timings and timings["gl"].error is None else None
        yield Row(
            BENCH, f"{name}: speed", timing.rate, "frames/s", peer, timing.rate / timings[peer].rate if peer else None
        )
        yield Row(BENCH, f"{name}: per frame", 1e3 / timing.rate, "ms")
        yield Row(BENCH, f"{name}: first call", timing.first, "s")


QUESTIONS: dict[str, Callable[[Plan], Iterator[Row]]] = {"rendering": rendering}
