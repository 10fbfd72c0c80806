"""The network of our own walking policy, for training: its parameters are the kernel's `Weights`.

100 observations -> hidden layers with LayerNorm and SiLU -> 29 raw actions, linear head (humanoid specification,
section 11.1). What runs on the robot is `jaxphys_kernels.humanoid.policy.act` on `weights_of(...)`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen
from jax.typing import ArrayLike

from jaxphys.humanoid.settings import HIDDEN
from jaxphys_kernels.humanoid.joints import JOINTS
from jaxphys_kernels.humanoid.policy import Hidden, Weights

OBSERVATIONS = 100
EPSILON = 1e-5
"""Of LayerNorm, as in the policy that is imitated."""

LEAST_STD = 0.03
"""Smallest divisor of an observation: some hardly vary in the first data, and would blow up later."""

HEAD = 0.1
"""Scale of the first head relative to 1/√width: the untrained policy asks for next to nothing."""


class Student(linen.Module):
    """Normalised observations (…, 100) -> raw actions (…, 29)."""

    hidden: Sequence[int] = HIDDEN

    @linen.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        """Apply the network."""
        for width in self.hidden:
            x = linen.Dense(width, kernel_init=linen.initializers.lecun_normal())(x)
            # The fast variance, E[x²] - E[x]², loses digits; the kernel does not use it.
            x = linen.silu(linen.LayerNorm(epsilon=EPSILON, use_fast_variance=False)(x))
        head = linen.initializers.variance_scaling(HEAD**2, "fan_in", "normal")
        return linen.Dense(len(JOINTS), kernel_init=head)(x)


def initial(student: Student, seed: int) -> Mapping[str, Any]:
    """Parameters of an untrained network."""
    # Compiled as a whole: one by one, the draws of the layers take seconds to compile.
    made: Mapping[str, Any] = jax.jit(student.init)(jax.random.key(seed), jnp.zeros((1, OBSERVATIONS), jnp.float32))
    parameters: Mapping[str, Any] = made["params"]
    return parameters


def normaliser(observations: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Mean and divisor (100,), float32, of observations (n, 100)."""
    seen = np.asarray(observations, np.float64)
    return seen.mean(0).astype(np.float32), np.maximum(seen.std(0), LEAST_STD).astype(np.float32)


def weights_of(parameters: Mapping[str, Any], mean: ArrayLike, std: ArrayLike) -> Weights:
    """The kernel's weights (float32 jax arrays) of the network's parameters and the normaliser (100,)."""

    def array(leaf: ArrayLike) -> jax.Array:
        return jnp.asarray(leaf, jnp.float32)

    count = sum(name.startswith("LayerNorm") for name in parameters)
    dense = [parameters[f"Dense_{i}"] for i in range(count + 1)]
    norms = [parameters[f"LayerNorm_{i}"] for i in range(count)]
    return Weights(
        mean=array(mean),
        std=array(std),
        hidden=tuple(
            Hidden(
                weight=array(layer["kernel"]),
                bias=array(layer["bias"]),
                gain=array(norm["scale"]),
                shift=array(norm["bias"]),
            )
            for layer, norm in zip(dense[:-1], norms, strict=True)
        ),
        weight=array(dense[-1]["kernel"]),
        bias=array(dense[-1]["bias"]),
    )
