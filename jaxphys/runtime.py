"""How JAX is set up around us: the compilation cache, and the guard against a hang on small machines.

Nothing here runs on `import jaxphys`. Entry points that own their process (the command line, worker processes,
the tests) call `prepare_process`, and so do our tasks and models in a process of inspect-ai, before they load JAX;
other people's processes keep their settings.
"""

import importlib.metadata
import os
import pathlib
import sys
import warnings

SCHEDULER_FLAG = "--xla_cpu_enable_concurrency_optimized_scheduler"

HANGS: frozenset[str] = frozenset({"0.10.1"})
"""JAX versions whose vmapped `mjx.step` deadlocks on two cores and that know `SCHEDULER_FLAG`.

An unknown XLA flag aborts the process, so a version is listed only after a probe of 200 batched calls with and
without the flag. 0.9.2, which the lock file takes, needs none.
"""


def prepare_process() -> None:
    """Set up a process that is ours, before JAX is first imported: hang guard, quiet loader, compilation cache."""
    # XLA warns at length, on standard error, of tuning hints in programs that it has itself put into its cache.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    guard_against_hang()
    enable_compilation_cache()


def guard_against_hang() -> None:
    """Turn off XLA's concurrency-optimised CPU scheduler on the versions that hang with it.

    Must run before JAX is first imported; a flag that the user has set is left alone.
    """
    if not may_hang():
        return
    if "jax" in sys.modules:
        warn_of_hang(stacklevel=3)
        return
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {SCHEDULER_FLAG}=false".strip()


def may_hang() -> bool:
    """Whether this JAX deadlocks in batched rigid bodies on two cores and nothing has been done about it."""
    return importlib.metadata.version("jax") in HANGS and SCHEDULER_FLAG not in os.environ.get("XLA_FLAGS", "")


def warn_of_hang(stacklevel: int = 2) -> None:
    """Name the remedies."""
    warnings.warn(
        f"batched rigid bodies may hang with this JAX on two cores: set XLA_FLAGS={SCHEDULER_FLAG}=false or "
        "NPROC=1 before JAX is imported",
        RuntimeWarning,
        stacklevel=stacklevel,
    )


def cache_dir() -> pathlib.Path:
    """Where compiled programs are kept: $JAXPHYS_CACHE_DIR, else $XDG_CACHE_HOME/jaxphys, else ~/.cache/jaxphys."""
    own = os.environ.get("JAXPHYS_CACHE_DIR")
    if own:
        return pathlib.Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (pathlib.Path(base) if base else pathlib.Path.home() / ".cache") / "jaxphys"


def enable_compilation_cache() -> None:
    """Keep compiled XLA programs on disk between processes.

    A cache that the user has configured is left alone; without a writable folder nothing is kept.
    """
    import jax

    if getattr(jax.config, "jax_compilation_cache_dir", None) is not None:
        return
    folder = cache_dir() / "xla"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if writable:
        jax.config.update("jax_compilation_cache_dir", str(folder))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.2)
