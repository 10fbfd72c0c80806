"""Labels from what was simulated: the predicates of section 3.5 one by one, and samples that have no label."""

import re
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.inphyre.lower import simulate
from jaxphys_benchmarks.inphyre.measure import QUERIES, Meetings, label
from jaxphys_benchmarks.inphyre.scenarios import MEANINGS, SCENARIOS, UNDETERMINED
from jaxphys_benchmarks.inphyre.spec import Asked, InPhyReSpec
from jaxphys_kernels.status import Status
from tests.benchmarks.inphyre.measured_samples import cubes, truth


def meeting(after: tuple[float, float], before: tuple[float, float] = (1.0, 0.0), **fields: Any) -> Meetings:
    """One meeting at which A's velocity changes from `before` to `after`; B gets what A loses."""
    lost = (before[0] - after[0], before[1] - after[1])
    values: dict[str, Any] = {
        "met": True, "time": 0.5, "normal": (1.0, 0.0), "point": (0.0, 0.0), "before": (before, (0.0, 0.0)),
        "after": (after, lost), "spin_before": (0.0, 0.0), "spin_after": (0.0, 0.0), "look_before": (0, 1),
        "look_after": (0, 1), "through": False, "depth": 0.0, "crossed": False, "axis": (0.0, 1.0), "change": 0.02,
        "rotation": 0.1, "same_look": False,
    }  # fmt: skip
    return Meetings(**{name: np.array([value]) for name, value in (values | fields).items()})


def meaning(query: str, meets: Meetings) -> list[str]:
    holds, measured = QUERIES[query](meets)
    assert set(holds) < set(MEANINGS[query])
    assert all(np.isfinite(values).all() for values in measured.values())
    return [name for name, held in holds.items() if held[0]]


@pytest.mark.parametrize(
    ("query", "meets", "expected"),
    [
        ("speed", meeting((1.0, 0.0)), ["no_change"]),
        ("speed", meeting((-1.019, 0.0)), ["no_change"]),
        ("speed", meeting((1.021, 0.0)), ["increases"]),
        ("speed", meeting((0.979, 0.0)), ["decreases"]),
        ("speed", meeting((0.0, 0.0)), ["decreases"]),
        ("speed", meeting((0.5, 0.0), before=(0.0, 0.0)), ["increases"]),
        ("rotation", meeting((0.0, 0.0), spin_after=(-0.1, 0.0)), ["rotates"]),
        ("rotation", meeting((0.0, 0.0), spin_after=(0.0999, 5.0)), ["still"]),
        ("vertical", meeting((-1.0, 0.41), before=(1.0, 0.4)), ["increases"]),
        ("vertical", meeting((-9.0, 0.401), before=(1.0, 0.4)), ["no_change"]),
        ("vertical", meeting((-1.0, -0.39), before=(1.0, 0.4)), ["decreases"]),
        ("vertical", meeting((-1.0, 0.5)), []),
        ("meeting", meeting((1.0, 0.0), crossed=True, through=True), ["passes_through"]),
        ("meeting", meeting((1.0, 0.0), through=True), []),
        ("meeting", meeting((0.019, 0.0)), ["stops"]),
        ("meeting", meeting((0.021, 0.0)), []),
        ("meeting", meeting((-0.3, 0.0)), ["bounces_back"]),
        ("meeting", meeting((0.0, 0.0), crossed=True), ["stops"]),
        ("direction", meeting((-0.3, 0.0)), ["bounces_back"]),
        ("direction", meeting((0.3, 0.0)), ["keeps_direction"]),
        ("direction", meeting((-0.01, 0.0)), ["stops"]),
        ("direction", meeting((0.0, 0.5)), []),
        ("appearance", meeting((0.0, 0.0), look_after=(1, 1)), ["looks_like_other"]),
        ("appearance", meeting((0.0, 0.0)), ["looks_as_before"]),
        ("appearance", meeting((0.0, 0.0), look_after=(2, 1)), []),
        ("appearance", meeting((0.0, 0.0), look_after=(1, 1), same_look=True), []),
    ],
)
def test_predicates(query: str, meets: Meetings, expected: list[str]) -> None:
    assert meaning(query, meets) == expected


def test_every_query_has_four_meanings_and_a_function() -> None:
    assert set(QUERIES) == set(MEANINGS) == {scenario.query for scenario in SCENARIOS.values()}
    for meanings in MEANINGS.values():
        assert len(set(meanings)) == 4
        assert meanings[-1] == UNDETERMINED


@pytest.mark.parametrize(
    ("law", "query", "params", "expected"),
    [
        ("regular", "speed", {}, "decreases"),
        ("regular", "direction", {}, "stops"),
        ("regular", "meeting", {}, "stops"),
        ("regular", "rotation", {}, "still"),
        ("regular", "appearance", {}, "looks_as_before"),
        ("keep_momentum", "speed", {"gain": 1.0}, "no_change"),
        ("keep_momentum", "speed", {"gain": 1.5}, "increases"),
        ("spin_up", "rotation", {"omega": -3.0}, "rotates"),
        ("pass_through", "meeting", {}, "passes_through"),
        ("take_look", "appearance", {}, "looks_like_other"),
    ],
)
def test_the_answer_follows_the_law_and_not_the_scenario(
    law: str, query: str, params: dict[str, float], expected: str
) -> None:
    """All of these say that they are of LMC."""
    asked = Asked(query=query, template=0, wording=0, order=(3, 2, 1, 0))
    (labels,) = truth([cubes(3.0, 0.8, law=law, params=params, asked=asked)])
    assert (labels.status, labels.meaning) == (0, expected)


def test_numbers_of_a_golden_case() -> None:
    """Section 9.2: cubes, r = .2, gap .2, mu = .2, v0 = 1: contact at .273082652 with .464758002."""
    spec = cubes(1.0, 0.2)
    things = tuple(
        thing.model_copy(update={"size": 0.2, "mu": 0.2, "pos": pos})
        for thing, pos in zip(spec.things, ((0.0, 0.0), (0.6, 0.0)), strict=True)
    )
    small = spec.model_copy(update={"things": things})
    regular, kept = truth([small, small.model_copy(update={"law": "keep_momentum"})])
    assert regular.contact is not None
    assert regular.contact.time == pytest.approx(0.273082652, abs=1e-9)
    assert regular.contact.v_before[0] == pytest.approx((0.464758002, 0.0), abs=1e-9)
    assert regular.contact.v_after[0] == (0.0, 0.0)
    assert [xy[0] for xy in regular.end] == pytest.approx([0.2, 0.655102041], abs=1e-9)
    assert [xy[0] for xy in kept.end] == pytest.approx([0.255102041, 0.655102041], abs=1e-9)
    assert kept.measured["speed_after"] == kept.measured["speed_before"] == regular.measured["speed_before"]
    assert (regular.events, kept.events) == (2, 3)


def test_what_meets_nothing_has_no_label() -> None:
    (labels,) = truth([cubes(0.5, 2.0)])
    assert labels.status == Status.UNSTABLE_LABEL
    assert (labels.meaning, labels.contact, labels.measured) == ("", None, {})


def test_meeting_a_bystander_first_is_no_label() -> None:
    spec = cubes(3.0, 1.5)
    bystander = spec.things[1].model_copy(update={"name": "red cube", "colour": "red", "pos": (1.2, 0.0)})
    (labels,) = truth([spec.model_copy(update={"things": (*spec.things, bystander)})])
    assert labels.status == Status.UNSTABLE_LABEL
    assert labels.contact is None


def test_running_into_each_other_is_an_overlap() -> None:
    """A metal cube that keeps its velocity slides into a rubber one, which stops earlier."""
    spec = cubes(3.0, 0.8, law="keep_momentum")
    rubber = spec.things[1].model_copy(update={"material": "rubber", "mu": 0.24})
    (labels,) = truth([spec.model_copy(update={"things": (spec.things[0], rubber)})])
    assert labels.status == Status.OVERLAP
    assert labels.contact is not None
    assert labels.meaning == ""


def test_passing_halfway_is_no_answer() -> None:
    """A comes to rest inside B, before the centres are past each other."""
    asked = Asked(query="meeting", template=0, wording=0, order=(0, 1, 2, 3))
    (labels,) = truth([cubes(1.6, 0.8, law="pass_through", asked=asked)])
    assert labels.contact is not None
    assert labels.status == Status.UNSTABLE_LABEL


def test_a_status_leaves_no_label() -> None:
    spec = cubes(3.0, 0.8)
    low, failed = truth([spec.model_copy(update={"max_events": 1})]), truth([spec.model_copy(update={"status": 4})])
    assert low[0].status == Status.EVENT_CAP
    assert failed[0].status == Status.NONFINITE
    assert low[0].meaning == failed[0].meaning == ""


def test_another_rollout_is_refused() -> None:
    spec = cubes(3.0, 0.8)
    _, trajectory = simulate([spec])
    with pytest.raises(ValueError, match="trajectory: 1 scenes for 2 specs"):
        label([spec, spec], trajectory)
    _, short = simulate([spec], np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match=r"trajectory: LMC/scene_00000 runs to 2.0 s; its film ends at 5.0 s"):
        label([spec], short)


def test_labels_do_not_depend_on_the_moments() -> None:
    specs: list[InPhyReSpec] = [cubes(3.0, 0.8), cubes(2.5, 0.5, law="keep_momentum")]
    frames = label(specs, simulate(specs, np.arange(1, 129) / 25.6)[1])
    assert frames == truth(specs)


def test_records_have_no_negative_zero() -> None:
    """Neither direction leaves a -0.0, which no file shall show."""
    there, back = cubes(3.0, 0.8), cubes(-3.0, -2.2)
    for labels in truth([there, back]):
        assert labels.status == 0
        assert re.search(r"-0\.0\b", labels.model_dump_json()) is None
