"""What changes between two frames: stored signature lists, and the rules of visibility, guard, parents and words."""

import itertools
from typing import Any

import numpy as np
import pytest

from jaxphys_benchmarks.enact.atoms import Change, OrphanSystem
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.phrases import ADD_VERBS, BINARY, NO_CHANGE, REMOVE_VERBS, UNARY
from tests.enact_worlds import cases, episode, golden, random_world, seen


def node(name: str, category: str, *states: str, pixels: int = 500, **more: Any) -> dict[str, Any]:
    return {"name": name, "category": category, "states": list(states), "visibility": seen(pixels), **more}


def frames(*nodes: list[dict[str, Any]], edges: tuple[list[tuple[str, str, str]], ...] = ()) -> Episode:
    """Frames "0", "1", ... of these nodes and edges."""
    rows = [[{"from": a, "to": b, "states": [state]} for a, b, state in links] for links in edges]
    rows += [[]] * (len(nodes) - len(rows))
    return episode({str(k): {"type": "full", "nodes": n, "edges": rows[k]} for k, n in enumerate(nodes)})


SIGNED = [case for case in cases()["evaluation_cases"] if case.get("reference_visible_both")]


@pytest.mark.parametrize("case", SIGNED, ids=lambda case: case["id"])
def test_stored_signatures(case: dict[str, Any]) -> None:
    world, ids = golden(case["world"]), case["key_frame_ids"]
    steps = list(itertools.pairwise(ids))
    assert [sorted(world.partial(i, j)) for i, j in steps] == case["reference_visible_both"]
    assert [sorted(world.full(i, j)) for i, j in steps] == case["reference_visible_either"]


def test_there_are_26_phrases() -> None:
    assert len(UNARY) + len(BINARY) == 26


def test_seen_is_strictly_more_than_the_least_share() -> None:
    fridges = [[node("fridge_0", "fridge", *states, pixels=p)] for states, p in (((), 14), (("Open",), 14), ((), 13))]
    world = frames(*fridges)
    assert world.partial("0", "1") == {"node_add_the fridge_Open"}
    assert world.partial("1", "2") == frozenset()
    assert world.full("1", "2") == {"node_remove_the fridge_Open"}


def test_an_object_that_came_is_told_where_either_frame_shows_it() -> None:
    onion, half = node("onion_1", "onion"), node("half_onion_2", "half_onion", parent=["onion_1"])
    world = frames([onion], [half])
    assert world.partial("0", "1") == {"node_transition_from_the onion_to_the half onion"}
    assert world.partial("1", "0") == frozenset()  # nothing is said of what an onion came from


def test_two_of_a_category_are_ambiguous_but_systems_are_not() -> None:
    plates = [
        [node("plate_1", "plate", *a), node("plate_2", "plate", *b)] for a, b in (((), ()), (("Open",), ("Open",)))
    ]
    assert frames(*plates).partial("0", "1") == frozenset()
    pools = [
        [node("water", "System", *a), node("oil", "System", *b)] for a, b in (((), ()), (("Cooked",), ("Frozen",)))
    ]
    assert frames(*pools).partial("0", "1") == {"node_add_the water_Cooked", "node_add_the oil_Frozen"}


def test_an_ambiguous_object_takes_its_edges_along() -> None:
    things = [node("plate_1", "plate"), node("plate_2", "plate"), node("sink_0", "sink")]
    world = frames(things, things, edges=([], [("plate_1", "sink_0", "OnTop"), ("plate_2", "sink_0", "OnTop")]))
    assert world.partial("0", "1") == frozenset()


def test_a_hidden_twin_makes_nothing_ambiguous() -> None:
    states = ((), ("Open",))
    world = frames(*([node("box_1", "box", *s), node("box_2", "box", *s, pixels=0)] for s in states))
    assert world.partial("0", "1") == {"node_add_the box_Open"}


def test_states_of_an_added_object_are_not_told() -> None:
    assert frames([], [node("apple_1", "apple", "Cooked")]).partial("0", "1") == frozenset()


def test_edges_of_an_object_that_went_are_removed() -> None:
    table, cup = node("table_0", "table"), node("cup_1", "cup")
    world = frames([table, cup], [table], edges=([("cup_1", "table_0", "OnTop")], []))
    assert world.partial("0", "1") == {"edge_remove_the cup_the table_OnTop"}


def test_an_orphan_system_is_an_error_or_parentless() -> None:
    world = frames([], [node("diced__tomato", "System", parent=["tomato"])])
    for ask in (world.partial, world.full):
        with pytest.raises(OrphanSystem, match=r"frames 0 to 1: the system 'diced__tomato'.*'tomato'"):
            ask("0", "1")
    assert world.partial_free("0", "1") == world.full_free("0", "1") == frozenset()
    assert world.partial("1", "0") == frozenset()


def test_parents_of_systems() -> None:
    halves = [node(f"half_onion_{k}", "half_onion", parent=["onion_5"]) for k in (6, 7)]
    diced = node("diced__onion", "System", parent=["onion"])
    cooked = node("cooked__diced__onion", "System", parent=["diced__onion"])
    whole = node("onion_5", "onion")
    world = frames(halves, [diced], [cooked], [whole], [whole, cooked])
    assert world.partial("0", "1") == {"node_transition_from_the half onion_to_the diced onion"}
    assert world.partial("3", "1") == {"node_transition_from_the onion_to_the diced onion"}
    assert world.partial("1", "2") == {"node_transition_from_the diced onion_to_the cooked diced onion"}
    assert world.partial("3", "4") == {"node_transition_from_the diced onion_to_cooked"}


def test_an_edge_of_an_object_that_no_frame_lists_is_not_told() -> None:
    cup = [node("cup_1", "cup")]
    world = frames(cup, cup, edges=([], [("cup_1", "ghost_2", "OnTop")]))
    assert world.change("0", "1", "full") == Change()
    assert world.partial("0", "1") == frozenset()


def test_a_missing_frame_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        golden("kitchen").partial("0", "12345")


def test_a_frame_id_must_be_a_number() -> None:
    with pytest.raises(ValueError, match="decimal numbers, not 'x'"):
        Episode({"x": golden("kitchen").graphs["0"]})


def test_sentences() -> None:
    rng = np.random.default_rng(0)
    world = golden("cutting")
    said = world.sentence_list("10", "20", rng)
    assert len(said) == 2
    assert said[0] in {f"the vidalia onion {verb} on top of and touching the cutting board" for verb in REMOVE_VERBS}
    assert said[1] == "the vidalia onion now becomes the half vidalia onion"
    text = golden("kitchen").sentences("0", "100", rng)
    assert text in {f"The fridge {verb} open." for verb in ADD_VERBS}
    assert golden("kitchen").sentences("0", "0", rng) == NO_CHANGE
    assert golden("unmapped").wordless("0", "10")
    assert golden("unmapped").sentences("0", "10", rng) == ""
    assert not golden("kitchen").wordless("0", "0")


def test_transitions_from_several_objects_and_to_cooked_are_said() -> None:
    soup = node("soup_1", "soup", parent=["carrot_1", "onion_2"])
    bacon = node("cooked__bacon", "System", parent=["bacon"])
    world = frames([node("carrot_1", "carrot"), node("onion_2", "onion")], [soup], [soup, bacon])
    rng = np.random.default_rng(0)
    assert world.sentences("0", "1", rng) == "The carrot, and the onion now turn into the soup."
    assert world.sentences("1", "2", rng) == "The bacon is now cooked."


def test_the_verbs_hang_on_the_seed_and_all_occur() -> None:
    world = golden("kitchen")
    texts = [world.sentences("0", "100", np.random.default_rng(k)) for k in range(60)]
    assert texts == [world.sentences("0", "100", np.random.default_rng(k)) for k in range(60)]
    assert {text.removeprefix("The fridge ").removesuffix(" open.") for text in texts} == set(ADD_VERBS)


def test_random_worlds_swap_additions_and_removals() -> None:
    """State atoms of the way back are those of the way there with the polarity turned."""
    turned = {"add": "remove", "remove": "add"}
    for seed in range(10):
        world = episode(random_world(seed, orphans=False))
        for i in world.frames:
            for j in world.frames:
                there, back = (world.change(*pair, which="full", orphans="parentless") for pair in ((i, j), (j, i)))
                assert {(turned[a.polarity], a.source, a.target, a.state) for a in there.edges} == {
                    (a.polarity, a.source, a.target, a.state) for a in back.edges
                }
                both, either = world.change(i, j, orphans="parentless"), there
                assert set(both.states) <= set(either.states)
                assert set(both.edges) <= set(either.edges)
