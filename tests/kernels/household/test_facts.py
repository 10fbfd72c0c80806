"""The predicates on small scenes labelled by hand, each coming and going, in both array modules and adjacencies."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_kernels.household import adjacency
from jaxphys_kernels.household.facts import cleaned, facts
from jaxphys_kernels.household.layout import Facts, Layout, Sensed, Thresholds
from jaxphys_kernels.household.poses import forms
from tests.kernels.household.small_world import (
    APPLE,
    BOWL,
    CUPBOARD,
    FLOOR,
    HOME,
    PLATE,
    ROD,
    TABLE,
    layout,
    moved,
    still,
)

IN_BOWL = HOME[BOWL] + np.array([0.0, 0.0, 0.06])
ON_PLATE = HOME[PLATE] + np.array([0.0, 0.0, 0.06])


def found(sensed: Sensed, **limits: Any) -> Facts:
    """The cleaned facts, the same in NumPy and JAX."""
    world, limit = layout(), Thresholds(**limits)
    plain = cleaned(np, world, facts(np, world, sensed, limit))
    traced = _traced(limit)({field.name: jnp.asarray(getattr(sensed, field.name)) for field in fields(Sensed)})
    for field in fields(Facts):
        np.testing.assert_array_equal(traced[field.name], getattr(plain, field.name), err_msg=field.name)
    return plain


@cache
def _traced(limit: Thresholds) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """One program for each set of limits."""

    def run(sensed: dict[str, Any]) -> dict[str, Any]:
        return vars(cleaned(jnp, layout(), facts(jnp, layout(), Sensed(**sensed), limit)))

    return jax.jit(run)


def pairs(matrix: np.ndarray) -> set[tuple[int, int]]:
    return {(int(a), int(b)) for a, b in np.argwhere(matrix[-1])}


@pytest.mark.parametrize("rule", ["ray", "aabb"])
def test_what_stands_on_what(rule: str) -> None:
    rest = found(still(), adjacency=rule)
    assert pairs(rest.on_top) == {
        (TABLE, FLOOR),
        (BOWL, TABLE),
        (APPLE, TABLE),
        (PLATE, TABLE),
        (ROD, TABLE),
        (CUPBOARD, FLOOR),
    }
    on_plate = found(moved(still(), APPLE, ON_PLATE, PLATE), adjacency=rule)
    assert (APPLE, PLATE) in pairs(on_plate.on_top)
    assert (APPLE, TABLE) not in pairs(on_plate.on_top)
    # Lifted, it touches nothing, and the plate is under it.
    lifted = found(moved(still(), APPLE, ON_PLATE + np.array([0.0, 0.0, 0.2])), adjacency=rule)
    assert (APPLE, PLATE) not in pairs(lifted.on_top)
    assert (PLATE, APPLE) in pairs(lifted.under)
    # Beside the plate it is not.
    beside = found(moved(still(), APPLE, ON_PLATE + np.array([0.3, 0.0, 0.2])), adjacency=rule)
    assert (PLATE, APPLE) not in pairs(beside.under)


@pytest.mark.parametrize("rule", ["ray", "aabb"])
def test_what_is_in_a_bowl_is_neither_on_nor_under_it(rule: str) -> None:
    inside = found(moved(still(), APPLE, IN_BOWL, BOWL), adjacency=rule)
    assert pairs(inside.inside) == {(APPLE, BOWL)}
    assert not pairs(inside.on_top) & {(APPLE, BOWL), (BOWL, APPLE), (APPLE, TABLE)}
    assert not pairs(inside.under) & {(APPLE, BOWL), (BOWL, APPLE)}
    above = found(moved(still(), APPLE, IN_BOWL + np.array([0.0, 0.0, 0.2])), adjacency=rule)
    assert pairs(above.inside) == set()
    assert (BOWL, APPLE) in pairs(above.under)


def test_two_things_in_one_place_have_no_edge_between_them() -> None:
    low, high = HOME[BOWL] + np.array([0.0, 0.0, 0.03]), HOME[BOWL] + np.array([0.0, 0.0, 0.07])
    both = moved(moved(still(), PLATE, low, BOWL), APPLE, high, BOWL, PLATE)
    raw = facts(np, layout(), both, Thresholds())
    assert (APPLE, PLATE) in pairs(raw.on_top)
    assert (APPLE, PLATE) not in pairs(found(both).on_top)


def test_nothing_under_the_floor_and_nothing_between_twins() -> None:
    # The rod is of the apple's category here.
    stacked = moved(still(), APPLE, HOME[ROD] + np.array([0.0, 0.0, 0.07]), ROD)
    assert (APPLE, ROD) in pairs(facts(np, layout(), stacked, Thresholds()).on_top)
    assert (APPLE, ROD) not in pairs(found(stacked).on_top)
    raw = facts(np, layout(), still(), Thresholds())
    assert any(a == FLOOR for a, _ in pairs(raw.under))
    assert not any(a == FLOOR for a, _ in pairs(found(still()).under))


def test_a_grasp_counts_after_its_frames_and_lifts_what_was_under() -> None:
    sensed = moved(still(3), APPLE, ON_PLATE + np.array([0.0, 0.0, 0.2]))
    held = sensed.held.copy()
    held[1:, 1, APPLE] = True
    grasped = found(replace(sensed, held=held))
    assert grasped.grasping[:, 1, APPLE].tolist() == [False, False, True]
    assert not grasped.grasping[:, 0].any()
    assert grasped.under[:, PLATE, APPLE].tolist() == [True, True, False]
    far = found(replace(sensed, held=held, gap=np.full_like(sensed.gap, 0.081)))
    assert not far.grasping.any()
    # The other hand is the mirror image.
    other = found(replace(sensed, held=held[:, ::-1]))
    np.testing.assert_array_equal(other.grasping, grasped.grasping[:, ::-1])
    one = found(replace(sensed, held=held), grasp_frames=1)
    assert one.grasping[:, 1, APPLE].tolist() == [False, True, True]


@pytest.mark.parametrize(("share", "open_"), [(0.0, False), (0.04, False), (0.06, True), (1.0, True)])
def test_a_door_is_open_beyond_a_share_of_its_span(share: float, open_: bool) -> None:
    ajar = found(replace(still(), joint=np.full((1, 1), 2.0 * share)))
    assert ajar.open[0].tolist() == [k == CUPBOARD and open_ for k in range(7)]


def test_states_of_latches_hold_of_what_exists() -> None:
    on = np.zeros((1, 7), bool)
    on[0, APPLE] = on[0, CUPBOARD] = True
    gone = np.ones((1, 7), bool)
    gone[0, APPLE] = False
    both = found(replace(still(), toggled=on, cooked=on, exists=gone))
    for state in (both.toggled_on, both.cooked):
        assert np.flatnonzero(state[0]).tolist() == [CUPBOARD]
    assert not any(APPLE in pair for pair in pairs(both.on_top))


def test_particles_in_a_bowl_are_contained_and_those_on_a_plate_cover_it() -> None:
    sensed = still()
    sensed.alive[:] = True
    sensed.particle[0, :2] = HOME[BOWL] + np.array([0.0, 0.05, 0.03])
    sensed.carrier[0, :2] = BOWL
    sensed.particle[0, 2:] = HOME[PLATE] + np.array([0.0, 0.0, 0.019])
    strewn = found(sensed)
    assert np.argwhere(strewn.contains[0]).tolist() == [[BOWL, 0]]
    # Near enough without lying on it; 9 mm over the plate and 11 mm over it.
    assert np.argwhere(strewn.covered[0]).tolist() == [[PLATE, 1]]
    sensed.particle[0, 2:] = HOME[PLATE] + np.array([0.0, 0.0, 0.021])
    assert not found(sensed).covered.any()
    sensed.carrier[0, 2:] = PLATE
    assert np.argwhere(found(sensed).covered[0]).tolist() == [[PLATE, 1]]
    assert not found(sensed, contains_min=3, covered_min=3).contains.any()
    sensed.alive[:] = False
    gone = found(sensed)
    assert not gone.contains.any()
    assert not gone.covered.any()


def test_what_lies_in_its_carrier_does_not_cover_what_is_behind_the_wall() -> None:
    # The bowl's bottom is 1 cm thick: the particles are 8 mm over the table's top beside it.
    sensed = moved(still(), BOWL, HOME[BOWL] - np.array([0.0, 0.0, 0.004]), TABLE)
    sensed.alive[:] = True
    sensed.particle[:] = sensed.pos[0, BOWL] + np.array([0.0, 0.0, 0.012])
    sensed.carrier[:] = BOWL
    inside = found(sensed)
    assert np.argwhere(inside.contains[0]).tolist() == [[BOWL, 0], [BOWL, 1]]
    assert not inside.covered.any()
    # The same place on the table itself does cover it.
    sensed.carrier[:, 2:] = TABLE
    assert np.argwhere(found(sensed).covered[0]).tolist() == [[TABLE, 1]]


def test_inside_wins_over_on_top_and_leaves_under() -> None:
    """Rule 3 of the clean-up drops one state, rule 4 both of the other way about."""
    raw = facts(np, layout(), moved(still(), APPLE, IN_BOWL, BOWL), Thresholds())
    assert pairs(raw.inside) == {(APPLE, BOWL)}
    every = replace(raw, on_top=np.ones_like(raw.on_top), under=np.ones_like(raw.under))
    kept = cleaned(np, layout(), every)
    assert (APPLE, BOWL) not in pairs(kept.on_top)
    assert (APPLE, BOWL) in pairs(kept.under)
    assert not (pairs(kept.on_top) | pairs(kept.under)) & {(BOWL, APPLE)}


def test_rays_pass_through_things_up_to_a_number_and_a_length() -> None:
    high = moved(still(), APPLE, ON_PLATE + np.array([0.0, 0.0, 0.2]))
    world = layout()

    def below(**limits: Any) -> set[int]:
        pos, turn = forms(np, world, high)
        _, down = adjacency.by_rays(np, world, high.pos, pos, turn, high.exists, Thresholds(**limits))
        return set(np.flatnonzero(down[0, APPLE]).tolist())

    assert below() == {PLATE, TABLE, FLOOR}
    assert below(ray_max_hits=1) == {PLATE}
    assert below(ray_max_hits=2) == {PLATE, TABLE}
    assert below(ray_max_len=0.3) == {PLATE, TABLE}


def test_crossings_of_turned_forms_agree_with_points_on_the_line() -> None:
    """Heights where vertical lines enter and leave agree with a fine sampling of each line."""
    rng = np.random.default_rng(3)
    count = 60
    quat = rng.normal(size=(count, 4))
    quat /= np.linalg.norm(quat, axis=1, keepdims=True)
    half = rng.uniform(0.05, 0.3, (count, 3))
    kind = np.arange(count) % 3
    half[kind == 1] = half[kind == 1][:, :1]
    half[kind == 2, 1] = half[kind == 2, 0]
    half[kind == 2, 2] = half[kind == 2, 0] + 0.2
    one = layout()
    shapes: Layout = replace(one, form_thing=np.zeros(count, int), form_kind=kind, form_half=half)
    from jaxphys_kernels.household.poses import turns

    turn = turns(np, quat)[None]
    pos = rng.uniform(-0.2, 0.2, (1, count, 3))
    start = np.zeros((1, 1, 3))
    low, high = adjacency.crossings(np, shapes, start, pos, turn)
    heights = np.linspace(-1.5, 1.5, 6001)
    away = np.stack([np.zeros_like(heights), np.zeros_like(heights), heights], -1)[None] - pos[0][:, None]
    local = np.einsum("gkc,gci->gki", away, turn[0])
    beyond = np.maximum(np.abs(local[..., 2]) - np.where(kind == 1, 0, half[:, 2] - half[:, 0])[:, None], 0)
    ball = np.hypot(np.hypot(local[..., 0], local[..., 1]), beyond) <= half[:, :1]
    within = np.where((kind == 0)[:, None], (np.abs(local) <= half[:, None]).all(-1), ball)
    step = heights[1] - heights[0]
    hits = 0
    for g in range(count):
        inside = heights[within[g]]
        if len(inside) > 2:
            hits += 1
            assert abs(low[0, 0, g] - inside[0]) <= step
            assert abs(high[0, 0, g] - inside[-1]) <= step
        elif not len(inside):
            assert not low[0, 0, g] < high[0, 0, g] - step
    assert hits > 20
