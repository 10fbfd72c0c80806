"""Actions as sentences, symbols and emoji, and with noise: texts change, frames, ids and answers do not."""

import numpy as np
import pytest

from jaxphys_benchmarks.enact import items, prompts
from jaxphys_benchmarks.enact.phrases import BINARY, UNARY
from jaxphys_benchmarks.enact.wordings import EMOJI, LEGENDS, NOISE_BINARY, NOISE_UNARY, Wording, noisy
from tests.enact_worlds import episode, golden, random_world

KITCHEN, FRAMES, TASK = golden("kitchen"), ["0", "100", "200"], "kitchen_1700000000000000"


def told(wording: Wording, *, inverse: bool = False) -> items.Item:
    return items.make(TASK, FRAMES, KITCHEN, inverse=inverse, wording=wording)


def test_symbols_and_emoji() -> None:
    assert prompts.actions_of(told(Wording("symbolic")).question) == (
        "+Open(fridge)",
        "+RightGrasping(robot r1, apple); -OnTop(apple, breakfast table); -Under(breakfast table, apple)",
    )
    assert prompts.actions_of(told(Wording("emoji")).question)[0] == "➕ fridge 🔓"
    cutting = items.make(TASK, ["10", "20"], golden("cutting"), inverse=False, wording=Wording("symbolic"))
    assert "Becomes(vidalia onion, half vidalia onion)" in cutting.question
    cutting = items.make(TASK, ["10", "20"], golden("cutting"), inverse=False, wording=Wording("emoji"))
    assert "vidalia onion ➡️ half vidalia onion" in cutting.question


def test_every_state_has_a_sign_of_its_own() -> None:
    assert EMOJI.keys() == {*UNARY, *BINARY}
    assert len(set(EMOJI.values())) == len(EMOJI)


@pytest.mark.parametrize("encoding", ["symbolic", "emoji"])
def test_only_the_text_depends_on_the_encoding(encoding: str) -> None:
    for inverse in (False, True):
        plain = told(Wording(), inverse=inverse).record()
        other = told(Wording(encoding), inverse=inverse).record()  # type: ignore[arg-type]
        assert LEGENDS[encoding] in other.pop("question")  # type: ignore[index]
        plain.pop("question")
        assert plain == other


def test_noise_replaces_its_share_of_the_predicates() -> None:
    world, rng = episode(random_world(3, frames=12)), np.random.default_rng(0)
    changed = total = 0
    for i in world.frames:
        for j in world.frames:
            change = world.change(i, j, orphans="parentless")
            other = noisy(change, 0.3, rng)
            assert (len(other.states), len(other.edges), other.objects) == (
                len(change.states), len(change.edges), change.objects
            )  # fmt: skip
            for kind, choices in (("states", NOISE_UNARY), ("edges", NOISE_BINARY)):
                for before, after in zip(getattr(change, kind), getattr(other, kind), strict=True):
                    total += 1
                    if before.state != after.state:
                        changed += 1
                        assert after.state in choices
    assert changed / total == pytest.approx(0.3, abs=0.05)
    assert total > 300


def test_noise_depends_on_its_seed_alone() -> None:
    texts = {seed: told(Wording("symbolic", 0.5, seed)).question for seed in range(6)}
    assert len(set(texts.values())) > 2
    assert texts[1] == told(Wording("symbolic", 0.5, 1)).question
    assert told(Wording("symbolic", 0.0, 1)).question == told(Wording("symbolic")).question


def test_bad_wordings_are_refused() -> None:
    with pytest.raises(ValueError, match="encoding: 'morse'"):
        Wording("morse")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="noise_rate: 2"):
        Wording(noise_rate=2)
