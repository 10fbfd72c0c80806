"""Key frames: stored episodes, a frame-by-frame implementation on random ones, and what each profile promises."""

import time
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.enact import facts, segmentation
from jaxphys_benchmarks.enact.config import Segmentation
from jaxphys_benchmarks.enact.graph import Graph, Node
from tests.benchmarks.enact import plain_segmentation as plain
from tests.enact_worlds import cases

PAPER = Segmentation(profile="paper")
NODES = ("robot_r1", "fridge_petcxr_0", "cup_1", "table_abcdef_0", "lamp_9")
START = {("cup_1", "table_abcdef_0"): frozenset({"OnTop"}), ("table_abcdef_0", "cup_1"): frozenset({"Under"})}


def stored(case: dict[str, Any]) -> facts.FactTable:
    """The frames of a stored episode."""
    states: dict[str, set[str]] = {name: set() for name in NODES}
    events = {(frame, name, state): turn for frame, turn, name, state in case["events"]}
    frames = []
    for t in range(case["n_frames"]):
        for (frame, name, state), turn in events.items():
            if frame == t:
                states[name] = states[name] | {state} if turn == "on" else states[name] - {state}
        nodes = {name: Node(name, name.split("_")[0], frozenset(on)) for name, on in states.items()}
        frames.append((str(t), Graph(nodes, START)))
    return facts.fact_table(frames)


@pytest.mark.parametrize("case", cases()["segmentation_cases"], ids=lambda case: case["name"])
def test_stored_episodes(case: dict[str, Any]) -> None:
    table = stored(case)
    assert list(segmentation.key_frames(table.ids, table.facts)) == case["key_frames"]


def random_facts(seed: int, frames: int, size: int, rate: float) -> np.ndarray:
    """Facts that change now and then, some of them for a few frames only."""
    rng = np.random.default_rng([11, seed])
    x = np.tile(rng.random(size) < 0.5, (frames, 1))
    for _ in range(rng.poisson(rate * frames)):
        start, fact = int(rng.integers(frames)), int(rng.integers(size))
        length = int(rng.integers(1, 12)) if rng.random() < 0.5 else int(rng.integers(20, frames))
        x[start : start + length, fact] ^= True
    return x


@pytest.mark.parametrize("seed", range(12))
def test_both_profiles_equal_the_frame_by_frame_implementation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 140))
    x = random_facts(seed, int(rng.integers(1, 900)), size, float(rng.uniform(0.002, 0.05)))
    kinds = rng.integers(0, max(1, size // 3), size).tolist()
    ids = range(len(x))
    assert list(segmentation.key_frames(ids, x)) == plain.release(plain.rows(x))
    assert list(segmentation.key_frames(ids, x, PAPER, kinds)) == plain.paper(plain.rows(x), kinds)
    assert list(segmentation.key_frames(ids, x, PAPER)) == plain.paper(plain.rows(x), list(range(size)))


def test_the_transient_filter_equals_the_frame_by_frame_one() -> None:
    x = random_facts(1, 203, 70, 0.4)
    words = segmentation.pack_words(x)
    segmentation.compiled.smooth(words, 10, 5)
    assert np.array_equal(
        words, segmentation.pack_words(np.array([[k in row for k in range(70)] for row in plain.smooth(plain.rows(x))]))
    )


def test_gaps_are_measured_in_ids() -> None:
    case = next(case for case in cases()["segmentation_cases"] if case["name"] == "early_change")
    table = stored(case)
    ids = [2 * frame + 1000 for frame in table.ids]
    assert segmentation.key_frames(ids, table.facts) == (1118, 1118 + 202 + 10)


@pytest.mark.parametrize("frames", [0, 1, 59])
def test_an_episode_that_is_too_short_has_no_key_frames(frames: int) -> None:
    x = np.ones((frames, 3), bool)
    assert segmentation.key_frames(range(frames), x) == ()
    assert segmentation.key_frames(range(frames), x, PAPER) == ((0,) if frames else ())


def test_an_episode_without_facts() -> None:
    assert segmentation.key_frames(range(700), np.zeros((700, 0), bool)) == (59,)
    assert segmentation.key_frames(range(700), np.zeros((700, 0), bool), PAPER) == (0,)


@pytest.mark.parametrize("length", [11, 25, 39, 40, 60])
def test_in_profile_paper_only_what_lasts_makes_a_key_frame(length: int) -> None:
    x = np.zeros((400, 4), bool)
    x[:, 0] = True
    x[100 : 100 + length, 1] = True
    wanted = (0, 100, 100 + length) if length >= 40 else (0,)
    assert segmentation.key_frames(range(400), x, PAPER) == wanted


def test_in_profile_paper_a_change_like_the_last_one_is_no_key_frame() -> None:
    """Two plates are put on a table one after the other."""
    x = np.zeros((400, 3), bool)
    x[100:, 0] = x[200:, 1] = x[300:, 2] = True
    vocabulary = [("plate_1", "table_0", "OnTop"), ("plate_2", "table_0", "OnTop"), ("fridge_0", "Open")]
    kinds = segmentation.kinds_of(vocabulary, lambda name: name.split("_")[0])
    assert kinds == (0, 0, 1)
    assert segmentation.key_frames(range(400), x, PAPER) == (0, 100, 200, 300)
    assert segmentation.key_frames(range(400), x, PAPER, kinds) == (0, 100, 300)


def test_bad_input_is_named() -> None:
    x = np.zeros((5, 2), bool)
    with pytest.raises(ValueError, match="4 ids do not fit"):
        segmentation.key_frames(range(4), x)
    with pytest.raises(ValueError, match="must rise"):
        segmentation.key_frames([0, 1, 1, 2, 3], x)
    with pytest.raises(ValueError, match="3 kinds do not fit 2 facts"):
        segmentation.key_frames(range(5), x, None, [0, 1, 2])


def test_it_is_50_times_as_fast_as_frame_by_frame() -> None:
    """On 10,000 frames and 200 facts; measured 500 and more."""
    x = random_facts(5, 10_000, 200, 0.02)
    segmentation.key_frames(range(100), x[:100])
    sets = plain.rows(x)
    start = time.perf_counter()
    wanted = plain.release(sets)
    plainly = time.perf_counter() - start
    times = []
    for _ in range(3):
        start = time.perf_counter()
        found = segmentation.key_frames(range(len(x)), x)
        times.append(time.perf_counter() - start)
    assert list(found) == wanted
    assert len(wanted) > 10
    assert plainly / min(times) >= 50, (plainly, times)
