"""Executions of which no film is kept."""

from jaxphys_benchmarks.reacthuman.execution.config import ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.run import execute
from tests.benchmarks.reacthuman.execution.executed_scenes import STILL, thrown


def test_nothing_is_kept_for_films() -> None:
    spec, labels = thrown()
    config = ExecutionConfig(seconds=0.05, settle=0.1, record_steps=0, threads=1)
    (outcome,), (motion,) = execute([spec], [labels], [STILL], config)
    assert not outcome.fell
    assert motion.robot.shape == (0, 36)
    assert len(motion.times) == len(motion.pos) == len(motion.quat) == len(motion.palms) == 0
