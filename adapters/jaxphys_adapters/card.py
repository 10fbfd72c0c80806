"""The card of an exported data set, and its Croissant metadata (MLCommons Croissant 1.0).

Both are made from the configuration, the column types and the files alone: no date, no name of a machine, so equal
data give equal bytes.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jaxphys_benchmarks.protocol import Benchmark

PAPERS: dict[str, str] = {
    "billiardphys": "arXiv:2605.30900",
    "inphyre": "arXiv:2509.12263",
    "reacthuman": "arXiv:2609.10895",
}
"""Where each benchmark was published."""

NOTES: dict[str, str] = {
    "billiardphys": "Units are SI; x to the right, y up, origin at the\nlower left corner. Any value may be null:"
    " a pocketed ball has no position.",
    "inphyre": "Units are SI; x and y span the floor, z is up,\norigin in the middle of the floor. The first of"
    " `things` is the object asked about; `meaning` is what happens to it,\nmeasured around `contact`, and"
    " `answer` the letter of the option that says so. Scenes of the regular groups\nobey real mechanics, those of the"
    " other groups the law named in `law`. Any value may be null.",
    "reacthuman": "Units are SI; z is up, the origin in the middle of the floor, the robot faces +y. Times count from"
    " the release,\nbut for `tti`, the time from the freeze to the impact, which is negative where it lies within"
    " the\nobserved window: report results apart by its sign. Rows of one `group_id` are one scene at four speeds. In"
    " adversarial\nscenes look and mass disagree. `track` holds all `things` at the observed frames. Any value may be"
    " null.",
}
"""What must be known to read the columns of each benchmark."""

LICENCES: dict[str, str] = {
    "cc-by-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "cc0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "mit": "https://opensource.org/license/mit",
}

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

_TYPES = {
    "string": "sc:Text",
    "int64": "sc:Integer",
    "float64": "sc:Float",
    "bool": "sc:Boolean",
    "image": "sc:ImageObject",
    "video": "sc:VideoObject",
}


def describe_type(kind: Any) -> str:
    """A neutral type for people: `list of {id: int64, pos: list of float64}`."""
    if isinstance(kind, Mapping):
        return "{" + ", ".join(f"{name}: {describe_type(part)}" for name, part in kind.items()) + "}"
    if isinstance(kind, list):
        return f"list of {describe_type(kind[0])}"
    return str(kind)


def card(
    benchmark: Benchmark,
    config: Mapping[str, Any],
    columns: Mapping[str, Any],
    counts: Mapping[str, int],
    licence: str,
) -> str:
    """The README.md of an export: front matter for the hub, then prose for people.

    Args:
        counts: rows by split; the first split is that of the scenes that are asked about.
    """
    split, *others = counts
    rows = counts[split]
    files = "\n".join(f"  - split: {name}\n    path: data/{name}-*.parquet" for name in counts)
    shown = "".join(
        f"\nSplit `{name}` holds {counts[name]} scenes that the prompts show as examples; they are never asked about.\n"
        for name in others
    )
    size = next((name for limit, name in _SIZES if rows < limit), "n>1M")
    paper = PAPERS.get(benchmark.name)
    makers = config.get("made_with") or [{}]
    versions = "; ".join(", ".join(f"{k} {v}" for k, v in m.get("versions", {}).items()) for m in makers)
    options = "\n".join(f"| `{name}` | `{json.dumps(value)}` |" for name, value in config["options"].items())
    notes = NOTES.get(benchmark.name, "Units are SI. Any value may be null.")
    films = _films_note([name for name in columns if name.startswith("video_")], columns)
    shapes = "\n".join(f"| `{name}` | {describe_type(kind)} |" for name, kind in columns.items())
    return f"""---
license: {licence}
pretty_name: {json.dumps(f"{benchmark.title}, seed {config['seed']}")}
task_categories:
- visual-question-answering
- image-text-to-text
language:
- en
size_categories:
- {size}
tags:
- physics
- physical-reasoning
- synthetic
- croissant
configs:
- config_name: default
  data_files:
{files}
---

# {benchmark.title}: {rows} scenes, seed {config["seed"]}

Scenes of {benchmark.title}{f" ({paper})" if paper else ""}, drawn from a seed and simulated by jaxphys. Every answer
is read off an exact simulation, never off a recipe; scenes whose answer hangs on the last digit were drawn again.
Pictures and prompts are ours; what is published of questions, keys and tolerances is kept.

```python
from datasets import load_dataset

data = load_dataset("parquet", data_files={{"{split}": "data/{split}-*.parquet"}}, split="{split}")
```

Groups: {", ".join(f"`{group}`" for group in config["groups"])}. {notes}

Every picture is stored with its sha256, and names its scene in the PNG text chunk `scene`.
{films}{shown}
| column | type |
|---|---|
{shapes}

## How it was made

`jaxphys generate {benchmark.name} --scenes {config["scenes"]} --seed {config["seed"]}` with back end
`{config["backend"]}`; {versions}.

| option | value |
|---|---|
{options}

## Limits

The scenes are synthetic and idealised, as the benchmark defines them. They are meant for measuring how well models
predict, not for training the systems that are measured: keep test scenes out of training data.
"""


def _films_note(names: Sequence[str], columns: Mapping[str, Any]) -> str:
    """How the films of an export are read; empty where there are none."""
    if not names:
        return ""
    listed = ", ".join(f"`{name}`" for name in names)
    if columns[names[0]] == "string":
        return f"\nFilms are MP4 files (H.264) beside the tables; {listed} holds their paths from this folder.\n"
    return (
        f"\nFilms are MP4 files (H.264) inside the tables, in {listed}: a row gives their `bytes`. With torchcodec"
        f" installed,\n`data.cast_column({json.dumps(names[0])}, datasets.Video())` decodes them.\n"
    )


def croissant(
    benchmark: Benchmark,
    config: Mapping[str, Any],
    columns: Mapping[str, Any],
    files: Mapping[str, str],
    licence: str,
) -> dict[str, Any]:
    """Croissant 1.0 metadata: the files with their sha256, and one record set with a field per column.

    Args:
        files: sha256 by path.
    """
    name = f"{benchmark.name}-seed{config['seed']}"
    distribution: list[dict[str, Any]] = [
        {
            "@type": "cr:FileObject",
            "@id": path,
            "name": path,
            "contentUrl": path,
            "encodingFormat": "application/x-parquet",
            "sha256": digest,
        }
        for path, digest in files.items()
    ]
    distribution.append(
        {
            "@type": "cr:FileSet",
            "@id": "parquet-files",
            "name": "parquet-files",
            "containedIn": [{"@id": path} for path in files],
            "encodingFormat": "application/x-parquet",
            "includes": "data/*.parquet",
        }
    )
    metadata: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": f"{benchmark.title}: scenes drawn from seed {config['seed']} with exact answers.",
        "license": LICENCES.get(licence, licence),
        "url": "https://arxiv.org/abs/" + PAPERS.get(benchmark.name, "").removeprefix("arXiv:"),
        "version": "1.0.0",
        "distribution": distribution,
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "scenes",
                "name": "scenes",
                "key": {"@id": "scenes/id"},
                "field": [_field("scenes", column, kind, (column,)) for column, kind in columns.items()],
            }
        ],
    }
    if benchmark.name in PAPERS:
        metadata["citeAs"] = f"{benchmark.title}, {PAPERS[benchmark.name]}"
    return metadata


def _field(parent: str, name: str, kind: Any, path: tuple[str, ...]) -> dict[str, Any]:
    """A field of a record set; records become sub-fields, and only the outermost list is marked as repeated."""
    entry: dict[str, Any] = {"@type": "cr:Field", "@id": f"{parent}/{name}", "name": f"{parent}/{name}"}
    while isinstance(kind, list):
        entry["repeated"] = True
        kind = kind[0]
    entry["source"] = {"fileSet": {"@id": "parquet-files"}, "extract": {"column": path[0]}}
    if len(path) > 1:
        entry["source"]["transform"] = [{"jsonPath": "$." + ".".join(path[1:])}]
    if isinstance(kind, Mapping):
        entry["subField"] = [_field(entry["@id"], part, below, (*path, part)) for part, below in kind.items()]
    else:
        entry["dataType"] = _TYPES[kind]
    return entry
