"""Training an agent with Brax's PPO above the frozen walker, and whether it has learned.

Public: `PPOConfig`, `Trained`, `Gain`, `train`, `gain`. Needs the extra `train`.
"""

import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import Field

from jaxphys_benchmarks.reacthuman.config_fields import ASSUMED, Fields
from jaxphys_benchmarks.reacthuman.env.environment import Environment

TENTH = 10
"""Learning compares the first and the last of so many parts."""


class PPOConfig(Fields):
    """How PPO trains; the names are those of `brax.training.agents.ppo.train` where it has them."""

    decisions: int = Field(default=200_000, ge=1, description="of all lanes together", json_schema_extra=ASSUMED)
    num_envs: int = Field(default=64, ge=1, description="lanes", json_schema_extra=ASSUMED)
    unroll_length: int = Field(default=12, ge=1, description="decisions per piece", json_schema_extra=ASSUMED)
    batch_size: int = Field(default=32, ge=1, description="pieces per gradient", json_schema_extra=ASSUMED)
    num_minibatches: int = Field(default=4, ge=1, description="gradients per pass", json_schema_extra=ASSUMED)
    num_updates_per_batch: int = Field(default=6, ge=1, description="passes", json_schema_extra=ASSUMED)
    learning_rate: float = Field(default=5e-4, gt=0, description="of Adam", json_schema_extra=ASSUMED)
    entropy_cost: float = Field(default=3e-3, ge=0, description="weight of the entropy", json_schema_extra=ASSUMED)
    discounting: float = Field(default=0.97, gt=0, le=1, description="per decision", json_schema_extra=ASSUMED)
    policy_hidden: tuple[int, ...] = Field(default=(128, 128), description="layers", json_schema_extra=ASSUMED)
    value_hidden: tuple[int, ...] = Field(default=(128, 128), description="layers", json_schema_extra=ASSUMED)

    @property
    def per_lane(self) -> int:
        """Decisions that each lane takes: PPO ends with a whole pass."""
        per_pass = self.batch_size * self.num_minibatches * self.unroll_length
        return math.ceil(self.decisions / per_pass) * per_pass // self.num_envs


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained agent.

    Attributes:
        returns: (e,) of its episodes, in the order in which they ended. numbers: (e,) metrics of the environment.
        decisions: taken. seconds: it took, compilation included.
        policy: observations (b, o) -> actions (b, a), without noise.
    """

    returns: np.ndarray
    numbers: Mapping[str, np.ndarray]
    decisions: int
    seconds: float
    policy: Callable[[Any], Any]


@dataclass(frozen=True)
class Gain:
    """Mean returns of the first and of the last tenth of the episodes, and the standard error of their difference."""

    first: float
    last: float
    error: float

    @property
    def errors(self) -> float:
        """The difference in standard errors."""
        return (self.last - self.first) / max(self.error, 1e-12)


def train(
    environment: Environment,
    seed: int,
    config: PPOConfig | None = None,
    progress: Callable[[int, float], None] = lambda decisions, returns: None,
) -> Trained:
    """Train with PPO.

    Args:
        environment: what to train in. seed: of the networks, the scenes and the actions. config: the default if None.
        progress: told the decisions taken, and the mean return of the latest episodes.

    Raises:
        ImportError: the extra `train` is not installed.
        ValueError: lanes that do not divide the pieces of a pass, or fewer decisions than an episode takes in every
            lane.
    """
    config = config or PPOConfig()
    if config.batch_size * config.num_minibatches % config.num_envs:
        raise ValueError(
            f"num_envs: {config.num_envs} does not divide batch_size * num_minibatches ="
            f" {config.batch_size * config.num_minibatches}"
        )
    length = environment.episode_length
    if config.per_lane < length:
        raise ValueError(
            f"decisions: {config.decisions} are {config.per_lane} in each of num_envs = {config.num_envs} lanes, and an"
            f" episode takes {length}, so that none would end; give at least {length * config.num_envs}, or fewer lanes"
        )
    import jax

    with _lenient():
        try:
            from brax.training.agents.ppo import train as ppo  # type: ignore[import-untyped]
            from brax.training.agents.ppo.networks import make_ppo_networks  # type: ignore[import-untyped]
        except ModuleNotFoundError as error:
            raise ImportError("brax is missing; run pip install '.[train]' in the checkout") from error
        from jaxphys_benchmarks.reacthuman.env.brax_env import RETURN, BraxEnv, Episodes, wrapped

    episodes, start = Episodes(), time.perf_counter()
    decisions = 0

    def told(count: int, numbers: Mapping[str, float]) -> None:
        nonlocal decisions
        decisions = count
        latest = episodes.rows.get(RETURN, [])[-10 * config.num_envs :]
        if latest:
            progress(count, float(np.mean(latest)))

    own = config.model_dump(exclude={"decisions", "policy_hidden", "value_hidden"})
    with _lenient():
        make_policy, parameters, _ = ppo.train(
            BraxEnv(environment),
            num_timesteps=config.decisions,
            episode_length=length,
            wrap_env_fn=wrapped(episodes),
            normalize_observations=True,
            network_factory=lambda *sizes, **options: make_ppo_networks(
                *sizes,
                policy_hidden_layer_sizes=config.policy_hidden,
                value_hidden_layer_sizes=config.value_hidden,
                **options,
            ),
            run_evals=False,
            log_training_metrics=True,
            progress_fn=told,
            seed=seed,
            **own,
        )
        jax.effects_barrier()
        inference = jax.jit(make_policy(parameters, deterministic=True))

    def act(observation: Any) -> Any:
        with _lenient():
            return inference(observation, jax.random.PRNGKey(0))[0]

    rows = {name: np.array(values) for name, values in episodes.rows.items()}
    return Trained(
        returns=rows.pop(RETURN),
        numbers=rows,
        decisions=decisions,
        seconds=time.perf_counter() - start,
        policy=act,
    )


@contextmanager
def _lenient() -> Iterator[None]:
    """Brax mixes types and ranks of arrays, and calls what JAX deprecates; strictness is not meant for it."""
    import jax

    with warnings.catch_warnings(), jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def gain(returns: np.ndarray) -> Gain:
    """How much better the last tenth of the episodes is than the first.

    Args:
        returns: (e,) in the order in which they ended; at least 20.

    Raises:
        ValueError: fewer.
    """
    size = len(returns) // TENTH
    if size < 2:
        raise ValueError(f"returns: {len(returns)} episodes; give at least {2 * TENTH}")
    first, last = np.asarray(returns[:size], float), np.asarray(returns[-size:], float)
    error = np.sqrt(first.var(ddof=1) / size + last.var(ddof=1) / size)
    return Gain(first=float(first.mean()), last=float(last.mean()), error=float(error))
