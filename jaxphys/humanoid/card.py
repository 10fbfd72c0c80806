"""The model card of a walking policy: what it is, what it was made from, how good it is, what it is not for.

Written beside the weights by the training, from the same metadata and numbers, so that it cannot grow stale.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jaxphys.humanoid.acceptance import Numbers, judge, table

CARD = "README.md"

TEXT = """# Walking policy of the Unitree G1

A neural network that walks and balances a simulated Unitree G1 (29 joints, 48 decisions per second) while its arms are
driven by something else. It takes 100 numbers (what it did last, turning rates, the command, the phase of the gait,
joints, gravity) and gives 29 joint targets. `jaxphys.humanoid.policy("student")` loads it.

| | |
|---|---|
| network | {observations} → {hidden} → {actions}, layer normalisation, SiLU, {head} head, float32 |
| made by | `python -m jaxphys.humanoid.distill --seed {seed}`, round {round} of {rounds}, revision `{revision}` |
| with | {versions} |
| licence | {licence} |

## Where it comes from

It imitates `{policy}` of {package} ({source}; {imitated_licence}; sha256 `{sha256}`) in closed loop: simulated robots
were driven by the growing student or by the teacher, and every observation was labelled with the teacher's action. No
weight of the teacher is in it. Training covers walking commands in all directions, turning, hands at many targets in
and out of reach, bent knees, kicks, starts in the middle of a motion, and plans replaced on the way. Settings:
{settings}.

## How good it is

Measured by `python -m jaxphys.humanoid.accept`, in C MuJoCo; a limit is the strictest of those that apply.

{table}
## What it is not for

- A real robot: it has seen neither sensor noise nor delays, and reads exact states of the simulation.
- Other arm gains, other ground than a flat floor with friction 1, robots that lie down or carry loads.
- Walking or turning with both hands near 1.45 m: robots stumble when the arms go up, the teacher's too, and may lose
  their heading by a few tenths of a rad; how much differs twofold between starts that differ by a hair.
- Speeds beyond about 0.7 m/s forward, 0.3 m/s sideways and 0.8 rad/s: it is asked for at most 1, and undershoots.
"""


def card(metadata: Mapping[str, Any], numbers: Mapping[str, Numbers]) -> str:
    """Markdown.

    Args:
        metadata: as stored with the weights.
        numbers: of `policy` and `teacher`, from `acceptance.measure`.
    """
    network, imitates = metadata["network"], metadata["imitates"]
    return TEXT.format(
        observations=network["observations"],
        hidden=" → ".join(map(str, network["hidden"])),
        actions=network["actions"],
        head=network["head"],
        seed=metadata["settings"]["seed"],
        round=metadata["round"],
        rounds=metadata["settings"]["rounds"],
        revision=metadata["revision"],
        versions=", ".join(f"{name} {version}" for name, version in metadata["versions"].items()),
        licence=metadata["licence"],
        policy=imitates["policy"],
        package=imitates["package"],
        source=imitates["source"],
        imitated_licence=imitates["licence"],
        sha256=imitates["sha256"],
        settings=", ".join(f"{name} {_plain(value)}" for name, value in metadata["settings"].items()),
        table=table(judge(numbers["policy"], numbers["teacher"])),
    )


def write(folder: Path, metadata: Mapping[str, Any], numbers: Mapping[str, Numbers]) -> None:
    """Put the card beside the weights."""
    (folder / CARD).write_text(card(metadata, numbers), encoding="utf-8")


def _plain(value: Any) -> str:
    return "/".join(map(str, value)) if isinstance(value, list) else str(value)
