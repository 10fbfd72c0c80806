"""Planar scenes of the oracle through the face of the core, and our laws for the oracle's bodies."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

import jaxphys
from jaxphys import laws, planar
from tests.oracle.planar_scene import Body, Floats, Scene


def lower(scenes: Sequence[Scene]) -> tuple[planar.World, planar.State]:
    """World and state of scenes with equally many bodies; leaves lead with b."""

    def each(name: str) -> Any:
        return np.array([[getattr(body, name) for body in scene.bodies] for scene in scenes])

    pairs = list(itertools.combinations(range(len(scenes[0].bodies)), 2))
    chosen = [[scene.law(pair) for pair in pairs] for scene in scenes]
    names = sorted({key for row in chosen for name, _ in row for key in laws.get(name).defaults})
    params = {
        key: np.array([[{**laws.get(name).defaults, **given}.get(key, 0.0) for name, given in row] for row in chosen])
        for key in names
    }
    return planar.make_scene(
        shape=each("shape"),
        size=each("half"),
        **{name: each(name) for name in ("pos", "vel", "yaw", "spin", "roll", "mass", "inertia")},
        **{name: each(name) for name in ("mu", "mu_roll", "kappa")},
        g=np.array([scene.g for scene in scenes]),
        law=np.array([[name for name, _ in row] for row in chosen]),
        params=params,
        attrs={"red": each("red").astype(float)},
    )


def run(scenes: Sequence[Scene], times: Any, **options: Any) -> planar.Trajectory:
    """The scenes at times (t,), (b, t) or one time."""
    world, state = lower(scenes)
    return planar.rollout(world, state, np.atleast_1d(np.asarray(times, float)), **options)


def names(events: planar.Events, scene: int = 0) -> list[tuple[str, tuple[int, ...]]]:
    """Kinds and bodies of the events of one scene of a batch, in order."""
    count = min(int(events.count[scene]), events.kind.shape[1])
    kinds = [planar.Kind(int(kind)).name.lower() for kind in events.kind[scene][:count]]
    return [(k, tuple(int(b) for b in pair if b >= 0)) for k, pair in zip(kinds, events.bodies[scene], strict=False)]


def meet(name: str, **params: float) -> Callable[[Body, Body, Floats], bool]:
    """Our law as a function that changes two bodies of the oracle and says whether they no longer touch."""
    law = laws.get(name)
    values: Any = {key: np.float64(value) for key, value in {**law.defaults, **params}.items()}

    def met(a: Body, b: Body, normal: Floats) -> bool:
        with jaxphys.x64():
            after = law.function(ours(a, normal), ours(b, -normal), jnp.asarray(normal), values)
        for body, new in ((a, after.a), (b, after.b)):
            body.vel, body.roll = np.asarray(new.vel), np.asarray(new.roll)
            body.spin, body.look = float(new.spin), int(new.look)
        return bool(after.through)

    return met


def ours(body: Body, outward: Floats) -> laws.Body:
    """A body of the oracle as the laws see it, touched in the direction `outward` from its centre."""
    return laws.Body(
        vel=jnp.asarray(body.vel, float),
        spin=jnp.asarray(body.spin, float),
        roll=jnp.asarray(body.roll, float),
        look=jnp.asarray(body.look, jnp.int32),
        mass=jnp.asarray(body.mass, float),
        inertia=jnp.asarray(body.inertia, float),
        size=jnp.asarray(max(body.half), float),
        arm=jnp.asarray(body.half[0] * outward, float),
        attrs={"red": jnp.asarray(float(body.red))},
    )
