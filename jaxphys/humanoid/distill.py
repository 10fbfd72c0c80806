"""Train our walking policy from the teacher: `python -m jaxphys.humanoid.distill --teacher PATH --out DIR --seed N`.

Rounds of closed-loop imitation (`training`), then the choice among the last of them on validation plans, then the
comparison with the teacher (`acceptance`). The same command goes on where it was stopped (humanoid specification,
section 11.3). The checkpoint is DIR/student: weights, what they were made with, and the numbers measured.
"""

import importlib.metadata
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxphys import runtime
from jaxphys.humanoid.settings import Settings

if TYPE_CHECKING:
    from jaxphys.humanoid.training import Training

PACKAGES = ("jaxphys", "jax", "jaxlib", "flax", "optax", "orbax-checkpoint", "mujoco", "numpy")

MOST_BYTES = 1_000_000
"""Of a checkpoint (section 11.4)."""


@dataclass(frozen=True, kw_only=True)
class Distill(Settings):
    """Train our walking policy on what the teacher does."""

    teacher: Path
    """The teacher: wheel or ONNX file (humanoid specification, section 3.3)."""
    out: Path
    """Folder of the training; the checkpoint is written into its `student`."""
    threads: int | None = None
    """That simulate; all cores by default. They change the time, not the result."""
    accept: bool = True
    """Whether to measure the result beside the teacher at the end (minutes)."""


def main(command: Distill) -> int:
    """Train, choose, store, measure; 1 if a limit of acceptance is not met.

    Raises:
        FileNotFoundError: no teacher.
        ValueError: a setting makes no sense, or `out` holds a training with others.
    """
    # Only here, so that the process is set up before JAX is imported.
    from jaxphys.humanoid import acceptance, card, checkpoint
    from jaxphys.humanoid import teacher as teachers
    from jaxphys.humanoid.training import Training

    taught = teachers.load(command.teacher)
    training = Training(command, taught, command.out / "rounds", command.threads)
    size = size_of_checkpoint(training)
    if size > MOST_BYTES:
        raise ValueError(f"hidden: {command.hidden} make a checkpoint of {size} bytes; {MOST_BYTES} are allowed")
    origin = origin_of(command.out / "rounds" / "origin.json")
    begin, before = time.monotonic(), training.done
    for number, loss, run in training.rounds():
        left = (time.monotonic() - begin) / (number - before) * (command.rounds - number)
        _say(
            f"round {number} of {command.rounds}: loss {loss:.5f}, {int(run.fell.sum())} of {len(run.fell)} robots "
            f"fell, {training.samples.count} observations, {left / 60:.0f} min left"
        )
    chosen, scores = choose(training)
    folder = command.out / "student"
    weights = training.candidates()[chosen]
    metadata = {**made_of(command, taught.sha256), **origin, "round": chosen, "validation": scores}
    checkpoint.save(folder, weights, metadata)
    _say(f"round {chosen} is the best; {folder} has {size_of(folder)} bytes")
    if not command.accept:
        return 0
    numbers = {
        which: acceptance.measure(training.robot, policy)
        for which, policy in (("policy", weights), ("teacher", taught.weights))
    }
    (folder / acceptance.REPORT).write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8")
    card.write(folder, metadata, numbers)
    verdicts = acceptance.judge(numbers["policy"], numbers["teacher"])
    _say(acceptance.table(verdicts))
    return int(not all(each.met for each in verdicts))


def choose(training: "Training") -> tuple[int, dict[str, float]]:
    """The best of the last rounds on validation plans, and the scores of all by round."""
    from jaxphys.humanoid import acceptance

    scores = {}
    for number, weights in training.candidates().items():
        numbers = acceptance.validate(training.robot, weights)
        scores[str(number)] = acceptance.score(numbers)
        _say(f"round {number}: {', '.join(f'{name} {value:.4f}' for name, value in numbers.items())}")
    return int(min(scores, key=lambda number: scores[number])), scores


def made_of(settings: Settings, teacher_sha256: str) -> dict[str, Any]:
    """What a checkpoint says about itself."""
    from jaxphys.humanoid import teacher as teachers

    return {
        "name": "walking policy of the Unitree G1",
        "licence": "Apache-2.0",
        "network": {"observations": 100, "hidden": list(settings.hidden), "actions": 29, "head": "linear"},
        "imitates": {
            "policy": "fastsac_g1_29dof",
            "package": teachers.WHEEL,
            "source": teachers.SOURCE,
            "licence": teachers.LICENCE,
            "sha256": teacher_sha256,
        },
        "settings": settings.told(),
    }


def origin_of(path: Path) -> dict[str, Any]:
    """Revision and versions with which a training began, kept in a file; of one that goes on with others, both."""
    from jaxphys.humanoid.training import write

    now = {
        "revision": revision(),
        "versions": {name: importlib.metadata.version(name) for name in PACKAGES},
    }
    parts = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    if not parts or parts[-1] != now:
        parts.append(now)
        write(path, (json.dumps(parts, indent=2) + "\n").encode())
    joined = {name: list(dict.fromkeys(part["versions"][name] for part in parts)) for name in PACKAGES}
    return {
        "revision": ", then ".join(dict.fromkeys(part["revision"] for part in parts)),
        "versions": {name: ", then ".join(versions) for name, versions in joined.items()},
    }


def revision() -> str:
    """The git revision of the checkout, ending in `-dirty` where it is changed, or `unknown` outside one."""
    words = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def size_of_checkpoint(training: "Training") -> int:
    """Bytes that a checkpoint will have: trained numbers are as hard to compress as those a training begins with."""
    from jaxphys.humanoid import checkpoint

    with tempfile.TemporaryDirectory() as draft:
        checkpoint.save(Path(draft) / "student", training.policy(), {})
        return size_of(Path(draft))


def size_of(folder: Path) -> int:
    """Bytes of all files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    import tyro

    runtime.prepare_process()
    try:
        sys.exit(main(tyro.cli(Distill)))
    except (ValueError, OSError, ImportError) as error:
        sys.exit(str(error))
