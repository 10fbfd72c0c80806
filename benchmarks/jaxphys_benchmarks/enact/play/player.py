"""Who carries out a script: drives the base, bends the torso, turns the head, moves the hands, and counts them.

Skills are written in terms of `go`, one move of everything at once, and of what is built from it: `drive`, `approach`,
`reach`, `shift` and `settle`. Public: `Player`, `Failed`.
"""

from collections.abc import Callable, Mapping

import numpy as np

from jaxphys_benchmarks.enact.play import body, script
from jaxphys_benchmarks.enact.play.engine import NECK_DOWN, REST_TURN, RESTING, Engine
from jaxphys_benchmarks.enact.play.motion import (
    BASE_SPEED,
    HAND_SPEED,
    SHORTEST,
    TURN_SPEED,
    base_frame,
    between,
    compose,
    duration,
    profile,
    relative,
)
from jaxphys_benchmarks.enact.play.surroundings import Around
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec
from jaxphys_kernels.quaternions import Floats, matrices

LEFT, RIGHT = 0, 1
SIDES = {"left": LEFT, "right": RIGHT}

NONE_HELD = -1
CARRIED_Z, CARRIED_X = 1.0, 0.42
"""Where the underside of what is carried is, and its middle ahead of the base at least (m)."""
TILTED = 0.95
"""Cosine of the tilt beyond which a thing has fallen over."""
CHEST = 0.28
"""What is carried stays so far ahead of the base's middle (m)."""

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
UP = np.array([0.0, 0.0, 1.0])


class Failed(Exception):
    """A skill cannot be carried out; the message tells why."""


class Player:
    """The robot at work.

    Args:
        engine: the world. spec: its hands, and generators. skills: the script.

    Attributes:
        focus: (3,) what the head looks at, or None. drawn: (2, 3) from where a hand came to what it holds.
        goals: where things were put last, by number.
    """

    def __init__(self, engine: Engine, spec: EpisodeSpec, skills: tuple[script.Skill, ...]) -> None:
        self.engine, self.spec, self.skills = engine, spec, skills
        self.rng = spec.rng("play")
        self.used = np.zeros(2, int)
        self.first = int(spec.rng("hands").integers(2))
        self.focus: Floats | None = None
        self.drawn = np.tile(UP, (2, 1))
        self.goals: dict[int, Floats] = {}
        self.at = 0

    # Looking things up.

    def number(self, name: str) -> int:
        """Of a thing that exists."""
        thing = self.engine.house.index(name)
        if not self.engine.exists[thing]:
            raise Failed(f"{name} does not exist")
        return thing

    def holder(self, thing: int) -> int:
        """The hand that holds a thing."""
        hands = np.flatnonzero(self.engine.holding[:, thing])
        if len(hands) == 0:
            raise Failed(f"{self.engine.house.placed[thing].name} is not held")
        return int(hands[0])

    def free(self) -> list[int]:
        """Hands that hold nothing."""
        return [hand for hand in (LEFT, RIGHT) if not self.engine.holding[hand].any()]

    def choose(self, wish: str, near: Floats | None = None) -> int:
        """The hand for a task: the one that is wished for, or that of the episode, or the one nearer to a place."""
        free = self.free()
        if wish:
            if SIDES[wish] not in free:
                raise Failed(f"the {wish} hand is full")
            return SIDES[wish]
        if not free:
            raise Failed("both hands are full")
        if self.spec.hands in SIDES and SIDES[self.spec.hands] in free:
            return SIDES[self.spec.hands]
        if near is not None:
            local = relative(base_frame(self.engine.robot), np.concatenate([near, IDENTITY[3:]]))
            return min(free, key=lambda hand: -local[1] if hand == LEFT else local[1])
        return min(free, key=lambda hand: (self.used[hand], hand != self.first))

    def held_pose(self, thing: int, pose: Floats) -> Floats:
        """(7,): of the hand for a held thing to be at a pose."""
        return compose(pose, relative(self.engine.grips[thing][1], IDENTITY))

    # Moving.

    def go(
        self,
        seconds: float,
        *,
        robot: Floats | None = None,
        hands: Mapping[int, Floats] | None = None,
        paths: Mapping[int, Callable[[Floats], Floats]] | None = None,
        drives: Mapping[int, tuple[float, float]] | None = None,
    ) -> None:
        """One move of everything.

        Args:
            seconds: how long it takes. robot: (7,) at its end, as it is without; the head looks at the focus.
            hands: (7,) of hands, in the world, at the end; the others stay in the frame of the base.
            paths: (k, 7) of hands in the world, from shares (k,) of the way. drives: first and last value of joints.
        """
        engine = self.engine
        count = max(1, int(np.ceil(seconds * engine.world.fps))) * engine.substeps
        share = profile(count)
        end = engine.robot.copy() if robot is None else robot
        end = body.look(end, self.focus) if self.focus is not None else end
        way = engine.robot + share[:, None] * (end - engine.robot)
        bases = base_frame(way)
        moved = np.empty((count, 2, 7))
        for hand in (LEFT, RIGHT):
            here = engine.hands[hand]
            if paths and hand in paths:
                moved[:, hand] = relative(bases, paths[hand](share))
            else:
                there = relative(base_frame(end), hands[hand]) if hands and hand in hands else here
                moved[:, hand] = between(here, there, share)
        engine.advance(way, moved, {j: a + share * (b - a) for j, (a, b) in (drives or {}).items()})

    def reach(self, hand: int, pose: Floats, *, slow: float = 1.0, limit: float = 0.08) -> None:
        """Moves a hand to a pose in the world, with the torso.

        Raises:
            Failed: it is out of reach by more than the limit (m).
        """
        robot, missing = body.posture(self.engine.robot, [(hand, pose[:3])])
        if missing > limit:
            raise Failed(f"out of reach by {100 * missing:.0f} cm")
        here = self.engine.world_hands()[hand]
        angle = 2 * np.arccos(min(1.0, abs(float(here[3:] @ pose[3:]))))
        way = max(float(np.linalg.norm(pose[:3] - here[:3])), 0.25 * angle, 0.5 * abs(robot[4] - self.engine.robot[4]))
        self.go(duration(way, HAND_SPEED * slow), robot=robot, hands={hand: pose})

    def shift(self, thing: int, pose: Floats, *, slow: float = 1.0, limit: float = 0.08) -> None:
        """Moves a held thing to a pose in the world."""
        self.reach(self.holder(thing), self.held_pose(thing, pose), slow=slow, limit=limit)

    def upright(self) -> Floats:
        """The robot with its torso up."""
        robot = self.engine.robot.copy()
        robot[3:5] = 0.0
        return robot

    def settle(self, *hands: int) -> None:
        """Straightens the torso and brings empty hands back before the chest."""
        robot = self.upright()
        bases = base_frame(robot)
        rest = {hand: compose(bases, np.array([*RESTING[hand], *REST_TURN])) for hand in hands}
        here = self.engine.world_hands()
        ways = [float(np.linalg.norm(pose[:3] - here[hand, :3])) for hand, pose in rest.items()]
        self.go(duration(max([0.6 * self.engine.robot[4], *ways])), robot=robot, hands=rest)

    def drive(self, goal: Floats) -> None:
        """Drives the base to x, y and heading (3,)."""
        robot = self.upright()
        steps = body.route(robot, goal)
        focus = self.focus
        for k, step in enumerate(steps):
            end = np.array([*step, 0.0, 0.0, 0.0, NECK_DOWN])
            self.focus = focus if k == len(steps) - 1 or len(steps) == 1 else None
            way = float(np.linalg.norm(step[:2] - self.engine.robot[:2]))
            seconds = max(duration(way, BASE_SPEED), duration(abs(step[2] - self.engine.robot[2]), TURN_SPEED))
            self.go(max(seconds, SHORTEST), robot=end)
        self.focus = focus

    def approach(self, place: Floats, hand: int, ahead: Floats, depth: float) -> None:
        """Drives to where a hand reaches a place, unless it does already, and looks there; see `body.stand`."""
        robot = self.engine.robot
        self.focus = place
        away = place[:2] - robot[:2]
        forward = float(away @ ahead)
        turned = abs(float(np.cos(robot[2]) * ahead[1] - np.sin(robot[2]) * ahead[0])) < 0.3
        facing = turned and np.cos(robot[2]) * ahead[0] + np.sin(robot[2]) * ahead[1] > 0
        near = (
            facing
            and forward >= min(depth, 0.5) + 0.5 * body.ALOOF
            and abs(float(ahead[0] * away[1] - ahead[1] * away[0])) < 0.55
        )
        if near and body.short(robot, hand, place) <= 0:
            return
        self.drive(body.stand(place, ahead, depth, hand))

    def carried(self, thing: int, robot: Floats) -> Floats:
        """(7,): pose of a held thing before the chest."""
        engine = self.engine
        around = Around(engine)
        box = around.box(thing, *engine.riders.get(thing, ()))
        hand = self.holder(thing)
        turn = matrices(base_frame(robot)[3:])
        pose = engine.pose(thing)
        if matrices(pose[3:])[2, 2] < TILTED:
            # What has fallen over is set upright again.
            return self._righted(thing, robot)
        middle = box.mean(0) - pose[:3]
        # Half extents in the axes of the base.
        half = np.abs(turn.T) @ ((box[1] - box[0]) / 2)
        side = 1.0 if hand == LEFT else -1.0
        ahead = max(CARRIED_X, CHEST + half[0])
        aside = (
            side * max(0.16, half[1] + 0.04) if not engine.holding[1 - hand].any() else side * max(0.2, half[1] + 0.05)
        )
        spot = np.array([robot[0], robot[1], 0.0]) + turn @ np.array([ahead, aside, 0.0])
        z = CARRIED_Z + pose[2] - box[0, 2]
        return np.array([*(spot - middle)[:2], z, *pose[3:]])

    def _righted(self, thing: int, robot: Floats) -> Floats:
        """(7,): as `carried`, upright and square to the base."""
        low, high = self.engine.house.placed[thing].thing.box
        base = base_frame(robot)
        side = 1.0 if self.holder(thing) == LEFT else -1.0
        spot = np.array([CARRIED_X + 0.05, side * 0.2, CARRIED_Z - low[2], 1.0, 0.0, 0.0, 0.0])
        spot[:2] -= (low + high)[:2] / 2
        return compose(base, spot)

    # Places.

    def front(self, furniture: int, place: Floats) -> tuple[Floats, float]:
        """Direction in which the robot looks at furniture, and how far a place is behind its front.

        Args:
            furniture: number of a fixed thing; 0 for the floor. place: (3,) m.

        Returns:
            (2,) unit; m.
        """
        engine = self.engine
        if furniture == 0:
            away = place[:2] - engine.robot[:2]
            return away / max(float(np.linalg.norm(away)), 1e-6), 0.0
        turn = matrices(engine.pose(furniture)[3:])
        ahead = turn[:2, 1] / np.linalg.norm(turn[:2, 1])
        low, _ = engine.house.placed[furniture].thing.box
        start = engine.pose(furniture)[:2] + low[1] * ahead
        return ahead, max(float((place[:2] - start) @ ahead), 0.0)
