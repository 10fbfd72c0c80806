"""The robot and a scene in one model, and the hazard where it was left."""

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.execution.config import ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.model import PARTS, PREFIX, shared
from jaxphys_benchmarks.reacthuman.execution.start import hazards
from jaxphys_benchmarks.reacthuman.scene import Box
from jaxphys_benchmarks.reacthuman.simulate import simulate
from jaxphys_benchmarks.reacthuman.spec import Physics
from tests.benchmarks.reacthuman.execution.executed_scenes import DT, ball, door, scene, thrown

CONFIG = ExecutionConfig()


def test_every_body_has_nine_pairs_with_the_robot() -> None:
    table = Box(name="table", pos=(0, 1.0, 0.4), half=(0.5, 0.4, 0.02))
    things = ball((0, 1, 0.5)), ball((0.2, 1, 0.5), name="object_1", friction=1.5)
    own = shared(scene(*things, boxes=(table,)), CONFIG)
    model = own.model
    assert (model.nq, model.nv, model.nu) == (36 + 14, 35 + 12, 29)
    # Feet and floor; both balls with floor, table and each other; both with nine parts of the robot.
    assert model.npair == 6 + 5 + 18
    met = {}
    for first, second, friction in zip(model.pair_geom1, model.pair_geom2, model.pair_friction[:, 0], strict=True):
        ends = {int(first), int(second)}
        for k, thing in enumerate(own.things):
            for part in own.parts:
                if ends == {thing, part}:
                    met[k, model.geom(part).name] = friction
    assert len(met) == 2 * len(PARTS)
    # The larger friction of the two counts; the robot's is 1.
    assert met[0, "torso_collision"] == 1.0
    assert met[1, "torso_collision"] == 1.5
    assert [model.geom(own.things[0]).name, model.geom(own.things[0]).bodyid[0]] == [f"{PREFIX}body0", own.bodies[0]]


def test_the_solver_is_that_of_the_scene() -> None:
    import mujoco

    own = shared(thrown()[0], CONFIG).model
    assert own.opt.timestep == pytest.approx(1 / 960)
    assert own.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert own.opt.iterations == 50
    assert own.opt.gravity.tolist() == [0, 0, -9.81]


def test_another_recorded_step_is_refused() -> None:
    spec = thrown()[0].model_copy(update={"physics": Physics(dt=1 / 120)})
    with pytest.raises(ValueError, match=r"physics\.dt"):
        shared(spec, CONFIG)


@pytest.mark.parametrize("freeze", [48, -30])
def test_hazards_begin_as_they_were_recorded(freeze: int) -> None:
    (spec, _), (swings, _) = thrown(freeze), door()
    free, held = hazards([spec, swings])
    run = simulate([spec])[0]
    step = max(freeze, 0)
    assert free.qpos.tolist() == run.qpos[0, step, 0].tolist()
    assert free.qvel.tolist() == run.qvel[0, step, 0].tolist()
    assert free.wait == max(-freeze, 0)
    assert held.qpos.shape == held.qvel.shape == (1,)
    assert held.qpos[0] == pytest.approx(1.2 - 1.5 * 48 * DT, abs=0.02)
    assert np.isfinite(held.qvel).all()
