"""Every thing of the catalogue: it rests where it is put, can be taken, opens, and has a name made of words."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from jaxphys_benchmarks.enact.names import words
from jaxphys_benchmarks.enact.world.catalogue import substance, thing, things
from jaxphys_benchmarks.enact.world.house import House, Placed
from jaxphys_benchmarks.enact.world.substances import SUBSTANCES
from jaxphys_benchmarks.enact.world.things import mirrored, moved, rotation
from tests.benchmarks.enact.world.settled import settled

LOOSE = [category for category, row in things().items() if not row.fixed]
FIXED = [category for category, row in things().items() if row.fixed]


def ground(half: float) -> Placed:
    """A floor of this half width."""
    from jaxphys_benchmarks.enact.world.forge import Forge

    forge = Forge("floors")
    forge.bound((half, half, 0.1), (0.0, 0.0, -0.1))
    return Placed("floors_aaaaaa_0", forge.made(fixed=True), (0.0, 0.0, 0.0))


def spread(categories: list[str]) -> House:
    """One of each category on the floor, a metre apart."""
    side = int(np.ceil(np.sqrt(len(categories))))
    rows = [
        Placed(f"{category}_0", thing(category), (float(k % side), float(k // side), 0.0005))
        for k, category in enumerate(categories)
    ]
    return House("kitchen", (ground(side + 1.0), *rows))


def test_all_loose_things_stand_where_they_were_put() -> None:
    house = spread(LOOSE)
    built, data, touch = settled(house, 60)
    for k, placed in enumerate(house.placed):
        if k:
            moved_by = data.xpos[built.body[k]] - placed.pos
            assert np.linalg.norm(moved_by) < 0.002, (placed.name, moved_by)
            assert abs(data.xquat[built.body[k]][0]) > 0.9999, placed.name
            assert touch[0, k], placed.name
    assert (data.tree_asleep >= 0).all()


def test_a_mirrored_thing_is_the_mirror_image() -> None:
    flip = np.diag([-1.0, 1.0, 1.0])
    for row in things().values():
        other = mirrored(row)
        low, high = row.box
        assert np.allclose(other.box[0], flip @ [high[0], low[1], low[2]])
        for link, image in zip(row.links, other.links, strict=True):
            shift, turn = moved(link, 0.7 * link.span)
            shift_image, turn_image = moved(image, 0.7 * link.span)
            # A point of the link and its image stay images of each other.
            point = np.array([0.3, -0.2, 0.5])
            one = shift + rotation(turn) @ point
            assert np.allclose(flip @ one, shift_image + rotation(turn_image) @ (flip @ point))
        assert mirrored(other) == row


def test_names_are_words() -> None:
    for category, row in things().items():
        assert len(row.model) == 6
        assert words(f"{category}_{row.model}_0", category) == "the " + " ".join(
            part for part in category.split("_") if len(part) > 1 or part.isalpha()
        )


def test_what_is_cut_becomes_what_there_is() -> None:
    cut = [row for row in things().values() if row.halves]
    assert len(cut) > 10
    for row in cut:
        half = thing(row.halves)
        assert half.dices == row.dices
        assert half.box[1][2] <= row.box[1][2] + 1e-9
        assert not row.dices or {row.dices, f"cooked__{row.dices}"} <= set(SUBSTANCES)


def test_every_loose_thing_can_be_taken_and_every_button_is_seen() -> None:
    for row in things().values():
        assert bool(row.grips) != row.fixed
        low, high = row.box
        for grip in row.grips:
            assert (low - 0.06 <= grip.pos).all()
            assert (grip.pos <= high + 0.06).all(), row.category
        for button in row.buttons:
            assert row.parts[button.part].pos == button.pos


@pytest.mark.parametrize("category", [category for category in things() if thing(category).links])
def test_doors_open_to_their_limit(category: str) -> None:
    row = thing(category)
    placed = Placed(f"{category}_0", row, (0.0, 0.0, 0.0005))
    built, data, _ = settled(House("kitchen", (ground(3.0), placed)), 10)
    for k, link in enumerate(row.links):
        address, dof = built.joint[k], built.joint_dof[k]
        for _ in range(600):
            if data.qpos[address] < 0.98 * link.span:
                data.qvel[dof] = 2.0 if link.kind == "hinge" else 0.5
            mujoco.mj_step(built.model, data)
        assert data.qpos[address] == pytest.approx(link.span, rel=0.05)
        # It opens to the front or upwards, never into the thing.
        start, end = (
            placed.at(link.handle, ""),
            replace(placed, joints={link.name: link.span}).at(link.handle, link.name),
        )
        assert end[1] < start[1] - 0.1 or end[2] > start[2] + 0.05
        # It stays where it is left.
        for _ in range(240):
            mujoco.mj_step(built.model, data)
        assert data.qpos[address] == pytest.approx(link.span, rel=0.05)


def test_links_move_as_told() -> None:
    for category in FIXED:
        row = thing(category)
        if not row.links:
            continue
        built, data, _ = settled(House("kitchen", (Placed(f"{category}_0", row, (0.1, 0.2, 0.3)),)), 1)
        for k, link in enumerate(row.links):
            data.qpos[built.joint[k]] = 0.6 * link.span
            mujoco.mj_kinematics(built.model, data)
            shift, turn = moved(link, 0.6 * link.span)
            assert np.allclose(data.xpos[built.link[k]], np.array([0.1, 0.2, 0.3]) + shift, atol=1e-9)
            assert np.allclose(data.xmat[built.link[k]].reshape(3, 3), rotation(turn), atol=1e-9)


def test_unknown_names_are_told() -> None:
    with pytest.raises(ValueError, match="water_bottle"):
        thing("watr_bottle")
    with pytest.raises(ValueError, match="diced__carrot"):
        substance("gravy")
    with pytest.raises(KeyError, match="door"):
        thing("fridge").link("lid")
