"""States of a furnished room in which nothing moves but the robot's head."""

import numpy as np

from jaxphys_benchmarks.enact.episodes.states import States
from jaxphys_benchmarks.enact.world.house import House
from jaxphys_benchmarks.enact.world.placing import Placing


def room() -> House:
    """A kitchen with a fridge that is ajar, a burner and a table that is laid."""
    placing = Placing("kitchen", np.random.default_rng(3))
    fridge, table = placing.fixture("fridge"), placing.fixture("breakfast_table")
    placing.fixture("burner")
    placing.put("water_bottle", inside=fridge)
    bowl = placing.put("bowl", on=table, at=(0.0, 0.0))
    placing.put("apple", on=table, at=(0.7, 0.0))
    placing.put("steak", on=table, at=(-0.7, 0.0))
    placing.joint(fridge, "door", 1.4)
    placing.system("cereal", at=bowl, count=16)
    return placing.house()


def still(house: House, frames: int = 2) -> States:
    """Frames of a house as it stands; the robot looks at the table, a little further down from frame to frame."""
    n, particles = len(house.placed), sum(system.count for system in house.systems)
    x, y, heading = house.start
    poses = np.array([[x, y + 0.1, heading + np.pi, 0, 0, 0, 0.7 + 0.05 * k] for k in range(frames)])
    turn = [np.cos((heading + np.pi) / 2), 0.0, 0.0, np.sin((heading + np.pi) / 2)]
    hands = [[[x + side * 0.3, y - 0.4, 0.9, *turn] for side in (1, -1)] for _ in range(frames)]
    return States(
        ids=59 + 211 * np.arange(frames),
        pos=np.tile([placed.pos for placed in house.placed], (frames, 1, 1)),
        quat=np.tile([placed.quat for placed in house.placed], (frames, 1, 1)),
        joint=np.tile([house.placed[k].joints.get(link, 0.0) for k, link in house.joints], (frames, 1)),
        exists=np.tile([not placed.parked for placed in house.placed], (frames, 1)),
        toggled=np.zeros((frames, n), bool),
        cooked=np.zeros((frames, n), bool),
        particle=np.tile([0.0, 0.0, 1.0], (frames, particles, 1)),
        alive=np.ones((frames, particles), bool),
        poses=poses,
        hands=np.array(hands),
    )
