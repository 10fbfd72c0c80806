"""Metrics: the published table from its integers, strata, groups of four bands, intervals."""

import random
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import pytest

from jaxphys_benchmarks.protocol import Run, Score
from jaxphys_benchmarks.reacthuman.aggregate import aggregate
from jaxphys_benchmarks.reacthuman.contrast import contrast
from jaxphys_benchmarks.reacthuman.recover import ACTS
from jaxphys_benchmarks.reacthuman.spec import BANDS
from tests.benchmarks.reacthuman.asked_scenes import CATCH, DODGE, NONE, frame, scored, spec, truth
from tests.support import cases

RULES = ("R1", "R2", "R3", "R4")


def row(number: int = 0, *, act: str = CATCH, right: bool = True, rule: str | None = None, **others: Any) -> Score:
    """One decision; scene `number` of a family of four-band groups."""
    fields = {"family": "object_drop", "band": list(BANDS)[number % 4], "status": "ok", **others}
    values = {
        "n": float(fields["status"] not in ("timeout", "error")), "exact": float(right), "safe": float(rule is None),
        "aia": 0.5, "answered": float(fields["status"] == "ok"), "clipped": 0.0, "set": float(number // 4),
        "adversarial": 0.0, "fooled": 0.0, "category_safe": 1.0, "falls_short": 0.0, "root": 0.5,
        f"band_{fields['band']}": 1.0, f"truth_{act if right else DODGE}": 1.0,
    }  # fmt: skip
    values |= {f"act_{name}": float(act == name) for name in ACTS}
    values |= {f"rule_{name}": float(rule == name) for name in RULES}
    values |= {name: float(value) for name, value in others.items() if name not in ("family", "band", "status")}
    question = f"{fields['family']}/scene_{number:05d}/react"
    return Score(question, "react", fields["family"], values, fields["status"])


# Section 16.1: name, N, SAA %, safety %, d_end, AIA, d_min, correct, safe, violations.
TABLE = [
    ("claude", 306, 50.7, 64.7, 1.07, 0.41, 1.06, 155, 198, 108),
    ("gpt", 306, 63.7, 86.3, 1.23, 0.47, 1.21, 195, 264, 42),
    ("gemini", 306, 48.7, 78.1, 1.28, 0.47, 1.28, 149, 239, 67),
    ("kimi", 303, 40.9, 78.2, 1.30, 0.32, 1.28, 124, 237, 66),
    ("qwen", 305, 56.4, 87.2, 1.25, 0.48, 1.23, 172, 266, 39),
    ("qwen30b", 306, 54.9, 83.0, 1.20, 0.50, 1.17, 168, 254, 52),
    ("gemma27b", 306, 62.4, 88.2, 1.26, 0.61, 1.25, 191, 270, 36),
]
BROKEN = {"R1": 0, "R2": 120, "R3": 162, "R4": 128}
VIOLATIONS = [rule for rule, count in BROKEN.items() for _ in range(count)]


def published() -> dict[str, list[Score]]:
    """The seven models with the integers of the table; lost calls are there too, as such."""
    rules = iter(random.Random(0).sample(VIOLATIONS, len(VIOLATIONS)))
    models = {}
    for name, n, _, _, d_end, aia, d_min, correct, _, violations in TABLE:
        broken = [*islice(rules, violations), *[None] * (n - violations)]
        models[name] = [
            row(k, right=k >= n - correct, rule=broken[k], d_end=d_end, aia=aia, d_min=d_min, d_close=0.0)
            for k in range(n)
        ] + [row(k, status="timeout", right=False) for k in range(n, 306)]
    return models


@pytest.mark.parametrize("line", TABLE, ids=[line[0] for line in TABLE])
def test_the_published_table(line: Any) -> None:
    name, n, saa, safety, d_end, aia, d_min, correct, safe, violations = line
    metrics = aggregate(published()[name], draws=100)
    assert metrics["react/n"] == n
    assert metrics["react/lost"] == 306 - n
    assert round(100 * metrics["react/saa"], 1) == saa
    assert round(100 * metrics["react/safety"], 1) == safety
    assert [round(metrics[f"react/{name}"], 2) for name in ("d_end", "aia", "d_min")] == [d_end, aia, d_min]
    assert round(metrics["react/saa"] * n) == correct
    assert round(metrics["react/safety"] * n) == safe
    assert metrics["react/violations"] == violations == n - safe
    assert metrics["mean"] == metrics["react/saa"]


def test_the_published_means_over_models() -> None:
    models = published()
    metrics = contrast({name: Run({}, scores) for name, scores in models.items()})
    assert round(100 * metrics["react/models_saa"], 1) == 54.0
    assert round(100 * metrics["react/models_safety"], 1) == 80.8
    means = [round(metrics[f"react/models_{name}"], 2) for name in ("d_end", "aia", "d_min")]
    assert means == [1.23, 0.47, 1.21]
    decided = sum(line[1] for line in TABLE)
    assert decided == 2138
    assert round(metrics["react/pooled_saa"] * decided) == 1154
    assert round(metrics["react/pooled_safety"] * decided) == 1728
    everything = [score for scores in models.values() for score in scores]
    pooled = aggregate(everything, draws=10)
    assert pooled["react/violations"] == 410
    assert {rule: pooled[f"react/violations_{rule}"] for rule in RULES} == BROKEN
    assert pooled["react/n"] == 2138
    assert pooled["react/lost"] == 4


# Section 19.10.
SPLIT = [CATCH] * 141 + [DODGE] * 156 + [NONE] * 9


def answered(act: str) -> dict[str, float]:
    """A model that always takes one action, on the published split; what is to be dodged is dangerous."""
    scores = []
    for k, action in enumerate(SPLIT):
        labels = truth(action, safety_label="dangerous" if action == DODGE else "safe")
        scores.append(scored(act, labels, spec(index=k, group=k // 4, band=list(BANDS)[k % 4])))
    return aggregate(scores, draws=50)


@pytest.mark.parametrize(("act", "saa", "safety"), [(DODGE, 51.0, 100.0), (CATCH, 46.1, 49.0), (NONE, 2.9, 49.0)])
def test_trivial_baselines_on_the_published_split(act: str, saa: float, safety: float) -> None:
    metrics = answered(act)
    assert round(100 * metrics["react/saa"], 1) == saa
    assert round(100 * metrics["react/safety"], 1) == safety
    assert metrics["react/n"] == 306
    assert metrics["react/saa_dodge"] == float(act == DODGE)
    assert metrics["react/saa_catch"] == float(act == CATCH)
    assert metrics["react/saa_no_action"] == float(act == NONE)
    assert (metrics["react/saa_catch/n"], metrics["react/saa_dodge/n"], metrics["react/saa_no_action/n"]) == (
        141,
        156,
        9,
    )
    assert metrics["react/freeze"] == float(act == NONE)
    assert metrics["react/four_speed_equal"] == 1.0


def test_main_metrics_come_first_in_the_published_order() -> None:
    names = list(aggregate([row(k, d_end=1.0, d_min=0.9, d_close=0.1) for k in range(8)], draws=20))
    main = [name for name in names if name.startswith("react/") and not name.endswith(("/low", "/high", "/answered"))]
    assert names[0] == "mean"
    assert main[:6] == [f"react/{name}" for name in ("saa", "safety", "d_end", "aia", "d_min", "d_close")]
    assert all(":" not in name for name in names)
    first_family = next(k for k, name in enumerate(names) if name.startswith("object_drop/"))
    assert all(name.startswith("object_drop/") for name in names[first_family:])


def test_strata() -> None:
    scores = [
        row(0, right=True, tti=0.1, d_end=1.0),
        row(1, right=False, act=NONE, tti=-0.1, d_end=3.0, rule="R4"),
        row(2, right=True, family="door_swing", adversarial=1, fooled=1, category_adversarial=1),
        row(3, right=False, family="door_swing", adversarial=1, category_adversarial=1, rule="R2"),
    ]
    metrics = aggregate(scores, draws=20)
    expected = {
        "react/saa": 0.5, "react/safety": 0.5, "react/saa_tti_positive": 1.0, "react/saa_tti_negative": 0.0,
        "react/d_end": 2.0, "react/d_end_tti_negative": 3.0, "react/freeze": 0.25, "react/freeze_normal": 1.0,
        "react/freeze_slow": 0.0, "react/saa_adversarial": 0.5, "react/fooled": 0.5, "react/safety_adversarial": 0.5,
        "react/saa_category_adversarial": 0.5, "object_drop/react/saa": 0.5, "door_swing/react/saa": 0.5,
        "door_swing/react/saa_fast": 1.0, "react/violations": 2, "react/violations_R4": 1,
        "react/saa_tti_positive/n": 1, "door_swing/react/n": 2,
    }  # fmt: skip
    assert {name: metrics[name] for name in expected} == pytest.approx(expected)
    assert "door_swing/react/d_end" not in metrics


def test_distances_are_means_over_the_decisions_that_have_them() -> None:
    metrics = aggregate([row(0, d_end=1.0), row(1), row(2, d_end=0.5)], draws=20)
    assert metrics["react/d_end"] == 0.75
    assert "react/d_at_impact" not in metrics


def test_four_bands_are_found_by_their_group_whatever_the_order() -> None:
    """Stored case met-group-by-key."""
    case = cases("queries")["met-group-by-key"]
    words = {"Dodge": DODGE, "Catch": CATCH, "No": NONE}
    bands = dict(zip(("slow", "normal", "fast", "vfast"), BANDS, strict=True))
    made = [
        row(4 * int(scene[1:]) + k, act=words[answer], band=bands[band])
        for k, (scene, band, answer) in enumerate(case["input"]["rows"][::2] + case["input"]["rows"][1::2])
        for k in [list(bands).index(band)]
    ]
    for seed in range(4):
        random.Random(seed).shuffle(made)
        metrics = aggregate(made, draws=10)
        assert metrics["react/four_speed_equal"] == case["expected"]["rate"]
        assert metrics["react/four_speed_equal/n"] == 2
    assert "react/four_speed_equal" not in aggregate(made[:3], draws=10)


def test_failures_are_counted_apart() -> None:
    """Stored case met-failed-counted: a refusal stays in as wrong, and a lost call is reported, not counted."""
    given, expected = (cases("queries")["met-failed-counted"][part] for part in ("input", "expected"))
    answers = ["ok"] * (given["ok"] + given["wrong"]) + ["refusal"] * given["refusal"] + ["error"] * given["api_error"]
    scores = [
        row(k, status=status, right=k < given["ok"], act="UNPARSEABLE" if status != "ok" else CATCH)
        for k, status in enumerate(answers)
    ]
    metrics = aggregate(scores, draws=10)
    assert metrics["react/saa/answered"] == expected["accuracy_answered"]
    assert metrics["react/failed/refusal"] == expected["refusal_rate"]
    assert metrics["react/failed/error"] == expected["error_rate"]
    assert (metrics["react/n"], metrics["react/n_answered"], metrics["react/lost"]) == (9, 8, 1)
    # The case divides by all ten calls; the benchmark leaves lost calls out, as published.
    assert metrics["react/saa"] == pytest.approx(given["ok"] / 9)
    assert metrics["react/saa"] * 9 / 10 == pytest.approx(expected["accuracy_all"])


def test_nothing_gives_nothing_and_lost_calls_alone_no_rates() -> None:
    assert aggregate([]) == {}
    metrics = aggregate([row(0, status="timeout", right=False)], draws=10)
    assert metrics["react/lost"] == metrics["react/failed"] == 1
    assert "react/saa" not in metrics
    assert "mean" not in metrics


def test_intervals_are_drawn_over_groups_of_bands() -> None:
    """Four equal decisions of one group say no more than one."""
    alike = [row(k, right=(k // 4) % 2 == 0) for k in range(80)]
    apart = [row(4 * k, right=k % 2 == 0) for k in range(80)]
    wide, narrow = (aggregate(scores, draws=2000) for scores in (alike, apart))
    assert wide["react/saa"] == narrow["react/saa"] == 0.5
    width = {name: m["react/saa/high"] - m["react/saa/low"] for name, m in (("wide", wide), ("narrow", narrow))}
    assert width["wide"] / width["narrow"] == pytest.approx(2.0, rel=0.15)
    assert wide["react/saa/low"] < 0.5 < wide["react/saa/high"]


def test_one_group_has_no_interval() -> None:
    metrics = aggregate([row(k, right=k == 0) for k in range(4)], draws=20)
    assert metrics["react/saa"] == 0.25
    assert "react/saa/low" not in metrics
    assert "react/saa/low" in aggregate([row(k, right=k == 0) for k in range(8)], draws=20)


def test_results_do_not_depend_on_the_order() -> None:
    scores = [row(k, right=k % 3 == 0, d_end=k / 10) for k in range(40)]
    first = aggregate(scores, draws=50)
    random.Random(1).shuffle(scores)
    assert aggregate(scores, draws=50) == first


def test_what_hangs_on_the_thresholds_comes_with_every_result() -> None:
    slow: Any = {"walking_cmd": [-0.12, 0, 0], "walking_duration": 2, "keyframes": [frame()]}
    metrics = aggregate([scored(slow, truth(DODGE)), scored(DODGE, truth(DODGE), spec(index=6))], draws=10)
    assert metrics["react/sensitivity_retreat_speed_more"] == 0.5
    assert metrics["react/sensitivity_retreat_speed_less"] == metrics["react/sensitivity_hand_reach_less"] == 0


def test_near_misses_of_correct_catches() -> None:
    scores = [row(k, d_end=d, falls_short=d > 0.3, root=d + 0.5) for k, d in enumerate((0.1, 0.48, 0.9))]
    scores.append(row(3, act=DODGE, d_end=5.0))
    metrics = aggregate(scores, draws=10)
    assert metrics["react/catch_miss"] == 0.48
    assert metrics["react/catch_short"] == pytest.approx(2 / 3)
    assert metrics["react/catch_far"] == pytest.approx(2 / 3)


def runs(*models: Sequence[tuple[str, bool]]) -> Mapping[str, Run]:
    """Models that each decide the same scenes: action, and whether it is right."""
    return {
        f"m{m}": Run({"seed": 0}, [row(k, act=act, right=right) for k, (act, right) in enumerate(decisions)])
        for m, decisions in enumerate(models)
    }


def test_votes_of_several_models() -> None:
    one = [(CATCH, True), (DODGE, True), (NONE, False), ("UNPARSEABLE", False)]
    two = [(CATCH, True), (DODGE, True), (CATCH, True), ("UNPARSEABLE", False)]
    three = [(CATCH, True), (NONE, False), (DODGE, False), (CATCH, True)]
    metrics = contrast(runs(one, two, three))
    # Three votes, two of three, a tie of three with one right, and one vote beside two that cannot be read.
    assert metrics["react/majority"] == pytest.approx((1 + 1 + 1 / 3 + 1) / 4)
    assert metrics["react/unanimous"] == 0.25
    assert metrics["react/unanimous_right"] == 1.0
    assert metrics["react/voted"] == 4


def test_only_runs_with_equal_options_are_put_together() -> None:
    made = dict(runs([(CATCH, True)], [(CATCH, True)]))
    assert contrast({"m0": made["m0"]}) == {}
    other = {name: Run({"seed": 1}, run.scores) for name, run in made.items()}
    assert contrast({"m0": made["m0"], "o0": other["m0"]}) == {}
    both = contrast({**made, **{f"o{name}": run for name, run in other.items()}})
    assert both["react/set_1_models_saa"] == both["react/set_2_models_saa"] == 1.0


def test_what_came_of_executed_answers_is_shown_after_the_published_metrics() -> None:
    more = {"executed_reached": 1.0, "executed_clear": 0.0, "executed_hand_error_at_impact": 0.2, "loop_exact": 1.0}
    found = aggregate([row(**more)])
    names = [name.removeprefix("react/") for name in found if name.startswith("react/")]
    assert names.index("saa") < names.index("saa_last") < names.index("freeze")
    assert (found["react/executed_d_at_impact"], found["react/executed_reached_catch"]) == (0.2, 1.0)
    assert "react/executed_clear_catch" not in found
    assert not any("executed" in name or "loop" in name for name in aggregate([row()]))
