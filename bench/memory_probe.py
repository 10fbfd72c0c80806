"""One process, one simulation, its peak memory in MiB on stdout: `python -m bench.memory_probe BACKEND SCENES LOG`."""

import resource
import sys

import numpy as np

import jaxphys
from bench import engines
from tests.oracle import workload


def main(backend: str, scenes: int, log: bool) -> None:
    """Simulate `scenes` copies of a few drawn scenes and print the peak."""
    jaxphys.enable_compilation_cache()
    drawn = workload.draw(1024, "cue")
    pos, vel = (np.tile(x, (-(-scenes // 1024), 1, 1))[:scenes] for x in drawn)
    engines.ours(backend, log=log).solve(pos, vel)
    # Linux counts in KiB.
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), bool(int(sys.argv[3])))
