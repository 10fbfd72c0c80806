"""MuJoCo's one handler of warnings, where several blocks want it quiet."""

from collections.abc import Iterator

import pytest

from jaxphys._mujoco_quiet import silent

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is missing; run pip install '.[rigid]' in the checkout")


def own(_: str) -> None:
    """A handler of the user's."""


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(own)
    yield
    mujoco.set_mju_user_warning(before)


def test_blocks_may_end_in_any_order() -> None:
    first, second = silent(), silent()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert mujoco.get_mju_user_warning() is not own
    second.__exit__(None, None, None)
    assert mujoco.get_mju_user_warning() is own


def test_an_error_ends_a_block() -> None:
    with pytest.raises(KeyError), silent():
        raise KeyError
    assert mujoco.get_mju_user_warning() is own
