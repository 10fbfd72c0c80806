"""The table in pymunk: fixed steps, discs without spin, friction as a velocity function.

Reference engines document, section 6. Used for convergence and as a peer in speed; not for tight tolerances.
"""

import numpy as np
import pymunk

from tests.oracle.scene import Floats, Scene

ITERATIONS = 10


def simulate(scene: Scene, horizon: float, dt: float) -> tuple[Floats, Floats]:
    """Positions and velocities (n, 2) after round(horizon / dt) steps."""
    space = pymunk.Space()
    space.iterations = ITERATIONS
    space.damping = 1.0
    width, height = scene.size
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        wall = pymunk.Segment(space.static_body, start, end, 0.0)
        wall.elasticity, wall.friction = 1.0, 0.0
        space.add(wall)
    bodies = []
    for pos, vel, radius, mass in zip(scene.pos, scene.vel, scene.radius, scene.mass, strict=True):
        body = pymunk.Body(float(mass), float("inf"))
        body.position, body.velocity = (float(pos[0]), float(pos[1])), (float(vel[0]), float(vel[1]))
        body.velocity_func = _friction(scene.a)
        disc = pymunk.Circle(body, float(radius))
        disc.elasticity, disc.friction = 1.0, 0.0
        space.add(body, disc)
        bodies.append(body)
    for _ in range(round(horizon / dt)):
        space.step(dt)
    return np.array([tuple(b.position) for b in bodies]), np.array([tuple(b.velocity) for b in bodies])


def _friction(a: float) -> pymunk.body._VelocityFunc:
    def slow(body: pymunk.Body, _gravity: pymunk.Vec2d, _damping: float, dt: float) -> None:
        speed = body.velocity.length
        body.velocity = body.velocity * (max(speed - a * dt, 0.0) / speed) if speed > 0 else body.velocity

    return slow
