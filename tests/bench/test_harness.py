"""The harness measures in turn, survives what breaks, and writes what it promises; no speeds are asserted."""

import json
import math
import pathlib

import numpy as np
import pytest
from rich.console import Console

from bench import engines, rows
from bench.accuracy import judge
from bench.engines import Solution
from bench.harness import Contender, interleave
from bench.rows import Row
from bench.targets import FULL, RATIOS, target_of
from tests.oracle import workload

KEYS = {"bench", "name", "value", "unit", "peer", "ratio", "commit", "machine"}


def _row(engine: str, peer: str | None, ratio: float | None, batch: int = FULL) -> Row:
    return Row("billiards.speed", f"{engine} cue {batch}", 1.0, "scenes/s", peer, ratio)


def test_contenders_take_turns_after_one_first_call_each() -> None:
    calls: list[str] = []
    contenders = [Contender(name, 1, lambda name=name: calls.append(name)) for name in "ab"]  # type: ignore[misc]
    timings = interleave(contenders, rounds=3, shortest=0)
    assert "".join(calls) == "abababab"
    assert all(t.first > 0 and t.best > 0 and t.rate == 1 / t.best for t in timings.values())


def test_a_fast_contender_is_repeated_to_fill_the_stretch() -> None:
    seconds = iter([9.0] + [0.01] * 100)
    contender = Contender("own clock", 5, lambda: next(seconds), lambda span: float(str(span)))
    timing = interleave([contender], rounds=3, shortest=0.2)["own clock"]
    assert timing.first == 9.0
    assert timing.best == pytest.approx(0.01)
    assert timing.rate == pytest.approx(500)
    assert len(list(seconds)) == 100 - 1 - 20 - 20


@pytest.mark.parametrize("breaks_at", [1, 3])
def test_what_breaks_is_a_failure_and_stops_nobody(breaks_at: int) -> None:
    calls = iter(range(1, 100))

    def fragile() -> None:
        if next(calls) == breaks_at:
            raise RuntimeError("no such engine")

    timings = interleave([Contender("fragile", 1, fragile), Contender("sound", 1, lambda: None)], shortest=0)
    assert timings["fragile"].error == "RuntimeError: no such engine"
    assert math.isnan(timings["fragile"].best)
    assert timings["sound"].error is None


def test_rows_are_whole_json_lines(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "new/latest.jsonl"
    made = [Row("speed", "a", 2.0, "scenes/s", "b", 0.5), Row("speed", "c", None, "s", error="it broke")]
    for _ in range(2):
        rows.write(made, path, "abc", rows.machine())
    good, bad = (json.loads(line) for line in path.read_text().splitlines())
    assert set(good) == KEYS
    assert set(bad) == KEYS | {"error"}
    assert (good["value"], good["peer"], good["ratio"], bad["value"]) == (2.0, "b", 0.5, None)
    assert good["machine"]["cores"] >= 1
    assert good["machine"]["versions"]["jax"]
    assert [p.name for p in path.parent.iterdir()] == ["latest.jsonl"]


def test_a_figure_that_is_not_a_number_is_never_written(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "latest.jsonl"
    with pytest.raises(ValueError, match="JSON compliant"):
        rows.write([Row("speed", "a", math.nan, "s")], path, "abc", {})
    assert not path.exists()


def test_tables_show_failures_and_cross_quantities() -> None:
    console = Console(width=200, record=True, file=None, quiet=False)
    with console.capture() as captured:
        rows.show(
            [
                _row("xla", "numba", 0.25),
                Row("billiards.speed", "numba cue 1", None, "scenes/s", error="[nothing] there"),
                Row("accuracy", "xla cue: median", 1e-15, "m"),
                Row("accuracy", "xla cue: largest", 0.25, "m"),
            ],
            console,
        )
    text = captured.get()
    assert "≥ 0.3" in text
    assert "failed: [nothing] there" in text
    assert "median (m)" in text
    assert "1e-15" in text


@pytest.mark.parametrize(
    ("value", "text"), [(123456.0, "123,000"), (1234.4, "1,230"), (12.345, "12.3"), (0.0, "0"), (2e-15, "2e-15")]
)
def test_figures_are_given_to_three_digits(value: float, text: str) -> None:
    assert rows.readable(value) == text


def test_targets_hold_for_ratios_at_the_full_batch_and_for_some_values() -> None:
    least = RATIOS["xla", "numba"]
    for ratio, met in [(least, True), (least - 0.01, False), (None, False)]:
        target = target_of(_row("xla", "numba", ratio))
        assert target is not None
        assert target.met_by(_row("xla", "numba", ratio)) is met
    assert target_of(_row("xla", "numba", 1.0, batch=64)) is None
    assert target_of(_row("numba", None, None)) is None
    memory = Row("billiards.memory", "xla 131072", 3000.0, "MiB")
    target = target_of(memory)
    assert target is not None
    assert not target.met_by(memory)


def test_the_judge_counts_a_scene_that_was_given_up_as_wrong() -> None:
    exact = Solution(np.zeros((4, 2, 2)), np.zeros((4, 2), bool), np.zeros((4, 4), bool))
    pos = np.zeros((4, 2, 2))
    pos[1, 0, 0], pos[2, 1, 1], pos[3] = 1e-3, 0.5, np.nan
    hits = np.zeros((4, 2), bool)
    hits[2, 1] = True
    found = {row.name: row.value for row in judge("x", Solution(pos, hits, exact.walls), exact)}
    assert found == {
        "x: median": 1e-3,
        "x: largest": 0.5,
        "x: to 4 decimals": 0.25,
        "x: within a radius": 0.5,
        "x: labels equal": 0.75,
    }


def test_engines_take_no_more_scenes_than_they_need() -> None:
    pos = np.zeros((9, 2, 2))
    assert engines.numpy_peer().contender(pos, pos).scenes == 9
    assert engines.limited(engines.numpy_peer(), 3).contender(pos, pos).scenes == 3


def test_the_numpy_peer_and_ours_answer_alike() -> None:
    pos, vel = workload.draw(8, "cue")
    want, got = engines.numpy_peer().solve(pos, vel), engines.ours("auto").solve(pos, vel)
    np.testing.assert_allclose(got.pos, want.pos, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(got.hits, want.hits)
    np.testing.assert_array_equal(got.walls, want.walls)
