"""The parquet layout of `jaxphys export`: parquet files with pictures inside, a card and Croissant metadata.

    OUT/README.md  OUT/croissant.json  OUT/data/test-00000-of-00003.parquet ...

One row per scene: its id and group, the columns of the benchmark, its pictures and films as Hugging Face features each
with its sha256, and the prompts of its tasks. Films lie inside the tables, or beside them in `videos/`. Scenes that the
prompts show as examples make a split of their own. Every picture names its scene in its text chunk, and this is checked
against the row before it is written. The whole folder appears at once; `datasets.load_dataset("parquet",
data_files="OUT/data/*.parquet")` or `load_dataset("OUT")` reads it without a network.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jaxphys_adapters import atomic, layout
from jaxphys_adapters.card import card, croissant
from jaxphys_adapters.progress import bar
from jaxphys_adapters.rows import Rows, columns_of
from jaxphys_adapters.tables import arrow_schema

ROWS_PER_FILE = 2000
ROWS_PER_GROUP = 100
"""Rows held at once, with their pictures."""

SPLIT = "test"
SHOWN = "exemplars"
"""Splits: of the scenes that are asked about, and of those that are only shown in questions."""


def export(
    data: layout.DataSet, out: Path, *, licence: str = "cc-by-4.0", video_paths: bool = False, quiet: bool = True
) -> int:
    """Write the parquet files, the card and the metadata; returns the number of rows.

    Args:
        data: to be exported. out: new folder. licence: as the card names it. quiet: no progress bar.
        video_paths: films, where there are any, lie beside the tables, which hold their paths.

    Raises:
        ValueError: `out` exists, the data set is empty or damaged, or a picture belongs to another scene.
        StorageError: `out` cannot be written.
    """
    from jaxphys_benchmarks import registry

    benchmark = registry.get(data.benchmark, **data.config["options"])
    ids = layout.scene_ids(data.root)
    columns = columns_of(benchmark, data.config["pictures"], data.films, beside=video_paths)
    parts = [ids[start : start + ROWS_PER_FILE] for start in range(0, len(ids), ROWS_PER_FILE)]
    with atomic.folder(out) as work:
        (work / "data").mkdir()
        rows = Rows(benchmark, data, work if video_paths else None)
        names = [f"data/{SPLIT}-{k:05d}-of-{len(parts):05d}.parquet" for k in range(len(parts))]
        with bar(quiet, 0, len(ids), "rows") as advance:
            for name, part in zip(names, parts, strict=True):
                write_table(work / name, columns, _counted(map(rows.stored, part), advance))
        counts = {SPLIT: len(ids)}
        if rows.shown:
            names.append(f"data/{SHOWN}-00000-of-00001.parquet")
            counts[SHOWN] = len(rows.shown)
            with bar(quiet, 0, counts[SHOWN], "exemplars") as advance:
                write_table(work / names[-1], columns, _counted(rows.exemplars(), advance))
        files = {name: hashlib.sha256((work / name).read_bytes()).hexdigest() for name in names}
        (work / "README.md").write_text(card(benchmark, data.config, columns, counts, licence), "utf-8")
        (work / "croissant.json").write_bytes(
            layout.to_json(croissant(benchmark, data.config, columns, files, licence))
        )
    return sum(counts.values())


def _counted(rows: Iterator[dict[str, Any]], advance: Any) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield row
        advance()


def write_table(path: Path, columns: Mapping[str, Any], rows: Iterator[dict[str, Any]]) -> None:
    """A parquet file of rows with explicit types, a few rows at a time.

    Raises:
        ValueError: a value does not fit its column; the text names it.
    """
    schema = arrow_schema(columns)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        block: list[dict[str, Any]] = []
        for row in rows:
            if set(row) != set(columns):
                raise ValueError(
                    f"row {row.get('id')}: columns {sorted(set(row) ^ set(columns))} differ from the schema"
                )
            block.append(row)
            if len(block) == ROWS_PER_GROUP:
                writer.write_table(_table(block, schema))
                block = []
        if block:
            writer.write_table(_table(block, schema))


def _table(block: list[dict[str, Any]], schema: Any) -> Any:
    arrays = []
    for column in schema:
        values = [row[column.name] for row in block]
        try:
            arrays.append(pa.array(values, type=column.type))
        except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError) as error:
            raise ValueError(f"column {column.name}: a value does not fit {column.type}: {error}") from error
    return pa.Table.from_arrays(arrays, schema=schema)
