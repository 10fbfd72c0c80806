"""Texts, strings and paths of a random world are the same in processes that hash differently."""

import os
import subprocess
import sys

from tests.support import CASES

TOLD = """
import numpy as np
from jaxphys_benchmarks.enact import paths
from tests.enact_worlds import episode, random_world
for seed in range(3):
    world = episode(random_world(seed, frames=9))
    edges = paths.edge_matrix(world, world.frames)
    rng = np.random.default_rng(seed)
    for path in paths.sample(world.frames, edges, 3, 10, rng):
        steps = list(zip(path[:-1], path[1:]))
        print(path, [world.sentences(i, j, rng, "parentless") for i, j in steps])
        print([sorted(world.full_free(i, j)) for i, j in steps])
        print([world.change(i, j, "full", "parentless") for i, j in steps])
    print(world.warnings)
"""


def test_other_hashes_change_nothing() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", TOLD],
            cwd=CASES.parent.parent,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert told[0].count("The ") > 50
