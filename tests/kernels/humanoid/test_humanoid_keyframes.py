"""Key frames and plans: paths through the targets, padding, batches."""

import numpy as np
import pytest

from jaxphys_kernels.humanoid.keyframes import follow
from jaxphys_kernels.humanoid.plan import Plan, pad, stack, stand
from tests.humanoid_control_support import plans

EXACT = 1e-12
PALM0 = np.array([[0.15, 0.22, 0.68], [0.15, -0.22, 0.68]])


@pytest.fixture
def plan() -> Plan:
    """Three key frames, the first two of them 0.3 s apart."""
    rng = np.random.default_rng(0)
    hands = rng.normal(size=(2, 3, 3))
    return Plan(
        cmd=np.zeros(3),
        dur=np.zeros(()),
        kt=np.array([0.2, 0.5, 0.9]),
        kl=hands[0],
        kr=hands[1],
        kb=np.array([0.2, 0.8, 0.1]),
        use=np.ones(()),
    )


def at(plan: Plan, t: float, knee0: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    return follow(np, plan, np.asarray(t), PALM0, np.asarray(knee0))


def test_the_path_starts_at_the_palms_and_passes_every_target_at_its_time(plan: Plan) -> None:
    hands, knee = at(plan, 0.0, 0.3)
    np.testing.assert_allclose(hands, PALM0, rtol=0, atol=EXACT)
    assert knee == pytest.approx(0.3, abs=EXACT)
    for k, t in enumerate(plan.kt):
        hands, knee = at(plan, t, 0.3)
        np.testing.assert_allclose(hands, [plan.kl[k], plan.kr[k]], rtol=0, atol=EXACT)
        assert knee == pytest.approx(plan.kb[k], abs=EXACT)


def test_the_hands_rest_at_start_targets_and_end(plan: Plan) -> None:
    for t in (0.0, *plan.kt):
        for side in (-1, 1):
            moved = np.abs(at(plan, t + side * 1e-5)[0] - at(plan, t)[0]).max()
            assert moved < 1e-8, "minimum jerk: the way near a rest grows with the third power of time"


def test_the_last_target_is_held_and_nothing_moves_before_the_start(plan: Plan) -> None:
    np.testing.assert_allclose(at(plan, 7.0)[0], [plan.kl[2], plan.kr[2]], rtol=0, atol=EXACT)
    np.testing.assert_allclose(at(plan, -0.4)[0], PALM0, rtol=0, atol=EXACT)


def test_half_of_the_way_is_made_in_half_of_the_time(plan: Plan) -> None:
    hands, knee = at(plan, 0.35)
    np.testing.assert_allclose(hands, (np.array([plan.kl[:2], plan.kr[:2]]).mean(1)), rtol=0, atol=EXACT)
    assert knee == pytest.approx(0.5, abs=EXACT)


def test_a_key_frame_at_the_start_is_a_jump(plan: Plan) -> None:
    sudden = plan.replace(kt=np.array([0.0, 0.5, 0.9]))
    np.testing.assert_allclose(at(sudden, 0.002)[0], at(plan.replace(kt=plan.kt - [0.2, 0, 0]), 0.002)[0], atol=EXACT)
    assert np.abs(at(sudden, 0.002)[0] - [plan.kl[0], plan.kr[0]]).max() < 1e-5


def test_padding_changes_nothing(plan: Plan) -> None:
    longer = pad(plan, 6)
    assert longer.kt.shape == (6,)
    for t in np.linspace(-0.1, 1.2, 40):
        for ours, theirs in zip(at(longer, t), at(plan, t), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_plans_of_different_length_make_one_batch(plan: Plan) -> None:
    short = plans(1, k=1)
    short = Plan(**{name: getattr(short, name)[0] for name in ("cmd", "dur", "kt", "kl", "kr", "kb", "use")})
    both = stack([short, plan])
    assert (both.kl.shape, both.kt.shape, both.use.shape) == ((2, 3, 3), (2, 3), (2,))
    hands, _ = follow(np, both, np.asarray(0.4), np.stack([PALM0, PALM0]), np.zeros(2))
    np.testing.assert_allclose(hands[0], at(short, 0.4)[0], rtol=0, atol=EXACT)
    np.testing.assert_allclose(hands[1], at(plan, 0.4)[0], rtol=0, atol=EXACT)
    assert stack([short, plan], 4).kt.shape == (2, 4)


def test_plans_that_cannot_be_stacked_say_why(plan: Plan) -> None:
    with pytest.raises(ValueError, match="kt: 3 key frames cannot be padded to 2; give 1 to 2"):
        stack([plan], 2)
    with pytest.raises(ValueError, match="kt: 0 key frames cannot be padded to 2"):
        pad(plan.replace(kt=plan.kt[:0]), 2)
    with pytest.raises(ValueError, match="plans: none given"):
        stack([])


def test_standing_plans_have_the_shape_asked_for() -> None:
    still = stand(np, (3, 2), 4)
    assert (still.cmd.shape, still.kl.shape, still.use.shape) == ((3, 2, 3), (3, 2, 4, 3), (3, 2))
    assert still.kt.dtype == np.float32
    assert not still.use.any()
