"""How many tokens a prompt and its pictures are, about: enough to know what a run will cost before it is made.

Text is counted as 4/3 of a token for a word or a quarter for a character, whichever is more, for want of the model's
own tokenizer: prose comes near the former, JSON near the latter. For pictures, the rules that three providers have
published are given side by side; newer models of theirs may count otherwise.
"""

from collections.abc import Callable, Mapping
from math import ceil

PER_WORD, PER_CHARACTER = 4 / 3, 1 / 4


def of_text(text: str) -> int:
    """Tokens of a text."""
    return ceil(max(len(text.split()) * PER_WORD, len(text) * PER_CHARACTER))


def tiles_of_512(width: int, height: int) -> int:
    """OpenAI, high detail: within 2048 px, shorter side at most 768 px, 85 and 170 for each tile of 512 px."""
    width, height = _within(width, height, 2048)
    scale = min(1.0, 768 / min(width, height))
    return 85 + 170 * ceil(width * scale / 512) * ceil(height * scale / 512)


def area(width: int, height: int) -> int:
    """Anthropic: within 1568 px, one for 750 px²."""
    width, height = _within(width, height, 1568)
    return ceil(width * height / 750)


def tiles_of_768(width: int, height: int) -> int:
    """Google: 258 for a small picture (both sides within 384 px), else for each tile of 768 px."""
    return 258 if max(width, height) <= 384 else 258 * ceil(width / 768) * ceil(height / 768)


RULES: Mapping[str, Callable[[int, int], int]] = {
    "openai": tiles_of_512,
    "anthropic": area,
    "google": tiles_of_768,
}
"""Tokens of a picture of (width, height) px, by who counts so."""


def _within(width: int, height: int, most: int) -> tuple[int, int]:
    scale = min(1.0, most / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))
