"""Contact laws: what happens to two bodies that meet. Impossible physics is data: a row of a table.

A law is a pure function `law(a, b, normal, params) -> After` of the two bodies as they meet, the unit normal from a to
b, and named parameters of the pair. `a` is the body with the smaller index. It says how both go on, and whether they
pass through each other from now on. Everything a law does not mention, it returns unchanged.

    after = TABLE["regular"].function(a, b, normal, {"restitution": 1.0})

All laws of a table run inside one program; each pair of a batch picks its own (InPhyRe specification, section 3.4).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
from flax import struct


class Body(struct.PyTreeNode):
    """One of two bodies that meet; the leaves of ONE body.

    Attributes:
        vel: (2,) m/s. spin: () rad/s about z.
        roll: (2,) m/s, of a sphere as in `State.roll`.
        look: () int32 whose appearance it has.
        mass: () kg. inertia: () kg m² about z.
        size: () m, radius or longer half extent.
        arm: (2,) from its centre to the place of contact (m).
        attrs: name -> () attributes.
    """

    vel: jax.Array
    spin: jax.Array
    roll: jax.Array
    look: jax.Array
    mass: jax.Array
    inertia: jax.Array
    size: jax.Array
    arm: jax.Array
    attrs: Mapping[str, jax.Array]


class After(struct.PyTreeNode):
    """How two bodies go on.

    Attributes:
        a, b: the bodies; only vel, spin, roll and look count.
        through: () bool: from now on the pair does not touch.
    """

    a: Body
    b: Body
    through: jax.Array | bool = False


Params = Mapping[str, jax.Array]
LawFunction = Callable[[Body, Body, jax.Array, Params], After]


@dataclass(frozen=True)
class Law:
    """A row of the table.

    Attributes:
        name: unique. function: the law.
        defaults: its parameters and their default values.
        reads: names of the attributes that it looks at.
    """

    name: str
    function: LawFunction
    defaults: Mapping[str, float] = field(default_factory=dict, hash=False)
    reads: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        """First line of its docstring."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]


def impulse(a: Body, b: Body, normal: jax.Array, restitution: jax.Array | float) -> jax.Array:
    """() N s along the normal that the bodies exchange, as points; none when only turning brings them together."""
    closing = jnp.maximum(jnp.sum((a.vel - b.vel) * normal), 0)
    return (1 + restitution) * closing / (1 / a.mass + 1 / b.mass)


def stilled(body: Body, vel: jax.Array) -> Body:
    """A body that goes on with `vel` and without spin, rolling spin included."""
    return body.replace(vel=vel, spin=jnp.zeros_like(body.spin), roll=jnp.zeros_like(body.roll))


def regular(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """Newton's law of impact along the normal, with restitution 0 to 1 and any masses; both lose their spin."""
    j = impulse(a, b, normal, params["restitution"])
    return After(stilled(a, a.vel - j / a.mass * normal), stilled(b, b.vel + j / b.mass * normal))


def eccentric(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """Newton's law of impact of smooth rigid bodies: what is hit off its centre begins to spin."""
    lever_a, lever_b = cross(a.arm, normal), cross(b.arm, normal)
    closing = jnp.sum((a.vel - b.vel) * normal) + a.spin * lever_a - b.spin * lever_b
    give = 1 / a.mass + 1 / b.mass + lever_a**2 / a.inertia + lever_b**2 / b.inertia
    j = (1 + params["restitution"]) * closing / give
    after_a = a.replace(vel=a.vel - j / a.mass * normal, spin=a.spin - j * lever_a / a.inertia)
    after_b = b.replace(vel=b.vel + j / b.mass * normal, spin=b.spin + j * lever_b / b.inertia)
    return After(after_a, after_b)


def keep_momentum(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """A goes on with `gain` times its velocity instead of giving it away; B leaves as if it had (LMC)."""
    given = params["gain"] * impulse(a, b, normal, 1.0) / b.mass * normal
    vel_b = b.vel + given
    # A sphere leaves rolling, or A, which does, would run into it.
    rolling = jnp.where(jnp.any(a.roll != 0), vel_b, 0)
    after_a = a.replace(vel=params["gain"] * a.vel, roll=params["gain"] * a.roll)
    return After(after_a, b.replace(vel=vel_b, roll=rolling), through=True)


def spin_up(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """The regular law, but both bodies begin to spin at `omega`, although nothing turned them (AMC)."""
    after = regular(a, b, normal, params)
    omega = jnp.asarray(params["omega"], a.spin.dtype)
    return After(after.a.replace(spin=omega), after.b.replace(spin=omega))


def spin_up_keeping(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """Both begin to spin at `omega` and keep their velocities, passing through each other (AMC, `keep`)."""
    omega = jnp.asarray(params["omega"], a.spin.dtype)
    return After(a.replace(spin=omega), b.replace(spin=omega), through=True)


def tangent_gain(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """The regular law, but the component of A's velocity along the surface is multiplied by `gain` (Wall)."""
    after = regular(a, b, normal, params)
    along = after.a.vel - jnp.sum(after.a.vel * normal) * normal
    return after.replace(a=after.a.replace(vel=after.a.vel + (params["gain"] - 1) * along))


def pass_through(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """Nothing happens, now or later: the bodies pass through each other (Red-Pass)."""
    return After(a, b, through=True)


def red_keeps_momentum(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """`keep_momentum` where A is red, else the regular law (Red-LMC)."""
    return choose(a.attrs["red"] > 0, keep_momentum, regular)(a, b, normal, params)


def red_passes(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """`pass_through` where either body is red, else the regular law (Red-Pass)."""
    red = (a.attrs["red"] > 0) | (b.attrs["red"] > 0)
    return choose(red, pass_through, regular)(a, b, normal, params)


def take_look(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """The regular law, but A takes the appearance of B (CC)."""
    after = regular(a, b, normal, params)
    return after.replace(a=after.a.replace(look=b.look))


def size_is_mass(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
    """The regular law with masses as if both were of one density: the larger body is the heavier one.

    The size of a wall says nothing about its mass: what nothing moves stays so.
    """
    fixed = jnp.isinf(a.mass) | jnp.isinf(b.mass)
    light = jnp.where(fixed, a.mass, jnp.where(fixed, 1, b.mass) * (a.size / b.size) ** 3)
    return regular(a.replace(mass=light), b, normal, params)


def choose(condition: jax.Array, law: LawFunction, other: LawFunction) -> LawFunction:
    """The law that is `law` where the condition holds and `other` elsewhere."""

    def chosen(a: Body, b: Body, normal: jax.Array, params: Params) -> After:
        yes, no = law(a, b, normal, params), other(a, b, normal, params)
        return jax.tree.map(lambda x, y: jnp.where(condition, x, y), yes, no)  # type: ignore[no-any-return]

    return chosen


def cross(a: jax.Array, b: jax.Array) -> jax.Array:
    """z component of the cross product of two plane vectors."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


ELASTIC = {"restitution": 1.0}

TABLE: dict[str, Law] = {
    law.name: law
    for law in (
        Law("regular", regular, ELASTIC),
        Law("eccentric", eccentric, ELASTIC),
        Law("keep_momentum", keep_momentum, {"gain": 1.0}),
        Law("spin_up", spin_up, {**ELASTIC, "omega": 4.0}),
        Law("spin_up_keeping", spin_up_keeping, {"omega": 4.0}),
        Law("tangent_gain", tangent_gain, {**ELASTIC, "gain": 2.0}),
        Law("pass_through", pass_through),
        Law("red_keeps_momentum", red_keeps_momentum, {**ELASTIC, "gain": 1.0}, ("red",)),
        Law("red_passes", red_passes, ELASTIC, ("red",)),
        Law("take_look", take_look, ELASTIC),
        Law("size_is_mass", size_is_mass, ELASTIC),
    )
}
"""Laws by name; a `World.law` is an index into the order in which they stand here."""
