"""A sample as one row of a table, with an explicit type for every column.

Neutral types: a name of a leaf type, `[type]` for a list, `{name: type}` for a record. Everything may be null. What
varies in its names from sample to sample (parameters of laws, measured numbers) is a list of names and values.
"""

from typing import Any

from jaxphys_benchmarks.inphyre import files
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.stored import LABELS, SCENE

_PLACE = ["float64"]
_NAMED = [{"name": "string", "value": "float64"}]

COLUMNS: dict[str, Any] = {
    "scenario": "string",
    "category": "string",
    "regular": "bool",
    "family": "string",
    "preset": "string",
    "variant": "string",
    "information": "string",
    "question": "string",
    "options": [{"letter": "string", "text": "string", "meaning": "string"}],
    "answer": "string",
    "outcome": "string",
    "meaning": "string",
    "law": "string",
    "params": _NAMED,
    "restitution": "float64",
    "g": "float64",
    "things": [
        {
            "name": "string",
            "shape": "string",
            "colour": "string",
            "material": "string",
            "size": "float64",
            "mass": "float64",
            "mu": "float64",
            "mu_roll": "float64",
            "kappa": "float64",
            "pos": _PLACE,
            "vel": _PLACE,
            "roll": _PLACE,
            "yaw": "float64",
            "spin": "float64",
        }
    ],
    "walls": [{"pos": _PLACE, "half": _PLACE, "height": "float64", "yaw": "float64"}],
    "other": "int64",
    "contact": {
        "time": "float64",
        "normal": _PLACE,
        "point": _PLACE,
        "v_before": [_PLACE],
        "v_after": [_PLACE],
        "w_before": _PLACE,
        "w_after": _PLACE,
        "look_before": ["int64"],
        "look_after": ["int64"],
        "through": "bool",
    },
    "measured": _NAMED,
    "end": [_PLACE],
    "film": {"frames": "int64", "fps": "float64", "width_px": "int64", "height_px": "int64"},
    "seed": "int64",
    "index": "int64",
    "attempt": "int64",
    "status": "int64",
    "config_hash": "string",
}
"""Type of each column; bodies are the things, then the walls. The first thing meets body `other` at the `contact`."""


def row(spec: InPhyReSpec, labels: Labels) -> dict[str, Any]:
    """The row of a sample: one value for each of `COLUMNS`; `outcome` is the text of the right option.

    Raises:
        ValueError: the sample has no ground truth.
    """
    content = files.published(spec, labels)
    scene, truth, asked = content[SCENE], content[LABELS], content[files.QUESTION]
    scenario = SCENARIOS[spec.scenario]
    source = {
        **scene,
        **truth,
        **asked,
        "category": scenario.category,
        "other": spec.other,
        "regular": scenario.is_regular,
        "outcome": next(option["text"] for option in asked["options"] if option["letter"] == asked["answer"]),
        "params": _named(spec.params),
        "measured": _named(labels.measured),
    }
    return {name: source[name] for name in COLUMNS}


def _named(numbers: dict[str, float]) -> list[dict[str, Any]]:
    return [{"name": name, "value": value} for name, value in numbers.items()]
