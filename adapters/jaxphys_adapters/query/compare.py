"""What answers to several styles and bands say: metrics of each, and how the answers hang together.

Names, before the benchmark's own names of metrics:

    style/<style>:<metric>             the score in a style
    style/<style>:<task>/consistent    share of answers that agree with those to the plain look, after mapping back
    band/<band>:<metric>               the score in a band, plain look
    bands:<task>/all_exact, .../flips, .../followed, .../steady    see `jaxphys_benchmarks.groups`

Without a prefix a metric is over everything that was asked in the plain look.
"""

from collections.abc import Sequence

from jaxphys_adapters.query import reading
from jaxphys_adapters.query.reading import Row
from jaxphys_adapters.query.source import Scenes
from jaxphys_benchmarks.groups import Variant, consistency, flips, group_metrics
from jaxphys_benchmarks.protocol import PLAIN, Reply


def plain(scenes: Scenes, rows: Sequence[Row]) -> list[Row]:
    """The rows about the plain look."""
    return [row for row in rows if scenes.find(row[0])[0].style == PLAIN]


def scores(scenes: Scenes, rows: Sequence[Row], extractor: str) -> dict[str, float]:
    """The benchmark's metrics over all groups; none of no rows."""
    if not rows:
        return {}
    values = scenes.benchmark.aggregate(reading.scores(rows, extractor))
    return {name: values[name] for name in reading.headlines(values, reading.groups(rows, extractor))}


def metrics(scenes: Scenes, rows: Sequence[Row], extractor: str) -> dict[str, float]:
    """Metrics by style and by band; empty where only the plain look of the scenes themselves was asked about.

    Args:
        rows: all of them, in any order. extractor: whose readings count.
    """
    values: dict[str, float] = {}
    if len(scenes.styles) > 1:
        for style in scenes.styles:
            values |= _named(f"style/{style}", _style(scenes, rows, extractor, style))
    if scenes.bands:
        asked = plain(scenes, rows)
        for band in scenes.bands:
            of_band = [row for row in asked if scenes.find(row[0])[0].band == band]
            values |= _named(f"band/{band}", scores(scenes, of_band, extractor))
        values |= _named("bands", _groups(scenes, asked, extractor))
    return values


def _style(scenes: Scenes, rows: Sequence[Row], extractor: str, style: str) -> dict[str, float]:
    of_style = [row for row in rows if scenes.find(row[0])[0].style == style]
    values = scores(scenes, of_style, extractor)
    if style != PLAIN:
        base = {_about(scenes, row): reading.answer_of(row[1], extractor) for row in plain(scenes, rows)}
        both = [row for row in of_style if _about(scenes, row) in base]
        looks = (
            (scenes.find(row[0])[1], base[_about(scenes, row)], reading.answer_of(row[1], extractor)) for row in both
        )
        values |= consistency(scenes.benchmark.agree, looks)
    return values


def _groups(scenes: Scenes, rows: Sequence[Row], extractor: str) -> dict[str, float]:
    """Scenes as wholes of all their bands."""
    benchmark, tell = scenes.benchmark, scenes.benchmark.baselines()["oracle"]
    variants = []
    for row in rows:
        scene, question = scenes.find(row[0])
        truth = benchmark.parse(question, Reply(tell(scene.spec, scene.labels, question, 0)))
        variants.append(Variant(scene.origin, question, truth, reading.answer_of(row[1], extractor)))
    group_of = {scene.spec.id: scene.origin for scene in scenes.by_id.values()}
    whole = group_metrics(reading.scores(rows, extractor), group_of)
    return {**whole, **flips(benchmark.agree, variants)}


def _about(scenes: Scenes, row: Row) -> tuple[str, str]:
    """The scene and the task of a row, whatever the style."""
    _, question = scenes.find(row[0])
    return question.scene, question.task


def _named(prefix: str, values: dict[str, float]) -> dict[str, float]:
    return {f"{prefix}:{name}": value for name, value in values.items()}
