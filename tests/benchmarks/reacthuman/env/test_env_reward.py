"""The reward: its signs, its scale, and the safety rules as a table."""

import itertools
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman.env.reward import SAFETY, TRUTHS, Seen, Terms, broken, reward
from jaxphys_benchmarks.reacthuman.recover import ACTS, CATCH, DODGE, NONE
from jaxphys_benchmarks.reacthuman.rules import violated

TERMS = Terms()


def seen(truth: str, **changes: Any) -> Seen:
    nothing = {
        "truth": TRUTHS.index(truth), "closed": 0.0, "meets": False, "gap": 0.0, "hand": False, "other": False,
        "holding": 0.0, "before": 1.0, "after": 1.0, "threat": True, "fell": False, "wrong": False, "effort": 0.0,
    }  # fmt: skip
    return Seen(**{name: np.asarray(value) for name, value in {**nothing, **changes}.items()})


def test_the_table_is_the_rules() -> None:
    for (a, act), (t, truth), (s, safety) in itertools.product(enumerate(ACTS), enumerate(TRUTHS), enumerate(SAFETY)):
        assert bool(broken(np, a, t, s)) == (violated(act, truth, safety) is not None), (act, truth, safety)


@pytest.mark.parametrize(
    ("truth", "changes", "expected"),
    [
        (CATCH, {}, 0.0),
        (CATCH, {"closed": 0.1}, 0.1 * TERMS.closing),
        (CATCH, {"closed": -0.1}, -0.1 * TERMS.closing),
        (CATCH, {"closed": 0.1, "threat": False}, 0.0),
        (CATCH, {"meets": True, "gap": 0.0}, TERMS.meeting),
        (CATCH, {"meets": True, "gap": TERMS.width}, TERMS.meeting / np.e),
        (CATCH, {"hand": True}, TERMS.touching),
        (CATCH, {"other": True}, -TERMS.hit),
        (CATCH, {"holding": 0.5}, 0.5 * TERMS.held),
        (CATCH, {"after": 1.1}, 0.0),
        (DODGE, {"closed": 0.3, "meets": True, "holding": 1.0}, 0.0),
        (DODGE, {"after": 1.1}, 0.1 * TERMS.clearing),
        (DODGE, {"before": 1.5, "after": 2.0}, 0.0),
        (DODGE, {"hand": True, "other": True}, -TERMS.hit),
        (NONE, {"closed": 0.3, "after": 1.1, "hand": True}, 0.0),
        (NONE, {"fell": True}, -TERMS.fall),
        (CATCH, {"wrong": True}, -TERMS.rule),
        (DODGE, {"effort": 2.0}, -2.0 * TERMS.effort),
    ],
)
def test_terms(truth: str, changes: dict[str, Any], expected: float) -> None:
    assert float(reward(np, seen(truth, **changes), TERMS)) == pytest.approx(expected)


def test_numpy_and_jax_agree_on_batches() -> None:
    rng = np.random.default_rng(0)
    rows = {
        name: rng.uniform(0, 2, 50).astype(np.float32)
        for name in ("closed", "gap", "holding", "before", "after", "effort")
    }
    rows |= {name: rng.random(50) < 0.5 for name in ("meets", "hand", "other", "threat", "fell", "wrong")}
    rows["truth"] = rng.integers(0, len(TRUTHS), 50)
    numpy = reward(np, Seen(**rows), TERMS)
    jaxed = reward(jnp, Seen(**{name: jnp.asarray(value) for name, value in rows.items()}), TERMS)
    assert np.asarray(jaxed) == pytest.approx(numpy, abs=1e-5)


def test_weights_are_not_negative() -> None:
    with pytest.raises(ValueError, match="closing"):
        Terms(closing=-1.0)
