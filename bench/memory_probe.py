"""One process, one simulation, its peak memory in MiB on stdout: `python -m bench.memory_probe BACKEND SCENES LOG`."""

import pathlib
import sys

import numpy as np

from bench import engines
from tests.oracle import workload


def main(backend: str, scenes: int, log: bool) -> None:
    """Simulate `scenes` copies of a few drawn scenes and print the peak."""
    drawn = workload.draw(1024, "cue")
    pos, vel = (np.tile(x, (-(-scenes // 1024), 1, 1))[:scenes] for x in drawn)
    engines.ours(backend, log=log).solve(pos, vel)
    print(peak_mib())


def peak_mib() -> float:
    """Peak resident memory of this process (MiB), from Linux's /proc: `getrusage` would include the parent's."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), bool(int(sys.argv[3])))
