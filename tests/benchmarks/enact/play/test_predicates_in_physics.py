"""Each class of predicate comes and goes in a kitchen as physics drives it: labelled by hand, by rays and boxes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.episodes.graphs import Timeline, timeline
from jaxphys_benchmarks.enact.play import script
from jaxphys_benchmarks.enact.play.engine import Engine
from jaxphys_benchmarks.enact.play.motion import base_frame, relative, turned
from jaxphys_benchmarks.enact.play.recording import recorded
from jaxphys_benchmarks.enact.play.script import put_on, take
from jaxphys_benchmarks.enact.play.simulate import play
from jaxphys_benchmarks.enact.world.house import ROBOT
from jaxphys_benchmarks.enact.world.placing import Placing
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec

LEFT, RIGHT = 0, 1
GRASPS = ("LeftGrasping", "RightGrasping")
DOWN = np.array([0.0, 0.0, 1.0, 0.0])
"""Attitude of a hand; any does, for a thing keeps its own."""
SPEC = EpisodeSpec(activity="trying_predicates")


class Lab:
    """A kitchen in which hands are moved by hand.

    Args:
        placing: what is there.
    """

    def __init__(self, placing: Placing) -> None:
        self.engine = Engine(placing.house(), World(), SPEC)
        self.wait(10)

    def wait(self, frames: int, drives: Mapping[int, float] | None = None) -> int:
        """Lets time pass, joints driven to values; number of the frame that is reached."""
        return self._advance(np.tile(self.engine.hands, (frames * self.engine.substeps, 1, 1)), drives or {})

    def move(self, hand: int, to: np.ndarray, frames: int = 20) -> int:
        """Moves a hand along a straight line to a place in the world."""
        engine = self.engine
        end = relative(base_frame(engine.robot), np.concatenate([to, DOWN]))
        rows = np.tile(engine.hands, (frames * engine.substeps, 1, 1))
        share = np.linspace(0, 1, len(rows))[:, None]
        rows[:, hand, :3] = rows[0, hand, :3] + share * (end[:3] - rows[0, hand, :3])
        rows[:, hand, 3:] = end[3:]
        return self._advance(rows, {})

    def press(self, name: str, hand: int, frames: int, away: float) -> int:
        """Holds a stretched finger at a distance from the button of a thing (m), and takes it away."""
        engine = self.engine
        thing = engine.house.index(name)
        pose, button = engine.pose(thing), engine.house.placed[thing].thing.buttons[0]
        spot = pose[:3] + turned(pose[3:], np.asarray(button.pos)) + np.array([0.0, -away, 0.0])
        self.move(hand, spot, 1)
        engine.pointing[hand] = True
        self.wait(frames)
        engine.pointing[hand] = False
        return self.wait(1)

    def _advance(self, hands: np.ndarray, drives: Mapping[int, float]) -> int:
        values = {joint: np.full(len(hands), value) for joint, value in drives.items()}
        self.engine.advance(np.tile(self.engine.robot, (len(hands), 1)), hands, values)
        return len(self.engine.frames) - 1

    def told(self, rule: str = "ray") -> Timeline:
        """What was true."""
        engine = self.engine
        recording = recorded(SPEC, engine.house, engine.layout, engine.frames, ())
        world = World.model_validate({"adjacency": rule})
        return timeline(engine.house, engine.layout, recording.sensed, world)


def holds(told: Timeline, frame: int, *fact: str) -> bool:
    """Whether a fact is true in a frame."""
    return fact in told.vocabulary and bool(told.bits[frame, told.vocabulary.index(fact)])


def course(told: Timeline, frames: Sequence[int], *fact: str) -> list[bool]:
    return [holds(told, frame, *fact) for frame in frames]


def kitchen() -> Placing:
    return Placing("kitchen", np.random.default_rng(0))


@pytest.mark.parametrize("rule", ["ray", "aabb"])
@pytest.mark.parametrize("hand", [LEFT, RIGHT])
def test_an_apple_is_carried_from_the_table_to_a_plate_and_a_bowl(hand: int, rule: str) -> None:
    p = kitchen()
    table = p.fixture("wall_table")
    apple, plate, bowl = (
        p.put(what, on=table, at=(u, 0.0)) for what, u in (("apple", 0.6), ("plate", 0.0), ("bowl", -0.6))
    )
    lab = Lab(p)
    engine, thing = lab.engine, lab.engine.house.index(apple)
    # From the place of a thing, which is the middle of its underside, to where the hand holds it.
    grip = np.array([0.0, 0.0, 0.08])
    over = {name: engine.pose(engine.house.index(name))[:3] + grip for name in (plate, bowl)}
    lift = np.array([0.0, 0.0, 0.25])

    lab.move(hand, engine.pose(thing)[:3] + grip)
    rest = lab.wait(1)
    engine.hold(hand, thing)
    closing = lab.wait(1)
    held = lab.wait(1)
    lab.move(hand, engine.pose(thing)[:3] + grip + lift)
    lab.move(hand, over[plate] + lift)
    above = lab.wait(5)
    lab.move(hand, over[plate] + np.array([0.0, 0.0, 0.025]))
    engine.let_go(hand, thing)
    loose = lab.wait(1)
    on_plate = lab.wait(30)
    lab.move(hand, engine.pose(thing)[:3] + grip, 5)
    engine.hold(hand, thing)
    lab.move(hand, over[plate] + lift)
    lab.move(hand, over[bowl] + lift)
    engine.let_go(hand, thing)
    falling = lab.wait(2)
    in_bowl = lab.wait(45)
    lab.move(hand, engine.pose(thing)[:3] + grip, 5)
    engine.hold(hand, thing)
    lab.move(hand, over[bowl] + lift)
    out = lab.wait(5)

    told = lab.told(rule)
    grasp = [rest, closing, held, above, loose, in_bowl, out]
    assert course(told, grasp, ROBOT, apple, GRASPS[hand]) == [False, False, True, True, False, False, True]
    assert (ROBOT, apple, GRASPS[1 - hand]) not in told.vocabulary
    moments = [rest, above, on_plate, in_bowl, out]
    assert course(told, moments, apple, table, "OnTop") == [True, False, False, False, False]
    assert course(told, moments, apple, plate, "OnTop") == [False, False, True, False, False]
    assert course(told, moments, apple, bowl, "Inside") == [False, False, False, True, False]
    assert not holds(told, in_bowl, apple, bowl, "OnTop")
    # What falls has under it what it falls on; of what is held nothing is said.
    assert course(told, [above, falling, in_bowl, out], bowl, apple, "Under") == [False, True, False, False]
    assert not holds(told, above, plate, apple, "Under")
    assert not any(fact[0] == apple and fact[-1] == "Under" for fact in told.vocabulary)


def test_facts_of_a_left_hand_are_those_of_a_right_hand() -> None:
    found = []
    for hand in (LEFT, RIGHT):
        p = kitchen()
        table = p.fixture("wall_table")
        apple = p.put("apple", on=table, at=(0.0, 0.0))
        lab = Lab(p)
        thing = lab.engine.house.index(apple)
        at = lab.engine.pose(thing)[:3] + np.array([0.0, 0.0, 0.08])
        lab.move(hand, at)
        lab.engine.hold(hand, thing)
        lab.move(hand, at + np.array([0.0, 0.0, 0.2]))
        lab.engine.let_go(hand, thing)
        lab.wait(30)
        told = lab.told()
        swapped = {LEFT: GRASPS[LEFT], RIGHT: GRASPS[RIGHT]}[hand]
        facts = [tuple("Grasping" if word == swapped else word for word in fact) for fact in told.vocabulary]
        found.append((facts, told.bits))
    assert found[0][0] == found[1][0]
    assert (found[0][1] == found[1][1]).all()


@pytest.mark.parametrize(("room", "what"), [("kitchen", "fridge"), ("office", "desk"), ("garage", "cabinet")])
def test_doors_and_drawers_are_open_beyond_five_percent(room: str, what: str) -> None:
    p = Placing(room, np.random.default_rng(0))
    name = p.fixture(what)
    lab = Lab(p)
    span = float(lab.engine.layout.joint_span[0])
    at = [lab.wait(10)]
    at += [lab.wait(20, {0: share * span}) for share in (0.04, 0.06, 0.9, 0.06, 0.04, 0.0)]
    assert course(lab.told(), at, name, "Open") == [False, False, True, True, True, False, False]


def test_a_button_needs_a_finger_that_is_near_for_five_frames() -> None:
    p = kitchen()
    burner = p.fixture("burner")
    lab = Lab(p)
    at = [
        lab.press(burner, RIGHT, 4, 0.05),
        lab.press(burner, RIGHT, 20, 0.101),
        lab.press(burner, RIGHT, 5, 0.099),
        lab.press(burner, LEFT, 4, 0.05),
        lab.press(burner, LEFT, 5, 0.05),
    ]
    assert course(lab.told(), at, burner, "ToggledOn") == [False, False, True, True, False]


def test_a_microwave_runs_only_while_it_is_shut() -> None:
    p = kitchen()
    p.fixture("second_countertop")
    microwave = p.fixture("microwave")
    lab = Lab(p)
    span = float(lab.engine.layout.joint_span[0])
    lab.wait(10, {0: 0.5 * span})
    ajar = lab.press(microwave, RIGHT, 5, 0.03)
    lab.wait(20, {0: 0.0})
    shut = lab.press(microwave, RIGHT, 5, 0.03)
    opened = lab.wait(20, {0: 0.5 * span})
    assert course(lab.told(), [ajar, shut, opened], microwave, "ToggledOn") == [False, True, False]


def test_bacon_is_cooked_from_seventy_degrees_on_and_stays_so() -> None:
    p = kitchen()
    burner = p.fixture("burner")
    pan = p.put("frying_pan", on=burner, at=(0.0, 0.0), yaw=0.0)
    bacon = p.put("bacon", inside=pan, at=(0.0, 0.0), yaw=0.0)
    lab = Lab(p)
    thing = lab.engine.house.index(bacon)

    def warmed(to: float) -> int:
        temperature = lab.engine.latches.temperature.copy()
        temperature[thing] = to
        lab.engine.latches = replace(lab.engine.latches, temperature=temperature)
        return lab.wait(1)

    # With the burner off it cools in the frame that follows, and below 70 °C it is raw.
    cold = warmed(70.0)
    warmed(20.0)
    lab.press(burner, RIGHT, 5, 0.05)
    step = 1 - np.exp(-lab.engine.dt / lab.engine.world.heat_time)
    almost = (70 - 180 * step) / (1 - step)
    below = warmed(almost - 0.1)
    above = warmed(almost + 0.001)
    lab.press(burner, RIGHT, 5, 0.05)
    later = warmed(20.0)
    told = lab.told()
    assert course(told, [cold, below, above, later], bacon, "Cooked") == [False, False, True, True]
    assert course(told, [below, later], burner, "ToggledOn") == [True, False]
    # The pan does not cook.
    assert (pan, "Cooked") not in told.vocabulary


def test_an_onion_becomes_halves_and_crumbs_that_cover_and_are_contained() -> None:
    p = kitchen()
    counter = p.fixture("countertop")
    board = p.put("chopping_board", on=counter, at=(0.0, -0.4), yaw=0.0)
    knife = p.put("carving_knife", on=counter, at=(0.95, 0.9), yaw=0.0)
    onion = p.put("vidalia_onion", on=board, at=(0.0, 0.0), yaw=0.0)
    bowl, plate = p.put("bowl", on=counter, at=(-0.8, 0.0)), p.put("plate", on=counter, at=(0.75, -0.3))
    one, other = p.halves(onion)
    diced = p.system("diced__vidalia_onion", source=onion)
    skills = (
        *take(knife), script.Cut(onion, knife), script.Cut(one, knife), script.Cut(other, knife),
        *put_on(knife, counter, at=(0.95, 0.9), yaw=0.0), *take(board), script.Pour(board, bowl),
        *put_on(board, counter), *take(bowl), script.Pour(bowl, plate), script.Wait(1.0),
    )  # fmt: skip
    house = p.house()
    recording = play(house, skills, SPEC, World())
    assert recording.failures == ()
    engine = Engine(house, World(), SPEC)
    told = timeline(house, engine.layout, recording.sensed, World())
    cuts = [entry for entry in recording.log if isinstance(entry.skill, script.Cut)]
    pours = [entry for entry in recording.log if isinstance(entry.skill, script.Pour)]
    at = [cuts[0].start, cuts[0].end, cuts[2].end, pours[0].end, pours[1].end + 20]
    names = [name for name, _ in told.nodes]
    there = {name: told.present[at, names.index(name)].tolist() for name in (onion, one, other, diced)}
    assert there[onion] == [True, False, False, False, False]
    assert there[one] == there[other] == [False, True, False, False, False]
    assert there[diced] == [False, False, True, True, True]
    assert told.parents[one] == told.parents[other] == (onion,)
    assert told.parents[diced] == ("vidalia_onion",)
    assert course(told, at, board, diced, "Covered") == [False, False, True, False, False]
    assert course(told, at, bowl, diced, "Contains") == [False, False, False, True, False]
    assert course(told, at, plate, diced, "Covered") == [False, False, False, False, True]
    # The bowl's bottom is thinner than a centimetre, and what lies in it does not cover the counter.
    assert (counter, diced, "Covered") not in told.vocabulary
