"""Runs side by side: gains by exemplars, by their text and by retrieval, from made-up runs with known answers."""

from typing import Any

import pytest

from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.contrast import contrast
from jaxphys_benchmarks.protocol import Run, Score
from jaxphys_benchmarks.statistics import mcnemar, newcombe_paired


def run(right: str, scenario: str = "LMC", first: int = 0, **options: Any) -> Run:
    """A run whose answers are told by a string such as "1101"."""
    scores = [
        Score(f"{scenario}/scene_{first + k:05d}/choice", "choice", scenario, {"exact": float(c)}, "ok")
        for k, c in enumerate(right)
    ]
    return Run(InPhyReConfig(**options).model_dump(), scores)


def test_gains_and_language_share() -> None:
    found = contrast(
        {
            "zero": run("0001", shots=0, modality="video_only"),
            "text": run("1111", shots=3),
            "only": run("0011", shots=3, modality="video_only"),
        }
    )
    for name in ("", "LMC/"):
        assert found[f"{name}choice/induction_gain_video_text_k3"] == pytest.approx(0.75)
        assert found[f"{name}choice/induction_gain_video_only_k3"] == pytest.approx(0.25)
        assert found[f"{name}choice/language_share_k3"] == pytest.approx(0.5)
    low, high = found["LMC/choice/language_share_k3/low"], found["LMC/choice/language_share_k3/high"]
    assert (low, high) == newcombe_paired(2, 2, 0, 0)
    assert not [name for name in found if name.startswith("choice/") and name.endswith(("/low", "/high", "/p"))]


def test_the_effect_of_k_is_a_straight_line() -> None:
    runs = {f"k{k}": run("1" * k + "0" * (10 - k), shots=k) for k in (1, 2, 3)}
    assert contrast(runs)["LMC/choice/slope_video_text"] == pytest.approx(0.1)
    assert "choice/slope_video_only" not in contrast(runs)
    assert contrast({"k1": runs["k1"]}) == {}


def test_retrieval_is_paired_by_sample() -> None:
    runs = {
        "random": run("0000011111", shots=3, modality="video_only"),
        "nearest": run("1111111110", shots=3, modality="video_only", retriever="nner", feature="colour_grid"),
    }
    found = contrast(runs)
    assert found["LMC/choice/nner_gain_video_only_k3"] == pytest.approx(0.4)
    assert found["LMC/choice/nner_gain_video_only_k3/p"] == mcnemar(5, 1)
    assert found["LMC/choice/nner_gain_video_only_k3/low"] == newcombe_paired(4, 5, 1, 0)[0]


def test_only_common_questions_count_and_scenarios_are_averaged() -> None:
    runs = {
        "zero": run("0000", shots=0),
        "text": run("11", first=2, shots=3),
        "zero_cc": run("00", "CC", shots=0),
        "text_cc": run("01", "CC", shots=3),
    }
    found = contrast(runs)
    assert found["LMC/choice/induction_gain_video_text_k3"] == 1
    assert found["CC/choice/induction_gain_video_text_k3"] == 0.5
    assert found["choice/induction_gain_video_text_k3"] == 0.75
    assert contrast({"a": run("01", shots=0), "b": run("01", first=5, shots=3)}) == {}


def test_several_models_are_averaged_without_an_interval() -> None:
    found = contrast(
        {"a": run("00", shots=0), "b": run("01", shots=0), "c": run("11", shots=3), "d": run("01", shots=3)}
    )
    assert found["LMC/choice/induction_gain_video_text_k3"] == pytest.approx(0.5)
    assert "LMC/choice/induction_gain_video_text_k3/low" not in found


def test_runs_that_differ_otherwise_are_kept_apart() -> None:
    runs = {
        "zero": run("00", shots=0),
        "varied": run("11", shots=3, preset="varied"),
        "varied zero": run("01", shots=0, preset="varied"),
    }
    found = contrast(runs)
    assert found["LMC/choice/varied_first_frame_induction_gain_video_text_k3"] == 0.5
    assert not [name for name in found if "published" in name]


def test_sets_that_differ_in_the_same_preset_have_names_of_their_own() -> None:
    runs = {
        f"{p}_{shots}": run(right, shots=shots, p_red=p)
        for p, told in ((0.4, "1100"), (0.6, "1111"))
        for shots, right in ((0, "0000"), (3, told))
    }
    found = contrast(runs)
    name = "LMC/choice/published_first_frame_p_red-{}_induction_gain_video_text_k3"
    assert (found[name.format(0.4)], found[name.format(0.6)]) == (0.5, 1.0)
    assert all(":" not in key for key in found)


def test_nothing_to_compare() -> None:
    assert contrast({}) == {}
    assert contrast({"a": run("01", shots=3), "b": run("11", shots=3)}) == {}
