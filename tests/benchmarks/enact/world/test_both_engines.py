"""C MuJoCo and MJX sense the same of the same states, and so find the same facts."""

import faulthandler
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import mujoco
import numpy as np
import pytest

from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.world.layout import layout_of
from jaxphys_benchmarks.enact.world.model import Built, build, touching
from jaxphys_benchmarks.enact.world.on_mjx import Sense, sensing
from jaxphys_benchmarks.enact.world.placing import Placing
from jaxphys_kernels.household.facts import cleaned, facts
from jaxphys_kernels.household.layout import Facts, Sensed, Thresholds

SETTLE = 240
"""Steps of 1/240 s until what was let go rests."""


@pytest.fixture(autouse=True)
def never_hangs() -> Iterator[None]:
    """MJX has been seen to hang on two cores; then say where, and stop."""
    faulthandler.dump_traceback_later(300, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="module")
def built() -> Built:
    placing = Placing("kitchen", np.random.default_rng(6))
    table = placing.fixture("wall_table")
    for thing, at in (("bowl", (-0.6, 0.0)), ("plate", (0.0, 0.0)), ("apple", (0.6, 0.4)), ("mug", (0.6, -0.4))):
        placing.put(thing, on=table, at=at)
    return build(placing.house(), World())


@pytest.fixture(scope="module")
def on_mjx(built: Built) -> Sense:
    """Compiled once: one small program of MJX takes ten seconds."""
    return sensing(built)


def awake(built: Built) -> Any:
    """A model in which nothing sleeps, so that all contacts are told."""
    built.model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    return mujoco.MjData(built.model)


def states(built: Built) -> np.ndarray:
    """(f, nq): the apple on the table, let go over the bowl, the plate and the mug, at rest and in the air."""
    data, found = awake(built), []
    names = {placed.thing.category: k for k, placed in enumerate(built.house.placed)}
    apple = built.qpos[names["apple"]]
    for over in ("", "bowl", "plate", "mug"):
        for height in (0.02, 0.12):
            mujoco.mj_resetData(built.model, data)
            if over:
                target = np.array(built.house.placed[names[over]].pos)
                data.qpos[apple : apple + 3] = target + np.array([0.0, 0.0, height + (0.1 if over == "mug" else 0.0)])
            mujoco.mj_forward(built.model, data)
            found.append(data.qpos.copy())
            mujoco.mj_step(built.model, data, SETTLE)
            found.append(data.qpos.copy())
    return np.array(found)


def sensed(built: Built, pos: Any, quat: Any, touch: Any, joint: Any) -> Sensed:
    f, n = len(pos), len(built.body)
    none, grains = np.zeros((f, n), bool), np.zeros((f, 0))
    return Sensed(
        pos=np.asarray(pos, float), quat=np.asarray(quat, float), exists=np.ones((f, n), bool), joint=joint,
        touching=np.asarray(touch), held=np.zeros((f, 2, n), bool), gap=np.ones((f, 2, n)),
        particle=np.zeros((f, 0, 3)), alive=grains > 0, carrier=grains.astype(int), toggled=none, cooked=none,
    )  # fmt: skip


def test_facts_are_the_same_on_both(built: Built, on_mjx: Sense) -> None:
    places = states(built)
    joint = places[:, built.joint]
    data, rows = awake(built), []
    for qpos in places:
        data.qpos[:] = qpos
        data.qvel[:] = 0
        mujoco.mj_forward(built.model, data)
        rows.append((data.xpos[built.body].copy(), data.xquat[built.body].copy(), touching(built, data, None)))
    pos, quat, touch = (np.array(column) for column in zip(*rows, strict=True))
    on_c = sensed(built, pos, quat, touch, joint)
    seen_on_mjx = sensed(built, *on_mjx(places.astype(np.float32)), joint)
    np.testing.assert_allclose(seen_on_mjx.pos, on_c.pos, atol=1e-5)
    layout, limits = layout_of(built.house), Thresholds()
    one, other = (cleaned(np, layout, facts(np, layout, seen, limits)) for seen in (on_c, seen_on_mjx))
    for field in fields(Facts):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name), err_msg=field.name)
    # The states differ in what matters: the apple is on the table, in the bowl, on the plate, and above them.
    names = {placed.thing.category: k for k, placed in enumerate(built.house.placed)}
    assert one.inside[:, names["apple"], names["bowl"]].any()
    assert one.on_top[:, names["apple"], names["plate"]].any()
    assert one.on_top[:, names["apple"], names["breakfast_table"]].any()
    assert one.under[:, names["plate"], names["apple"]].any()


def test_things_touch_on_mjx_from_a_distance_on(built: Built, on_mjx: Sense) -> None:
    """A millimetre apart is touching, and 1.2 mm is not."""
    names = {placed.thing.category: k for k, placed in enumerate(built.house.placed)}
    plate, table = names["plate"], names["breakfast_table"]
    start = np.tile(built.model.qpos0, (2, 1))
    top = built.house.placed[plate].pos[2] - 0.0005
    start[:, built.qpos[plate] + 2] = top + np.array([0.0008, 0.0012])
    _, _, found = on_mjx(start.astype(np.float32))
    assert np.asarray(found)[:, plate, table].tolist() == [True, False]
