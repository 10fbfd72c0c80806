"""One MuJoCo model that holds the robot and a scene: what plans are carried out in.

ReactHuman specification, section 14. The robot comes first, then the bodies and boxes of the scene under `PREFIX`,
exactly as they are simulated for ground truth: step, solver and pairs of their own. Every body of the scene has nine
pairs with the robot (humanoid specification, section 4.3), of the contact settings of the scene and the larger friction
of the two, so the number of contacts is fixed. Furniture and walls do not touch the robot.

Public: `Shared`, `shared`, `robot_config`.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jaxphys import rigid
from jaxphys.humanoid.config import HumanoidConfig
from jaxphys.humanoid.robot import OBJECT_GEOMS, robot_spec
from jaxphys_benchmarks.reacthuman.execution.config import STEP, ExecutionConfig
from jaxphys_benchmarks.reacthuman.lower import lower, rules_of
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.rigid.leaves import SPIN
from jaxphys_kernels.rigid.model import Rules, State, World

PREFIX = "scene_"
"""Before the names of the bodies and geoms of a scene."""

PARTS = tuple(OBJECT_GEOMS)
"""Parts of the robot that touch bodies."""

LEAST_FRICTION = 0.01
"""Of a pair, as Genesis has it (section 15.1)."""


@dataclass(frozen=True, eq=False)
class Shared:
    """The model of one scene.

    Attributes:
        model: `MjModel`. rules: of the scene's simulation, with the cone and the solver of this model.
        world, state: of the scene, as for `jaxphys.rigid`, at its launch; they lead with a scene axis of 1.
        parts: (9,) geoms of the robot, in the order of `PARTS`. things: (n,) geoms of the scene's bodies.
        bodies: (n,) their bodies.
    """

    model: Any
    rules: Rules
    world: World
    state: State
    parts: tuple[int, ...]
    things: tuple[int, ...]
    bodies: tuple[int, ...]


def robot_config(config: ExecutionConfig) -> HumanoidConfig:
    """The robot's configuration of an execution; walks to either side start at once."""
    # A walk to the left that began with the right leg would stand still for half a second.
    return HumanoidConfig(threads=config.threads, lead_leg=True)


def shared(spec: ReactHumanSpec, config: ExecutionConfig) -> Shared:
    """The robot and a scene in one model.

    Raises:
        ImportError: the extra `humanoid` is not installed.
        ValueError: the scene has another recorded step than the controller is made for.
    """
    import mujoco

    if abs(spec.physics.dt - STEP) > 1e-9:
        raise ValueError(f"physics.dt: {spec.physics.dt:g} s; plans are carried out at 1/240 s only")
    (world, state), rules = lower([spec]), rules_of(spec.physics)
    scene = mujoco.MjSpec.from_string(rigid.mjcf(world, state, rules))
    whole = _robot(robot_config(config)).copy()
    for part in (*scene.sensors, *scene.keys):
        scene.delete(part)
    for option in (scene.option, whole.option):
        option.timestep, option.gravity = rules.step, [0.0, 0.0, -spec.scene.g]
        option.cone = {"elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC, "pyramidal": mujoco.mjtCone.mjCONE_PYRAMIDAL}[
            config.cone
        ]
        option.iterations, option.tolerance, option.impratio = config.iterations, config.tolerance, rules.impratio
        option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    own = {geom.name: float(geom.friction[0]) for geom in whole.geoms}
    whole.attach(scene, prefix=PREFIX, frame=whole.worldbody.add_frame())
    for k, thing in enumerate(spec.scene.things):
        for name in OBJECT_GEOMS.values():
            friction = max(own[name], thing.friction, LEAST_FRICTION)
            # A pair takes neither friction nor solref from its geoms.
            whole.add_pair(
                geomname1=name,
                geomname2=f"{PREFIX}body{k}",
                condim=3,
                friction=[friction, friction, *SPIN],
                solref=list(rules.solref),
                solimp=list(rules.solimp),
            )
    model = whole.compile()
    count = range(len(spec.scene.things))
    return Shared(
        model=model,
        rules=rules,
        world=world,
        state=state,
        parts=tuple(model.geom(name).id for name in OBJECT_GEOMS.values()),
        things=tuple(model.geom(f"{PREFIX}body{k}").id for k in count),
        bodies=tuple(model.body(f"{PREFIX}body{k}").id for k in count),
    )


@lru_cache(maxsize=4)
def _robot(config: HumanoidConfig) -> Any:
    """The robot alone, not compiled; not to be changed."""
    return robot_spec(config)
