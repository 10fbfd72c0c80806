"""`Course`: scenes that run while somebody is asked about them, in segments joined by a host loop.

Rounds come every Δt; at a round the scenes are asked about whose robot stands and whose last answer has taken effect.
An answer takes effect after the latency, and until then the robot goes on with what it does: it stands, before its
first plan. A plan begins when it takes effect, from wherever the hands are, and gives them time (`easing`). After the
last round the scenes run to their ends. Scenes of one course have equal Δt and are simulated together. Public:
`Course`, `run`.
"""

import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.looped import MEASURED
from jaxphys_benchmarks.reacthuman.execution import Execution
from jaxphys_benchmarks.reacthuman.execution.config import TICK
from jaxphys_benchmarks.reacthuman.execution.outcome import Outcome
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.loop.config import LoopConfig
from jaxphys_benchmarks.reacthuman.loop.easing import Eased, eased
from jaxphys_benchmarks.reacthuman.loop.observation import Observation, to_robot
from jaxphys_benchmarks.reacthuman.loop.policy import Decision, Joints, Policy
from jaxphys_benchmarks.reacthuman.loop.window import pasts, window
from jaxphys_benchmarks.reacthuman.plan import LIMITS, Plan
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

NEVER = np.iinfo(np.int64).max


class Taken(NamedTuple):
    """An answer on its way: what was decided about a scene, at which tick it was asked, and when it takes effect."""

    decision: Decision
    asked: int
    due: int


class Course:
    """b scenes under way.

    Attributes:
        config: how often to look. execution: of the scenes. number: of the round that is next, or under way.
        over: nobody will be asked any more, and the scenes have run to their ends.
    """

    def __init__(
        self,
        specs: Sequence[ReactHumanSpec],
        labels: Sequence[Labels],
        config: LoopConfig | None = None,
        max_time: float = LIMITS.max_time,
    ) -> None:
        """Begin at the freeze, the robots standing.

        Args:
            specs: scenes. labels: of them; for outcomes, never shown to a policy. config: None: the default.
            max_time: the last time that plans may have (s).

        Raises:
            ValueError: no scenes, or nothing is recorded, or too seldom, to be seen in the frames of the window.
        """
        self.config = config or LoopConfig()
        every, apart = self.config.execution.record_steps, min((_apart(spec) for spec in specs), default=1)
        if not 1 <= every <= apart:
            raise ValueError(f"record_steps: {every}; the observed frames are {apart} steps apart: give 1 to {apart}")
        self.execution = Execution(specs, labels, [None] * len(specs), self.config.execution)
        self._pasts = pasts(specs)
        self._plans: list[tuple[Plan | None, int]] = [(None, 0)] * len(specs)
        self._coming: list[Taken | None] = [None] * len(specs)
        self._counts = [0] * len(specs)
        self._taken: list[list[Taken]] = [[] for _ in specs]
        self._eases: list[dict[int, Eased]] = [{} for _ in specs]
        self._max_time = max_time
        self._schedule = self.config.schedule
        self.number, self.over = 0, False

    @property
    def specs(self) -> tuple[ReactHumanSpec, ...]:
        """The scenes."""
        return self.execution.specs

    @property
    def time(self) -> float:
        """Since the freeze (s)."""
        return self.execution.tick * TICK

    @property
    def taken(self) -> Sequence[Sequence[Taken]]:
        """By scene, the answers that were given, in order."""
        return self._taken

    @property
    def eases(self) -> Sequence[Mapping[int, Eased]]:
        """By scene, what was made of the plans whose hands were given time, by their place in `taken`."""
        return self._eases

    def due(self) -> NDArray[np.bool_]:
        """(b,) which scenes are to be asked about now."""
        if self.over:
            return np.zeros(len(self.specs), bool)
        free = np.array([coming is None for coming in self._coming])
        return np.asarray(free & ~self.execution.states().fallen)

    def observations(self) -> list[Observation | None]:
        """By scene, what its policy is told now; None where it is not asked."""
        due = self.due()
        states, motions = self.execution.states(), self.execution.motions()
        seen: list[Observation | None] = [None] * len(self.specs)
        for k in np.flatnonzero(due).tolist():
            plan, begun = self._plans[k]
            seen[k] = Observation(
                spec=self.specs[k],
                number=self._counts[k],
                time=self.time,
                window=window(self.specs[k], self._pasts[k], motions[k]),
                qpos=states.qpos[k],
                qvel=states.qvel[k],
                palms=states.palms[k],
                root=states.root[k],
                yaw=float(states.yaw[k]),
                plan=plan,
                begun=begun * TICK,
            )
        return seen

    def go_on(self, decisions: Sequence[Decision], seconds: Sequence[float] | None = None) -> None:
        """Take decisions, and run until somebody is to be asked again, or all is over.

        Args:
            decisions: by scene; those of scenes that are not due are ignored.
            seconds: by scene, how long the decision took, where latency is measured (s).

        Raises:
            ValueError: another number of decisions than of scenes, or latency is measured and there are no `seconds`.
        """
        if len(decisions) != len(self.specs):
            raise ValueError(f"decisions: {len(decisions)}; give one for each of {len(self.specs)} scenes")
        tick = self.execution.tick
        for k in np.flatnonzero(self.due()).tolist():
            self._counts[k] += 1
            taken = Taken(decisions[k], tick, tick + self._delay(k, seconds))
            self._taken[k].append(taken)
            self._coming[k] = taken
        self.number += 1
        self._take_effect()
        while not self.over:
            self.execution.advance(self._next() - self.execution.tick)
            self._take_effect()
            self._at_end()
            if self.execution.tick == self._round():
                if self.due().any():
                    return
                self.number += 1

    def _delay(self, k: int, seconds: Sequence[float] | None) -> int:
        latency = self.config.latency
        if latency != MEASURED:
            return self.config.ticks_of(float(latency))
        if seconds is None:
            raise ValueError(f"seconds: none, but latency is {MEASURED}; tell how long each decision took")
        return self.config.ticks_of(seconds[k])

    def _round(self) -> int:
        """Tick of the next round."""
        return self._schedule[self.number] if self.number < len(self._schedule) else NEVER

    def _next(self) -> int:
        """The next tick at which something happens but physics."""
        dues = [coming.due for coming in self._coming if coming is not None]
        return min([self.execution.ticks, self._round(), *dues])

    def _at_end(self) -> None:
        self.over = self.execution.tick >= self.execution.ticks
        if self.over:
            self.close()

    def close(self) -> None:
        """End the threads; what has come of it can still be asked for."""
        self.execution.close()

    def _take_effect(self) -> None:
        """Hand the answers whose time has come to the robots."""
        now = self.execution.tick
        ready = {k: one.decision for k, one in enumerate(self._coming) if one is not None and one.due <= now}
        for k in ready:
            self._coming[k] = None
        plans = {k: plan for k, plan in ready.items() if isinstance(plan, Plan)}
        joints = {k: joint.targets for k, joint in ready.items() if isinstance(joint, Joints)}
        b = len(self.specs)
        if plans:
            carried = self._eased(plans) if now else plans
            for k, plan in plans.items():
                self._plans[k] = (plan, now)
            self.execution.replace(_mask(b, plans), [carried.get(k) for k in range(b)])
        if joints:
            targets = np.zeros((b, 29))
            for k, target in joints.items():
                self._plans[k], targets[k] = (None, now), target
            self.execution.command(_mask(b, joints), targets)

    def _eased(self, plans: dict[int, Plan]) -> dict[int, Plan]:
        """Plans that come in mid-motion, as the robots can follow them."""
        states, made = self.execution.states(), {}
        for k, plan in plans.items():
            hands = to_robot(states.palms[k], states.root[k], float(states.yaw[k]), self.specs[k].robot.z)
            ease = eased(plan, hands, self._max_time)
            made[k], self._eases[k][len(self._taken[k]) - 1] = ease.plan, ease
        return made


def _apart(spec: ReactHumanSpec) -> int:
    """Least distance of two observed frames (recorded steps)."""
    steps = spec.timing.steps
    return min(later - earlier for earlier, later in pairwise(steps))


def _mask(b: int, rows: dict[int, object] | dict[int, Plan] | dict[int, NDArray[np.float64]]) -> NDArray[np.bool_]:
    mask = np.zeros(b, bool)
    mask[list(rows)] = True
    return mask


def run(
    specs: Sequence[ReactHumanSpec],
    labels: Sequence[Labels],
    policy: Policy,
    config: LoopConfig | None = None,
    max_time: float = LIMITS.max_time,
) -> tuple[list[Outcome], list[Motion], list[Sequence[Taken]]]:
    """Scenes from the freeze to their ends, in batches, with a policy in the loop.

    Args:
        specs: scenes. labels: of them, for outcomes. policy: in this process. config: None: the default.
        max_time: the last time that its plans may have (s), where it is another than by default.

    Returns:
        Outcomes, motions and what was decided, by scene.
    """
    how = config or LoopConfig()
    outcomes: list[Outcome] = []
    motions: list[Motion] = []
    taken: list[Sequence[Taken]] = []
    policy.begin(specs)
    for start in range(0, len(specs), how.execution.batch):
        part = slice(start, start + how.execution.batch)
        course = Course(specs[part], labels[part], how, max_time)
        while not course.over:
            seen = course.observations()
            rows = [k for k, one in enumerate(seen) if one is not None]
            began = time.perf_counter()
            decided = policy.decide([one for one in seen if one is not None])
            spent = (time.perf_counter() - began) / max(len(rows), 1)
            decisions: list[Decision] = [None] * len(seen)
            for k, decision in zip(rows, decided, strict=True):
                decisions[k] = decision
            course.go_on(decisions, [spent] * len(seen))
        outcomes += course.execution.outcomes()
        motions += course.execution.motions()
        taken += course.taken
    return outcomes, motions, taken
