"""The physics of an episode: hands that hold things, doors that are driven, and a record of every graph frame.

ENACT specification, section 12: 240 Hz of physics, 30 Hz of facts. A hand holds a thing by the weld between the thing
and its own grip, a mocap body whose pose is that of the hand composed with the relative pose at closing; what stands on
the thing, or in it, is held along by the same hand. Public: `Engine`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.play import events
from jaxphys_benchmarks.enact.play.motion import base_frame, compose, relative
from jaxphys_benchmarks.enact.play.particles import Particles
from jaxphys_benchmarks.enact.world.house import House
from jaxphys_benchmarks.enact.world.layout import layout_of
from jaxphys_benchmarks.enact.world.model import build, touching, wake
from jaxphys_benchmarks.enact.world.placing import PARK, PARK_STEP
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec
from jaxphys_benchmarks.enact.world.things import UPRIGHT
from jaxphys_kernels.household.latches import Latches
from jaxphys_kernels.quaternions import Floats

AHEAD = 6
"""Steps by which grips run ahead of the hand: a weld follows a moving grip with this delay."""

RESTING = ((0.42, 0.24, 1.0), (0.42, -0.24, 1.0))
"""Places of empty hands in the frame of the base (m)."""
REST_TURN = (0.924, 0.0, -0.383, 0.0)
"""Their attitude: fingers ahead and down."""

NECK_DOWN = 0.5
"""Tilt of the head at the start (rad)."""


class Engine:
    """A house in motion.

    Args:
        house: what is there. world: rates and thresholds. spec: for the generator of particles.

    Attributes:
        robot: (7,) x, y, heading, lift, pitch, pan, tilt. hands: (2, 7) in the frame of the base.
        holding: (2, n) bool. exists: (n,) bool. pointing: (2,) bool, an empty hand stretches a finger.
        latches: over the n things and then the systems. touch: (n, n) bool.
    """

    def __init__(self, house: House, world: World, spec: EpisodeSpec) -> None:
        import mujoco

        self._step = mujoco.mj_step
        self.house, self.world = house, world
        self.built = build(house, world)
        self.layout = layout_of(house)
        self.data = mujoco.MjData(self.built.model)
        mujoco.mj_forward(self.built.model, self.data)
        self.substeps = world.physics_hz // world.fps
        self.dt = 1 / world.fps
        n, total = len(house.placed), len(house.placed) + len(house.systems)
        self.robot = np.array([*house.start, 0.0, 0.0, 0.0, NECK_DOWN])
        self.hands = np.array([[*place, *REST_TURN] for place in RESTING])
        self.holding = np.zeros((2, n), np.bool_)
        self.grips: dict[int, tuple[int, Floats]] = {}
        self.riders: dict[int, tuple[int, ...]] = {}
        self.exists = np.array([not placed.parked for placed in house.placed])
        self.pointing = np.zeros(2, np.bool_)
        toggled = np.array([placed.toggled for placed in house.placed] + [False] * (total - n), np.bool_)
        self.latches = Latches(
            np.zeros(total, int), toggled, np.full(total, world.ambient_temp), np.zeros(total, np.bool_)
        )
        self.particles = Particles(house, spec.rng("particles"))
        self.events = events.Events(self)
        self.touch = np.zeros((n, n), np.bool_)
        self.frames: list[dict[str, Any]] = []
        self._sense(self.robot, self.world_hands())

    def world_hands(self) -> Floats:
        """(2, 7): poses of the hands in the world."""
        return compose(base_frame(self.robot), self.hands)

    def pose(self, thing: int) -> Floats:
        """(7,): of a thing."""
        body = self.built.body[thing]
        return np.concatenate([self.data.xpos[body], self.data.xquat[body]])

    def joint(self, number: int) -> float:
        """Value of a joint (rad or m)."""
        return float(self.data.qpos[self.built.joint[number]])

    def write(self, thing: int, pose: Floats) -> None:
        """Puts a loose thing somewhere at rest."""
        at, dof = self.built.qpos[thing], self.built.dof[thing]
        self.data.qpos[at : at + 7] = pose
        self.data.qvel[dof : dof + 6] = 0.0
        body = self.built.body[thing]
        self.data.xpos[body], self.data.xquat[body] = pose[:3], pose[3:]
        wake(self.built, self.data, thing)

    def parking(self, thing: int) -> Floats:
        """(7,): where a thing is kept while it does not exist."""
        placed = self.house.placed[thing]
        # What existed from the start has no place of its own there.
        aside = (PARK[0] + PARK_STEP * thing, PARK[1] + 12.0, PARK[2])
        return np.array([*(placed.pos if placed.parked else aside), *UPRIGHT])

    def hold(self, hand: int, thing: int, riders: tuple[int, ...] = ()) -> None:
        """Closes a hand about a thing, which `riders` stand on or in."""
        self.holding[hand, thing] = True
        if thing in self.grips:
            return
        self.riders[thing] = riders
        self._bind(hand, (thing, *riders))

    def let_go(self, hand: int, thing: int) -> None:
        """Opens a hand; where the other one holds the thing as well, that keeps it."""
        self.holding[hand, thing] = False
        other = 1 - hand
        if self.holding[other, thing]:
            self._bind(other, (thing, *self.riders[thing]))
            return
        for one in (thing, *self.riders.pop(thing)):
            del self.grips[one]
            self.data.eq_active[self.built.weld[one]] = 0
            wake(self.built, self.data, one)

    def _bind(self, hand: int, things: tuple[int, ...]) -> None:
        palm = self.world_hands()[hand]
        for one in things:
            pose = self.pose(one)
            self.grips[one] = (hand, relative(palm, pose))
            grip = self.built.grip[one]
            self.data.mocap_pos[grip], self.data.mocap_quat[grip] = pose[:3], pose[3:]
            self.data.eq_active[self.built.weld[one]] = 1

    def pass_through(self, thing: int, ghost: bool) -> None:
        """Lets the forms of a held thing meet nothing, as a blade in what it cuts, or meet others again."""
        model = self.built.model
        start = model.body_geomadr[self.built.body[thing]]
        mine = slice(start, start + model.body_geomnum[self.built.body[thing]])
        bits = (0, 0) if ghost else (2, 3)
        model.geom_contype[mine], model.geom_conaffinity[mine] = bits

    def advance(self, robot: Floats, hands: Floats, drives: Mapping[int, Floats] | None = None) -> None:
        """Runs the physics along a path.

        Args:
            robot: (k, 7), one row a step. hands: (k, 2, 7) in the frame of the base. drives: (k,) values of joints that
                are driven, by number. k is a multiple of the steps of a frame.
        """
        data, model, built = self.data, self.built.model, self.built
        palms = compose(base_frame(robot)[:, None], hands)
        driven = dict(drives or {})
        held = sorted(self.grips)
        mocap = built.grip[held]
        later = np.minimum(np.arange(len(robot)) + AHEAD, len(robot) - 1)
        target = np.empty((len(robot), len(held), 7))
        for column, one in enumerate(held):
            hand, rel = self.grips[one]
            target[:, column] = compose(palms[later, hand], rel)
        still = not driven and (not held or bool((target == target[0]).all()))
        for first in range(0, len(robot), self.substeps):
            last = first + self.substeps - 1
            if still:
                if held and first == 0:
                    data.mocap_pos[mocap], data.mocap_quat[mocap] = target[0, :, :3], target[0, :, 3:]
                self._step(model, data, self.substeps)
            else:
                for step in range(first, last + 1):
                    if held:
                        data.mocap_pos[mocap], data.mocap_quat[mocap] = target[step, :, :3], target[step, :, 3:]
                    for joint, values in driven.items():
                        here = data.qpos[built.joint[joint]]
                        data.qvel[built.joint_dof[joint]] = (values[step] - here) * self.world.physics_hz
                    self._step(model, data)
            self.robot, self.hands = robot[last], hands[last]
            data.mocap_pos[built.hands], data.mocap_quat[built.hands] = palms[last, :, :3], palms[last, :, 3:]
            self._sense(robot[last], palms[last])

    def _sense(self, robot: Floats, palms: Floats) -> None:
        data, built = self.data, self.built
        before = self.touch if self.frames else None
        self.touch = touching(built, data, before, self.world.touch_dist)
        pos, quat = data.xpos[built.body].copy(), data.xquat[built.body].copy()
        self.particles.fly(self.dt, pos, quat)
        if self.frames:
            self.events.frame(pos, quat, palms)
        self.frames.append(
            {
                "pos": pos,
                "quat": quat,
                "exists": self.exists.copy(),
                "joint": data.qpos[built.joint].copy(),
                "touching": self.touch & self.exists[:, None] & self.exists[None, :],
                "held": self.holding.copy(),
                "toggled": self.latches.toggled[: len(pos)],
                "cooked": self.latches.cooked[: len(pos)],
                "particle": self.particles.places(pos, quat),
                "alive": self.particles.alive.copy(),
                "carrier": self.particles.carrier.copy(),
                "robot": robot,
                "hands": palms,
            }
        )
