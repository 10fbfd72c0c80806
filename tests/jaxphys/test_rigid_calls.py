"""Calls of the rigid engine: leaves that do not fit, traces, what compiles anew, and batches larger than memory."""

import logging
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys import _rigid_c, _rigid_programs, rigid
from tests.rigid_support import FAST, RATE, about, run, steps

BALL = rigid.Signature((rigid.Shape.SPHERE,), (rigid.Joint.FREE,), 0)
BOUNCE = rigid.Rules(substeps=4, bounce=True)

Scenes = tuple[rigid.World, rigid.State]


def balls(count: int = 1, **more: Any) -> Scenes:
    """Spheres that fall from one metre, a scene for each."""
    given = {"size": np.full((count, 1, 3), 0.05), "pos": np.tile([0, 0, 1.0], (count, 1, 1))}
    return rigid.make_scene(shape=["sphere"], **(given | more))


def board_and_ball() -> Scenes:
    """A hinged board, and a ball beside it."""
    return rigid.make_scene(
        shape=["box", "sphere"],
        size=np.array([[[0.4, 0.02, 1.0], [0.1, 0.1, 0.1]]]),
        pos=np.array([[[0, 0, 0], [0, 2, 1.0]]]),
        joint=["hinge", "free"],
        com=np.array([[[0.4, 0, 1.0], [0, 0, 0]]]),
    )


def test_a_neighbour_that_goes_on_adds_no_first_contact() -> None:
    """What touches at the last saved time is felt by the step after it, which a scene alone does not take."""
    world, state = balls(2)
    last = float(rigid.rollout(world, state, [0.6], backend="c", rules=FAST).first_touch[0, 0])
    together = rigid.rollout(world, state, np.array([[last], [1.0]]), backend="c", rules=FAST)
    assert together.first_touch[:, 0].tolist() == [np.inf, last]
    assert not together.touching[0].any()


def test_a_batch_in_parts_is_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    world, state = balls(7, mass=np.linspace(0.1, 5, 7)[:, None], restitution=np.linspace(0, 0.9, 7)[:, None])
    for rules, part in ((FAST, "MODELS"), (BOUNCE, "NUMBERS")):
        whole = rigid.rollout(world, state, steps(120), backend="c", rules=rules)
        with monkeypatch.context() as patch:
            patch.setattr(_rigid_c, part, 3)
            parts = rigid.rollout(world, state, steps(120), backend="c", rules=rules)
        jax.tree.map(np.testing.assert_array_equal, parts, whole)


def test_no_scenes_are_no_trouble() -> None:
    end = rigid.rollout(*balls(0), [0.5, 1.0], backend="c")
    assert end.qpos.shape == (0, 2, 1, 7)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 3)])
@pytest.mark.parametrize("name", ["restitution", "mass", "damping"])
def test_a_leaf_of_another_shape_is_named(name: str, shape: tuple[int, ...]) -> None:
    world, state = balls()
    with pytest.raises(ValueError, match=rf"^world.{name} has shape .*must be \(1, 1\)"):
        rigid.rollout(world.replace(**{name: np.full(shape, 0.5)}), state, [0.1], backend="c")


WRONG: dict[str, tuple[Callable[[rigid.World], rigid.World], str]] = {
    "gravity of no scene": (lambda w: w.replace(gravity=9.81), "world.gravity has shape"),
    "size of two bodies": (lambda w: w.replace(size=np.ones((1, 2, 3))), "world.size has shape"),
    "shape of no scene": (lambda w: w.replace(shape=np.zeros(1, np.int32)), "world.shape has shape"),
    "boxes without numbers": (lambda w: w.replace(static_half=np.zeros((1, 0))), "world.static_half has shape"),
    "unknown shape": (lambda w: w.replace(shape=np.array([[7]])), "world.shape.*must be a Shape"),
    "unknown joint": (lambda w: w.replace(joint=np.array([[7]])), "world.joint.*must be a Joint"),
    "long axis": (lambda w: w.replace(joint=np.array([[1]]), axis=2 * w.axis), "world.axis.*length 1"),
    "off centre": (lambda w: w.replace(com=np.ones((1, 1, 3))), "world.com.*zero for a free body"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_world_that_was_changed_wrongly_is_refused_by_name(name: str) -> None:
    change, message = WRONG[name]
    world, state = balls()
    with pytest.raises(ValueError, match=f"^{message}"):
        rigid.rollout(change(world), state, [0.1], backend="c")


def test_boxes_that_are_no_boxes_are_refused() -> None:
    flat = balls(static_pos=[[[0, 0, 0.5]]], static_half=[[[0.3, 0.3, 0]]])
    with pytest.raises(ValueError, match=r"^world.static_half\[0, 0\] must be > 0"):
        rigid.validate(*flat)
    world, state = balls(static_pos=[[[0, 0, 0.5]]], static_half=[[[0.3, 0.3, 0.1]]])
    with pytest.raises(ValueError, match=r"^world.static_quat.*length 1"):
        rigid.validate(world.replace(static_quat=2 * world.static_quat), state)
    with pytest.raises(ValueError, match=r"^static_half is missing"):
        balls(static_pos=[[[0, 0, 0.5]]])


def test_a_state_of_another_shape_is_named() -> None:
    world, state = balls()
    with pytest.raises(ValueError, match=r"^state.time has shape \(\)"):
        rigid.rollout(world, state.replace(time=0.0), [0.1], backend="c")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dt", -1.0),
        ("dt", float("nan")),
        ("substeps", 0),
        ("substeps", 2.5),
        ("cone", "round"),
        ("impratio", 0.0),
        ("iterations", 0),
        ("tolerance", -1.0),
        ("solref", [0.01, 1.0]),
        ("solimp", (0.9,)),
        ("capacity", -1),
        ("penetration", -1.0),
    ],
)
def test_rules_that_are_none_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^rules.{name} is"):
        rigid.Rules(**{name: value})


@pytest.mark.parametrize("name", ["threads", "lanes"])
def test_no_threads_and_no_lanes_are_refused(name: str) -> None:
    options: dict[str, Any] = {name: -1}
    with pytest.raises(ValueError, match=f"^{name} is -1"):
        rigid.rollout(*balls(), [0.1], **options)


def test_a_fast_sphere_whose_centre_ends_a_step_inside_a_box_rebounds() -> None:
    """At 5 m/s, 21 mm a step."""
    rules = rigid.Rules(bounce=True)
    box: dict[str, Any] = {"static_pos": [(0, 0, 0.65)], "static_half": [(0.5, 0.5, 0.1)]}
    for off in np.linspace(0, 0.02, 5):
        path = run(
            [0.1], rules, shape=["sphere"], size=[[0.0095] * 3], pos=[(0, 0, 0.9 + off)], vel=[(0, 0, -5)],
            restitution=[0.8], gravity=0.0, **box,
        )  # fmt: skip
        assert path.vel[0, 0, 2] == pytest.approx(4.0, rel=1e-6)


def test_air_at_the_start_is_that_of_the_launch() -> None:
    """Not of the rebound that would come in the first step: air takes energy, and gives none."""
    rules = rigid.Rules(dt=1e-3, drag=True, bounce=True)
    shared: dict[str, Any] = {
        "shape": ["sphere"],
        "size": [[0.05] * 3],
        "vel": [(0, 0, -4)],
        "restitution": [1.0],
        "gravity": 0.0,
    }
    path = run([1e-3], rules, pos=[(0, 0, 0.0501)], drag_area=[0.1], mass=[0.1], **shared)
    assert path.touching.any()
    assert 3.999 < path.vel[0, 0, 2] < 4


@pytest.mark.parametrize("degrees", [0, 22.5, 45])
def test_the_impulse_of_a_box_on_a_box_is_its_weight(degrees: float) -> None:
    """Two squares that are turned against each other touch at eight corners."""
    quat = [(1, 0, 0, 0), about((0, 0, 1), np.radians(degrees))]
    path = run([1.0, 2.0], shape=["box"] * 2, size=[[0.1] * 3] * 2, pos=[(0, 0, 0.1), (0, 0, 0.3)], quat=quat)
    np.testing.assert_allclose(path.end.impulse[0, 1], [2 * 9.81, 0, 9.81], rtol=1e-4, atol=1e-9)


def test_motion_and_energy_compile_once(caplog: pytest.LogCaptureFixture) -> None:
    world, state = balls(2)
    end = rigid.rollout(world, state, steps(RATE)[:3], backend="c")
    with caplog.at_level(logging.WARNING, logger="jax"), jax.log_compiles():
        for _ in range(2):
            caplog.clear()
            rigid.motion(world, end.qpos, end.qvel)
            rigid.energy(world, end.qpos, end.qvel)
    assert [r.message for r in caplog.records if "Compiling" in r.message] == []


def test_motion_takes_lists_and_names_what_does_not_fit() -> None:
    world, state = balls(2)
    given: tuple[Any, Any] = (state.qpos.tolist(), state.qvel.tolist())
    assert rigid.motion(world, *given).pos.shape == (2, 1, 3)
    with pytest.raises(ValueError, match=r"qpos has shape \(1, 7\); it must be \(2, ..., 1, 7\)"):
        rigid.motion(world, state.qpos[0], state.qvel[0])
    with pytest.raises(ValueError, match="qvel has shape"):
        rigid.energy(world, state.qpos, state.qvel[:, :, :5])


# Inside a trace; nothing here is compiled.


def traced(world: rigid.World, state: rigid.State, times: Any, signature: rigid.Signature) -> Any:
    """Shapes of a trajectory of which the places are traced."""

    def one(qpos: jax.Array) -> rigid.Trajectory:
        return rigid.rollout(world, state.replace(qpos=qpos), times, backend="mjx", signature=signature)

    return jax.eval_shape(one, jax.tree.map(jnp.asarray, state).qpos)


@pytest.mark.usefixtures("x64")
def test_a_hinge_beside_a_free_body_can_be_traced() -> None:
    world, state = board_and_ball()
    signature = rigid.Signature((rigid.Shape.BOX, rigid.Shape.SPHERE), (rigid.Joint.HINGE, rigid.Joint.FREE), 0)
    assert traced(world, state, [0.1], signature).touching.shape == (1, 1, len(rigid.pairs(2, 0)))


@pytest.mark.usefixtures("x64")
def test_a_trace_that_cannot_be_is_refused() -> None:
    world, state = balls()
    with pytest.raises(ValueError, match="the scenes have 1 bodies and 0 static boxes"):
        traced(world, state, [0.1], rigid.Signature(BALL.shapes * 2, BALL.joints * 2, 0))
    with pytest.raises(ValueError, match=r"times.*ascending"):
        traced(world, state, [0.2, 0.1], BALL)
    with pytest.raises(ValueError, match="times has shape"):
        traced(world, state, [[0.1], [0.2]], BALL)


@pytest.mark.usefixtures("x64")
def test_a_trace_counts_from_a_start_that_is_known() -> None:
    world, state = balls()
    late = state.replace(time=np.array([0.5]))
    with pytest.raises(ValueError, match="later than the start"):
        traced(world, late, [0.4], BALL)
    assert traced(world, late, [0.6], BALL).qpos.shape == (1, 1, 1, 7)


def test_what_is_parked_does_not_come_down() -> None:
    """Within five minutes."""
    signature = rigid.Signature((rigid.Shape.BOX,) * 3, (rigid.Joint.FREE,) * 3, 1)
    program = _rigid_programs.program_of(signature)
    assert len(program.signature.shapes) > 3
    world, state = rigid.make_scene(
        shape=["box"] * 3, size=np.full((1, 3, 3), 0.05), pos=np.array([[[0, 0, k + 1.0] for k in range(3)]]),
        static_pos=np.array([[[0, 0, 0.5]]]), static_half=np.full((1, 1, 3), 0.1),
    )  # fmt: skip
    _, wide = _rigid_programs.widen(program, signature, world, state)
    parked = np.setdiff1d(np.arange(len(program.signature.shapes)), program.bodies)
    assert (wide.qpos[0, parked, 2] > 0.5 * 9.81 * 300**2).all()
