"""Specs to arrays: padding changes nothing, laws and parameters reach their pair, and bad ones are named."""

import jax
import numpy as np
import pytest

from jaxphys import laws
from jaxphys_benchmarks.inphyre.lower import lower, moments, simulate
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from tests.benchmarks.inphyre.measured_samples import cubes, drawn


def test_padding_changes_nothing() -> None:
    """Scenes of two bodies, alone and beside scenes of five: another program, so the last bits may differ."""
    small, large = drawn("LMC", 8) + drawn("Wall", 8), drawn("CC", 8, n_distractors=3)
    _, alone = simulate(small)
    _, mixed = simulate(small + large)
    assert mixed.path.pos.shape == (24, 16, 5, 2)
    np.testing.assert_allclose(mixed.path.pos[:16, :, :2], alone.path.pos, rtol=0, atol=1e-13)
    for name in ("time", "vel_after", "normal", "count"):
        ours, theirs = (np.asarray(getattr(run.events, name)) for run in (alone, mixed))
        np.testing.assert_allclose(theirs[:16], ours, rtol=0, atol=1e-13)
    assert not np.asarray(mixed.status).any()


def test_a_batch_may_mix_all_scenarios() -> None:
    """Each scene has the bits that it has alone."""
    specs = [drawn(name, 3)[2] for name in SCENARIOS]
    _, together = simulate(specs)
    for k, spec in enumerate(specs):
        _, alone = simulate([spec])
        jax.tree.map(np.testing.assert_array_equal, alone, jax.tree.map(lambda leaf, k=k: leaf[k : k + 1], together))


def test_laws_and_parameters() -> None:
    specs = [
        drawn("Wall", 1, n_distractors=2)[0],
        drawn("AMC", 1, n_distractors=2, restitution=0.5, scenarios="AMC")[0],
    ]
    world, state = lower(specs)
    names = np.array(laws.names())[np.asarray(world.law)]
    assert names.tolist() == [["regular", "regular", "tangent_gain", *["regular"] * 3], ["spin_up", *["regular"] * 5]]
    assert world.params["gain"][0].tolist() == [0, 0, specs[0].params["gain"], 0, 0, 0]
    assert world.params["omega"][1].tolist() == [specs[1].params["omega"], 0, 0, 0, 0, 0]
    assert world.params["restitution"].tolist() == [[1.0] * 6, [0.5] * 6]
    assert np.isinf(world.mass).tolist() == [[False, False, False, True], [False] * 4]
    assert world.half[0, 3].tolist() == list(specs[0].walls[0].half)
    for k, spec in enumerate(specs):
        colours = [thing.colour == "red" for thing in spec.things] + [False] * len(spec.walls)
        assert world.attrs["red"][k].tolist() == colours
        assert state.vel[k, 0].tolist() == list(spec.things[0].vel)


def test_a_parameter_that_is_not_given_takes_the_default() -> None:
    world, _ = lower([cubes(1.0, 1.0, law="keep_momentum"), cubes(1.0, 1.0, law="keep_momentum", params={"gain": 2.0})])
    assert np.asarray(world.params["gain"]).ravel().tolist() == [1.0, 2.0]


def test_moments_end_with_the_film() -> None:
    times = moments([cubes(1.0, 1.0)])
    assert times.shape == (1, 16)
    assert times[0, -1] == 5.0


def test_bad_specs_are_named() -> None:
    with pytest.raises(ValueError, match="specs: empty"):
        lower([])
    with pytest.raises(ValueError, match="law: 'magic' is not known"):
        lower([cubes(1.0, 1.0, law="magic")])
    with pytest.raises(ValueError, match=r"params: law 'regular' of LMC/scene_00000 has no 'gain'"):
        lower([cubes(1.0, 1.0, params={"gain": 2.0})])
    with pytest.raises(ValueError, match="max_events: scene LMC/scene_00000 differs"):
        simulate([cubes(1.0, 1.0), cubes(1.0, 1.0, max_events=3)])
