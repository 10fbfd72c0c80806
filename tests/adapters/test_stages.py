"""3-D pictures: everything is where the camera sees it, looks as it should, and is drawn the same every time."""

import dataclasses
import itertools
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from jaxphys_adapters import contact_sheet, frames, stage_floor, stage_shade, stages
from jaxphys_benchmarks.stage import CLEVR_CAMERA, TAPER, TUBE, Camera, Form, Look, Solid, Stage

pytest.importorskip("mujoco", reason="pip install '.[rigid]' in the checkout")

from jaxphys_adapters import stage_gl, stage_model

FORMS = ("sphere", "box", "cylinder")
RED, BLUE, GREEN = "#ad2323", "#2a4bd7", "#1d6914"
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
TEXEL = 2 * stage_floor.REACH / stage_floor.TEXELS


def made(
    *things: tuple[str, float, tuple[float, float], Look], size: tuple[int, int] = (120, 80), **fields: object
) -> Stage:
    """A stage of one frame: (form, half extent, place on the floor, look) of each solid."""
    return Stage(
        width_px=size[0],
        height_px=size[1],
        camera=CLEVR_CAMERA,
        solids=tuple(Solid(f"{k}", form, (half,) * 3) for k, (form, half, _, _) in enumerate(things)),  # type: ignore[arg-type]
        times=np.zeros(1),
        pos=np.array([[(*place, half) for _, half, place, _ in things]]).reshape(1, len(things), 3),
        quat=np.tile(UPRIGHT, (1, len(things), 1)),
        looks=tuple(look for *_, look in things),
        look=np.arange(len(things))[None],
        **fields,  # type: ignore[arg-type]
    )


def three(size: tuple[int, int] = (120, 80)) -> Stage:
    """One of each form, apart from each other."""
    return made(
        ("sphere", 0.7, (-2.0, 0.0), Look(RED)),
        ("box", 0.7, (0.3, 1.0), Look(BLUE, "metal")),
        ("cylinder", 0.7, (2.2, -1.0), Look(GREEN)),
        size=size,
    )


def moving(count: int = 4) -> Stage:
    """A ball crosses the floor while a cube stands."""
    still = made(("sphere", 0.5, (-2.0, -2.0), Look(RED)), ("box", 0.5, (1.0, 1.0), Look(BLUE)))
    pos = np.repeat(still.pos, count, axis=0)
    pos[:, 0, 0] += np.arange(count)
    return dataclasses.replace(
        still,
        times=np.arange(count) / 25.6,
        pos=pos,
        quat=np.repeat(still.quat, count, axis=0),
        look=np.repeat(still.look, count, axis=0),
    )


@pytest.fixture(params=stages.RENDERERS)
def renderer(request: pytest.FixtureRequest) -> str:
    """Each renderer that works here."""
    reason = stages.missing(request.param)
    if reason:
        pytest.skip(reason)
    return str(request.param)


@pytest.fixture
def gl() -> str:
    """OpenGL, where it works: it is the faster one."""
    return stages.choose()


def picture(stage: Stage, renderer: str | None = None) -> np.ndarray:
    return stages.render(stage, renderer)[0].astype(float)


def covered(stage: Stage, solid: int, renderer: str | None = None) -> np.ndarray:
    """Pixels that show a solid: those that change with its colour."""
    looks = list(stage.looks)
    looks[solid] = Look("#00ff00" if stage.looks[solid].colour != "#00ff00" else "#ff0000")
    changed = dataclasses.replace(stage, looks=tuple(looks))
    return np.abs(picture(stage, renderer) - picture(changed, renderer)).max(axis=-1) > 24


def test_frames_have_the_size_that_was_asked_for(renderer: str) -> None:
    drawn = stages.render(three((61, 47)), renderer)
    assert drawn.shape == (1, 47, 61, 3)
    assert drawn.dtype == np.uint8
    assert drawn.std() > 5


def test_equal_stages_give_equal_pixels_in_any_order_and_thread(renderer: str) -> None:
    size = (64, 48)
    set_of = [three(size), dataclasses.replace(three(size), looks=three(size).looks[::-1]), three((40, 56))]
    first = [stages.render(stage, renderer) for stage in set_of]
    for stage, before in zip(set_of[::-1], first[::-1], strict=True):
        np.testing.assert_array_equal(stages.render(stage, renderer), before)
    with ThreadPoolExecutor(4) as pool:
        for now, before in zip(pool.map(lambda s: stages.render(s, renderer), set_of * 2), first * 2, strict=True):
            np.testing.assert_array_equal(now, before)


def test_frames_of_a_film_are_the_pictures_taken_alone(gl: str) -> None:
    stage = moving()
    film = stages.render(stage, gl)
    for k in reversed(range(len(stage))):
        np.testing.assert_array_equal(stages.render(stage.only([k]), gl)[0], film[k])
    assert all((a != b).any() for a, b in itertools.pairwise(film))


@pytest.mark.parametrize("k", range(3), ids=FORMS)
def test_a_solid_is_seen_where_the_camera_sees_it(renderer: str, k: int) -> None:
    stage = three((64, 48))
    seen = covered(stage, k, renderer)
    y, x = ndimage.center_of_mass(seen)
    expected = CLEVR_CAMERA.project(stage.pos[0, k], 64, 48)
    # A perspective view shows a little more of the near side.
    assert (x + 0.5, y + 0.5) == pytest.approx(tuple(expected[:2]), abs=1.0)
    pixel = np.linalg.norm(stage.pos[0, k] - CLEVR_CAMERA.position) * 2 * np.tan(np.radians(33.9 / 2)) / 48
    radius = stage.solids[k].half[0] / pixel
    assert np.pi * radius**2 * 0.85 < seen.sum() < 4 * radius**2 * 1.9


def test_the_reddest_pixels_are_those_of_the_red_ball(renderer: str) -> None:
    stage = three((64, 48))
    drawn = picture(stage, renderer)
    redness = drawn[..., 0] - drawn[..., 1:].max(axis=-1)
    x, y, _ = CLEVR_CAMERA.project(stage.pos[0, 0], 64, 48)
    at = np.unravel_index(redness.argmax(), redness.shape)
    assert np.hypot(at[1] + 0.5 - x, at[0] + 0.5 - y) < 5
    assert redness.max() > 80
    assert np.median(redness) < 2


@pytest.mark.parametrize("form", FORMS)
def test_shadows_fall_on_the_floor_beside_a_solid_and_fade_out(gl: str, form: str) -> None:
    stage = made((form, 0.7, (0.0, 0.0), Look(BLUE)), size=(240, 160))
    lit = picture(dataclasses.replace(stage, shadows=False), gl)
    shaded = picture(stage, gl)
    taken = (lit - shaded)[..., 0]
    assert taken.min() > -2
    # Away from the key light, which stands in front on the left.
    x, y, _ = np.rint(CLEVR_CAMERA.project(np.array([0.9, 0.5, 0.0]), 240, 160)).astype(int)
    assert taken[y, x] > 0.25 * lit[y, x, 0]
    # Soft: between full shadow and none there are many levels, and no pixel differs much from the next.
    row = taken[y, x:]
    assert len(np.unique(row[(row > 3) & (row < 0.8 * row.max())])) > 5
    assert np.abs(np.diff(row)).max() < 0.3 * row.max()
    far = CLEVR_CAMERA.project(np.array([-3.0, -3.0, 0.0]), 240, 160).astype(int)
    assert taken[far[1], far[0]] == pytest.approx(0, abs=1)


def test_a_solid_that_casts_no_shadow_leaves_the_floor_as_it_is(gl: str) -> None:
    stage = made(("box", 0.7, (0.0, 0.0), Look(BLUE)), size=(240, 160))
    (box,) = stage.solids
    bare = dataclasses.replace(stage, solids=(dataclasses.replace(box, casts=False),))
    without = picture(dataclasses.replace(stage, shadows=False), gl)
    np.testing.assert_array_equal(picture(bare, gl), without)
    assert (picture(stage, gl) != without).any()


def test_a_capsule_is_as_long_and_as_thick_as_it_says(renderer: str) -> None:
    """Lying across the view, 1.6 m long and 0.4 m thick; the corners of the box around it are not covered."""
    stage = made(("capsule", 0.2, (0.0, 0.0), Look(RED)), size=(240, 160))
    lying = np.array([[[0.5**0.5, 0.0, 0.5**0.5, 0.0]]])
    stage = dataclasses.replace(stage, solids=(Solid("rod", "capsule", (0.2, 0.2, 0.8)),), quat=lying)
    rows, columns = np.nonzero(covered(stage, 0, renderer))
    pixel = np.linalg.norm(stage.pos[0, 0] - CLEVR_CAMERA.position) * 2 * np.tan(np.radians(33.9 / 2)) / 160
    assert np.ptp(columns) + 1 == pytest.approx(1.6 / pixel, abs=2)
    assert np.ptp(rows) + 1 == pytest.approx(0.4 / pixel, abs=2)
    assert len(rows) * pixel**2 == pytest.approx(1.2 * 0.4 + np.pi * 0.2**2, rel=0.1)


def test_the_shade_of_a_capsule_lies_between_those_of_what_it_is_made_of() -> None:
    def taken(form: Form, half: tuple[float, float, float]) -> float:
        return float(stage_floor.shade(form, half, UPRIGHT, 1.0, TEXEL)[0].sum())

    assert taken("cylinder", (0.2, 0.2, 0.4)) < taken("capsule", (0.2, 0.2, 0.6)) < taken("cylinder", (0.2, 0.2, 0.6))
    assert taken("capsule", (0.2, 0.2, 0.2)) == pytest.approx(taken("sphere", (0.2, 0.2, 0.2)), rel=0.02)


@pytest.mark.parametrize("y", [8.0, 8.9, 12.0, 20.0])
def test_what_rolls_away_keeps_its_shadow(gl: str, y: float) -> None:
    camera = Camera((0.0, y - 12.0, 6.0), (0.0, y, 0.0), 20.0)
    stage = dataclasses.replace(made(("sphere", 0.7, (0.0, y), Look(BLUE)), size=(240, 160)), camera=camera)
    near = dataclasses.replace(stage, pos=np.array([[(0.0, 0.0, 0.7)]]), camera=Camera((0, -12, 6), (0, 0, 0), 20.0))
    shares = [
        picture(shown, gl)[..., 0] / picture(dataclasses.replace(shown, shadows=False), gl)[..., 0]
        for shown in (stage, near)
    ]
    # As at the origin, but for the coarser texture at the edges of the shadow.
    assert np.abs(shares[0] - shares[1]).mean() < 0.01
    assert shares[0].min() < 0.5


def test_the_shade_of_a_solid_adds_up() -> None:
    directions, shares = stage_floor.rays()
    assert shares.sum() == pytest.approx(1, rel=1e-5)
    taken, row, column = stage_floor.shade("box", (0.5, 0.5, 0.5), UPRIGHT, 0.5, TEXEL)
    # Below the cube no ray arrives; each ray is stopped over the area that the cube sweeps along it.
    assert taken[row, column] == pytest.approx(1, rel=1e-5)
    swept = 1 + np.abs(directions[:, :2]).sum(axis=1)
    assert taken.sum() * TEXEL**2 == pytest.approx((shares * swept).sum(), rel=0.02)


def test_the_shade_of_a_ball_is_an_ellipse_per_ray() -> None:
    directions, shares = stage_floor.rays()
    taken, _, _ = stage_floor.shade("sphere", (0.5, 0.5, 0.5), UPRIGHT, 0.5, TEXEL)
    area = np.pi * 0.25 * np.linalg.norm(directions, axis=1)
    assert taken.sum() * TEXEL**2 == pytest.approx((shares * area).sum(), rel=0.02)


def test_a_turned_cube_casts_a_turned_shade() -> None:
    tilted = (np.cos(np.pi / 8), 0.0, 0.0, np.sin(np.pi / 8))
    taken, row, column = stage_floor.shade("box", (0.5, 0.5, 0.5), tilted, 0.5, TEXEL)
    corner = round(0.65 / TEXEL)
    straight, row0, column0 = stage_floor.shade("box", (0.5, 0.5, 0.5), UPRIGHT, 0.5, TEXEL)
    # On the left, where the key light comes from, a corner reaches farther than a side.
    assert taken[row, column - corner] > straight[row0, column0 - corner] + 0.3


def inside(form: Form, half: tuple[float, float, float], points: np.ndarray) -> np.ndarray:
    """Whether points (..., 3) in a solid's own axes belong to it, as the text of `Solid` says."""
    x, y, z = np.moveaxis(points / half, -1, 0)
    box = np.abs(points / half).max(axis=-1) <= 1
    round_2 = x**2 + y**2
    width = (1 + TAPER) / 2 - (1 - TAPER) / 2 * z
    found: np.ndarray = {
        "ellipsoid": round_2 + z**2 <= 1,
        "taper": box & (round_2 <= width**2),
        "wedge": box & (y + z <= 0),
        "tube": box & (round_2 <= 1) & (round_2 >= TUBE**2),
        "sphere": round_2 + z**2 <= 1,
        "box": box,
        "cylinder": box & (round_2 <= 1),
        "capsule": np.hypot(x, y) ** 2 + (np.maximum(np.abs(points[..., 2]) - (half[2] - half[0]), 0) / half[0]) ** 2
        <= 1,
    }[form]
    return found


OWN_HALF = (0.8, 0.6, 0.7)
OWN: tuple[Form, ...] = ("ellipsoid", "taper", "wedge", "tube")
TILTED = np.array([0.7, 0.3, -0.5, 0.4]) / np.linalg.norm([0.7, 0.3, -0.5, 0.4])


def own_forms(size: tuple[int, int]) -> Stage:
    """One of each form that is a mesh or an ellipsoid, tilted, in the air."""
    places = [(-2.4, 0.0), (-0.8, 0.3), (0.8, 0.0), (2.4, 0.3)]
    stage = made(*((form, 0.5, place, Look(RED)) for form, place in zip(OWN, places, strict=True)), size=size)
    solids = tuple(dataclasses.replace(solid, half=OWN_HALF) for solid in stage.solids)
    return dataclasses.replace(
        stage, solids=solids, quat=np.tile(TILTED, (1, 4, 1)), pos=np.add(stage.pos, (0.0, 0.0, 0.7)), shadows=False
    )


def test_forms_cover_the_pixels_whose_rays_meet_them(renderer: str) -> None:
    stage = own_forms((96, 64))
    eye = np.array(CLEVR_CAMERA.position)
    tall = np.tan(np.radians(CLEVR_CAMERA.fov_deg) / 2)
    x, y = np.meshgrid((np.arange(96) + 0.5) / 48 - 1, 1 - (np.arange(64) + 0.5) / 32)
    rays = np.stack([1.5 * tall * x, tall * y, -np.ones_like(x)], axis=-1) @ stage_model.axes(CLEVR_CAMERA).T
    turn = stage_floor.rotation(TILTED)
    steps = np.linspace(8.0, 16.0, 500)
    for k, form in enumerate(OWN):
        local = (eye - stage.pos[0, k]) @ turn, rays @ turn
        met = inside(form, OWN_HALF, local[0] + steps[:, None, None, None] * local[1]).any(axis=0)
        seen = covered(stage, k, renderer)
        assert met.sum() > 100
        # Pixels at an edge may go either way.
        assert not (met & ~ndimage.binary_dilation(seen)).any(), form
        assert not (seen & ~ndimage.binary_dilation(met)).any(), form


@pytest.mark.parametrize("form", [*OWN, "sphere", "box", "cylinder", "capsule"])
def test_the_lines_that_a_form_stops_are_those_that_meet_it(form: Form) -> None:
    rng = np.random.default_rng(3)
    half = (0.5, 0.5, 0.7) if form == "capsule" else OWN_HALF
    along = np.linspace(-5, 5, 4000)[:, None]
    agree = []
    for _ in range(300):
        start, step = rng.uniform(-0.8, 0.8, size=3), rng.normal(size=3)
        met = bool(inside(form, half, start + along * step / np.linalg.norm(step)).any())
        stopped = stage_shade.stops(stage_shade.NUMBERS[form], *half, TAPER, *start, *step)
        agree.append(stopped == met)
        # Light that falls through the hollow of a tube along its axis is left out.
        assert form != "tube" or stopped or not met
    assert form == "tube" or np.mean(agree) > 0.98


def test_light_that_the_floor_throws_back_is_seen_from_below_only(gl: str) -> None:
    stage = dataclasses.replace(made(("box", 0.5, (0.0, 0.0), Look(BLUE)), size=(64, 48)), shadows=False)
    lit = dataclasses.replace(stage, bounce=1.0)
    np.testing.assert_array_equal(picture(stage, gl), picture(lit, gl))
    below, up = Camera((0.0, -4.0, 0.5), (0.0, 0.0, 4.5), 40.0), np.add(stage.pos, (0.0, 0.0, 4.0))
    dark, bright = (picture(dataclasses.replace(one, pos=up, camera=below), gl) for one in (stage, lit))
    assert (bright - dark).max() > 30
    assert (bright >= dark).all()


def test_a_camera_that_rides_on_a_robot_sees_a_hand_before_its_eyes(gl: str) -> None:
    """Hands nearer than 0.1 m were cut open."""
    eye = Camera((0.0, -4.0, 1.0), (0.0, 0.0, 1.0), 60.0)
    stage = dataclasses.replace(
        made(("sphere", 0.02, (0.0, -3.94), Look(RED)), size=(64, 48)), camera=eye, cameras=(eye,)
    )
    stage.pos[0, 0, 2] = 1.0
    # A ball of 2 cm that is 6 cm away is as wide as 39 degrees.
    assert covered(stage, 0, gl).sum() == pytest.approx(
        np.pi * (24 * np.tan(np.arcsin(1 / 3)) / np.tan(np.pi / 6)) ** 2, rel=0.1
    )


def test_parts_of_a_body_are_found_by_its_name() -> None:
    stage = three()
    solids = tuple(dataclasses.replace(solid, of="cup" * (k != 1)) for k, solid in enumerate(stage.solids))
    named = dataclasses.replace(stage, solids=solids)
    assert named.parts("cup") == [0, 2]
    assert named.parts("saucer") == []


def test_a_look_changes_at_its_frame_and_nowhere_else(gl: str) -> None:
    stage = moving(4)
    stage.look[2:, 1] = 0
    before = stages.render(moving(4), gl)
    after = stages.render(stage, gl)
    np.testing.assert_array_equal(after[:2], before[:2])
    cube = covered(moving(4).only([2]), 1, gl)
    differs = (after[2:] != before[2:]).any(axis=-1)
    assert differs[:, cube].all()
    assert not differs[:, ~ndimage.binary_dilation(cube, iterations=2)].any()
    assert (after[2:, cube, 0] > after[2:, cube, 2]).all()


@pytest.mark.parametrize("form", FORMS)
def test_metal_differs_from_rubber(gl: str, form: str) -> None:
    rubber, metal = (
        picture(made((form, 0.7, (0.0, 0.0), Look(BLUE, finish)), size=(240, 160)), gl)
        for finish in ("rubber", "metal")
    )
    seen = covered(made((form, 0.7, (0.0, 0.0), Look(BLUE)), size=(240, 160)), 0, gl)
    assert np.abs(rubber - metal)[seen].mean() > 8
    assert (rubber == metal)[~ndimage.binary_dilation(seen, iterations=2)].all()


def test_metal_has_a_highlight(gl: str) -> None:
    brightest = {
        finish: picture(made(("sphere", 0.7, (0.0, 0.0), Look(BLUE, finish)), size=(240, 160)), gl)[..., 0].max()
        for finish in ("rubber", "metal")
    }
    assert brightest["metal"] > brightest["rubber"] + 40


def test_a_ball_looks_the_same_however_it_has_rolled(gl: str) -> None:
    stage = made(("sphere", 0.7, (0.0, 0.0), Look(BLUE, "metal")))
    rolled = dataclasses.replace(stage, quat=np.array([[[0.6, 0.0, 0.8, 0.0]]]))
    np.testing.assert_array_equal(stages.render(rolled, gl), stages.render(stage, gl))


def test_the_camera_sees_every_object_that_starts_in_the_region(gl: str) -> None:
    corners = np.array([(x, y, z) for x in (-3.7, 3.7) for y in (-3.7, 3.7) for z in (0.0, 1.4)])
    at = CLEVR_CAMERA.project(corners, 480, 320)
    assert (at[:, :2] > 3).all()
    assert (at[:, :2] < (477, 317)).all()
    stage = made(*(("box", 0.7, (x, y), Look(RED)) for x in (-3.0, 3.0) for y in (-3.0, 3.0)))
    for k in range(4):
        seen = covered(stage, k, gl)
        assert seen.any()
        assert seen.sum() == seen[1:-1, 1:-1].sum()


@pytest.mark.parametrize("height", [1.2, 3.0])
def test_no_horizon_is_seen(renderer: str, height: float) -> None:
    stage = dataclasses.replace(three((64, 48)), camera=Camera((0.0, -9.0, height), (0.0, 0.0, height), 45.0))
    drawn = picture(stage, renderer)
    # Empty on the far left: floor below, what lies beyond it above.
    column = drawn[:, 0]
    beyond = 255 * np.array(stage_floor.background(stage))
    assert np.abs(column[:20] - beyond).max() <= 1
    assert (column >= beyond - 2).all()
    assert (column <= beyond * stage_floor.MIDDLE / stage_floor.RIM + 1).all()
    assert np.ptp(column, axis=1).max() <= 1


def test_renderers_agree() -> None:
    for name in stages.RENDERERS:
        if reason := stages.missing(name):
            pytest.skip(reason)
    stage = three((64, 48))
    one, other = (picture(stage, name) for name in ("gl", "warp"))
    assert np.abs(one - other).mean() < 3
    for k in range(3):
        a, b = covered(stage, k, "gl"), covered(stage, k, "warp")
        assert (a & b).sum() / (a | b).sum() > 0.9


def test_what_rests_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = moving(6)
    stage.pos[2:4] = stage.pos[2]
    stage.pos[5] = stage.pos[4]
    asked: list[int] = []

    def draw(shown: Stage) -> np.ndarray:
        asked.append(len(shown))
        return shown.pos[:, 0, :1, None, None].astype(np.uint8) + np.zeros((1, 1, 1, 3), np.uint8)

    monkeypatch.setattr(stages, "_module", lambda name: SimpleNamespace(render=draw, missing=lambda: None))
    drawn = stages.render(dataclasses.replace(stage, pos=stage.pos + 10))
    assert asked == [4]
    assert drawn[:, 0, 0, 0].tolist() == (stage.pos[:, 0, 0] + 10).astype(int).tolist()


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Pretend that renderers do not work; what each says is what it would say."""
    monkeypatch.delenv(stages.VARIABLE, raising=False)
    if "gl" in names:
        monkeypatch.setattr(stage_gl, "platform", lambda: None)
    if "warp" in names:
        monkeypatch.setitem(sys.modules, "mujoco_warp", None)


def test_without_opengl_the_ray_tracer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := stages.missing("warp"):
        pytest.skip(reason)
    without(monkeypatch, "gl")
    assert stages.choose() == "warp"
    assert stages.render(three((64, 48))).std() > 5


def test_without_any_renderer_a_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "gl", "warp")
    with pytest.raises(stages.NoRendererError) as failed:
        frames.png(three())
    for word in ("apt install", "libegl1", "libosmesa6", ".[rigid]"):
        assert word in str(failed.value)


def test_a_forced_renderer_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "gl")
    monkeypatch.setenv(stages.VARIABLE, "gl")
    with pytest.raises(stages.NoRendererError, match="apt install"):
        stages.render(three())
    monkeypatch.setenv(stages.VARIABLE, "opengl")
    with pytest.raises(ValueError, match=r"JAXPHYS_RENDERER: 'opengl' is unknown; choose from auto, gl, warp"):
        stages.choose()
    with pytest.raises(ValueError, match="renderer: 'vulkan'"):
        stages.choose("vulkan")


@pytest.mark.parametrize("trial", ["import os; os.abort()", "raise ImportError({!r})", "raise SystemExit(3)"])
def test_a_driver_that_takes_its_process_down_is_passed_over(monkeypatch: pytest.MonkeyPatch, trial: str) -> None:
    monkeypatch.setattr(stage_gl, "_TRIAL", trial)
    assert stage_gl.platform.__wrapped__() is None
    monkeypatch.setattr(stage_gl, "_TRIAL", "assert {!r} == 'osmesa'")
    assert stage_gl.platform.__wrapped__() == "osmesa"


def test_the_environment_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch, gl: str) -> None:
    monkeypatch.setenv("PYOPENGL_PLATFORM", "something else")
    before = dict(os.environ)
    stages.render(three(), gl)
    if gl == "gl":
        stage_gl._context_type(str(stage_gl.platform()))
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width_px": 0}, "0 x 80 px"),
        ({"height_px": 10**8}, "px; give 1 to"),
        ({"pos": np.full((1, 3, 3), np.nan)}, "pos of frame 0 is not finite"),
        ({"quat": np.full((1, 3, 4), np.inf)}, "quat of frame 0 is not finite"),
        ({"quat": np.zeros((1, 3, 4))}, "quat is zero"),
        ({"look": np.full((1, 3), 3)}, "look has numbers outside 0 to 2"),
        ({"look": np.full((1, 3), -1)}, "look has numbers outside"),
        ({"solids": (*three().solids[:2], Solid("flat", "box", (1.0, 1.0, 0.0)))}, "half of flat"),
        ({"solids": (*three().solids[:2], Solid("lost", "box", (1.0, 1.0, np.nan)))}, "half of lost"),
        ({"floor": "grey-ish"}, "grey-ish"),
    ],
)
def test_a_stage_that_cannot_be_drawn_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        stages.render(dataclasses.replace(three(), **change))  # type: ignore[arg-type]


def test_a_solid_far_away_or_huge_is_no_trouble(gl: str) -> None:
    stage = made(("box", 40.0, (0.0, 50.0), Look(RED)), ("sphere", 0.5, (500.0, 0.0), Look(BLUE)), size=(64, 48))
    drawn = picture(stage, gl)
    assert (drawn[0, :, 0] > drawn[0, :, 2]).all()


def test_an_empty_floor_can_be_drawn(renderer: str) -> None:
    drawn = picture(made(size=(64, 48)), renderer)
    assert np.ptp(drawn, axis=-1).max() <= 1
    assert drawn.min() > 100


def test_a_png_shows_the_first_frame_of_a_stage() -> None:
    stage = moving()
    with Image.open(BytesIO(frames.png(stage, {"scene": "LMC/scene_00000"}))) as image:
        np.testing.assert_array_equal(np.asarray(image), stages.render(stage)[0])
        assert image.info["scene"] == "LMC/scene_00000"
    np.testing.assert_array_equal(frames.rasterise(stage), stages.render(stage)[0])


def test_a_contact_sheet_shows_frames_spread_evenly() -> None:
    stage = moving(9)
    with Image.open(BytesIO(contact_sheet.of_film(stage, count=3, columns=2, also=[-2]))) as image:
        page = np.asarray(image)
    film = stages.render(stage)
    m, down = contact_sheet.MARGIN_PX, 80 + contact_sheet.CAPTION_PX + contact_sheet.MARGIN_PX
    for k, (row, column) in zip((0, 4, 7, 8), ((0, 0), (0, 1), (1, 0), (1, 1)), strict=True):
        y, x = m + row * down, m + column * (120 + m)
        np.testing.assert_array_equal(page[y : y + 80, x : x + 120], film[k])
        caption = page[y + 80 : y + 80 + contact_sheet.CAPTION_PX, x : x + 120]
        assert caption.min() < 80
    with pytest.raises(ValueError, match="at least one"):
        contact_sheet.sheet([], 3)
