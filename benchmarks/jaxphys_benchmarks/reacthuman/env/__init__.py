"""ReactHuman as an environment for learning agents: `Environment`, `EnvConfig`, `EnvState`.

The agent commands a frozen walker: a walking command, two hand targets, a knee bend. `docs/humanoid_env.md` tells how
to train on it. Needs the extra `humanoid`; training with Brax needs the extra `train`.
"""

from jaxphys_benchmarks.reacthuman.env.config import EnvConfig
from jaxphys_benchmarks.reacthuman.env.environment import Environment
from jaxphys_benchmarks.reacthuman.env.state import EnvState

__all__ = ["EnvConfig", "EnvState", "Environment"]
