"""A mark on values that have derivatives in forward mode only: reverse mode is refused in words that help.

JAX's own words speak of the `while_loop` somewhere inside.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

_mark = Primitive("forward_only")
_mark.def_impl(lambda value: value)
_mark.def_abstract_eval(lambda value: value)
mlir.register_lowering(_mark, mlir.lower_fun(lambda value: value, multiple_results=False))
batching.defvectorized(_mark)


def _refuse(*_: Any) -> NoReturn:
    raise ValueError(
        "MuJoCo's solver has no derivative in reverse mode (grad, vjp, jacrev); use forward mode: jax.jacfwd or jax.jvp"
    )


ad.deflinear2(_mark, _refuse)


def forward_only(leaves: Sequence[jax.Array]) -> list[jax.Array]:
    """The same values; a reverse-mode derivative through them is a ValueError."""
    return [_mark.bind(leaf) for leaf in leaves]
