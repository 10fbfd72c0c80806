"""Process set-up: the hang guard, the compilation cache, and a light import."""

import os
import subprocess
import sys

import pytest

from jaxphys import runtime


def test_import_is_light() -> None:
    program = "import sys, jaxphys; print([m for m in ('jax', 'numba', 'numpy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def run_guard(version: str, flags: str | None, first: str = "pass") -> str:
    program = (
        f"import importlib.metadata, os; {first}; importlib.metadata.version = lambda name: {version!r}; "
        "from jaxphys import runtime; runtime.guard_against_hang(); print(os.environ.get('XLA_FLAGS', ''))"
    )
    env = {k: v for k, v in os.environ.items() if k != "XLA_FLAGS"} | ({"XLA_FLAGS": flags} if flags else {})
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    return done.stdout.strip() + done.stderr


def test_guard_acts_on_tested_versions_only() -> None:
    off = f"{runtime.SCHEDULER_FLAG}=false"
    assert run_guard("0.10.1", None) == off
    assert run_guard("0.10.1", "--xla_dump_to=x") == f"--xla_dump_to=x {off}"
    assert run_guard("0.10.1", f"{runtime.SCHEDULER_FLAG}=true") == f"{runtime.SCHEDULER_FLAG}=true"
    assert run_guard("0.9.2", None) == ""
    assert run_guard("9.9.9", None) == ""


def test_guard_warns_when_it_comes_too_late() -> None:
    assert "NPROC=1" in run_guard("0.10.1", None, first="import jax")


def test_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAXPHYS_CACHE_DIR", "/somewhere")
    assert str(runtime.cache_dir()) == "/somewhere"
    monkeypatch.delenv("JAXPHYS_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert str(runtime.cache_dir()) == "/caches/jaxphys"


def test_cache_is_kept_between_processes(tmp_path: os.PathLike[str]) -> None:
    program = (
        "import jaxphys; jaxphys.enable_compilation_cache(); import jax; print(jax.config.jax_compilation_cache_dir)"
    )
    env = dict(os.environ, JAXPHYS_CACHE_DIR=str(tmp_path))
    env.pop("JAX_COMPILATION_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.strip() == os.path.join(tmp_path, "xla")


def test_in_the_process_of_inspect_the_loader_is_quiet_before_jax_is_loaded() -> None:
    program = """
import os, sys
import jaxphys._inspect as entry
print([name for name in ("jax", "jaxlib", "numba") if name in sys.modules])
entry.baseline("oracle")
print("jax" in sys.modules, os.environ["TF_CPP_MIN_LOG_LEVEL"])
"""
    # JAX itself sets the variable to another value as it is loaded.
    env = {name: value for name, value in os.environ.items() if name != "TF_CPP_MIN_LOG_LEVEL"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.split("\n")[:2] == ["[]", "True 3"]
