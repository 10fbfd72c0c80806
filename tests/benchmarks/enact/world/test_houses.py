"""Houses: what is put somewhere stays there and does not overlap, containers hold, mirror images are mirror images."""

import mujoco
import numpy as np
import pytest

from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.world.catalogue import thing, things
from jaxphys_benchmarks.enact.world.house import House, mirror
from jaxphys_benchmarks.enact.world.layout import layout_of
from jaxphys_benchmarks.enact.world.model import build, touching, wake
from jaxphys_benchmarks.enact.world.placing import PARK, Placing, within
from jaxphys_benchmarks.enact.world.rooms import ROOMS
from jaxphys_benchmarks.enact.world.things import bounds, rotation
from tests.benchmarks.enact.world.settled import settled

FIT_IN = {
    "hinged_jar": "half_chili",
    "pencil_holder": "egg",
    "pencil_box": "egg",
    "mug": "",
    "coffee_cup": "",
    "teacup": "",
}
"""What fits into what an apple is too big for; nothing into cups."""

HOLDERS = [
    category
    for category, row in things().items()
    if FIT_IN.get(category, "apple") and any(within(top, row) for top in row.surfaces)
]


def kitchen(seed: int = 0) -> House:
    """A kitchen with things on and in its furniture."""
    placing = Placing("kitchen", np.random.default_rng(seed))
    fridge, top, table = (placing.fixture(name) for name in ("fridge", "countertop", "breakfast_table"))
    placing.fixture("burner")
    placing.put("water_bottle", inside=fridge)
    placing.put("milk_carton", inside=fridge)
    placing.put("steak", inside=fridge, level=1)
    board = placing.put("chopping_board", on=top)
    onion = placing.put("vidalia_onion", on=board)
    placing.halves(onion)
    placing.put("carving_knife", on=top, yaw=0.0)
    for category in ("bowl", "plate", "mug", "apple"):
        placing.put(category, on=table)
    placing.joint(fridge, "door", 1.0)
    placing.system("diced__vidalia_onion", source=onion)
    return placing.house()


@pytest.mark.parametrize("seed", range(3))
def test_what_was_put_stays(seed: int) -> None:
    house = kitchen(seed)
    built, data, touch = settled(house)
    for k, placed in enumerate(house.placed):
        assert np.linalg.norm(data.xpos[built.body[k]] - placed.pos) < 0.003, placed.name
        if placed.on and not placed.parked:
            assert touch[k, house.index(placed.on)], (placed.name, placed.on)
    assert data.qpos[built.joint[built.numbers[house.placed[1].name, "door"]]] == pytest.approx(1.0, abs=0.01)


def test_nothing_overlaps() -> None:
    for seed in range(5):
        built = build(kitchen(seed), World())
        data = mujoco.MjData(built.model)
        mujoco.mj_forward(built.model, data)
        assert not data.ncon or data.contact.dist.min() > 0


def test_what_does_not_exist_is_out_of_reach_until_it_is_placed() -> None:
    house = kitchen()
    k = house.index(next(name for name in house.numbers if name.startswith("half_vidalia_onion")))
    assert house.placed[k].parked
    assert house.placed[k].parents == (next(name for name in house.numbers if name.startswith("vidalia_onion")),)
    assert house.placed[k].pos[2] == pytest.approx(PARK[2], abs=0.01)
    built, data, touch = settled(house)
    assert not touch[k].any()
    burner = house.index(next(name for name in house.numbers if name.startswith("burner")))
    spot = house.placed[burner].at((0.0, 0.0, 0.95))
    data.qpos[built.qpos[k] : built.qpos[k] + 3] = spot
    wake(built, data, k)
    for _ in range(40):
        for _ in range(6):
            mujoco.mj_step(built.model, data)
        touch = touching(built, data, touch)
    assert touch[k, burner]
    assert np.allclose(data.xpos[built.body[k]], [*spot[:2], 0.9], atol=0.003)


def test_a_weld_to_its_grip_carries_a_thing_and_wakes_it() -> None:
    house = kitchen()
    k = house.index(next(name for name in house.numbers if name.startswith("apple")))
    built, data, touch = settled(house)
    table = house.index(house.placed[k].on)
    assert touch[k, table]
    assert data.tree_asleep[built.model.body_treeid[built.body[k]]] >= 0
    data.mocap_pos[built.grip[k]] = data.xpos[built.body[k]]
    data.mocap_quat[built.grip[k]] = data.xquat[built.body[k]]
    data.eq_active[built.weld[k]] = 1
    for step in range(480):
        data.mocap_pos[built.grip[k]] += (0.0, 0.0, 0.3 / 240 if step < 240 else 0.0)
        mujoco.mj_step(built.model, data)
        if step % 8 == 7:
            touch = touching(built, data, touch)
    assert data.xpos[built.body[k]][2] == pytest.approx(house.placed[k].pos[2] + 0.3, abs=0.003)
    assert not touch[k].any()
    data.eq_active[built.weld[k]] = 0
    # A thing held still in the air sleeps there.
    wake(built, data, k)
    for _ in range(400):
        mujoco.mj_step(built.model, data)
    assert data.xpos[built.body[k]][2] == pytest.approx(house.placed[k].pos[2], abs=0.003)


def test_the_mirror_image_of_a_house_behaves_as_one() -> None:
    house = kitchen()
    other = mirror(house)
    assert mirror(other).placed == house.placed
    flip = np.array([-1.0, 1.0, 1.0])
    one, data, touch = settled(house)
    two, image, touched = settled(other)
    assert (touch == touched).all()
    for k in range(len(house.placed)):
        assert np.allclose(flip * data.xpos[one.body[k]], image.xpos[two.body[k]], atol=1e-6)
        w, x, y, z = data.xquat[one.body[k]]
        assert np.allclose(rotation(np.array([w, x, -y, -z])), rotation(image.xquat[two.body[k]]), atol=1e-5)


@pytest.mark.parametrize("category", HOLDERS)
def test_fill_sites_hold_what_is_put_in(category: str) -> None:
    what = FIT_IN.get(category, "apple")
    slots = {slot.name: room for room in ROOMS.values() for slot in room.slots}
    room = slots.get(category, ROOMS["kitchen"])
    placing = Placing(room.name, np.random.default_rng(1))
    holder = placing.fixture(category) if category in slots else placing.put(category, at=(0.0, 0.0))
    levels = len(thing(category).fills)
    names = [placing.put(what, inside=holder, level=level) for level in range(levels)]
    house = placing.house()
    built, data, touch = settled(house)
    layout = layout_of(house)
    h = house.index(holder)
    for name in names:
        k = house.index(name)
        low, high = house.placed[k].thing.box
        middle = data.xpos[built.body[k]] + data.xmat[built.body[k]].reshape(3, 3) @ ((low + high) / 2)
        turn = data.xmat[built.body[h]].reshape(3, 3)
        local = turn.T @ (middle - data.xpos[built.body[h]])
        own = layout.fill_thing == h
        assert (np.abs(local - layout.fill_pos[own]) < layout.fill_half[own]).all(axis=1).any(), (name, local)
        assert touch[k, h]


def test_nothing_is_put_where_a_fixture_stands() -> None:
    placing = Placing("kitchen", np.random.default_rng(0))
    top = placing.fixture("second_countertop")
    oven = placing.fixture("microwave")
    with pytest.raises(ValueError, match="no free place"):
        placing.put("plate", on=top, at=(-0.4, 0.5), yaw=0.0)
    for _ in range(4):
        placing.put("mug", on=top)
    low, high = (np.asarray(placing.placed[oven].pos) + corner for corner in thing("microwave").box)
    for placed in placing.placed.values():
        if placed.thing.category == "mug":
            assert not ((low[:2] < placed.pos[:2]) & (placed.pos[:2] < high[:2])).all()


def test_places_are_checked() -> None:
    placing = Placing("kitchen", np.random.default_rng(0))
    table = placing.fixture("breakfast_table")
    with pytest.raises(ValueError, match="asked for twice"):
        placing.fixture("breakfast_table")
    with pytest.raises(ValueError, match="its place is taken"):
        placing.fixture("kitchen_island")
    with pytest.raises(ValueError, match="has no 'bath'"):
        placing.fixture("bath")
    with pytest.raises(ValueError, match="no free place"):
        placing.put("suitcase", inside=placing.put("bowl", on=table))
    with pytest.raises(ValueError, match="0 places in it"):
        placing.put("apple", inside=table)
    with pytest.raises(ValueError, match="there is no"):
        placing.put("apple", on="moon")
    with pytest.raises(ValueError, match="cut in halves"):
        placing.halves(table)
    with pytest.raises(ValueError, match="no room is called"):
        Placing("cellar", np.random.default_rng(0))
    for _ in range(60):
        try:
            placing.put("plate", on=table)
        except ValueError:
            break
    else:
        raise AssertionError("sixty plates do not fit on a table")


@pytest.mark.parametrize("name", ROOMS)
def test_furniture_of_a_room_does_not_overlap(name: str) -> None:
    room = ROOMS[name]
    boxes = []
    for slot in room.slots:
        if slot.only:
            continue
        low, high = thing(slot.category).box
        half = tuple((high - low) / 2)
        turn = (float(np.cos(slot.yaw / 2)), 0.0, 0.0, float(np.sin(slot.yaw / 2)))
        middle = np.asarray(slot.pos) + rotation(turn) @ ((low + high) / 2)
        boxes.append((slot.name, *bounds(half, tuple(middle), turn)))
        inner = np.asarray(room.half) + 1e-6
        assert (np.abs(np.array([boxes[-1][1][:2], boxes[-1][2][:2]]) - room.middle) <= inner).all(), slot.name
    for k, (one, low, high) in enumerate(boxes):
        for other, least, most in boxes[:k]:
            assert not ((low < most - 1e-6) & (least < high - 1e-6)).all(), (one, other)


def test_a_house_is_the_same_for_the_same_seed() -> None:
    assert kitchen(3).placed == kitchen(3).placed
    assert kitchen(3).placed != kitchen(4).placed


@pytest.mark.parametrize("category", ["crate", "wooden_crate", "plastic_crate"])
def test_crates_stand_on_each_other_and_hold_things(category: str) -> None:
    placing = Placing("garage", np.random.default_rng(0))
    low = placing.put(category, at=(0.0, 0.0))
    inside = placing.put("apple", inside=low)
    top = placing.put(category, on=low, at=(0.0, 0.0), yaw=0.0)
    house = placing.house()
    built, data, touch = settled(house, 60)
    layout = layout_of(house)
    k, j = house.index(low), house.index(top)
    assert touch[k, j]
    assert touch[k, house.index(inside)]
    own = layout.fill_thing == k
    height = data.xpos[built.body[j]][2] + thing(category).box[1][2] / 2
    assert (height > data.xpos[built.body[k]][2] + layout.fill_pos[own, 2] + layout.fill_half[own, 2]).all()
    assert data.xpos[built.body[j]][2] == pytest.approx(thing(category).box[1][2], abs=0.003)
