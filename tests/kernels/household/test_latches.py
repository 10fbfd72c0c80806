"""Buttons, temperatures and cuts, frame by frame."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys_kernels.household.cuts import passes
from jaxphys_kernels.household.latches import Heating, Latches, toggle, warm

DT = 1 / 30


def fresh() -> Latches:
    return Latches(np.zeros(1, int), np.zeros(1, bool), np.full(1, 20.0), np.zeros(1, bool))


def pressed(frames: int, *, shut: bool = True, needed: int = 5) -> bool:
    state = fresh()
    for _ in range(frames):
        state = toggle(np, state, np.ones(1, bool), np.array([shut]), needed)
    return bool(state.toggled[0])


@pytest.mark.parametrize(("frames", "on"), [(4, False), (5, True), (6, True), (40, True)])
def test_a_button_flips_once_after_its_frames(frames: int, on: bool) -> None:
    assert pressed(frames) is on


def test_a_button_flips_back_after_the_finger_has_left() -> None:
    state = fresh()
    for finger in [True] * 5 + [False] + [True] * 4:
        state = toggle(np, state, np.array([finger]), np.ones(1, bool), 5)
    assert state.toggled[0]
    assert not toggle(np, state, np.ones(1, bool), np.ones(1, bool), 5).toggled[0]


def test_what_needs_to_be_closed_goes_off_when_it_is_opened() -> None:
    assert not pressed(9, shut=False)
    on = toggle(np, replace(fresh(), near=np.full(1, 4)), np.ones(1, bool), np.ones(1, bool), 5)
    assert on.toggled[0]
    assert not toggle(np, on, np.zeros(1, bool), np.zeros(1, bool), 5).toggled[0]


def test_heating_is_exact_and_what_is_cooked_stays_so() -> None:
    heating, state, frames = Heating(), fresh(), 0
    while not state.cooked[0]:
        state = warm(np, state, np.ones(1, bool), np.ones(1, bool), heating, DT)
        frames += 1
        assert state.cooked[0] == (state.temperature[0] >= 70)
        exact = 180 + (20 - 180) * np.exp(-frames * DT / heating.time)
        assert state.temperature[0] == pytest.approx(exact, rel=1e-12)
    for _ in range(9000):
        state = warm(np, state, np.zeros(1, bool), np.ones(1, bool), heating, DT)
    assert state.cooked[0]
    assert state.temperature[0] == pytest.approx(20, abs=1)
    raw = warm(np, fresh(), np.ones(1, bool), np.zeros(1, bool), Heating(time=1e-3), DT)
    assert not raw.cooked[0]
    # Just below and at the temperature of cooking.
    for start, done in ((69.9, False), (70.0, True)):
        held = Latches(np.zeros(1, int), np.zeros(1, bool), np.full(1, start), np.zeros(1, bool))
        still = Heating(source=start, ambient=start)
        assert bool(warm(np, held, np.ones(1, bool), np.ones(1, bool), still, DT).cooked[0]) is done


@pytest.mark.parametrize(
    ("height", "aside", "fall", "cut"),
    [
        (0.0, 0.0, 0.3, True),
        (0.2, 0.0, 0.3, False),
        (0.0, 0.2, 0.3, False),
        (0.0, 0.0, 0.01, False),
        (0.04, 0.0, 0.3, False),
    ],
)
def test_an_edge_cuts_what_it_passes_through_at_speed(height: float, aside: float, fall: float, cut: bool) -> None:
    edge = np.array([[-0.1, aside, height], [0.1, aside, height]])
    before = edge + np.array([0.0, 0.0, fall * DT])
    half, middle = np.array([0.04, 0.05, 0.05]), np.zeros(3)
    for angle in (0.0, 0.5):
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        for xp in (np, jnp):
            old, new, mid, reach, matrix = (
                xp.asarray(value, dtype=float) for value in (before, edge, middle, half, turn)
            )
            assert bool(passes(xp, old, new, mid, reach, matrix, DT, 0.1)) is cut
