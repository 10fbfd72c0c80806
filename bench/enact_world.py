"""The question about simulated household episodes: how long they take, by stage, and what they show.

All activities with a few seeds each become recordings, facts, key frames, what is seen in them, and questions, without
pictures, on two processes. A row each of the wall time in all and of the seconds of each stage summed over episodes;
and of the figures of the acceptance (ENACT specification, section 14).
"""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from bench.billiards import Plan
from bench.rows import Row
from jaxphys_benchmarks.enact.activities import acceptance, book
from jaxphys_benchmarks.enact.config import DEFAULT
from jaxphys_benchmarks.enact.episodes import dataset
from jaxphys_benchmarks.enact.episodes.making import make
from jaxphys_benchmarks.enact.play.simulate import simulate

BENCH = "enact.world"
SEEDS = {True: 1, False: 4}
"""Episodes of each activity, by quickness."""
QUICK = ("bringing_water", "chop_an_onion", "cook_bacon", "loading_the_car")
WORKERS = 2


def measured(name: str, seed: int) -> tuple[acceptance.Row, dict[str, float], int, int]:
    """The figures of an episode, seconds by stage, its frames, and the questions it gives."""
    spec = dataset.spec_for(name, book.names().index(name), seed)
    clock = time.perf_counter()
    recording = simulate(spec, DEFAULT)
    seconds = {"simulation": time.perf_counter() - clock}
    made = make(recording, DEFAULT)
    seconds |= made.figures["seconds"]
    clock = time.perf_counter()
    source = dataset.Source(made.task, name, made.key_frames, made.episode(DEFAULT))
    asked = sum(1 for _ in dataset.questions({name: [source]}, DEFAULT, wanted=None))
    seconds["questions"] = time.perf_counter() - clock
    return acceptance.row(made, DEFAULT), seconds, recording.frames, asked


def world(plan: Plan) -> Iterator[Row]:
    """Wall time by stage, and the figures of the acceptance."""
    names: Sequence[str] = QUICK if plan.quick else book.BUILT_IN
    pairs = [(name, seed) for name in names for seed in range(SEEDS[plan.quick])]
    clock = time.perf_counter()
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(measured, *zip(*pairs, strict=True)))
    wall = time.perf_counter() - clock
    rows = [row for row, _, _, _ in found]
    yield Row(BENCH, "wall", wall, "s")
    yield Row(BENCH, "episodes", len(rows), "episodes")
    for stage in found[0][1]:
        yield Row(BENCH, f"stage {stage}", sum(seconds[stage] for _, seconds, _, _ in found), "s")
    yield Row(BENCH, "frames", sum(frames for _, _, frames, _ in found), "frames")
    yield Row(BENCH, "questions", sum(asked for _, _, _, asked in found), "questions")
    yield Row(BENCH, "least key frames", min(row.key_frames for row in rows), "key frames")
    yield Row(BENCH, "failures", sum(len(row.failures) for row in rows), "skills")
    for side in ("left", "right"):
        yield Row(BENCH, f"{side} grasps", sum(getattr(row, side) for row in rows), "grasps")
    total = {name: sum(row.paths for row in rows if row.activity == name) for name in names}
    yield Row(BENCH, "activities with 20 paths at L = 10", sum(count >= 20 for count in total.values()), "activities")
    for way, classes in (("added", acceptance.CLASSES), ("removed", acceptance.REVERSIBLE)):
        for what in classes:
            where = {row.activity for row in rows if getattr(row, way).get(what, 0)}
            yield Row(BENCH, f"{what} {way}", len(where), "activities")


QUESTIONS = {"enact_world": world}
"""By name."""
