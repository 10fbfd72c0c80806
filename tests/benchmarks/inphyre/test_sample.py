"""Drawing samples: a stream for each, the configured ranges, room for everything, and who is red."""

import itertools
from collections import Counter

import numpy as np
import pytest

from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.lower import simulate
from jaxphys_benchmarks.inphyre.numbers import Numbers
from jaxphys_benchmarks.inphyre.sample import PURPOSES, STRATA, draw, draw_many, families, family_of, letter_of
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.stage import CLEVR_CAMERA
from jaxphys_kernels.planar.model import Kind
from tests.benchmarks.inphyre.measured_samples import CONFIG, CONFIGS, SEED, drawn

PRESETS = sorted(CONFIGS)
EVERY = list(itertools.product(PRESETS, SCENARIOS))


@pytest.mark.parametrize(("preset", "scenario"), EVERY)
def test_a_sample_does_not_depend_on_the_others(preset: str, scenario: str) -> None:
    """Public case det-shard-independence: in one go, in shards, alone, in reverse."""
    config = CONFIGS[preset]
    together = draw_many(config, 5, scenario, range(64))
    shards = [draw_many(config, 5, scenario, range(start, 64, 4)) for start in range(4)]
    assert [shards[k % 4][k // 4] for k in range(64)] == together
    assert draw_many(config, 5, scenario, list(reversed(range(64))))[::-1] == together
    assert draw(config, 5, scenario, 41) == together[41]


@pytest.mark.parametrize(
    "other",
    [{"seed": 2}, {"scenario": "CC"}, {"index": 5}, {"attempt": 1}, {"pool": True}],
    ids=lambda o: next(iter(o)),
)
def test_every_part_of_the_key_matters(other: dict[str, object]) -> None:
    key: dict[str, object] = {"seed": 1, "scenario": "LMC", "index": 4, "attempt": 0, "pool": False}
    one, two = (draw(CONFIG, **values) for values in (key, key | other))  # type: ignore[arg-type]
    assert one.things[0].pos != two.things[0].pos


def test_the_stream_is_the_documented_one() -> None:
    """A's shape comes from the first number of a row, and the question's wording from a later number of that row."""
    for index in range(20):
        spec = draw(CONFIG, 3, "Red-LMC", index, 2, pool=True)
        stream = np.random.default_rng([3, 3, 1, index, 2])
        rows = [stream.random(48) for _ in range(100)]
        wanted = [row for row in rows if spec.asked.template in (2520 * row).astype(int)]
        assert spec.things[0].shape in {["cube", "cylinder", "sphere"][int(3 * row[0])] for row in wanted}


@pytest.mark.parametrize(("preset", "scenario"), EVERY)
def test_everything_starts_where_it_may(preset: str, scenario: str) -> None:
    config = CONFIGS[preset]
    for spec in drawn(scenario, 150, preset=preset):
        assert len({thing.name for thing in spec.things}) == len(spec.things)
        for thing in spec.things:
            assert thing.name == f"{thing.colour} {thing.shape}"
            assert max(map(abs, thing.pos)) <= config.region
            assert thing.mu == config.friction_object[thing.material] * config.friction_floor
            assert thing.size in (config.size_small, config.size_large)
            assert_inside_the_picture(spec, thing.pos, thing.size)
        assert spec.status == 0
        if scenario == "Wall":
            (wall,) = spec.walls
            face = abs(wall.pos[0]) - wall.half[0]
            reach = np.sign(wall.pos[0]) * spec.things[0].pos[0] + spec.things[0].size
            assert face - reach >= config.min_gap
            assert 2.0 <= face <= config.region
        else:
            a, b = spec.things
            assert np.hypot(*np.subtract(a.pos, b.pos)) - a.size - b.size >= config.min_gap - 1e-12


def assert_inside_the_picture(spec: InPhyReSpec, pos: tuple[float, float], size: float) -> None:
    corners = [(pos[0] + x * size, pos[1] + y * size, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 2 * size)]
    width, height = spec.film.width_px, spec.film.height_px
    at = CLEVR_CAMERA.project(np.array(corners), width, height)
    assert (at[:, 2] > 0).all()
    assert ((at[:, :2] >= 0) & (at[:, :2] <= (width, height))).all()


def test_no_object_is_hidden_behind_another() -> None:
    """Where both are seen from the camera, on a grid over each object's face towards it."""
    eye = np.array(CLEVR_CAMERA.position)
    for spec in drawn("LMC", 150):
        for far, near in itertools.permutations(spec.things[:2]):
            up = np.linspace(0.05, 0.95, 8)
            face = np.array([(x, -1.0, 1 + z) for x in 2 * up - 1 for z in 2 * up - 1]) * far.size
            points = face + np.array([*far.pos, 0.0])
            # The line of sight in the slab between the planes x and y of the nearer one's box, and above the floor.
            centre = np.array([*near.pos, near.size])
            with np.errstate(divide="ignore"):
                to = (centre + np.array([[-1], [1]])[:, None] * near.size - eye) / (points - eye)
            enter, leave = to.min(axis=0).max(axis=-1), to.max(axis=0).min(axis=-1)
            assert ((enter < leave) & (enter < 1)).mean() <= 0.5


def test_a_wall_looks_vertical_and_is_seen() -> None:
    """Both ends of its face stand in the picture, at its left or right, farther apart in height than in breadth."""
    for spec in drawn("Wall", 100):
        (wall,) = spec.walls
        face = wall.pos[0] - np.sign(wall.pos[0]) * wall.half[0]
        ends = np.array([(face, -wall.half[1], 0.0), (face, wall.half[1], 0.0)])
        at = CLEVR_CAMERA.project(ends, 480, 320)[:, :2]
        assert ((at >= 0) & (at <= (480, 320))).all()
        assert (np.sign(at[:, 0] - 240) == np.sign(face)).all()
        assert abs(at[0, 1] - at[1, 1]) > 1.5 * abs(at[0, 0] - at[1, 0])
        assert spec.asked.axis == (0.0, 1.0)


@pytest.mark.parametrize("scenario", [name for name in SCENARIOS if name != "Wall"])
def test_pairs_meet_head_on(scenario: str) -> None:
    """A moves along the line of centres; with cubes that is an axis, and their faces are parallel."""
    cubes = rounds = 0
    for spec in drawn(scenario, 120):
        a, b = spec.things
        line = np.subtract(b.pos, a.pos)
        heading = np.array(a.vel) / np.hypot(*a.vel)
        assert heading @ line == pytest.approx(np.hypot(*line), rel=1e-12)
        assert b.vel == (0.0, 0.0)
        cube = "cube" in (a.shape, b.shape)
        cubes, rounds = cubes + cube, rounds + (not cube)
        if cube:
            assert {a.yaw, b.yaw} == {0.0}
            assert 0.0 in np.abs(a.vel)
    assert cubes
    assert rounds or scenario.startswith("AMC")


def test_what_the_scenarios_ask_of_the_objects() -> None:
    for spec in drawn("LMC", 150) + drawn("Red-LMC", 150) + drawn("LMC-reg", 150):
        a, b = spec.things
        assert (a.shape == "sphere") == (b.shape == "sphere")
        assert (a.mu, a.mass) == (b.mu, b.mass)
    for heavy, scenario in ((1, "SB"), (0, "SB-reg")):
        for spec in drawn(scenario, 100):
            assert (spec.things[0].size, spec.things[1].size) == (CONFIG.size_large, CONFIG.size_small)
            assert 5 <= spec.things[heavy].mass / spec.things[1 - heavy].mass <= 20
    for spec in drawn("AMC", 100):
        assert spec.things[0].shape == "cube"
        assert 2 <= abs(spec.params["omega"]) <= 6
    signs = Counter(spec.params["omega"] > 0 for spec in drawn("AMC", 400))
    assert min(signs.values()) > 150
    for spec in drawn("CC", 100):
        a, b = spec.things
        assert (a.colour, a.material) != (b.colour, b.material)
    for spec in drawn("Wall", 100):
        across, along = np.abs(spec.things[0].vel)
        assert 0.2 - 1e-12 <= along / across <= 1 + 1e-12
        assert 1.5 <= spec.params["gain"] <= 3


def test_options_of_the_laws() -> None:
    assert {spec.law for spec in drawn("AMC", 20, amc_linear="keep")} == {"spin_up_keeping"}
    assert {spec.things[0].shape for spec in drawn("AMC", 60, amc_shapes=("cylinder", "sphere"))} == {
        "cylinder",
        "sphere",
    }
    spheres = [thing for spec in drawn("CC", 60, sphere_launch="rolling") for thing in spec.things]
    assert all(thing.roll == (thing.vel if thing.shape == "sphere" else (0.0, 0.0)) for thing in spheres)


@pytest.mark.parametrize("scenario", ["Red-LMC", "Red-Pass"])
@pytest.mark.parametrize("preset", PRESETS)
def test_who_is_red(preset: str, scenario: str) -> None:
    specs = drawn(scenario, 240, preset=preset)
    seen = Counter((spec.family, *(thing.colour == "red" for thing in spec.things)) for spec in specs)
    either = scenario == "Red-Pass" and preset == "published"
    allowed = {
        "red": {(True, False), (False, True)} if either else {(True, False)},
        "other": {(False, False)},
        "plain": {(False, False)},
        "decoy": {(False, True)},
    }
    assert {(family, reds) for family, *reds_ in seen for reds in [tuple(reds_)]} == {
        (family, reds) for family in families(CONFIGS[preset], scenario) for reds in allowed[family]
    }
    assert sum(count for (family, *_), count in seen.items() if family == "red") == 120


@pytest.mark.parametrize("p_red", [0.0, 0.25, 1.0])
def test_the_share_of_red(p_red: float) -> None:
    config = InPhyReConfig(p_red=p_red)
    names = [family_of(config, 0, "Red-LMC", index) for index in range(1200)]
    assert names.count("red") == 1200 * p_red


def test_red_is_just_a_colour_elsewhere() -> None:
    specs = drawn("LMC", 200)
    assert 20 < sum("red" in thing.colour for spec in specs for thing in spec.things) < 100


@pytest.mark.parametrize(("preset", "scenario"), EVERY)
def test_families_are_balanced(preset: str, scenario: str) -> None:
    shares = families(CONFIGS[preset], scenario)
    assert sum(shares.values()) == pytest.approx(1)
    for start in (0, 24, 36):
        names = Counter(family_of(CONFIGS[preset], 3, scenario, start + k) for k in range(STRATA))
        assert names == {name: round(share * STRATA) for name, share in shares.items()}
    pool = Counter(family_of(CONFIGS[preset], 3, scenario, k, pool=True) for k in range(10))
    assert set(pool) == set(shares)
    assert min(pool.values()) >= (3 if len(shares) <= 3 else 2)


@pytest.mark.parametrize(("size", "p_red", "red"), [(10, 0.5, 5), (10, 0.0, 3), (10, 1.0, 7), (4, 0.5, 2), (3, 0.9, 2)])
def test_families_of_the_pool(size: int, p_red: float, red: int) -> None:
    config = InPhyReConfig(n_exemplars_pool=size, p_red=p_red)
    assert [family_of(config, 1, "Red-LMC", k, pool=True) for k in range(size)].count("red") == red


def test_letters_are_balanced() -> None:
    for pool in (False, True):
        letters = [letter_of(2, "SB", index, pool=pool) for index in range(1200)]
        assert Counter(letters) == dict.fromkeys(range(4), 300)
    assert [letter_of(2, "SB", k) for k in range(60)] != [letter_of(2, "CC", k) for k in range(60)]
    assert len(set(PURPOSES.values())) == len(PURPOSES)


@pytest.mark.parametrize("scenario", ["LMC", "Wall", "AMC-reg"])
def test_bystanders_are_met_by_nothing(scenario: str) -> None:
    specs = drawn(scenario, 60, n_distractors=3)
    objects = 4 if scenario == "Wall" else 5
    assert {len(spec.things) for spec in specs} == {objects}
    _, trajectory = simulate(specs)
    contacts = trajectory.events.kind == int(Kind.CONTACT)
    other = specs[0].other
    assert set(map(tuple, trajectory.events.bodies[contacts].tolist())) == {(0, other)}
    for spec in specs:
        assert len({thing.name for thing in spec.things}) == objects
        for bystander in spec.things[objects - 3 :]:
            assert bystander.vel == (0.0, 0.0)
            assert_inside_the_picture(spec, bystander.pos, bystander.size)


def test_no_room_is_an_error() -> None:
    config = InPhyReConfig(contact_speed=(3.0, 3.0), contact_time=(3.0, 3.0))
    with pytest.raises(ValueError, match=r"contact_speed, contact_time: CC sample 0 found no room"):
        draw(config, 0, "CC", 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, "LMC", 0), "seed, index, attempt"),
        ((0, "LMC", -3), "seed, index, attempt"),
        ((0, "LMD", 0), "scenario: 'LMD' is unknown; give one of LMC, AMC"),
    ],
)
def test_bad_keys(arguments: tuple[int, str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw(CONFIG, *arguments)


def test_a_recipe_cannot_take_more_than_there_is() -> None:
    numbers = Numbers(np.full((2, 1), 0.999999))
    assert numbers.index(4).tolist() == [3, 3]
    with pytest.raises(LookupError, match="block: has 1 columns"):
        numbers.unit()


def test_drawn_numbers_lie_in_their_ranges() -> None:
    specs = drawn("SB", 400)
    ratio = np.array([spec.things[1].mass / spec.things[0].mass for spec in specs])
    # Uniform: the mean of 400 numbers lies within four standard errors of the middle.
    assert abs(ratio.mean() - 12.5) < 4 * 15 / np.sqrt(12 * 400)
    assert ratio.min() < 6
    assert ratio.max() > 19
    assert Counter(spec.seed for spec in specs) == {SEED: 400}
