"""Explicit table schemas: from the neutral column types of a benchmark to Arrow and to Hugging Face features.

Neutral types: a leaf name, `[type]` for a list, `{name: type}` for a record, `IMAGE` for a picture, `VIDEO` for a
film. All columns and all parts of them may be null, and no type is guessed from data.
"""

import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

IMAGE, VIDEO = "image", "video"

_FILE = pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])

LEAVES: dict[str, Any] = {
    "int64": pa.int64(),
    "float64": pa.float64(),
    "string": pa.string(),
    "bool": pa.bool_(),
    IMAGE: _FILE,
    VIDEO: _FILE,
}

_DECODED: dict[str, dict[str, Any]] = {IMAGE: {"_type": "Image"}, VIDEO: {"decode": False, "_type": "Video"}}
"""Features of files. Films are handed out as bytes: decoding them asks for packages that few have installed."""


def arrow_type(kind: Any) -> Any:
    """The Arrow type of a neutral type.

    Raises:
        LookupError: an unknown leaf name.
    """
    if isinstance(kind, Mapping):
        return pa.struct([pa.field(name, arrow_type(part)) for name, part in kind.items()])
    if isinstance(kind, list):
        return pa.list_(arrow_type(kind[0]))
    return LEAVES[kind]


def feature(kind: Any) -> Any:
    """The Hugging Face feature of a neutral type, in its JSON form."""
    if isinstance(kind, Mapping):
        return {name: feature(part) for name, part in kind.items()}
    if isinstance(kind, list):
        return {"feature": feature(kind[0]), "_type": "List"}
    return _DECODED.get(kind) or {"dtype": kind, "_type": "Value"}


def arrow_schema(columns: Mapping[str, Any]) -> Any:
    """Schema with the Hugging Face features in its metadata, where its readers look for them."""
    features = {name: feature(kind) for name, kind in columns.items()}
    fields = [pa.field(name, arrow_type(kind)) for name, kind in columns.items()]
    return pa.schema(fields, metadata={"huggingface": json.dumps({"info": {"features": features}})})
