"""Contact laws by name, and a way to add one: impossible physics is a row of a table.

    from jaxphys import laws

    @laws.register("boost", gain=1.5)
    def boost(a, b, normal, params):
        \"\"\"B leaves faster than it should.\"\"\"
        after = laws.regular(a, b, normal, params | {"restitution": 1.0})
        return after.replace(b=after.b.replace(vel=params["gain"] * after.b.vel))

From then on `planar.make_scene(..., law="boost", params={"gain": 2.0})` takes it, alone or mixed with others in one
batch. A law is a pure function of two bodies (`Body`, the one with the smaller index first), the unit normal from the
first to the second, and the named parameters of the pair; it returns `After` (see `jaxphys_kernels.planar.laws`).
"""

import dataclasses
from collections.abc import Callable, Mapping

import jax
import jax.numpy as jnp

from jaxphys.precision import x64
from jaxphys_kernels.planar.laws import (
    TABLE,
    After,
    Body,
    Law,
    LawFunction,
    choose,
    eccentric,
    impulse,
    regular,
    stilled,
)

__all__ = [
    "After",
    "Body",
    "Law",
    "choose",
    "eccentric",
    "get",
    "impulse",
    "names",
    "number",
    "register",
    "regular",
    "rows",
    "stilled",
    "unregister",
]

MOST_ATTRIBUTES = 16

_table: dict[str, Law] = dict(TABLE)


def names() -> tuple[str, ...]:
    """Names of all laws, in the order of their numbers."""
    return tuple(_table)


def rows() -> tuple[Law, ...]:
    """The table, in the order of `World.law`."""
    return tuple(_table.values())


def get(name: str) -> Law:
    """The law of that name; ValueError lists what there is."""
    if name not in _table:
        raise ValueError(f"law: {name!r} is not known; choose one of {', '.join(_table)}, or register it")
    return _table[name]


def number(name: str) -> int:
    """What stands for the law in `World.law`; ValueError lists what there is."""
    get(name)
    return list(_table).index(name)


def register(name: str, **defaults: float) -> Callable[[LawFunction], LawFunction]:
    """Add a law to the table, as a decorator.

    The table is compiled as a whole, so a law that is added after a rollout makes the next one compile anew.

    Args:
        name: not yet taken.
        **defaults: the parameters that it reads, with their default values.

    Raises:
        ValueError: no name, or one that is taken, or the function is no law: it fails on two bodies, or returns
            something else than an `After` with leaves of the bodies' shapes.
    """
    if not isinstance(name, str):
        raise ValueError('name: a law needs one; write @laws.register("my_law")')
    if name in _table:
        raise ValueError(f"name: {name!r} is taken; choose another, or call unregister({name!r}) first")

    def add(function: LawFunction) -> LawFunction:
        law = Law(name, function, {key: float(value) for key, value in defaults.items()})
        _table[name] = dataclasses.replace(law, reads=_attributes_read(law))
        return function

    return add


def unregister(name: str) -> None:
    """Take away a law that was added last, so that the numbers of the others stay.

    Its number goes to the law that is added next, so worlds made with it are of no use any more.

    Raises:
        ValueError: it is built in, or not the last one.
    """
    if name in TABLE or name != next(reversed(_table)):
        raise ValueError(f"name: {name!r} cannot be taken away; only {next(reversed(_table))!r}, added last, could be")
    del _table[name]


def _trial_body(attrs: Mapping[str, jax.Array]) -> Body:
    plane, number = jnp.ones(2, jnp.float64), jnp.ones((), jnp.float64)
    return Body(plane, number, plane, jnp.zeros((), jnp.int32), number, number, number, plane, dict(attrs))


def _attributes_read(law: Law) -> tuple[str, ...]:
    """Names of the attributes that a law looks at, after a trial on two bodies that computes nothing."""
    read: list[str] = []

    def trial() -> After:
        attrs = {name: jnp.zeros((), jnp.float64) for name in read}
        params = {name: jnp.asarray(value, jnp.float64) for name, value in law.defaults.items()}
        after = law.function(_trial_body(attrs), _trial_body(attrs), jnp.asarray([1.0, 0.0], jnp.float64), params)
        if not isinstance(after, After):
            raise TypeError(f"it returns {type(after).__name__}, not laws.After")
        return after

    while True:
        try:
            with x64():
                after = jax.eval_shape(trial)
        except KeyError as error:
            name = error.args[0]
            if not isinstance(name, str) or name in read or len(read) == MOST_ATTRIBUTES:
                raise ValueError(f"law {law.name!r}: it reads {name!r}, which no body and no parameter has") from error
            read.append(name)
        except jax.errors.ConcretizationTypeError as error:
            raise ValueError(
                f"law {law.name!r}: it asks for the value of something that differs from scene to scene, for example in"
                " an `if`; use laws.choose, or jax.numpy.where"
            ) from error
        except Exception as error:
            raise ValueError(f"law {law.name!r}: it fails on two bodies: {type(error).__name__}: {error}") from error
        else:
            _check_shapes(law.name, after)
            return tuple(read)


def _check_shapes(name: str, after: After) -> None:
    for side, body in (("a", after.a), ("b", after.b)):
        if not isinstance(body, Body):
            raise ValueError(f"law {name!r}: {side} is a {type(body).__name__}, not laws.Body")
        for leaf, shape in (("vel", (2,)), ("spin", ()), ("roll", (2,)), ("look", ())):
            found = jnp.shape(getattr(body, leaf))
            if found not in (shape, ()):
                raise ValueError(f"law {name!r}: {side}.{leaf} has shape {found}; it must be {shape}")
    if jnp.shape(after.through) != ():
        raise ValueError(f"law {name!r}: through has shape {jnp.shape(after.through)}; it must be one bool")
