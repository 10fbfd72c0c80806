"""What a scene looks like on disk: `init.json` and `_final.json` (BilliardPhys-Bench specification, section 6).

Nothing here touches the disk: `published` makes the two objects, `read` checks and reads them back, bit for bit.
The published content of `_final.json` comes first, with four decimals; all that we add sits under `meta`.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from jaxphys_benchmarks.billiardphys.config import BilliardConfig
from jaxphys_benchmarks.billiardphys.labels import Event, Labels
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec
from jaxphys_benchmarks.stored import first_fault
from jaxphys_kernels.billiards.model import WALLS
from jaxphys_kernels.status import describe

INIT, FINAL = "init.json", "_final.json"

_LABELS = TypeAdapter(Labels)
_DEFAULT = BilliardConfig()


def published(spec: BilliardSpec, labels: Labels, config: BilliardConfig = _DEFAULT) -> dict[str, dict[str, Any]]:
    """The scene's files by base name, ready for JSON.

    Args:
        spec: the scene. labels: its ground truth. config: gives the keys of the three answers.

    Raises:
        ValueError: the status word is not zero, so there is no ground truth to publish.
    """
    if labels.status:
        raise ValueError(
            f"{spec.id}: status {labels.status}, no label is written: {'; '.join(describe(labels.status))}"
        )
    margin = None if labels.margin is None else labels.margin.model_dump(mode="json")
    init = spec.model_dump(mode="json") | {"margin": margin}
    final = {
        config.q1_key: [{"id": ball, "answer": _letter(hit)} for ball, hit in enumerate(labels.q1, start=1)],
        config.q2_key: [{"wall": wall, "answer": _letter(hit)} for wall, hit in zip(WALLS, labels.q2, strict=True)],
        config.q3_key: [{"id": ball, "pos": _listed(pos)} for ball, pos in enumerate(labels.published_pos)],
        "meta": {
            "t": labels.t,
            "status": labels.status,
            "pos_full": [_listed(pos) for pos in labels.pos],
            "vel": [_listed(vel) for vel in labels.vel],
            "events": [_event(event) for event in labels.events],
            "chain_depth": list(labels.chain_depth),
            "margin": margin,
        },
    }
    return {INIT: init, FINAL: final}


def read(files: Mapping[str, Mapping[str, Any]], config: BilliardConfig = _DEFAULT) -> tuple[BilliardSpec, Labels]:
    """Spec and labels from the two objects that `published` made.

    Raises:
        ValueError: naming the file and the field that is missing or wrong.
    """
    for name in (INIT, FINAL):
        if not isinstance(files.get(name), Mapping):
            raise ValueError(f"{name}: missing; a scene has {INIT} and {FINAL}")
    try:
        spec = BilliardSpec.model_validate(files[INIT])
    except ValidationError as error:
        raise ValueError(f"{INIT}: {first_fault(error)}") from error
    final = files[FINAL]
    try:
        meta = final["meta"]
        # Spread over a dict so that a record with a field too many is an error of the schema.
        record = {
            "t": meta["t"],
            "q1": [_truth(row["answer"]) for row in final[config.q1_key]],
            "q2": [_truth(row["answer"]) for row in final[config.q2_key]],
            "pos": meta["pos_full"],
            "vel": meta["vel"],
            "events": meta["events"],
            "chain_depth": meta["chain_depth"],
            "margin": meta["margin"],
            "status": meta["status"],
        }
        labels = _LABELS.validate_python(record)
        _check_same_scene(spec, labels, final, config)
    except ValidationError as error:
        raise ValueError(f"{FINAL}: {first_fault(error)}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{FINAL}: no field {error}, or not of the published form") from error
    return spec, labels


def _check_same_scene(spec: BilliardSpec, labels: Labels, final: Mapping[str, Any], config: BilliardConfig) -> None:
    """The two files must be about the same scene, and the lists about the same balls and walls."""
    balls = list(range(spec.n))
    found = {
        config.q1_key: ([row["id"] for row in final[config.q1_key]], balls[1:]),
        config.q2_key: ([row["wall"] for row in final[config.q2_key]], list(WALLS)),
        config.q3_key: ([row["id"] for row in final[config.q3_key]], balls),
        "pos_full": (list(range(len(labels.pos))), balls),
        "vel": (list(range(len(labels.vel))), balls),
        "chain_depth": (list(range(len(labels.chain_depth))), balls),
    }
    for name, (seen, expected) in found.items():
        if seen != expected:
            raise ValueError(f"{FINAL}: {name}: lists {seen}, the scene of {INIT} has {expected}")
    if labels.t != spec.t:
        raise ValueError(f"{FINAL}: meta.t: {labels.t} s, but {INIT} says t = {spec.t} s")
    if [None if p is None else list(p) for p in labels.published_pos] != [row["pos"] for row in final[config.q3_key]]:
        raise ValueError(f"{FINAL}: {config.q3_key}: differs from meta.pos_full with four decimals")


def _letter(answer: bool) -> str:
    return "T" if answer else "F"


def _truth(letter: Any) -> bool:
    if letter not in ("T", "F"):
        raise TypeError(f"answer {letter!r}")
    return bool(letter == "T")


def _listed(pair: tuple[float, float] | None) -> list[float] | None:
    return None if pair is None else list(pair)


def _event(event: Event) -> dict[str, Any]:
    return {
        "t": event.t,
        "kind": event.kind,
        "ids": list(event.ids),
        "pos": [list(pos) for pos in event.pos],
        "wall": event.wall,
        "pocket": event.pocket,
    }
