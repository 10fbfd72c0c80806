"""Own activities: the documented file works, and mistakes are told with their place and what may stand there."""

import pathlib
import re

import pytest

from jaxphys_benchmarks.enact.activities import book, own
from jaxphys_benchmarks.enact.play.script import Cut, Pour
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec

GUIDE = pathlib.Path(__file__).parents[4] / "docs/enact_activities.md"


def documented() -> str:
    found = re.search(r"```toml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert found
    return found[1]


def test_the_documented_file_is_an_activity() -> None:
    fruit = own.read("fruit_salad", documented())
    kinds = set()
    for seed in range(8):
        house, script = fruit.make(EpisodeSpec(activity="fruit_salad", seed=seed))
        assert sum(isinstance(skill, Cut) for skill in script) == 3
        assert sum(isinstance(skill, Pour) for skill in script) == 1
        assert house.systems[0].name.startswith("diced__")
        kinds.add(house.systems[0].name)
    assert len(kinds) > 1
    with book.registered(fruit):
        assert book.activity("fruit_salad").title == "Fruit salad"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('room = "kitchen"', 'room = "kitch"', "no room is called 'kitch'; there are kitchen, living_room"),
        ('counter = "countertop"', 'counter = "bar"', "the kitchen has no 'bar'; it has fridge"),
        ('kind = "parer"', 'kind = "parrer"', "things 2, kind: no thing is called 'parrer'; known are for"),
        ('kind = "parer"', 'kind = "fridge"', "things 2, kind: 'fridge' is furniture; ask for it under `fixtures`"),
        ('name = "bowl"', 'name = "knife"', "things 4: the name 'knife' is taken; choose another"),
        ('on = "board"', 'on = "bord"', "things 3, on: there is no 'bord'; there are floor, counter, board, knife"),
        ('do = "cut"', 'do = "cuts"', "script 2: .*'take', 'place', 'move', 'cut', 'pour', 'wait'"),
        ('knife = "knife"', 'knife = "nife"', "script 2, knife: there is no 'nife'; there are floor, counter"),
        ("at = [0.1, -0.8]", "at = [0.1, -8.0]", "things 1, at 2: Input should be greater than or equal to -1"),
        ('into = "bowl"', 'into = "bowl"\nhand = "left"', "script 6, hand: Extra inputs are not permitted"),
        ('cut = "diced"', 'cut = "shred"', "things 3, cut: Input should be '', 'halved'"),
        ('title = "Fruit salad"', 'title = "Fruit salad', "this is no TOML"),
        ('do = "back"', 'do = "place"', "script 4: .*give either `on` or `into`"),
        ('do = "back"', 'do = "move"\ninto = "counter"', "nothing can be put into countertop"),
        ('do = "back"', 'do = "move"\non = "knife"', "nothing can be put on parer"),
        ('cut = "diced"', 'holds = "lava"', "no system is called 'lava'; there are water"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_by_its_place(old: str, new: str, told: str) -> None:
    text = documented()
    assert old in text
    with pytest.raises(ValueError, match=told) as raised:
        own.read("fruit_salad", text.replace(old, new, 1))
    assert str(raised.value).startswith("activity fruit_salad: ")


def test_a_name_that_no_task_can_have_is_refused() -> None:
    with pytest.raises(ValueError, match="activity name 'Fruit salad'"):
        own.read("Fruit salad", documented())


def test_two_things_of_one_kind_cannot_both_be_diced() -> None:
    text = documented()
    block = text[text.index('[[things]]\nname = "fruit"') : text.index('[[things]]\nname = "bowl"')]
    one = block.replace('["apple", "orange", "peach"]', '"apple"')
    both = text.replace(block, one + one.replace('"fruit"', '"other"').replace('"board"', '"counter"'))
    with pytest.raises(ValueError, match="something else is diced to diced__apple"):
        own.read("fruit_salad", both)
