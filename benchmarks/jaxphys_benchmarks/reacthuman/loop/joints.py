"""`Shield`: an example of a policy that drives the joints itself.

It stands by the walking policy, whose legs it asks at every tick, and holds its forearms up before chest and head while
something is near or comes near. So it wants to be asked once a tick (`every` = 5/240 s). A whole-body controller, or a
vision-language-action policy that gives joint angles, takes its place in the same way.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.loop.observation import Observation
from jaxphys_benchmarks.reacthuman.loop.policy import Joints
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_kernels.humanoid.joints import ACTION_SCALE, ARM, DEFAULT, TICK
from jaxphys_kernels.humanoid.observation import Seen, observe
from jaxphys_kernels.humanoid.policy import Weights, act
from jaxphys_kernels.humanoid.sensed import Sensed, gravity

Floats = NDArray[np.float64]

RAISED = np.array([-1.1, 0.15, 0.0, -0.2, 0.0, 0.0, 0.0, -1.1, -0.15, 0.0, -0.2, 0.0, 0.0, 0.0])
"""Both arms before chest and head (rad)."""
NEAR = 1.5
"""Horizontal distance from the pelvis at which the arms go up (m)."""
SOON = 0.5
"""So far ahead the motion of what comes is extended (s)."""
RATE = 6.0
"""Of the arms' targets (rad/s)."""


class Shield:
    """Stands, and shields itself from what comes near."""

    def __init__(self, weights: Weights | None = None) -> None:
        """Make the policy; `weights` are of the walking policy, None: those that come along."""
        self._weights = weights
        self._action: dict[str, Floats] = {}
        self._arms: dict[str, Floats] = {}

    @property
    def weights(self) -> Weights:
        """Of the walking policy.

        Raises:
            ModuleNotFoundError: the extra `humanoid` is not installed.
        """
        if self._weights is None:
            from jaxphys.humanoid.checkpoint import policy  # needs orbax

            self._weights = policy("student")
        return self._weights

    def begin(self, specs: Sequence[ReactHumanSpec]) -> None:
        """Forget what was done in other scenes."""
        self._action = {spec.id: np.zeros(len(DEFAULT)) for spec in specs}
        self._arms = {spec.id: np.array(DEFAULT[ARM]) for spec in specs}

    def decide(self, observations: Sequence[Observation]) -> list[Joints]:
        """Joint targets of all scenes.

        The walking policy is asked about one robot at a time: the last bits of a product of matrices depend on how many
        rows it has, and no scene shall depend on its batch.
        """
        names = [one.spec.id for one in observations]
        shown = _standing(observations, [self._action[name] for name in names])
        actions = [np.asarray(act(np, self.weights, one)) for one in shown]
        decided = []
        for name, observation, action in zip(names, observations, actions, strict=True):
            goal = RAISED if _threatened(observation) else DEFAULT[ARM]
            self._arms[name] = self._arms[name] + np.clip(goal - self._arms[name], -RATE * TICK, RATE * TICK)
            self._action[name] = action
            targets = DEFAULT + ACTION_SCALE * action
            targets[ARM] = self._arms[name]
            decided.append(Joints(targets))
        return decided


def _standing(observations: Sequence[Observation], actions: Sequence[Floats]) -> Floats:
    """(b, 100) what the walking policy is shown of robots that are to stand, their arms hidden from it."""
    qpos, qvel = (np.stack([getattr(one, name) for one in observations]) for name in ("qpos", "qvel"))
    b = len(qpos)
    nothing, stand = np.zeros(b), np.full((b, 2), np.pi)
    sensed = Sensed(qpos=qpos, qvel=qvel, torso_pos=None, torso_mat=None, palms=None, com=None)
    seen = Seen(
        command=np.zeros((b, 3)),
        phase=stand,
        gravity=gravity(np, qpos[:, 3:7], nothing, nothing),
        action=np.stack(actions),
        offset=np.zeros((b, len(DEFAULT))),
        use=np.ones(b),
    )
    return np.asarray(observe(np, sensed, seen))


def _threatened(observation: Observation) -> bool:
    """Whether something that moves is near, or will be soon if it goes on as it does."""
    pos, times = observation.window.pos, observation.window.times
    rate = (pos[-1] - pos[-2]) / (times[-1] - times[-2])
    ahead = pos[-1] + np.linspace(0.0, SOON, 6)[:, None, None] * rate
    apart = np.linalg.norm((ahead - observation.root)[..., :2], axis=-1).min(axis=0)
    moving = np.linalg.norm(rate, axis=-1) > 0.1
    return bool((moving & (apart < NEAR)).any())
