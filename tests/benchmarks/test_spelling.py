"""Names that are meant by others."""

import pytest

from jaxphys_benchmarks import spelling


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("aple", ["apple", "apple_pie"]),
        ("onin", ["vidalia_onion", "half_vidalia_onion"]),
        ("staple", ["stapler", "apple"]),
        ("volcano", []),
    ],
)
def test_the_most_likely_name_comes_first(name: str, near: list[str]) -> None:
    known = ("half_vidalia_onion", "apple", "stapler", "apple_pie", "vidalia_onion", "kettle")
    assert spelling.nearest(name, known, 2) == near


def test_what_there_is_is_told_with_and_without_a_guess() -> None:
    assert spelling.choose("enakt", ("enact", "inphyre")) == "did you mean enact? There are enact, inphyre"
    assert spelling.choose("chess", ("enact", "inphyre")) == "choose one of enact, inphyre"
