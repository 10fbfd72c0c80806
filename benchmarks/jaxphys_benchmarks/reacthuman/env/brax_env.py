"""The environment as Brax has it: an `Env` for `brax.training`, and the wrappers that its agents train in.

`BraxEnv` goes into any training loop of Brax. `wrapped` is what PPO should be given as `wrap_env_fn`: a lane whose
episode is over goes on with a new scene, where Brax's own wrapper would give it the same scene for ever. Needs the
extra `train`. Public: `BraxEnv`, `Episodes`, `wrapped`.
"""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxphys_benchmarks.reacthuman.env.environment import Environment
from jaxphys_benchmarks.reacthuman.env.state import EnvState

with warnings.catch_warnings():
    # Brax imports a package that says on import that it is no longer maintained.
    warnings.simplefilter("ignore", DeprecationWarning)
    try:
        from brax.envs.base import Env, State, Wrapper  # type: ignore[import-untyped]
        from brax.envs.wrappers.training import EpisodeWrapper  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise ImportError("brax is missing; run pip install '.[train]' in the checkout") from error

RETURN = "sum_reward"
"""Name of the return among Brax's numbers of an episode."""


class BraxEnv(Env):  # type: ignore[misc]
    """An `Environment` with Brax's states; `reset` and `step` take one lane or a batch."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def reset(self, rng: jax.Array) -> State:
        """The freeze of scenes drawn from the bank; one key or a batch of keys."""
        return _as_brax(self.environment.reset(rng))

    def step(self, state: State, action: jax.Array) -> State:
        """One decision."""
        own = EnvState(
            data=state.pipeline_state,
            obs=state.obs,
            reward=state.reward,
            done=state.done,
            metrics=state.metrics,
            info=state.info,
        )
        return _as_brax(self.environment.step(own, action))

    @property
    def observation_size(self) -> int:
        """Numbers of an observation."""
        return self.environment.observation_size

    @property
    def action_size(self) -> int:
        """Numbers of an action."""
        return self.environment.action_size

    @property
    def backend(self) -> str:
        """Of the physics."""
        return self.environment.backend

    @property
    def dt(self) -> float:
        """Time between decisions (s)."""
        return self.environment.dt


def _as_brax(state: EnvState) -> State:
    return State(
        pipeline_state=state.data,
        obs=state.obs,
        reward=state.reward,
        done=state.done,
        metrics=dict(state.metrics),
        info=dict(state.info),
    )


class Redrawn(Wrapper):  # type: ignore[misc]
    """A batch whose lanes go on with another scene when their episode is over."""

    def reset(self, rng: jax.Array) -> State:
        """New episodes; a batch of raw keys."""
        state = self.env.reset(rng)
        state.info["key"] = rng
        return state

    def step(self, state: State, action: jax.Array) -> State:
        """One decision; `done` tells that the observation is the first of another episode."""
        again = state.done > 0.5
        steps = jnp.where(again, jnp.zeros_like(state.info["steps"]), state.info["steps"])
        state = state.replace(done=jnp.zeros_like(state.done), info={**state.info, "steps": steps})
        state = self.env.step(state, action)
        keys = jax.vmap(lambda key: jax.random.split(key, 2))(state.info["key"])
        fresh, over = self.env.unwrapped.reset(keys[:, 0]), state.done > 0.5

        def chosen(new: jax.Array, old: jax.Array) -> jax.Array:
            return jnp.where(over.reshape(-1, *[1] * (old.ndim - 1)), new, old)

        return state.replace(
            pipeline_state=jax.tree.map(chosen, fresh.pipeline_state, state.pipeline_state),
            obs=chosen(fresh.obs, state.obs),
            info={**state.info, "key": keys[:, 1]},
        )


class Episodes:
    """What came of the episodes of a training, in the order in which they ended.

    Attributes:
        rows: name of a number, such as `RETURN` or one of the environment's metrics, to a list by episode.
    """

    def __init__(self) -> None:
        self.rows: dict[str, list[float]] = {}

    def note(self, done: np.ndarray, numbers: Mapping[str, np.ndarray]) -> None:
        """Take down the episodes that are over.

        Args:
            done: (b,) whether a lane's is. numbers: (b,) by name.
        """
        over = np.asarray(done) > 0.5
        if over.any():
            for name, values in numbers.items():
                self.rows.setdefault(name, []).extend(np.asarray(values)[over].tolist())


class Noted(Wrapper):  # type: ignore[misc]
    """A batch that tells `Episodes` of those that are over."""

    def __init__(self, env: Env, episodes: Episodes) -> None:
        super().__init__(env)
        self._episodes = episodes

    def step(self, state: State, action: jax.Array) -> State:
        """One decision."""
        state = self.env.step(state, action)
        jax.debug.callback(self._episodes.note, state.done, dict(state.info["episode_metrics"]))
        return state


def wrapped(episodes: Episodes | None = None) -> Callable[..., Env]:
    """What turns a `BraxEnv` into the batch that an agent of Brax trains in: its argument `wrap_env_fn`.

    Args:
        episodes: that are told of what comes of them, or None.
    """

    def wrap(env: Env, episode_length: int, action_repeat: int = 1, randomization_fn: Any = None) -> Env:
        if randomization_fn is not None:
            raise ValueError("randomization_fn: scenes differ already; leave it out")
        batch = Redrawn(EpisodeWrapper(env, episode_length, action_repeat))
        return batch if episodes is None else Noted(batch, episodes)

    return wrap
