"""Pieces of an HTML page: every function takes plain values and returns escaped HTML.

Text from files and models is untrusted. It reaches the page through `esc` alone, the page carries no script, and its
content security policy forbids scripts and every outside resource.
"""

import base64
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files

from jaxphys_adapters.coverage import FONT_FILE

POLICY = "default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline'"
LONGEST_TEXT = 6000
"""Characters of a text that are shown; the rest is counted."""

COLOURS = 8
"""Colours of series in the style sheet, `--s0` to `--s7`; more series use them again."""


def esc(text: object) -> str:
    """Text made safe for HTML and quoted attributes."""
    return escape(str(text), quote=True)


def shorten(text: str) -> str:
    """At most `LONGEST_TEXT` characters, and how many more there are."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\n… {len(text) - LONGEST_TEXT} more characters"


def number(value: object) -> str:
    """A number for people; a dash where there is none."""
    if value is None or isinstance(value, str):
        return esc(value or "–")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace(",", "\u202f")
    return f"{value:.4g}" if isinstance(value, float) else esc(value)


def image(data: bytes, alt: str) -> str:
    """A PNG file inside the page."""
    return f'<img alt="{esc(alt)}" loading="lazy" src="data:image/png;base64,{base64.b64encode(data).decode()}">'


def jpeg(data: bytes, alt: str) -> str:
    """A JPEG file inside the page."""
    return f'<img alt="{esc(alt)}" loading="lazy" src="data:image/jpeg;base64,{base64.b64encode(data).decode()}">'


def video(data: bytes, name: str, poster: bytes) -> str:
    """An MP4 file inside the page; it plays when asked to, starts again at its end, and shows a JPEG before."""
    source, still = (base64.b64encode(content).decode() for content in (data, poster))
    return (
        '<video class="picture" controls loop muted playsinline preload="metadata"'
        f' aria-label="{esc(name)}" poster="data:image/jpeg;base64,{still}"'
        f' src="data:video/mp4;base64,{source}"></video>'
    )


def picture(data: bytes, caption: str, alt: str) -> str:
    """A framed picture with a caption."""
    return f'<figure><div class="picture">{image(data, alt)}</div><figcaption>{esc(caption)}</figcaption></figure>'


def tiles(facts: Iterable[tuple[str, str]]) -> str:
    """Large values, each with its name below."""
    cells = "".join(f'<li class="card"><b>{esc(value)}</b><span>{esc(name)}</span></li>' for name, value in facts)
    return f'<ul class="tiles">{cells}</ul>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table of text; the first column names the rows. Without heads there is no head row."""
    title = f"<caption>{esc(caption)}</caption>" if caption else ""
    head = "".join(f'<th class="{"text" if k else ""}">{esc(name)}</th>' for k, name in enumerate(heads))
    head = f"<thead><tr>{head}</tr></thead>" if heads else ""
    body = "".join(
        "<tr>"
        + "".join(f'<td class="{"text wrap" if k else ""}">{esc(cell)}</td>' for k, cell in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table>{title}{head}<tbody>{body}</tbody></table></div>'


def tabs(group: str, panels: Mapping[str, str]) -> str:
    """Panels of which one is shown, without a script; `group` is a name that no other tabs of the page have."""
    rules, parts, sections = [], [], []
    for k, (name, body) in enumerate(panels.items()):
        key = f"{group}-{k}"
        checked = " checked" if k == 0 else ""
        parts.append(f'<input type="radio" name="{group}" id="{key}"{checked}><label for="{key}">{esc(name)}</label>')
        sections.append(f'<section id="{key}-panel">{body}</section>')
        rules.append(f"#{key}:checked ~ #{key}-panel{{display:block}}")
    return f'<style>{"".join(rules)}</style><div class="tabs card">{"".join(parts)}{"".join(sections)}</div>'


def lines(title: str, xs: Sequence[str], series: Mapping[str, Sequence[float | None]], *, whole: float = 1) -> str:
    """A line chart of values in [0, 1] over named places, as inline SVG; colours in the order of `series`.

    Args:
        title: what is shown. xs: the places. series: values by name. whole: what 1 is written as, 100 for percent.
    """
    width, height, left, top, bottom = 340, 190, 30, 10, 24
    step = (width - left - 10) / max(1, len(xs) - 1)
    at = [left + (k * step if len(xs) > 1 else (width - left) / 2) for k in range(len(xs))]

    def y(value: float) -> float:
        return top + (1 - min(max(value, 0.0), 1.0)) * (height - top - bottom)

    marks = [
        f'<line class="grid" x1="{left}" x2="{width}" y1="{y(v):.1f}" y2="{y(v):.1f}"/>'
        f'<text x="{left - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{v * whole:g}</text>'
        for v in (0, 0.5, 1)
    ]
    marks += [
        f'<text x="{x:.1f}" y="{height - 6}" text-anchor="middle">{esc(name)}</text>'
        for x, name in zip(at, xs, strict=True)
    ]
    # The first series is drawn last, so that it lies on top.
    for k, values in reversed(list(enumerate(series.values()))):
        colour = f"var(--s{k % COLOURS})"
        dots = [(x, y(value)) for x, value in zip(at, values, strict=True) if value is not None]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in dots)
        marks.append(
            f'<polyline points="{path}" fill="none" style="stroke:{colour}" stroke-width="2" stroke-linejoin="round"/>'
        )
        marks += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" style="fill:{colour}"/>' for a, b in dots]
    svg = f'<svg viewBox="0 0 {width} {height}" role="img">{"".join(marks)}</svg>'
    return f'<figure class="card"><h3>{esc(title)}</h3>{svg}</figure>'


def legend(names: Iterable[str]) -> str:
    """Colours of `lines`."""
    items = (f'<li><i style="--c:var(--s{k % COLOURS})"></i>{esc(name)}</li>' for k, name in enumerate(names))
    return f'<ul class="legend">{"".join(items)}</ul>'


@lru_cache(maxsize=4)
def _style(sheet: str) -> str:
    package = files("jaxphys_adapters")
    face = base64.b64encode((package / "fonts" / FONT_FILE).read_bytes()).decode()
    source = f"url(data:font/ttf;base64,{face}) format('truetype')"
    rules = (package / "pages" / sheet).read_text("utf-8")
    return f"@font-face{{font-family:Page;font-display:block;src:{source}}}\n{rules}"


def page(title: str, body: str, *, sheet: str = "report.css") -> str:
    """The whole page: one file, no script, nothing from outside; `sheet` is one of the packaged style sheets."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{esc(title)}</title>
<style>{_style(sheet)}</style>
</head>
<body><main>{body}</main></body>
</html>
"""
