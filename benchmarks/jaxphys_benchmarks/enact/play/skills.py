"""Skills that take things and put them elsewhere (ENACT specification, section 14).

Each takes the player and a record of the script, and raises `Failed` when it cannot be carried out. Hands come from
above and a little from the front, in shelves from the front. Public: the functions, by the table in `simulate`.
"""

from dataclasses import replace

import numpy as np

from jaxphys_benchmarks.enact.play import script
from jaxphys_benchmarks.enact.play.motion import base_frame, facing, turned
from jaxphys_benchmarks.enact.play.player import LEFT, UP, Failed, Player
from jaxphys_benchmarks.enact.play.spots import Spot, Wish, find
from jaxphys_benchmarks.enact.play.surroundings import Around
from jaxphys_kernels.quaternions import Floats, matrices

STEEP, LEVEL = 0.45, 1.1
"""Tilt of a hand against the vertical where there is room above, and in a shelf (rad)."""
BEFORE = 0.12
"""A hand stops so far before what it takes (m)."""
HOP = 0.03
"""Things are raised so far over a shelf that they are drawn out of, or put in (m)."""
RISE = 0.09
"""Things are raised at least so far where there is room above (m)."""
OVER = 0.05
"""Height over everything in the way of what is carried (m)."""
GRASP_ERROR, PLACE_ERROR = 0.04, 0.03
"""Distances beyond which a grasp or a place has failed (m)."""
PAUSE = 0.3
"""Fingers close and open (s)."""


def goto(player: Player, skill: script.Goto) -> int:
    """See `script.Goto`."""
    thing = player.number(skill.thing)
    box = Around(player.engine).box(thing)
    place = box.mean(0)
    fixed = player.engine.house.placed[thing].thing.fixed
    furniture = thing if fixed else Around(player.engine).furniture(place)
    ahead, depth = player.front(furniture, place)
    player.approach(place, LEFT, ahead, min(depth, 0.3))
    return -1


def look(player: Player, skill: script.Look) -> int:
    """See `script.Look`."""
    player.focus = Around(player.engine).box(player.number(skill.thing)).mean(0)
    player.go(0.6)
    return -1


def wait(player: Player, skill: script.Wait) -> int:
    """See `script.Wait`."""
    player.go(max(skill.seconds, 1 / player.engine.world.fps))
    return -1


def grasp(player: Player, skill: script.Grasp) -> int:
    """See `script.Grasp`."""
    engine = player.engine
    thing = player.number(skill.thing)
    if engine.house.placed[thing].thing.fixed:
        raise Failed(f"{skill.thing} cannot be moved")
    if engine.holding[:, thing].any():
        raise Failed(f"{skill.thing} is held already")
    hand = player.choose(skill.hand)
    around = Around(engine)
    grip = _grip(player, thing)
    furniture = around.furniture(grip)
    ahead, depth = player.front(furniture, grip)
    player.approach(grip, hand, ahead, depth)
    level = around.roofed(around.box(thing)) or _into_shelf(player, around, skill.thing)
    away = coming(player, LEVEL if level else STEEP)
    turn = facing(away, matrices(base_frame(engine.robot)[3:])[:, 1])
    player.reach(hand, np.array([*(grip + BEFORE * away), *turn]))
    grip = _grip(player, thing)
    player.focus = grip
    player.reach(hand, np.array([*grip, *turn]), slow=0.5)
    if np.linalg.norm(_grip(player, thing) - engine.world_hands()[hand, :3]) > GRASP_ERROR:
        raise Failed(f"{skill.thing} is not within grasp")
    engine.hold(hand, thing, Around(engine).riders(thing))
    player.drawn[hand] = away
    player.used[hand] += 1
    player.go(PAUSE)
    return hand


def _grip(player: Player, thing: int) -> Floats:
    """(3,) m: the first place to take a thing by."""
    pose = player.engine.pose(thing)
    place: Floats = pose[:3] + turned(pose[3:], np.asarray(player.engine.house.placed[thing].thing.grips[0].pos))
    return place


def coming(player: Player, tilt: float) -> Floats:
    """(3,): the direction from which a hand comes, so far from the vertical, towards the robot."""
    heading = player.engine.robot[2]
    back = np.array([-np.cos(heading), -np.sin(heading), 0.0])
    found: Floats = np.cos(tilt) * UP + np.sin(tilt) * back
    return found


def _into_shelf(player: Player, around: Around, name: str) -> bool:
    """Whether the script puts a thing next where there is furniture right above."""
    engine = player.engine
    for skill in player.skills[player.at + 1 :]:
        if isinstance(skill, script.PlaceIn) and skill.thing == name:
            support = engine.house.index(skill.into)
            thing = engine.house.placed[support].thing
            if not thing.fixed or not thing.fills:
                return False
            middle = engine.pose(support)[:3] + turned(engine.pose(support)[3:], np.asarray(thing.fills[0].pos))
            return around.roofed(np.stack([middle - 0.05, middle + 0.05]))
        if isinstance(skill, script.PlaceOn) and skill.thing == name:
            return False
    return False


def lift(player: Player, skill: script.Lift) -> int:
    """See `script.Lift`."""
    engine = player.engine
    thing = player.number(skill.thing)
    hand = player.holder(thing)
    around = Around(engine)
    held = (thing, *engine.riders[thing])
    box = around.box(*held)
    goal = player.carried(thing, player.upright())
    pose = engine.pose(thing)
    if around.roofed(box, held):
        furniture = around.furniture(box.mean(0))
        ahead, _ = player.front(furniture, box.mean(0))
        out = _outside(player, furniture, box, ahead)
        rise, way = around.exit(box, ahead, held) or (HOP, ahead)
        raised = pose.copy()
        raised[2] += rise
        player.shift(thing, raised, slow=0.5)
        pose = raised.copy()
        pose[:2] -= out / float(way @ ahead) * way
        player.shift(thing, pose, slow=0.8)
    else:
        raised = pose.copy()
        half = (box[1] - box[0])[:2] / 2 + 0.01
        # Straight to the chest, or straight back first where something tall is beside.
        ahead, _ = player.front(around.furniture(box.mean(0)), box.mean(0))
        back = goal.copy()
        back[:2] = pose[:2] - max(float((pose - goal)[:2] @ ahead), 0.0) * ahead
        tops = [around.tops(pose, end, half, held) for end in (goal, back)]
        raised[2] = max(goal[2], pose[2] + RISE, pose[2] - box[0, 2] + min(tops) + OVER)
        player.shift(thing, raised, slow=0.8)
        ends = [back, goal] if tops[1] < tops[0] - 0.01 else [goal] if raised[2] > goal[2] + 0.02 else []
        for end in ends:
            level = end.copy()
            level[2] = raised[2]
            player.shift(thing, level)
    player.focus = 0.5 * (player.focus + goal[:3]) if player.focus is not None else goal[:3]
    carry(player, thing)
    return hand


def carry(player: Player, thing: int) -> None:
    """Brings a held thing before the chest with the torso upright."""
    robot = player.upright()
    goal = player.held_pose(thing, player.carried(thing, robot))
    hand = player.holder(thing)
    way = float(np.linalg.norm(goal[:3] - player.engine.world_hands()[hand, :3]))
    player.go(max(0.5, 1.875 * way / 0.7, 0.8 * player.engine.robot[4]), robot=robot, hands={hand: goal})


def _outside(player: Player, furniture: int, box: Floats, ahead: Floats) -> float:
    """How far a box must be drawn out of furniture to be before its front (m)."""
    corners = np.array([[box[i, 0], box[j, 1]] for i in (0, 1) for j in (0, 1)])
    low, _ = player.engine.house.placed[furniture].thing.box
    start = player.engine.pose(furniture)[:2] + low[1] * ahead
    return float(((corners - start) @ ahead).max()) + OVER


def place_on(player: Player, skill: script.PlaceOn) -> int:
    """See `script.PlaceOn`."""
    return _place(player, skill, skill.on, False)


def place_in(player: Player, skill: script.PlaceIn) -> int:
    """See `script.PlaceIn`."""
    return _place(player, skill, skill.into, True)


def _place(player: Player, skill: script.PlaceOn | script.PlaceIn, where: str, inside: bool) -> int:
    engine = player.engine
    thing, support = player.number(skill.thing), player.number(where)
    hand = player.holder(thing)
    around = Around(engine)
    fixed = engine.house.placed[support].thing.fixed
    furniture = support if fixed else around.furniture(around.box(support).mean(0))
    ahead, _ = player.front(furniture, around.box(support).mean(0))
    spot = _spot(player, Wish(thing, support, inside, skill.at, skill.level, skill.yaw, ahead if furniture else None))
    if spot is None:
        raise Failed(f"no room for {skill.thing} {'in' if inside else 'on'} {where}")
    middle = spot.box.mean(0)
    ahead, depth = player.front(furniture, middle)
    player.approach(middle, hand, ahead, depth)
    around = Around(engine)
    held = (thing, *engine.riders[thing])
    above = spot.pose.copy()
    if spot.rise:
        above[2] += spot.rise
        before = above.copy()
        before[:2] -= _outside(player, furniture, spot.box, ahead) * ahead
        player.shift(thing, before)
        player.shift(thing, above, slow=0.8)
    else:
        pose, box = engine.pose(thing), around.box(*held)
        half = np.maximum(box[1] - box[0], spot.box[1] - spot.box[0])[:2] / 2 + 0.02
        tops = around.tops(pose, spot.pose, half, held)
        bottom = pose[2] - box[0, 2]
        above[2] = max(pose[2], spot.pose[2] + RISE, bottom + tops + OVER)
        if above[2] > pose[2] + 0.02:
            raised = pose.copy()
            raised[2] = above[2]
            player.shift(thing, raised)
        player.shift(thing, above)
    player.shift(thing, spot.pose, slow=0.6)
    player.goals[thing] = spot.pose
    player.drawn[hand] = matrices(engine.world_hands()[hand, 3:])[:, 2]
    player.go(PAUSE)
    return hand


def _spot(player: Player, wish: Wish) -> Spot | None:
    """A place as asked for; where that is taken a free one, where there is none of that kind one of the other."""
    around, other = Around(player.engine), not wish.inside
    for heaped in (False, True):
        for one in (
            wish,
            replace(wish, at=None),
            replace(wish, at=None, level=None),
            replace(wish, inside=other, level=None),
            replace(wish, inside=other, at=None, level=None),
        ):
            # A thing that was asked for at a place may stick out there sooner than stand elsewhere.
            for kind in (False, True) if one.at is not None and not heaped else (heaped,):
                found = find(around, replace(one, heaped=kind), player.rng)
                if found is not None:
                    return found
    return None


def release(player: Player, skill: script.Release) -> int:
    """See `script.Release`."""
    engine = player.engine
    thing = player.number(skill.thing)
    hand = player.holder(thing)
    engine.let_go(hand, thing)
    player.go(PAUSE)
    pose = engine.world_hands()[hand].copy()
    pose[:3] += BEFORE * player.drawn[hand]
    player.reach(hand, pose, limit=np.inf)
    player.settle(hand)
    goal = player.goals.pop(thing, None)
    if goal is not None and (away := float(np.linalg.norm(engine.pose(thing)[:3] - goal[:3]))) > PLACE_ERROR:
        raise Failed(f"{skill.thing} came to rest {100 * away:.0f} cm from its place")
    return hand
