"""A few drawn samples of every scenario with their labels, made once for all tests of files and pictures."""

from functools import lru_cache

from jaxphys_benchmarks.inphyre.benchmark import InPhyRe
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec

BENCHMARK = InPhyRe(n_exemplars_pool=3, red_min_per_family=1)
CONFIG: InPhyReConfig = BENCHMARK.config
EACH = 4

Sample = tuple[InPhyReSpec, Labels]


@lru_cache(maxsize=1)
def drawn() -> tuple[Sample, ...]:
    """`EACH` samples of each scenario."""
    specs = BENCHMARK.sample(3, EACH)
    return tuple(zip(specs, BENCHMARK.label(specs, *BENCHMARK.simulate(specs)), strict=True))


def of(scenario: str) -> tuple[Sample, ...]:
    """The samples of one scenario."""
    return tuple(sample for sample in drawn() if sample[0].scenario == scenario)
