"""Whether a question shows its hazard: the gate's rule over the views and frames that were shown."""

from typing import Any

import pytest

from jaxphys_benchmarks.protocol import AskOptions, Question
from jaxphys_benchmarks.reacthuman.aggregate import aggregate
from jaxphys_benchmarks.reacthuman.benchmark import ReactHuman
from jaxphys_benchmarks.reacthuman.score import score
from jaxphys_benchmarks.reacthuman.seen import unseen
from tests.benchmarks.reacthuman.asked_scenes import ACTS, CATCH, DODGE, question, said, spec, truth

SEEN, PASSED = (90, 80, 70, 60, 0), (90, 39, 0, 0, 0)


def asked(frames: int = 5, **config: Any) -> Question:
    return question(options=AskOptions(film_frames=frames), **config)


@pytest.mark.parametrize(
    ("counted", "config", "expected"),
    [
        ({"egocentric": SEEN, "observer": PASSED}, {}, False),
        ({"egocentric": PASSED, "observer": SEEN}, {}, True),
        ({"egocentric": PASSED, "observer": SEEN}, {"views_per_query": 2}, False),
        ({"egocentric": PASSED, "observer": SEEN}, {"views": ("observer", "egocentric")}, False),
        ({"egocentric": PASSED}, {"visible_px": 39, "visible_share": 0.4}, False),
        ({"egocentric": SEEN}, {"visible_px": 100}, True),
        # Of the first, the middle and the last of five frames all must show it.
        ({"egocentric": SEEN}, {"frames": 3}, True),
        ({"egocentric": PASSED}, {"visible_px": 0}, None),
        ({"egocentric": PASSED}, {"views_per_query": 2}, None),
        ({"observer": SEEN}, {}, None),
        (None, {}, None),
    ],
    ids=str,
)
def test_a_question_shows_its_hazard_by_the_rule_of_the_gate(
    counted: Any, config: dict[str, Any], expected: bool | None
) -> None:
    shown, labels = asked(config.pop("frames", 5), **config), truth(visible_px=counted)
    assert unseen(shown, labels) is expected
    values = score(shown, labels, said(shown, ACTS[CATCH])).values
    assert values.get("unseen") == (None if expected is None else float(expected))


def test_without_pictures_nothing_is_known_of_it() -> None:
    labels = truth(visible_px={"egocentric": PASSED})
    assert unseen(question(), labels) is None
    assert unseen(question(options=AskOptions(text_only=True)), labels) is None


def test_metrics_where_the_hazard_is_seen_and_where_it_is_not() -> None:
    scores = []
    for k, (counted, action) in enumerate([(SEEN, CATCH), (SEEN, DODGE), (PASSED, DODGE), (None, CATCH)]):
        shown = question(spec(index=k, group=k), AskOptions())
        labels = truth(CATCH, visible_px=counted and {"egocentric": counted})
        scores.append(score(shown, labels, said(shown, ACTS[action])))
    metrics = aggregate(scores, draws=20)
    expected = {"unseen": 1 / 3, "saa_seen": 0.5, "saa_unseen": 0, "safety_seen": 1, "saa_seen/n": 2, "saa_unseen/n": 1}
    assert {name: metrics[f"react/{name}"] for name in expected} == pytest.approx(expected)


def test_poor_questions_are_told_before_they_are_asked() -> None:
    hidden = (asked(), truth(visible_px={"egocentric": PASSED}))
    shown = (asked(), truth(visible_px={"egocentric": SEEN}))
    (told,) = ReactHuman().cautions([hidden, shown, (question(), truth())])
    assert told.startswith("1 of 2 questions show the hazard in too few frames")
    assert ReactHuman().cautions([shown]) == ReactHuman().cautions([]) == ()
