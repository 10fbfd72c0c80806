"""The eleven classes of predicates in many frames at once, and their clean-up (ENACT specification, sections 2.2, 3.2).

`facts` says what holds, `cleaned` drops what the benchmark's graphs leave out. What a joint moves counts as a form of
its thing for rays and touch, not for the box around it. Particles in a fill site of a thing are contained in it and do
not cover it; those that lie in what carries them cover nothing, for a wall is between them and what is near.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from jaxphys_kernels.household import adjacency
from jaxphys_kernels.household.layout import CAPSULE, SPHERE, Facts, Layout, Sensed, Thresholds
from jaxphys_kernels.household.poses import boxes, forms, least, linked, placed, reaches


def facts(xp: Any, layout: Layout, sensed: Sensed, limits: Thresholds) -> Facts:
    """What holds in each frame.

    Args:
        xp: array module. layout: of the world. sensed: f frames, one after the other in time (a grasp counts after
            `grasp_frames` of them). limits: of the predicates.
    """
    exists = sensed.exists
    pos, turn = forms(xp, layout, sensed)
    low, high = boxes(xp, layout, pos, reaches(xp, layout, turn))
    middle = (low + high) / 2
    if limits.adjacency == "ray":
        above, below = adjacency.by_rays(xp, layout, middle, pos, turn, exists, limits)
    else:
        above, below = adjacency.by_boxes(xp, layout, low, high, exists)
    both = exists[:, :, None] & exists[:, None, :]
    within = _within(xp, layout, sensed, middle)
    # Of two things that each have the middle in the other, as a cup in a basket, the smaller one is inside.
    bulk = xp.where(exists, (high - low).prod(-1), 0)
    within = within & ~(within.swapaxes(1, 2) & (bulk[:, :, None] > bulk[:, None, :]))
    contains, covered = _particles(xp, layout, sensed, pos, turn, limits)
    return Facts(
        open=_open(xp, layout, sensed.joint, limits) & exists,
        toggled_on=sensed.toggled & exists,
        cooked=sensed.cooked & exists,
        on_top=sensed.touching & below & ~above & both,
        under=above & ~below & ~above.swapaxes(1, 2),
        inside=within & both & ~xp.eye(layout.things, dtype=bool)[None],
        contains=contains & exists[..., None],
        covered=covered & exists[..., None],
        grasping=grasping(xp, sensed, limits) & exists[:, None, :],
    )


def cleaned(xp: Any, layout: Layout, found: Facts) -> Facts:
    """The facts that a graph keeps, after the rules of section 2.2 for edges between things."""
    inside = found.inside
    housed = inside.any(2)
    category = xp.asarray(layout.category)
    same = (category[:, None] == category[None, :])[None]
    apart = ~(inside.swapaxes(1, 2) | (housed[:, :, None] & housed[:, None, :]) | same)
    held = found.grasping.any(1)
    free = ~(held[:, :, None] | held[:, None, :])
    low, roof = xp.asarray(layout.ground)[None, :, None], xp.asarray(layout.roof)[None, None, :]
    return replace(found, on_top=found.on_top & apart & ~inside, under=found.under & apart & free & ~low & ~roof)


def _open(xp: Any, layout: Layout, joint: Any, limits: Thresholds) -> Any:
    """(f, n): a joint of the thing is further from closed than its share of the span."""
    ajar = xp.abs(joint) > limits.open_fraction * xp.asarray(layout.joint_span, dtype=joint.dtype)[None]
    of = np.asarray(layout.joint_thing)[:, None] == np.arange(layout.things)
    return (ajar[:, :, None] & xp.asarray(of)[None]).any(1)


def grasping(xp: Any, sensed: Sensed, limits: Thresholds) -> Any:
    """(f, 2, n): held closely for this frame and those before it."""
    near = sensed.held & (sensed.gap < limits.grasp_gap)
    found = near
    for k in range(1, limits.grasp_frames):
        earlier = xp.concatenate([xp.zeros_like(near[:k]), near[:-k]]) if k < len(near) else xp.zeros_like(near)
        found = found & earlier
    return found


def _sites(xp: Any, layout: Layout, sensed: Sensed) -> tuple[Any, Any]:
    dtype = sensed.pos.dtype
    shift, turn = linked(xp, layout, sensed.joint, layout.fill_joint)
    return placed(xp, sensed, layout.fill_thing, xp.asarray(layout.fill_pos, dtype=dtype)[None], shift, turn)


def _in_sites(xp: Any, layout: Layout, sites: tuple[Any, Any], points: Any) -> Any:
    """(f, k, s) bool: points (f, k, 3) in fill sites."""
    pos, turn = sites
    away = points[:, :, None, :] - pos[:, None]
    half = xp.asarray(layout.fill_half, dtype=points.dtype)[None, None]
    inside = xp.ones(away.shape[:-1], bool)
    for k in range(3):
        inside = inside & (xp.abs((away * turn[:, None, :, :, k]).sum(-1)) <= half[..., k])
    return inside


def _owned(xp: Any, layout: Layout, inside: Any) -> Any:
    """(f, k, n): the same by things, from that by fill sites (f, k, s)."""
    of = np.asarray(layout.fill_thing)[:, None] == np.arange(layout.things)
    return (inside[..., None] & xp.asarray(of)[None, None]).any(2)


def _within(xp: Any, layout: Layout, sensed: Sensed, middle: Any) -> Any:
    """(f, n, n): the middle of the box around a is in a fill site of b."""
    return _owned(xp, layout, _in_sites(xp, layout, _sites(xp, layout, sensed), middle))


def _particles(xp: Any, layout: Layout, sensed: Sensed, pos: Any, turn: Any, limits: Thresholds) -> tuple[Any, Any]:
    """(f, n, y) twice: things contain, and are covered by, particles of systems."""
    frames = sensed.pos.shape[0]
    if layout.systems == 0:
        none = xp.zeros((frames, layout.things, 0), bool)
        return none, none
    alive = sensed.alive[..., None]
    within = _owned(xp, layout, _in_sites(xp, layout, _sites(xp, layout, sensed), sensed.particle)) & alive
    carried = sensed.carrier[..., None] == xp.arange(layout.things)[None, None]
    near = least(xp, layout, distances(xp, layout, sensed.particle, pos, turn), axis=2) <= limits.covered_dist
    # Water in a bottle is within a centimetre of the table below, and does not cover it.
    enclosed = (carried & within).any(-1)[..., None]
    on = (carried | near) & alive & ~within & ~enclosed
    of = np.asarray(layout.particle_system)[:, None] == np.arange(layout.systems)

    def counted(found: Any, at_least: int) -> Any:
        # (f, p, n) against (p, y).
        return (found[..., None] & xp.asarray(of)[None, :, None, :]).sum(1) >= at_least

    return counted(within, limits.contains_min), counted(on, limits.covered_min)


def distances(xp: Any, layout: Layout, points: Any, pos: Any, turn: Any) -> Any:
    """(f, p, g): how far points are from forms, 0 within (m)."""
    half = xp.asarray(layout.form_half, dtype=points.dtype)[None, None]
    kind = xp.asarray(layout.form_kind)[None, None]
    away = points[:, :, None, :] - pos[:, None]
    local = [(away * turn[:, None, :, :, k]).sum(-1) for k in range(3)]
    out = [xp.maximum(xp.abs(local[k]) - half[..., k], 0) for k in range(3)]
    boxed = xp.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2)
    radius = half[..., 0]
    rod = xp.where(kind == SPHERE, 0, half[..., 2] - radius)
    beyond = xp.maximum(xp.abs(local[2]) - rod, 0)
    rounded = xp.maximum(xp.sqrt(local[0] ** 2 + local[1] ** 2 + beyond**2) - radius, 0)
    return xp.where((kind == SPHERE) | (kind == CAPSULE), rounded, boxed)
