"""Validation errors in one line: what is at fault, where, and how many more faults there really are."""

from typing import Any

import pytest
from pydantic import ValidationError

from jaxphys_adapters.cli import explain
from jaxphys_adapters.rigid_file import RigidScene

BODY: dict[str, Any] = {"shape": "sphere", "size": 0.1, "mass": 1, "pos": [0, 0, 1]}
SCENE: dict[str, Any] = {"kind": "rigid_scene", "t_end": 1, "bodies": [BODY]}
NO_MASS = {name: value for name, value in BODY.items() if name != "mass"}
NUMBER = "Input should be a valid number, unable to parse string as a number"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"bodies": [NO_MASS]}, "bodies.0.mass: Field required"),
        ({"bodies": [BODY | {"size": "big"}]}, f"bodies.0.size: {NUMBER}"),
        ({"bodies": [BODY | {"shape": "box", "size": [0.1, "x", 0.1]}]}, f"bodies.0.size.1: {NUMBER}"),
        ({"bodies": [NO_MASS, NO_MASS]}, "bodies.0.mass: Field required (and 1 more)"),
        ({"bodies": [NO_MASS], "t_end": 0}, "t_end: Input should be greater than 0 (and 1 more)"),
        ({"bodies": [NO_MASS | {"size": "big"}]}, f"bodies.0.size: {NUMBER} (and 1 more)"),
        ({"bodies": []}, "bodies: Tuple should have at least 1 item after validation, not 0"),
        ({"bodies": [], "gee": 1}, "bodies: Tuple should have at least 1 item after validation, not 0 (and 1 more)"),
        ({"gee": 1}, "gee: no such field; check its spelling or remove it"),
        ({"bodies": [BODY | {"quat": [2, 0, 0, 0]}]}, "bodies.0: quat: [2.0, 0.0, 0.0, 0.0] has length 2; give one of"),
    ],
)
def test_real_faults_are_counted(change: dict[str, Any], line: str) -> None:
    with pytest.raises(ValidationError) as caught:
        RigidScene.model_validate(SCENE | change)
    told = explain(caught.value)
    assert told.startswith(line)
    assert ("more)" in told) == ("more)" in line)
