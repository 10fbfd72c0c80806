"""Pixels counted by rays: against closed forms, against what MuJoCo draws, and with things in the way."""

import dataclasses
import importlib
from collections.abc import Iterator
from typing import Any, get_args

import numpy as np
import pytest

from jaxphys_adapters import stage_gl, stage_model
from jaxphys_benchmarks.stage import Camera, Form, Look, Solid, Stage
from jaxphys_benchmarks.visible import SAMPLES, visible_px

mujoco = pytest.importorskip("mujoco", reason="pip install '.[rigid]' in the checkout")

WIDTH_PX, HEIGHT_PX, FOV_DEG = 640, 360, 60.0
FOCAL_PX = 0.5 * HEIGHT_PX / np.tan(np.radians(FOV_DEG) / 2)
FORMS: tuple[Form, ...] = get_args(Form)
ALL = 10**9
"""More rays than pixels: nothing is estimated."""

Place = tuple[float, float, float]


def staged(*solids: tuple[Form, Place, Place], quat: Any = (1.0, 0.0, 0.0, 0.0), **changes: Any) -> Stage:
    """Solids (form, half extents, centre) seen from 2 m above the floor at the origin, along +y."""
    n = len(solids)
    fields: dict[str, Any] = {
        "width_px": WIDTH_PX,
        "height_px": HEIGHT_PX,
        "camera": Camera((0.0, 0.0, 2.0), (0.0, 1.0, 2.0), FOV_DEG),
        "solids": tuple(Solid(f"{k}", form, half) for k, (form, half, _) in enumerate(solids)),
        "times": np.zeros(1),
        "pos": np.array([[place for *_, place in solids]], dtype=float).reshape(1, n, 3),
        "quat": np.broadcast_to(np.asarray(quat, dtype=float), (1, n, 4)).copy(),
        "looks": (Look("#ff0000"),),
        "look": np.zeros((1, n), dtype=int),
    }
    return Stage(**(fields | changes))


def ball(depth: float, radius: float = 0.1, x: float = 0.0) -> tuple[Form, Place, Place]:
    return "sphere", (radius,) * 3, (x, depth, 2.0)


def test_a_ball_covers_the_disc_of_its_cone() -> None:
    radius, depth = 0.3, 2.0
    edge = FOCAL_PX * radius / np.sqrt(depth**2 - radius**2)
    (found,) = visible_px(staged(ball(depth, radius)), [0], ALL)
    assert found == pytest.approx(np.pi * edge**2, rel=2e-3)


@pytest.mark.parametrize(("form", "half"), [("box", (0.3, 0.2, 0.4)), ("cylinder", (0.2, 0.2, 0.5))])
def test_a_flat_front_covers_its_rectangle(form: Form, half: Place) -> None:
    (found,) = visible_px(staged((form, half, (0.0, 3.0, 2.0))), [0], ALL)
    front = 3.0 - half[1]
    if form == "box":
        assert found == pytest.approx(4 * half[0] * half[2] * (FOCAL_PX / front) ** 2, rel=0.02)
    else:
        wide = 2 * FOCAL_PX * half[0] / np.sqrt(3.0**2 - half[0] ** 2)
        assert wide * 2 * half[2] * FOCAL_PX / 3.0 < found < wide * 2 * half[2] * FOCAL_PX / front


def test_a_tube_is_seen_through() -> None:
    """Looked at along its axis a tube is a ring; whatever is behind its bore is seen."""
    along = (0.5**0.5, 0.5**0.5, 0.0, 0.0)
    tube: tuple[Form, Place, Place] = ("tube", (0.5, 0.5, 1e-3), (0.0, 3.0, 2.0))
    both = staged(tube, ball(4.0, 0.1), quat=[along, along])
    ring, core = visible_px(both, [0], ALL)[0], visible_px(both, [1], ALL)[0]
    assert ring == pytest.approx(np.pi * (0.5**2 - 0.4**2) * (FOCAL_PX / 3.0) ** 2, rel=0.02)
    assert core == visible_px(staged(ball(4.0, 0.1)), [0], ALL)[0] > 0


@pytest.mark.parametrize(
    ("near", "share"),
    [
        (ball(1.0, 0.2), 0.0),
        (("box", (0.5, 0.01, 0.5), (0.5, 1.0, 2.0)), 0.5),
        (ball(3.0), 1.0),
        (ball(1.0, 0.1, 5.0), 1.0),
    ],
    ids=["covered", "half", "behind", "beside"],
)
def test_what_is_nearer_hides(near: tuple[Form, Place, Place], share: float) -> None:
    whole = visible_px(staged(ball(2.0)), [0], ALL)[0]
    assert visible_px(staged(ball(2.0), near), [0], ALL)[0] == pytest.approx(share * whole, abs=1)


def test_parts_of_one_body_hide_nothing_of_it() -> None:
    apart = staged(ball(2.0, 0.1), ball(2.0, 0.1, 0.15))
    one, other, both = (visible_px(apart, solids, ALL)[0] for solids in ([0], [1], [0, 1]))
    assert one + other == both < 2 * visible_px(staged(ball(2.0, 0.1)), [0], ALL)[0]


def test_the_floor_hides_what_is_below_it() -> None:
    above = Camera((0.0, 0.0, 2.0), (0.0, 1.0, 0.0), FOV_DEG)
    sunk, whole = (staged(("box", (0.1, 0.1, 0.1), (0.0, 1.0, z)), camera=above) for z in (-0.2, 0.1))
    assert visible_px(sunk, [0], ALL)[0] == 0
    assert visible_px(whole, [0], ALL)[0] > 1000


@pytest.mark.parametrize("depth", [-2.0, 0.05])
def test_what_is_behind_or_at_the_lens_is_not_seen(depth: float) -> None:
    assert visible_px(staged(ball(depth, 0.01)), [0]).tolist() == [0]


def test_a_camera_inside_a_solid_looks_out_of_it() -> None:
    """Renderers draw surfaces from outside only."""
    around = staged(ball(2.0), ("box", (1.0, 1.0, 1.0), (0.0, 0.0, 2.0)))
    assert visible_px(around, [0], ALL)[0] == visible_px(staged(ball(2.0)), [0], ALL)[0]
    assert visible_px(around, [1], ALL)[0] == 0


def test_a_camera_may_look_straight_down() -> None:
    down = Camera((0.0, 0.0, 3.0), (0.0, 0.0, 0.0), FOV_DEG)
    (found,) = visible_px(staged(("box", (0.2, 0.1, 0.5), (0.0, 0.0, 0.5)), camera=down), [0], ALL)
    assert found == pytest.approx(0.4 * 0.2 * (FOCAL_PX / 2.0) ** 2, rel=0.03)


@pytest.mark.parametrize("turn", [0.0, 0.3, np.pi / 2])
@pytest.mark.parametrize("thin", [0.004, 0.4])
def test_estimates_of_large_and_thin_things_are_near(turn: float, thin: float) -> None:
    """A strip that is thinner than the way between rays of a plain grid would be missed or counted many times."""
    quat = (np.cos(turn / 2), 0.0, np.sin(turn / 2), 0.0)
    stage = staged(("box", (1.5, 0.01, thin), (0.0, 2.0, 2.0)), ("box", (0.2, 0.01, 0.2), (0.3, 1.9, 2.0)), quat=quat)
    (exact,), (near,) = visible_px(stage, [0], ALL), visible_px(stage, [0], SAMPLES)
    assert near == pytest.approx(exact, rel=0.03 if thin > 0.1 else 0.12)


@pytest.fixture(scope="module")
def context() -> Iterator[Any]:
    name = stage_gl.platform()
    if name is None:
        pytest.skip(stage_gl.MISSING)
    made = importlib.import_module(f"mujoco.{name}").GLContext(WIDTH_PX, HEIGHT_PX)
    with made.as_current():
        yield made
    made.free()


def drawn_px(stage: Stage, solids: list[int]) -> list[int]:
    """The same numbers from MuJoCo's segmentation of what the renderer draws."""
    model, data = stage_model.build(stage)
    model.vis.quality.offsamples = 0
    scene, drawing = mujoco.MjvScene(model, maxgeom=model.ngeom + 8), mujoco.MjrContext(model, 50)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, drawing)
    for flag in (mujoco.mjtRndFlag.mjRND_SEGMENT, mujoco.mjtRndFlag.mjRND_IDCOLOR):
        scene.flags[flag] = True
    option, camera = mujoco.MjvOption(), mujoco.MjvCamera()
    option.geomgroup[stage_model.BEYOND] = True
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    rect = mujoco.MjrRect(0, 0, stage.width_px, stage.height_px)
    pixels = np.empty((stage.height_px, stage.width_px, 3), np.uint8)
    found = []
    for k in range(len(stage)):
        stage_model.place(model, data, stage, k)
        mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL.value, scene)
        mujoco.mjr_render(rect, scene, drawing)
        mujoco.mjr_readPixels(pixels, None, rect, drawing)
        number = pixels.astype(int) @ (1, 256, 65536) - 1
        geoms = {scene.geoms[g].segid: scene.geoms[g].objid for g in range(scene.ngeom)}
        first = stage_model.SOLIDS.start
        shown = [segment for segment, geom in geoms.items() if geom - first in solids]
        found.append(int(np.isin(number, shown).sum()))
    drawing.free()
    return found


def heap(seed: int, forms: tuple[Form, ...]) -> Stage:
    """Solids of all sizes, turned at random, in front of and inside each other, at four times."""
    rng = np.random.default_rng(seed)
    solids: list[Solid] = []
    for form in forms:
        a, b, c = rng.uniform(0.05, 0.4, 3).tolist()
        half = {"sphere": (a, a, a), "cylinder": (a, a, c), "capsule": (a, a, a + c)}.get(form, (a, b, c))
        solids.append(Solid(f"{len(solids)}", form, half))
    f, n = 4, len(solids)
    return dataclasses.replace(
        staged(camera=Camera((0.3, -2.5, 1.4), (0.0, 0.0, 1.0), 65.0)),
        solids=tuple(solids),
        times=np.arange(f, dtype=float),
        pos=rng.uniform(-1, 1, (f, n, 3)) + np.array([0.0, 0.0, 1.0]),
        quat=rng.normal(size=(f, n, 4)),
        look=np.zeros((f, n), dtype=int),
    )


@pytest.mark.parametrize("form", FORMS)
def test_counts_are_those_of_the_drawn_picture(form: Form, context: Any) -> None:
    """One solid of the form is counted among one of each; MuJoCo's round forms have 48 to 64 sides."""
    assert context is not None
    for seed in (1, 2):
        stage = heap(seed, (form, *FORMS))
        exact, near, drawn = visible_px(stage, [0], ALL), visible_px(stage, [0]), drawn_px(stage, [0])
        assert max(drawn) > 500
        np.testing.assert_allclose(exact, drawn, rtol=0.02, atol=2)
        np.testing.assert_allclose(near, drawn, rtol=0.05, atol=2)


def test_a_camera_that_moves_sees_what_one_that_stands_there_sees() -> None:
    """What rests between two frames is placed once for both, unless the camera moves."""
    still = heap(5, FORMS).only([0, 0, 0])
    places = (Camera((0.3, -2.5, 1.4), (0.0, 0.0, 1.0), 65.0), Camera((1.0, -2.0, 1.0), (0.0, 0.0, 1.0), 65.0))
    leaning = Camera((1.0, -2.0, 1.0), (0.0, 0.0, 1.0), 65.0, up=(0.3, 0.0, 1.0))
    for cameras in (places[:1] * 3, (*places, places[1]), (leaning, *places)):
        moving = visible_px(dataclasses.replace(still, cameras=cameras), [0])
        alone = [visible_px(dataclasses.replace(still.only([0]), camera=camera), [0])[0] for camera in cameras]
        assert moving.tolist() == alone
        assert min(alone) > 50


@pytest.mark.parametrize("samples", [1, 255, 256, 257, 4096])
def test_blocks_of_rays_leave_none_out(samples: int) -> None:
    """A wall over the whole picture is hit by every ray, however many there are."""
    wall = staged(("box", (9.0, 0.1, 9.0), (0.0, 2.0, 2.0)))
    assert visible_px(wall, [0], samples).tolist() == [WIDTH_PX * HEIGHT_PX]
    both = staged(("box", (9.0, 0.1, 9.0), (0.0, 2.0, 2.0)), ("sphere", (1.0,) * 3, (0.0, 1.5, 2.0)))
    assert sum(visible_px(both, [k], samples)[0] for k in (0, 1)) == WIDTH_PX * HEIGHT_PX


def test_solids_and_samples_that_there_are_not_are_named() -> None:
    with pytest.raises(ValueError, match=r"solids: \[2\]; give numbers from 0 to 0"):
        visible_px(staged(ball(2.0)), [2])
    with pytest.raises(ValueError, match="samples: 0"):
        visible_px(staged(ball(2.0)), [0], 0)
    assert visible_px(staged(ball(2.0)), []).tolist() == [0]
