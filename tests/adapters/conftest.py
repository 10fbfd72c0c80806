"""What the tests of the adapters share: the command line in this process, and one small data set."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from jaxphys_adapters import cli

SMALL = ("--scenes", "6", "--windows", "1,3", "--option", "scale=0.25", "--seed", "5")
"""A data set of three scenes for each of two windows, with small pictures."""


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def jaxphys(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command as a user would; usage errors exit with 2 as well."""

    def run(*words: object) -> Ran:
        capsys.readouterr()
        try:
            code = cli.main([str(word) for word in words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture(scope="session")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished data set; tests must not change it."""
    root = tmp_path_factory.mktemp("data") / "set"
    assert cli.main(["generate", "billiardphys", *SMALL, "--out", str(root), "--quiet"]) == 0
    return root


def contents(root: Path) -> dict[str, bytes]:
    """Bytes of every file below a folder, by relative path."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
