"""The walking policy: one network for the teacher and for our student, told apart by their weights.

Normalised observation, three hidden layers with layer normalisation and SiLU, a head that is linear (student) or a
scaled tanh (teacher); humanoid specification, sections 5.1 and 11.1.
"""

from types import ModuleType

from flax import struct

from jaxphys_kernels.humanoid.arrays import Array, lift, tame
from jaxphys_kernels.humanoid.joints import ACTION_LIMIT

EPSILON = 1e-5
"""Of the layer normalisation."""


class Hidden(struct.PyTreeNode):
    """A hidden layer: weight (in, out), bias (out,), and gain (out,) and shift (out,) of its normalisation."""

    weight: Array
    bias: Array
    gain: Array
    shift: Array


class Weights(struct.PyTreeNode):
    """A policy: normaliser mean (100,) and std (100,), hidden layers, head weight (in, 29) and bias (29,).

    With `scale` (29,) and `shift` (29,) the head is tanh(·)·scale + shift; without them it is linear.
    """

    mean: Array
    std: Array
    hidden: tuple[Hidden, ...]
    weight: Array
    bias: Array
    scale: Array | None = None
    shift: Array | None = None


OBSERVATIONS, ACTIONS = 100, 29
"""Numbers that go in and come out."""


def checked(weights: Weights) -> Weights:
    """The weights, whose shapes fit each other and the robot.

    Raises:
        ValueError: names the first array that does not fit.
    """
    wide = OBSERVATIONS
    wanted: dict[str, tuple[int, ...]] = {"mean": (wide,), "std": (wide,)}
    found = {"mean": weights.mean, "std": weights.std}
    for k, layer in enumerate(weights.hidden):
        out = layer.bias.size
        sizes = {"weight": (wide, out), "bias": (out,), "gain": (out,), "shift": (out,)}
        wanted |= {f"hidden[{k}].{name}": size for name, size in sizes.items()}
        found |= {f"hidden[{k}].{name}": getattr(layer, name) for name in sizes}
        wide = out
    wanted |= {"weight": (wide, ACTIONS)} | {name: (ACTIONS,) for name in ("bias", "scale", "shift")}
    head = {name: getattr(weights, name) for name in ("weight", "bias", "scale", "shift")}
    found |= {name: leaf for name, leaf in head.items() if leaf is not None}
    for name, leaf in found.items():
        if leaf.shape != wanted[name]:
            raise ValueError(f"{name} has shape {leaf.shape}, a policy of the robot has {wanted[name]} there")
    return weights


def act(xp: ModuleType, weights: Weights, observation: Array) -> Array:
    """Raw action (…, 29) for an observation (…, 100), clipped to ±100, and 0 where it is not a number.

    Args:
        xp: numpy or jax.numpy.
        weights: of teacher or student.
        observation: as `observation.observe` makes it.
    """
    x = (observation - lift(xp, weights.mean, observation)) / lift(xp, weights.std, observation)
    for layer in weights.hidden:
        x = x @ xp.asarray(layer.weight, x.dtype) + lift(xp, layer.bias, x)
        x = x - x.mean(-1, keepdims=True)
        x = x / xp.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
        x = x * lift(xp, layer.gain, x) + lift(xp, layer.shift, x)
        x = x * (0.5 * (1.0 + xp.tanh(0.5 * x)))  # SiLU; the exponential would overflow in single precision
    x = x @ xp.asarray(weights.weight, x.dtype) + lift(xp, weights.bias, x)
    if weights.scale is not None and weights.shift is not None:
        x = xp.tanh(x) * lift(xp, weights.scale, x) + lift(xp, weights.shift, x)
    return tame(xp, x, ACTION_LIMIT)
