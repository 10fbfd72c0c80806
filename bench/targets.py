"""What the figures should reach (performance document, section 13), by bench, row name and peer.

Targets are ratios within one run, never absolute speeds, except for memory and the time of one scene.
"""

from dataclasses import dataclass
from typing import Protocol


class Measured(Protocol):
    """What a target looks at in a row."""

    @property
    def bench(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> float | None: ...
    @property
    def peer(self) -> str | None: ...
    @property
    def ratio(self) -> float | None: ...


@dataclass(frozen=True)
class Target:
    """A bound on the ratio, or on the value where there is no peer; `least` or `most`."""

    least: float | None = None
    most: float | None = None

    def met_by(self, row: Measured) -> bool:
        """Whether the row keeps to the bound; a failed row does not."""
        figure = row.value if row.peer is None else row.ratio
        if figure is None:
            return False
        return (self.least is None or figure >= self.least) and (self.most is None or figure <= self.most)

    def __str__(self) -> str:
        return f"≥ {self.least:.3g}" if self.least is not None else f"≤ {self.most:g}"


FULL = 16384
"""Scenes of the batch on which the speed targets are set."""

RATIOS: dict[tuple[str, str], float] = {
    ("xla", "numba"): 0.3,
    ("compiled", "numba"): 1.0,
    ("compiled", "pooltool-equal"): 100,
    ("compiled", "pooltool-stock"): 100,
    ("xla", "pymunk-240"): 1000,
    ("compiled", "pymunk-240"): 1000,
    ("xla", "numpy"): 200,
    ("xla", "stepped-240"): 20,
    ("xla", "readable"): 15,
    ("xla-float32", "xla"): 1.0,
    ("numba", "numpy"): 1200,
}
"""Least speed ratio of (engine, peer) at `FULL`. The last one says whether the numba peer is a worthy one."""

VALUES: dict[tuple[str, str], Target] = {
    ("billiards.memory", "compiled 131072"): Target(most=2048),
    ("billiards.memory", "xla 131072"): Target(most=2048),
    ("billiards.latency", "auto"): Target(most=2.0),
    ("billiards.latency", "auto+log"): Target(most=2.0),
    **{("billiards.accuracy", f"{engine} {moving}: to 4 decimals"): Target(least=1.0)
       for engine in ("compiled", "xla") for moving in ("cue", "all")},
    **{("billiards.accuracy", f"{engine} {moving}: labels equal"): Target(least=1.0)
       for engine in ("compiled", "xla") for moving in ("cue", "all")},
}  # fmt: skip
"""Bounds on values of rows without a peer: MiB, ms, shares."""

PLANAR: dict[tuple[str, str], float] = {
    ("labelled", "pybullet-240"): 50,
    ("mixed", "pybullet-240"): 50,
    ("mixed", "regular"): 1 / 1.3,
}
"""Least speed ratio of (contender, peer) in `planar.speed`: mixed laws cost at most 1.3 times a single one."""


RIGID: dict[tuple[str, str], float] = {
    ("c", "mujoco.rollout"): 0.9,
    ("mjx", "vmap(mjx.step)"): 0.9,
    ("mjx", "vmap(mjx.step), own leaves"): 0.9,
}
"""Least ratio of (back end, bare engine) in `rigid.cost`, the median of interleaved pairs."""


HUMANOID = 5.0
"""Least ratio of the C back end to a Python loop over robots, for many of them."""

MANY_ROBOTS = ("c 64", "c 512")


PICTURES = 0.8
"""Least ratio of a renderer to its bare engine in `hazard.frames`."""


def target_of(row: Measured) -> Target | None:
    """The target of a row, if it has one."""
    if row.peer is None:
        return VALUES.get((row.bench, row.name))
    engine, _, rest = row.name.partition(" ")
    if row.bench == "planar.speed":
        return _at_least(PLANAR.get((engine, row.peer)))
    if row.bench == "rigid.cost":
        return _at_least(RIGID.get((engine, row.peer)))
    if row.bench == "humanoid.speed":
        return _at_least(HUMANOID if row.name in MANY_ROBOTS else None)
    if row.bench == "hazard.frames":
        return _at_least(PICTURES)
    at_full = row.bench == "billiards.speed" and rest in (f"cue {FULL}", f"all {FULL}")
    return _at_least(RATIOS.get((engine, row.peer)) if at_full else None)


def _at_least(least: float | None) -> Target | None:
    return None if least is None else Target(least=least)
