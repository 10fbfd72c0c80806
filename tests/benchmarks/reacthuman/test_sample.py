"""Groups from a seed: the same bytes in any batch and order, shared leaves, validated bands, bounded attempts."""

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman import sample, simulate
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.measure import label
from jaxphys_benchmarks.reacthuman.spec import BANDS, ReactHumanSpec
from tests.benchmarks.reacthuman.made_scenes import CHEAP, SEED, drawn, labelled


def text(specs: list[ReactHumanSpec]) -> list[str]:
    return [spec.model_dump_json() for spec in specs]


def test_same_bytes_in_any_batch_order_and_shard() -> None:
    """Specs, trajectories and labels of a group do not depend on what it is drawn and simulated with."""
    config = ReactHumanConfig(families=CHEAP[:4])
    wanted = [(family, group) for family in config.families for group in range(3)]
    whole = sample.groups(config, SEED, wanted)
    for some in (wanted[::-1], wanted[1::3], wanted[4:5]):
        part = sample.groups(config, SEED, some)
        assert {key: text(list(one.specs.values())) for key, one in part.items()} == {
            key: text(list(whole[key].specs.values())) for key in some
        }
    specs = [spec for key in wanted for spec in whole[key].specs.values()]
    alone = specs[5:6]
    batch, single = simulate.simulate(specs, backend="c"), simulate.simulate(alone, backend="c")
    (run, row) = next((run, k) for run in batch for k, place in enumerate(run.places.tolist()) if place == 5)
    np.testing.assert_array_equal(run.qpos[row], single[0].qpos[0])
    np.testing.assert_array_equal(run.qvel[row], single[0].qvel[0])
    assert label(specs, batch, config.catalogue)[5] == label(alone, single, config.catalogue)[0]


@pytest.mark.parametrize("family", CHEAP)
def test_bands_of_a_group_share_every_sampled_leaf(family: str) -> None:
    specs = drawn(family)
    for group in (specs[:4], specs[4:]):
        assert [spec.band for spec in group] == list(BANDS)
        shared = [(s.sampled, s.object, s.room, s.robot if not s.decoy else None, s.attempt, s.group) for s in group]
        assert all(one == shared[0] for one in shared)
        assert len({spec.scene.model_dump_json() for spec in group}) == 4
        assert len({spec.published_id() for spec in group}) == 4
        assert {spec.group_id for spec in group} == {f"{family}-g{group[0].group:04d}"}


def test_indices_count_bands_of_groups() -> None:
    """Scene i is band i % 4 of group i // 4; with fewer bands a group gives fewer scenes, and the same ones."""
    benchmark = ReactHuman(families="ceiling_drop")
    specs = benchmark.sample(SEED, 6)
    assert [(spec.index, spec.group, spec.band) for spec in specs] == [
        (i, i // 4, list(BANDS)[i % 4]) for i in range(6)
    ]
    few = ReactHuman(families="ceiling_drop", bands="fast,slow").sample(SEED, 3)
    assert [(spec.index, spec.group, spec.band) for spec in few] == [(0, 0, "fast"), (1, 0, "slow"), (2, 1, "fast")]
    assert few[0].scene == specs[2].scene


@pytest.mark.parametrize("family", CHEAP)
def test_accepted_scenes_have_their_event_and_a_robot_within_reach(family: str) -> None:
    for spec, truth in labelled(family, decoy_fraction=0.0):
        assert truth.status == 0
        assert truth.event_time is not None
        assert truth.t_imp is not None
        assert truth.impact_point is not None
        away = np.hypot(truth.impact_point[0] - spec.robot.x, truth.impact_point[1] - spec.robot.y)
        if truth.impact_kind in ("plane", "floor") and not spec.decoy:
            assert 0.30 <= away <= 1.50
        if truth.impact_kind == "plane":
            assert truth.impact_point[1] == pytest.approx(spec.robot.y + 0.45, abs=2e-6)


@pytest.mark.parametrize("family", ["object_drop", "rolling_ball", "thrown_object"])
def test_faster_bands_arrive_earlier(family: str) -> None:
    times = [truth.t_imp for _, truth in labelled(family)]
    for group in (times[:4], times[4:]):
        assert group == sorted(group, reverse=True)  # type: ignore[type-var]


def test_hazards_leave_towards_the_robot() -> None:
    """Everything moves to -Y, the rotated families too (section 7.2)."""
    for family in ("object_drop", "rolling_ball"):
        for spec, truth in labelled(family):
            assert spec.scene.things[0].vel[1] < 0
            assert spec.robot.y < spec.scene.things[0].pos[1]
            assert truth.impact_velocity is not None
            assert truth.impact_velocity[1] < 0


def test_event_windows_lie_before_the_impact() -> None:
    for spec, truth in labelled("rolling_ball", timing="event"):
        assert truth.tti is not None
        assert truth.track is not None
        assert truth.t_imp is not None
        lead = {"slow": 0.9, "normal": 0.6, "fast": 0.4, "very_fast": 0.25}[spec.band]
        assert lead <= truth.tti < lead + 1 / 240 + 1e-6
        assert truth.track.times[-1] < truth.t_imp
        early = [k for k, time in enumerate(truth.track.times) if time < 0]
        assert all(truth.track.vel[k][0] == (0, 0, 0) for k in early)


def test_decoys_are_out_of_reach() -> None:
    """Moved until the clearance is what was drawn; nothing need be done, and the rest of the scene is the same."""
    honest, decoys = (
        drawn("object_drop", decoy_fraction=0.0),
        labelled("object_drop", decoy_fraction=1.0, adversarial="none"),
    )
    for spec, truth in decoys:
        if not spec.decoy:
            continue
        assert truth.correct_action == truth.correct_action_released == "NO_ACTION"
        assert truth.clearance is not None
        assert 1.25 + 0.2 - 0.02 <= truth.clearance <= 1.25 + 1.0 + 0.02
        assert spec.robot.z == 0.79
    assert sum(spec.decoy for spec, _ in decoys) >= 4
    assert not any(spec.decoy for spec in honest)


def test_a_family_that_cannot_be_drawn_is_named() -> None:
    """A push that friction stops has no event, in no attempt."""
    config = ReactHumanConfig(families=("rolling_ball",), max_attempts=2, ranges={"rolling_ball.speed": (1e-3, 2e-3)})
    with pytest.raises(ValueError, match=r"rolling_ball: group 0 of seed 11 failed in 2 attempts \(.*NO_EVENT 2"):
        sample.groups(config, SEED, [("rolling_ball", 0)])


def test_rejected_attempts_stay_on_record() -> None:
    """Groups that were drawn again say why, in all bands; of cascades about a third are."""
    config = ReactHumanConfig(families=("surface_cascade",))
    made = sample.groups(config, 0, [("surface_cascade", group) for group in range(8)])
    again = [one for one in made.values() if one.rejected]
    assert 0 < len(again) < len(made)
    for one in again:
        assert all(one.rejected)
        assert {(spec.attempt, spec.rejected) for spec in one.specs.values()} == {(len(one.rejected), one.rejected)}


def test_the_early_parametrisation_keeps_what_never_happens() -> None:
    """Its missing events are what it is kept for: they are labelled NO_ACTION, not drawn again."""
    rows = labelled("shelf_slide", groups=4, variant="early")
    slow = [truth for spec, truth in rows if spec.band == "slow"]
    fast = [truth for spec, truth in rows if spec.band == "very_fast"]
    assert [truth.event_time for truth in slow] == [None] * 4
    assert {truth.correct_action for truth in slow if truth.impact_point is None} == {"NO_ACTION"}
    assert sum(truth.event_time is not None for truth in fast) >= 3
    assert all(spec.attempt == 0 for spec, _ in rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"families": "no_such_family"}, "no_such_family"),
        ({"max_attempts": 0}, "max_attempts"),
        ({"bands": "slow,slow"}, "bands"),
        ({"ranges": {"object_drop.no_such_leaf": (0, 1)}}, "no_such_leaf"),
    ],
)
def test_bad_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ReactHuman(**options).sample(0, 1)


def test_bad_requests_are_named() -> None:
    benchmark = ReactHuman(families="ceiling_drop")
    for call, message in (
        (lambda: benchmark.sample(-1, 1), "seed"),
        (lambda: benchmark.sample(0, 0), "n, indices"),
        (lambda: benchmark.sample(0, 2, indices=[2]), "n, indices"),
        (lambda: benchmark.backend("mjx"), "mjx is for sweeps"),
        (lambda: benchmark.backend("gpu"), "gpu"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
