"""The training stream: endless, repeatable, apart from every evaluation, and rewarding only the right option."""

from itertools import islice
from typing import Any

import pytest

from jaxphys_benchmarks.inphyre import screen
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.training import TRAINING, Example, examples
from jaxphys_benchmarks.protocol import AskOptions

CONFIG = InPhyReConfig(preset="varied")


def first(n: int, **given: Any) -> list[Example]:
    return list(islice(examples(CONFIG, batch=4, **given), n))


def test_the_stream_goes_on_and_mixes_scenarios() -> None:
    found = first(60)
    assert [example.spec.scenario for example in found[:10]] == list(SCENARIOS)
    assert [example.spec.index for example in found[::10]] == list(range(6))
    assert all(not example.labels.status for example in found)


def test_equal_seeds_give_equal_streams_and_others_others() -> None:
    assert [example.question for example in first(12)] == [example.question for example in first(12)]
    assert [example.spec for example in first(12, seed=1)] != [example.spec for example in first(12)]


def test_no_evaluation_set_holds_a_training_sample() -> None:
    learned = first(1)[0]
    (asked,) = screen.accepted(CONFIG, 0, learned.spec.scenario, [learned.spec.index])
    assert learned.spec.seed == TRAINING
    assert learned.spec.things != asked.things
    assert {part.spec.seed for part in learned.question.parts if not isinstance(part, str)} == {TRAINING}


def test_only_the_right_option_is_rewarded() -> None:
    for example in first(10):
        rewards = {letter: example.reward(f"Answer: {letter}") for letter in "ABCD"}
        assert sorted(rewards.values()) == [0, 0, 0, 1]
        right = next(letter for letter, reward in rewards.items() if reward)
        assert example.question.reads["meanings"][right] == example.labels.meaning
        assert example.reward("") == example.reward("no idea") == 0


def test_how_to_ask_is_given() -> None:
    assert first(1, options=AskOptions(text_only=True))[0].question.view is None


@pytest.mark.parametrize(("seed", "batch"), [(-1, 1), (TRAINING, 1), (0, 0)])
def test_bad_seeds_and_batches_are_named(seed: int, batch: int) -> None:
    with pytest.raises(ValueError, match="seed, batch"):
        examples(CONFIG, seed, batch=batch)
