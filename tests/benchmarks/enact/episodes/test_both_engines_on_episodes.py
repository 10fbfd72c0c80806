"""Stored states of episodes: C MuJoCo with NumPy, and MJX with JAX, find the same facts, 200 states of each class."""

import faulthandler
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import jax
import jax.numpy as jnp
import mujoco
import numpy as np
import pytest

from jaxphys_benchmarks.enact.config import DEFAULT
from jaxphys_benchmarks.enact.play.recording import qpos_of
from jaxphys_benchmarks.enact.play.simulate import simulate
from jaxphys_benchmarks.enact.world.layout import layout_of
from jaxphys_benchmarks.enact.world.model import build, touching
from jaxphys_benchmarks.enact.world.on_mjx import sensing
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec
from jaxphys_kernels.household.facts import cleaned, facts
from jaxphys_kernels.household.layout import Facts, Layout, Sensed, Thresholds

ACTIVITIES = ("chop_an_onion", "cook_hot_dogs", "make_pizza", "cook_bacon")
EACH = 60
"""States of each class and activity at most, spread evenly over those in which it holds."""
ENOUGH = 200


@pytest.fixture(autouse=True)
def never_hangs() -> Iterator[None]:
    """MJX has been seen to hang on two cores; then say where, and stop."""
    faulthandler.dump_traceback_later(1500, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def rows(sensed: Sensed, frames: np.ndarray) -> Sensed:
    return Sensed(**{field.name: getattr(sensed, field.name)[frames] for field in fields(Sensed)})


def by_class(found: Facts, sensed: Sensed) -> dict[str, np.ndarray]:
    """In which states each class holds; a transition holds while something is there that was not at the start."""
    held = {field.name: getattr(found, field.name) for field in fields(Facts)}
    left, right = held.pop("grasping").swapaxes(0, 1)
    states = {**held, "left_grasping": left, "right_grasping": right}
    here = {name: array.reshape(len(array), -1).any(1) for name, array in states.items()}
    return {**here, "transition": (sensed.exists != sensed.exists[0]).any(1) | sensed.alive.any(1)}


def traced(layout: Layout, sensed: Sensed, limits: Thresholds) -> Facts:
    """The cleaned facts by one compiled program, in single precision."""

    def run(arrays: dict[str, Any]) -> dict[str, Any]:
        return vars(cleaned(jnp, layout, facts(jnp, layout, Sensed(**arrays), limits)))

    arrays = {field.name: np.asarray(getattr(sensed, field.name)) for field in fields(Sensed)}
    kinds = {"f": jnp.float32, "i": jnp.int32, "b": jnp.bool_}
    single = {name: jnp.asarray(a, kinds[a.dtype.kind]) for name, a in arrays.items()}
    return Facts(**{name: np.asarray(a) for name, a in jax.jit(run)(single).items()})


@pytest.mark.slow
def test_facts_of_stored_states_are_the_same_on_both() -> None:
    limits, seen = Thresholds(grasp_frames=1), Counter[str]()
    for name in ACTIVITIES:
        recording = simulate(EpisodeSpec(activity=name, seed=1), DEFAULT)
        built, layout = build(recording.house, DEFAULT.world), layout_of(recording.house)
        thin = rows(recording.sensed, np.arange(0, len(recording.sensed.pos), 5))
        classes = by_class(facts(np, layout, thin, limits), thin)
        picked = [np.flatnonzero(here) for here in classes.values()]
        chosen = np.unique(np.concatenate([some[:: max(1, len(some) // EACH)][:EACH] for some in picked]))
        states = rows(thin, chosen)
        places = qpos_of(built, states)
        built.model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        data, touch = mujoco.MjData(built.model), []
        for qpos in places:
            data.qpos[:] = qpos
            mujoco.mj_forward(built.model, data)
            touch.append(touching(built, data, None))
        on_c = replace(states, touching=np.array(touch))
        pos, quat, near = sensing(built)(places.astype(np.float32))
        moved = states.exists & (built.qpos >= 0)
        on_mjx = replace(
            states,
            pos=np.where(moved[..., None], np.asarray(pos, float), states.pos),
            quat=np.where(moved[..., None], np.asarray(quat, float), states.quat),
            touching=np.asarray(near),
        )
        one, other = cleaned(np, layout, facts(np, layout, on_c, limits)), traced(layout, on_mjx, limits)
        differing = 0
        for field in fields(Facts):
            a, b = (getattr(found, field.name).reshape(len(chosen), -1) for found in (one, other))
            differing += int((a != b).any(1).sum())
        assert differing == 0, (name, differing, len(chosen))
        seen.update({kind: int(here[chosen].sum()) for kind, here in classes.items()})
    assert all(seen[kind] >= ENOUGH for kind in seen), seen
