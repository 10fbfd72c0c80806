"""Read which option a reply to a multiple-choice question chooses: strict, explained, never guessed.

The text is untrusted: nothing here raises on it, runs it or needs more than linear time. What follows the reasoning
block is read (InPhyRe specification, section 6):

1. A *declaration* names a letter ("Answer: C", "the answer is (C)", `\\boxed{C}`, "I choose C", "C is correct", a line
   that holds one letter), or the full text of an option after such words. The last one counts. One that is asked,
   negated, conditional or reported ("if the answer is A", "one might think the answer is A") is none; two letters at
   once, a letter beside the text of another option, or words that take it back make it ambiguous.
2. Without a declaration, the full text of one option, with or without its letter, as the first or last line.

Whether "A" is a letter or an article is decided by what follows it. Modes: `paper` knows only declarations by words
and a reply that is one letter or one option (the published rule is not known), `robust` reads lines as well,
`lenient` also repairs what is unambiguous and says how.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from jaxphys_benchmarks.declarations import OPEN, Declared, bare_lines, cues, norm, plain
from jaxphys_benchmarks.extract import after_reasoning, reads_like_refusal

READING = {
    "paper": "the last letter that is declared in words, or a reply that is one option",
    "robust": "the last letter that is declared, in words or on a line of its own, or an option written out",
    "lenient": "the same, or the only option that the reply speaks of",
}
"""What each mode takes as the answer."""

MAX_LINES = 400
"""Lines compared with the options, half of them from either end."""


@dataclass(frozen=True)
class Choice:
    """What was read.

    Attributes:
        letter: the option chosen; None unless `status` is "ok".
        status: "ok", "no_answer" (nothing is declared, or the reasoning never ends), "ambiguous", "invalid" (a letter
            that is no option), "refusal" or "empty".
        reason: for people; empty when ok.
        repairs: what `lenient` did.
    """

    letter: str | None
    status: str
    reason: str = ""
    repairs: tuple[str, ...] = ()


def read(text: str, options: Mapping[str, str], *, mode: str = "robust") -> Choice:
    """The option that a reply chooses.

    Args:
        text: the raw reply.
        options: text of each option by its letter, one capital of the Latin alphabet.
        mode: "paper", "robust" or "lenient".

    Raises:
        KeyError: unknown mode. Never because of `text`.
    """
    find = _MODES[mode]
    answer = after_reasoning(text)
    if answer is None:
        return Choice(None, "no_answer", "the reasoning block never ends")
    cleaned = plain(answer).strip()
    if not cleaned:
        return Choice(None, "empty", "empty reply")
    found = find(cleaned, {letter: norm(option) for letter, option in options.items()})
    if found is None and reads_like_refusal(answer):
        return Choice(None, "refusal", "no option is declared; the reply reads like a refusal")
    return found or Choice(None, "no_answer", "no option is declared")


_TAKEN_BACK = re.compile(
    r"\bno,?\swait\b|\bwait[,.!…—–-]|\bcorrection:|\bscratch that\b|\bon second thoughts?\b|\bI take that back\b"
    r"|(?:^|[\s.…—–-])no,\s|\b(?:that's|that is|I'm|I am|I was) (?:wrong|mistaken|incorrect)\b|\bon reflection\b"
    r"|(?:^|[.!?…\n]\s{0,3})actually\b",
    re.IGNORECASE,
)


def _verdict(text: str, declared: list[Declared]) -> Choice | None:
    """The last declaration."""
    if not declared:
        return None
    last = max(declared, key=lambda one: one.end)
    if not last.letters:
        return Choice(None, "invalid", last.reason)
    if len(last.letters) > 1:
        return Choice(None, "ambiguous", last.reason)
    if _TAKEN_BACK.search(text, last.end, last.end + 400):
        return Choice(None, "ambiguous", f"ambiguous: {last.letters[0]} is declared and taken back")
    return Choice(last.letters[0], "ok")


_LABELLED = re.compile(
    rf"^[\s•>#-]{{0,20}}(?:(?:option|choice)\s)?{OPEN}([A-Za-z])[\s)\]}}.:,\"'–—-]{{1,4}}(.+)$",
    re.DOTALL | re.IGNORECASE,
)


def _option_of(line: str, options: Mapping[str, str]) -> set[str]:
    """Letters of the option that is the whole line; two if its label is that of another one."""
    whole = norm(line)
    found = {letter for letter, option in options.items() if option == whole}
    label = _LABELLED.match(line)
    if not found and label and label[1].upper() in options:
        found = {letter for letter, option in options.items() if option == norm(label[2])}
        found |= {label[1].upper()} if found else set()
    return found


def _written_out(text: str, options: Mapping[str, str]) -> Choice | None:
    """The option whose full text is the reply, its first or its last line."""
    found = _option_of(text, options)
    if not found:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > MAX_LINES:
            lines = lines[: MAX_LINES // 2] + lines[-MAX_LINES // 2 :]
        named = [_option_of(line, options) for line in lines]
        if named[0] | named[-1]:
            found = set().union(*named)
    if len(found) > 1:
        return Choice(None, "ambiguous", f"ambiguous: the options {' and '.join(sorted(found))} are written out")
    return Choice(found.pop(), "ok") if found else None


def _paper(text: str, options: Mapping[str, str]) -> Choice | None:
    alone = [] if "\n" in text else bare_lines(text, options)
    found = _option_of(text, options)
    return _verdict(text, [*cues(text, options), *alone]) or (Choice(found.pop(), "ok") if len(found) == 1 else None)


def _robust(text: str, options: Mapping[str, str]) -> Choice | None:
    return _verdict(text, [*cues(text, options), *bare_lines(text, options)]) or _written_out(text, options)


_NEGATION = re.compile(
    r"n't\b|\b(?:not?|never|neither|nor|cannot|false|wrong|incorrect|unlikely|without)\b", re.IGNORECASE
)
_MENTION = re.compile(r"\b(?i:option|choice)\s\(?([A-Z])\b|\(([A-Z])\)")
_SENTENCE = re.compile(r"[.!?\n]+")
_SMALL_WORDS = re.compile(r"\b(?:the|a|an)\b|[^\w\s]", re.IGNORECASE)


def _lenient(text: str, options: Mapping[str, str]) -> Choice | None:
    strict = _robust(text, options)
    return strict or _loosely_equal(text, options) or _inside(text, options) or _mentioned(text, options)


def _repaired(letter: str, how: str) -> Choice:
    return Choice(letter, "ok", "", (how,))


def _loosely_equal(text: str, options: Mapping[str, str]) -> Choice | None:
    """The reply is an option but for articles and punctuation."""
    loose = {letter: _SMALL_WORDS.sub(" ", option).split() for letter, option in options.items()}
    said = _SMALL_WORDS.sub(" ", norm(text[:2000])).split()
    found = [letter for letter, option in loose.items() if option and option == said]
    return _repaired(found[0], f"read option {found[0]} without articles and punctuation") if len(found) == 1 else None


def _inside(text: str, options: Mapping[str, str]) -> Choice | None:
    """The full text of exactly one option stands inside the reply, in a sentence that denies nothing."""
    whole = " ".join(text.split()).casefold()
    found = [letter for letter, option in options.items() if option and option in whole]
    if len(found) != 1:
        return None
    option = options[found[0]]
    denied = any(_NEGATION.search(part.replace(option, " ")) for part in _SENTENCE.split(whole) if option in part)
    return None if denied else _repaired(found[0], f"read the text of option {found[0]} inside a sentence")


def _mentioned(text: str, options: Mapping[str, str]) -> Choice | None:
    """Exactly one option is mentioned by its letter, in sentences that deny nothing."""
    parts = [(part, _MENTION.search(part)) for part in _SENTENCE.split(text)]
    letters = {mention[1] or mention[2] for part in _SENTENCE.split(text) for mention in _MENTION.finditer(part)}
    if len(letters) != 1 or not letters <= set(options) or any(m and _NEGATION.search(part) for part, m in parts):
        return None
    letter = letters.pop()
    return _repaired(letter, f"read the only option that is mentioned, {letter}")


_MODES: dict[str, Callable[[str, Mapping[str, str]], Choice | None]] = {
    "paper": _paper,
    "robust": _robust,
    "lenient": _lenient,
}
