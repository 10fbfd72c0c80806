"""Plans carried out by the simulated robot, in the scenes they are about (ReactHuman specification, section 14)."""

from jaxphys_benchmarks.reacthuman.execution.config import TICK, ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.mapping import kernel_plan
from jaxphys_benchmarks.reacthuman.execution.outcome import Outcome
from jaxphys_benchmarks.reacthuman.execution.run import Execution, States, execute

__all__ = ["TICK", "Execution", "ExecutionConfig", "Outcome", "States", "execute", "kernel_plan"]
