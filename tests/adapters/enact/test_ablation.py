"""`jaxphys enact ablation`: variants against a baseline from files of detailed results."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from jaxphys_adapters.enact import ablation
from jaxphys_adapters.enact.ablation import EnactAblation
from tests.adapters.enact.published_tree import write_lines

TYPES = ("forward_world_modeling_ordering_3_steps", "inverse_world_modeling_ordering_3_steps")


def rows(values: np.ndarray, kind: str) -> list[dict[str, Any]]:
    return [
        {"id": str(k), "type": kind, "eval_metrics": {"pairwise_accuracy": v}} for k, v in enumerate(values.tolist())
    ]


def test_variants_against_a_baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(2)
    samples = {
        name: [np.clip(rng.normal(mean, 0.2, 50), 0, 1) for _ in TYPES]
        for name, mean in (("base", 0.7), ("fisheye", 0.4), ("skin", 0.69))
    }
    files = [
        write_lines(
            tmp_path / f"{name}.jsonl",
            [row for values, kind in zip(both, TYPES, strict=True) for row in rows(values, kind)],
        )
        for name, both in samples.items()
    ]
    assert ablation.run(EnactAblation(files[0], (files[1], files[2]), tmp_path / "out.json")) == 0
    content = json.loads((tmp_path / "out.json").read_text())
    assert content["baseline"] == "base"
    assert content["tests"].keys() == {"forward_world_modeling", "inverse_world_modeling"}
    for k, tests in enumerate(content["tests"].values()):
        assert tests.keys() == {"fisheye", "skin"}
        for name, test in tests.items():
            expected = stats.ttest_ind(samples[name][k], samples["base"][k], equal_var=False)
            assert test["p"] == pytest.approx(expected.pvalue)
            assert test["difference"] == pytest.approx(samples[name][k].mean() - samples["base"][k].mean())
        assert tests["fisheye"]["significant"]
    assert "significant" in capsys.readouterr().out


def test_broken_lines_are_counted_and_nothing_to_compare_is_said(tmp_path: Path) -> None:
    good = rows(np.ones(3), TYPES[0])
    base = write_lines(
        tmp_path / "base.jsonl", ["{", *good, {"type": TYPES[0], "eval_metrics": {"pairwise_accuracy": "x"}}]
    )
    same = write_lines(tmp_path / "same.jsonl", good)
    assert ablation.run(EnactAblation(base, (same,), tmp_path / "out.json")) == 1
    test = json.loads((tmp_path / "out.json").read_text())["tests"]["forward_world_modeling"]["same"]
    assert (test["difference"], test["p"], test["small"]) == (0.0, None, True)
    other = write_lines(tmp_path / "other.jsonl", rows(np.ones(3), TYPES[1]))
    with pytest.raises(ValueError, match="no direction"):
        ablation.run(EnactAblation(same, (other,)))
    with pytest.raises(ValueError, match="holds no scores"):
        ablation.run(EnactAblation(same, (write_lines(tmp_path / "none.jsonl", ["{}"]),)))
    with pytest.raises(ValueError, match="each of them once"):
        ablation.run(EnactAblation(same, (same,)))
