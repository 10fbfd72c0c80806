"""Talks to pooltool in its own environment (`make env-pooltool`) through `pooltool_worker`.

pooltool's pins conflict with a current numba, and it keeps a configuration file under HOME, so it gets another
interpreter and a temporary HOME.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Literal, Self

import numpy.typing as npt

from tests.oracle import workload

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(os.environ.get("JAXPHYS_POOLTOOL_PYTHON", ROOT / ".venv-pooltool/bin/python"))
MISSING = f"pooltool is missing: {PYTHON} does not exist; run `make env-pooltool`"
Physics = Literal["equal", "stock"]


def available() -> bool:
    """Whether the pooltool environment exists."""
    return PYTHON.exists()


class Pooltool:
    """A running worker; use as a context manager. The first request compiles for up to minutes."""

    def __enter__(self) -> Self:
        self._home = tempfile.TemporaryDirectory(prefix="pooltool-home-")
        self._errors = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            [PYTHON, Path(__file__).with_name("pooltool_worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env={**os.environ, "HOME": self._home.name},
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()
        self._errors.close()
        self._home.cleanup()

    def simulate(
        self, pos: npt.NDArray[Any], vel: npt.NDArray[Any], horizon: float, physics: Physics
    ) -> list[dict[str, Any]]:
        """Results of `pooltool_worker` for scenes (s, n, 2) of the standard table.

        Raises:
            RuntimeError: if the worker dies.
        """
        request = {
            "pos": pos.tolist(),
            "vel": vel.tolist(),
            "radius": workload.RADIUS,
            "mu": workload.MU,
            "g": workload.GRAVITY,
            "size": workload.SIZE,
            "horizon": horizon,
            "physics": physics,
        }
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            code = self._process.wait()
            self._errors.seek(0)
            raise RuntimeError(f"the pooltool worker ended with code {code}: {self._errors.read()[-2000:]}")
        results: list[dict[str, Any]] = json.loads(line)["results"]
        return results
