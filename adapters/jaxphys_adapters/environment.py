"""What a result was made with: versions, processor and instruction set, for configuration files and results.

The same scene gives the same bits on one back end, one set of versions and one instruction set, so these are
stored with every data set. No time, host name, path or user name is recorded.
"""

import platform
import re
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

PACKAGES = ("jaxphys", "jax", "jaxlib", "numpy", "numba", "pillow", "pydantic")
RENDERING = ("mujoco", "mujoco-warp", "warp-lang", "av")
"""What the bytes of 3-D pictures and films depend on besides."""


def versions(packages: tuple[str, ...] = PACKAGES) -> dict[str, str]:
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
        "versions": versions(PACKAGES if renderer is None else PACKAGES + RENDERING),
        "python": platform.python_version(),
        "machine": re.sub(r"\s+", " ", f"{platform.system()} {platform.machine()}"),
        "instruction_set": instruction_set(),
    }
