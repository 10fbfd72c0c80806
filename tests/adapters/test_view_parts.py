"""What the viewer makes of a stage: triangles of its solids, poses of parts on their bodies, and cameras."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("viser")

import trimesh

from jaxphys_adapters import view_meshes
from jaxphys_adapters.stage_floor import rotation
from jaxphys_adapters.view_poses import conjugate, poses, product
from jaxphys_adapters.view_recording import HEAD, NEAR, nearest, orbited
from jaxphys_benchmarks.stage import TAPER, TUBE, Camera, Form, Look, Solid, Stage, Vector

HALVES: dict[Form, Vector] = {
    "sphere": (0.2, 0.2, 0.2),
    "box": (0.1, 0.2, 0.3),
    "cylinder": (0.1, 0.1, 0.3),
    "capsule": (0.1, 0.1, 0.3),
    "ellipsoid": (0.1, 0.2, 0.3),
    "taper": (0.1, 0.2, 0.3),
    "wedge": (0.1, 0.2, 0.3),
    "tube": (0.1, 0.2, 0.3),
}
FILLED: dict[Form, float] = {
    "sphere": np.pi / 6,
    "box": 1.0,
    "cylinder": np.pi / 4,
    "capsule": np.pi * (0.01 * 0.4 + 4 / 3 * 0.001) / (0.2 * 0.2 * 0.6),
    "ellipsoid": np.pi / 6,
    "taper": np.pi / 4 * (1 + TAPER + TAPER**2) / 3,
    "wedge": 0.5,
    "tube": np.pi / 4 * (1 - TUBE**2),
}
"""Share of its box that a form fills."""


@pytest.mark.parametrize("form", HALVES)
def test_triangles_fill_what_the_solid_fills_and_look_outwards(form: Form) -> None:
    half = HALVES[form]
    (corners, faces), scale = view_meshes.triangles(Solid("it", form, half))
    points = corners * scale
    np.testing.assert_allclose([points.min(axis=0), points.max(axis=0)], [np.negative(half), half], atol=1e-6)
    mesh = trimesh.Trimesh(points, faces)
    mesh.merge_vertices()
    assert mesh.is_watertight
    # A round side of 48 flat ones is 0.3 % too thin, a ball of triangles 1 %. Inside out, the volume is negative.
    assert mesh.volume == pytest.approx(8 * float(np.prod(half)) * FILLED[form], rel=0.015)


@pytest.mark.parametrize(("middle", "side"), [((0, 0, 0), -1.0), ((0, 9, 0), 1.0)])
def test_of_a_wall_only_the_side_that_faces_the_scene_is_left(middle: Vector, side: float) -> None:
    mesh, scale = view_meshes.triangles(Solid("wall", "box", (9.0, 0.1, 9.0)))
    place = np.array([0.0, 3.0, 0.0])
    corners, faces = view_meshes.facing(mesh, scale, np.eye(3), place, np.array(middle, float))
    assert len(faces) == 2
    np.testing.assert_array_equal(corners[faces][..., 1], side)


def _stage(turning: bool) -> Stage:
    """A body that flies and turns, with a lid on it, which opens or not, and a post that stands."""
    times = np.arange(5) / 10
    angle = 0.8 * times
    quat = np.stack([np.cos(angle), 0 * angle, np.sin(angle), 0 * angle], axis=-1)
    pos = np.stack([times, 0 * times, 1 - times**2], axis=-1)
    lid = pos + np.einsum("fij,j->fi", rotation(quat), [0.0, 0.0, 0.2])
    opened = np.stack([np.cos(2 * angle), np.sin(2 * angle), 0 * angle, 0 * angle], axis=-1)
    # The opposite quaternion is the same orientation.
    lid_quat = product(quat, opened) if turning else quat * np.array([1, -1, 1, -1, 1])[:, None]
    still = np.broadcast_to([2.0, 0.0, 0.5], pos.shape), np.broadcast_to([1.0, 0.0, 0.0, 0.0], quat.shape)
    return Stage(
        width_px=64,
        height_px=36,
        camera=Camera((0.0, -5.0, 1.0), (0.0, -4.0, 1.0), 40.0),
        solids=(
            Solid("pot", "box", (0.1, 0.1, 0.1), of="pot"),
            Solid("lid", "box", (0.1, 0.1, 0.02), of="pot"),
            Solid("post", "box", (0.1, 0.1, 0.5)),
        ),
        times=times,
        pos=np.stack([pos, lid, still[0]], axis=1),
        quat=np.stack([quat, lid_quat, still[1]], axis=1),
        looks=(Look("#ff0000"),),
        look=np.zeros((5, 3), int),
        fps=10.0,
    )


@pytest.mark.parametrize("turning", [False, True])
def test_a_part_hangs_on_its_body_if_it_moves_as_one_with_it(turning: bool) -> None:
    stage = _stage(turning)
    found = poses(stage)
    assert found.head == ((0, 1, 2) if turning else (0, 0, 2))
    if turning:
        np.testing.assert_allclose(found.pos[:, 1], stage.pos[:, 1], atol=1e-5)
        return
    np.testing.assert_array_equal(np.ptp(found.pos[:, 1], axis=0), 0)
    turns = rotation(found.quat[:, 0])
    np.testing.assert_allclose(
        found.pos[:, 0] + np.einsum("fij,fj->fi", turns, found.pos[:, 1]), stage.pos[:, 1], atol=3e-5
    )
    np.testing.assert_allclose(turns @ rotation(found.quat[:, 1]), rotation(stage.quat[:, 1]), atol=1e-4)


def test_a_quaternion_times_its_conjugate_turns_nothing() -> None:
    quat = np.array([0.5, -0.5, 0.1, 0.7])
    quat /= np.linalg.norm(quat)
    np.testing.assert_allclose(product(quat, conjugate(quat)), [1, 0, 0, 0], atol=1e-15)


def test_a_view_is_turned_about_a_point_as_far_away_as_what_moves() -> None:
    stage = _stage(False)
    turned = orbited(stage, stage.camera)
    assert (turned.position, turned.fov_deg) == (stage.camera.position, stage.camera.fov_deg)
    assert turned.target == pytest.approx((0.0, 0.0, 1.0))
    far = replace(stage.camera, target=(0.0, 7.0, 1.0))
    assert orbited(stage, far).target == pytest.approx(far.target)


@pytest.mark.parametrize(
    ("half", "away", "near"),
    [
        pytest.param(0.1, 0.12, 0.12 + 0.1 * 3**0.5, id="inside a head"),
        pytest.param(0.02, 0.06, NEAR, id="beside a thing"),
        pytest.param(HEAD, 0.06, NEAR, id="inside a cupboard"),
    ],
)
def test_a_head_that_a_camera_is_inside_of_is_not_seen(half: float, away: float, near: float) -> None:
    stage = _stage(False)
    solids = (*stage.solids[:2], Solid("it", "box", (half, half, half)))
    pos = np.array(stage.pos)
    pos[:, 2] = np.array(stage.camera.position) - (0.0, away, 0.0)
    assert nearest(replace(stage, solids=solids, pos=pos), stage.camera) == pytest.approx(near)
