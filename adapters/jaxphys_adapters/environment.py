"""What a result was made with: versions, processor and instruction set, for configuration files and results.

The same scene gives the same bits on one back end, one set of versions and one instruction set, so these are
stored with every data set. No time, host name, path or user name is recorded.
"""

import platform
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

PACKAGES = ("jaxphys", "jax", "jaxlib", "numpy", "numba", "pillow", "pydantic")
SIMULATORS = ("mujoco", "mujoco-mjx")
"""What makes the numbers of rigid bodies; an extra, which other scenes do without."""
RENDERING = ("mujoco", "mujoco-warp", "warp-lang", "av")
"""What the bytes of 3-D pictures and films depend on besides."""


def versions(packages: tuple[str, ...] = PACKAGES + SIMULATORS) -> dict[str, str]:
    """Installed versions by package; packages that are not installed are left out."""
    found = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def instruction_set() -> list[str]:
    """Vector extensions of this processor, as NumPy finds them, sorted."""
    shown: Any = np.show_config(mode="dicts")
    extensions = shown.get("SIMD Extensions", {}) if isinstance(shown, dict) else {}
    return sorted({*extensions.get("baseline", ()), *extensions.get("found", ())})


def made_with(renderer: str | None = None) -> dict[str, Any]:
    """Versions, Python, machine type and instruction set, ready for JSON; with 3-D pictures, what drew them too."""
    drawn = {} if renderer is None else {"renderer": renderer}
    return drawn | {
        "versions": versions(PACKAGES + SIMULATORS + (() if renderer is None else RENDERING)),
        "python": platform.python_version(),
        "machine": re.sub(r"\s+", " ", f"{platform.system()} {platform.machine()}"),
        "instruction_set": instruction_set(),
    }


def equally_made(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two records of `made_with` promise equal bytes; a simulator that only one of them lists did not matter.

    Scenes that need it cannot be made without it, and the others may be resumed where it is installed by now, or
    no longer.
    """
    return _beside(one, other) == _beside(other, one)


def _beside(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """A record without the simulators that the other one does not list."""
    listed, known = one.get("versions"), other.get("versions")
    if not isinstance(listed, Mapping) or not isinstance(known, Mapping):
        return dict(one)
    return {**one, "versions": {k: v for k, v in listed.items() if k not in SIMULATORS or k in known}}
