"""Short films on a page: their frames side by side, each with its time, one row for each camera.

A film of a few frames is no film to a person; in a row all of it is seen at once, and on paper too. Frames are drawn
for the page, smaller than they are stored, and lie inside it as JPEG.
"""

from typing import Any

from jaxphys_adapters import report_parts as html
from jaxphys_adapters.report_prompt import squeezed
from jaxphys_benchmarks.protocol import Benchmark, Spec, View
from jaxphys_benchmarks.stage import Stage

SHORT = 8
"""Most frames of a film that is shown as a row of them."""
WIDTH_PX = 300
"""Of a frame."""


def is_short(benchmark: Benchmark, film: str) -> bool:
    """Whether a film is shown as a row of its frames."""
    return benchmark.films[film] <= SHORT


def short_films(benchmark: Benchmark) -> list[str]:
    """Kinds of film that are shown as rows of frames, in order."""
    return [film for film in benchmark.films if is_short(benchmark, film)]


def strip(benchmark: Benchmark, spec: Spec, labels: Any, film: str) -> tuple[str, tuple[bytes, ...]]:
    """The row of a film, and its pictures.

    Args:
        benchmark: whose scene it is. spec: the scene. labels: its truth, or None. film: kind of film.

    Raises:
        OSError: nothing here can draw a stage.
    """
    from jaxphys_adapters import stages

    still = benchmark.picture(spec, labels, View(benchmark.views[0]))
    scale = min(1.0, WIDTH_PX / still.width_px)
    stage = benchmark.picture(spec, labels, View(film, scale=scale, frames=benchmark.films[film]))
    if not isinstance(stage, Stage):
        raise TypeError(f"{film}: a film is made of a Stage, not of a {type(stage).__name__}")
    shots = tuple(squeezed(pixels) for pixels in stages.render(stage))
    name = named(film)
    pieces = "".join(
        f"<span>{html.jpeg(shot, f'{spec.id}, {name}, {time:.2f} s')}<small>{time:.2f} s</small></span>"
        for shot, time in zip(shots, stage.times, strict=True)
    )
    return f'<div class="frames" style="--n:{len(shots)}">{pieces}</div>', shots


def views(benchmark: Benchmark, spec: Spec, labels: Any) -> str:
    """All short films of a scene, the first camera first; empty where there are none."""
    rows = "".join(
        f"<figure>{strip(benchmark, spec, labels, film)[0]}<figcaption>{html.esc(named(film))}</figcaption></figure>"
        for film in short_films(benchmark)
    )
    return f'<div class="rows">{rows}</div>' if rows else ""


def named(film: str) -> str:
    """What a film is called on the page: by its camera."""
    return film.removesuffix("_film").replace("_", " ")


def band_of(benchmark: Benchmark, spec: Spec, labels: Any) -> str:
    """Which of the scenes of its story a scene is, for example "fast"; empty where the benchmark has no bands."""
    return str(benchmark.row(spec, labels).get("band") or "").replace("_", " ")
