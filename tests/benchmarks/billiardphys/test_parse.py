"""What counts as an answer: public cases by id, strictness, repairs, and noise."""

import json
import random
from typing import Any

import pytest

from jaxphys_benchmarks.billiardphys.parse import parse
from jaxphys_benchmarks.extract import MAX_REPAIRS, UNFINISHED
from jaxphys_benchmarks.protocol import EXTRACTORS, Answer, Question, Reply
from jaxphys_kernels.billiards.model import WALLS
from tests.support import cases

CASES = {name: case for name, case in cases("queries").items() if name.startswith("json-")}


def question(kind: str = "balls", **reads: Any) -> Question:
    defaults: dict[str, dict[str, Any]] = {
        "balls": {"key": "answers", "ids": [1, 2, 3]},
        "walls": {"key": "Q2", "walls": list(WALLS)},
        "positions": {"key": "predictions", "ids": list(range(7)), "size": [2.0, 1.0]},
    }
    return Question("s/task", "s", "task", "", "", None, True, reads={"kind": kind, **defaults[kind], **reads})


def read(asked: Question, text: str, extractor: str = "robust", finish: str = "stop") -> Answer:
    return parse(asked, Reply(text, finish), extractor=extractor)


def run_case(name: str) -> dict[str, Answer]:
    case = CASES[name]["input"]
    asked = question("balls" if case["schema"].startswith("Q1") else "positions")
    return {extractor: read(asked, case["reply"], extractor) for extractor in EXTRACTORS}


@pytest.mark.parametrize("name", ["json-code-fence", "json-backticks-in-string"])
def test_valid_replies_are_read_alike_in_all_modes(name: str) -> None:
    for answer in run_case(name).values():
        assert (answer.status, answer.value) == ("ok", CASES[name]["expected"]["parsed"])


def test_json_braces_in_prose() -> None:
    answers, expected = run_case("json-braces-in-prose"), CASES["json-braces-in-prose"]["expected"]
    assert answers["paper"].status == "invalid"
    assert "not JSON" in answers["paper"].reason
    assert answers["robust"].value == answers["lenient"].value == expected["recommended"]


def test_json_trailing_commas() -> None:
    answers, expected = run_case("json-trailing-commas"), CASES["json-trailing-commas"]["expected"]
    assert answers["paper"].status == answers["robust"].status == "invalid"
    assert answers["lenient"].value == expected["lenient"]
    assert answers["lenient"].repairs == ("removed a trailing comma",)


@pytest.mark.parametrize("name", ["json-truncated-balanced-inner", "json-think-unclosed"])
def test_unfinished_replies_are_no_answer_in_all_modes(name: str) -> None:
    for answer in run_case(name).values():
        assert (answer.status, answer.value) == (CASES[name]["expected"]["status"], None)


def test_json_bool_and_words() -> None:
    answers, expected = run_case("json-bool-and-words"), CASES["json-bool-and-words"]["expected"]
    assert answers["paper"].status == answers["robust"].status == "invalid"
    assert answers["lenient"].value == expected["parsed"]
    assert len(answers["lenient"].repairs) == 4  # three answers and one id


def test_json_think_draft() -> None:
    answers, expected = run_case("json-think-draft"), CASES["json-think-draft"]["expected"]
    assert answers["robust"].value == answers["lenient"].value == expected["parsed"]
    assert answers["paper"].value != expected["parsed"]  # as published: the first object, which is the draft


@pytest.mark.parametrize("name", ["json-q3-duplicate-id", "json-q3-out-of-range", "json-q3-all-null"])
def test_invalid_positions_name_the_fault_in_all_modes(name: str) -> None:
    expected = CASES[name]["expected"]
    for answer in run_case(name).values():
        assert (answer.status, answer.reason) == (expected["status"], expected["reason"])


def test_json_q3_string_numbers() -> None:
    answers, expected = run_case("json-q3-string-numbers"), CASES["json-q3-string-numbers"]["expected"]
    assert answers["paper"].status == answers["robust"].status == expected["strict"]
    assert answers["lenient"].status == "ok"
    assert answers["lenient"].value is not None
    assert answers["lenient"].value["predictions"][0] == {"id": 0, "pos": [0.2, 0.5]}


def test_json_two_objects() -> None:
    answers, expected = run_case("json-two-objects"), CASES["json-two-objects"]["expected"]
    assert answers["paper"].value == expected["first_balanced_policy"]
    assert answers["robust"].value == answers["lenient"].value != expected["first_balanced_policy"]


def test_every_case_is_tested() -> None:
    assert len(CASES) == 13


def flags(*answers: Any, ids: Any = (1, 2, 3)) -> str:
    return json.dumps({"answers": [{"id": i, "answer": a} for i, a in zip(ids, answers, strict=True)]})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (flags("T", "F", "F", ids=(1, 2, 2)), "duplicate id 2, missing 3"),
        (flags("T", "F", ids=(1, 2)), "missing id 3"),
        (flags("T", "F", "F", ids=(1, 2, 7)), "unknown id 7, missing 3"),
        (flags("T", "F", "F", ids=(True, 2, 3)), "id True is not a whole number"),
        (flags("T", "F", "F", ids=(1.0, 2, 3)), "id 1.0 is not a whole number"),
        (flags("T", "F", "t"), "id 3: answer 't' is not T or F"),
        (flags("T", "F", None), "id 3: answer None is not T or F"),
        (flags("T", "F", ["T"]), "id 3: answer list is not T or F"),
        ('{"answers": {"1": "T"}}', "'answers' is not a list"),
        ('{"Q1": []}', "no key 'answers'"),
        ('{"answers": ["T", "F", "F"]}', "an entry has no 'id'"),
        ('{"answers": [{"answer": "T"}]}', "an entry has no 'id'"),
    ],
)
def test_flags_are_strict(text: str, reason: str) -> None:
    for extractor in ("paper", "robust"):
        answer = read(question(), text, extractor)
        assert (answer.status, answer.reason) == ("invalid", reason)


@pytest.mark.parametrize(
    ("said", "flag"),
    [
        (True, "T"), ("true", "T"), (" TRUE. ", "T"), ("Yes", "T"), ("t", "T"), ("t.", "T"), (1, "T"),
        (False, "F"), ("False", "F"), ("no", "F"), ("NO.", "F"), ("f", "F"), (0, "F"),
    ],
)  # fmt: skip
def test_lenient_reads_words_of_one_meaning(said: Any, flag: str) -> None:
    answer = read(question(), flags(said, "F", "T"), "lenient")
    assert answer.value is not None
    assert answer.value["answers"][0] == {"id": 1, "answer": flag}
    assert answer.repairs[0].startswith("id 1: read answer")


@pytest.mark.parametrize("said", ["maybe", "", None, 2, 1.0, 0.5, "1", "T or F", "true false", "not", [], {}, "TT"])
def test_lenient_never_guesses(said: Any) -> None:
    assert read(question(), flags(said, "F", "T"), "lenient").status == "invalid"


def test_lenient_drops_an_unknown_id_and_says_so() -> None:
    text = flags("T", "F", "F", "nonsense", ids=(1, 2, 3, 9))
    assert read(question(), text, "robust").reason == "unknown id 9"
    answer = read(question(), text, "lenient")
    assert answer.status == "ok"
    assert answer.repairs == ("dropped unknown id 9",)
    assert read(question(), flags("T", "F", "F", ids=(1, 2, 2)), "lenient").status == "invalid"


def test_the_log_of_repairs_is_bounded() -> None:
    text = flags("T", "F", "F", *["F"] * 5000, ids=(1, 2, 3, *range(10, 5010)))
    answer = read(question(), text, "lenient")
    assert answer.status == "ok"
    assert len(answer.repairs) == MAX_REPAIRS
    strict = read(question(), text, "robust")
    assert strict.status == "invalid"
    assert len(strict.reason) < 300


def test_a_bare_list_is_an_answer_to_tasks_1_and_2_only() -> None:
    balls = '[{"id": 3, "answer": "F"}, {"id": 1, "answer": "T"}, {"id": 2, "answer": "F"}]'
    assert read(question(), balls).value == json.loads(flags("T", "F", "F"))
    assert read(question(), balls, "paper").status == "invalid"
    walls = json.dumps([{"wall": wall, "answer": "F"} for wall in WALLS])
    assert read(question("walls"), walls).status == "ok"
    places = json.dumps([{"id": ball, "pos": [1, 0.5]} for ball in range(7)])
    assert read(question("positions"), places).status != "ok"


def walls(names: Any) -> str:
    return json.dumps({"Q2": [{"wall": name, "answer": "T"} for name in names]})


def test_walls_are_strict_and_come_back_in_order() -> None:
    answer = read(question("walls"), walls(reversed(WALLS)))
    assert answer.value == json.loads(walls(WALLS))
    assert read(question("walls"), walls(WALLS[:3])).reason == "missing wall RIGHT"
    assert read(question("walls"), walls((*WALLS, "TOP"))).reason == "duplicate wall TOP"
    assert read(question("walls"), walls((*WALLS[:3], "EAST"))).reason == "unknown wall 'EAST', missing RIGHT"
    assert read(question("walls"), walls((*WALLS[:3], 4))).status == "invalid"


def places(value: Any) -> str:
    rest = ", ".join(f'{{"id": {ball}, "pos": [1, 0.5]}}' for ball in range(1, 7))
    return f'{{"predictions": [{{"id": 0, "pos": {value}}}, {rest}]}}'


@pytest.mark.parametrize(
    ("value", "pos"),
    [("[0, 0]", [0, 0]), ("[2, 1.0]", [2, 1]), ("[0.12345678, 5e-1]", [0.12345678, 0.5]), ("null", None)],
)
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_positions_within_the_table(value: str, pos: Any, extractor: str) -> None:
    answer = read(question("positions"), places(value), extractor)
    assert answer.value is not None
    assert answer.value["predictions"][0] == {"id": 0, "pos": pos}


@pytest.mark.parametrize(
    "value",
    [
        "[NaN, 0.5]", "[1, Infinity]", "[1, 1e999]", "[true, 0.5]", "[1, false]", "[1, null]", "[1]", "[1, 0.5, 0]",
        '"1, 0.5"', '{"x": 1, "y": 0.5}', "[-0.001, 0.5]", "[1, 1.0001]", "[" + "9" * 4000 + ", 0.5]",
        "[" + "9" * 5000 + ", 0.5]", "[[1], [0.5]]", "[]", "1", '["a", 0.5]', '["nan", 0.5]', '["1e999", 0.5]',
    ],
)  # fmt: skip
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_other_positions_are_invalid(value: str, extractor: str) -> None:
    answer = read(question("positions"), places(value), extractor)
    assert (answer.status, answer.value) == ("invalid", None)
    assert 0 < len(answer.reason) < 300


@pytest.mark.parametrize("finish", UNFINISHED)
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_a_reply_that_did_not_finish_is_no_answer_even_if_it_looks_whole(finish: str, extractor: str) -> None:
    answer = read(question(), flags("T", "F", "F"), extractor, finish)
    assert (answer.status, answer.value) == (UNFINISHED[finish][0], None)
    assert answer.reason


BACK = {
    "ids": [0, 2, 3, 1],
    "walls": {"TOP": "TOP", "BOTTOM": "BOTTOM", "LEFT": "RIGHT", "RIGHT": "LEFT"},
    "offset": [2.0, 0.0],
    "sign": [-1.0, 1.0],
}


def test_answers_about_a_mirrored_picture_are_about_the_scene() -> None:
    answer = read(question("walls", back=BACK), json.dumps({"Q2": [
        {"wall": wall, "answer": "T" if wall == "LEFT" else "F"} for wall in WALLS]}))  # fmt: skip
    assert answer.value == {"Q2": [{"wall": wall, "answer": "T" if wall == "RIGHT" else "F"} for wall in WALLS]}
    answer = read(question(back=BACK), flags("T", "F", "F"))
    assert answer.value == json.loads(flags("F", "T", "F"))
    asked = question("positions", ids=[0, 1], back={**BACK, "ids": [0, 1]})
    answer = read(asked, '{"predictions": [{"id": 0, "pos": [0.5, 0.25]}, {"id": 1, "pos": null}]}')
    assert answer.value == {"predictions": [{"id": 0, "pos": [1.5, 0.25]}, {"id": 1, "pos": None}]}


def noise(rng: random.Random, depth: int = 0) -> Any:
    atoms: list[Any] = [
        None,
        True,
        0,
        1,
        2.5,
        -3,
        "T",
        "F",
        "id",
        "2",
        "",
        "\ud800",
        10**40,
        [],
        {},
        "TOP",
        "yes",
    ]
    if depth > 3 or rng.random() < 0.4:
        return rng.choice(atoms)
    if rng.random() < 0.5:
        return [noise(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    keys = ["id", "answer", "pos", "wall", "answers", "Q2", "predictions", "x"]
    return {rng.choice(keys): noise(rng, depth + 1) for _ in range(rng.randint(0, 4))}


def test_noise_never_crashes_the_parser() -> None:
    rng = random.Random(1)
    base = [flags("T", "F", "F"), walls(WALLS), places("[0.5, 0.5]")]
    asked = [question("balls"), question("walls"), question("positions")]
    for _ in range(3000):
        kind = rng.randrange(3)
        key = asked[kind].reads["key"]
        text = json.dumps({key: noise(rng)}) if rng.random() < 0.6 else base[kind]
        if rng.random() < 0.5:
            cut, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
            text = text[:cut] + rng.choice(["", "{", "}", '"', ",", "\\", "<think>", "NaN"]) + text[end:]
        for extractor in EXTRACTORS:
            answer = read(asked[kind], text, extractor)
            assert (answer.value is None) == (answer.status != "ok")
