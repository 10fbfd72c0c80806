"""World to MuJoCo: the fields of a compiled model that differ between scenes of one signature.

A model is compiled once per signature; a scene is that model with these fields replaced, on both back ends. Whatever
MuJoCo's compiler derives from masses and sizes is derived here, so that a scene equals a freshly compiled model.
"""

import jax
import jax.numpy as jnp

from jaxphys_kernels.rigid import prism
from jaxphys_kernels.rigid.model import Joint, Shape, Signature, World

SPIN = (0.005, 0.0001, 0.0001)
"""MuJoCo's defaults of torsional and rolling friction; contacts with three dimensions do not use them."""

FLOOR_SIZE = (20.0, 20.0, 0.1)
"""Of the floor as it is drawn; it has no end."""


def leaves(world: World, signature: Signature) -> dict[str, jax.Array]:
    """Fields of MuJoCo's model by name, of one scene whose bodies and boxes are exactly those of the signature.

    The order of bodies is world, then the bodies; of geoms: floor, static boxes, then the bodies. `opt.gravity` and
    `stat.meaninertia` are fields of parts of the model. The corners of prisms are `prism.vertices`.
    """
    dtype = world.mass.dtype
    n = len(signature.shapes)
    nothing = jnp.zeros((1, 3), dtype)
    upright = jnp.array([[1, 0, 0, 0]], dtype)
    held = _held(signature)[:, None]
    sizes, boxes, bounds = _geometry(world, signature)
    floor_box = jnp.array([[0, 0, -5e9, 1e10, 1e10, 5e9]], dtype)
    half = world.static_half
    inverse, diagonal = _weights(world, signature)
    friction = world.pair_friction
    spin = [jnp.full_like(friction, x) for x in SPIN]
    none = jnp.zeros_like(world.mass)
    return {
        "geom_size": jnp.concatenate([jnp.array([FLOOR_SIZE], dtype), half, sizes]),
        "geom_pos": jnp.concatenate([nothing, world.static_pos, world.com]),
        "geom_quat": jnp.concatenate([upright, world.static_quat, jnp.tile(upright, (n, 1))]),
        "geom_rbound": jnp.concatenate([jnp.zeros(1, dtype), _length(half), bounds]),
        "geom_aabb": jnp.concatenate([floor_box, _centred(half), _centred(boxes)]),
        "body_pos": jnp.concatenate([nothing, jnp.where(held, world.anchor, 0)]),
        "body_ipos": jnp.concatenate([nothing, world.com]),
        "body_mass": jnp.concatenate([jnp.zeros(1, dtype), world.mass]),
        "body_subtreemass": jnp.concatenate([jnp.sum(world.mass)[None], world.mass]),
        "body_inertia": jnp.concatenate([nothing, world.inertia]),
        "body_invweight0": jnp.concatenate([jnp.zeros((1, 2), dtype), inverse]),
        "jnt_axis": jnp.where(held, world.axis, jnp.array([0, 0, 1], dtype)),
        "dof_invweight0": _per_dof(signature, inverse[:, 0], inverse[:, 1], 1 / diagonal[:, 0]),
        "dof_M0": _diagonal(signature, diagonal),
        "dof_damping": _per_dof(signature, none, none, world.damping),
        "dof_frictionloss": _per_dof(signature, none, none, world.frictionloss),
        "pair_friction": jnp.stack([friction, friction, *spin], axis=-1),
        "opt.gravity": jnp.zeros(3, dtype).at[2].set(-world.gravity),
        "stat.meaninertia": jnp.mean(_diagonal(signature, diagonal)),
    }


def _held(signature: Signature) -> jax.Array:
    return jnp.array([joint is Joint.HINGE for joint in signature.joints])


def _length(vectors: jax.Array) -> jax.Array:
    """Length of each vector (..., 3), without a derivative where it is zero."""
    square = jnp.sum(vectors**2, axis=-1)
    return jnp.where(square > 0, jnp.sqrt(jnp.where(square > 0, square, 1)), 0)


def _geometry(world: World, signature: Signature) -> tuple[jax.Array, jax.Array, jax.Array]:
    """MuJoCo's sizes (n, 3), half extents (n, 3) of the boxes around, and radii (n,) of the balls around the bodies."""
    rows = [_forms(world.size[i])[shape] for i, shape in enumerate(signature.shapes)]
    sizes, boxes, bounds = (jnp.stack(column) for column in zip(*rows, strict=True))
    return sizes, boxes, bounds


def _forms(size: jax.Array) -> dict[Shape, tuple[jax.Array, jax.Array, jax.Array]]:
    """MuJoCo's size, the box and the ball around each shape of this size (3,)."""
    r, length = size[0], size[2]
    nothing = jnp.zeros_like(r)
    box = prism.half_extents(size)
    return {
        Shape.SPHERE: (jnp.stack([r, nothing, nothing]), jnp.stack([r, r, r]), r),
        Shape.BOX: (size, size, _length(size)),
        Shape.PRISM: (box, box, _length(box)),
        Shape.CAPSULE: (jnp.stack([r, length, nothing]), jnp.stack([r, r, r + length]), r + length),
    }


def _weights(world: World, signature: Signature) -> tuple[jax.Array, jax.Array]:
    """Inverse weights (n, 2) of the bodies, of motion and of turning, and the diagonal (n, 6) of the mass matrix.

    A hinged body has one degree of freedom, whose inertia stands in the first column.
    """
    mass, inertia = world.mass[:, None], world.inertia
    free = jnp.concatenate([1 / mass, jnp.mean(1 / inertia, axis=-1, keepdims=True)], axis=-1)
    # About a hinge: the own inertia, and the mass on its arm.
    arm = jnp.cross(world.axis, world.com)
    swing = jnp.sum(world.axis**2 * inertia, axis=-1) + world.mass * jnp.sum(arm**2, axis=-1)
    hinged = jnp.stack([jnp.sum(arm**2, axis=-1) / swing / 3, 1 / swing / 3], axis=-1)
    held = _held(signature)[:, None]
    return jnp.where(held, hinged, free), jnp.where(
        held, swing[:, None], jnp.concatenate([jnp.tile(mass, (1, 3)), inertia], axis=-1)
    )


def _per_dof(signature: Signature, move: jax.Array, turn: jax.Array, swing: jax.Array) -> jax.Array:
    """(nv,) values of the degrees of freedom, from those of n bodies: moving, turning, swinging on a hinge."""
    columns = []
    for i, joint in enumerate(signature.joints):
        columns += [swing[i]] if joint is Joint.HINGE else [move[i]] * 3 + [turn[i]] * 3
    return jnp.stack(columns)


def _diagonal(signature: Signature, diagonal: jax.Array) -> jax.Array:
    """(nv,) diagonal of the mass matrix, from that of the bodies (n, 6)."""
    rows = [diagonal[i, :1] if joint is Joint.HINGE else diagonal[i] for i, joint in enumerate(signature.joints)]
    return jnp.concatenate(rows)


def _centred(half: jax.Array) -> jax.Array:
    """Centres and half extents (..., 6) of boxes around the origin."""
    return jnp.concatenate([jnp.zeros_like(half), half], axis=-1)
