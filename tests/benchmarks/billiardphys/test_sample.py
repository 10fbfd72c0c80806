"""Drawing scenes: one stream per scene, the configured ranges, and a clear error when the table is full."""

import math

import numpy as np
import pytest

from jaxphys_benchmarks.billiardphys import sample
from jaxphys_benchmarks.billiardphys.calibrate import v50
from jaxphys_benchmarks.billiardphys.config import BilliardConfig
from jaxphys_benchmarks.billiardphys.sample import draw, stream
from tests.benchmarks.billiardphys.scenes import CONFIG, draw_window


def test_a_scene_does_not_depend_on_the_others() -> None:
    """Public case det-shard-independence: 496 scenes in one go, in shards, alone, in reverse."""
    together = draw_window(CONFIG, 5, 3.0, range(496))
    shards = [draw_window(CONFIG, 5, 3.0, range(start, 496, 8)) for start in range(8)]
    assert [shards[k % 8][k // 8] for k in range(496)] == together
    assert draw_window(CONFIG, 5, 3.0, reversed(range(496)))[::-1] == together
    assert draw(CONFIG, 5, 3.0, 321) == together[321]


def test_the_stream_is_the_documented_one() -> None:
    spec = draw(CONFIG, 11, 4.0, 9, attempt=2)
    turn, pace = np.random.default_rng([11, 4, 9, 2]).random(2)
    middle = 1.897 / 4 + 0.5 * 0.0196 * 4
    assert spec.cue.angle == 2 * math.pi * turn
    assert spec.cue.v0 == pytest.approx(middle * (0.7 + 0.6 * pace), rel=1e-12)


@pytest.mark.parametrize(
    "other", [(2, 3.0, 4, 0), (1, 2.0, 4, 0), (1, 3.0, 5, 0), (1, 3.0, 4, 1), (1, 3.5, 4, 0), (1, 3.25, 4, 0)]
)
def test_every_part_of_the_key_matters(other: tuple[int, float, int, int]) -> None:
    assert stream("scene", 1, 3.0, 4, 0).random() != stream("scene", *other).random()


def test_purposes_have_streams_of_their_own() -> None:
    assert len({stream(purpose, 1, 3.0, 4, 0).random() for purpose in sample.PURPOSES}) == len(sample.PURPOSES)


@pytest.mark.parametrize("window", [1.0, 2.5, 5.0])
def test_drawn_numbers_lie_in_their_ranges(window: float) -> None:
    specs = draw_window(CONFIG, 3, window, range(400))
    pos = np.array([spec.positions for spec in specs])
    v0 = np.array([spec.cue.v0 for spec in specs])
    angle = np.array([spec.cue.angle for spec in specs])
    assert (pos >= 0.03).all()
    assert (pos <= np.array([1.97, 0.97])).all()
    distance = np.linalg.norm(pos[:, :, None] - pos[:, None], axis=-1)[:, *np.triu_indices(7, 1)]
    assert distance.min() > 0.061
    low, high = 0.7 * v50(CONFIG, window), 1.3 * v50(CONFIG, window)
    assert low <= v0.min() < low + 0.02 * (high - low)
    assert high - 0.02 * (high - low) < v0.max() <= high
    # Uniform: the mean of 400 numbers lies within four standard errors of the middle.
    for values, (left, right) in ((v0, (low, high)), (angle, (0.0, 2 * np.pi)), (pos[:, 3, 0], (0.03, 1.97))):
        assert abs(values.mean() - (left + right) / 2) < 4 * (right - left) / math.sqrt(12 * len(values))


def test_policies_and_fixed_cue() -> None:
    config = BilliardConfig(
        v0_policy="common", direction="fixed", angle=0.5, cue_position="fixed", cue_start=(0.4, 0.3)
    )
    specs = draw_window(config, 0, 1.0, range(50))
    assert all(0.2 <= spec.cue.v0 <= 1.0 for spec in specs)
    assert {spec.cue.angle for spec in specs} == {0.5}
    assert {spec.positions[0] for spec in specs} == {(0.4, 0.3)}
    assert len({spec.positions[1] for spec in specs}) == 50


def test_no_ball_starts_in_a_pocket() -> None:
    specs = draw_window(BilliardConfig(pockets="six", R=0.02), 0, 1.0, range(300))
    assert len(specs[0].pockets) == 6
    for spec in specs:
        for hole in spec.pockets:
            assert min(math.dist(pos, hole.centre) for pos in spec.positions) > hole.radius


def test_a_full_table_is_an_error() -> None:
    crowded = BilliardConfig(n_balls=16, R=0.16, v0_policy="common")
    with pytest.raises(ValueError, match=r"n_balls: ball \d+ of 16 found no free place"):
        draw(crowded, 0, 1.0, 0)
    with pytest.raises(ValueError, match=r"n_balls: 16 balls of 0\.16 m do not fit"):
        draw(crowded.model_copy(update={"v0_policy": "v50"}), 0, 1.0, 0)


@pytest.mark.parametrize(("key", "named"), [((-1, 1.0, 0), "seed"), ((0, 1.0, -1), "index"), ((0, 0.0, 0), "window")])
def test_a_bad_key_is_an_error(key: tuple[int, float, int], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        draw(CONFIG, *key)


def test_the_tip_of_every_arrow_is_on_the_table() -> None:
    """The arrow's length is what shows the speed, so its scale is halved where the tip would leave the picture."""
    shorter = 0
    for index in range(300):
        spec = draw(BilliardConfig(), 7, 1.0, index)
        tip = np.add(spec.positions[0], np.multiply(spec.arrow_scale, spec.cue.vel))
        assert (tip >= 0).all()
        assert (tip <= (spec.table.W, spec.table.H)).all()
        halvings = math.log2(0.25 / spec.arrow_scale)
        assert halvings == round(halvings)
        shorter += halvings > 0
    assert 0 < shorter < 300
