"""Running scenes: `Run`, all recorded states of scenes that were simulated together.

A scene with `hold` first rests for that time and settles; then its bodies get their launch velocities, and time starts
at 0. States are j = 0 … t, the launch first; state j is that after j recorded steps, at j * dt. Record index k of the
specification (section 1.2) is state k + 1.

Scenes are simulated in batches of equal size of the arrays and equal physics, sorted by what they are judged by, so
that a run is of one kind; a scene's bits do not depend on what it is simulated with. Public: `Run`, `Kind`, `kind_of`,
`simulate`, `runs`.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from jaxphys import rigid
from jaxphys_benchmarks.reacthuman.lower import lower_scenes, rules_of
from jaxphys_benchmarks.reacthuman.scene import Scene
from jaxphys_benchmarks.reacthuman.spec import Judging, Physics, ReactHumanSpec
from jaxphys_kernels.rigid.model import State, World

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

Tree = TypeVar("Tree", World, State)

CHUNK = 512
"""Scenes simulated in one call, to bound memory."""


class Kind(NamedTuple):
    """What scenes must have in common to be looked at side by side.

    Attributes:
        family, variant: names. impact: of the specs. judging: of the specs.
    """

    family: str
    variant: Literal["repaired", "early"]
    impact: Literal["plane", "com"]
    judging: Judging


def kind_of(spec: ReactHumanSpec) -> Kind:
    """The kind of a spec."""
    return Kind(spec.family, spec.variant, spec.impact, spec.judging)


@dataclass(frozen=True, eq=False)
class Run:
    """b scenes of one kind with n bodies and s boxes at t + 1 states.

    Attributes:
        kind: of all. places: (b,) indices of the scenes in what was asked for. scenes: the scenes. world: of them.
        backend: that simulated. dt: s. time: (t + 1,) s.
        qpos: (b, t + 1, n, 7). qvel: (b, t + 1, n, 6), as in `jaxphys_kernels.rigid.model`.
        touching: (b, t, c) whether a pair touched during a step. first_touch: (b, c) s, inf for never.
        status: (b,) status words of the simulator.
        drift: (b,) farthest way of a body while it was held (m); 0 without hold.
    """

    kind: Kind
    places: Ints
    scenes: Sequence[Scene]
    world: World
    backend: str
    dt: float
    time: Floats
    qpos: Floats
    qvel: Floats
    touching: Bools
    first_touch: Floats
    status: Ints
    drift: Floats

    @property
    def n(self) -> int:
        """Bodies of a scene, absent ones included."""
        return int(self.qpos.shape[2])

    @property
    def s(self) -> int:
        """Static boxes of a scene, absent ones included."""
        return int(self.world.static_half.shape[1])


def simulate(specs: Sequence[ReactHumanSpec], *, backend: str = "auto") -> list[Run]:
    """The scenes of specs run to their horizons."""
    return runs(
        [spec.scene for spec in specs],
        [spec.physics for spec in specs],
        [kind_of(spec) for spec in specs],
        backend=backend,
    )


def runs(
    scenes: Sequence[Scene],
    physics: Sequence[Physics],
    kinds: Sequence[Kind],
    *,
    backend: str = "auto",
    nudge: float = 0.0,
) -> list[Run]:
    """Scenes run to their horizons.

    Args:
        scenes: what to simulate. physics: how, of each. kinds: of each. backend: of `jaxphys.rigid`.
        nudge: relative change of all launch velocities.

    Raises:
        ValueError: a scene that the simulator refuses.
    """
    order = {kind: k for k, kind in enumerate(dict.fromkeys(kinds))}
    together: dict[tuple[int, int, int, Physics], list[int]] = defaultdict(list)
    for place, (scene, how) in enumerate(zip(scenes, physics, strict=True)):
        together[len(scene.things), len(scene.boxes), round(scene.horizon / how.dt), how].append(place)
    found = []
    for (*_, steps, how), places in together.items():
        places.sort(key=lambda place: (order[kinds[place]], place))
        for start in range(0, len(places), CHUNK):
            part = places[start : start + CHUNK]
            found += _split(
                _simulated([scenes[k] for k in part], kinds[part[0]], part, steps, how, backend, nudge), kinds
            )
    return found


def _simulated(
    scenes: Sequence[Scene], kind: Kind, places: Sequence[int], steps: int, how: Physics, backend: str, nudge: float
) -> Run:
    world, state = lower_scenes(scenes)
    world, state = _precise(world, backend), _precise(state, backend)
    rules, drift = rules_of(how), np.zeros(len(scenes))
    launched = np.array(state.qvel) * (1.0 + nudge)
    start = np.array(state.qpos)
    holds = np.array([round(scene.hold / how.dt) for scene in scenes])
    for hold in np.unique(holds[holds > 0]).tolist():
        held = np.flatnonzero(holds == hold)
        resting = state.replace(time=np.asarray(state.time)[held], qpos=start[held], qvel=np.zeros_like(launched[held]))
        rest = rigid.rollout(_rows(world, held), resting, np.array([hold * how.dt]), rules=rules, backend=backend)
        settled = np.asarray(rest.qpos)[:, -1]
        way = np.sqrt(np.sum((settled[..., :3] - start[held][..., :3]) ** 2, axis=-1))
        drift[held], start[held] = way.max(axis=-1), settled
    times = np.arange(1, steps + 1) * how.dt
    moving = rigid.rollout(world, state.replace(qpos=start, qvel=launched), times, rules=rules, backend=backend)
    return Run(
        kind=kind,
        places=np.array(places),
        scenes=scenes,
        world=world,
        backend=rigid.resolve_backend(backend),
        dt=how.dt,
        time=np.arange(steps + 1, dtype=np.float64) * how.dt,
        qpos=np.concatenate([start[:, None], np.asarray(moving.qpos)], axis=1),
        qvel=np.concatenate([launched[:, None], np.asarray(moving.qvel)], axis=1),
        touching=np.asarray(moving.touching),
        first_touch=np.asarray(moving.first_touch),
        status=np.asarray(moving.status).astype(np.int64),
        drift=drift,
    )


def _precise(tree: Tree, backend: str) -> Tree:
    """World or State in the precision of a back end: MJX sweeps are float32, published data float64."""
    if rigid.resolve_backend(backend) == "c":
        return tree
    leaves = {name: np.asarray(leaf) for name, leaf in vars(tree).items()}
    return tree.replace(
        **{name: leaf.astype(np.float32) if leaf.dtype.kind == "f" else leaf for name, leaf in leaves.items()}
    )


def _split(run: Run, kinds: Sequence[Kind]) -> list[Run]:
    """Runs of one kind each; the scenes are sorted by kind already, so the arrays are views."""
    own = [kinds[k] for k in run.places.tolist()]
    edges = [0, *(k for k in range(1, len(own)) if own[k] != own[k - 1]), len(own)]
    return [part(run, slice(a, b), own[a]) for a, b in pairwise(edges)]


def part(run: Run, rows: slice | Ints, kind: Kind | None = None) -> Run:
    """Some scenes of a run."""
    chosen = range(len(run.scenes))[rows] if isinstance(rows, slice) else rows.tolist()
    leaves = ("places", "qpos", "qvel", "touching", "first_touch", "status", "drift")
    return replace(
        run,
        kind=run.kind if kind is None else kind,
        scenes=[run.scenes[k] for k in chosen],
        world=_rows(run.world, rows),
        **{name: getattr(run, name)[rows] for name in leaves},
    )


def _rows(world: World, rows: slice | Ints) -> World:
    leaves = {name: np.asarray(leaf)[rows] for name, leaf in vars(world).items()}
    return world.replace(**leaves)
