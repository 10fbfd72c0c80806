"""The static arrays by which the facts of a house are computed from what is sensed of it (ENACT specification, 3.2).

Doors and lids on hinges are left out of the forms: nothing stands on them, and what lies under an open lid is not under
the box. Drawers carry, so they are in.
"""

import numpy as np

from jaxphys_benchmarks.enact.world.house import House
from jaxphys_benchmarks.enact.world.things import Thing, rotation
from jaxphys_kernels.household.layout import BOX, CAPSULE, HINGE, NONE, SLIDE, SPHERE, Layout

KINDS = {"box": BOX, "sphere": SPHERE, "capsule": CAPSULE}
JOINTS = {"hinge": HINGE, "slide": SLIDE}

GROUNDS = frozenset({"floors", "driveway", "lawn"})
ROOFS = frozenset({"ceilings"})


def layout_of(house: House) -> Layout:
    """The arrays of a house; things, joints and particles in its order."""
    categories = sorted({placed.thing.category for placed in house.placed})
    joints = {key: j for j, key in enumerate(house.joints)}
    things = [(k, placed.thing) for k, placed in enumerate(house.placed)]
    forms = [
        (k, shape, joints.get((k, shape.link), NONE))
        for k, thing in things
        for shape in thing.shapes
        if not shape.link or thing.link(shape.link).carries
    ]
    fills = [(k, fill, joints.get((k, fill.link), NONE)) for k, thing in things for fill in thing.fills]
    links = [house.placed[k].thing.link(name) for k, name in house.joints]
    return Layout(
        category=np.array([categories.index(thing.category) for _, thing in things]),
        ground=_kind_of(things, GROUNDS),
        roof=_kind_of(things, ROOFS),
        form_thing=np.array([k for k, _, _ in forms], int),
        form_kind=np.array([KINDS[shape.kind] for _, shape, _ in forms], int),
        form_half=np.array([shape.half for _, shape, _ in forms], float).reshape(-1, 3),
        form_pos=np.array([shape.pos for _, shape, _ in forms], float).reshape(-1, 3),
        form_turn=np.array([rotation(shape.quat) for _, shape, _ in forms]).reshape(-1, 3, 3),
        form_joint=np.array([j for _, _, j in forms], int),
        fill_thing=np.array([k for k, _, _ in fills], int),
        fill_pos=np.array([fill.pos for _, fill, _ in fills], float).reshape(-1, 3),
        fill_half=np.array([fill.half for _, fill, _ in fills], float).reshape(-1, 3),
        fill_joint=np.array([j for _, _, j in fills], int),
        joint_thing=np.array([k for k, _ in house.joints], int),
        joint_kind=np.array([JOINTS[link.kind] for link in links], int),
        joint_pos=np.array([link.pos for link in links], float).reshape(-1, 3),
        joint_axis=np.array([link.axis for link in links], float).reshape(-1, 3),
        joint_span=np.array([link.span for link in links], float),
        particle_system=np.repeat(np.arange(len(house.systems)), [system.count for system in house.systems]),
        systems=len(house.systems),
    )


def _kind_of(things: list[tuple[int, Thing]], categories: frozenset[str]) -> np.ndarray:
    return np.array([thing.category in categories for _, thing in things])
