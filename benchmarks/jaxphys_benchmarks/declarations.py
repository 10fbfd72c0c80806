"""Where a reply to a multiple-choice question declares a letter: the grammar behind `choices`.

A declaration is found by words around the letter ("the answer is (C)", `\\boxed{C}`, "C is correct") or as a line that
holds one letter. Every pattern is bounded, so that the time is linear in the text; untrusted text never raises. The
texts of the options come in the form that `norm` gives.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

MAX_DECLARATIONS = 256
"""Declarations of each kind that are looked at, from the last; a reply can hold millions."""


@dataclass(frozen=True)
class Declared:
    """A declaration from `start` to `end` of the text: one letter, or several (ambiguous), or none (invalid)."""

    start: int
    end: int
    letters: tuple[str, ...]
    reason: str = field(default="", compare=False)


_WRAPPER = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathsf|rm|bf)\s?\{([^{}\n]{0,400})\}")
_MARKUP = re.compile(r"[*`$]|__|\\[()\[\]]")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
"""Characters without width, which may stand around a letter."""
_EDGE = " \t\r\n.,;:!\"'()[]{}<>-–—•#>\\"


def plain(text: str) -> str:
    """The text without emphasis, code marks and LaTeX text commands; full-width letters become plain ones."""
    return _MARKUP.sub("", _WRAPPER.sub(r"\1", unicodedata.normalize("NFKC", text).translate(_QUOTES | _UNSEEN)))


def norm(text: str) -> str:
    """What is compared with the text of an option: no case, single blanks, no punctuation around it."""
    return " ".join(plain(text).split()).strip(_EDGE).casefold()


_ADVERB = (
    r"(?:(?:clearly|definitely|therefore|thus|then|simply|most likely|likely|probably|indeed|hence|surely)\s+){0,2}"
)
OPEN, _CLOSE = r"[(\"'\[{<]{0,3}", r"[)\"'\]}>]{0,3}"
_ANSWER_IS = (
    r"(?<![^\W_])(?:ans(?:wer)?|choice|option|selection)(?![^\W_])\.?(?:[\s_](?:choice|option|letter)\b)?"
    r"(?:\s?\([^()\n]{0,40}\))?"
    r"(?:\s(?:here|to|for|in|of)\b[^.:;,?!\n]{0,60}?)?[\"'>]{0,2}\s{0,20}"
    r"(?:\b(?:is|(?:would|must|should|will|has to|can only) be)\b|[:=>]|[-–—]+>?|→|⇒)"
)
_I_CHOOSE = (
    r"\b(?:I|we)(?:'d|'ll|'m|\s(?:would|will|must|am))?\s"
    r"(?:choos(?:e|ing)|chose|select(?:ed|ing)?|pick(?:ed|ing)?|answer|(?:go|going|went)\swith|opt\sfor)\b"
)
_CUE = re.compile(
    rf"(?:\b(?P<wrong>wrong|incorrect|false|bad)\s)?(?:{_ANSWER_IS}|{_I_CHOOSE}|\\boxed\s?\{{)"
    rf"\s{{0,20}}:?\s{{0,20}}{_ADVERB}"
    # Not where these words begin a declaration of their own: "Answer: the option is C".
    rf"(?:(?:the\s)?(?:option|choice|letter)\b(?!\s(?:is|would|must|should))\s?:?\s?)?{OPEN}\s?",
    re.IGNORECASE,
)
_CORRECT = re.compile(
    rf"(?<![\w'])(?:(?:option|choice|answer)\s)?{OPEN}\b(?P<letter>[A-Z])(?:{_CLOSE})\s(?:is|must be)\s{_ADVERB}"
    r"(?:the\s)?(?:only\s|best\s|most likely\s)?(?:correct|right|answer)\b(?:\s(?:answer|option|choice|one))?"
)
_DOUBTED = re.compile(
    r"(?:n't|\b(?:not|never|cannot|hardly|one|you|some|people|many|might|may|could|wrong to|tempted to))"
    r"\s(?:\w+\s)?"
    r"(?:think|believe|say|says|claim|conclude|mean|know|see|guess|assume|expect|sure|certain|likely|obvious)"
    r"(?:\sthat|\sif|\swhether)?\s(?:the\s|my\s)?(?:\w+\s)?$"
    r"|\b(?:if|whether|unless|suppose|supposing|assume|assuming|doubt|unlikely|deny|not|neither|nor"
    r"|not the case|not true|not so)"
    r"\s(?:that\s)?(?:the\s|my\s)?(?:(?:correct|right|best|final)\s)?$"
    # What is told of an exemplar; "as in example 1, the answer is C" is a conclusion.
    r"|(?:^|[.!?;\n]\s{0,3}|\b(?:and|but|while|because|since)\s)(?:in|for)\s(?:the\s)?(?:\w+\s)?examples?(?:\s\d+)?,?\s"
    r"(?:the\s)?(?:(?:correct|right)\s)?$"
    r"|\bexample(?:\s\d+\s?[:–—-]\s|(?:\s\d+)?'s\s)(?:the\s)?(?:(?:correct|right)\s)?$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+(?!\w)")
_POSSESSIVE = re.compile(r"'\w")
_AFTER_LETTER = re.compile(_CLOSE)
_CONDITION = re.compile(r"\s(?:if|unless|assuming|provided|only if|only when)\b|\s?\?", re.IGNORECASE)
_ABOUT_EXEMPLAR = re.compile(r"\s(?:to|for|in|of)\s(?:the\s)?(?:\w+\s)?examples?\b", re.IGNORECASE)
_REJECTED = re.compile(
    r"\s(?:is|are|was|would be|must be|seems)\s(?:also\s|clearly\s|definitely\s|probably\s)?"
    r"(?:not|wrong|incorrect|false|impossible|excluded|out)\b"
    r"|\s(?:can(?:not|'t| be ruled out| be excluded)|isn't|must not)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"[ \t]+(?!(?:because|since|as|for|due|and|or|is|based|given|so|but|that|which)\b)\w|-\w", re.IGNORECASE
)
_JOINED = re.compile(
    rf"\s{{0,3}}\(?(?P<joint>,\s?(?:and|or)\b|,|/|&|\+|\bor\b|\band\b)\s{{0,3}}(?:(?:maybe|perhaps|possibly)\s)?"
    rf"(?:(?:option|choice)\s)?{OPEN}"
    r"(?P<letter>[A-Za-z])(?![\w'])",
    re.IGNORECASE,
)
_JOINED_BEFORE = re.compile(r"\b([A-Z])[)\"']?(?:,|\s(?:or|and)|/)\s?$")
_OWN_CLAUSE = re.compile(
    rf"{_CLOSE}\s(?:is|would|was|has|cannot|can|does|will|needs|seems|must|should)\b(?!\s(?:also|both))"
)
_SENTENCE_END = re.compile(r"\s*(?:$|[.;:!\n])")
_LABEL = re.compile(r"[\s.:,)\]}\"'–—-]{1,6}([^\n]{1,400})")


def cues(text: str, options: Mapping[str, str]) -> list[Declared]:
    """Declarations by words, in order."""
    found: list[Declared] = []
    for cue in deque(_CUE.finditer(text), MAX_DECLARATIONS):
        doubted = _DOUBTED.search(text[max(0, cue.start() - 80) : cue.start()])
        if not cue["wrong"] and not doubted and not _ABOUT_EXEMPLAR.search(cue.group()):
            found.extend(_said(text, cue.start(), cue.end(), options))
    for claim in deque(_CORRECT.finditer(text), MAX_DECLARATIONS):
        letter, before = claim["letter"], text[max(0, claim.start() - 80) : claim.start()]
        if letter in options and not _DOUBTED.search(before) and not _CONDITION.match(text, claim.end()):
            also = _JOINED_BEFORE.search(before)
            letters = (letter,) if also is None or also[1] not in options else (also[1], letter)
            found.append(Declared(claim.start(), claim.end(), letters, _several(letters)))
    return sorted(found, key=lambda declared: declared.start)


def _said(text: str, start: int, place: int, options: Mapping[str, str]) -> Iterator[Declared]:
    """The declaration whose words end at `place`, if a letter or an option follows them."""
    word = _WORD.match(text, place)
    name = word.group() if word else ""
    letter = name.upper()
    closed = _closed(text, place + len(name))
    if len(name) == 1 and letter in options and not _POSSESSIVE.match(text, place + 1):
        if _CONDITION.match(text, closed) or _REJECTED.match(text, closed):
            return
        if not _is_article(text, name, closed):
            yield _with_others(text, start, closed, letter, options)
            return
    elif len(name) > 1 and name.isupper() and set(name) <= set(options):
        yield Declared(start, closed, tuple(sorted(set(name))), _together(name))
        return
    elif len(name) == 1 and name.isupper() and _SENTENCE_END.match(text, closed):
        yield Declared(start, closed, (), f"{name} is not one of the options {', '.join(options)}")
        return
    line = text[place : place + 500].split("\n", 1)[0]
    written = norm(line)
    yield from (Declared(start, place + len(line), (key,)) for key, option in options.items() if written == option)


def _together(run: str) -> str:
    return f"ambiguous: {run[:20]!r} is not one letter"


def _several(letters: Iterable[str]) -> str:
    return f"ambiguous: {' and '.join(letters)} are declared together"


def _closed(text: str, place: int) -> int:
    match = _AFTER_LETTER.match(text, place)
    return match.end() if match else place


def _is_article(text: str, name: str, place: int) -> bool:
    """Whether a letter is a word: "A cube keeps its speed", "I think". Other capitals are never words."""
    return (name in "AI" or name.islower()) and _ARTICLE.match(text, place) is not None


def _with_others(text: str, start: int, place: int, letter: str, options: Mapping[str, str]) -> Declared:
    """The letter that ends at `place`, with those joined to it and the option that is written beside it."""
    letters = {letter: None}
    while joined := _JOINED.match(text, place):
        name, after = joined["letter"], _closed(text, joined.end())
        loose = joined["joint"].lower() in (",", "and")
        if name.upper() not in options or _is_article(text, name, after):
            break
        if loose and _OWN_CLAUSE.match(text, joined.end()):
            break
        letters[name.upper()] = None
        place = after
    label = _LABEL.match(text, place)
    beside = None if label is None else norm(label[1])
    letters |= {key: None for key, option in options.items() if beside == option}
    return Declared(start, place, tuple(letters), _several(letters))


_BARE = re.compile(
    rf"^[ \t•>#-]{{0,20}}(?:(?:final\s)?(?:answer|option|choice)\s)?{OPEN} ?(?P<letter>[A-Za-z]) ?{_CLOSE}[.:,;!]?"
    r"(?P<rest>(?:[ \t]*(?:,|/|&|\+|and\b|or\b)[ \t]*\(?[A-Z]\)?){0,9})[.]?[ \t\r]*$",
    re.MULTILINE | re.IGNORECASE,
)
_RUN = re.compile(r"^[ \t(]*(?P<run>[A-Z]{2,9})[ \t).\r]*$", re.MULTILINE)


def bare_lines(text: str, options: Mapping[str, str]) -> list[Declared]:
    """Lines that hold one letter; adjacent lines with different ones, and lines with several, are ambiguous."""
    found: deque[Declared] = deque(maxlen=MAX_DECLARATIONS)
    for line in _BARE.finditer(text):
        letters = [line["letter"].upper(), *re.findall(r"\b[A-Z]\b", line["rest"])]
        if letters[0] not in options:
            continue
        if found and text[found[-1].end : line.start()] == "\n":
            letters = [*found.pop().letters, *letters]
        unique = tuple(dict.fromkeys(letter for letter in letters if letter in options))
        found.append(Declared(line.start("letter"), line.end(), unique, f"ambiguous: {', '.join(unique)} are listed"))
    for line in _RUN.finditer(text):
        if set(line["run"]) <= set(options):
            found.append(Declared(line.start(), line.end(), tuple(sorted(set(line["run"]))), _together(line["run"])))
    return list(found)
