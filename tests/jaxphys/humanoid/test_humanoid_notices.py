"""Nothing of others is in the repository; what it owes them is told (humanoid specification, section 13, row 21)."""

import re
import subprocess
from pathlib import Path

import pytest

from jaxphys.humanoid import teacher

ROOT = Path(__file__).parents[3]
FOREIGN = re.compile(r"\.(onnx|stl|obj|urdf|mjcf|pt|pth|safetensors|whl)$", re.IGNORECASE)


@pytest.fixture(scope="module")
def files() -> list[str]:
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("this is no checkout, so there is no list of files")
    return done.stdout.splitlines()


def test_no_robot_mesh_or_policy_of_others_is_in_the_repository(files: list[str]) -> None:
    assert not [name for name in files if FOREIGN.search(name)]
    robots = [name for name in files if name.endswith(".xml") and b"pelvis" in (ROOT / name).read_bytes()]
    assert not robots


def test_the_only_weights_are_those_of_the_student(files: list[str]) -> None:
    stored = [name for name in files if "ocdbt" in name or Path(name).name in ("_METADATA", "_CHECKPOINT_METADATA")]
    assert all(name.startswith("jaxphys/humanoid/student/") for name in stored)


def test_the_notice_names_the_sources_and_their_licences() -> None:
    text = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for words in (teacher.SHA256, teacher.MEMBER, teacher.SOURCE, "Amazon.com, Inc.", "Unitree Robotics"):
        assert words in text
    assert "Redistributions in binary form" in text
