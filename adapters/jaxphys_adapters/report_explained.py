"""What a benchmark that explains itself tells on a page: the truth of a scene, and every answer with its verdict.

Sentences come from the benchmark; some quote what models have written, so all of them are escaped.
"""

from collections.abc import Sequence
from typing import Any

from jaxphys_adapters import report_parts as html
from jaxphys_adapters.report_drawing import drawing
from jaxphys_adapters.report_results import Results
from jaxphys_benchmarks.explanation import Explained, Explanation
from jaxphys_benchmarks.protocol import Answer, Question, Spec


def truth(benchmark: Explained, spec: Spec, labels: Any) -> str:
    """The truth of a scene: sentences beside the drawing."""
    told = benchmark.truth(spec, labels)
    return _block("truth", "<h4>The truth</h4>", told, f"{spec.id}: the truth, from above and from the side")


def answer(
    benchmark: Explained,
    spec: Spec,
    question: Question,
    labels: Any,
    found: Answer,
    one: Results,
    words: tuple[str, str],
) -> str:
    """An answer: who gave it, the verdict and why, and what it amounts to as a drawing.

    Args:
        benchmark, spec, question, labels: what was asked about. found: the answer. one: results of the model.
        words: style and name of the verdict.
    """
    told = benchmark.explain(spec, question, labels, found)
    css, verdict = words
    head = (
        f'<h4>{html.esc(one.model)} <span class="{css}">{html.esc(verdict)}</span>'
        f' <span class="note">{html.esc(told.title)}</span></h4>'
    )
    return _block("plan", head, told, f"{spec.id}: the plan of {one.model}, from above and from the side")


def _block(css: str, head: str, told: Explanation, alt: str) -> str:
    seen = f'<div class="picture">{drawing(told.drawing, alt)}</div>' if told.drawing is not None else ""
    return f'<div class="{css}"><div>{head}{sentences(told.lines)}</div>{seen}</div>'


def sentences(lines: Sequence[tuple[str, str]]) -> str:
    """Headings and their sentences."""
    rows = "".join(
        f"<dt>{html.esc(heading)}</dt><dd>{html.esc(html.shorten(sentence))}</dd>" for heading, sentence in lines
    )
    return f'<dl class="told">{rows}</dl>' if rows else ""
