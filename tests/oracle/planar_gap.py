"""How far two bodies are apart, and where they touch: polygons with a rim, by brute force over vertices and edges.

A round body is a point with a rim of its radius, a cube a rectangle without one.
"""

import math

import numpy as np

from tests.oracle.planar_scene import Body, Floats

NEAR = 1e-7
"""Vertices this close to the other body count as touching (m)."""


def gap(a: Body, b: Body) -> float:
    """Distance of the two bodies (m); negative when they overlap, then the least push that parts them."""
    p, q = vertices(a), vertices(b)
    apart = max((s for s, _ in _separations(p, q)), default=math.inf)
    # Along the axis that parts them the separation is only a lower bound of the distance.
    distance = apart if apart < 0 else min(_distances(p, q) + _distances(q, p))
    return distance - rim(a) - rim(b)


def normal(a: Body, b: Body) -> Floats:
    """(2,) unit vector from a to b along which they touch."""
    p, q = vertices(a), vertices(b)
    if len(p) == len(q) == 4:
        _, axis = max(_separations(p, q), key=lambda s: s[0])
        return axis
    if len(p) == len(q) == 1:
        away = q[0] - p[0]
    elif len(q) == 1:
        away = q[0] - _closest(q[0], p)
    else:
        away = _closest(p[0], q) - p[0]
    return np.asarray(away / math.hypot(*away))


def touching(a: Body, b: Body, along: Floats) -> list[Floats]:
    """The ends of the stretch on which two bodies touch, or the one point where they do."""
    if rim(a) > 0:
        return [a.pos + rim(a) * along]
    if rim(b) > 0:
        return [b.pos - rim(b) * along]
    p, q = vertices(a), vertices(b)
    found = [v for v, d in zip(p, _distances(p, q), strict=True) if d < NEAR]
    found += [v for v, d in zip(q, _distances(q, p), strict=True) if d < NEAR]
    if not found:
        return []
    side = np.array([-along[1], along[0]])
    found.sort(key=lambda v: float(v @ side))
    return [found[0], found[-1]]


def closing(a: Body, b: Body) -> float:
    """Speed at which two touching bodies approach where they touch (m/s); negative when they part everywhere."""
    along = normal(a, b)
    return max((_approach(a, b, along, x) for x in touching(a, b, along)), default=-math.inf)


def meeting_place(a: Body, b: Body, along: Floats) -> Floats:
    """Middle of where two bodies touch, or the end of it at which they meet where the middle parts."""
    ends = touching(a, b, along)
    middle = 0.5 * (ends[0] + ends[-1])
    first = max(ends, key=lambda x: _approach(a, b, along, x))
    turning_only = _approach(a, b, along, middle) <= 0 < _approach(a, b, along, first)
    return first if turning_only else middle


def _approach(a: Body, b: Body, along: Floats, place: Floats) -> float:
    return float((_velocity(a, place) - _velocity(b, place)) @ along)


def rim(body: Body) -> float:
    """Radius of a round body, zero of a cube (m)."""
    return 0.0 if body.shape == "cube" else body.half[0]


def vertices(body: Body) -> Floats:
    """(4, 2) corners of a cube in order, or the (1, 2) centre of a round body."""
    if body.shape != "cube":
        return body.pos[None]
    c, s = math.cos(body.yaw), math.sin(body.yaw)
    x, y = body.half
    local = np.array([(x, y), (-x, y), (-x, -y), (x, -y)])
    return np.asarray(body.pos + local @ np.array([(c, s), (-s, c)]))


def _velocity(body: Body, place: Floats) -> Floats:
    x, y = place - body.pos
    return np.asarray(body.vel + body.spin * np.array([-y, x]))


def _separations(p: Floats, q: Floats) -> list[tuple[float, Floats]]:
    """Separation along the outward normal of every edge, and that normal turned to point from p to q."""
    found = []
    for own, other, sign in ((p, q, 1.0), (q, p, -1.0)):
        if len(own) == 1:
            continue
        edges = np.roll(own, -1, axis=0) - own
        outward = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
        outward /= np.linalg.norm(outward, axis=1, keepdims=True)
        found += [
            (float(((other - start) @ axis).min()), sign * axis) for start, axis in zip(own, outward, strict=True)
        ]
    return found


def _distances(p: Floats, q: Floats) -> list[float]:
    """Distance of every vertex of p from the outline of q."""
    return [float(math.hypot(*(_closest(v, q) - v))) for v in p]


def _closest(place: Floats, q: Floats) -> Floats:
    """The point of the outline of q that is nearest."""
    if len(q) == 1:
        return np.asarray(q[0])
    best, least = q[0], math.inf
    for start, end in zip(q, np.roll(q, -1, axis=0), strict=True):
        edge = end - start
        share = min(max(float((place - start) @ edge) / float(edge @ edge), 0.0), 1.0)
        point = start + share * edge
        if (d := math.hypot(*(point - place))) < least:
            best, least = point, d
    return np.asarray(best)
