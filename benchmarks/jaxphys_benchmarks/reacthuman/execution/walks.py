"""How far the robot gets when it is told to walk, measured: what the table of `walking` is made from.

`python -m jaxphys_benchmarks.reacthuman.execution.walks` measures the shipped walking policy on the robot as plans are
carried out with it, and prints the table as source; another policy wants another table. Public: `walked`, `source`.
"""

import sys
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.reacthuman.execution.brain import policy
from jaxphys_benchmarks.reacthuman.execution.config import ExecutionConfig
from jaxphys_benchmarks.reacthuman.execution.mapping import to_heading
from jaxphys_benchmarks.reacthuman.execution.model import robot_config
from jaxphys_benchmarks.reacthuman.plan import REST
from jaxphys_benchmarks.reacthuman.walking import TIMES, WALKED, Command, Rows
from jaxphys_kernels.humanoid.plan import Plan, stack

Floats = NDArray[np.float64]


def walked(commands: Sequence[Command], config: ExecutionConfig | None = None) -> dict[Command, Rows]:
    """Where the root is at `TIMES` after each command, from a robot that has stood, its hands at rest.

    Args:
        commands: (forward, left) m/s, each held throughout. config: its policy and how long it has stood.

    Returns:
        By command, how far forward and how far to the left (m), to 1 cm.

    Raises:
        ImportError: the extra `humanoid` is not installed. ValueError: a robot fell.
    """
    from jaxphys.humanoid.measures import heading
    from jaxphys.humanoid.robot import build
    from jaxphys.humanoid.rollouts import rollout

    config = config or ExecutionConfig()
    plans = stack([_held(command) for command in commands])
    run = rollout(
        build(robot_config(config)), policy(config.policy), plans, seconds=TIMES[-1] + 0.05, settle=config.settle
    )
    if run.fell.any():
        raise ValueError(f"policy: the robot fell at {commands[int(run.fell.argmax())]} m/s; give another walker")
    times = np.asarray(run.times)
    start = int(np.argmax(times > -1e-6))
    found: dict[Command, Rows] = {}
    for k, command in enumerate(commands):
        yaw, gone = heading(run.qpos[k, start]), run.qpos[k, :, :2] - run.qpos[k, start, :2]
        ahead = np.cos(yaw) * gone[:, 0] + np.sin(yaw) * gone[:, 1]
        aside = np.cos(yaw) * gone[:, 1] - np.sin(yaw) * gone[:, 0]
        found[command] = (_row(times, ahead), _row(times, aside))
    return found


def _held(command: Command) -> Plan:
    """A walk of 3 s with the hands at rest."""
    left, right = to_heading(np.array(REST))
    return Plan(
        cmd=np.array([*command, 0.0]),
        dur=np.float64(TIMES[-1]),
        kt=np.zeros(1),
        kl=left[None],
        kr=right[None],
        kb=np.zeros(1),
        use=np.float64(1.0),
    )


def _row(times: Floats, way: Floats) -> tuple[float, ...]:
    return tuple(round(float(place), 2) + 0.0 for place in np.interp(TIMES, times, way))


def source(table: Mapping[Command, Rows]) -> str:
    """A table as it is written in `walking`."""
    lines = []
    for command, rows in table.items():
        lines.append(f"    {command}: (")
        lines += [f"        ({', '.join(f'{place:.2f}' for place in row)})," for row in rows]
        lines.append("    ),")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(source(walked(list(WALKED))) + "\n")
