"""Graphs over time: nodes that come and go, parents, facts once computed for frames that repeat."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.episodes import graphs
from jaxphys_benchmarks.enact.episodes.graphs import timeline
from jaxphys_benchmarks.enact.episodes.states import States, states_of
from jaxphys_benchmarks.enact.graph import AGENT, SYSTEM
from jaxphys_benchmarks.enact.world.house import ROBOT, House
from jaxphys_benchmarks.enact.world.layout import layout_of
from jaxphys_benchmarks.enact.world.placing import Placing
from jaxphys_kernels.household.layout import Sensed

FRAMES = 30


@pytest.fixture(scope="module")
def house() -> House:
    placing = Placing("kitchen", np.random.default_rng(4))
    counter = placing.fixture("countertop")
    board = placing.put("chopping_board", on=counter)
    onion = placing.put("vidalia_onion", on=board, at=(0.0, 0.0))
    placing.halves(onion)
    placing.system("diced__vidalia_onion", onion, count=16)
    return placing.house()


def still(house: House, frames: int = FRAMES) -> Sensed:
    """The house at rest; what stands on something touches it."""
    n, particles = len(house.placed), sum(system.count for system in house.systems)
    touching = np.zeros((frames, n, n), bool)
    for k, placed in enumerate(house.placed):
        if placed.on:
            touching[:, k, house.index(placed.on)] = touching[:, house.index(placed.on), k] = True
    return Sensed(
        pos=np.tile([placed.pos for placed in house.placed], (frames, 1, 1)),
        quat=np.tile([placed.quat for placed in house.placed], (frames, 1, 1)),
        exists=np.tile([not placed.parked for placed in house.placed], (frames, 1)),
        joint=np.zeros((frames, len(house.joints))),
        touching=touching,
        held=np.zeros((frames, 2, n), bool),
        gap=np.ones((frames, 2, n)),
        particle=np.zeros((frames, particles, 3)),
        alive=np.zeros((frames, particles), bool),
        carrier=np.full((frames, particles), -1),
        toggled=np.zeros((frames, n), bool),
        cooked=np.zeros((frames, n), bool),
    )


def cut(house: House) -> Sensed:
    """At frame 10 the onion becomes two halves, at frame 20 these become particles on the board."""
    sensed = still(house)
    onion = next(k for k, placed in enumerate(house.placed) if placed.thing.category == "vidalia_onion")
    board = next(k for k, placed in enumerate(house.placed) if placed.thing.category == "chopping_board")
    halves = [k for k, placed in enumerate(house.placed) if placed.parked]
    sensed.exists[10:, onion] = False
    for side, half in zip((-1, 1), halves, strict=True):
        sensed.pos[10:, half] = np.array(house.placed[onion].pos) + np.array([0.04 * side, 0.0, 0.0])
        sensed.exists[10:20, half] = True
        sensed.touching[10:20, half, board] = sensed.touching[10:20, board, half] = True
    sensed.alive[20:] = True
    sensed.carrier[20:] = board
    sensed.particle[20:] = np.array(house.placed[onion].pos)
    return sensed


def test_a_cut_thing_becomes_halves_and_then_a_system(house: House) -> None:
    found = timeline(house, layout_of(house), cut(house), World())
    whole, halved, diced = (found.graph(frame) for frame in (5, 15, 25))
    onion = next(name for name in whole.nodes if name.startswith("vidalia_onion"))
    halves = sorted(name for name in halved.nodes if name.startswith("half_vidalia_onion"))
    assert whole.nodes[ROBOT].category == AGENT
    assert onion not in halved.nodes
    assert [halved.nodes[name].parent for name in halves] == [(onion,), (onion,)]
    assert set(diced.nodes) == set(whole.nodes) - {onion} | {"diced__vidalia_onion"}
    assert (diced.nodes["diced__vidalia_onion"].category, diced.nodes["diced__vidalia_onion"].parent) == (
        SYSTEM,
        ("vidalia_onion",),
    )
    board = next(name for name in whole.nodes if name.startswith("chopping_board"))
    assert "OnTop" in whole.edges[onion, board]
    assert all("OnTop" in halved.edges[name, board] for name in halves)
    assert diced.edges[board, "diced__vidalia_onion"] == {"Covered"}
    assert found.counts() == {**found.counts(), "Transition": 3, "Covered": 1}


def test_frames_that_repeat_share_a_graph_and_are_computed_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    computed = vars(graphs)["facts"]

    def counted(xp: Any, layout: Any, sensed: Sensed, limits: Any) -> Any:
        rows.append(len(sensed.pos))
        return computed(xp, layout, sensed, limits)

    monkeypatch.setattr(graphs, "facts", counted)
    found = timeline(house, layout_of(house), cut(house), World())
    assert sum(rows) == 3
    shown = list(found.graphs())
    assert [frame for frame, _ in shown] == [str(k) for k in range(FRAMES)]
    assert len({id(graph) for _, graph in shown}) == 3
    for frame, graph in shown:
        assert graph == found.graph(int(frame))


def test_facts_do_not_depend_on_how_frames_are_grouped(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    sensed = cut(house)
    sensed.pos[:, -1, 0] += np.linspace(0, 1e-6, FRAMES)
    held = sensed.held.copy()
    held[3:8, 0, 3] = True
    sensed = replace(sensed, held=held, gap=np.zeros_like(sensed.gap))
    whole = timeline(house, layout_of(house), sensed, World())
    monkeypatch.setattr(graphs, "CHUNK", 4)
    parts = timeline(house, layout_of(house), sensed, World())
    assert whole.vocabulary == parts.vocabulary
    np.testing.assert_array_equal(whole.bits, parts.bits)


def test_contacts_are_told_when_asked_for(house: House) -> None:
    sensed = still(house)
    gap = sensed.gap.copy()
    gap[10:, 1, 2] = 0.0
    touched = replace(sensed, gap=gap)
    plain = timeline(house, layout_of(house), touched, World())
    assert not any(state.endswith("Contact") for *_, state in plain.vocabulary)
    told = timeline(house, layout_of(house), touched, World(), contacts=True)
    assert (ROBOT, house.placed[2].name, "RightContact") in told.vocabulary


def test_states_come_back_from_their_arrays(house: House) -> None:
    sensed = cut(house)
    kept = states_of(sensed, np.zeros((FRAMES, 7)), np.zeros((FRAMES, 2, 7)), [5, 25])
    back = States.of_arrays(kept.arrays())
    np.testing.assert_allclose(back.pos, kept.pos, atol=2e-6)
    np.testing.assert_array_equal(back.alive, kept.alive)
    assert back.ids.tolist() == [5, 25]
    with pytest.raises(ValueError, match="states: hands is missing"):
        States.of_arrays({name: array for name, array in kept.arrays().items() if name != "hands"})
    with pytest.raises(ValueError, match="states: pos does not hold 2 frames"):
        States.of_arrays({**kept.arrays(), "pos": kept.pos[:1]})
    with pytest.raises(ValueError, match="states: poses does not hold 2 frames"):
        States.of_arrays({**kept.arrays(), "poses": np.full((2, 7), np.nan)})


@pytest.mark.parametrize(
    ("name", "broken", "told"),
    [
        ("pos", np.zeros((2, 3)), "pos is float64"),
        ("particle", np.zeros((2, 1, 3)), "particle is float64"),
        ("poses", np.zeros((2, 3)), "poses is float64"),
        ("ids", np.array(["5", "25"]), "ids does not hold"),
        ("ids", np.array([25, 5]), "ids are no rising numbers"),
        ("ids", np.array([-5, 5]), "ids are no rising numbers"),
        ("toggled", np.ones((2, 4)), "toggled is float64"),
    ],
)
def test_states_that_do_not_fit_are_refused(house: House, name: str, broken: np.ndarray, told: str) -> None:
    kept = states_of(cut(house), np.zeros((FRAMES, 7)), np.zeros((FRAMES, 2, 7)), [5, 25])
    with pytest.raises(ValueError, match=f"states: {told}"):
        States.of_arrays({**kept.arrays(), name: broken})
