"""Baselines through the whole path, against the expected scores of the specification (section 10)."""

import math
import time
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.billiardphys.baselines import NoContact, NoisyOracle, baselines
from jaxphys_benchmarks.billiardphys.benchmark import BilliardPhys
from jaxphys_benchmarks.billiardphys.labels import Labels
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec, Cue
from jaxphys_benchmarks.protocol import EXTRACTORS, AskOptions, Question, Reply, Score
from jaxphys_benchmarks.statistics import bootstrap_sums
from tests.benchmarks.billiardphys.answers import places, questions, scene, truth, walls

SCENES = 200
"""Scenes per window, as published."""

TABLE_SCENES = 1500
"""Scenes per window behind the table of the specification."""

WINDOW_ERRORS, MEAN_ERRORS = 4.0, 3.0
"""Standard errors allowed: three for a mean over windows; in single windows there are some 200 comparisons."""

BENCHMARK = BilliardPhys()

# Columns are t = 1, 2, 3, 4, 5 s.
TABLE: dict[str, dict[str, tuple[float, ...]]] = {
    "static": {
        "q1/per_ball": (0.903, 0.902, 0.910, 0.903, 0.905),
        "q1/scene": (0.503, 0.485, 0.543, 0.501, 0.508),
        "q2/exact_set": (0.077, 0.092, 0.077, 0.098, 0.093),
        "q2/per_wall": (0.602, 0.612, 0.599, 0.612, 0.614),
        "q3/per_ball": (0.761, 0.757, 0.771, 0.761, 0.764),
        "q3/moved": (0.016, 0.015, 0.019, 0.021, 0.021),
    },
    "no_contact": {
        "q2/exact_set": (0.709, 0.689, 0.734, 0.694, 0.721),
        "q2/per_wall": (0.904, 0.892, 0.913, 0.900, 0.908),
        "q2/balanced": (0.915, 0.905, 0.922, 0.913, 0.921),
        "q3/per_ball": (0.834, 0.828, 0.850, 0.835, 0.838),
        "q3/moved": (0.316, 0.301, 0.355, 0.325, 0.329),
        "q3/scene": (0.513, 0.494, 0.552, 0.517, 0.519),
        "q3/sb3": (0.413, 0.421, 0.389, 0.414, 0.407),
    },
    "noisy_1mm": {
        "q1/per_ball": (0.994, 0.993, 0.994, 0.993, 0.995),
        "q1/scene": (0.968, 0.966, 0.966, 0.964, 0.974),
        "q1/recall_t": (0.977, 0.968, 0.962, 0.960, 0.974),
        "q1/balanced": (0.986, 0.982, 0.979, 0.978, 0.986),
        "q2/exact_set": (0.974, 0.977, 0.981, 0.975, 0.977),
        "q2/per_wall": (0.993, 0.993, 0.995, 0.993, 0.994),
        "q3/per_ball": (0.914, 0.915, 0.923, 0.917, 0.924),
        "q3/moved": (0.665, 0.676, 0.687, 0.674, 0.701),
        "q3/scene": (0.760, 0.759, 0.781, 0.759, 0.773),
    },
    "noisy_1cm": {
        "q1/per_ball": (0.968, 0.969, 0.969, 0.968, 0.971),
        "q1/scene": (0.845, 0.850, 0.859, 0.842, 0.860),
        "q1/recall_t": (0.830, 0.844, 0.820, 0.812, 0.835),
        "q1/balanced": (0.906, 0.913, 0.902, 0.898, 0.910),
        "q2/exact_set": (0.863, 0.863, 0.882, 0.866, 0.881),
        "q2/per_wall": (0.961, 0.960, 0.967, 0.961, 0.967),
        "q3/per_ball": (0.812, 0.808, 0.834, 0.817, 0.822),
        "q3/moved": (0.352, 0.334, 0.404, 0.354, 0.372),
        "q3/scene": (0.475, 0.455, 0.531, 0.487, 0.505),
    },
    "random": {
        "q1/per_ball": (0.5,) * 5,
        "q1/scene": (1 / 64,) * 5,
        "q1/recall_t": (0.5,) * 5,
        "q2/exact_set": (1 / 16,) * 5,
        "q2/per_wall": (0.5,) * 5,
        "q3/per_ball": (0.002,) * 5,
    },
}

COUNTS = {
    "per_ball": ("correct", "n"),
    "scene": ("exact", "one"),
    "exact_set": ("exact", "one"),
    "per_wall": ("correct", "n"),
    "recall_t": ("hit_t", "true_t"),
    "moved": ("moved_correct", "moved"),
    "sb3": ("moved_near", "moved"),
    "balanced": ("hit_t", "true_t", "hit_f", "true_f"),
}
"""Counts and totals; the metric is the mean of their ratios ("one" counts scenes)."""


@cache
def drawn() -> tuple[list[BilliardSpec], list[Labels]]:
    specs = BENCHMARK.sample(7, SCENES)
    return specs, BENCHMARK.label(specs, *BENCHMARK.simulate(specs))


@cache
def answerer(name: str) -> Any:
    special = {"noisy_1mm": NoisyOracle(sigma=1e-3), "noisy_1cm": NoisyOracle(sigma=1e-2)}
    found = special.get(name) or BENCHMARK.baselines()[name]
    if hasattr(found, "prepare"):
        found.prepare(drawn()[0], 0)
    return found


@cache
def asked() -> list[tuple[BilliardSpec, Labels, Question]]:
    scenes = zip(*drawn(), strict=True)
    return [(spec, labels, question) for spec, labels in scenes for question in BENCHMARK.ask(spec, AskOptions())]


@cache
def scores(name: str, extractor: str = "paper") -> tuple[Score, ...]:
    reply_of = answerer(name)
    return tuple(
        BENCHMARK.score(question, labels, BENCHMARK.parse(question, reply, extractor=extractor))
        for spec, labels, question in asked()
        for reply in [Reply(reply_of(spec, labels, question, 0))]
    )


@cache
def metrics_of(name: str) -> dict[str, float]:
    return BENCHMARK.aggregate(scores(name))


def standard_error(found: Sequence[Score], metric: str, expected: float) -> float:
    """Of one window's rate: the larger of a bootstrap over scenes and, near 0 and 1, the binomial one expected.

    A balanced accuracy is expected to lose on the rarer class alone.
    """
    counts = [[s.values.get(name, 1.0) for s in found] for name in COUNTS[metric]]
    sums = bootstrap_sums(np.array(counts).T, draws=400).T
    rates = [count / total for count, total in zip(sums[::2], sums[1::2], strict=True)]
    share = 1 - len(rates) * (1 - expected)
    binomial = np.sqrt(share * (1 - share) / sum(counts[1])) / len(rates)
    return float(max(np.std(sum(rates) / len(rates)), binomial))


@pytest.mark.parametrize(("name", "metric"), [(name, metric) for name, rows in TABLE.items() for metric in rows])
def test_the_expected_scores(name: str, metric: str) -> None:
    """The difference of two samples, in every window and in the mean over windows."""
    task = {"q1": "task1", "q2": "task2", "q3": "task3"}[metric[:2]]
    both = np.sqrt(1 + SCENES / TABLE_SCENES if name != "random" else 1.0)
    errors = []
    for t, expected in enumerate(TABLE[name][metric], start=1):
        window = [s for s in scores(name) if s.task == task and s.group == f"t{t}s"]
        errors.append(both * standard_error(window, metric[3:], expected))
        allowed = WINDOW_ERRORS * errors[-1] + 5e-4  # the table has three decimals
        assert metrics_of(name)[f"t{t}s/{metric}"] == pytest.approx(expected, abs=allowed)
    allowed = MEAN_ERRORS * float(np.linalg.norm(errors)) / len(errors) + 5e-4
    assert metrics_of(name)[metric] == pytest.approx(np.mean(TABLE[name][metric]), abs=allowed)


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_the_oracle_is_right_in_everything(extractor: str) -> None:
    metrics = BENCHMARK.aggregate(scores("oracle", extractor))
    right = (
        "per_ball",
        "scene",
        "exact_set",
        "per_wall",
        "balanced",
        "recall_t",
        "specificity",
        "moved",
        "sb2",
        "mean",
    )
    prefixes = (*right, "depth", "wall_")
    values = {name: value for name, value in metrics.items() if name.split("/")[-1].startswith(prefixes)}
    assert len(values) > 100
    assert set(values.values()) == {1.0}
    for name in ("q1/sb1", "q2/sb1", "q3/median_error", "q3/transfer_angle", "q3/sb3_above_floor"):
        assert metrics[name] == 0.0
    assert metrics["q3/sb3"] == metrics["q3/sb3_floor"] == pytest.approx(0.018, abs=0.012)


def test_stasis_indices_of_the_baselines() -> None:
    static, alone, coin = (metrics_of(name) for name in ("static", "no_contact", "random"))
    assert static["q1/sb1"] == static["q2/sb1"] == static["q3/sb3"] == alone["q1/sb1"] == 1.0
    assert static["q1/sb2"] == static["q2/sb2"] == alone["q1/sb2"] == 0.0
    assert static["q1/balanced"] == static["q2/balanced"] == alone["q1/balanced"] == 0.5
    assert alone["q2/sb1"] < 0.02
    assert 1.1 < alone["q2/sb2"] < 1.3
    assert 4.5 < coin["q1/sb2"] < 6.5
    assert 1.1 < coin["q2/sb2"] < 1.4
    assert coin["q3/sb3"] < 0.01
    assert static["q3/median_error"] == pytest.approx(18.1, abs=1.0)
    assert alone["q3/median_error"] == pytest.approx(7.6, abs=1.2)


def test_more_noise_is_worse() -> None:
    none, fine, coarse = (metrics_of(name) for name in ("oracle", "noisy_1mm", "noisy_1cm"))
    for metric in ("q1/balanced", "q2/exact_set", "q3/moved", "q3/scene"):
        assert none[metric] > fine[metric] > coarse[metric]


@pytest.mark.parametrize("name", ["static", "no_contact", "noisy_1cm", "random"])
def test_answers_do_not_depend_on_batch_order_or_labels(name: str) -> None:
    specs, _ = drawn()
    fresh = NoisyOracle(sigma=1e-2) if name == "noisy_1cm" else BENCHMARK.baselines()[name]
    for spec in specs[:: SCENES // 4]:
        for question in reversed(BENCHMARK.ask(spec, AskOptions())):
            lone = fresh(spec, truth(), question, 0)
            assert lone == answerer(name)(spec, truth(q1=(True,) * 3), question, 0)


@pytest.mark.parametrize("name", ["noisy_1cm", "random"])
def test_another_seed_gives_another_answer(name: str) -> None:
    spec = drawn()[0][0]
    question = BENCHMARK.ask(spec, AskOptions())[2]
    assert answerer(name)(spec, truth(), question, 0) != answerer(name)(spec, truth(), question, 1)


def test_no_noise_is_the_oracle() -> None:
    specs, labels = drawn()
    exact = NoisyOracle(sigma=0.0)
    for spec, known in list(zip(specs, labels, strict=True))[:: SCENES // 4]:
        for question in BENCHMARK.ask(spec, AskOptions()):
            assert exact(spec, truth(), question, 0) == answerer("oracle")(spec, known, question, 0)


def test_a_thousand_scenes_take_seconds() -> None:
    specs, labels = drawn()
    fresh = NoContact()
    start = time.perf_counter()
    for spec, known in zip(specs[:1000], labels[:1000], strict=True):
        for question in BENCHMARK.ask(spec, AskOptions()):
            fresh(spec, known, question, 0)
    assert time.perf_counter() - start < 30


@pytest.mark.parametrize("name", ["no_contact", "noisy_oracle"])
def test_a_pocketed_cue_ball_is_null_and_reaches_no_wall(name: str) -> None:
    angle = -3 * math.pi / 4  # into the pocket in the lower left corner
    vel = (0.6 * math.cos(angle), 0.6 * math.sin(angle))
    start = ((0.3, 0.3), (1.0, 0.5), (1.5, 0.5))
    spec = scene(start=start, pockets=True, cue=Cue(v0=0.6, angle=angle, vel=vel))
    said = {}
    for task, question in questions(spec).items():
        said[task] = BENCHMARK.parse(question, Reply(baselines(sigma=0.0)[name](spec, truth(), question, 0))).value
    assert said["task1"] == {"Q1": [{"id": 1, "answer": "F"}, {"id": 2, "answer": "F"}]}
    assert said["task2"] == walls().value
    assert said["task3"] == places(None, [1.0, 0.5], [1.5, 0.5]).value


def test_sigma_is_checked() -> None:
    for sigma in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="sigma"):
            baselines(sigma)
    assert BENCHMARK.baselines(sigma=0.02)["noisy_oracle"] == NoisyOracle(sigma=0.02)


@pytest.mark.parametrize("name", ["static", "no_contact", "noisy_oracle", "random"])
def test_only_the_oracle_reads_the_labels(name: str) -> None:
    spec = drawn()[0][0]
    other = truth(q1=(True,) * 6, q2=(True,) * 4)
    for question in BENCHMARK.ask(spec, AskOptions()):
        replies = {BENCHMARK.baselines()[name](spec, labels, question, 0) for labels in (other, drawn()[1][0])}
        assert len(replies) == 1
