"""The parquet layout of `jaxphys export`: parquet files with pictures inside, a card and Croissant metadata.

    OUT/README.md  OUT/croissant.json  OUT/data/test-00000-of-00003.parquet ...

One row per scene: its id and group, the columns of the benchmark, its pictures and films as Hugging Face features each
with its sha256, and the prompts of its tasks. Films lie inside the tables, or beside them in `videos/`. Every picture
names its scene in its text chunk, and this is checked against the row before it is written. The whole folder appears
at once; `datasets.load_dataset("parquet", data_files="OUT/data/*.parquet")` or `load_dataset("OUT")` reads it without
a network.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from jaxphys_adapters import atomic, films, layout
from jaxphys_adapters.card import card, croissant
from jaxphys_adapters.progress import bar
from jaxphys_adapters.tables import IMAGE, VIDEO, arrow_schema
from jaxphys_benchmarks.protocol import AskOptions, Benchmark, Spec

ROWS_PER_FILE = 2000
ROWS_PER_GROUP = 100
"""Rows held at once, with their pictures."""

SPLIT = "test"
VIDEOS = "videos"
"""Folder of films that lie beside the tables."""


def columns_of(
    benchmark: Benchmark, views: Sequence[str], moving: Sequence[str] = (), *, beside: bool = False
) -> dict[str, Any]:
    """Neutral types of all columns of an export with these kinds of picture and film; `beside`: films as paths."""
    pictures: dict[str, Any] = {}
    for view in views:
        pictures |= {f"image_{view}": IMAGE, f"sha256_{view}": "string"}
    for film in moving:
        pictures |= {f"video_{film}": "string" if beside else VIDEO, f"sha256_{film}": "string"}
    prompts = {"prompts": [{"task": "string", "prompt": "string", "prompt_hash": "string"}]}
    return {"id": "string", "group": "string", **pictures, **benchmark.columns, **prompts}


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
    views = tuple(data.config["pictures"])
    columns = columns_of(benchmark, views, data.films, beside=video_paths)
    parts = [ids[start : start + ROWS_PER_FILE] for start in range(0, len(ids), ROWS_PER_FILE)]
    with atomic.folder(out) as work, bar(quiet, 0, len(ids), "rows") as advance:
        (work / "data").mkdir()
        beside = work if video_paths else None
        names = [f"data/{SPLIT}-{k:05d}-of-{len(parts):05d}.parquet" for k in range(len(parts))]
        for name, part in zip(names, parts, strict=True):
            rows = (row_of(benchmark, data, scene, views, beside) for scene in part)
            write_table(work / name, columns, _counted(rows, advance))
        files = {name: hashlib.sha256((work / name).read_bytes()).hexdigest() for name in names}
        (work / "README.md").write_text(card(benchmark, data.config, columns, len(ids), SPLIT, licence), "utf-8")
        (work / "croissant.json").write_bytes(
            layout.to_json(croissant(benchmark, data.config, columns, files, licence))
        )
    return len(ids)


def _counted(rows: Iterator[dict[str, Any]], advance: Any) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield row
        advance()


def row_of(
    benchmark: Benchmark, data: layout.DataSet, scene: str, views: Sequence[str], beside: Path | None = None
) -> dict[str, Any]:
    """The row of a finished scene; its films are copied into a folder below `beside`, if that is given.

    Raises:
        ValueError: a file is missing or faulty, or a picture belongs to another scene.
    """
    root = data.root
    spec, labels = layout.read_scene(benchmark, root, scene)
    if spec.id != scene:
        raise ValueError(f"{root / scene}: holds scene {spec.id}; restore the folder's name")
    row: dict[str, Any] = {"id": scene, "group": scene.rpartition("/")[0]}
    for view in views:
        content = read_picture(root / scene / f"{view}.png", spec, view)
        row[f"image_{view}"] = {"bytes": content, "path": f"{scene.replace('/', '-')}-{view}.png"}
        row[f"sha256_{view}"] = hashlib.sha256(content).hexdigest()
    for film in data.films:
        content = read_film(root / scene / f"{film}.mp4")
        name = f"{scene.replace('/', '-')}-{film}.mp4"
        row[f"video_{film}"] = {"bytes": content, "path": name}
        row[f"sha256_{film}"] = hashlib.sha256(content).hexdigest()
        if beside is not None:
            (beside / VIDEOS).mkdir(exist_ok=True)
            (beside / VIDEOS / name).write_bytes(content)
            row[f"video_{film}"] = f"{VIDEOS}/{name}"
    questions = benchmark.ask(spec, AskOptions())
    prompts = [{"task": q.task, "prompt": q.prompt, "prompt_hash": q.prompt_hash} for q in questions]
    return {**row, **benchmark.row(spec, labels), "prompts": prompts}


def read_film(path: Path) -> bytes:
    """The bytes of a stored film.

    Raises:
        ValueError: it is missing or cut off.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: no readable film ({error.strerror}); run `jaxphys generate` again") from None
    if not films.is_whole(content):
        raise ValueError(f"{path}: is no whole MP4 file; run `jaxphys generate` again")
    return content


def read_picture(path: Path, spec: Spec, view: str) -> bytes:
    """The bytes of a stored picture, after a check that it is the one of this scene and view.

    Raises:
        ValueError: it is missing, no PNG file, or of another scene.
    """
    try:
        data = path.read_bytes()
        with Image.open(BytesIO(data), formats=["PNG"]) as image:
            said = dict(image.info)
            image.verify()
    except (OSError, SyntaxError, ValueError) as error:
        raise ValueError(
            f"{path}: no readable picture ({error}); remove the scene's folder and generate again"
        ) from None
    if said.get("scene") != spec.id or said.get("view") != view:
        raise ValueError(f"{path}: is the {said.get('view')} picture of {said.get('scene')}, not of {spec.id}")
    return data


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
