"""What the rigid questions compare: the bare engines step the scenes that we simulate, and the ratios have targets."""

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="MuJoCo is missing; install jaxphys[rigid]")

from bench import rigid as question
from bench.harness import Contender, Pairing, pair
from bench.targets import target_of
from jaxphys import rigid
from tests.rigid_support import drop


@pytest.mark.parametrize("sensors", [True, False])
def test_the_bare_rollout_gets_our_scenes(sensors: bool) -> None:
    world, state = drop(3)
    states, _ = question._bare_rollout(world, state, 4 * 60, sensors)()
    ours = rigid.rollout(world, state, [0.25], rules=rigid.PARITY, backend="c")
    np.testing.assert_allclose(states[:, -1, 1:43].reshape(3, 6, 7), ours.qpos[:, 0], rtol=0, atol=1e-6)


@pytest.mark.slow
def test_the_bare_scan_gets_our_scenes() -> None:
    world, state = question._boxes(2)
    world, state = (type(part)(**{k: question.single(v) for k, v in vars(part).items()}) for part in (world, state))
    qpos, _ = question._bare_scan(world, state)()
    ours = rigid.rollout(world, state, [0.25], backend="mjx", lanes=2)
    assert qpos.shape == (2, question.BLOCK, 7)
    np.testing.assert_allclose(qpos[:, 59], ours.qpos[:, 0, 0], rtol=0, atol=1e-5)


def test_ratios_are_medians_of_pairs_and_have_targets() -> None:
    spans = {"ours": iter([9.0, 2.0, 2.0, 8.0, 2.0]), "bare": iter([9.0, 1.0, 1.8, 2.0, 2.2])}

    def contender(name: str) -> Contender:
        return Contender(name, 4, lambda: next(spans[name]), seconds=float)

    found = pair(contender("ours"), contender("bare"), rounds=3, shortest=0.1)
    # Pairs of 2 and 1.8, 8 and 2, 2 and 2.2 s; neither compiling nor one disturbed round counts.
    assert found.ratio == pytest.approx(0.9)
    assert (found.rate, found.peer_rate) == (pytest.approx(4 / 2.0), pytest.approx(4 / 1.8))
    good, bare = question._rows("c parity drop 4", "mujoco.rollout", found)
    target = target_of(good)
    assert target is not None
    assert target.met_by(good)
    assert target_of(bare) is None
    slow, _ = question._rows("mjx box 16", "vmap(mjx.step)", Pairing(1.0, 2.0, 0.5))
    target = target_of(slow)
    assert target is not None
    assert not target.met_by(slow)
