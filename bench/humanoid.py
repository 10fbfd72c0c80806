"""The question about the humanoid: control ticks per second by batch and back end, and over a plain Python loop.

Robots walk and reach with the shipped policy. `c` is the pool of C MuJoCo with one compiled controller for the batch,
`mjx` the closed loop in JAX; the peer is what one would write first: C MuJoCo robot by robot, with the controller in
NumPy and float64. A tick is five physics steps. Everything that a call of `rollout` does is in its time.
"""

from collections.abc import Callable, Iterator

import jax
import numpy as np

from bench.billiards import Plan
from bench.harness import Contender, clock, pair
from bench.rows import Row
from jaxphys import humanoid
from jaxphys.humanoid.robot import load_mujoco
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.control import control
from jaxphys_kernels.humanoid.joints import ARM, DEFAULT
from jaxphys_kernels.humanoid.plan import Plan as Motion
from jaxphys_kernels.humanoid.sensed import Sensed
from jaxphys_kernels.humanoid.state import start
from tests.humanoid_support import plans, robot

SPEED = "humanoid.speed"
LOOP = "python loop"
BATCHES = {True: (1, 64), False: (1, 64, 512)}
"""Batches by quick or not."""

SECONDS = 2.0
TICKS = 24
"""Ticks of a robot in the loop and in MJX, one call of its program: both are slow, and as fast in a longer run."""

ROUNDS = {True: 3, False: 5}


def speed(plan: Plan) -> Iterator[Row]:
    """Control ticks per second; the pool over the loop, in one run."""
    for b in BATCHES[plan.quick]:
        found = pair(pool(b), loop(b), ROUNDS[plan.quick], shortest=1.0)
        yield Row(SPEED, f"c {b}", found.rate, "ticks/s", LOOP, found.ratio)
        yield Row(SPEED, f"{LOOP} {b}", found.peer_rate, "ticks/s")
        if not plan.quick:
            ours = mjx(b)
            clock(ours)
            yield Row(SPEED, ours.name, ours.scenes / clock(ours), "ticks/s")


def pool(b: int) -> Contender:
    """Our C back end."""
    ticks = round(SECONDS * 48)
    asked, weights = plans(b), humanoid.policy("student")

    def run() -> object:
        return humanoid.rollout(robot(), weights, asked, seconds=SECONDS, settle=0.0, backend="c")

    return Contender(f"c {b}", b * ticks, run)


def mjx(b: int) -> Contender:
    """Our MJX back end."""
    asked, weights = plans(b), humanoid.policy("student")

    def run() -> object:
        return humanoid.rollout(robot(), weights, asked, seconds=TICKS / 48, settle=0.0, backend="mjx")

    return Contender(f"mjx {b}", b * TICKS, run)


def loop(b: int) -> Contender:
    """One robot after the other."""
    return Contender(f"{LOOP} {b}", b * TICKS, by_loop(plans(b), TICKS))


def by_loop(asked: Motion, ticks: int) -> Callable[[], np.ndarray]:
    """Execute (b, …) plans by the peer; qpos (b, 36) at the end."""
    mujoco, found = load_mujoco(), robot()
    model, left_right = found.model, list(found.palms)
    weights, chain, asked = cast(np, (humanoid.policy("student"), found.chain, asked), np.float64)

    def one(own: Motion) -> np.ndarray:
        data, state = mujoco.MjData(model), start(np, (), np.float64)
        data.qpos[:], data.ctrl[:] = humanoid.stand(1)[0], DEFAULT
        mujoco.mj_forward(model, data)
        for k in range(ticks):
            sensed = Sensed(
                qpos=data.qpos,
                qvel=data.qvel,
                torso_pos=data.xpos[found.torso],
                torso_mat=data.xmat[found.torso].reshape(3, 3),
                palms=data.site_xpos[left_right],
                com=data.subtree_com[found.pelvis],
            )
            done = control(np, weights, chain, found.gains, state, np.float64(k / 48), own, sensed)
            state = done.state
            data.ctrl[:] = done.target
            data.ctrl[ARM] += done.use * data.qfrc_bias[21:35] / found.arm_kp
            mujoco.mj_step(model, data, found.config.steps_per_tick)
        return np.array(data.qpos)

    return lambda: np.stack([one(jax.tree.map(lambda leaf, i=i: leaf[i], asked)) for i in range(len(asked.dur))])


QUESTIONS: dict[str, Callable[[Plan], Iterator[Row]]] = {"humanoid": speed}
