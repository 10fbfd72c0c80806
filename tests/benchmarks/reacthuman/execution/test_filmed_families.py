"""One scene of each family with the oracle's plan carried out: feet, hands, and films from three sides; a minute.

With `JAXPHYS_FILMS=FOLDER` the films and a contact sheet of each are kept there, for whoever wants to look at them.
"""

import functools
import os
from pathlib import Path

import numpy as np
import pytest

from jaxphys_adapters import contact_sheet, executed_films, films, stages
from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.execution import ExecutionConfig, execute
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.links import LINKS, link_poses
from jaxphys_benchmarks.reacthuman.loop.observation import to_robot
from jaxphys_benchmarks.reacthuman.picture import FILMS
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.reaching import SHOULDERS
from jaxphys_benchmarks.reacthuman.shapes_parts import turned
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from tests.benchmarks.reacthuman.execution.executed_scenes import plan_of_oracle

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

UPRIGHT = 0.79
"""Height that hands of plans count from (m)."""
CORNERS = np.array([[0.038 + x * 0.095, y * 0.032, -0.035] for x in (-1, 1) for y in (-1, 1)])
"""Of the sole as it is drawn, in the frame of its link (m)."""
SUNK, LIFTED = 0.015, 0.006
"""A sole may be this far below the floor (m), and touches it up to this height (m)."""
SLIDES = 0.2
"""Speed of what a robot stands on that is seen as sliding (m/s)."""
SHORT = 0.15
"""By how much a hand may be farther from where the plan has it than its arm is short of that (m)."""
ARM = 0.45
"""How far a palm gets from its shoulder (m)."""
TICK = 0.03
"""Key frames that come so soon after the one before are for the score, not for the hands (s)."""

Played = tuple[ReactHumanSpec, Labels, Plan, Motion]


@functools.cache
def benchmark() -> ReactHuman:
    return ReactHuman(timing="event", lead="constant", lead_constant=0.9, bands=("normal",), visible_px=0)


@functools.cache
def played() -> tuple[Played, ...]:
    """The first scene of each family, 2 s of it."""
    specs = benchmark().sample(0, 1)
    labels = benchmark().label(specs, *benchmark().simulate(specs))
    plans = [plan_of_oracle(benchmark(), spec, truth) for spec, truth in zip(specs, labels, strict=True)]
    outcomes, motions = execute(specs, labels, plans, ExecutionConfig(seconds=2.0))
    assert not any(outcome.fell and not outcome.touched for outcome in outcomes)
    return tuple(zip(specs, labels, plans, motions, strict=True))


def soles(motion: Motion) -> np.ndarray:
    """(f, 2, 4, 3) corners of the soles (m)."""
    pos, quat = link_poses(motion.robot)
    feet = [[link.name for link in LINKS].index(f"{side}_ankle_roll_link") for side in ("left", "right")]
    return np.stack([[pos[:, k] + turned(quat[:, k], corner) for corner in CORNERS] for k in feet]).transpose(
        2, 0, 1, 3
    )


def test_all_families_are_there() -> None:
    assert len({spec.family for spec, *_ in played()}) == len(played()) == 17


def test_feet_do_not_sink_and_one_is_always_on_the_floor() -> None:
    for spec, _, _, motion in played():
        height = soles(motion)[..., 2]
        assert height.min() > -SUNK, spec.family
        assert height.min(axis=(1, 2)).max() < LIFTED, spec.family


def test_what_the_robot_stands_on_does_not_slide() -> None:
    for spec, _, _, motion in played():
        corners, rate = soles(motion), 1 / np.diff(motion.times)
        speed = np.linalg.norm(np.diff(corners[..., :2], axis=0), axis=-1) * rate[:, None, None]
        touches = (corners[1:, ..., 2] < LIFTED) & (corners[:-1, ..., 2] < LIFTED)
        stands = np.where(touches, speed, np.inf).min(axis=(1, 2))
        stands = stands[np.isfinite(stands)]
        assert np.median(stands) < SLIDES / 5, spec.family
        assert np.quantile(stands, 0.9) < SLIDES, spec.family


def test_hands_are_where_the_plan_has_them_as_far_as_arms_are_long() -> None:
    told = 0
    for spec, _, plan, motion in played():
        w, x, y, z = motion.robot[:, 3:7].T
        yaw, before = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)), 0.0
        for frame in plan.keyframes:
            if frame.t - before > TICK and frame.t <= motion.times[-1]:
                k = int(np.abs(motion.times - frame.t).argmin())
                hands = to_robot(motion.palms[k], motion.robot[k, :3], float(yaw[k]), UPRIGHT)
                goals = np.array([frame.left_hand, frame.right_hand])
                beyond = np.maximum(np.linalg.norm(goals - np.array(SHOULDERS), axis=1) - ARM, 0.0)
                assert (np.linalg.norm(hands - goals, axis=1) < beyond + SHORT).all(), (spec.family, frame.t)
                told += 1
            before = frame.t
    assert told >= 5


def test_films_from_three_sides_are_whole(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="pip install '.[video]' in the checkout")
    if all(stages.missing(name) for name in stages.RENDERERS):
        pytest.skip("nothing here draws stages")
    kept = os.environ.get("JAXPHYS_FILMS")
    root = Path(kept) if kept else tmp_path
    for spec, labels, _, motion in played():
        folder = root / spec.family
        folder.mkdir(parents=True, exist_ok=True)
        paths = executed_films.store(benchmark(), folder, spec, labels, motion, list(FILMS), scale=0.25, fps=15.0)
        assert [path.stem for path in paths] == list(FILMS)
        assert all(films.is_whole(path.read_bytes()) for path in paths), spec.family
        for kind in FILMS if kept else ():
            shown = benchmark().executed_picture(spec, labels, motion, View(kind, 0.5, frames=8))
            (folder / f"{kind}.png").write_bytes(contact_sheet.of_film(shown, 8))
