"""Geometry over states: nearest points against a brute search, lowest points, the lower edge of a top, hinges."""

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.lower import lower_scenes
from jaxphys_benchmarks.reacthuman.nearest import nearest
from jaxphys_benchmarks.reacthuman.scene import Hinge, Scene, Thing
from jaxphys_benchmarks.reacthuman.simulate import Kind, Run
from jaxphys_benchmarks.reacthuman.spec import Judging
from jaxphys_benchmarks.reacthuman.tracking import half_extent, story, swept_clearance, tracked_points
from jaxphys_kernels.quaternions import entries
from jaxphys_kernels.rigid import prism
from jaxphys_kernels.rigid.model import Shape
from tests.benchmarks.reacthuman.made_scenes import by_hand

RNG = np.random.default_rng(5)
SIZE = np.array([0.12, 0.12, 0.3])


def quaternions(count: int) -> np.ndarray:
    raw = RNG.normal(size=(count, 4))
    return raw / np.sqrt(np.sum(raw**2, axis=-1, keepdims=True))


def surface(shape: Shape) -> np.ndarray:
    """Many points of a body of size `SIZE` in its own frame, corners and rims among them."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 181), np.linspace(0, np.pi, 91))
    ball = np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)], axis=-1).reshape(-1, 3)
    if shape == Shape.SPHERE:
        return SIZE[0] * ball
    if shape == Shape.CAPSULE:
        return SIZE[0] * ball + np.sign(ball[:, 2:]) * [0, 0, SIZE[2]]
    if shape == Shape.BOX:
        return SIZE * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return prism.UNIT * SIZE


@pytest.mark.parametrize("shape", [Shape.SPHERE, Shape.BOX, Shape.PRISM, Shape.CAPSULE])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_extents_are_those_of_the_surface(shape: Shape, axis: int) -> None:
    quat = quaternions(16)[:, None]
    found = half_extent(shape, np.repeat(SIZE[None], 16, axis=0), entries(quat)[axis])[:, 0]
    direction = np.stack(entries(quat)[axis], axis=-1)[:, 0]
    brute = np.max(np.sum(direction[:, None] * surface(shape), axis=-1), axis=1)
    np.testing.assert_allclose(found, brute, atol=1e-9 if shape in (Shape.BOX, Shape.PRISM) else 1e-4)


@pytest.mark.parametrize("shape", [Shape.SPHERE, Shape.BOX, Shape.PRISM, Shape.CAPSULE])
def test_nearest_points_are_on_the_body_and_no_other_point_is_nearer(shape: Shape) -> None:
    """Against a search along the line: the distance to the body at many heights is never less."""
    count, span = 40, (0.25, 1.07)
    quat, pos = quaternions(count)[:, None], RNG.uniform((-1, -1, -0.3), (1, 1, 1.7), (count, 1, 3))
    axis, size = RNG.uniform(-1.5, 1.5, (count, 2)), np.repeat(SIZE[None], count, axis=0)
    points, away = nearest(shape, size, pos, quat, axis, span)
    heights = np.linspace(*span, 400)
    on_line = np.stack([np.repeat(axis[:, None], 400, axis=1)[..., 0], np.repeat(axis[:, None], 400, axis=1)[..., 1],
                        np.repeat(heights[None], count, axis=0)], axis=-1)  # fmt: skip
    gaps = np.sqrt(np.sum((on_line - points) ** 2, axis=-1)).min(axis=1)
    outside = away[:, 0] > 0
    np.testing.assert_allclose(gaps[outside], away[outside, 0], atol=2e-3)
    least = np.array(
        [[nearest(shape, size[k : k + 1], pos[k : k + 1], quat[k : k + 1], axis[k : k + 1], (h, h))[1].item()
          for h in heights[::20]] for k in range(count)]
    ).min(axis=1)  # fmt: skip
    assert np.all(away[:, 0] <= least + 1e-9)


def test_of_several_nearest_points_the_lowest_counts() -> None:
    """An upright box is equally near along its whole side."""
    size, upright = np.array([[0.2, 0.1, 0.5]]), np.array([[[1.0, 0, 0, 0]]])
    points, away = nearest(Shape.BOX, size, np.array([[[0, 0, 0.5]]]), upright, np.array([[0.1, -1.0]]), (-1.0, 5.0))
    np.testing.assert_allclose(points[0, 0], [0.1, -0.1, 0.0], atol=1e-9)
    assert away[0, 0] == pytest.approx(0.9)


def leaning(tilt: float, shape: str = "box") -> Run:
    """A tall body tilted about x, its top towards -Y for a positive tilt."""
    thing = Thing(
        name="object",
        object="wooden_bookshelf",
        shape=shape,  # type: ignore[arg-type]
        size=(0.2, 0.2, 0.9),
        mass=10,
        pos=(0, 0, 1),
        quat=(float(np.cos(tilt / 2)), float(np.sin(tilt / 2)), 0, 0),
    )
    return run_of(Scene(things=(thing,)))


def run_of(scene: Scene) -> Run:
    """A scene at its start and at the same state once more."""
    world, state = lower_scenes([scene])
    twice = [np.repeat(np.asarray(leaf)[:, None], 2, axis=1) for leaf in (state.qpos, state.qvel)]
    return Run(
        kind=Kind("furniture_tip", "repaired", "plane", Judging()), places=np.arange(1), scenes=[scene], world=world,
        backend="c", dt=1 / 240, time=np.arange(2) / 240, qpos=twice[0], qvel=twice[1],
        touching=np.zeros((1, 1, len(scene.things)), np.bool_), first_touch=np.full((1, len(scene.things)), np.inf),
        status=np.zeros(1, np.int64), drift=np.zeros(1),
    )  # fmt: skip


@pytest.mark.parametrize("tilt", [0.3, 1.2, 1.5])
@pytest.mark.parametrize("shape", ["box", "prism"])
def test_the_lower_edge_of_a_falling_top_is_the_leading_one(tilt: float, shape: str) -> None:
    told = story(leaning(tilt, shape))
    points, _ = tracked_points(told, np.zeros(1, np.int64), "top_edge", np.array([[0.05, -3.0]]))
    half = 0.2 if shape == "box" else 0.2 * prism.APOTHEM
    expected = [0.9 * np.cos(tilt) - half * np.sin(tilt) + 1, -0.9 * np.sin(tilt) - half * np.cos(tilt)]
    np.testing.assert_allclose(points[0, 0, [2, 1]], expected, atol=1e-9)
    assert points[0, 0, 0] == pytest.approx(0.05)


def test_the_southmost_point_is_the_leading_foot_or_top() -> None:
    upright, tipped = (story(leaning(tilt)).southmost[0, 0] for tilt in (0.0, 0.5))
    assert upright == pytest.approx(-0.2)
    assert tipped == pytest.approx(-0.9 * np.sin(0.5) - 0.2 * np.cos(0.5))


def test_a_hinged_body_swings_about_its_anchor() -> None:
    hinge = Hinge(anchor=(1, 2, 0), axis=(0, 0, 1), com=(0.5, 0, 1), angle=np.pi / 2, rate=-2.0)
    thing = Thing(name="object", object="glass", shape="box", size=(0.5, 0.02, 1), mass=20, hinge=hinge)
    told = story(run_of(Scene(things=(thing,))))
    np.testing.assert_allclose(told.pos[0, 0, 0], [1, 2.5, 1], atol=1e-12)
    np.testing.assert_allclose(told.vel[0, 0, 0], [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(told.omega[0, 0, 0], [0, 0, -2], atol=1e-12)
    np.testing.assert_allclose(told.quat[0, 0, 0], [np.sqrt(0.5), 0, 0, np.sqrt(0.5)], atol=1e-12)


def test_the_clearance_is_that_of_the_swept_volume() -> None:
    """A ball of 5 cm passes a capsule of 25 cm at 1 m, and is nearest after the story is over."""
    y = np.linspace(2, 0, 9)
    told = by_hand([np.stack([np.full(9, 1.0), y, np.full(9, 0.8)], axis=-1)])
    body, robot = np.zeros(1, np.int64), np.array([[0.0, 0.0]])
    whole, early = swept_clearance(told, body, robot, np.array([4]))
    assert whole[0] == pytest.approx(1.0 - 0.3)
    assert early[0] == pytest.approx(np.sqrt(2.0) - 0.3)
