"""Stages of key frames: what is shown, where, in which colour; variants change looks and cameras only."""

from dataclasses import replace

import numpy as np
import pytest

from jaxphys_benchmarks.enact.config import DEFAULT
from jaxphys_benchmarks.enact.pictures.lens import FACES, fisheye, fisheye_map, fov_deg
from jaxphys_benchmarks.enact.pictures.looks import names, painted, shade, variant
from jaxphys_benchmarks.enact.pictures.stages import AWAY, ON, Seen, faces, stage_of
from jaxphys_benchmarks.enact.world.house import ROBOT
from jaxphys_benchmarks.enact.world.layout import layout_of
from jaxphys_benchmarks.enact.world.robot import BLACK
from jaxphys_benchmarks.stage import Stage
from tests.benchmarks.enact.still import room, still

HOUSE = room()
LAYOUT, STATES = layout_of(HOUSE), still(HOUSE)


def colours(stage: Stage, body: str, frame: int = 0) -> set[str]:
    """Colours of the solids of a body."""
    return {stage.looks[stage.look[frame, k]].colour for k in stage.parts(body)}


def named(category: str) -> str:
    """The first thing of a category."""
    return next(name for name in HOUSE.numbers if name.startswith(category))


def test_all_that_exists_is_shown_and_nothing_else() -> None:
    stage = stage_of(HOUSE, LAYOUT, STATES)
    bodies = {solid.of for solid in stage.solids}
    assert bodies == {*HOUSE.numbers, "cereal", ROBOT, ""}
    apple = named("apple")
    assert (stage.pos[:, stage.parts(apple), 2] > 0.7).all()
    gone = replace(STATES, exists=STATES.exists & (np.arange(len(HOUSE.placed)) != HOUSE.index(apple)))
    assert (stage_of(HOUSE, LAYOUT, gone).pos[:, stage.parts(apple)] == AWAY).all()
    dead = replace(STATES, alive=np.zeros_like(STATES.alive))
    assert (stage_of(HOUSE, LAYOUT, dead).pos[:, stage.parts("cereal")] == AWAY).all()


def test_doors_swing() -> None:
    shut = replace(STATES, joint=np.zeros_like(STATES.joint))
    fridge = HOUSE.placed[HOUSE.index(named("fridge"))]
    one, other = stage_of(HOUSE, LAYOUT, STATES), stage_of(HOUSE, LAYOUT, shut)
    for k, part in zip(one.parts(fridge.name), fridge.thing.parts, strict=True):
        assert np.allclose(other.pos[0, k], fridge.at(part.pos) if not part.link else np.add(fridge.pos, part.pos))
        assert np.allclose(one.pos[0, k], fridge.at(part.pos, part.link))


def test_what_is_on_glows_and_what_is_cooked_is_brown() -> None:
    burner, steak = named("burner"), named("steak")
    plain = stage_of(HOUSE, LAYOUT, STATES)
    on = replace(STATES, toggled=STATES.toggled | (np.arange(len(HOUSE.placed)) == HOUSE.index(burner)))
    assert ON not in colours(plain, burner)
    assert ON in colours(stage_of(HOUSE, LAYOUT, on), burner)
    glow = next(part.lit for part in HOUSE[burner].thing.parts if part.lit)
    assert glow in colours(stage_of(HOUSE, LAYOUT, on), burner)
    done = replace(STATES, cooked=STATES.cooked | (np.arange(len(HOUSE.placed)) == HOUSE.index(steak)))
    assert colours(stage_of(HOUSE, LAYOUT, done), steak) == {HOUSE[steak].thing.browned}


def test_water_flows_while_the_tap_is_on() -> None:
    from jaxphys_benchmarks.enact.world.placing import Placing

    placing = Placing("kitchen", np.random.default_rng(0))
    sink = placing.fixture("sink")
    house = placing.house()
    states = still(house, 1)
    flows = [k for k, part in enumerate(house[sink].thing.parts) if part.flows]
    assert flows
    for on in (False, True):
        stage = stage_of(house, layout_of(house), replace(states, toggled=np.full_like(states.toggled, on)))
        solids = np.array(stage.parts(sink))[flows]
        assert ((stage.pos[0, solids, 2] > 0) == on).all()


def test_variants_change_cameras_and_looks_and_no_place() -> None:
    base = stage_of(HOUSE, LAYOUT, STATES)
    assert names(DEFAULT) == (
        "baseline", "aperture30", "aperture40", "aperture60", "aperture80", "fisheye", "high", "low", "white", "random",
        "skin", "flat", "rich",
    )  # fmt: skip
    for name in names(DEFAULT):
        how = variant(name, DEFAULT)
        seen = Seen(head=how.head, arms=how.arms, gloss=how.realism != "flat", texture=how.realism == "rich")
        stage = stage_of(HOUSE, LAYOUT, STATES, seen)
        kept = [k for k, solid in enumerate(stage.solids) if solid.of]
        shown = [k for k, solid in enumerate(base.solids) if solid.of]
        assert (stage.pos[:, kept] == base.pos[:, shown]).all()
        assert stage.camera.fov_deg == pytest.approx(fov_deg(how.head))
        for body in HOUSE.numbers:
            assert colours(stage, body) == colours(base, body)
    assert fov_deg(variant("baseline", DEFAULT).head) == pytest.approx(99.3, abs=0.05)
    wide = [fov_deg(variant(f"aperture{a}", DEFAULT).head) for a in (30, 60, 80)]
    assert wide == pytest.approx([82.8, 120.9, 133.9], abs=0.1)
    rise = [variant(name, DEFAULT).head.height - DEFAULT.camera.height for name in ("high", "low")]
    assert rise == pytest.approx([0.5, -0.25])
    with pytest.raises(ValueError, match="fisheye"):
        variant("sepia", DEFAULT)


def test_boards_let_the_shadows_on_the_floor_be_seen() -> None:
    rich = stage_of(HOUSE, LAYOUT, STATES, Seen(texture=True))
    known = {(solid.form, solid.half) for solid in stage_of(HOUSE, LAYOUT, STATES).solids}
    flat = [solid for solid in rich.solids if solid.half[2] < 0.001 and (solid.form, solid.half) not in known]
    a, b, _ = HOUSE.placed[0].thing.box[1]
    assert len(flat) > 50
    assert 0 < sum(4 * solid.half[0] * solid.half[1] for solid in flat) < 0.1 * 4 * a * b


def test_the_robot_has_its_appearance() -> None:
    def robot(arms: str) -> Stage:
        return stage_of(HOUSE, LAYOUT, STATES, Seen(arms=arms))  # type: ignore[arg-type]

    assert BLACK in colours(robot("own"), ROBOT)
    for arms in ("white", "skin"):
        assert len(colours(robot(arms), ROBOT)) == 2
        assert BLACK not in colours(robot(arms), ROBOT)
    random = robot("random")
    assert colours(random, ROBOT, 0) != colours(random, ROBOT, 1)
    assert colours(robot("random"), ROBOT, 0) == colours(random, ROBOT, 0)
    assert painted("random", 59, 1, BLACK) != painted("random", 270, 1, BLACK)
    assert shade("#808080", 0) == "#808080"


def test_the_five_faces_of_the_fisheye_join() -> None:
    size, face_px = 64, 64
    mapped = fisheye_map(size, face_px, DEFAULT.camera.fisheye_coefficients)
    for _, axes in FACES:
        assert np.allclose(axes @ axes.T, np.eye(3))
        assert np.linalg.det(axes) == pytest.approx(1)
    # Each face is painted with the directions that its pixels look in: the picture must show its own rays.
    across = (np.arange(face_px) + 0.5) / face_px * 2 - 1
    right, down = np.meshgrid(across, across)
    painted_faces = np.stack([np.stack([np.ones_like(right), -right, -down], -1) @ axes.T for _, axes in FACES])
    painted_faces /= np.linalg.norm(painted_faces, axis=-1, keepdims=True)
    shown = fisheye(painted_faces, mapped)
    middle = shown[size // 2 - 1 : size // 2 + 1, size // 2 - 1 : size // 2 + 1].mean((0, 1))
    assert np.allclose(middle, [1, 0, 0], atol=0.02)
    assert shown[size // 2, 1][1] > 0.97
    assert shown[1, size // 2][2] > 0.97
    assert (shown[0, 0] == 0).all()
    inside = mapped[0] >= 0
    steps = np.linalg.norm(np.diff(shown, axis=1), axis=-1)[inside[:, 1:] & inside[:, :-1]]
    assert steps.max() < 0.12
    with pytest.raises(ValueError, match="fisheye_coefficients"):
        fisheye_map(8, 8, (1.0, 0.0, -0.05))


def test_faces_share_the_place_of_the_camera() -> None:
    stage = stage_of(HOUSE, LAYOUT, STATES)
    for face in faces(stage, STATES, Seen()):
        assert face.camera.fov_deg == 90
        assert [camera.position for camera in face.cameras] == [camera.position for camera in stage.cameras]
