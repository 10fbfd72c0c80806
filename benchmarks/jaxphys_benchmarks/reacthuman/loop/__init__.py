"""Closed loop: a policy looks again every Δt, and its plans are replaced in mid-motion (specification, section 17).

Public: `LoopConfig`, `Observation`, `Policy`, `Decision`, `Joints`, `Course`, `run`, `policies`, `Answering`,
`ReactHumanRounds`.
"""

from jaxphys_benchmarks.reacthuman.loop.answering import Answering, policies
from jaxphys_benchmarks.reacthuman.loop.config import LoopConfig
from jaxphys_benchmarks.reacthuman.loop.course import Course, run
from jaxphys_benchmarks.reacthuman.loop.observation import Observation, as_seen
from jaxphys_benchmarks.reacthuman.loop.policy import Decision, Joints, Policy
from jaxphys_benchmarks.reacthuman.loop.rounds import ReactHumanRounds, loop_values

__all__ = [
    "Answering",
    "Course",
    "Decision",
    "Joints",
    "LoopConfig",
    "Observation",
    "Policy",
    "ReactHumanRounds",
    "as_seen",
    "loop_values",
    "policies",
    "run",
]
