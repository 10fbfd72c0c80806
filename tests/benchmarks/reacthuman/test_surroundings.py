"""Furniture and rooms as drawn: nothing hides or touches what moves, and supports stand below what they carry."""

import numpy as np
import pytest

from jaxphys_benchmarks.reacthuman import looks, rooms
from jaxphys_benchmarks.reacthuman.blocks import Piece, apart
from jaxphys_benchmarks.reacthuman.cameras import ROBOT_HEIGHT
from jaxphys_benchmarks.reacthuman.catalogue import current
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.decor import DECOR, DEEPEST, TALLEST, decor
from jaxphys_benchmarks.reacthuman.families import parts
from jaxphys_benchmarks.reacthuman.families.pose import quaternion, turn
from jaxphys_benchmarks.reacthuman.figure import figure
from jaxphys_benchmarks.reacthuman.furnishing import furnished
from jaxphys_benchmarks.reacthuman.scene import Box, Hinge
from jaxphys_benchmarks.reacthuman.shapes_parts import turned
from jaxphys_benchmarks.reacthuman.surroundings import hangs, held
from jaxphys_benchmarks.stage import Solid

PROUD = 0.005
"""By which a drawn edge may stand above what a body slides on (m)."""
CONFIG = ReactHumanConfig()


def span(piece: Piece) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest corner of the box around a piece in its first frame (m)."""
    solid, _, pos, quat = piece
    signs = np.stack(np.meshgrid(*[(-1, 1)] * 3), axis=-1).reshape(-1, 3)
    corners = pos[0] + turned(quat[0], signs * solid.half)
    return corners.min(axis=0), corners.max(axis=0)


@pytest.mark.parametrize(
    "box",
    [
        parts.table(0.1, 0.2, CONFIG),
        parts.stool(0.0, 0.3, 0.45, 0.4, CONFIG),
        parts.shelf(rooms.get("office"), 0.3, 1.6, 0.2, 0.6, CONFIG),
    ],
    ids=lambda box: box.name,
)
def test_what_carries_bodies_is_drawn_as_it_is_and_the_rest_below_it(box: Box) -> None:
    top, *others = apart(furnished((box,), "office"))
    assert (top[0].form, top[0].half, tuple(top[2][0])) == ("box", box.half, box.pos)
    assert len(others) >= 3
    for piece in others:
        low, high = span(piece)
        assert high[2] <= box.pos[2] + box.half[2] + 1e-9
        assert low[2] >= -1e-9
        assert (np.abs((low + high) / 2 - box.pos)[:2] <= np.array(box.half[:2]) + PROUD).all()
    lowest = min(span(piece)[0][2] for piece in others)
    assert lowest == pytest.approx(0 if box.name != "shelf" else box.pos[2] - box.half[2] - 0.14, abs=1e-6)


@pytest.mark.parametrize(("angle", "yaw"), [(0.3, 0.0), (0.6, 0.2)])
def test_a_ramp_stands_on_what_lies_below_its_slope(angle: float, yaw: float) -> None:
    box = Box(name="ramp", pos=tuple(turn(yaw, angle) @ np.array([0.0, 0.45, 0.0])), half=(0.18, 0.45, 0.025),
              quat=quaternion(yaw, angle))  # fmt: skip
    drawn = {piece[0].name: piece for piece in apart(furnished((box,), "office"))}
    solid, _, pos, quat = drawn["ramp support"]
    assert solid.form == "wedge"
    low, _ = span(drawn["ramp support"])
    assert low[2] == pytest.approx(0, abs=1e-6)
    # Its edges along the slope are on the middle plane of the board, so within it, from the foot to the upper end.
    a, b, c = solid.half
    ends = pos[0] + turned(quat[0], np.array([(x, s * b, -s * c) for x in (-a, a) for s in (-1, 1)]))
    local = (ends - box.pos) @ turn(yaw, angle)
    assert np.abs(local[:, 2]).max() < 1e-5
    assert np.abs(np.abs(local[:, 1]) - 0.45).max() < 1e-5
    assert np.abs(local[:, 0]).max() < 0.18


def test_stairs_have_noses_and_a_banister_beside_them() -> None:
    boxes = parts.stairs(rooms.get("stair_landing"), CONFIG)
    drawn = list(apart(furnished(boxes, "stair_landing")))
    assert sum(piece[0].name.endswith("nosing") for piece in drawn) == rooms.STAIRS
    for piece in drawn:
        low, high = span(piece)
        within = abs(piece[2][0, 0]) < rooms.STAIR_WIDTH / 2
        if piece[0].name.split()[-1] in ("nosing", "riser"):
            step = next(box for box in boxes if piece[0].name.startswith(f"{box.name} "))
            assert within
            assert high[2] <= step.pos[2] + step.half[2] + PROUD
            assert low[1] >= step.pos[1] - step.half[1] - PROUD
        elif "baluster" in piece[0].name or "rail" in piece[0].name:
            assert not within


@pytest.mark.parametrize("room", list(rooms.ROOMS))
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_furniture_of_a_room_stays_low_and_at_its_wall(room: str, side: float) -> None:
    width = rooms.get(room).width / 2
    drawn = list(decor(room, side, side * width, 0.4))
    assert bool(drawn) == (room in DECOR)
    for pos, half, colour in drawn:
        low, high = np.subtract(pos, half), np.add(pos, half)
        assert low[2] >= -1e-9
        assert high[2] <= TALLEST
        assert width - DEEPEST - 1e-9 <= min(abs(low[0]), abs(high[0]))
        assert max(abs(low[0]), abs(high[0])) <= width + 1e-9
        int(colour[1:], 16)
    assert len({colour for *_, colour in drawn}) >= (3 if drawn else 0)


def test_rooms_differ_in_their_colours() -> None:
    assert len({looks.walls(room)[0].colour for room in rooms.ROOMS}) == len(rooms.ROOMS)
    assert len({looks.FLOORS[room] for room in rooms.ROOMS}) == len(rooms.ROOMS)
    assert looks.walls("cellar")[0].colour == looks.WALL


def test_a_door_closes_a_frame_that_it_does_not_touch() -> None:
    row = current().get("wooden", "door_swing").resized((0.45, 0.0225, 1.0))
    hinge = Hinge(anchor=(-0.2, -2.1, 0.0), axis=(0.0, 0.0, 1.0), com=(0.45, 0.0, 1.02), angle=1.4, rate=-1.0)
    door = parts.body(row, np.zeros(3)).model_copy(update={"hinge": hinge})
    frame = held(door, np.zeros((1, 3)))
    assert frame is not None
    drawn = {piece[0].name: piece for piece in apart(frame)}
    assert not hangs(hinge)
    near, far = (span(drawn[f"object post {k}"]) for k in (0, 1))
    assert near[1][0] <= -0.2 < 0.7 <= far[0][0]
    assert far[0][0] - near[1][0] < 0.95
    assert span(drawn["object lintel"])[0][2] >= 2.02
    solids: list[Solid] = [piece[0] for piece in drawn.values()]
    assert {solid.of for solid in solids} == {""}


def test_a_free_body_is_held_by_nothing() -> None:
    ball = parts.body(current().get("red_apple", "object_drop"), np.zeros(3))
    assert held(ball, np.zeros((1, 3))) is None


def test_the_robot_stands_on_the_floor_over_its_root() -> None:
    drawn = list(apart(figure((0.3, -1.2, 0.79))))
    low, high = (np.array([span(piece)[k] for piece in drawn]) for k in (0, 1))
    assert low[:, 2].min() == pytest.approx(0, abs=0.01)
    assert high[:, 2].max() == pytest.approx(ROBOT_HEIGHT, abs=1e-6)
    # Its shoulders are less than 0.6 m wide; its hands reach ahead of it, less than 0.45 m, where things arrive.
    assert high[:, 0].max() - low[:, 0].min() < 0.6
    assert 0.2 < high[:, 1].max() + 1.2 < 0.45
    left, right = (sum(sign * (piece[2][0, 0] - 0.3) > 0.05 for piece in drawn) for sign in (-1, 1))
    assert left == right > 8
