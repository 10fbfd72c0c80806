"""Every skill carried out in a small kitchen: it does what it says, and what it moves is not squeezed or dropped."""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import pytest

from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.play import script
from jaxphys_benchmarks.enact.play.motion import relative
from jaxphys_benchmarks.enact.play.recording import Recording, qpos_of
from jaxphys_benchmarks.enact.play.script import put_in, put_on, take
from jaxphys_benchmarks.enact.play.simulate import play
from jaxphys_benchmarks.enact.world.model import build
from jaxphys_benchmarks.enact.world.placing import Placing
from jaxphys_benchmarks.enact.world.robot import REACH, shoulders
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec

WORLD = World()
SPEC = EpisodeSpec(activity="trying_skills", seed=3)

HELD_ERROR = 0.005
"""A held thing keeps its place in the hand so closely (m)."""
DEPTH = 0.005
"""Things enter each other by no more (m)."""


def _played(write: Callable[[Placing], tuple[script.Skill, ...]], spec: EpisodeSpec = SPEC) -> Recording:
    placing = Placing("kitchen", spec.rng("placing"))
    skills = write(placing)
    return play(placing.house(), skills, spec, WORLD)


def _number(recording: Recording, start: str) -> int:
    return next(k for k, placed in enumerate(recording.house.placed) if placed.name.startswith(start))


def _shelf(p: Placing) -> tuple[script.Skill, ...]:
    fridge, table = p.fixture("fridge"), p.fixture("wall_table")
    bottle = p.put("water_bottle", inside=fridge, level=0)
    return (
        script.Open(fridge), *take(bottle), *put_on(bottle, table), *take(bottle), *put_in(bottle, fridge, level=0),
        script.Close(fridge),
    )  # fmt: skip


def _basket(p: Placing) -> tuple[script.Skill, ...]:
    counter = p.fixture("countertop")
    basket = p.put("fruit_basket", on=counter, at=(-0.4, 0.0))
    apple, pear = p.put("apple", on=counter, at=(0.5, -0.4)), p.put("peach", on=counter, at=(0.8, 0.2))
    table = p.fixture("breakfast_table")
    return (
        *take(apple), *put_in(apple, basket), *take(pear, "left"), script.Handover(pear), *put_in(pear, basket),
        *take(basket), *put_on(basket, table), script.Wait(0.5),
    )  # fmt: skip


def _cooking(p: Placing) -> tuple[script.Skill, ...]:
    counter, burner = p.fixture("countertop"), p.fixture("burner")
    pan = p.put("frying_pan", on=counter, at=(0.4, 0.0), yaw=0.0)
    bacon = p.put("bacon", on=counter, at=(-0.5, 0.0))
    return (
        *take(pan), *put_on(pan, burner, at=(0.0, 0.0), yaw=0.0), *take(bacon), *put_in(bacon, pan),
        script.Press(burner), script.WaitHeat(bacon), script.Press(burner),
    )  # fmt: skip


def _cutting(p: Placing) -> tuple[script.Skill, ...]:
    counter = p.fixture("countertop")
    board = p.put("chopping_board", on=counter, at=(0.0, -0.4), yaw=0.0)
    knife = p.put("carving_knife", on=counter, at=(0.95, 0.9), yaw=0.0)
    onion = p.put("vidalia_onion", on=board, at=(0.0, 0.0), yaw=0.0)
    bowl = p.put("bowl", on=counter, at=(-0.8, 0.0))
    one, other = p.halves(onion)
    p.system("diced__vidalia_onion", source=onion)
    return (
        *take(knife), script.Cut(onion, knife), script.Cut(one, knife), script.Cut(other, knife),
        *put_on(knife, counter, at=(0.95, 0.9), yaw=0.0), *take(board), script.Pour(board, bowl),
        *put_on(board, counter), script.Look(bowl), script.Goto(counter),
    )  # fmt: skip


CASES = {"shelf": _shelf, "basket": _basket, "cooking": _cooking, "cutting": _cutting}


@pytest.fixture(scope="module", params=CASES)
def played(request: pytest.FixtureRequest) -> tuple[str, Recording]:
    return request.param, _played(CASES[request.param])


def test_skills_succeed(played: tuple[str, Recording]) -> None:
    _, recording = played
    assert recording.failures == ()
    assert [entry.start for entry in recording.log[1:]] == [entry.end for entry in recording.log[:-1]]


def test_held_things_keep_their_place_in_the_hand(played: tuple[str, Recording]) -> None:
    _, recording = played
    sensed, found = recording.sensed, 0
    for thing in np.flatnonzero(sensed.held.any((0, 1))):
        for hand in (0, 1):
            frames = np.flatnonzero(sensed.held[:, hand, thing])
            for run in np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1):
                if len(run) == 0:
                    continue
                pose = np.concatenate([sensed.pos[run, thing], sensed.quat[run, thing]], 1)
                place = relative(recording.hands[run, hand], pose)[:, :3]
                assert np.linalg.norm(place - place[0], axis=1).max() < HELD_ERROR
                assert (sensed.gap[run, hand, thing] < WORLD.grasp_gap).all()
                found += len(run)
    assert found > 100


def test_nothing_enters_anything(played: tuple[str, Recording]) -> None:
    _, recording = played
    built = build(recording.house, WORLD)
    data = mujoco.MjData(built.model)
    knives = {k for k, placed in enumerate(recording.house.placed) if placed.thing.edge}
    for qpos in qpos_of(built, recording.sensed)[::5]:
        data.qpos[:] = qpos
        mujoco.mj_fwdPosition(built.model, data)
        deep = data.contact.geom[data.contact.dist < -DEPTH]
        pairs = built.thing_of[built.model.geom_bodyid[deep]]
        # A blade is meant to be in what it cuts.
        assert all(knives & set(pair.tolist()) for pair in pairs)


def test_things_stay_within_reach(played: tuple[str, Recording]) -> None:
    _, recording = played
    for frame in range(0, recording.frames, 10):
        away = np.linalg.norm(recording.hands[frame, :, :3] - shoulders(recording.pose(frame)), axis=1)
        assert (away < REACH + 0.1).all()


def test_released_things_rest_upright(played: tuple[str, Recording]) -> None:
    _, recording = played
    released = [entry for entry in recording.log if isinstance(entry.skill, script.Release)]
    assert released
    for entry in released:
        assert isinstance(entry.skill, script.Release)
        thing = _number(recording, entry.skill.thing)
        last = recording.sensed.quat[entry.end - 1, thing]
        up = 1 - 2 * (last[1] ** 2 + last[2] ** 2)
        assert up > 0.995
        drift = recording.sensed.pos[entry.end - 1, thing] - recording.sensed.pos[entry.start, thing]
        assert np.linalg.norm(drift) < 0.03


def test_doors_open_and_close() -> None:
    recording = _played(_shelf)
    joint = recording.sensed.joint[:, 0]
    span = recording.house["fridge_" + recording.house.placed[1].thing.model + "_0"].thing.links[0].span
    opened, closed = recording.log[0], recording.log[-1]
    assert abs(joint[opened.end] - 0.97 * span) < 0.05 * span
    assert abs(joint[closed.end - 1]) < 0.05 * span
    bottle, fridge = _number(recording, "water_bottle"), _number(recording, "fridge")
    low = recording.sensed.pos[recording.log[2].end, bottle]
    assert np.linalg.norm(low[:2] - recording.sensed.pos[0, fridge][:2]) > 0.4


def test_what_stands_in_a_container_comes_along() -> None:
    recording = _played(_basket)
    basket, apple = _number(recording, "fruit_basket"), _number(recording, "apple")
    lifted = next(entry for entry in recording.log if entry.skill == script.Lift(recording.house.placed[basket].name))
    away = recording.sensed.pos[:, apple] - recording.sensed.pos[:, basket]
    assert recording.sensed.pos[lifted.end, basket, 2] > recording.sensed.pos[lifted.start, basket, 2] + 0.05
    assert np.linalg.norm(away[lifted.end] - away[lifted.start]) < 0.02
    handed = next(entry for entry in recording.log if isinstance(entry.skill, script.Handover))
    both = recording.sensed.held[handed.start : handed.end].any(2).all(1)
    assert both.any()
    assert handed.hand == 1


def test_heat_cooks_and_a_button_flips_twice() -> None:
    recording = _played(_cooking)
    burner, bacon = _number(recording, "burner"), _number(recording, "bacon")
    toggled = recording.sensed.toggled[:, burner]
    assert np.flatnonzero(np.diff(toggled.astype(int))).size == 2
    assert not toggled[-1]
    cooked = recording.sensed.cooked[:, bacon]
    first = int(np.argmax(cooked))
    assert cooked[-1]
    assert toggled[first]
    assert cooked[first:].all()


def test_cutting_makes_halves_and_particles_that_can_be_poured() -> None:
    recording = _played(_cutting)
    sensed = recording.sensed
    onion, board, bowl = (_number(recording, name) for name in ("vidalia_onion", "chopping_board", "bowl"))
    halves = [k for k, placed in enumerate(recording.house.placed) if placed.parents]
    cuts = [entry for entry in recording.log if isinstance(entry.skill, script.Cut)]
    assert sensed.exists[cuts[0].start, onion]
    assert not sensed.exists[cuts[0].end, onion]
    assert not sensed.exists[cuts[0].start, halves].any()
    assert sensed.exists[cuts[0].end, halves].all()
    assert not sensed.exists[cuts[2].end, halves].any()
    count = sensed.alive.shape[1]
    assert [int(sensed.alive[entry.end].sum()) for entry in cuts] == [0, count // 2, count]
    assert (sensed.carrier[cuts[2].end] == board).all()
    assert (sensed.carrier[-1] == bowl).all()


def test_a_skill_that_cannot_be_carried_out_is_told() -> None:
    def write(p: Placing) -> tuple[script.Skill, ...]:
        counter = p.fixture("countertop")
        apple = p.put("apple", on=counter, at=(0.0, 0.0))
        return (script.Release(apple), script.Grasp(counter), script.Press(apple), *take(apple), script.Grasp(apple))

    recording = _played(write)
    assert [bool(entry.failure) for entry in recording.log] == [True, True, True, False, False, True]
    assert "is not held" in recording.log[0].failure
    assert "cannot be moved" in recording.log[1].failure
    assert "no button" in recording.log[2].failure
    assert "held already" in recording.log[5].failure


@pytest.mark.parametrize(("hands", "expected"), [("right", [1, 1]), ("left", [0, 0])])
def test_the_hands_of_an_episode_do_what_one_hand_can_do(hands: Any, expected: list[int]) -> None:
    def write(p: Placing) -> tuple[script.Skill, ...]:
        counter = p.fixture("countertop")
        names = [p.put(food, on=counter, at=(x, 0.0)) for food, x in (("apple", -0.4), ("peach", 0.4))]
        return tuple(skill for name in names for skill in (*take(name), *put_on(name, counter)))

    recording = _played(write, EpisodeSpec(activity="trying_skills", hands=hands))
    assert [entry.hand for entry in recording.log if isinstance(entry.skill, script.Grasp)] == expected
    both = _played(write, EpisodeSpec(activity="trying_skills"))
    assert sorted(entry.hand for entry in both.log if isinstance(entry.skill, script.Grasp)) == [0, 1]
