"""Sweeps over speed, direction and window, counterfactual groups, and the data set report."""

import json
import math

import numpy as np
import pytest

from jaxphys_benchmarks.billiardphys.counterfactual import BANDS, evaluate, speed_group, sweep, with_cue
from jaxphys_benchmarks.billiardphys.report_data import report, window_facts
from jaxphys_benchmarks.billiardphys.sweep_chart import Answers, sweep_canvas
from jaxphys_benchmarks.display import Polyline, Text
from tests.benchmarks.billiardphys.scenes import head_on, pool, table, truth

SPEEDS = np.linspace(0.1, 2.0, 39).tolist()


def test_labels_are_monotone_in_time() -> None:
    for spec in pool(3.0, 32)[0][:12]:
        grid = evaluate(spec, speeds=SPEEDS, windows=[1, 2, 3, 4, 5])
        assert not grid.status.any()
        for labels in (grid.q1, grid.q2):
            assert np.all(labels[:, :, :-1] <= labels[:, :, 1:])
        rate = grid.hit_rate
        assert np.all(np.diff(rate, axis=1) >= 0)


def test_the_drawn_speed_gives_the_drawn_labels() -> None:
    for spec, known in zip(*pool(3.0, 32), strict=True):
        grid = evaluate(spec, speeds=[0.5 * spec.cue.v0, spec.cue.v0, 1.5 * spec.cue.v0])
        assert tuple(grid.q1[0, 1, 0].tolist()) == known.q1
        assert tuple(grid.q2[0, 1, 0].tolist()) == known.q2
        assert [tuple(xy) for xy in (grid.pos[0, 1, 0] + 0.0).tolist()] == list(known.pos)


def test_one_rollout_gives_what_single_runs_give() -> None:
    spec = pool(3.0, 32)[0][4]
    grid = evaluate(spec, speeds=SPEEDS[::6], directions=[0.3, 2.0], windows=[1.0, 2.5])
    assert grid.q1.shape == (2, 7, 2, 6)
    for d, angle in enumerate((0.3, 2.0)):
        for w, t in enumerate((1.0, 2.5)):
            cases = [with_cue(spec, v0, variant="x", angle=angle).model_copy(update={"t": t}) for v0 in SPEEDS[::6]]
            known = truth(cases)
            assert grid.q1[d, :, w].tolist() == [list(one.q1) for one in known]
            assert grid.q2[d, :, w].tolist() == [list(one.q2) for one in known]
            assert grid.pos[d, :, w] == pytest.approx(np.array([one.pos for one in known]), abs=1e-9)


def test_flips_are_where_the_closed_form_says() -> None:
    """A hit at 0.64 m within 2 s needs v0 >= 0.64/2 + a = 0.3396 m/s."""
    spec = table([(0.5, 0.5), (1.2, 0.5)], 0.6, 2.0)
    threshold = 0.64 / 2 + 0.5 * 0.0196 * 2
    speeds = np.arange(0.30, 0.40, 0.001).tolist()
    result = sweep(spec, {"speed": speeds})
    ((found,),) = result.facts["flip_speeds"]["q1"]
    assert [threshold] == pytest.approx(found, abs=5e-4)
    assert result.facts["flips"]["q1"] == 1
    assert result.arrays["q1_flips"].shape == (1, len(speeds) - 1, 1)
    assert result.facts["axes"]["direction_deg"] == [0.0]
    json.dumps(result.facts, allow_nan=False)


def test_invalid_runs_are_left_out_of_the_rates() -> None:
    spec = table([(0.5, 0.5), (1.2, 0.5)], 0.6, 5.0)
    tight = spec.model_copy(update={"rules": spec.rules.model_copy(update={"max_events": 2})})
    grid = evaluate(tight, speeds=[0.05, 2.0])
    assert grid.status.tolist() == [[0, 1]]
    assert grid.hit_rate[0, 0] == 0.0
    assert math.isnan(grid.hit_rate[1, 0])
    assert not grid.flips("q1").any()
    facts = sweep(tight, {"speed": [0.05, 2.0]}).facts
    assert facts["invalid"] == 1
    assert facts["hit_rate"] == [[0.0], [None]]


@pytest.mark.parametrize(
    ("axes", "named"),
    [
        ({"spin": [1.0]}, "spin"),
        ({"speed": []}, "speed"),
        ({"speed": [0.5, 0.4]}, "speed"),
        ({"speed": [-1.0]}, "speed"),
        ({"speed": [0.5], "window": [0.0, 1.0]}, "window"),
        ({"speed": [math.nan]}, "speed"),
        ({"speed": [0.5], "direction_deg": [math.inf]}, "direction_deg"),
    ],
)
def test_bad_axes_are_errors(axes: dict[str, list[float]], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        sweep(head_on(), axes)


def test_a_speed_group_changes_the_speed_only() -> None:
    spec = pool(3.0, 32)[0][0]
    group = speed_group(spec)
    assert list(group) == list(BANDS)
    assert len({one.id for one in group.values()}) == len(group)
    for name, one in group.items():
        assert one.positions == spec.positions
        assert one.cue.angle == spec.cue.angle
        assert one.cue.v0 == BANDS[name] * spec.cue.v0
        assert one.id == f"{spec.id}_{name}"
    assert group["normal"].cue == spec.cue


@pytest.mark.parametrize("window", [1.0, 3.0])
def test_the_arrows_of_a_speed_group_end_on_the_table_and_share_their_scale(window: float) -> None:
    halved = 0
    for spec in pool(window, 16)[0]:
        group = list(speed_group(spec).values())
        (scale,) = {one.arrow_scale for one in group}
        halved += scale < spec.arrow_scale
        for one in group:
            x, y = (foot + scale * v for foot, v in zip(one.positions[0], one.cue.vel, strict=True))
            assert 0 <= x <= one.table.W
            assert 0 <= y <= one.table.H
    assert halved


def test_report_counts_what_is_there() -> None:
    specs, labels = pool(3.0, 32)
    reports = report([*pool(1.0, 16)[0], *specs], [*pool(1.0, 16)[1], *labels])
    assert list(reports) == ["t1s", "t3s"]
    facts = reports["t3s"].facts
    json.dumps(facts, allow_nan=False)
    assert sum(facts["v0"]["counts"]) == facts["scenes"] == facts["labelled"] == 32
    assert facts["collision"] == {"with": (hit := sum(any(k.q1) for k in labels)), "without": 32 - hit}
    assert sum(facts["wall_sets"].values()) == sum(facts["events_per_scene"].values()) == 32
    assert sum(facts["chain_depth"].values()) == 32 * 7
    assert facts["chain_depth"]["0"] == 32
    assert facts["events"]["ball"] == sum(e.kind == "ball" for k in labels for e in k.events)
    assert facts["margin"]["screened"] == sum(facts["margin"]["eps_ok"].values()) == 32
    assert facts["status_bits"] == {}
    assert reports["t3s"].picture.items


def test_report_counts_what_failed() -> None:
    spec = head_on().model_copy(update={"rejected": (8, 9), "attempt": 2})
    failed = spec.model_copy(update={"status": 16})
    facts = window_facts([(spec, truth([spec])[0]), (failed, None)])
    assert (facts["scenes"], facts["labelled"], facts["rejected_draws"]) == (2, 1, 4)
    assert facts["status_bits"] == {"EVENT_CAP": 2, "UNSTABLE_LABEL": 4, "SOLVER": 1}
    with pytest.raises(ValueError, match="empty"):
        window_facts([])


def test_the_map_shows_every_question_and_names_nothing_else() -> None:
    spec = pool(3.0, 32)[0][4]
    swept = sweep(spec, {"speed": SPEEDS})
    said = [item.text for item in swept.picture.items if isinstance(item, Text)]
    assert [text.partition(": ")[2] for text in said if spec.id in text] == [
        "balls hit by the cue ball within 3 s",
        "walls hit by the cue ball within 3 s",
    ]
    titles = [k for k, text in enumerate(said) if spec.id in text]
    for task, part, marks in (("q1", said[titles[0] : titles[1]], "ball "), ("q2", said[titles[1] :], "T")):
        sets = {tuple(cell) for cell in swept.arrays[task][0, :, 0].tolist()}
        legend = part[part.index("cue speed (m/s)") + 1 :]
        assert len(legend) == len(sets)
        assert ("none" in legend) == any(not any(one) for one in sets)
        assert any(marks in name for name in legend) or not any(map(any, sets))
    drawn = sum(isinstance(item, Polyline) for item in swept.picture.items)
    assert drawn == swept.facts["flips"]["q1"] + swept.facts["flips"]["q2"] > 0


def test_speeds_without_labels_are_named_in_the_map() -> None:
    codes = np.array([[-1, 0, 1]])
    canvas = sweep_canvas([1.0, 2.0, 3.0], [""], [Answers("balls", codes, ("none", "ball 1", "ball 2"))])
    assert [item.text for item in canvas.items if isinstance(item, Text)][-3:] == ["none", "ball 1", "no label"]
