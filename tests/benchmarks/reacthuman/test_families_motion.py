"""What happens in the scenes of families, against the event rates and closed forms of sections 7.3 to 7.5."""

import math

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman import catalogue, rooms
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.families.launch import critical_lean
from jaxphys_benchmarks.reacthuman.families.topple import leaning
from jaxphys_benchmarks.reacthuman.family import Drawn
from jaxphys_benchmarks.reacthuman.objects import Object
from jaxphys_benchmarks.reacthuman.spec import BANDS, Band
from tests.benchmarks.reacthuman.played_families import DEFAULT, EARLY, STEP, Played, built, drawn, played, replayed

G = 9.81
INNER = STEP / 4
"""Inner step of the parity mode (s)."""

FEW, MANY = 4, 50
RATE = 0.93
"""Share of scenes with an event before anything is drawn again."""


def groups(family: str, count: int, config: ReactHumanConfig = DEFAULT) -> list[dict[Band, Played]]:
    return played(family, [drawn(family, seed, config) for seed in range(count)], config)


def rate(rows: list[dict[Band, Played]]) -> float:
    good = [one.ordered and not one.status and math.isfinite(one.event) for row in rows for one in row.values()]
    return float(np.mean(good))


def medians(rows: list[dict[Band, Played]]) -> np.ndarray:
    return np.array([np.nanmedian([row[band].event for row in rows]) for band in BANDS])


@pytest.mark.parametrize("family", FAMILIES)
def test_stories_end_in_every_band_and_sooner_in_faster_ones(family: str) -> None:
    rows = groups(family, FEW)
    assert rate(rows) >= RATE
    if FAMILIES[family].timed:
        assert (np.diff(medians(rows)) < 0).all()
    for row in rows:
        for one in row.values():
            way = one.path.pos[round(one.event / STEP)] - one.path.pos[0] if math.isfinite(one.event) else np.zeros(3)
            assert way[1] < 0 or family == "ceiling_drop" or math.isnan(one.event), "hazards move towards -Y"


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_stories_end_in_fifty_seeds(family: str) -> None:
    rows = groups(family, MANY)
    assert rate(rows) >= RATE
    if FAMILIES[family].timed:
        assert (np.diff(medians(rows)) < 0).all()


@pytest.mark.slow
def test_cubes_stick_on_the_stairs() -> None:
    """33 of 80 in section 7.5, none of them in the two slower bands."""
    config = ReactHumanConfig(allow_sticky_shapes=True)
    rows = played("stair_tumble", [drawn("stair_tumble", k, config, thing="wooden_block") for k in range(10)], config)
    ends = {band: sum(math.isfinite(row[band].event) for row in rows) for band in BANDS}
    assert ends["slow"] == ends["normal"] == 0
    assert ends["very_fast"] == 10


def test_early_slow_objects_stop_on_their_supports() -> None:
    """Section 7.3: the first defect."""
    counts = {}
    for family in ("shelf_slide", "sliding_object", "chain_reaction"):
        rows = groups(family, 6, EARLY)
        counts[family] = [sum(math.isfinite(row[band].event) for row in rows) for band in BANDS]
        assert counts[family][0] == 0
        assert counts[family] == sorted(counts[family])
    assert counts["shelf_slide"][1] < 3 < counts["shelf_slide"][3] == 6


def test_early_throws_resolve_inside_the_window() -> None:
    """Section 7.3: the second defect."""
    for family in ("thrown_object", "door_swing"):
        assert medians(groups(family, 6, EARLY))[3] < 0.3


@pytest.mark.parametrize("family", ["ceiling_drop", "hanging_fall", "ladder_slip"])
def test_early_bands_are_inert(family: str) -> None:
    """Section 7.3: the third defect."""
    rows = groups(family, 6, EARLY)
    assert np.ptp(medians(rows)) <= 3 * STEP


def test_an_early_pendulum_goes_the_wrong_way() -> None:
    assert (np.diff(medians(groups("pendulum_swing", 4, EARLY))) > 0).all()


@pytest.mark.parametrize("thing", ["chef_knife", "steel_apple"])
def test_objects_leave_the_table_as_fast_as_drawn(thing: str) -> None:
    """Friction takes what the launch was given, in hops of a soft contact; longer bodies also pitch over the edge."""
    config = ReactHumanConfig(ranges={"object_drop.yaw_deg": (0.0, 0.0)})
    rows = played("object_drop", [drawn("object_drop", seed, config, thing=thing) for seed in range(4)], config)
    more = []
    for row in rows:
        for one in row.values():
            table = one.draft.scene.boxes[0]
            over = np.flatnonzero(one.path.pos[:, 1] < table.pos[1] - table.half[1])
            more.append(-one.path.vel[over[0], 1] - one.drawn.leaves["v_exit"] * BANDS[one.band])
    assert max(map(abs, more)) < 0.12
    assert abs(np.mean(more)) < 0.03


def test_tipping_off_at_rest_has_no_band() -> None:
    config = ReactHumanConfig(object_drop_mode="tip")
    for row in groups("object_drop", 4, config):
        assert len({one.draft.scene.model_dump_json() for one in row.values()}) == 1
        assert len({one.event for one in row.values()}) == 1
        assert all(math.isfinite(one.event) for one in row.values())


def test_throws_hit_their_point_in_every_band() -> None:
    """The parabola, with the offset of the integrator; from one start, under the ceiling."""
    for row in groups("thrown_object", 8):
        assert len({one.draft.scene.things[0].pos for one in row.values()}) == 1
        for one in row.values():
            time, leaves = one.draft.derived["flight_time"], one.drawn.leaves
            assert 0 <= one.event - time <= STEP + 1e-6
            place = [np.interp(time, one.path.times, one.path.pos[:, k]) for k in range(3)]
            expected = [leaves["impact_x"], 0.0, leaves["impact_z"] - 0.5 * G * INNER * time]
            np.testing.assert_allclose(place, expected, atol=3e-4)
            assert one.path.pos[:, 2].max() + max(one.drawn.object.size) <= one.drawn.room.height - 0.1 + 1e-3


def test_baked_bounces_cross_the_plane_in_their_first_flight() -> None:
    for row in groups("bouncing_object", 6):
        for one in row.values():
            ball = one.draft.scene.things[0]
            time, up = one.draft.derived["flight_time"], ball.vel[2]
            assert ball.pos[2] == ball.size[0]
            assert up == pytest.approx(
                max(2.5, ball.restitution * math.sqrt(2 * G * one.drawn.leaves["drop"])), abs=1e-6
            )
            assert time < 2 * up / G
            height = ball.size[0] + up * time - 0.5 * G * time * (time + INNER)
            assert np.interp(time, one.path.times, one.path.pos[:, 2]) == pytest.approx(height, abs=3e-4)
            assert 0 <= one.event - time <= STEP + 1e-6


def test_bounces_by_the_law_cross_the_plane_at_their_phase() -> None:
    """From inside the room, after one bounce with e, whatever the band."""
    config = ReactHumanConfig(bounce="contact")
    groups_ = [drawn("bouncing_object", k, config, thing="rubber_ball") for k in range(3)]
    for row in played("bouncing_object", groups_, config):
        for one in row.values():
            derived, leaves, ball = one.draft.derived, one.drawn.leaves, one.draft.scene.things[0]
            down, total = derived["bounce_time"], derived["flight_time"]
            impact = math.sqrt(2 * G * leaves["drop"])
            fall = -ball.vel[2] + G * down
            assert fall == pytest.approx(impact, abs=1e-4), "as fast as after the drop"
            assert ball.pos[1] <= one.drawn.room.depth / 2 - 0.4 + 1e-6
            if one.band == "slow":
                assert ball.vel[2] == 0.0
                assert ball.pos[2] == pytest.approx(ball.size[0] + leaves["drop"], abs=1e-5)
                assert total - down == pytest.approx(leaves["phase"] * 2 * ball.restitution * impact / G, abs=1e-5)
            assert one.event == pytest.approx(total, abs=2 * STEP)
            point = one.draft.placement.point
            assert point is not None
            assert np.interp(total, one.path.times, one.path.pos[:, 2]) == pytest.approx(point[2], abs=0.02)


def test_a_door_closes_at_its_rate() -> None:
    for row in groups("door_swing", 3):
        for one in row.values():
            hinge = one.draft.scene.things[0].hinge
            assert hinge is not None
            closed = (hinge.angle - math.radians(20.0)) / -hinge.rate
            assert 0 <= one.event - closed <= STEP + 1e-6


def test_a_pendulum_released_at_rest_takes_a_quarter_of_its_period() -> None:
    """T / 4 = pi/2 sqrt(L / g) (1 + a²/16) for a small bob; a larger one is a physical pendulum."""
    bob = catalogue.get("iron_bob", "pendulum_swing")
    small = bob.model_copy(update={"size": (0.01, 0.01, 0.01), "visual_size": (0.01, 0.01, 0.01)})
    room = rooms.get("living")
    for thing in (bob, small):
        leaves = {"omega": 0.0, "angle_deg": 55.0, "length": 1.2, "x": 0.0, "y": 0.2}
        group = Drawn(thing, room, leaves)
        one = replayed("pendulum_swing", group, built("pendulum_swing", group)["normal"])
        solid = math.sqrt(1 + 0.4 * (thing.size[0] / 1.2) ** 2)
        quarter = 0.5 * math.pi * math.sqrt(1.2 / G) * (1 + math.radians(55.0) ** 2 / 16) * solid
        assert quarter * 0.995 <= one.event <= quarter * 1.005 + STEP


def test_the_band_of_a_pendulum_may_be_its_length() -> None:
    config = ReactHumanConfig(pendulum_band="length")
    rows = groups("pendulum_swing", 3, config)
    assert (np.diff(medians(rows)) < 0).all()
    for row in rows:
        lengths = [one.draft.derived["length"] for one in row.values()]
        assert lengths[0] == row["slow"].drawn.leaves["length"]
        np.testing.assert_allclose(
            np.square(lengths) * np.array(list(BANDS.values())), lengths[0] ** 2 * 0.4, rtol=1e-4
        )
        assert len({one.draft.scene.things[0].hinge.rate for one in row.values()}) == 1  # type: ignore[union-attr]


def test_the_ceiling_drops_by_the_discrete_fall() -> None:
    """Inner steps of semi-implicit Euler: z = z0 + v t - g d² n (n + 1) / 2."""
    for row in groups("ceiling_drop", 4):
        for one in row.values():
            start = one.draft.scene.things[0]
            n = 4 * np.arange(80)
            fall = start.pos[2] + start.vel[2] * n * INNER - 0.5 * G * INNER**2 * n * (n + 1)
            np.testing.assert_allclose(one.path.pos[:80, 2], fall, atol=1e-9)


def test_a_ladder_slips_just_beyond_its_critical_lean() -> None:
    """A uniform thin ladder: tan = 2 f / (1 - f w), 25.2 degrees for 0.22 and 0.3 (section 7.4)."""
    critical = critical_lean(0.22, 0.3)
    assert math.degrees(critical) == pytest.approx(25.2, abs=0.05)
    config = ReactHumanConfig(friction_ladder_floor=0.22, friction_ladder_wall=0.3)
    ladder = Object(
        name="thin_ladder", families=("ladder_slip",), morph="box", visual_size=(0.22, 0.002, 1.2), density=900,
        catch_safe=False,
    )  # fmt: skip
    room = rooms.get("living")
    way = {}
    for degrees in (-2.0, 2.0):
        draft = leaning(ladder, room, 0.0, critical + math.radians(degrees), 0.0, 0.0, config)
        one = replayed("ladder_slip", Drawn(ladder, room, {}), draft, config)
        way[degrees] = float(np.abs(one.path.pos[round(1.0 / STEP), 2] - one.path.pos[0, 2]))
    assert way[-2.0] < 0.01
    assert way[2.0] > 0.05


def test_a_slipping_ladder_keeps_both_contacts() -> None:
    """Foot along the floor, top along the wall: the launch is a rigid motion that neither contact resists."""
    for seed in range(6):
        group = drawn("ladder_slip", seed)
        for band, draft in built("ladder_slip", group).items():
            ladder = draft.scene.things[0]
            yaw, lean = math.radians(group.leaves["yaw_deg"]), math.radians(group.leaves["lean_deg"])
            south, up = np.array([math.sin(yaw), -math.cos(yaw), 0.0]), np.array([0.0, 0.0, 1.0])
            along = math.cos(lean) * up - math.sin(lean) * south
            out = math.sin(lean) * up + math.cos(lean) * south
            h, t = ladder.size[2], ladder.size[1]
            foot, top = (np.cross(ladder.omega, side * h * along - t * out) + np.array(ladder.vel) for side in (-1, 1))
            np.testing.assert_allclose(foot, group.leaves["base_speed"] * BANDS[band] * south, atol=1e-5)
            np.testing.assert_allclose(top[:2], 0.0, atol=1e-5)
            assert top[2] < 0


def test_the_cascade_touches_table_stool_and_floor() -> None:
    rows = groups("surface_cascade", 8)
    ordered = [one.ordered for row in rows for one in row.values()]
    assert np.mean(ordered) >= RATE
    assert (np.diff(medians(rows)) < 0).all()
    stool = rows[0]["fast"].draft.scene.boxes[1]
    assert stool.name == "stool"
    assert stool.half[:2] == DEFAULT.stool_half
    assert 0.40 <= stool.pos[2] + stool.half[2] <= 0.50
    assert len({row["slow"].draft.derived["stool_y"] for row in rows}) > 1


@pytest.mark.parametrize("family", ["chain_reaction", "multi_object"])
def test_a_trigger_brings_the_momentum_that_its_row_needs(family: str) -> None:
    for seed in range(6):
        group = drawn(family, seed)
        for band, draft in built(family, group).items():
            *row, trigger = draft.scene.things
            leaves, n = group.leaves, len(draft.scene.things) - 1
            total = n * group.object.mass
            assert trigger.mass == pytest.approx(leaves["mass_ratio"] * total, abs=1e-6)
            strike = math.sqrt(trigger.vel[1] ** 2 - 2 * 0.6 * G * leaves["gap"])
            assert strike == pytest.approx(draft.derived["strike_speed"], abs=1e-4)
            after = strike * trigger.mass / (trigger.mass + total)
            friction = 0.1 if group.object.collider == "sphere" else 0.6
            left = after**2 - 2 * friction * G * (leaves["distance"] + 0.03)
            assert math.sqrt(left) == pytest.approx(leaves["v_exit"] * BANDS[band], abs=1e-4)
            gaps = [
                b.pos[1] - a.pos[1] - a.size[1] - b.size[1]
                for a, b in zip(row, [*row[1:], trigger], strict=True)
                if group.object.collider == "box"
            ]
            wanted = [0.004] * (n - 1) + [leaves["gap"]] if gaps else []
            np.testing.assert_allclose(gaps, wanted, atol=3e-6)
