"""Reading the files of a scene back: a spec and its labels, checked; complaints name the file and the field."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from jaxphys_benchmarks.protocol import Spec

Record = TypeVar("Record", bound=BaseModel)
OneSpec = TypeVar("OneSpec", bound=Spec)

SCENE, LABELS = "scene.json", "labels.json"


def spec_and_labels(
    files: Mapping[str, Mapping[str, Any]], spec_type: type[OneSpec], labels_type: type[Record]
) -> tuple[OneSpec, Record]:
    """The spec of `scene.json` and the labels of `labels.json`, which are its own.

    Args:
        files: objects by file name; both are there.
        spec_type: of the spec.
        labels_type: of the labels, beside which the file holds the scene's `id`.

    Raises:
        ValueError: naming the file and the field that is missing or wrong.
    """
    spec = _validated(SCENE, files[SCENE], spec_type)
    told = dict(files[LABELS])
    whose = told.pop("id", None)
    if whose != spec.id:
        raise ValueError(f"{LABELS}: id: {whose!r}, but {SCENE} holds {spec.id}")
    return spec, _validated(LABELS, told, labels_type)


def _validated(name: str, content: Mapping[str, Any], kind: type[Record]) -> Record:
    try:
        return kind.model_validate(dict(content))
    except ValidationError as error:
        raise ValueError(f"{name}: {first_fault(error)}") from error


def first_fault(error: ValidationError) -> str:
    """The first complaint of a schema as `field: message`."""
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}".lstrip(": ")
