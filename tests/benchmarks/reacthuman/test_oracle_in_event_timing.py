"""Where time is frozen before the impact, the oracle is always right, always safe, and there in time."""

from collections.abc import Sequence

import pytest

from jaxphys_benchmarks.protocol import AskOptions, Reply
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.distances import to_body
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from tests.benchmarks.reacthuman.asked_scenes import CATCH, DODGE
from tests.benchmarks.reacthuman.made_scenes import labelled

IN_TIME = 0.1
"""Distance of the hands from the impact at its time (m)."""


def held(benchmark: ReactHuman, scenes: Sequence[tuple[ReactHumanSpec, Labels]]) -> dict[str, dict[str, float]]:
    """Metrics of the oracle and of the trivial answerers; every catch that plans can reach is checked one by one."""
    metrics = {}
    most = benchmark.config.max_hand
    for name in ("oracle", "always_dodge", "always_catch", "freeze"):
        scores = []
        for spec, labels in scenes:
            (question,) = benchmark.ask(spec, AskOptions(image=False))
            answer = benchmark.parse(question, Reply(benchmark.baselines()[name](spec, labels, question, 0)))
            found = benchmark.score(question, labels, answer)
            scores.append(found)
            if name == "oracle" and labels.correct_action == CATCH and labels.impact_point is not None:
                within = all(abs(value) <= most for value in to_body(labels.impact_point, spec.robot_root))
                assert not within or found.values["d_at_impact"] < IN_TIME, spec.id
        metrics[name] = benchmark.aggregate(scores)
    return metrics


def shares(scenes: Sequence[tuple[ReactHumanSpec, Labels]]) -> dict[str, float]:
    actions = [labels.correct_action for _, labels in scenes]
    return {action: actions.count(action) / len(actions) for action in (CATCH, DODGE, "NO_ACTION")}  # type: ignore[arg-type]


def checked(metrics: dict[str, dict[str, float]], truth: dict[str, float]) -> None:
    assert metrics["oracle"]["react/saa"] == metrics["oracle"]["react/safety"] == metrics["oracle"]["react/aia"] == 1
    assert metrics["oracle"]["react/clipped"] == 0
    assert metrics["always_dodge"]["react/saa"] == pytest.approx(truth[DODGE])
    assert metrics["always_dodge"]["react/safety"] == 1
    assert metrics["always_catch"]["react/saa"] == pytest.approx(truth[CATCH])
    assert metrics["freeze"]["react/saa"] == pytest.approx(truth["NO_ACTION"])


@pytest.mark.parametrize("family", ["object_drop", "rolling_ball", "thrown_object"])
def test_some_groups(family: str) -> None:
    scenes = labelled(family, 2, timing="event")
    assert all(labels.tti is None or labels.tti > 0.2 for _, labels in scenes)
    checked(held(ReactHuman(timing="event"), scenes), shares(scenes))


@pytest.mark.slow
def test_the_mix_of_the_published_set() -> None:
    """306 scenes: 141 to catch, 156 to dodge, 9 that need no action."""
    benchmark = ReactHuman(preset="published_306", timing="event")
    specs = benchmark.sample(0, benchmark.config.scenes_per_family)
    scenes = list(zip(specs, benchmark.label(specs, *benchmark.simulate(specs)), strict=True))
    assert len(scenes) == 306
    truth = shares(scenes)
    assert {action: round(share * 306) for action, share in truth.items()} == {CATCH: 141, DODGE: 156, "NO_ACTION": 9}
    metrics = held(benchmark, scenes)
    checked(metrics, truth)
    assert round(100 * metrics["always_dodge"]["react/saa"], 1) == 51.0
    assert metrics["oracle"]["react/d_at_impact_catch"] < IN_TIME
