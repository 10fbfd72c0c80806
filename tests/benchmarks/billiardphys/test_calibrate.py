"""Speed calibration against section 3 of the specification, and against closed forms."""

import math

import numpy as np
import pytest

from jaxphys_benchmarks.billiardphys.calibrate import (
    SCENES,
    first_hit_paths,
    hit_probability,
    measure,
    median_path,
    random_layouts,
    v50,
)
from jaxphys_benchmarks.billiardphys.config import BilliardConfig

TABLE = {
    0.02: (2.870, (0.113, 0.213, 0.382, 0.516), (2.88, 1.455, 0.986, 0.757, 0.623)),
    0.025: (2.307, (0.142, 0.264, 0.453, 0.594), (2.317, 1.173, 0.799, 0.616, 0.510)),
    0.03: (1.897, (0.163, 0.306, 0.518, 0.667), (1.907, 0.968, 0.662, 0.513, 0.428)),
    0.04: (1.401, (0.219, 0.392, 0.627, 0.771), (1.411, 0.720, 0.496, 0.389, 0.329)),
    0.05: (1.088, (0.277, 0.472, 0.719, 0.844), (1.097, 0.563, 0.392, 0.311, 0.267)),
}


@pytest.mark.parametrize("radius", TABLE)
def test_the_table_of_the_specification(radius: float) -> None:
    s50, shares, speeds = TABLE[radius]
    # Two samples of 20 000: a median has a standard error of about 1 %, a share one of at most .0035.
    assert measure(radius, 7) == pytest.approx(s50, rel=0.04)
    rng = np.random.default_rng(1)
    paths = first_hit_paths(
        random_layouts(rng, SCENES, 7, radius, (2.0, 1.0)), rng.uniform(0, 2 * np.pi, SCENES), radius, (2.0, 1.0)
    )
    for s, share in zip((0.5, 1.0, 2.0, 3.0), shares, strict=True):
        assert hit_probability(paths, s) == pytest.approx(share, abs=3.5 * math.sqrt(2 * share * (1 - share) / SCENES))
    config = BilliardConfig(R=radius)
    assert [v50(config, t) for t in (1, 2, 3, 4, 5)] == pytest.approx(speeds, abs=1.1e-3)


def test_what_is_not_in_the_table_is_measured() -> None:
    assert median_path(BilliardConfig(s50=2.5)) == 2.5
    fewer = BilliardConfig(n_balls=4)
    assert median_path(fewer) == measure(0.03, 4, (2.0, 1.0), 1e-3) > 1.8 * median_path(BilliardConfig())


def test_rays_against_closed_forms() -> None:
    centres = np.array(
        [
            [[0.5, 0.5], [1.2, 0.5]],  # straight
            [[0.5, 0.5], [1.0, 0.53]],  # oblique
            [[0.5, 0.5], [0.2, 0.5]],  # off the right wall and back, past the start
            [[0.5, 0.5], [1.0, 0.56]],  # exactly grazing: no hit there, nor ever on this line
        ]
    )
    paths = first_hit_paths(centres, np.zeros(4), 0.03, (2.0, 1.0))
    chord = math.sqrt(4 * 0.03**2 - 0.03**2)
    assert paths == pytest.approx([0.64, 0.5 - chord, 1.47 + 1.97 - 0.26, np.inf], abs=1e-12)


def test_impossible_calibrations_are_errors() -> None:
    with pytest.raises(ValueError, match="n_balls"):
        measure(0.03, 1)
    with pytest.raises(ValueError, match="do not fit"):
        random_layouts(np.random.default_rng(0), 10, 16, 0.16, (2.0, 1.0))
