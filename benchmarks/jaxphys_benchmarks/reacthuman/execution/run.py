"""`Execution`: plans carried out by the robot in the scenes they are about (ReactHuman specification, section 14).

A batch of scenes advances tick by tick (`TICK`, 1/48 s) from the freeze; between two calls of `advance` plans may be
replaced, or joint targets given. Each scene has a lane of its own, and what happens in it depends on no other one.
`execute` makes whole runs of any number of scenes.

Public: `Execution`, `States`, `execute`.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from jaxphys.humanoid.robot import NQ
from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.reacthuman.execution import backends
from jaxphys_benchmarks.reacthuman.execution.brain import Brain, memories, placed, policy, robot, settled
from jaxphys_benchmarks.reacthuman.execution.config import STEP, TICK, ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.mapping import as_asked, kernel_plan
from jaxphys_benchmarks.reacthuman.execution.model import robot_config
from jaxphys_benchmarks.reacthuman.execution.outcome import FALL_HEIGHT, FALL_UP, FAR, Outcome, judged, lived
from jaxphys_benchmarks.reacthuman.execution.start import hazards
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.tracking import moved
from jaxphys_kernels.humanoid.limits import limits
from jaxphys_kernels.rigid.flat import unflatten

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class States(NamedTuple):
    """Robots and bodies of b scenes now; world frame, SI units.

    Attributes:
        time: since the freeze (s). qpos: (b, 36), qvel: (b, 35) of the robots. palms: (b, 2, 3). root: (b, 3) of the
            pelvis. yaw: (b,) its heading from +X (rad).
        pos: (b, n, 3), quat: (b, n, 4), vel: (b, n, 3), omega: (b, n, 3) of the bodies in the order of the scene; n is
            that of the scene with most, and what others lack is NaN.
        fallen: (b,) whether the robot lies.
    """

    time: float
    qpos: Floats
    qvel: Floats
    palms: Floats
    root: Floats
    yaw: Floats
    pos: Floats
    quat: Floats
    vel: Floats
    omega: Floats
    fallen: Bools


class Execution:
    """A batch of scenes while plans are carried out in them.

    Attributes:
        specs, labels: of the scenes. config: of the execution.
        tick: ticks that are done. ticks: of a whole run.
    """

    def __init__(
        self,
        specs: Sequence[ReactHumanSpec],
        labels: Sequence[Labels],
        plans: Sequence[Plan | None],
        config: ExecutionConfig | None = None,
    ) -> None:
        """Scenes at the freeze: each hazard as it was recorded, each robot standing, facing +Y.

        Args:
            specs: scenes. labels: their ground truth. plans: one each; None: stands still. config: of the execution.

        Raises:
            ValueError: no scenes, other numbers of labels or plans, or scenes of unequal physics.
            ImportError: the extra `humanoid` is not installed.
        """
        if not specs or not len(specs) == len(labels) == len(plans):
            raise ValueError(f"specs, labels, plans: {len(specs)}, {len(labels)}, {len(plans)}; give as many of each")
        self.specs, self.labels, self.config = tuple(specs), tuple(labels), config or ExecutionConfig()
        self.tick, self.ticks = 0, self.config.ticks
        own = robot_config(self.config)
        stands = settled(own, self.config.policy, self.config.settle)
        roots = np.array([spec.robot_root[:2] for spec in specs])
        qpos, qvel = placed(stands.qpos, stands.qvel, roots, np.pi / 2)
        self._hazards = hazards(specs)
        names = [[thing.name for thing in spec.scene.things] for spec in specs]
        targets = [
            row.index(label.impact_body or spec.tracked) for row, label, spec in zip(names, labels, specs, strict=True)
        ]
        self._lanes = backends.lanes(specs, self._hazards, targets, qpos, qvel, self.config)
        asked = kernel_plan(plans, self.config.z_ref)
        self._brain = Brain(robot(own), policy(self.config.policy), memories(stands, len(specs)), asked)
        self._plans: list[list[tuple[float, Plan | None]]] = [[(0.0, plan)] for plan in plans]
        self._driven = np.zeros(len(specs), bool)
        self._targets = np.zeros((len(specs), 29))

    @property
    def time(self) -> float:
        """Since the freeze (s)."""
        return self.tick * TICK

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the threads."""
        self._lanes.close()

    def advance(self, ticks: int = 1) -> None:
        """Go on by some ticks of the controller.

        Raises:
            ValueError: less than none.
        """
        if ticks < 0:
            raise ValueError(f"ticks: {ticks}; give 0 or more")
        for _ in range(ticks):
            target, use = self._brain.tick(self._lanes.sense())
            target, use = np.where(self._driven[:, None], self._targets, target), np.where(self._driven, 0.0, use)
            self._lanes.advance(target, use)
            self.tick += 1

    def replace(self, mask: Bools, plans: Sequence[Plan | None]) -> None:
        """Put other plans in the place of those carried out.

        Their time 0 is now, their hands start where the palms are, and places are relative to the robot as it stands
        now. In mid-motion a key frame at time 0 would pull the hands back to where the plan thinks they are: it is left
        out where others follow.

        Args:
            mask: (b,) which scenes get another plan. plans: one per scene; those outside the mask are not read.

        Raises:
            ValueError: another number of scenes.
        """
        mask = self._mask(mask, len(plans))
        fresh = [self._cut(plan) if get else None for plan, get in zip(plans, mask.tolist(), strict=True)]
        self._take_over(mask)
        self._brain.replace(mask, kernel_plan(fresh, self.config.z_ref))
        for k in np.flatnonzero(mask).tolist():
            self._plans[k].append((self.time, fresh[k]))

    def command(self, mask: Bools, targets: Floats | None) -> None:
        """Drive the joints of some robots; what keeps them upright is then the caller's own business.

        Args:
            mask: (b,) which of them. targets: (b, 29) joint targets (rad), held until others come; None gives the
                robots back to their plans.

        Raises:
            ValueError: another number of scenes, or targets that are not finite.
        """
        mask = self._mask(mask, len(self.specs))
        if targets is None:
            self._take_over(mask)
            return
        if targets.shape != self._targets.shape or not np.isfinite(targets[mask]).all():
            raise ValueError(
                f"targets: shape {targets.shape}; give finite numbers (rad) of shape {self._targets.shape}"
            )
        self._targets = np.where(mask[:, None], targets, self._targets)
        self._driven = self._driven | mask

    def _take_over(self, mask: Bools) -> None:
        back = mask & self._driven
        if back.any():
            self._brain.adopt(back, self._targets)
            self._driven = self._driven & ~back

    def _mask(self, mask: Bools, count: int) -> Bools:
        found = np.asarray(mask, bool)
        if found.shape != (len(self.specs),) or count != len(self.specs):
            raise ValueError(f"mask: shape {found.shape}, with {count} entries; give one of each per scene")
        return found

    def _cut(self, plan: Plan | None) -> Plan | None:
        if plan is None or self.tick == 0 or len(plan.keyframes) == 1 or plan.keyframes[0].t > 0:
            return plan
        return plan.model_copy(update={"keyframes": plan.keyframes[1:]})

    def states(self) -> States:
        """Robots and bodies now."""
        qpos, qvel = self._lanes.robots()
        n = max(len(spec.scene.things) for spec in self.specs)
        found = {name: np.full((len(qpos), n, width), np.nan) for name, width in _LEAVES.items()}
        for k, hazard in enumerate(self._hazards):
            places, rates = unflatten(hazard.signature, *self._lanes.hazard(k))
            leaves = moved(self._lanes.worlds[k], places[None, None], rates[None, None])
            for leaf, value in zip(found.values(), leaves, strict=True):
                leaf[k, : len(places)] = value[0, 0]
        w, x, y, z = qpos[:, 3:7].T
        # A robot whose numbers are gone lies.
        fallen = ~((qpos[:, 2] >= FALL_HEIGHT) & (1 - 2 * (x * x + y * y) >= FALL_UP))
        yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        return States(self.time, qpos, qvel, self._lanes.palms(), qpos[:, :3], yaw, **found, fallen=fallen)

    def motions(self) -> tuple[Motion, ...]:
        """What has moved so far, one per scene, at the frames of films, as long as it is numbers."""
        return tuple(self._motion(k) for k in range(len(self.specs)))

    def _motion(self, lane: int) -> Motion:
        rows, every = self._lanes.watches[lane].rows, max(self.config.record_steps, 1)
        signature = self._hazards[lane].signature
        robot = np.array(rows.robot).reshape(-1, NQ)
        flat = np.array(rows.bodies).reshape(len(robot), signature.nq)
        # A lane whose numbers go has no more frames than its outcome has steps; the first one is the freeze.
        sound = (np.abs(robot) < FAR).all(axis=1) & (np.abs(flat) < FAR).all(axis=1)
        sound &= np.arange(len(robot)) * every < len(lived(rows)[0].times)
        frames = len(robot) if sound.all() else max(int(sound.argmin()), 1)
        robot, flat = robot[:frames], flat[:frames]
        places, rates = unflatten(signature, flat, np.zeros((frames, signature.nv)))
        pos, quat, *_ = moved(self._lanes.worlds[lane], places[None], rates[None])
        return Motion(
            times=np.arange(frames, dtype=np.float64) * every * STEP,
            robot=robot,
            pos=pos[0],
            quat=quat[0],
            palms=np.array(rows.palms)[: frames * every : every][:frames],
        )

    def outcomes(self) -> tuple[Outcome, ...]:
        """What has come of it so far, one per scene."""
        found = []
        for watch, labels, plans in zip(self._lanes.watches, self.labels, self._plans, strict=True):
            beyond = [line for _, plan in plans if plan is not None for line in self._limits(plan)]
            lines = tuple(dict.fromkeys(beyond))
            found.append(judged(watch.rows, watch.touches, labels, plans, lines, self.config))
        return tuple(found)

    def _limits(self, plan: Plan) -> list[str]:
        return [finding.message for finding in limits(as_asked(plan, self.config.z_ref))]


_LEAVES = {"pos": 3, "quat": 4, "vel": 3, "omega": 3}
"""Numbers of a body in `States`."""


def execute(
    specs: Sequence[ReactHumanSpec],
    labels: Sequence[Labels],
    plans: Sequence[Plan | None],
    config: ExecutionConfig | None = None,
) -> tuple[list[Outcome], list[Motion]]:
    """Whole runs of any number of scenes, some at a time; arguments and errors as of `Execution`."""
    config = config or ExecutionConfig()
    outcomes: list[Outcome] = []
    motions: list[Motion] = []
    for at in range(0, len(specs), config.batch):
        part = slice(at, at + config.batch)
        with Execution(specs[part], labels[part], plans[part], config) as execution:
            execution.advance(execution.ticks)
            outcomes += execution.outcomes()
            motions += execution.motions()
    return outcomes, motions
