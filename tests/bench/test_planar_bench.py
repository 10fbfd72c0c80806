"""What the planar question compares: the same scenes for both sides, and targets for the ratios that count."""

import numpy as np
import pytest

pytest.importorskip("pybullet", reason="pybullet is missing; install jaxphys[references] under Python 3.11")

from bench import planar as question
from bench.harness import Timing
from bench.rows import Row
from bench.targets import target_of
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.lower import lower, simulate
from jaxphys_benchmarks.inphyre.sample import draw_many
from tests.oracle import planar_loop

CONFIG = InPhyReConfig()


def test_the_peer_and_the_oracle_get_the_scenes_that_we_simulate() -> None:
    specs = question._in_turns([draw_many(CONFIG, 0, scenario, range(3)) for scenario in CONFIG.scenarios])
    assert [spec.scenario for spec in specs[:10]] == list(CONFIG.scenarios)
    world, run = simulate(specs)
    _, state = lower(specs)
    compared = 0
    for k in range(len(specs)):
        if run.status[k]:
            continue
        scene = question._scene(world, state, k)
        want = planar_loop.simulate(scene, specs[k].duration)
        n = len(scene.bodies)
        np.testing.assert_allclose(run.path.pos[k, -1, :n], want.stack("pos"), rtol=0, atol=1e-9)
        np.testing.assert_array_equal(run.path.look[k, -1, :n], want.stack("look"))
        compared += 1
    assert compared >= 27


def test_the_loop_of_the_peer_meets_in_every_scene() -> None:
    specs = draw_many(CONFIG, 0, "CC", range(3))
    world, state = lower(specs)
    scenes = [question._scene(world, state, k) for k in range(3)]
    assert question._pybullet(scenes, 2.0)() >= 3


def test_ratios_that_count_have_targets() -> None:
    timings = {
        "labelled": Timing(1000, 9.0, 0.5),
        "mixed": Timing(1000, 9.0, 0.125),
        "regular": Timing(1000, 9.0, 0.1),
        question.PEER: Timing(20, 1.0, 1.0),
    }
    rows = list(question._rows(timings, 1000))
    ratios = {(row.name, row.peer): row.ratio for row in rows if row.bench == question.SPEED and row.peer}
    assert ratios["labelled 1000", question.PEER] == pytest.approx(100)
    assert ratios["mixed 1000", "regular"] == pytest.approx(0.8)
    judged = {(row.name, row.peer): target.met_by(row) for row in rows if (target := target_of(row))}
    assert judged == {
        ("labelled 1000", question.PEER): True,
        ("mixed 1000", question.PEER): True,
        ("mixed 1000", "regular"): True,
    }
    slow = Row(question.SPEED, "mixed 1000", 1.0, "scenes/s", "regular", 0.7)
    target = target_of(slow)
    assert target is not None
    assert not target.met_by(slow)


def test_a_peer_that_fails_costs_only_its_own_rows() -> None:
    timings = {"mixed": Timing(10, 1.0, 1.0), "regular": Timing(10, 1.0, 1.0), question.PEER: Timing(2, error="gone")}
    rows = list(question._rows(timings, 10))
    assert [row.name for row in rows if row.error] == [question.PEER]
    assert [row.peer for row in rows if row.name == "mixed 10" and row.bench == question.SPEED] == ["regular"]
