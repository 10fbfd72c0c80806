"""Measure a walking policy: `python -m jaxphys.humanoid.accept --policy student --teacher PATH`.

Prints the table of `acceptance`; the exit code is 1 if a limit is missed.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from jaxphys import runtime


@dataclass(frozen=True)
class Accept:
    """Measure a walking policy, and say whether it is good enough."""

    policy: str = "student"
    """student, teacher, or the folder of a checkpoint."""
    teacher: Path | None = None
    """The teacher to compare with, wheel or ONNX file; without it, its stored numbers are taken."""
    threads: int | None = None
    """That simulate; all cores by default."""


def main(command: Accept) -> int:
    """Print the table; 1 if a limit is not met.

    Raises:
        FileNotFoundError: no such policy or teacher.
    """
    # Only here, so that the process is set up before JAX is imported.
    from jaxphys.humanoid import acceptance, checkpoint, teacher
    from jaxphys.humanoid.config import HumanoidConfig
    from jaxphys.humanoid.robot import build

    policy = checkpoint.policy(command.policy)
    of_teacher = None if command.teacher is None else teacher.load(command.teacher).weights
    robot = build(HumanoidConfig(threads=command.threads))
    numbers = acceptance.measure(robot, policy)
    others = acceptance.stored()["teacher"] if of_teacher is None else acceptance.measure(robot, of_teacher)
    verdicts = acceptance.judge(numbers, others)
    print(acceptance.table(verdicts), end="")
    return int(not all(each.met for each in verdicts))


if __name__ == "__main__":
    import tyro

    runtime.prepare_process()
    try:
        sys.exit(main(tyro.cli(Accept)))
    except (ValueError, OSError, ImportError) as error:
        sys.exit(str(error))
