"""The visibility gate: what counts as seen, which groups are drawn again for it, and what labels and tables say."""

import functools
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman import calibrate, report_data, sample, trial
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.drafting import candidate
from jaxphys_benchmarks.reacthuman.files import published, read
from jaxphys_benchmarks.reacthuman.labels import Labels, Track
from jaxphys_benchmarks.reacthuman.picture import staged
from jaxphys_benchmarks.reacthuman.scene import Box, Scene
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.visibility import hidden, seen_px, shows
from jaxphys_benchmarks.visible import visible_px
from jaxphys_kernels.status import Status
from tests.benchmarks.reacthuman.asked_scenes import spec, track
from tests.benchmarks.reacthuman.made_scenes import SEED

VIEWS = ("egocentric", "observer", "overhead")
FAMILY = "rolling_ball"


@functools.cache
def sampled(**options: Any) -> tuple[ReactHumanSpec, ...]:
    return tuple(ReactHuman(families=FAMILY, decoy_fraction=0.0, **options).sample(SEED, 4))


@functools.cache
def measured() -> tuple[Labels, ...]:
    benchmark = ReactHuman(families=FAMILY, decoy_fraction=0.0)
    return tuple(benchmark.label(sampled(), *benchmark.simulate(sampled())))


@pytest.mark.parametrize(
    ("pixels", "options", "passes"),
    [
        ((40, 40, 40, 40, 0), {}, True),
        ((40, 40, 40, 39, 0), {}, False),
        ((0, 400, 400, 400, 400), {}, True),
        ((40, 40, 40, 0, 0), {"visible_share": 0.6}, True),
        ((40, 40, 40, 40, 39), {"visible_share": 1.0}, False),
        ((10, 10, 10, 10, 9), {"visible_px": 10}, True),
        ((0, 0, 0, 0, 0), {"visible_px": 0}, True),
        ((40, 39), {}, False),
        ((40,) * 8 + (0, 0), {"frames": 10}, True),
    ],
)
def test_enough_pixels_in_enough_frames(pixels: tuple[int, ...], options: dict[str, Any], passes: bool) -> None:
    assert shows(pixels, ReactHumanConfig(**options)) is passes


def seen(of: ReactHumanSpec, track: Track, view: str, config: ReactHumanConfig) -> tuple[int, ...]:
    ((_, counts),) = seen_px(of, track, [view], config)
    return counts


def behind(*boxes: Box) -> ReactHumanSpec:
    """A mug in the air, with boxes around it."""
    (mug,) = spec().scene.things
    return spec(scene=Scene(things=(mug,), boxes=boxes))


SOUTH = Box(name="screen", pos=(0.0, -0.2, 0.65), half=(0.6, 0.01, 0.65))
EAST = Box(name="screen_east", pos=(0.3, 0.0, 1.0), half=(0.01, 0.5, 1.0))
WEST = Box(name="screen_west", pos=(-0.3, 0.0, 1.0), half=(0.01, 0.5, 1.0))
ABOVE = Box(name="screen_above", pos=(0.0, 0.0, 2.1), half=(1.0, 1.0, 0.01))


def test_what_stands_in_the_way_hides_a_hazard_from_one_view_and_then_from_all() -> None:
    config, still = ReactHumanConfig(), track()
    free = dict(seen_px(behind(), still, VIEWS, config))
    assert all(min(counts) > 400 for counts in free.values())
    assert not hidden(behind(), still, config)
    screened = behind(SOUTH)
    assert seen(screened, still, "egocentric", config) == (0,) * 5
    assert seen(screened, still, "overhead", config)[0] > 400
    assert not hidden(screened, still, config)
    assert hidden(screened, still, ReactHumanConfig(views=("egocentric",)))
    assert hidden(behind(SOUTH, EAST, WEST, ABOVE), still, config)


def test_only_the_tracked_body_counts() -> None:
    """Another mug beside it adds nothing."""
    (mug,) = spec().scene.things
    both = spec(scene=Scene(things=(mug, mug.model_copy(update={"name": "object_1"}))))
    one = track()
    pairs = {"pos": tuple((row[0], (0.4, 0.0, 1.0)) for row in one.pos), "quat": tuple(2 * row for row in one.quat)}
    config = ReactHumanConfig()
    assert seen(both, one.model_copy(update=pairs), "egocentric", config) == seen(behind(), one, "egocentric", config)


def test_frames_that_miss_the_hazard_show_none_of_it() -> None:
    leaving = track(lambda t: (0.0, 0.0, 1.0) if t < 0.4 else (0.0, -3.0, 1.0))
    counts = seen(behind(), leaving, "egocentric", ReactHumanConfig())
    assert min(counts[:3]) > 400
    assert counts[3:] == (0, 0)


def test_counts_are_those_of_the_film_that_is_drawn() -> None:
    """Whatever was counted before: other poses, views, sizes and bodies have numbers of their own."""
    config = ReactHumanConfig()
    for of, truth in zip(sampled(), measured(), strict=True):
        for view in VIEWS:
            stage = ReactHuman(families=FAMILY).picture(of, truth, View(f"{view}_film", frames=5))
            assert truth.visible_px is not None
            assert list(truth.visible_px[view]) == visible_px(stage, stage.parts(of.tracked)).tolist()
    still = behind()
    for k in range(3):
        moved = track(lambda t, k=k: (0.1 * k, 0.3 * t, 1.0))
        stage = staged(still, moved, range(5), camera(still, "observer", 16 / 9), (1280, 720), config, figure=True)
        assert list(seen(still, moved, "observer", config)) == visible_px(stage, stage.parts("object")).tolist()


def test_larger_frames_show_more() -> None:
    small, large = (
        seen(behind(), track(), "observer", ReactHumanConfig(size_px=size)) for size in ((640, 360), (1280, 720))
    )
    np.testing.assert_allclose(np.array(large), 4 * np.array(small), rtol=0.05)


def test_labels_say_what_the_gate_saw() -> None:
    config = ReactHumanConfig()
    for of, truth in zip(sampled(), measured(), strict=True):
        assert truth.visible_px is not None
        assert list(truth.visible_px) == list(VIEWS)
        assert any(shows(counts, config) for counts in truth.visible_px.values())
        assert truth.track is not None
        assert truth.visible_px["observer"] == seen(of, truth.track, "observer", config)
        files = published(of, truth, views=VIEWS)
        assert files["ground_truth.json"]["extras"]["visible_px"]["overhead"] == list(truth.visible_px["overhead"])
        assert read(files) == (of, truth)
        del files["labels.json"]["visible_px"]
        assert read(files)[1].visible_px is None
    row = ReactHuman(families=FAMILY).row(sampled()[0], measured()[0])
    assert [entry["view"] for entry in row["visible_px"]] == list(VIEWS)
    facts = report_data.family_facts(list(zip(sampled(), measured(), strict=True)))["visible_px"]
    assert facts["egocentric"]["scenes"] == 4
    assert facts["egocentric"]["first_median"] >= facts["egocentric"]["least_median"] > 0


def test_the_gate_changes_nothing_else() -> None:
    """With and without it the same seed gives the same scenes, where it passes."""
    free = sampled(visible_px=0)
    assert [of.scene for of in free] == [of.scene for of in sampled()]
    assert [of.robot for of in free] == [of.robot for of in sampled()]


def test_a_group_that_cannot_be_seen_is_drawn_again_and_counted() -> None:
    """A ball that would have to fill a third of the picture in every frame."""
    config = ReactHumanConfig(families=(FAMILY,), visible_px=300_000, max_attempts=2)
    with pytest.raises(
        ValueError, match=r"rolling_ball: group 0 of seed 11 failed in 2 attempts \(HIDDEN 2\).*visible_px = 0"
    ):
        sample.groups(config, SEED, [(FAMILY, 0)])
    picky = ReactHumanConfig(families=(FAMILY,), visible_px=700, views=("egocentric",), visible_share=0.2)
    made = sample.groups(picky, SEED, [(FAMILY, group) for group in range(6)])
    again = [one.rejected for one in made.values() if one.rejected]
    assert again
    assert all(word == Status.HIDDEN for words in again for word in words)


def test_the_early_parametrisation_is_not_gated() -> None:
    config = ReactHumanConfig(families=("ceiling_drop",), variant="early", visible_px=10**6)
    one = candidate(config, SEED, "ceiling_drop", 0, 0)
    (found,) = trial.tried(config, [one], backend="c")
    specs = sample.specs_of(config, one, found)
    assert sample.concealed(config, specs, found) == 0
    assert sample.concealed(ReactHumanConfig(visible_px=10**6), specs, found) == Status.HIDDEN


def test_rates_count_what_each_view_shows_before_resampling() -> None:
    config = ReactHumanConfig(families=(FAMILY,), decoy_fraction=0.0)
    one = calibrate.rates(config, FAMILY, SEED, 2)
    assert list(one.seen) == [*VIEWS, "any"]
    assert one.seen["any"] == one.scenes == 8
    assert max(one.seen[view] for view in VIEWS) <= one.seen["any"]
    assert calibrate.numbers(config, SEED, 2)[f"{FAMILY}/seen/any"] == 1.0
    head, _, first, last = calibrate.seen_table([one]).splitlines()
    assert head == "| family | egocentric | observer | overhead | any view |"
    assert first.startswith(f"| {FAMILY} | ")
    assert last.endswith(" | 100.0% |")
    blind = calibrate.rates(config.model_copy(update={"visible_px": 10**6}), FAMILY, SEED, 1)
    assert (blind.accepted, blind.reasons["HIDDEN"], blind.seen["any"]) == (0, 1, 0)


@pytest.mark.slow
def test_at_least_95_percent_of_all_scenes_can_be_seen_before_resampling() -> None:
    config = ReactHumanConfig()
    rows = [calibrate.rates(config, family, count=5) for family in config.families]
    assert sum(row.seen["any"] for row in rows) >= 0.95 * sum(row.scenes for row in rows)
    assert min(row.seen["any"] / row.scenes for row in rows) >= 0.9
