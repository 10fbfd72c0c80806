"""Plans carried out: hazards go their way, hands meet them, batches change nothing, plans can be replaced."""

import functools

import jax
import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.execution import TICK, Execution, ExecutionConfig, execute, mjx_lanes
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.simulate import simulate
from jaxphys_benchmarks.reacthuman.spec import Physics, ReactHumanSpec
from jaxphys_kernels.humanoid.joints import DEFAULT
from tests.benchmarks.reacthuman.execution.executed_scenes import BACK, STILL, ball, door, reaching, scene, thrown

CONFIG = ExecutionConfig(seconds=1.0)
CATCHING = reaching(0.35, 0.0, 0.26)


@functools.cache
def ran() -> Execution:
    """A ball that is met, one that is left alone, and a door."""
    rows = [thrown(), thrown(-30), door()]
    run = Execution([spec for spec, _ in rows], [labels for _, labels in rows], [CATCHING, BACK, STILL], CONFIG)
    run.advance(run.ticks)
    return run


def test_a_thrown_ball_is_met_by_the_hands() -> None:
    outcome = ran().outcomes()[0]
    assert outcome.reached
    assert outcome.first_contact_body in ("left_hand", "right_hand")
    assert outcome.first_contact_time == pytest.approx(0.6, abs=0.08)
    # It comes at 2 m/s, falling at 3.9 m/s.
    assert outcome.contact_speed == pytest.approx(4.4, abs=1.0)
    # As much as its momentum, and less than twice that.
    assert 0.1 * 0.3 * 2 < outcome.contact_impulse < 2 * 0.3 * 5
    assert outcome.hand_error_at_impact is not None
    assert outcome.hand_error_at_impact < 0.12
    assert not outcome.fell


def test_nobody_falls_and_the_robot_walks_back() -> None:
    outcomes = ran().outcomes()
    assert not any(outcome.fell for outcome in outcomes)
    assert outcomes[1].base.forward < -0.2
    assert abs(outcomes[0].base.forward) < 0.1
    assert outcomes[1].t_first_motion is not None
    assert outcomes[1].t_first_motion < 0.7


def test_motions_begin_at_the_freeze_in_front_of_the_hazard() -> None:
    run = ran()
    motion, states = run.motions()[0], run.states()
    assert motion.times[:2].tolist() == pytest.approx([0.0, 4 / 240])
    assert motion.robot.shape == (61, 36)
    assert motion.pos.shape == (61, 1, 3)
    assert motion.palms.shape == (61, 2, 3)
    root = run.specs[0].robot_root
    assert motion.robot[0, :2] == pytest.approx(root[:2], abs=1e-9)
    w, _, _, z = motion.robot[0, 3:7]
    assert 2 * np.arctan2(z, w) == pytest.approx(np.pi / 2, abs=0.02)
    assert run.time == pytest.approx(48 * TICK)
    assert states.pos[0, 0] == pytest.approx(motion.pos[-1, 0], abs=1e-6)
    assert states.palms.shape == (3, 2, 3)
    assert not states.fallen.any()


def test_a_hazard_that_meets_nobody_goes_as_in_the_simulation_of_the_truth() -> None:
    spec, labels = thrown()
    far = spec.model_copy(update={"robot": spec.robot.model_copy(update={"y": -5.0})})
    run = Execution([far], [labels], [None], CONFIG)
    run.advance(24)
    truth = simulate([spec])[0].qpos[0, spec.timing.freeze_step :, 0, :3]
    seen = run.motions()[0].pos[:, 0]
    assert seen == pytest.approx(truth[: 4 * len(seen) : 4], abs=1e-6)


def test_what_is_held_before_its_release_does_not_move() -> None:
    run = ran()
    motion = run.motions()[1]
    held = motion.times < 30 / 240 - 1e-9
    assert np.ptp(motion.pos[held, 0], axis=0).max() < 1e-12
    assert np.linalg.norm(motion.pos[-1, 0] - motion.pos[0, 0]) > 0.3


def test_a_scene_does_not_depend_on_its_batch() -> None:
    spec, labels = thrown()
    outcomes, (alone,) = execute([spec], [labels], [CATCHING], CONFIG)
    beside = ran().motions()[0]
    assert alone.robot.tolist() == beside.robot.tolist()
    assert alone.pos.tolist() == beside.pos.tolist()
    assert outcomes[0] == ran().outcomes()[0]


def test_a_plan_is_replaced_in_mid_motion() -> None:
    spec, labels = thrown()
    run = Execution([spec, spec], [labels] * 2, [CATCHING, CATCHING], CONFIG)
    run.advance(15)
    before = run.states()
    run.replace(np.array([True, False]), [reaching(0.2, 0.1, 0.1), None])
    run.advance(1)
    after = run.states()
    # Nothing jumps at the switch.
    assert np.abs(after.palms - before.palms).max() < 0.06
    run.advance(run.ticks - 16)
    there = run.states()
    assert not there.fallen.any()
    left = there.palms[:, 0] - there.root
    # Facing +Y, hands are +y ahead; the first robot's now reach less far.
    assert left[0, 1] == pytest.approx(0.2, abs=0.08)
    assert left[1, 1] > left[0, 1] + 0.05
    assert run.outcomes()[0].findings == ()


def test_joints_can_be_driven_and_given_back() -> None:
    spec, labels = thrown()
    run = Execution([spec], [labels], [STILL], CONFIG)
    arms = DEFAULT.copy()
    arms[15] = -0.6
    run.command(np.array([True]), arms[None])
    run.advance(6)
    assert run.states().qpos[0, 7 + 15] < -0.1
    run.command(np.array([True]), None)
    run.advance(30)
    assert not run.states().fallen[0]
    with pytest.raises(ValueError, match="targets"):
        run.command(np.array([True]), np.full((1, 29), np.nan))


def test_walks_to_either_side_start_at_once() -> None:
    """A walk to the left that begins with the right leg gets 0.14 m far in this time."""
    spec, labels = thrown()
    aside = [STILL.model_copy(update={"walking_cmd": (0.0, vy, 0.0), "walking_duration": 1.0}) for vy in (0.6, -0.6)]
    outcomes, _ = execute([spec] * 2, [labels] * 2, aside, CONFIG.model_copy(update={"seconds": 0.9}))
    assert outcomes[0].base.left > 0.25
    assert outcomes[1].base.left < -0.25


def test_limits_are_told() -> None:
    spec, labels = thrown()
    beyond = reaching(0.9, 0.0, -0.7).model_copy(update={"walking_cmd": (-1.0, 0.0, 0.0), "walking_duration": 0.2})
    run = Execution([spec], [labels], [beyond], CONFIG)
    found = run.outcomes()[0].findings
    findings = " ".join(found)
    assert "hand" in findings
    assert "walks" in findings
    # Each field of the plan once, and no key frame that the plan does not have.
    fields = [line.partition(":")[0] for line in found]
    assert len(fields) == len(set(fields))
    assert set(fields) <= {"cmd[0]", *(f"{name}[{k}]" for name in ("kl", "kr") for k in range(len(beyond.keyframes)))}
    assert all(line.count(field) == 1 for line, field in zip(found, fields, strict=True))


def test_air_and_rebounds_act_as_in_the_truth() -> None:
    physics = Physics(drag="quadratic", bounce="contact")
    falls = scene(ball((0.1, 1.5, 0.35), (0.2, 0.0, 0.0), restitution=0.8, drag_area=0.02), physics=physics)
    run = Execution([falls], [thrown()[1]], [None], CONFIG)
    run.advance(14)
    truth = simulate([falls])[0].qpos[0, falls.timing.freeze_step :, 0, :3]
    seen = run.motions()[0].pos[:, 0]
    assert seen == pytest.approx(truth[: 4 * len(seen) : 4], abs=1e-6)
    # It has left the floor again.
    assert np.diff(seen[:, 2]).max() > 0.01


def test_unequal_numbers_are_refused() -> None:
    spec, labels = thrown()
    with pytest.raises(ValueError, match="specs, labels, plans: 1, 1, 2"):
        Execution([spec], [labels], [None, None], CONFIG)
    run = Execution([spec], [labels], [None], CONFIG)
    with pytest.raises(ValueError, match="mask"):
        run.replace(np.array([True, True]), [None, None])


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_mjx_does_the_same() -> None:
    """The controller senses current states on MJX and those of a physics step before on C; arms feel it most."""
    spec, labels = thrown(-6)
    short = CONFIG.model_copy(update={"seconds": 0.25})
    runs = {}
    for backend in ("c", "mjx"):
        (outcome,), (motion,) = execute([spec], [labels], [CATCHING], short.model_copy(update={"backend": backend}))
        assert not outcome.fell
        runs[backend] = motion
    assert runs["mjx"].robot[:, :3] == pytest.approx(runs["c"].robot[:, :3], abs=5e-3)
    assert runs["mjx"].robot == pytest.approx(runs["c"].robot, abs=0.05)
    assert runs["mjx"].pos == pytest.approx(runs["c"].pos, abs=1e-4)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_scene_does_not_depend_on_its_batch_on_mjx_and_one_program_serves_all() -> None:
    rows = [*others(2), thrown()]
    runs = [mjx_run(rows), mjx_run(rows[::-1] * 3), mjx_run(rows[2:])]
    for run in runs:
        run.advance(2)
    places = [run.motions() for run in runs]
    alone = places[2][0]
    assert np.ptp(alone.pos[:, 0], axis=0).max() > 0.02
    for motion in (places[0][2], places[1][0], places[1][6]):
        assert motion.robot.tolist() == alone.robot.tolist()
        assert motion.pos.tolist() == alone.pos.tolist()
    assert mjx_lanes.program(rows[0][0].physics.substeps)._cache_size() == 1


def others(b: int) -> list[tuple[ReactHumanSpec, Labels]]:
    """Balls of other sizes and masses, with the same truth."""
    return [(scene(ball((0.1, 1.5, 1.0), size=(0.06 + 0.01 * k,) * 3, mass=1.0 + k)), thrown()[1]) for k in range(b)]


def mjx_run(rows: list[tuple[ReactHumanSpec, Labels]]) -> Execution:
    """An execution on MJX in which everybody stands."""
    mjx = CONFIG.model_copy(update={"backend": "mjx"})
    return Execution([spec for spec, _ in rows], [labels for _, labels in rows], [STILL] * len(rows), mjx)


def test_executions_of_any_number_of_scenes_share_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a form: balls of all sizes are one."""
    nothing = jax.jit(lambda models, states: states)
    monkeypatch.setattr(mjx_lanes, "program", lambda substeps: nothing)
    for rows in ([thrown()], others(2), others(mjx_lanes.width() + 1)):
        run = mjx_run(rows)
        before = run.states().pos
        run.advance(1)
        # Nothing moves, and every lane gets back what is its own.
        assert run.states().pos == pytest.approx(before, abs=1e-6)
    assert nothing._cache_size() == 1


def test_mjx_takes_scenes_of_one_form_without_drag() -> None:
    mjx = CONFIG.model_copy(update={"backend": "mjx"})
    windy = scene(ball((0.1, 1.5, 0.35)), physics=Physics(drag="quadratic"))
    with pytest.raises(ValueError, match="mjx knows neither drag"):
        Execution([windy], [thrown()[1]], [None], mjx)
    with pytest.raises(ValueError, match="scenes of one form"):
        Execution([thrown()[0], door()[0]], [thrown()[1], door()[1]], [None, None], mjx)
