"""What of a world never changes: collision forms, fill sites, joints, buttons, edges and particles, as arrays.

n things, g forms, s fill sites, j joints, p particles of y systems. SI units.
"""

from dataclasses import dataclass
from typing import Any

BOX, SPHERE, CAPSULE = 0, 1, 2
"""Kinds of forms; a capsule lies about its z, with the round ends within its half extents."""

HINGE, SLIDE = 0, 1
"""Kinds of joints."""

NONE = -1


@dataclass(frozen=True, eq=False)
class Layout:
    """Static arrays of one world.

    Attributes:
        category: (n,) int, equal for things of one category. ground: (n,) bool, what is never under anything (floor,
            lawn, driveway). roof: (n,) bool, what nothing is under.
        form_thing: (g,) whose each form is, ascending. form_kind: (g,). form_half, form_pos: (g, 3), form_turn:
            (g, 3, 3), in the thing's frame, joints closed. form_joint: (g,) the joint that moves it, or `NONE`.
        fill_thing: (s,). fill_pos, fill_half: (s, 3). fill_joint: (s,).
        joint_thing: (j,). joint_kind: (j,). joint_pos, joint_axis: (j, 3) in the thing's frame. joint_span: (j,).
        particle_system: (p,) number of the system of each particle. systems: y, how many there are.
    """

    category: Any
    ground: Any
    roof: Any
    form_thing: Any
    form_kind: Any
    form_half: Any
    form_pos: Any
    form_turn: Any
    form_joint: Any
    fill_thing: Any
    fill_pos: Any
    fill_half: Any
    fill_joint: Any
    joint_thing: Any
    joint_kind: Any
    joint_pos: Any
    joint_axis: Any
    joint_span: Any
    particle_system: Any
    systems: int

    @property
    def things(self) -> int:
        """n."""
        return int(self.category.shape[0])


@dataclass(frozen=True, eq=False)
class Sensed:
    """What was seen of a world in f frames; `facts` needs nothing else.

    Attributes:
        pos: (f, n, 3) m. quat: (f, n, 4). exists: (f, n) bool. joint: (f, j) rad or m, 0 is closed.
        touching: (f, n, n) bool, symmetric: contacts nearer than the distance of touch.
        held: (f, 2, n) bool, the constraint of that hand holds the thing. gap: (f, 2, n) m between hand and thing.
        particle: (f, p, 3) m. alive: (f, p) bool. carrier: (f, p) number of the thing that it lies on or in, or -1.
        toggled, cooked: (f, n) bool, of the latches.
    """

    pos: Any
    quat: Any
    exists: Any
    joint: Any
    touching: Any
    held: Any
    gap: Any
    particle: Any
    alive: Any
    carrier: Any
    toggled: Any
    cooked: Any


@dataclass(frozen=True)
class Thresholds:
    """Limits of the predicates (ENACT specification, section 16); lengths in m."""

    grasp_gap: float = 0.08
    grasp_frames: int = 2
    adjacency: str = "ray"
    ray_max_hits: int = 10
    ray_max_len: float = 5.0
    open_fraction: float = 0.05
    contains_min: int = 1
    covered_min: int = 1
    covered_dist: float = 0.01


@dataclass(frozen=True, eq=False)
class Facts:
    """Which predicates hold, in f frames.

    Attributes:
        open, toggled_on, cooked: (f, n) bool.
        on_top, under, inside: (f, n, n) bool, [a, b] for "a is on top of b".
        contains, covered: (f, n, y) bool.
        grasping: (f, 2, n) bool, left and right hand.
    """

    open: Any
    toggled_on: Any
    cooked: Any
    on_top: Any
    under: Any
    inside: Any
    contains: Any
    covered: Any
    grasping: Any
