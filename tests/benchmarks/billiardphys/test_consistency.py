"""Answers to differently shown pictures, compared about the scene."""

import json

import pytest

from jaxphys_benchmarks.billiardphys.baselines import baselines
from jaxphys_benchmarks.billiardphys.consistency import agree
from jaxphys_benchmarks.billiardphys.parse import parse
from jaxphys_benchmarks.billiardphys.perturb import STYLES
from jaxphys_benchmarks.billiardphys.score import score
from jaxphys_benchmarks.groups import consistency
from jaxphys_benchmarks.protocol import Reply
from tests.benchmarks.billiardphys.answers import MISSING, balls, places, questions, scene, truth, walls


@pytest.mark.parametrize("name", ["oracle", "static", "no_contact"])
@pytest.mark.parametrize("style", STYLES)
def test_what_knows_the_scene_answers_every_style_alike(style: str, name: str) -> None:
    spec, labels, answerer = scene(), truth(), baselines()[name]
    plain, shown = questions(spec), questions(spec, style)
    found = {}
    for look, asked in (("plain", plain), ("other", shown)):
        found[look] = [parse(q, Reply(answerer(spec, labels, q, 0))) for q in asked.values()]
    metrics = consistency(agree, zip(plain.values(), found["plain"], found["other"], strict=True))
    assert [metrics[f"{task}/consistent"] for task in plain] == [1.0] * 3
    for question, first, second in zip(shown.values(), found["plain"], found["other"], strict=True):
        assert score(question, labels, second).values == pytest.approx(score(question, labels, first).values, abs=1e-3)


def test_a_reply_that_ignores_the_mirror_is_inconsistent() -> None:
    reply = Reply(json.dumps(walls("LEFT").value))
    first = parse(questions()["task2"], reply)
    second = parse(questions(style="mirror_x")["task2"], reply)
    looks = [(questions()["task2"], first, second)]
    assert consistency(agree, looks) == {"task2/consistent": 0.0, "task2/compared": 1.0}


def test_places_agree_within_a_radius_and_missing_answers_are_not_compared() -> None:
    asked = questions()
    near = places((0.51, 0.5), (1.0, 0.52), (1.5, 0.5), None)
    far = places((0.54, 0.5), (1.0, 0.52), (1.5, 0.5), None)
    base = places((0.5, 0.5), (1.0, 0.5), (1.5, 0.5), None)
    metrics = consistency(agree, [(asked["task3"], base, other) for other in (near, far, MISSING)])
    assert metrics == {"task3/consistent": 0.5, "task3/compared": 2.0}
    assert consistency(agree, [(asked["task1"], MISSING, balls("T", "F", "F"))]) == {}
    with pytest.raises(ValueError, match="task1: an answer is missing"):
        agree(asked["task1"], MISSING, balls("T", "F", "F"))
