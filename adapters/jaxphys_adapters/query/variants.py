"""Which styles and bands are asked about: names checked, scenes shown and varied (specification, sections 5.4 and 7).

A style is another look of a scene with the same truth: one of the benchmark's `styles`, or `text_only`, which gives
the positions as text. A band is one of the benchmark's `variants` of a scene, with a truth of its own. Every scene,
or every variant of it, is asked about in the plain look and in each style.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from jaxphys_benchmarks.protocol import PLAIN, AskOptions, Benchmark, Question, Spec

log = logging.getLogger(__name__)

ALL = "all"
STYLE_MARK = "@"
"""Between a scene's id and a style other than the plain one."""
TEXT_ONLY = "text_only"
"""The style without a picture."""


@dataclass(frozen=True)
class Scene:
    """One scene as it is asked about.

    Attributes:
        spec, labels: of the scene, or of the variant of it.
        questions: in this style.
        style: how it is shown.
        origin: id of the scene as drawn. band: which variant of it this is; "" is the scene itself.
    """

    spec: Spec
    labels: Any
    questions: Sequence[Question]
    style: str
    origin: str
    band: str

    @property
    def id(self) -> str:
        """First part of the ids of its questions: the scene's id, and the style if it is not plain."""
        return shown_id(self.spec.id, self.style)


def shown_id(scene: str, style: str) -> str:
    """`t3s/scene_00012`, or in another style `t3s/scene_00012@mirror_x`."""
    return scene if style == PLAIN else f"{scene}{STYLE_MARK}{style}"


def split(names: str | Sequence[str]) -> tuple[str, ...]:
    """Names from `a,b`, or from a list of them."""
    pieces = names.split(",") if isinstance(names, str) else names
    return tuple(name for piece in pieces if (name := str(piece).strip()))


def chosen(field: str, asked: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """The known names that are asked for, in their order; `all` is all of them.

    Raises:
        ValueError: an unknown name.
    """
    for name in asked:
        if name not in (*known, ALL):
            there = f"give {ALL}, or some of {', '.join(known)}" if known else "this benchmark has none"
            raise ValueError(f"{field}: {name!r} is unknown; {there}")
    return tuple(name for name in known if name in asked or ALL in asked)


def styles_of(benchmark: Benchmark, asked: Sequence[str]) -> tuple[str, ...]:
    """The styles to ask in, the plain one always among them and first."""
    return chosen("styles", (PLAIN, *asked), (*benchmark.styles, TEXT_ONLY))


def questions(benchmark: Benchmark, spec: Spec, options: AskOptions, style: str) -> tuple[Question, ...]:
    """The questions about a scene in a style, with ids of their own."""
    if style == TEXT_ONLY:
        options = replace(options, text_only=True)
    else:
        options = replace(options, view=replace(options.view, style=style))
    asked = benchmark.ask(spec, options)
    return tuple(replace(question, id=f"{shown_id(spec.id, style)}/{question.task}") for question in asked)


def vary(
    benchmark: Benchmark, specs: Sequence[Spec], bands: Sequence[str]
) -> tuple[list[Spec], list[Any], list[tuple[str, str]]]:
    """The asked variants of scenes, simulated anew; a scene that has none of them is left out.

    Returns:
        Their specs, their labels, and the scene and the band of each.

    Raises:
        ValueError: a band that no scene has.
    """
    groups = {spec.id: benchmark.variants(spec) for spec in specs}
    known = tuple(dict.fromkeys(band for group in groups.values() for band in group))
    if not known:
        raise ValueError(f"bands: none of {len(specs)} scenes has any; leave bands out, or give other scenes")
    asked = chosen("bands", bands, known)
    whence = [(scene, band) for scene, group in groups.items() for band in asked if band in group]
    without = len(groups) - len({scene for scene, _ in whence})
    if without:
        log.warning("%d of %d scenes have no such band and are not asked about", without, len(groups))
    shown = [groups[scene][band] for scene, band in whence]
    return shown, list(benchmark.label(shown, *benchmark.simulate(shown))), whence
