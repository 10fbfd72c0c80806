"""Supervised learning of the student: Huber loss on raw actions, Muon with a falling rate, averaged parameters.

Muon (K. Jordan, 2024; `optax.contrib.muon`) makes the steps of every weight matrix orthogonal. In as much time it comes
nearer to the teacher than Adam, and robots that lean far need it; biases and norms are left to Adam. All is pure, of a
`Learner`; many updates are one compiled program. The averaged parameters drive the robots and are what is kept: single
rounds fluctuate more than a robot's balance can stand (humanoid specification, section 11.2).
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]
from flax import struct
from jax.typing import ArrayLike
from optax import contrib

from jaxphys.humanoid.network import Student, initial

CLIP = 1.0
"""Largest norm of a gradient."""

BESIDE = 0.15
"""Learning rate of biases and norms, relative to that of the matrices."""

WARM = 10
"""The average starts as a mean of the latest updates: its memory at update n is at most n/WARM updates."""


class Learner(struct.PyTreeNode):
    """Where a training stands."""

    parameters: Any
    """Of the network."""
    average: Any
    """Exponential moving average of the parameters."""
    moments: Any
    """Of the optimiser."""
    updates: jax.Array
    """() int32, done so far."""


class Schedule(struct.PyTreeNode):
    """How a training goes; a static argument."""

    rate: float = struct.field(pytree_node=False)
    """Learning rate at the start; it falls by a cosine."""
    last_rate: float = struct.field(pytree_node=False)
    """Learning rate at the end."""
    updates: int = struct.field(pytree_node=False)
    """In all."""
    memory: float = struct.field(pytree_node=False)
    """Decay of the average per update."""


def optimiser(schedule: Schedule) -> optax.GradientTransformation:
    """Muon on clipped gradients."""
    matrices, others = (
        optax.cosine_decay_schedule(share * schedule.rate, schedule.updates, schedule.last_rate / schedule.rate)
        for share in (1.0, BESIDE)
    )
    return optax.chain(optax.clip_by_global_norm(CLIP), contrib.muon(matrices, adam_learning_rate=others))


def begin(student: Student, schedule: Schedule, seed: int) -> Learner:
    """An untrained student."""
    parameters = initial(student, seed)
    return Learner(
        parameters=parameters,
        average=jax.tree.map(jnp.array, parameters),
        moments=optimiser(schedule).init(parameters),
        updates=jnp.zeros((), jnp.int32),
    )


@functools.partial(jax.jit, static_argnums=(0, 1))
def learn(
    student: Student,
    schedule: Schedule,
    learner: Learner,
    mean: ArrayLike,
    std: ArrayLike,
    observation: ArrayLike,
    label: ArrayLike,
) -> tuple[Learner, jax.Array]:
    """Several updates, one batch each.

    Args:
        student: the network.
        schedule: rates.
        learner: where the training stands.
        mean: (100,) of the normaliser.
        std: (100,) of the normaliser.
        observation: (k, n, 100) k batches of n.
        label: (k, n, 29) the teacher's actions.

    Returns:
        Where it stands after k updates, and the mean loss of the k batches.
    """
    descend = optimiser(schedule)
    middle, scale = jnp.asarray(mean)[None], jnp.asarray(std)[None]

    def loss(parameters: Any, seen: jax.Array, wanted: jax.Array) -> jax.Array:
        said = student.apply({"params": parameters}, (seen - middle) / scale)
        value: jax.Array = optax.huber_loss(said, wanted).mean()
        return value

    def update(learner: Learner, batch: tuple[jax.Array, jax.Array]) -> tuple[Learner, jax.Array]:
        value, gradient = jax.value_and_grad(loss)(learner.parameters, *batch)
        # optax promotes types and ranks, which a process may have forbidden.
        with jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
            step, moments = descend.update(gradient, learner.moments, learner.parameters)
            parameters = optax.apply_updates(learner.parameters, step)
        done = learner.updates.astype(jnp.float32)
        keep = jnp.minimum(schedule.memory, (1 + done) / (WARM + done))
        average = jax.tree.map(lambda old, new: keep * old + (1 - keep) * new, learner.average, parameters)
        return Learner(parameters, average, moments, learner.updates + 1), value

    learner, losses = jax.lax.scan(update, learner, (jnp.asarray(observation), jnp.asarray(label)))
    return learner, losses.mean()
