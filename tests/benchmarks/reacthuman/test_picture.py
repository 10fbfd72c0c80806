"""Pictures: what is in them, and that the hazard can be seen; cameras have tests of their own."""

import numpy as np
import pytest

from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman import looks
from jaxphys_benchmarks.reacthuman.cameras import KINDS, ROBOT_HEIGHT, hinged
from jaxphys_benchmarks.reacthuman.catalogue import Object, current
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.observed import observed
from jaxphys_benchmarks.reacthuman.picture import FILMS, VIEWS, picture
from jaxphys_benchmarks.reacthuman.scene import Box, Hinge, Scene, Thing
from jaxphys_benchmarks.reacthuman.shapes_parts import turned
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec, Robot, Room, Timing
from jaxphys_benchmarks.stage import Stage
from tests.benchmarks.reacthuman.asked_scenes import spec, track, truth

SMALL = ReactHumanConfig(size_px=(320, 180))
SWING = Hinge(anchor=(0.0, 0.3, 2.7), axis=(1.0, 0.0, 0.0), com=(0.0, 0.0, -1.4), angle=0.7, rate=-0.5)


def pendulum() -> ReactHumanSpec:
    bob = Thing(name="object", object="iron_bob", shape="sphere", size=(0.12,) * 3, mass=50.0, hinge=SWING)
    return spec("pendulum_swing", "iron_bob", scene=Scene(things=(bob,)))


def rolling() -> ReactHumanSpec:
    """A bat that rolls off a stool, and the wall of the room."""
    lying = (0.5**0.5, 0.0, 0.5**0.5, 0.0)
    bat = Thing(name="object", object="baseball_bat", shape="capsule", size=(0.035, 0.035, 0.395), mass=1.0,
                pos=(0.0, 0.3, 0.54), quat=lying, vel=(0.0, -1.0, 0.0))  # fmt: skip
    boxes = (
        Box(name="stool", pos=(0.0, 0.3, 0.48), half=(0.18, 0.12, 0.02)),
        Box(name="wall", pos=(0.0, 2.31, 1.4), half=(2.5, 0.06, 1.4)),
    )
    return spec("object_drop", "baseball_bat", scene=Scene(things=(bat,), boxes=boxes))


def film(of: ReactHumanSpec, kind: str = "egocentric", frames: int = 5) -> Stage:
    return picture(of, None, View(f"{kind}_film", frames=frames), SMALL)


def place(stage: Stage, name: str) -> np.ndarray:
    """(f, 3) where a solid is."""
    return np.asarray(stage.pos[:, [solid.name for solid in stage.solids].index(name)])


def test_films_show_the_observed_frames_and_stills_the_middle_one() -> None:
    of, seen = spec(), observed(spec())
    whole = film(of)
    np.testing.assert_allclose(whole.times, [0, 0.15, 0.3, 0.45, 0.6], atol=1e-9)
    np.testing.assert_array_equal(place(whole, "object"), np.array(seen.pos)[:, 0])
    assert whole.fps == pytest.approx(4 / 0.6)
    still = picture(of, None, View("egocentric"), SMALL)
    assert len(still) == 1
    np.testing.assert_array_equal(still.pos[0], whole.pos[2])
    assert still.times[0] == pytest.approx(0.3)
    short = film(of, frames=3)
    np.testing.assert_array_equal(short.pos, whole.pos[[0, 2, 4]])
    assert (len(short) - 1) / short.fps == pytest.approx(0.6)
    assert {f"{view}_film": 5 for view in VIEWS} == FILMS


def test_the_labels_give_nothing_but_the_observed_frames() -> None:
    of = spec()
    bare = film(of)
    for labels in (truth("EXECUTE_CATCH", track=observed(of)), truth("TRIGGER_DODGE", track=observed(of), tti=2.0)):
        drawn = picture(of, labels, View("egocentric_film", frames=5), SMALL)
        np.testing.assert_array_equal(drawn.pos, bare.pos)
        assert (drawn.solids, drawn.camera, drawn.looks) == (bare.solids, bare.camera, bare.looks)
    stored = picture(of, truth(track=track(lambda t: (t, 0, 0.5))), View("egocentric_film", frames=5), SMALL)
    np.testing.assert_allclose(place(stored, "object")[:, 0], [0, 0.15, 0.3, 0.45, 0.6])


def test_what_is_observed_is_what_is_simulated() -> None:
    """Free fall of the sphere of the scene, before it meets anything; before the release it hangs still."""
    of = spec(timing=Timing(mode="event", t0_step=-36, freeze_step=108))
    seen = observed(of)
    assert seen.times == (-0.15, 0.0, 0.15, 0.3, 0.45)
    heights = [pos[0][2] for pos in seen.pos]
    assert heights[:2] == [1.0, 1.0]
    # Semi-implicit Euler with inner steps of 1/960 s: g d² n (n + 1) / 2 in n steps of d.
    n, d = 144, 1 / 960
    assert heights[2] == pytest.approx(1.0 - 9.81 * d * d * n * (n + 1) / 2, abs=2e-6)
    assert seen.vel[0][0] == seen.vel[1][0] == (0.0, 0.0, 0.0)
    assert seen.vel[2][0][2] == pytest.approx(-9.81 * 0.15, abs=1e-5)


def test_what_has_not_been_let_go_yet_does_not_move() -> None:
    thing = spec().scene.things[0].model_copy(update={"vel": (0.0, -1.5, 0.0), "omega": (3.0, 0.0, 0.0)})
    of = spec(
        scene=spec().scene.model_copy(update={"things": (thing,)}),
        timing=Timing(mode="event", t0_step=-72, freeze_step=72),
    )
    seen = observed(of)
    assert [vel[0][1] for vel in seen.vel[:3]] == [0.0, 0.0, -1.5]
    assert [omega[0][0] for omega in seen.omega[:3]] == [0.0, 0.0, 3.0]
    assert seen.pos[0] == seen.pos[2] != seen.pos[3]


def test_a_window_that_ends_before_the_release_shows_the_scene_at_rest() -> None:
    seen = observed(spec(timing=Timing(mode="event", t0_step=-200, freeze_step=-56)))
    assert len({pos for pos in seen.pos}) == 1
    assert not np.any(seen.vel)


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("of", [spec(), pendulum(), rolling()], ids=["drop", "pendulum", "bat"])
def test_the_hazard_is_in_every_picture_at_the_start(kind: str, of: ReactHumanSpec) -> None:
    stage = film(of, kind)
    x, y, depth = stage.camera.project(place(stage, "object")[0], stage.width_px, stage.height_px)
    assert depth > 0
    assert 0 <= x <= stage.width_px
    assert 0 <= y <= stage.height_px


def test_a_pendulum_hangs_on_a_rope() -> None:
    of = pendulum()
    stage = film(of)
    bob, rope = place(stage, "object"), place(stage, "object rope")
    np.testing.assert_allclose(bob[0], hinged(SWING, SWING.angle), atol=1e-6)
    k = [solid.name for solid in stage.solids].index("object rope")
    # From the anchor down to the bob, and into it a little.
    half = stage.solids[k].half[2]
    assert 2 * half == pytest.approx(1.4 - 0.9 * 0.12, abs=1e-5)
    arm = (bob - SWING.anchor) / np.linalg.norm(bob - SWING.anchor, axis=1, keepdims=True)
    np.testing.assert_allclose(rope, SWING.anchor + half * arm, atol=1e-6)
    # The rope's own z axis, turned, is along the arm.
    axis = turned(stage.quat[:, k], np.array([0.0, 0.0, 1.0]))
    assert np.abs((axis * arm).sum(axis=1)) == pytest.approx(1, abs=1e-9)
    assert stage.solids[k].of == ""


def test_all_that_moves_with_a_body_is_said_to_be_of_it() -> None:
    stage = film(rolling())
    parts = stage.parts("object")
    assert len(parts) > 3
    assert {stage.solids[k].name for k in parts} >= {"object", "object part 1"}
    fixed = [k for k in range(len(stage.solids)) if k not in parts]
    assert not {stage.solids[k].of for k in fixed} - {""}
    moved = (stage.pos[1:] != stage.pos[:-1]).any(axis=(0, 2))
    assert moved[parts].all()
    assert not moved[fixed].any()


def test_furniture_has_legs_and_walls_cast_no_shadow() -> None:
    stage = film(rolling(), "observer")
    by_name = {solid.name: solid for solid in stage.solids}
    assert sum(name.startswith("stool leg") for name in by_name) == 4
    assert not by_name["wall"].casts
    assert by_name["stool"].casts
    around = [solid for solid in stage.solids if solid.name.startswith("room")]
    assert {"room north", "room east", "room west"} & {solid.name for solid in around}
    assert not any(solid.casts for solid in around)
    assert len(by_name) == len(stage.solids)


def test_the_robot_is_seen_by_others_and_does_not_see_itself() -> None:
    stages = {kind: film(spec(), kind) for kind in KINDS}
    assert not stages["egocentric"].parts("robot")
    for kind in ("observer", "closeup", "overhead"):
        stage = stages[kind]
        body = stage.parts("robot")
        heights = [stage.pos[0, k, 2] + stage.solids[k].half[2] for k in body]
        assert max(heights) == pytest.approx(ROBOT_HEIGHT, abs=1e-9)
        middle = stage.pos[0, body].mean(axis=0)
        assert middle[:2] == pytest.approx(spec().robot_root[:2], abs=0.15)
    assert "room ceiling" in {solid.name for solid in stages["egocentric"].solids}
    assert "room ceiling" not in {solid.name for solid in stages["overhead"].solids}


def test_no_wall_stands_between_a_camera_and_the_scene() -> None:
    for kind in KINDS:
        for x, width in ((-1.2, 5.0), (1.2, 5.0), (0.0, 2.4)):
            room = Room(type="office", width=width, depth=4.5, height=2.8)
            stage = film(spec(robot=Robot(x=x, y=-1.2, stand_off=1.2), room=room), kind)
            eye = np.array(stage.camera.position)
            for solid, pos in zip(stage.solids, stage.pos[0], strict=True):
                if solid.name in ("room north", "room east", "room west", "room ceiling"):
                    inner = np.abs(place(stage, "object")[0] - pos) > np.array(solid.half) - 1e-9
                    outward = (eye - pos) * (place(stage, "object")[0] - pos) > 0
                    thin = int(np.argmin(solid.half))
                    assert inner[thin]
                    assert outward[thin], (kind, solid.name)


def test_an_adversarial_object_looks_like_its_honest_twin() -> None:
    for row in current().rows:
        for family in row.families if row.twin else ():
            fake = Thing(name="object", object=row.name, shape="sphere", size=(1, 1, 1), mass=1.0)
            like = current().twin(row, family)
            assert like is not None
            assert looks.seen_as(row.name, family) == like
            assert looks.words(row.name, family) == like.display_name
            honest = [home for home in like.families if home == family]
            for home in honest:
                assert looks.of_thing(fake, family) == looks.of_thing(
                    fake.model_copy(update={"object": like.name}), home
                )


def test_no_words_tell_what_an_adversarial_object_is_made_of() -> None:
    for row in current().rows:
        told = looks.words(row.name, row.families[0]).split()
        assert told
        if row.adversarial:
            assert not {"foam", "hollow", "lead", "lead-core", "solid"} & set(told), row.name


def test_own_objects_keep_their_own_colour() -> None:
    own = Object(name="green_cube", families=("object_drop",), morph="box", visual_size=(0.1, 0.1, 0.1), density=500,
                 catch_safe=True, color_rgb=(0.0, 1.0, 0.5))  # fmt: skip
    config = ReactHumanConfig(objects=(own,), size_px=(64, 36))
    cube = Thing(name="object", object="green_cube", shape="box", size=(0.1, 0.1, 0.1), mass=4.0, pos=(0, 0, 1))
    of = spec("object_drop", "green_cube", scene=Scene(things=(cube,)))
    assert picture(of, truth(), View("egocentric"), config).looks[0].colour == "#00ff80"
    assert looks.words("green_cube", "object_drop", config.catalogue) == "green cube"
    # Without the configuration it is grey, and there.
    assert picture(of, truth(), View("egocentric"), SMALL).looks[0].colour == looks.OTHER


def test_size_follows_the_configuration_and_the_scale() -> None:
    stage = picture(spec(), None, View("egocentric", scale=0.5), SMALL)
    assert (stage.width_px, stage.height_px) == (160, 90)
    default = picture(spec(), None, View("egocentric"))
    assert (default.width_px, default.height_px) == (1280, 720)


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (View("final"), "no camera 'final'"),
        (View("egocentric_film", frames=6), "6 frames; 5 of object_drop/scene_00005 are observed"),
        (View("egocentric_film", frames=0), "0 frames"),
        (View("egocentric", scale=1e-4), "leaves no pixel"),
    ],
)
def test_views_that_cannot_be_drawn_are_named(view: View, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        picture(spec(), None, view, SMALL)
