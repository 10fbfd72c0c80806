"""Where cameras stand: what they hold in the picture, how the head is turned, and that no camera knows the future."""

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.cameras import (
    FLOOR_DEG,
    FOV_DEG,
    HEAD,
    HEAD_FOV_DEG,
    KINDS,
    MARGIN,
    PITCH_DEG,
    TURN_DEG,
    camera,
    extent,
    way_beyond,
    what_matters,
)
from jaxphys_benchmarks.reacthuman.scene import Hinge, Scene, Thing
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec, Robot, Timing
from jaxphys_benchmarks.stage import Camera
from tests.benchmarks.reacthuman.asked_scenes import spec
from tests.benchmarks.reacthuman.made_scenes import drawn

WIDE = 16 / 9
WIDTH_PX, HEIGHT_PX = 1280, 720


def ball(ahead: float, height: float, left: float = 0.0, radius: float = 0.037) -> ReactHumanSpec:
    """Something that far ahead and left of the robot's head, at a height (m)."""
    pos = (0.1 - left, -0.8 + HEAD[0] + ahead, height)
    thing = Thing(name="object", object="red_apple", shape="sphere", size=(radius,) * 3, mass=0.2, pos=pos)
    return spec("ceiling_drop", "red_apple", scene=Scene(things=(thing,)))


def gaze_deg(lens: Camera) -> tuple[float, float]:
    """Turn to the left of +Y and pitch upwards."""
    x, y, z = np.subtract(lens.target, lens.position)
    return float(np.degrees(np.arctan2(-x, y))), float(np.degrees(np.arctan2(z, np.hypot(x, y))))


def inside(lens: Camera, points: np.ndarray, share: float = 1.0) -> np.ndarray:
    """Whether points are in that share of the picture."""
    seen = lens.project(points, WIDTH_PX, HEIGHT_PX)
    half = np.array([WIDTH_PX / 2, HEIGHT_PX / 2])
    return np.asarray((seen[:, 2] > 0) & (np.abs(seen[:, :2] - half) <= share * half + 1e-6).all(axis=1))


def test_the_head_is_where_a_standing_robot_has_it() -> None:
    assert camera(spec(), "egocentric", WIDE).position == pytest.approx((0.1, -0.8 + HEAD[0], 0.79 + HEAD[2]))


@pytest.mark.parametrize("height", [0.05, 0.8, 1.25, 2.0, 2.6])
@pytest.mark.parametrize("ahead", [0.15, 0.5, 1.0, 2.0])
def test_the_head_sees_the_hazard_as_it_starts_and_no_more_than_it_must(ahead: float, height: float) -> None:
    of = ball(ahead, height)
    lens = camera(of, "egocentric", WIDE)
    least, most = HEAD_FOV_DEG
    turn, pitch = gaze_deg(lens)
    assert inside(lens, extent(of.scene.things[0])).all()
    assert turn == pytest.approx(0, abs=1e-4)
    assert PITCH_DEG[0] - 1e-3 <= pitch <= PITCH_DEG[1] + 1e-3
    assert least <= lens.fov_deg <= most
    floor = np.array([[0.1, -0.8 + HEAD[0] + 1.25 / np.tan(np.radians(-FLOOR_DEG)), 0.0]])
    # Only what is far above the head is so far from the floor ahead that the widest lens cannot hold both.
    assert inside(lens, floor).all() or (lens.fov_deg == most and height > 1.9)


@pytest.mark.parametrize(
    ("left", "turn_deg"), [(0.0, 0.0), (0.4, 0.0), (-0.4, 0.0), (1.0, 20.0), (-1.0, -20.0), (50.0, TURN_DEG)]
)
def test_the_head_turns_only_to_what_is_far_aside(left: float, turn_deg: float) -> None:
    assert gaze_deg(camera(ball(1.0, 1.25, left), "egocentric", WIDE))[0] == pytest.approx(turn_deg, abs=4)


def test_the_head_does_not_turn_for_what_is_overhead() -> None:
    above, aside = (gaze_deg(camera(ball(0.1, height, 0.3), "egocentric", WIDE))[0] for height in (2.6, 1.5))
    assert above == pytest.approx(0, abs=1e-4)
    assert aside > 40


def test_a_door_beside_the_robot_is_seen() -> None:
    for of in drawn("door_swing", 2):
        lens = camera(of, "egocentric", WIDE)
        panel = extent(of.scene.things[0])
        assert abs(gaze_deg(lens)[0]) == pytest.approx(TURN_DEG, abs=20)
        assert inside(lens, np.concatenate([panel, panel.reshape(2, 4, 3).mean(axis=1)])).sum() >= 2


@pytest.mark.parametrize("kind", ["observer", "closeup", "overhead"])
@pytest.mark.parametrize("x", [-1.2, 0.0, 1.2])
def test_what_matters_is_within_the_margin_of_the_field_of_view(kind: str, x: float) -> None:
    of = spec(robot=Robot(x=x, y=-1.3, stand_off=1.2))
    lens = camera(of, kind, WIDE)
    points = what_matters(of)
    assert inside(lens, points, MARGIN + 0.01).all()
    assert FOV_DEG[0] <= lens.fov_deg <= FOV_DEG[1]
    # It is not looked at from farther away than it takes: at a little less, it would not fit, or the lens is narrow.
    assert lens.fov_deg == FOV_DEG[0] or not inside(lens, points, 0.9 * MARGIN).all()


def test_corners_of_bodies_are_those_of_the_box_around_them() -> None:
    lying = (0.5**0.5, 0.0, 0.5**0.5, 0.0)
    bat = Thing(name="object", shape="capsule", size=(0.04, 0.04, 0.36), mass=1.0, pos=(1.0, 2.0, 3.0), quat=lying)
    corners = extent(bat) - (1.0, 2.0, 3.0)
    np.testing.assert_allclose(np.abs(corners), np.tile((0.4, 0.04, 0.04), (8, 1)), atol=1e-12)
    hinge = Hinge(anchor=(0, 0, 0), axis=(0, 0, 1), com=(0.5, 0, 1.0), angle=np.pi / 2, rate=0)
    panel = extent(Thing(name="object", shape="box", size=(0.5, 0.02, 1.0), mass=20, hinge=hinge))
    np.testing.assert_allclose(panel.min(axis=0), (-0.02, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(panel.max(axis=0), (0.02, 1.0, 2.0), atol=1e-12)


@pytest.mark.parametrize("family", ["thrown_object", "bouncing_object", "door_swing", "object_drop"])
def test_cameras_are_the_same_for_all_bands_of_a_group(family: str) -> None:
    bands = drawn(family, 1, decoy_fraction=0.0)
    for kind in KINDS:
        assert len({camera(of, kind, WIDE) for of in bands}) == 1


def test_cameras_follow_a_band_that_starts_elsewhere() -> None:
    """With real bounces faster balls start farther away; each is in its picture as it starts."""
    bands = drawn("bouncing_object", 1, decoy_fraction=0.0, bounce="contact")
    assert len({of.scene.things[0].pos for of in bands}) == 4
    for kind in KINDS:
        assert len({camera(of, kind, WIDE) for of in bands}) > 1
        for of in bands:
            assert inside(camera(of, kind, WIDE), extent(of.scene.things[0])).all()


def test_the_observer_sees_how_far_the_fastest_throw_gets_before_time_is_frozen() -> None:
    of = drawn("thrown_object", 1, decoy_fraction=0.0)[0]
    start, speed, aside = of.scene.things[0].pos, of.sampled["speed"], of.sampled["sideways"]
    assert way_beyond(of)[-1] == pytest.approx(
        (start[0] + 3 * aside * 0.45, start[1] - 3 * speed * 0.45, start[2]), abs=1e-5
    )
    assert inside(camera(of, "observer", WIDE), np.array(way_beyond(of))).all()
    ends_before = of.model_copy(update={"timing": Timing(mode="event", t0_step=-100, freeze_step=44)})
    assert way_beyond(ends_before) == way_beyond(spec()) == []
    bounce = drawn("bouncing_object", 1, decoy_fraction=0.0)[0]
    assert way_beyond(bounce)[0][1] == pytest.approx(
        bounce.scene.things[0].pos[1] - 3 * bounce.sampled["speed"] * 0.6, abs=1e-5
    )


def test_a_camera_is_that_of_its_own_scene_whatever_was_asked_before() -> None:
    """Cameras are remembered by what they depend on: of all scenes each gets the one that is made for it alone."""
    seen: dict[str, set[Camera]] = {kind: set() for kind in KINDS}
    for family in ("thrown_object", "bouncing_object", "pendulum_swing", "door_swing", "chain_reaction", "ladder_slip"):
        for of in drawn(family):
            elsewhere = of.model_copy(update={"robot": of.robot.model_copy(update={"x": of.robot.x + 0.1})})
            for one in (of, elsewhere):
                for kind, made in KINDS.items():
                    assert camera(one, kind, WIDE) == made(one, WIDE, ())
                    seen[kind].add(camera(one, kind, WIDE))
    assert min(len(cameras) for cameras in seen.values()) >= 12
    of = spec()
    beside = [np.array([4.0, 0.0, 0.0])]
    assert camera(of, "observer", WIDE, beside) != camera(of, "observer", WIDE)
    assert camera(of, "observer", 0.3) != camera(of, "observer", WIDE)
