"""How far copying answers can get: the share of the commonest answer of each scenario, measured anew.

In the published preset the answer is the same in most scenarios, and the share is 1; in `varied` it is what is left for
whoever does not infer the law (InPhyRe specification, section 7.3). Chance is 1/4.
"""

from collections import Counter

from jaxphys_benchmarks.inphyre import screen
from jaxphys_benchmarks.inphyre.config import InPhyReConfig

SAMPLES = 240
"""Samples of each scenario, a multiple of the run in which families are balanced."""


def majority(config: InPhyReConfig, seed: int = 0, samples: int = SAMPLES) -> dict[str, float]:
    """Share of the commonest meaning by scenario; samples without labels are left out.

    Args:
        config: what to draw. seed: of the samples. samples: how many of each scenario, at least 1.
    """
    shares = {}
    for scenario in config.scenarios:
        drawn = screen.labelled(config, seed, scenario, range(samples))
        meanings = Counter(labels.meaning for _, labels in drawn if not labels.status)
        if meanings:
            shares[scenario] = meanings.most_common(1)[0][1] / meanings.total()
    return shares
