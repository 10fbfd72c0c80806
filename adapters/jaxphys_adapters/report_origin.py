"""Which results are about the scenes of a data set: those with its seed, asked about scenes that equal its own.

What a result does not record is not held against it.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from jaxphys_adapters import layout
from jaxphys_adapters.query import scores_file
from jaxphys_adapters.query.variants import STYLE_MARK
from jaxphys_adapters.report_results import Results
from jaxphys_benchmarks.protocol import Benchmark

COMPARED = 8
"""Scenes of a result that are compared with those of the data set at most."""


def about(
    benchmark: Benchmark, data: layout.DataSet, ids: Collection[str], results: Sequence[Results]
) -> tuple[list[Results], list[Results]]:
    """The results about a data set, and those about other ones.

    Args:
        benchmark: as configured for the data set. ids: of its scenes. results: of any data set of the benchmark.

    Raises:
        ValueError: a scene of the data set is damaged.
    """
    own: list[Results] = []
    foreign: list[Results] = []
    for one in results:
        (own if _is_about(benchmark, data, ids, one) else foreign).append(one)
    return own, foreign


def _is_about(benchmark: Benchmark, data: layout.DataSet, ids: Collection[str], one: Results) -> bool:
    if one.seed is not None and one.seed != data.config["seed"]:
        return False
    asked = _asked(one)
    # Of counterfactual variants only the results know the numbers.
    if not any(layout.is_scene_id(scene) for scene in asked):
        return True
    common = [scene for scene in asked if scene in ids][:COMPARED]
    return any(_digest(benchmark, data, scene) == asked[scene] for scene in common)


def _asked(one: Results) -> Mapping[str, str]:
    """Digests of the scenes that a result is about, as far as it tells, by id."""
    try:
        keys: Any = scores_file.read(one.root)
    except (ValueError, OSError):
        return {}
    return {question.rpartition("/")[0].partition(STYLE_MARK)[0]: digest for question, digest in keys}


def _digest(benchmark: Benchmark, data: layout.DataSet, scene: str) -> str:
    return scores_file.digest(layout.read_scene(benchmark, data.root, scene)[0])
