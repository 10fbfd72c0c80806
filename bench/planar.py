"""The question about primitives with laws: scenes per second against PyBullet with the law written in at first contact.

The scenes are samples of InPhyRe, all ten scenarios in turns, 5 s each. `mixed` simulates them, `regular` the same
scenes under one law, `labelled` makes them from a seed: drawn, simulated thrice for the screen, labelled. The peer
`pybullet-240` gets the same bodies ready-made, and only steps them and writes in the law (reference engines document,
section 4.3); it is timed on its first scenes.
"""

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from bench.billiards import Plan
from bench.harness import Contender, Timing, interleave
from bench.rows import Row
from jaxphys import laws, planar
from jaxphys_benchmarks.inphyre import screen
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.lower import lower
from jaxphys_benchmarks.inphyre.sample import draw_many
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from tests.oracle import planar_laws
from tests.oracle.planar_scene import Body, Floats, Scene

SPEED, FIRST = "planar.speed", "planar.first_call"
EACH = 2000
"""Samples of each scenario; ten scenarios make 20 000."""
SEED = 0
PEER, PEER_SCENES = "pybullet-240", 20
PEERS = {"labelled": (PEER,), "mixed": (PEER, "regular"), "regular": (PEER,)}
"""Whom a contender is compared with."""


def planar_speed(plan: Plan) -> Iterator[Row]:
    """Scenes per second with and without labels, mixed and under one law; first calls, which compile, apart."""
    config = InPhyReConfig()
    each = EACH // 10 if plan.quick else EACH
    specs = _in_turns([draw_many(config, SEED, scenario, range(each)) for scenario in config.scenarios])
    world, state = lower(specs)
    regular = world.replace(
        law=np.full_like(world.law, laws.number("regular")),
        params={**world.params, "restitution": np.ones_like(world.params["restitution"])},
    )
    end = [specs[0].duration]
    contenders = [
        Contender("labelled", len(specs), functools.partial(_labelled, config, each)),
        Contender("mixed", len(specs), functools.partial(planar.rollout, world, state, end)),
        Contender("regular", len(specs), functools.partial(planar.rollout, regular, state, end)),
        Contender(PEER, PEER_SCENES, _pybullet([_scene(world, state, k) for k in range(PEER_SCENES)], end[0])),
    ]
    yield from _rows(interleave(contenders), len(specs))


def _in_turns(groups: list[list[InPhyReSpec]]) -> list[InPhyReSpec]:
    return list(itertools.chain.from_iterable(zip(*groups, strict=True)))


def _labelled(config: InPhyReConfig, each: int) -> int:
    """Samples with labels, from the seed; how many."""
    return sum(len(screen.labelled(config, SEED, scenario, range(each))) for scenario in config.scenarios)


def _scene(world: planar.World, state: planar.State, k: int) -> Scene:
    """Scene k of a batch, body by body; those that only fill a row are left out."""
    shapes = [planar.Shape(int(shape)).name.lower() for shape in world.shape[k]]
    half = np.asarray(world.half[k] + world.rounding[k][:, None])
    present = [i for i in range(len(shapes)) if np.abs(state.pos[k, i]).max() < 100]
    bodies = [
        Body(
            shapes[i],
            (float(half[i, 0]), float(half[i, 1])),
            np.asarray(state.pos[k, i]),
            np.asarray(state.vel[k, i]),
            **{name: float(getattr(state, name)[k, i]) for name in ("yaw", "spin")},
            **{name: float(getattr(world, name)[k, i]) for name in ("mass", "inertia", "mu", "mu_roll", "kappa")},
            roll=np.asarray(state.roll[k, i]),
            look=i,
            red=bool(world.attrs["red"][k, i]),
        )
        for i in present
    ]
    rules = {}
    for c, pair in enumerate(itertools.combinations(range(len(shapes)), 2)):
        if set(pair) <= set(present):
            params = {name: float(value[k, c]) for name, value in world.params.items()}
            rules[pair] = (laws.names()[int(world.law[k, c])], params)
    return Scene(bodies, float(world.g[k]), rules)


def _pybullet(scenes: list[Scene], end: float) -> Callable[[], int]:
    """The loop over scenes in one PyBullet client, with the laws in plain NumPy; the number of meetings."""

    def meet(name: str, params: Mapping[str, float]) -> Callable[[Body, Body, Floats], bool]:
        return lambda a, b, normal: planar_laws.LAWS[name](a, b, normal, params)

    def loop() -> int:
        from tests.reference.pybullet_planar import Simulator

        with Simulator() as engine:
            met = [
                len(engine.simulate(scene.bodies, {p: meet(*law) for p, law in scene.laws.items()}, end, scene.g)[1])
                for scene in scenes
            ]
        return sum(met)

    return loop


def _rows(timings: dict[str, Timing], count: int) -> Iterator[Row]:
    for name, timing in timings.items():
        label = name if name == PEER else f"{name} {count}"
        if timing.error is not None:
            yield Row(SPEED, label, None, "scenes/s", error=timing.error)
            continue
        yield Row(FIRST, label, timing.first, "s")
        rivals = [peer for peer in PEERS.get(name, ()) if timings[peer].error is None]
        if not rivals:
            yield Row(SPEED, label, timing.rate, "scenes/s")
        for peer in rivals:
            yield Row(SPEED, label, timing.rate, "scenes/s", peer, timing.rate / timings[peer].rate)


QUESTIONS: dict[str, Callable[[Plan], Iterator[Row]]] = {"planar": planar_speed}
