"""What people are told: the truth and the verdict in words, drawn to scale, and metrics that exist."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.display import Disc, Polyline, Text
from jaxphys_benchmarks.explanation import Explained, Explanation
from jaxphys_benchmarks.reacthuman import catalogue, plan_chart
from jaxphys_benchmarks.reacthuman.aggregate import aggregate
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.decisions import told as told_of
from jaxphys_benchmarks.reacthuman.explain import BREAKDOWNS, explain, in_words, truth
from jaxphys_benchmarks.reacthuman.recover import NUMBERS
from tests.benchmarks.reacthuman import asked_scenes as made
from tests.benchmarks.reacthuman.asked_scenes import ACTS, CATCH, DODGE, GOLDEN, NONE, frame, plan

FALLING = made.track(lambda t: (0.1, 0.1 - 0.2 * t, 1.0 - t * t))


def told(**changes: Any) -> dict[str, str]:
    scene = made.spec(**changes.pop("scene", {}))
    return dict(truth(scene, made.truth(**changes), catalogue.current()).lines)


def test_it_offers_what_the_page_asks_for() -> None:
    assert isinstance(ReactHuman(), Explained)


@pytest.mark.parametrize(
    ("changes", "heading", "sentence"),
    [
        ({}, "what to do", "catch"),
        (
            {"action": DODGE, "correct_action_released": "BRACE_FOR_IMPACT"},
            "what to do",
            "dodge (brace in the released",
        ),
        ({}, "object", "coffee mug, 0.35 kg, safe, may be caught"),
        ({"scene": {"thing": "chef_knife"}, "safety_label": "dangerous"}, "object", "dangerous, not to be caught"),
        ({"scene": {"band": "very_fast"}}, "speed", "very fast"),
        ({"impact_speed": 3.0}, "impact", "crosses the reach plane at 3.00 m/s"),
        ({"impact_body": "object_2"}, "impact", "(object 2)"),
        ({}, "where", "0.45 m ahead, 0.00 m to the left, 0.90 m high"),
        ({"impact_point": (0.4, -0.35, 0.9)}, "where", "0.30 m to the right"),
        ({}, "when", "0.900 s after the release, 0.300 s after the freeze"),
        ({"t_imp": 0.5, "tti": -0.1}, "when", "0.100 s before the freeze, so within the observed window"),
        ({"impact_point": None, "tti": None, "t_imp": None}, "impact", "none within reach"),
        ({"clearance": 0.514}, "nearest to the robot", "0.51 m"),
        ({"contact_order": ("table", "trigger+object_2", "floor")}, "contacts", "table, trigger on object 2, floor"),
        ({"visible_px": {"egocentric": (90, 41), "overhead": (7, 0)}}, "pixels", "egocentric: 90, 41; overhead: 7, 0"),
        ({"tti": -0.1}, "note", "within the observed window"),
    ],
)
def test_the_truth_is_told(changes: dict[str, Any], heading: str, sentence: str) -> None:
    found = told(**changes)
    assert sentence in next(text for name, text in found.items() if name.startswith(heading))


@pytest.mark.parametrize(
    ("changes", "title"),
    [
        ({}, "catch: crosses the reach plane 0.30 s after the freeze"),
        ({"action": DODGE, "impact_kind": "floor", "tti": -0.07}, "dodge: meets the floor 0.07 s before the freeze"),
        ({"action": NONE, "impact_kind": "undefined", "tti": None}, "no action: nothing arrives"),
    ],
)
def test_the_outcome_is_told_in_a_few_words(changes: dict[str, Any], title: str) -> None:
    assert truth(made.spec(), made.truth(**changes), catalogue.current()).title == title


def test_a_scene_without_ground_truth_is_refused() -> None:
    with pytest.raises(ValueError, match=r"object_drop/scene_00005 has status 4 and no ground truth"):
        truth(made.spec(), made.truth(status=4), catalogue.current())


def judged(reply: Any, **changes: Any) -> Explanation:
    asked = made.question()
    return explain(made.spec(), asked, made.truth(**changes), made.said(asked, reply))


@pytest.mark.parametrize(
    ("reply", "changes", "title", "words"),
    [
        (GOLDEN, {"action": DODGE}, "dodge", "walks back at 0.70 m/s for 0.49 m"),
        (ACTS[CATCH], {"safety_label": "dangerous"}, "catch, breaks R2", "moves a hand 0.40 m"),
        (ACTS[NONE], {"action": DODGE}, "no action, breaks R4", "so the action is wrong"),
        ("no plan at all", {}, "no plan, breaks R1", "no_json"),
        ('{"walking_cmd": [1, 2]}', {}, "no plan, breaks R1", "invalid"),
    ],
)
def test_a_verdict_is_told_with_its_reason(reply: Any, changes: dict[str, Any], title: str, words: str) -> None:
    found = judged(reply, **changes)
    assert found.title == title
    assert words in " ".join(sentence for _, sentence in found.lines)
    assert (found.drawing is None) == title.startswith("no plan")


def test_an_intent_is_quoted() -> None:
    assert ("says", f"\u201c{GOLDEN['intent']}\u201d") in judged(GOLDEN).lines
    asked = made.question()
    for record in ({"action": "dodge", "intent": "step back"}, {"action": "dodge"}):
        lines = explain(made.spec(), asked, made.truth(), told_of(asked, record)).lines
        assert (("says", "\u201cstep back\u201d") in lines) is ("intent" in record)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "Stays; hands end at (0.10, 0.15, 0.00) and (0.10, -0.15, 0.00) m at 0 s (1 key frame)."),
        ({"walking_cmd": [-0.7, 0, 0], "walking_duration": 0.7}, "Walks 0.7 m/s back for 0.7 s;"),
        ({"walking_cmd": [0.5, -0.3, 0], "walking_duration": 1}, "Walks 0.5 m/s ahead, 0.3 m/s to the right for 1 s;"),
        ({"walking_cmd": [0, 0.2, 1], "walking_duration": 1}, "0.2 m/s to the left, turns left at 1 rad/s for 1 s;"),
        ({"walking_cmd": [1, 0, 0], "walking_duration": 0}, "Stays;"),
        ({"keyframes": [frame(), frame(0.4, knee_bend=0.5)]}, "at 0.4 s (2 key frames); knees bend to 0.5."),
    ],
)
def test_a_plan_is_put_into_words(changes: dict[str, Any], words: str) -> None:
    assert words in in_words(plan(**changes))


@pytest.mark.parametrize("seen", [0, 1])
def test_the_drawing_is_to_scale(seen: int) -> None:
    """Impact and hands are as far apart in either view as in the world, by one scale, and within the view."""
    scene, labels = made.spec(), made.truth(track=FALLING)
    canvas = plan_chart.chart(scene, labels, plan(keyframes=[frame(), frame(0.4, [0.5, 0.1, 0.1], [0.5, -0.2, 0])]))
    bars = [item for item in canvas.items if isinstance(item, Polyline) and item.colour == plan_chart.SOFT]
    metre = 2 * max(abs(bars[-1].points_px[1][0] - bars[-1].points_px[0][0]), 1e-9)
    ends = [
        item for item in canvas.items if isinstance(item, Disc) and item.fill in plan_chart.HANDS and item.radius_px < 5
    ]
    left, right = (np.array(one.centre_px) for one in ends[2 * seen : 2 * seen + 2])
    apart = (0.3, 0.0) if seen == 0 else (0.0, 0.1)
    assert (right - left) / metre == pytest.approx(apart, abs=1e-6)
    crosses = [
        np.mean(item.points_px, axis=0) for item in canvas.items if getattr(item, "colour", "") == plan_chart.IMPACT
    ]
    away = (crosses[2 * seen] - left) / metre
    # The left hand ends at (0.0, -0.3, 0.89), the impact is at (0.1, -0.35, 0.9).
    assert away == pytest.approx((0.1, 0.05) if seen == 0 else (-0.05, -0.01), abs=1e-6)
    low = np.array(plan_chart.CORNERS[seen])
    for point in (left, right, crosses[2 * seen]):
        assert (low <= point).all()
        assert (point <= low + plan_chart.VIEW).all()


@pytest.mark.parametrize("walk", [[0, 0, 0], [-0.7, 0, 0], [1, 0.6, 1.5]])
def test_what_is_far_away_is_left_out_and_a_walk_is_drawn(walk: list[float]) -> None:
    """However far an impact or a walk goes, everything drawn lies on the canvas."""
    labels = made.truth(impact_point=(0.1, 40.0, 0.0), track=FALLING)
    canvas = plan_chart.chart(made.spec(), labels, plan(walking_cmd=walk, walking_duration=3))
    points = [p for item in canvas.items if isinstance(item, Polyline) for p in item.points_px]
    assert all(-1 <= x <= canvas.width_px + 1 and -1 <= y <= canvas.height_px + 1 for x, y in points)
    assert not [item for item in canvas.items if getattr(item, "colour", "") == plan_chart.IMPACT]
    assert bool([item for item in canvas.items if type(item).__name__ == "Arrow" and item.width_px == 2]) == any(walk)
    assert "walk" in [item.text for item in canvas.items if isinstance(item, Text)]


def test_broken_down_metrics_are_those_of_the_aggregate() -> None:
    """A misspelt metric would silently be left out of the page."""
    scores = []
    for number, (action, band) in enumerate(
        (a, b) for a in (CATCH, DODGE, NONE) for b in ("slow", "normal", "fast", "very_fast")
    ):
        labels = made.truth(action, tti=(-0.1, 0.3, 0.5)[number % 3], reachable=True)
        for thing, adversarial in (("coffee_mug", False), ("chef_knife", False), ("steel_apple", True)):
            scene = made.spec(thing=thing, band=band, adversarial=adversarial)
            one = made.scored(action, labels, scene)
            values = {**one.values, "unseen": float(number % 2)}
            scores.append(dataclasses.replace(one, question=f"{one.question}/{thing}/{number}", values=values))
    known = set(aggregate(scores, draws=20))
    assert "react/saa_adversarial" in known
    families = {name for name in known if name.startswith("object_drop/")}
    for breakdown in BREAKDOWNS:
        for metric in breakdown.columns.values():
            group = metric.partition("/")[0]
            expected = (
                known
                if group in ("react", "object_drop")
                else {name.replace("object_drop", group, 1) for name in families}
            )
            unused = metric.endswith("_brace") or any(word in metric for word in ("crouch", "brace_reach"))
            assert metric in expected or unused, metric
    assert len(BREAKDOWNS[-1].columns) == 2 * len(NUMBERS)
