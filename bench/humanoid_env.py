"""The questions about learning on the humanoid's environment: whether PPO gets better, and decisions per second.

`humanoid_env`: Brax's PPO above the frozen walker on throws and bounces, three seeds; for each the mean return of the
first and of the last tenth of the episodes, and their difference in standard errors. `python -m bench.humanoid_env
FILE.svg` writes the learning curves as well.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.billiards import Plan
from bench.rows import Row
from jaxphys import runtime
from jaxphys_adapters.report_drawing import drawing
from jaxphys_benchmarks.reacthuman.env import EnvConfig, Environment
from jaxphys_benchmarks.reacthuman.env.curve import learning_curve
from jaxphys_benchmarks.reacthuman.env.training import PPOConfig, Trained, gain, train

BENCH = "humanoid.env"
SEEDS = (0, 1, 2)
DECISIONS = {True: 12_000, False: 60_000}
"""Of each seed, quick or not."""
SHOWN = ("right", "unsafe", "touched", "caught", "hit", "fell", "gap", "catches")


def humanoid_env(plan: Plan) -> Iterator[Row]:
    """Learning of each seed, and decisions per second with learning."""
    environment = Environment(EnvConfig())
    for seed in SEEDS:
        yield from _rows(seed, train(environment, seed, PPOConfig(decisions=DECISIONS[plan.quick])))


def _rows(seed: int, trained: Trained) -> Iterator[Row]:
    found = gain(trained.returns)
    yield Row(BENCH, f"seed {seed}: return, first tenth", found.first, "")
    yield Row(BENCH, f"seed {seed}: return, last tenth", found.last, "")
    yield Row(BENCH, f"seed {seed}: gain", found.errors, "standard errors")
    yield Row(BENCH, f"seed {seed}: decisions, learning included", trained.decisions / trained.seconds, "decisions/s")


QUESTIONS = {"humanoid_env": humanoid_env}


def main() -> int:
    """Train all seeds, print what came of them, and write the curves."""
    parser = argparse.ArgumentParser(prog="python -m bench.humanoid_env", description=__doc__)
    parser.add_argument("picture", type=Path, metavar="FILE.svg")
    parser.add_argument("--decisions", type=int, default=DECISIONS[False])
    parser.add_argument("--backend", choices=("auto", "c", "mjx"), default="auto")
    options = parser.parse_args()
    environment, runs = Environment(EnvConfig(backend=options.backend)), {}
    for seed in SEEDS:
        trained = train(environment, seed, PPOConfig(decisions=options.decisions), _told)
        runs[f"seed {seed}"] = trained.returns
        found = gain(trained.returns)
        print(
            f"seed {seed}: {len(trained.returns)} episodes in {trained.seconds:.0f} s; return {found.first:.2f} ->"
            f" {found.last:.2f}, {found.errors:.1f} standard errors"
        )
        for name, part in (("first", slice(None, len(trained.returns) // 10)), ("last", _last(trained.returns))):
            numbers = ", ".join(f"{key} {trained.numbers[key][part].mean():.3f}" for key in SHOWN)
            print(f"  {name} tenth: {numbers}", flush=True)
    canvas = learning_curve(runs, "PPO above the frozen walker: throws and bounces")
    svg = drawing(canvas, "mean return over the episodes of three trainings")
    # A file of its own names its format and its font; in a page both are the page's.
    svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" ', 1)
    options.picture.write_text(svg + "\n", encoding="utf-8")
    return 0


def _last(returns: np.ndarray) -> slice:
    return slice(len(returns) - len(returns) // 10, None)


def _told(decisions: int, returns: float) -> None:
    print(f"  {decisions} decisions: return {returns:.2f}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    runtime.prepare_process()
    raise SystemExit(main())
