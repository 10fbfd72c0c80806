"""Answerers without a model: what can be had without looking.

They answer in text, as a model would, and go through the same parser. Only `oracle` sees the true answer. Answers
depend on the question and the seed, never on the order in which they are given.
"""

from collections.abc import Callable

from jaxphys_benchmarks.enact import prompts
from jaxphys_benchmarks.enact.items import Item, generator
from jaxphys_benchmarks.enact.text_matcher import order_of

ItemAnswerer = Callable[[Item, int], str]
"""(item, seed) -> reply text."""


def baselines() -> dict[str, ItemAnswerer]:
    """All baselines by name."""
    return {"oracle": oracle, "random": random, "identity": identity, "text_matcher": text_matcher}


def oracle(item: Item, seed: int) -> str:
    """The true answer."""
    return str(list(item.gt_answer))


def random(item: Item, seed: int) -> str:
    """Any permutation."""
    n = len(item.key_frame_ids) - 1
    return str([int(k) + 1 for k in generator("random", seed, item.id).permutation(n)])


def identity(item: Item, seed: int) -> str:
    """As listed."""
    return str(list(range(1, len(item.key_frame_ids))))


def text_matcher(item: Item, seed: int) -> str:
    """What the texts of the actions alone suggest, without any image; forward, where they are in order, as listed."""
    actions = prompts.actions_of(item.question)
    if not item.inverse or len(actions) != len(item.key_frame_ids) - 1:
        return identity(item, seed)
    return str([k + 1 for k in order_of(actions)])
