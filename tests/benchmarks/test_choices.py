"""Which option a reply chooses: public cases by id, traps, repairs, floods and noise."""

import random
import time

import pytest

from jaxphys_benchmarks.choices import Choice, read
from jaxphys_benchmarks.protocol import EXTRACTORS
from tests.support import cases

CASES = {name: case for name, case in cases("choices").items() if "reply" in case["input"]}
OPTIONS = {
    "A": "its speed increases",
    "B": "its speed decreases",
    "C": "cannot be determined",
    "D": "its speed does not change",
}
FLOOD = 300_000
SECONDS = 30.0
"""Linear time takes seconds on a slow, busy core; quadratic time takes hours."""


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("mode", EXTRACTORS)
def test_public_cases(name: str, mode: str) -> None:
    case = CASES[name]
    assert read(case["input"]["reply"], case["input"]["options"], mode=mode).letter == case["expected"]["choice"]


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("**B**", "B"),
        ("(B)", "B"),
        ("[B]", "B"),
        ("`B`", "B"),
        ('"B)"', "B"),
        ("b.", "B"),
        ("Ｂ", "B"),
        ("Option D", "D"),
        ("B. its speed decreases", "B"),
        ("(b): Its speed decreases!", "B"),
        ('"Its  speed decreases."', "B"),
        ("Answer: D", "D"),
        ("Answer：Ｄ", "D"),
        ("Answer (A-D): C", "C"),
        ("ANSWER = D", "D"),
        ("Ans: D", "D"),
        ("**Answer:** C", "C"),
        ("**Final answer**: The correct option is **C**.", "C"),
        ("Answer: the answer is C", "C"),
        ('{"answer": "C"}', "C"),
        ('{"choice": "C", "why": "A is slower"}', "C"),
        ('{"final_answer": ["C"]}', "C"),
        ("answer_letter: C", "C"),
        ("<answer>C</answer>", "C"),
        ("The answer is \\(C\\).", "C"),
        ("\\[\\boxed{\\textbf{(C)}}\\]", "C"),
        ("I am choosing C.", "C"),
        ("Option B: its speed decreases", "B"),
        ("B - its speed decreases", "B"),
        ("B its speed decreases", "B"),
        ("Let me explain.\n\nB) its speed decreases", "B"),
        ("The answer is 'B'.", "B"),
        ("The answer is $\\boxed{\\text{B}}$", "B"),
        ("\\boxed{\\text{B. its speed decreases}}", "B"),
        ("\\boxed{its speed decreases}", "B"),
        ("The correct answer would be D) its speed does not change", "D"),
        ("The answer to the question is most likely B", "B"),
        ("The answer: its speed decreases.", "B"),
        ("Therefore, the answer is **B. its speed decreases**.", "B"),
        ("I would go with (D).", "D"),
        ("I choose option C, not A.", "C"),
        ("Option B is the correct one, A is not.", "B"),
        ("Option B is the correct answer, A is not.", "B"),
        ("A is not correct, B is correct", "B"),
        ("The answer is A because it is not pushed.", "A"),
        ("Answer: A\nA collision is elastic.", "A"),
        ("The answer is B and A is wrong.", "B"),
        ("My first guess was A. Answer: C. I am sure.", "C"),
        ("Answer: A. Let me check. Answer: B", "B"),
        ("If the answer is A, momentum is lost, so the answer is B.", "B"),
        ("Momentum is not conserved, so the answer is B.", "B"),
        ("I am not certain, but the answer is B.", "B"),
        ("<think>Answer: A</think>Answer: B", "B"),
        ("A. its speed increases\nB. its speed decreases\nC. cannot be determined\n\nAnswer: B", "B"),
        ("Answer: \u200bB\ufeff", "B"),
        ("As in example 1, the answer is B.", "B"),
        ("Based on the examples, the answer is B.", "B"),
        ("This follows the third example. The answer is B.", "B"),
        ("In example 1 the answer is A. So here the answer is B.", "B"),
        ("Answer: B (a loss of speed)", "B"),
        ("Answer: B is right", "B"),
        ("I was wrong about A; the answer is B.", "B"),
        ("Answer: A. Actually, the answer is B.", "B"),
    ],
)
def test_declared_answers_are_read(text: str, letter: str) -> None:
    assert read(text, OPTIONS).letter == letter
    assert read(text, OPTIONS, mode="lenient").letter == letter


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<think>Answer: A</think>", "empty"),
        ("<think>Answer: A", "no_answer"),
        ("The", "no_answer"),
        ("A cube", "no_answer"),
        ("I think", "no_answer"),
        ("Based on the picture, the cube stops.", "no_answer"),
        ("Answer: A cube keeps its speed", "no_answer"),
        ("The answer is a matter of taste", "no_answer"),
        ("The answer is A's", "no_answer"),
        ("Answer: N/A", "no_answer"),
        ("There are the options A, B, C and D.", "no_answer"),
        ("There are options (A) and (B).", "no_answer"),
        ("Not enough data, so B.", "no_answer"),
        ("The answer is not B.", "no_answer"),
        ("The answer cannot be A.", "no_answer"),
        ("The wrong answer is A.", "no_answer"),
        ("A is incorrect.", "no_answer"),
        ("I don't think the answer is B.", "no_answer"),
        ("One might think that the answer is A.", "no_answer"),
        ("If the answer is A, momentum is lost.", "no_answer"),
        ("Is the answer B? The answer is B?", "no_answer"),
        ("The answer is B if A is heavier, else C.", "no_answer"),
        ("Whether B is correct is open.", "no_answer"),
        ("Answer: E", "invalid"),
        ("The answer is (Z).", "invalid"),
        ("AB", "ambiguous"),
        ("A or B", "ambiguous"),
        ("A\nB\nC\nD", "ambiguous"),
        ("Answer: A, C", "ambiguous"),
        ("Answer: A/C", "ambiguous"),
        ('{"answer": ["A", "C"]}', "ambiguous"),
        ("A - its speed decreases", "ambiguous"),
        ("The answer is either A or B", "no_answer"),
        ("The answer is A or B", "ambiguous"),
        ("The answer is (A) and (C).", "ambiguous"),
        ("A or B is correct", "ambiguous"),
        ("Answer: A (or maybe B)", "ambiguous"),
        ("Answer: A... Actually, B", "ambiguous"),
        ("Answer: A\nHmm, on reflection I am wrong.", "ambiguous"),
        ("Someone said 'Answer: A', but that's wrong.", "ambiguous"),
        ("Answer: A is wrong", "no_answer"),
        ("Answer: A is incorrect, so B", "no_answer"),
        ("Answer: A can be ruled out", "no_answer"),
        ("It is not the case that the answer is A.", "no_answer"),
        ("In example 1 the answer is A.", "no_answer"),
        ("The answer to example 2 is A.", "no_answer"),
        ("Example 1: Answer: A", "no_answer"),
        ("The example's answer is A.", "no_answer"),
        ("La respuesta es B.", "no_answer"),
        ("Antwort: B", "no_answer"),
        ("Answer: \u0412", "no_answer"),
        ("B: its speed increases", "ambiguous"),
        ("Answer: B) its speed increases", "ambiguous"),
        ("Answer: A... no, wait, B", "ambiguous"),
        ("Answer: A\n\nOn second thought, it is another one.", "ambiguous"),
        ("\n".join(f"{letter}. {text}" for letter, text in OPTIONS.items()), "ambiguous"),
        ("I'm sorry, I can't help with that.", "refusal"),
    ],
)
def test_nothing_is_guessed(text: str, status: str) -> None:
    for mode in ("robust", "lenient"):
        found = read(text, OPTIONS, mode=mode)
        assert (found.letter, found.status) == (None, status)
        assert found.reason
    assert read(text, OPTIONS, mode="paper").letter is None


def test_paper_reads_no_lines() -> None:
    text = "### Answer\nC"
    assert [read(text, OPTIONS, mode=mode).letter for mode in EXTRACTORS] == [None, "C", "C"]


@pytest.mark.parametrize(
    ("text", "letter", "repair"),
    [
        ("I think that its speed decreases.", "B", "inside a sentence"),
        ("I do not think that its speed decreases.", None, ""),
        ("I think its speed decreases, or its speed increases.", None, ""),
        ("It cannot be determined!", "C", "inside a sentence"),
        ("Its the speed, decreases", "B", "without articles"),
        ("Option B fits best.", "B", "only option that is mentioned"),
        ("Options (A) and (B) are out.", None, ""),
        ("Option B is out of the question, never.", None, ""),
    ],
)
def test_lenient_repairs_what_is_unambiguous_and_says_how(text: str, letter: str | None, repair: str) -> None:
    assert read(text, OPTIONS).letter is None
    found = read(text, OPTIONS, mode="lenient")
    assert found.letter == letter
    assert (repair in found.repairs[0]) if letter else not found.repairs


def test_a_long_list_of_options() -> None:
    options = {letter: f"the speed is {k} m/s" for k, letter in enumerate("ABCDEFGHIJ")}
    assert read("The answer is I.", options).letter == "I"
    assert read("The answer is I think C.", options).letter is None
    assert read("the speed is 8 m/s", options).letter == "I"


PIECES = (
    "Answer: ", "the answer is ", "A", "B", "(C)", "D.", "E", "AB", " or ", ", ", "\n", "\n\n", " a cube ", "not ",
    "its speed decreases", "its speed increases", "I choose ", "\\boxed{", "}", "**", "<think>", "</think>", "?",
    " if ", "is correct", "wait, ", "\ud800", "\x00", "🎱", "'", '"', "{", "[", "The ", "because ", "option ",
)  # fmt: skip


def test_noise_never_crashes_and_a_letter_comes_only_with_ok() -> None:
    rng = random.Random(5)
    seen = set()
    for _ in range(4000):
        text = "".join(rng.choices(PIECES, k=rng.randint(1, 12)))
        for mode in EXTRACTORS:
            found = read(text, OPTIONS, mode=mode)
            assert (found.letter is not None) == (found.status == "ok") == (not found.reason)
            assert found.letter is None or found.letter in OPTIONS
            assert not found.repairs or mode == "lenient"
            seen.add(found.status)
    assert seen == {"ok", "no_answer", "ambiguous", "invalid", "empty"}


def test_words_without_letters_or_options_choose_nothing() -> None:
    rng = random.Random(6)
    words = ("The", "a", "Based", "A", "cube", "answer", "option", "correct", "red.", "before,", "collides")
    for _ in range(2000):
        text = " ".join(rng.choices(words, k=rng.randint(1, 15))) + " sphere"
        for mode in ("paper", "robust"):
            assert read(text, OPTIONS, mode=mode).letter is None, text


def test_a_declaration_outlasts_what_is_said_around_it() -> None:
    rng = random.Random(7)
    before = (
        "",
        "Let me think. ",
        "A cube slides.\n",
        "If A is heavier, it goes on. ",
        "Not A. ",
        "Both (A) and (C) fail.\n",
    )
    after = ("", " because momentum is shared.", ". Option A needs a push.", "\nA ball rolls.", ", not A.", ". Done")
    for letter in OPTIONS:
        for form in ("Answer: {}", "The answer is ({})", "the correct option is **{}**", "\\boxed{{{}}}"):
            text = rng.choice(before) + form.format(letter) + rng.choice(after)
            assert read(text, OPTIONS) == Choice(letter, "ok"), text


@pytest.mark.parametrize(
    "unit",
    [
        "answer ",
        "answer is ",
        "Answer: A ",
        "A or ",
        "(" * 3,
        "\n",
        "A\n",
        " ",
        "a ",
        "option (",
        "the answer for ",
        "\\boxed{",
    ],
)
def test_time_is_linear(unit: str) -> None:
    text = unit * (FLOOD // len(unit))
    start = time.perf_counter()
    for mode in EXTRACTORS:
        read(text, OPTIONS, mode=mode)
    assert time.perf_counter() - start < SECONDS
