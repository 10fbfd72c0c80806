"""Pixels and boxes of bodies by rays: the same numbers as counting each body alone, and as its drawn picture."""

from dataclasses import replace

import numpy as np
import pytest

from jaxphys_benchmarks.stage import Camera, Look, Solid, Stage
from jaxphys_benchmarks.visible import visible_px
from jaxphys_benchmarks.visible_bodies import seen_bodies

SIZE = 96


def stage(frames: int = 2) -> Stage:
    """A mug of two solids before a box, a ball half below the floor, and a wall that is nobody's."""
    solids = (
        Solid("mug", "tube", (0.3, 0.3, 0.4), of="mug"),
        Solid("handle", "box", (0.2, 0.05, 0.1), of="mug"),
        Solid("box", "box", (0.8, 0.2, 0.5), of="box"),
        Solid("ball", "sphere", (0.4, 0.4, 0.4), of="ball"),
        Solid("wall", "box", (0.1, 0.5, 1.0)),
    )
    pos = np.tile(
        [[0, -0.5, 0.4], [0.4, -0.5, 0.4], [0, 0.5, 0.5], [-0.9, -0.2, 0.0], [1.0, -0.6, 1.0]], (frames, 1, 1)
    )
    pos[-1, 0] += (0.1, 0.0, 0.2)
    quat = np.tile([1.0, 0, 0, 0], (frames, len(solids), 1))
    camera = Camera((0.3, -3.0, 1.2), (0.0, 0.0, 0.4), 45.0)
    look = np.tile([0, 0, 1, 0, 0], (frames, 1))
    return Stage(
        SIZE, SIZE, camera, solids, np.arange(frames) / 30, pos, quat, (Look("#808080"), Look("#c02020")), look
    )


def test_every_body_has_the_pixels_that_it_has_alone() -> None:
    shown = stage()
    found = seen_bodies(shown, ["mug", "box", "ball", "ghost"])
    for k, body in enumerate(("mug", "box", "ball")):
        alone = visible_px(shown, shown.parts(body), samples=SIZE * SIZE)
        np.testing.assert_array_equal(found[:, k, 0], alone)
        assert (alone > 50).all()
    assert (found[:, 3, 0] == 0).all()
    assert (found[:, 3, 1:] == -1).all()


def test_boxes_hold_the_pixels_and_no_more() -> None:
    shown = stage(1)
    (row,) = seen_bodies(shown, ["ball"])[0]
    pixels, left, top, right, bottom = (int(value) for value in row)
    assert 0 <= left < right < SIZE
    assert 0 <= top < bottom < SIZE
    assert pixels <= (right - left + 1) * (bottom - top + 1)
    middle = shown.camera.project(shown.pos[0, 3], SIZE, SIZE)
    assert left <= middle[0] <= right
    # Half of the ball is below the floor, which hides it.
    assert (right - left) > 1.15 * (bottom - top)


def test_counts_agree_with_a_drawn_picture() -> None:
    stages = pytest.importorskip("jaxphys_adapters.stages")
    if stages.missing("gl"):
        pytest.skip("no OpenGL here")
    shown = stage(1)
    without = stages.render(replace(shown.without(["box"]), shadows=False), "gl")[0].astype(int)
    with_it = stages.render(replace(shown, shadows=False), "gl")[0].astype(int)
    changed = int((np.abs(without - with_it).sum(-1) > 75).sum())  # edges are smoothed
    (row,) = seen_bodies(shown, ["box"])[0]
    assert row[0] == pytest.approx(changed, rel=0.05)
