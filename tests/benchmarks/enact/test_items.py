"""Questions: true answers, shuffles, ids, paths of both directions, and the same in every process."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from jaxphys_benchmarks.enact import compat, items, parsing, prompts, strict
from jaxphys_benchmarks.enact.baselines import baselines
from jaxphys_benchmarks.enact.config import EnactConfig, Qa
from jaxphys_benchmarks.enact.items import Item
from jaxphys_benchmarks.enact.text_matcher import order_of
from tests import enact_worlds

TASKS = {
    f"{name}_{1_700_000_000_000_000 + k}": k for k, name in enumerate(("chop_an_onion", "bringing_water", "store"))
}
CONFIG = EnactConfig(qa=Qa(samples_per_activity_L=6, inverse_cap=4, lengths=(3, 4, 6)))
WORLDS = {task: enact_worlds.episode(enact_worlds.random_world(40 + seed, frames=10)) for task, seed in TASKS.items()}
KEY_FRAMES = {task: world.frames for task, world in WORLDS.items()}


@pytest.fixture(scope="module")
def made() -> Sequence[Item]:
    return list(items.questions(WORLDS, KEY_FRAMES, CONFIG))


def test_both_modes_accept_the_truth_of_every_question(made: Sequence[Item]) -> None:
    for item in made:
        world = WORLDS[item.task_name]
        order = parsing.compat(str(list(item.gt_answer)), len(item.gt_answer))
        assert order is not None
        assert compat.judge(item.asked, order, world).metrics() == {
            "exact_match": True,
            "semantic_match": True,
            "task_accuracy": True,
            "pairwise_accuracy": 1.0,
        }
        assert strict.judge(item.asked, order, world).semantic


def test_every_action_has_one_to_five_sentences(made: Sequence[Item]) -> None:
    for item in made:
        actions = prompts.actions_of(item.question)
        assert len(actions) == len(item.key_frame_ids) - 1
        assert all(1 <= action.count(".") <= 5 and action.endswith(".") for action in actions)


def test_ids_types_and_images(made: Sequence[Item]) -> None:
    assert len({item.id for item in made}) == len(made)
    for item in made:
        length = len(item.key_frame_ids)
        direction = "inverse" if item.inverse else "forward"
        assert item.type == f"{direction}_world_modeling_ordering_{length}_steps"
        digest = hashlib.sha256("_".join(item.key_frame_ids).encode()).hexdigest()[:8]
        assert item.id == f"{item.task_name}_{item.type}_{digest}"
        folder = f"QA/images/{item.type}/{item.task_name}/{item.id}"
        assert item.images == (
            f"{folder}_cur_state.png",
            *(f"{folder}_next_state_{k}.png" for k in range(1, length)),
        )
        assert sorted(item.gt_answer) == list(range(1, length))


def test_both_directions_use_the_same_paths(made: Sequence[Item]) -> None:
    paths = {
        inverse: [(item.task_name, item.key_frame_ids) for item in made if item.inverse == inverse]
        for inverse in (False, True)
    }
    assert set(paths[True]) < set(paths[False])
    assert max(Counter((task, len(frames)) for task, frames in paths[True]).values()) == CONFIG.qa.inverse_cap
    lengths = [len(frames) for _, frames in paths[False]]
    assert lengths == sorted(lengths)


def test_what_is_shown_is_what_the_answer_orders(made: Sequence[Item]) -> None:
    for item in made:
        shown = item.shown()
        assert [label for _, label in shown] == [
            "Current State",
            *(f"Next State {k + 1}" for k in range(len(shown) - 1)),
        ]
        frames = [frame for frame, _ in shown]
        assert frames[0] == item.key_frame_ids[0]
        if item.inverse:
            assert tuple(frames) == item.key_frame_ids
        else:
            assert tuple(frames[k] for k in (0, *item.gt_answer)) == item.key_frame_ids


def test_shuffles_of_three_are_all_met(made: Sequence[Item]) -> None:
    rng = np.random.default_rng(0)
    task, world = next(iter(WORLDS.items()))
    frames = world.frames
    drawn = Counter(
        items.make(
            task, [frames[k] for k in sorted(rng.choice(10, 4, replace=False))], world, inverse=False, seed=s
        ).gt_answer
        for s in range(300)
    )
    assert len(drawn) == 6
    assert min(drawn.values()) > 25


def test_of_equal_actions_each_takes_the_first_free_place() -> None:
    world = enact_worlds.golden("flipflop")
    for seed in range(30):
        item = items.make("flip_0000000000000001", ["0", "10", "20", "30"], world, inverse=True, seed=seed)
        listed, (first, _, third) = prompts.actions_of(item.question), item.gt_answer
        assert listed[first - 1] != listed[third - 1] or first < third


def test_questions_say_how_to_answer(made: Sequence[Item]) -> None:
    forward, inverse = (next(item.question for item in made if item.inverse == which) for which in (False, True))
    for text, heading in ((forward, "Actions in Order"), (inverse, "Shuffled Actions")):
        places = [text.index(part) for part in ("You are a capable agent", "Your Task", "Output Format", heading)]
        assert places == sorted(places)
        assert "only with a Python list of integers" in text
    assert "\n6. " in forward
    assert "\n4. " not in inverse


def test_braces_and_percent_signs_in_actions_are_plain_text() -> None:
    actions = ("The {x} is 100 % now", "A {actions} stopped being {0}.")
    assert prompts.actions_of(prompts.question(actions, inverse=True)) == actions
    assert prompts.actions_of("[Action 2] b\n[Action 1] a") == ()
    assert prompts.actions_of("") == ()


SCRIPT = """
import json, sys
from tests.benchmarks.enact.test_items import CONFIG, KEY_FRAMES, WORLDS
from jaxphys_benchmarks.enact import items
print(json.dumps([item.record() for item in items.questions(WORLDS, KEY_FRAMES, CONFIG)]))
"""


def test_questions_are_the_same_in_every_process(made: Sequence[Item]) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "7", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env=environment)
    assert json.loads(done.stdout) == [item.record() for item in made]


def test_a_seed_changes_the_questions(made: Sequence[Item]) -> None:
    other = CONFIG.model_copy(update={"qa": CONFIG.qa.model_copy(update={"seed": 43})})
    assert [item.record() for item in items.questions(WORLDS, KEY_FRAMES, other)] != [item.record() for item in made]


def test_baselines(made: Sequence[Item]) -> None:
    exact = {}
    for name, answerer in baselines().items():
        verdicts = []
        for item in made:
            reply = answerer(item, 0)
            assert reply == answerer(item, 0)
            order = parsing.strict(reply)
            assert order is not None
            verdicts.append(strict.judge(item.asked, order, WORLDS[item.task_name]))
        assert not any(one.reason for one in verdicts)
        exact[name] = sum(one.exact for one in verdicts) / len(verdicts)
    assert exact["oracle"] == 1.0
    assert max(exact["random"], exact["identity"], exact["text_matcher"]) < 0.6


def test_the_text_matcher_puts_a_grasp_before_its_end_and_a_half_after_the_whole() -> None:
    actions = (
        "The robot r1 stopped being using the right gripper to grasp the knife.",
        "The half onion now becomes the diced onion.",
        "The robot r1 becomes using the right gripper to grasp the knife. The onion now becomes the half onion.",
        "The table changes to be covered by the diced onion.",
    )
    assert order_of(actions) == [2, 0, 1, 3]
    merged = (
        "The table is no longer covered by the sauce.",
        "The ketchup, and the onion now turn into the sauce.",
        "The onion becomes open.",
    )
    assert order_of(merged) == [2, 1, 0]
    assert order_of(("", "nothing to see", "The fridge is no longer open.")) == [0, 1, 2]
