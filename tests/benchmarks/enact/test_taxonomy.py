"""Error classes on pairs made by hand, hands, chains for analysis, and Welch's test against scipy."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from jaxphys_benchmarks.enact import hands, taxonomy
from jaxphys_benchmarks.enact.chains import chains
from jaxphys_benchmarks.enact.taxonomy import Component, compare, component, errors
from jaxphys_benchmarks.enact.welch import ablation, welch
from tests.benchmarks.enact import answered
from tests.benchmarks.enact.golden import SCORED, asked
from tests.enact_worlds import golden

OPEN, SHUT = "node_add_the fridge_Open", "node_remove_the fridge_Open"
LEFT, RIGHT = "edge_add_the robot r1_the cup_LeftGrasping", "edge_add_the robot r1_the cup_RightGrasping"
LEFT_BOWL, RIGHT_BOWL = LEFT.replace("cup", "bowl"), RIGHT.replace("cup", "bowl")
ON, UNDER = "edge_add_the cup_the table_OnTop", "edge_add_the cup_the table_Under"
HALF = "node_transition_from_the onion_to_the half onion"
BOTH = "node_transition_from_the half onion_the half pepper_to_the diced mix"


def test_signatures_taken_apart() -> None:
    assert component(SHUT) == Component("node", "remove", "Open", ("the fridge",))
    assert component(RIGHT) == Component("edge", "add", "RightGrasping", ("the robot r1", "the cup"))
    assert component(HALF) == Component("transition", "add", "Transition", ("the onion", "the half onion"))
    assert component(BOTH).entities == ("the half onion_the half pepper", "the diced mix")
    for bad in ("", "node_add", "node_turn_the cup_Open", "edge_add_the cup_Open"):
        with pytest.raises(ValueError, match="no signature"):
            component(bad)


@pytest.mark.parametrize(
    ("true", "given", "found"),
    [
        ([OPEN], [OPEN], []),
        ([OPEN], [SHUT], [("polarity_inversion", "Functional")]),
        ([LEFT], [RIGHT], [("predicate_substitution", "Agent")]),
        ([LEFT], [LEFT_BOWL], [("entity_substitution", "Agent")]),
        ([OPEN], [], [("omission", "Functional")]),
        ([], [ON], [("hallucination", "Spatial")]),
        ([OPEN], [ON], [("omission", "Functional"), ("hallucination", "Spatial")]),
        ([HALF], [HALF.replace("half onion", "half pepper")], [("entity_substitution", "Material")]),
        # A component is used once, and by the first class that takes it.
        ([LEFT], [RIGHT, LEFT_BOWL], [("predicate_substitution", "Agent"), ("hallucination", "Agent")]),
        ([SHUT, LEFT], [OPEN, LEFT_BOWL], [("polarity_inversion", "Functional"), ("entity_substitution", "Agent")]),
        ([ON], [UNDER, ON.replace("add", "remove")], [("polarity_inversion", "Spatial"), ("hallucination", "Spatial")]),
        (["edge_add_the pan_the soup_Contains"], [], [("omission", "Material")]),
        (["node_add_the lamp_Folded"], [], [("omission", "Other")]),
    ],
)
def test_classes_and_their_order(true: list[str], given: list[str], found: list[tuple[str, str]]) -> None:
    told = errors(compare(frozenset(true), frozenset(given)))
    assert [(one.name, one.group) for one in told] == found


def test_components_are_conserved() -> None:
    rng, steps, seen = np.random.default_rng(4), [], Counter[str]()
    for world, item in answered.items(150, seed=3):
        changes = answered.worlds()[world]
        if "99999" in item.frames:
            continue
        found = chains(item, (rng.permutation(len(item.truth)) + 1).tolist())
        assert found is not None
        for true, given in found.signatures(changes):
            step = compare(true, given)
            steps.append(step)
            assert len(step.matched) + len(step.missing) == len(true)
            assert len(step.matched) + len(step.hallucinated) == len(given)
            told = errors(step)
            assert Counter(one.missing for one in told if one.missing) == Counter(step.missing)
            assert Counter(one.hallucinated for one in told if one.hallucinated) == Counter(step.hallucinated)
            seen.update(one.name for one in told)
    assert set(seen) == {*taxonomy.CLASSES, taxonomy.OMISSION, taxonomy.HALLUCINATION}
    table = taxonomy.table(steps)
    assert table["errors"] == dict(seen)
    assert sum(table["share"].values()) == pytest.approx(1)  # type: ignore[attr-defined]


def test_group_of_contains_is_a_choice() -> None:
    step = compare(frozenset(["edge_add_the pan_the soup_Contains"]), frozenset())
    assert list(taxonomy.table([step], "Spatial")["groups"]) == ["Spatial"]  # type: ignore[call-overload]
    assert taxonomy.table([])["share"]["omission"] == 0.0  # type: ignore[index]


def test_chains_of_stored_cases() -> None:
    forward, inverse = SCORED["F03"], SCORED["I04"]
    found = chains(asked(forward), forward["parsed_answer"])
    assert found is not None
    assert found.true == (("0", "10"), ("10", "20"), ("20", "30"))
    assert found.given == (("0", "30"), ("30", "20"), ("20", "10"))
    found = chains(asked(inverse), inverse["parsed_answer"])
    assert found is not None
    assert found.given == (("0", "100"), ("100", "200"), ("300", "400"), ("200", "300"))
    signatures = found.signatures(golden("kitchen"))
    assert [true for true, _ in signatures] == [frozenset(one) for one in inverse["reference_visible_both"]]
    for order in ([1, 2], [1, 2, 3, 9], [0, 1, 2, 3], [1, 2, 3, 4, 1]):
        assert chains(asked(inverse), order) is None


def test_hands_by_hand() -> None:
    steps = [
        compare(frozenset([LEFT, RIGHT_BOWL]), frozenset([LEFT, RIGHT_BOWL])),  # both right
        compare(frozenset([LEFT]), frozenset([RIGHT])),  # left taken for right
        compare(frozenset([LEFT]), frozenset([RIGHT, LEFT_BOWL])),  # this hand is there too: no mixing
        compare(frozenset([RIGHT, RIGHT_BOWL]), frozenset([LEFT])),  # two lost to the left
        compare(frozenset([OPEN]), frozenset([SHUT])),
    ]
    left, right = (hands.hands(steps)[hand] for hand in ("left", "right"))
    assert (left.precision.part, left.precision.whole) == (1, 3)
    assert (left.recall.part, left.recall.whole) == (1, 3)
    assert (left.mixing.part, left.mixing.whole) == (1, 3)
    assert (right.precision.part, right.precision.whole) == (1, 3)
    assert (right.recall.part, right.recall.whole) == (1, 3)
    assert (right.mixing.part, right.mixing.whole) == (2, 3)
    assert right.mixing.error == pytest.approx(math.sqrt(2 / 3 * 1 / 3 / 3))
    assert hands.table([])["left"]["recall"] == {"value": 0.0, "standard_error": 0.0, "part": 0, "whole": 0}


@pytest.mark.parametrize("seed", range(5))
def test_welch_is_that_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.random(int(rng.integers(2, 60))), rng.random(int(rng.integers(2, 60))) * 1.5
    test, expected = welch(a.tolist(), b.tolist()), stats.ttest_ind(a, b, equal_var=False)
    assert (test.t, test.df, test.p) == pytest.approx((expected.statistic, expected.df, expected.pvalue), rel=1e-12)
    assert test.difference == pytest.approx(a.mean() - b.mean())


def test_welch_without_variance() -> None:
    assert welch([1.0, 1.0], [0.5, 0.5]).p == 0.0
    assert math.isnan(welch([1.0, 1.0], [1.0, 1.0]).p)
    assert math.isnan(welch([1.0], [0.0, 1.0]).p)
    with pytest.raises(ValueError, match="variant: 0 scores"):
        welch([], [1.0])
    with pytest.raises(ValueError, match="baseline: 2 scores"):
        welch([1.0], [1.0, math.nan])


def test_ablation_is_the_variant_minus_the_baseline() -> None:
    rng = np.random.default_rng(1)
    base = rng.normal(0.6, 0.2, 150)
    scores = {"baseline": base.tolist(), "fisheye": (base - 0.12).tolist(), "skin": (base + 0.01).tolist()}
    found = ablation(scores, "baseline")
    assert found["fisheye"]["difference"] == pytest.approx(-0.12)
    assert (found["fisheye"]["significant"], found["fisheye"]["small"]) == (True, False)
    assert (found["skin"]["significant"], found["skin"]["small"]) == (False, True)
    with pytest.raises(ValueError, match="baseline: 'none'"):
        ablation(scores, "none")
