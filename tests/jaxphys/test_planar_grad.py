"""Derivatives of planar rollouts, forward and reverse, against central differences; none is NaN at rest."""

import functools
import math
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxphys
from jaxphys import laws, planar
from tests.oracle.planar_scene import Body, Scene
from tests.oracle.planar_workload import body, turned
from tests.planar_support import lower

END = 1.6
STEP = 1e-6
RELATIVE, ABSOLUTE = 2e-6, 2e-7
"""Tolerances of central differences with `STEP`."""
LAWS = ("keep_momentum", "regular", "tangent_gain", "eccentric")
PARAMETERS = ("speed", "mu", "mass", "gain", "restitution", "yaw")


def _scenes() -> list[Scene]:
    """Contacts whose outcome depends on every parameter: sliding, rolling, obliquely, at a wall, spinning."""
    params = {"gain": 1.3, "restitution": 0.8}
    wall = body("cube", 0.1, (1.2, 0), (0, 0), mass=np.inf, inertia=np.inf)
    wall.half = (0.1, 9.0)
    made = {
        "keep_momentum": (
            body("cube", 0.2, (0, 0), (1.5, 0), mu=0.2),
            body("cube", 0.2, (0.9, 0), (0, 0), mu=0.2, mass=2.0),
        ),
        "regular": (body("sphere", 0.2, (0, 0), (2.0, 0), mu=0.1), body("sphere", 0.2, (0.9, 0.15), (0, 0), mu=0.1)),
        "tangent_gain": (body("cylinder", 0.2, (0, 0), tuple(turned((2.0, 0), 0.5)), mu=0.1), wall),
        "eccentric": (
            body("cube", 0.2, (0, 0), (1.5, 0), yaw=0.4, spin=1.0, mu=0.1, kappa=0.3),
            body("cube", 0.3, (1.0, 0.1), (0, 0), yaw=0.2, mu=0.1, mass=3.0),
        ),
    }
    return [Scene(list(bodies), 9.8, {(0, 1): (law, params)}) for law, bodies in ((law, made[law]) for law in LAWS)]


@functools.cache
def _start() -> tuple[planar.World, planar.State]:
    return lower(_scenes())


def _directions() -> list[tuple[planar.World, planar.State]]:
    """How each parameter changes world and state: the launch speed, friction, a mass, ..., the first body's yaw."""
    world, state = jax.tree.map(np.zeros_like, _start())
    speeds = np.maximum(np.linalg.norm(_start()[1].vel, axis=-1, keepdims=True), 1)
    second, turned_body = np.broadcast_to([0.0, 1.0], world.mass.shape), np.zeros_like(state.yaw)
    # Faces that meet flat have a kink there: turned either way, a corner comes first.
    turned_body[LAWS.index("eccentric"), 0] = 1
    one = np.ones_like(world.params["gain"])
    return [
        (world, state.replace(vel=_start()[1].vel / speeds)),
        (world.replace(mu=np.ones_like(world.mu)), state),
        (world.replace(mass=second), state),
        (world.replace(params={**world.params, "gain": one}), state),
        (world.replace(params={**world.params, "restitution": one}), state),
        (world, state.replace(yaw=turned_body)),
    ]


def _shifted(amounts: Any) -> Any:
    """World and state with every parameter changed by its amount (6,); whole numbers stay."""

    def shift(leaf: Any, *ways: Any) -> Any:
        if leaf.dtype != np.float64:
            return leaf
        return leaf + sum(amounts[k] * way for k, way in enumerate(ways))

    return jax.tree.map(shift, _start(), *_directions())


def _ends(end: planar.Trajectory) -> Any:
    """(b, 2, 3) places and yaws at the end."""
    yaw = end.path.yaw[:, 0, :, None]
    return (jnp if isinstance(yaw, jax.Array) else np).concatenate([end.path.pos[:, 0], yaw], axis=-1)


@functools.cache
def _differences() -> np.ndarray:
    """(4, 2, 3, 6) central differences of the answer on the host, one batch per parameter and side."""
    columns = []
    for step in STEP * np.eye(len(PARAMETERS)):
        runs = [planar.rollout(*_shifted(sign * step), [END]) for sign in (1, -1)]
        assert not any(end.status.any() for end in runs)
        columns.append((_ends(runs[0]) - _ends(runs[1])) / (2 * STEP))
    return np.stack(columns, axis=-1)


@functools.cache
def _forward() -> np.ndarray:
    """(4, 2, 3, 6) by forward mode."""
    with jaxphys.x64():
        times = jnp.asarray([END])
        jacobian = jax.jacfwd(lambda amounts: _ends(planar.rollout(*_shifted(amounts), times)))
        return np.asarray(jax.jit(jacobian)(jnp.zeros(len(PARAMETERS))))


def _wall(x: float) -> Body:
    return Body("cube", (0.1, 4.0), np.array([x, 0.0]), np.zeros(2), mass=math.inf, inertia=math.inf)


AT_REST = [
    Scene([body("cube", 0.2, (0, 0), (0, 0), mu=0.2), body("cube", 0.2, (1, 0), (0, 0), mu=0.2)]),
    Scene([body("sphere", 0.2, (0, 0), (0, 0), mu=0.2), body("cube", 0.2, (0.4, 0), (0, 0), mu=0.0)]),
    Scene([body("cube", 0.2, (0, 0), (1, 0), mu=0.1), body("cube", 0.2, (0.5, 0), (0, 0), mu=0.1)]),
    Scene(
        [body("sphere", 0.2, (0, 0), (1, 0), roll=np.array([1.0, 0.0]), mu=0.2), body("sphere", 0.2, (9, 0), (0, 0))]
    ),
    Scene([body("cube", 0.2, (0, 0), (1, 0), mu=0.1), _wall(0.6)]),
    Scene([_wall(0.0), _wall(0.6)]),
]
"""Bodies that rest, apart and touching; that stop dead in an exchange; that roll; that hit a wall; walls alone."""
WEIGHTS = np.random.default_rng(0).normal(size=(4, 2, 3))


@functools.cache
def _reverse() -> tuple[planar.World, planar.State]:
    """By reverse mode: of the weighted ends of the first four scenes, and of the sum of those that rest.

    The last scene is two bodies that do not meet, under a law whose derivative would be infinite where they are.
    """

    @laws.register("sharp")
    def sharp(a: laws.Body, b: laws.Body, normal: jax.Array, params: Mapping[str, jax.Array]) -> laws.After:
        """B slows down by the roots of its velocity."""
        return laws.After(a, b.replace(vel=b.vel - jnp.sqrt(b.vel)))

    scenes = [*_scenes(), *(Scene(s.bodies, s.g, {(0, 1): ("regular", {})}) for s in AT_REST)]
    scenes.append(Scene([body("cube", 0.2, (x, 0), (v, 0)) for x, v in ((0, 1), (9, 0))], 9.8, {(0, 1): ("sharp", {})}))
    try:
        return _reverse_of(scenes)
    finally:
        laws.unregister("sharp")


def _reverse_of(scenes: list[Scene]) -> tuple[planar.World, planar.State]:
    with jaxphys.x64():
        weights = jnp.concatenate([jnp.asarray(WEIGHTS), jnp.ones((len(scenes) - len(WEIGHTS), 2, 3))])

        def total(world: planar.World, state: planar.State) -> jax.Array:
            return jnp.sum(weights * _ends(planar.rollout(world, state, jnp.asarray([END]))))

        grads = jax.jit(jax.grad(total, argnums=(0, 1), allow_int=True))(*jax.tree.map(jnp.asarray, lower(scenes)))
        return jax.tree.map(lambda g: np.asarray(g) if g.dtype == np.float64 else None, grads)  # type: ignore[no-any-return]


def test_every_parameter_matters_somewhere() -> None:
    found = np.abs(_differences()).max(axis=(0, 1, 2))
    assert (found > 0.01).all(), dict(zip(PARAMETERS, found, strict=True))


@pytest.mark.parametrize("k", range(len(PARAMETERS)), ids=PARAMETERS)
def test_forward_derivatives_are_central_differences(k: int) -> None:
    np.testing.assert_allclose(_forward()[..., k], _differences()[..., k], rtol=RELATIVE, atol=ABSOLUTE)


@pytest.mark.parametrize("k", range(len(PARAMETERS)), ids=PARAMETERS)
def test_reverse_derivatives_are_those_of_forward_mode(k: int) -> None:
    ways = jax.tree.map(lambda way: way if way.dtype == np.float64 else None, _directions()[k])
    along = sum(jax.tree.leaves(jax.tree.map(lambda g, way: np.sum(g[:4] * way), _reverse(), ways)))
    assert along == pytest.approx(np.sum(WEIGHTS * _forward()[..., k]), rel=1e-9, abs=1e-10)


def test_no_derivative_is_nan() -> None:
    leaves = jax.tree.leaves(_reverse())
    assert len(leaves) >= 15
    for leaf in leaves:
        assert np.isfinite(leaf).all()


def test_what_friction_holds_has_no_derivative_and_what_rolls_keeps_five_sevenths() -> None:
    vel, roll = (getattr(_reverse()[1], name)[4:] for name in ("vel", "roll"))
    np.testing.assert_array_equal(vel[0], 0)
    # Nothing holds this one, and no neighbour is in its way to the side.
    assert vel[1, 1, 1] == pytest.approx(END)
    # A little more speed than rolling slips until it rolls at (5 v + 2 roll)/7.
    np.testing.assert_allclose((vel[3, 0], roll[3, 0]), ((5 / 7 * END,) * 2, (2 / 7 * END,) * 2), rtol=1e-12)
    np.testing.assert_allclose(vel[3, 0], _rolling_differences(), rtol=1e-5)


def _rolling_differences() -> list[float]:
    """Central differences of the rolling sphere's place by its velocity, as `_ends` are summed."""
    found = []
    for axis in (0, 1):
        scenes = []
        for sign in (1, -1):
            moved = [b.copy() for b in AT_REST[3].bodies]
            moved[0].vel = moved[0].vel + sign * STEP * np.eye(2)[axis]
            scenes.append(Scene(moved))
        one, other = planar.rollout(*lower(scenes), [END]).path.pos[:, 0].sum(axis=(1, 2))
        found.append((one - other) / (2 * STEP))
    return found
