"""A scene as one row of a table, with an explicit type for every column (BilliardPhys-Bench specification, section 6).

Readers of tables guess types from the first rows and fail when a later row differs, so `COLUMNS` states them, in a
neutral form: a name of a leaf type, `[type]` for a list, `{name: type}` for a record. Everything may be null.
All rows have one shape, whatever the keys of the published files are called.
"""

from typing import Any

from jaxphys_benchmarks.billiardphys import files
from jaxphys_benchmarks.billiardphys.labels import Labels
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec

_PLACE = ["float64"]

COLUMNS: dict[str, Any] = {
    "t": "float64",
    "seed": "int64",
    "index": "int64",
    "attempt": "int64",
    "variant": "string",
    "table": {"W": "float64", "H": "float64"},
    "R": "float64",
    "mass": "float64",
    "mu": "float64",
    "g": "float64",
    "pockets": [{"centre": _PLACE, "radius": "float64"}],
    "balls": [{"id": "int64", "pos": _PLACE}],
    "cue": {"v0": "float64", "angle": "float64", "vel": _PLACE},
    "arrow_scale": "float64",
    "q1": [{"id": "int64", "answer": "string"}],
    "q2": [{"wall": "string", "answer": "string"}],
    "predictions": [{"id": "int64", "pos": _PLACE}],
    "pos_full": [_PLACE],
    "vel": [_PLACE],
    "events": [
        {
            "t": "float64",
            "kind": "string",
            "ids": ["int64"],
            "pos": [_PLACE],
            "wall": "string",
            "pocket": "int64",
        }
    ],
    "chain_depth": ["int64"],
    "margin": {"q1": "bool", "q2": "bool", "q3": "bool", "flag": "bool", "eps": "float64", "eps_ok": "float64"},
    "status": "int64",
    "config_hash": "string",
}
"""Type of each column; a pocketed ball has a null `pos`."""

_FROM_META = ("pos_full", "vel", "events", "chain_depth", "margin", "status")


def row(spec: BilliardSpec, labels: Labels) -> dict[str, Any]:
    """The row of a scene: one value for each of `COLUMNS`.

    Raises:
        ValueError: the scene has no ground truth.
    """
    content = files.published(spec, labels)
    init, final = content[files.INIT], content[files.FINAL]
    answers = {"q1": final["Q1"], "q2": final["Q2"], "predictions": final["predictions"]}
    source = {**init, **{name: final["meta"][name] for name in _FROM_META}, **answers}
    return {name: source[name] for name in COLUMNS}
