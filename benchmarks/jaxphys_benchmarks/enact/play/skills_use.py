"""Skills of doors, buttons and knives, and of two hands (ENACT specification, section 14).

They only move; what follows from that is decided by `events`. Each takes the player and a record of the script, and
raises `Failed` when nothing followed. Public: the functions, by the table in `simulate`.
"""

from collections.abc import Callable

import numpy as np

from jaxphys_benchmarks.enact.play import body, script
from jaxphys_benchmarks.enact.play.motion import base_frame, compose, facing, turned
from jaxphys_benchmarks.enact.play.player import LEFT, SIDES, UP, Failed, Player
from jaxphys_benchmarks.enact.play.skills import BEFORE as BEFORE_THING
from jaxphys_benchmarks.enact.play.skills import PAUSE, STEEP, carry, coming
from jaxphys_benchmarks.enact.play.surroundings import Around
from jaxphys_benchmarks.enact.world.things import Link, moved, rotation
from jaxphys_kernels.quaternions import Floats, matrices

BEFORE = 0.1
"""A hand stops so far before a handle or a button (m)."""
OPENED = 0.97
"""Part of its span that a door is opened by, at most."""
AJAR = 0.05
"""Part of its span by which a door may miss where it is moved to."""
DOOR_SPEED = 0.75
"""Greatest speed of a handle (m/s)."""
SWEEP = 0.3
"""The base stays so far out of the way of a door (m)."""
PRESSED = 1.5
"""Time for which a button is pressed at most (s)."""
STROKE = 0.14
"""A knife strikes from so far above (m)."""
STRIKE = 0.5
"""Time of a strike (s)."""
THROUGH = 0.004
"""A strike ends so far above the underside of what it cuts (m)."""


def open_link(player: Player, skill: script.Open) -> int:
    """See `script.Open`."""
    return _swing(player, skill.thing, skill.link, OPENED * skill.fraction)


def close_link(player: Player, skill: script.Close) -> int:
    """See `script.Close`."""
    return _swing(player, skill.thing, skill.link, 0.0)


def _swing(player: Player, name: str, link_name: str, fraction: float) -> int:
    engine = player.engine
    thing = player.number(name)
    links = engine.house.placed[thing].thing.links
    if not links:
        raise Failed(f"{name} has nothing to open")
    link = engine.house.placed[thing].thing.link(link_name or links[0].name)
    joint = engine.built.numbers[(name, link.name)]
    start, end = engine.joint(joint), fraction * link.span
    handle = _handle(engine.pose(thing), link)
    fixed = engine.house.placed[thing].thing.fixed
    furniture = thing if fixed else Around(engine).furniture(handle(start))
    ahead, depth = player.front(furniture, handle(start))
    hand = player.choose("", handle(start))
    if fixed:
        _before_door(player, handle, link, ahead, (start, end), hand)
    else:
        player.approach(handle(start), hand, ahead, depth)
    back = np.array([*-ahead, 0.0])
    upward = 0.4 if abs(link.axis[2]) > 0.5 or link.kind == "slide" else 0.9
    away = (back + upward * UP) / np.hypot(1.0, upward)
    turn = facing(away, matrices(base_frame(engine.robot)[3:])[:, 1])
    player.reach(hand, np.array([*(handle(start) + BEFORE * away), *turn]), limit=0.4)
    player.reach(hand, np.array([*_near(player, hand, handle(start)), *turn]), slow=0.5, limit=0.4)
    way = float(np.linalg.norm(handle(end) - handle(start)))
    swing = abs(end - start) * (_radius(link) if link.kind == "hinge" else 1.0)
    player.focus = handle(start) + 0.3 * (handle(end) - handle(start))

    def follow(share: Floats) -> Floats:
        places = np.array([_near(player, hand, handle(start + s * (end - start))) for s in share])
        return np.concatenate([places, np.tile(turn, (len(share), 1))], 1)

    player.go(max(1.0, 1.875 * max(way, swing) / DOOR_SPEED), paths={hand: follow}, drives={joint: (start, end)})
    pose = engine.world_hands()[hand].copy()
    pose[:3] += BEFORE * away
    player.reach(hand, pose, limit=np.inf)
    player.settle(hand)
    if abs(engine.joint(joint) - end) > AJAR * link.span:
        raise Failed(f"{link.name} of {name} is at {engine.joint(joint):.2f}, not {end:.2f}")
    return hand


def _handle(pose: Floats, link: Link) -> Callable[[float], Floats]:
    """Where the handle of a link is in the world, for values of its joint."""
    turn = matrices(pose[3:])

    def place(value: float) -> Floats:
        shift, spin = moved(link, value)
        found: Floats = pose[:3] + turn @ (shift + rotation(spin) @ np.asarray(link.handle))
        return found

    return place


def _radius(link: Link) -> float:
    axis = np.asarray(link.axis)
    arm = np.asarray(link.handle) - np.asarray(link.pos)
    return float(np.linalg.norm(arm - (arm @ axis) * axis))


def _before_door(
    player: Player, handle: Callable[[float], Floats], link: Link, ahead: Floats, values: tuple[float, float], hand: int
) -> None:
    """Stands where the door neither hits the robot nor leaves the reach of its hand for long."""
    player.focus = handle(values[0])
    closed = handle(0.0)
    goal = body.stand(closed, ahead, 0.0, hand)
    robot = np.array([*goal, 0.0, 0.0, 0.0, 0.0])
    if link.kind == "slide":
        goal[:2] -= 0.35 * ahead
    elif abs(link.axis[2]) > 0.5:
        # Half way to the hinge, and back until the door can pass.
        left = np.array([-ahead[1], ahead[0]])
        far = handle(values[0] if values[0] > values[1] else values[1])
        goal[:2] += 0.35 * float((far[:2] - closed[:2]) @ left) * left
        places = [handle(s)[:2] for s in np.linspace(*values, 9)]
        for _ in range(10):
            if min(float(np.linalg.norm(goal[:2] - place)) for place in places) > SWEEP + 0.15:
                break
            goal[:2] -= 0.05 * ahead
    else:
        goal[:2] -= 0.15 * ahead
    now = player.engine.robot
    if np.linalg.norm(now[:2] - goal[:2]) < 0.15 and abs(np.cos(now[2] - robot[2]) - 1) < 0.05:
        return
    player.drive(goal)


def _near(player: Player, hand: int, place: Floats) -> Floats:
    """A place, or the one nearest to it that the hand reaches without bending the torso further."""
    robot = player.engine.robot
    shoulder = body.shoulder(robot, hand, robot[3], robot[4:5])[0]
    away = place - shoulder
    length = float(np.linalg.norm(away))
    return place if length <= body.REACHED else shoulder + body.REACHED / length * away


def press(player: Player, skill: script.Press) -> int:
    """See `script.Press`."""
    engine = player.engine
    thing = player.number(skill.thing)
    buttons = engine.house.placed[thing].thing.buttons
    if not 0 <= skill.button < len(buttons):
        raise Failed(f"{skill.thing} has no button {skill.button}")
    pose = engine.pose(thing)
    button = pose[:3] + turned(pose[3:], np.asarray(buttons[skill.button].pos))
    fixed = engine.house.placed[thing].thing.fixed
    furniture = thing if fixed else Around(engine).furniture(button)
    ahead, depth = player.front(furniture, button)
    hand = player.choose("", button)
    player.approach(button, hand, ahead, depth)
    away = (np.array([*-ahead, 0.0]) + 0.6 * UP) / np.hypot(1.0, 0.6)
    turn = facing(away, matrices(base_frame(engine.robot)[3:])[:, 1])
    was = bool(engine.latches.toggled[thing])
    player.reach(hand, np.array([*(button + (BEFORE + 0.05) * away), *turn]))
    engine.pointing[hand] = True
    player.reach(hand, np.array([*(button + 0.01 * away), *turn]), slow=0.5)
    for _ in range(int(PRESSED / 0.1)):
        if bool(engine.latches.toggled[thing]) != was:
            break
        player.go(0.1)
    player.go(PAUSE)
    player.reach(hand, np.array([*(button + (BEFORE + 0.05) * away), *turn]))
    engine.pointing[hand] = False
    player.settle(hand)
    if bool(engine.latches.toggled[thing]) == was:
        raise Failed(f"the button of {skill.thing} did nothing")
    return hand


def cut(player: Player, skill: script.Cut) -> int:
    """See `script.Cut`."""
    engine = player.engine
    thing, knife = player.number(skill.thing), player.number(skill.knife)
    edge = engine.house.placed[knife].thing.edge
    if edge is None:
        raise Failed(f"{skill.knife} has no edge")
    hand = player.holder(knife)
    around = Around(engine)
    box = around.box(thing)
    middle = box.mean(0)
    ahead, depth = player.front(around.furniture(middle), middle)
    player.approach(middle, hand, ahead, depth)
    # The blade points away from the robot, across what is long.
    yaw = float(engine.robot[2]) + np.pi
    local = matrices(engine.pose(thing)[3:])[:2, 0]
    forward = np.array([np.cos(yaw), np.sin(yaw)])
    whole_low, whole_high = engine.house.placed[thing].thing.box
    size = whole_high - whole_low
    if size[0] > 1.3 * size[1] and size[2] < size[0]:
        # The nearest direction of the blade that is across the long axis.
        across = np.array([-local[1], local[0]])
        across = across if across @ forward > 0 else -across
        yaw = float(np.arctan2(across[1], across[0]))
    turn = np.array([np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)])
    centre = turned(turn, (np.asarray(edge.start) + np.asarray(edge.end)) / 2)
    low = np.array([*(middle - centre)[:2], box[0, 2] + THROUGH - centre[2], *turn])
    high = low.copy()
    high[2] = box[1, 2] + STROKE
    player.shift(knife, high)
    player.go(PAUSE)
    engine.pass_through(knife, True)
    robot, _ = body.posture(engine.robot, [(hand, player.held_pose(knife, low)[:3])])
    player.go(STRIKE, robot=robot, hands={hand: player.held_pose(knife, low)})
    player.shift(knife, high, slow=0.8)
    engine.pass_through(knife, False)
    carry(player, knife)
    if engine.exists[thing]:
        raise Failed(f"{skill.thing} was not cut")
    return hand


def handover(player: Player, skill: script.Handover) -> int:
    """See `script.Handover`."""
    engine = player.engine
    thing = player.number(skill.thing)
    giver = player.holder(thing)
    taker = 1 - giver
    if taker not in player.free():
        raise Failed(f"the {list(SIDES)[taker]} hand is full")
    robot = player.upright()
    bases = base_frame(robot)
    goal = player.carried(thing, robot)
    box = Around(engine).box(thing, *engine.riders[thing])
    shift = engine.pose(thing)[:3] - box.mean(0)
    left = matrices(bases[3:])[:, 1]
    # In the middle before the chest.
    centre = compose(bases, np.array([0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]))[:3]
    goal[:2] = (centre + shift)[:2]
    player.focus = goal[:3]
    player.shift(thing, goal)
    half = float(np.abs(left) @ (box[1] - box[0]) / 2)
    side = 1.0 if taker == LEFT else -1.0
    spot = goal[:3] - shift + side * min(half, 0.04) * left
    spot[2] = engine.world_hands()[giver, 2]
    away = coming(player, STEEP) + 0.5 * side * left
    pose = np.array([*spot, *facing(away, left)])
    before = pose.copy()
    before[:3] += BEFORE_THING * away
    player.reach(taker, before)
    player.reach(taker, pose, slow=0.5)
    engine.hold(taker, thing)
    player.used[taker] += 1
    player.go(PAUSE)
    engine.let_go(giver, thing)
    player.go(PAUSE)
    player.settle(giver)
    carry(player, thing)
    return taker
