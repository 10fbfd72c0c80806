"""Samples to learn from, with a reward (InPhyRe specification, section 7.4): seeded apart from every evaluation.

    for example in examples(config, seed=0):
        reply = policy(example.question)
        learn(example, example.reward(reply))

The stream never ends. Its samples have seeds that no evaluation set may have, and so has its pool of exemplars.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from jaxphys_benchmarks.inphyre import screen
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.parse import parse
from jaxphys_benchmarks.inphyre.prompts import ask
from jaxphys_benchmarks.inphyre.score import score
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.protocol import AskOptions, Question, Reply

TRAINING = 1 << 62
"""Added to the seed; evaluation sets have smaller ones."""

BATCH = 256
"""Samples of a scenario that are drawn and simulated at a time."""


@dataclass(frozen=True)
class Example:
    """A sample with its question; the labels are for the reward, not for the learner."""

    spec: InPhyReSpec
    question: Question
    labels: Labels

    def reward(self, reply: str) -> float:
        """1 for the right option, else 0, however the reply fails."""
        return score(self.question, self.labels, parse(self.question, Reply(reply))).values["exact"]


def examples(
    config: InPhyReConfig,
    seed: int = 0,
    options: AskOptions = AskOptions(),  # noqa: B008
    *,
    batch: int = BATCH,
) -> Iterator[Example]:
    """Samples of all scenarios in turn, without end; equal arguments give equal streams.

    Args:
        config: what to draw and how to ask. seed: 0 <= seed < 2**62. options: how to ask. batch: samples of each
            scenario that are drawn together.

    Raises:
        ValueError: a bad seed or batch.
    """
    if not 0 <= seed < TRAINING or batch < 1:
        raise ValueError(f"seed, batch: ({seed}, {batch}); give 0 <= seed < 2**62 and batch >= 1")
    return _stream(config, TRAINING + seed, options, batch)


def _stream(config: InPhyReConfig, seed: int, options: AskOptions, batch: int) -> Iterator[Example]:
    for start in itertools.count(0, batch):
        columns = [screen.labelled(config, seed, name, range(start, start + batch)) for name in config.scenarios]
        for row in zip(*columns, strict=True):
            for spec, truth in row:
                if not truth.status:
                    yield Example(spec, ask(spec, options, config)[0], truth)
