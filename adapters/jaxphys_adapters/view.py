"""`jaxphys view SCENE`: one self-contained HTML page that replays a scene in the browser, offline.

The page plays the whole simulated motion, can be looked at from all sides, and offers the cameras of the benchmark and
the counterfactual group of the scene.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from jaxphys_adapters import atomic
from jaxphys_adapters.options import parse_options
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.replay import FPS


@dataclass(frozen=True)
class ViewScene:
    """Make a page that replays a scene in the browser."""

    scene: Annotated[str, tyro.conf.Positional]
    """A scene file of `jaxphys simulate`, a scene of a data set (its folder or file), or the name of a benchmark."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """The page; named after the scene if not given."""
    id: str = ""
    """With the name of a benchmark: id of the drawn scene, for example t3s/scene_00007; the first one if not given."""
    seed: int = 0
    """With the name of a benchmark: seed of the drawn scene."""
    option: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    """Option of the benchmark, as NAME=VALUE; may be repeated."""
    variants: bool = True
    """Offer the counterfactual group of the scene, for example its speed bands."""
    executed: Annotated[Path | None, tyro.conf.DisallowNone] = None
    """Folder of `jaxphys execute` that holds the scene: what the robot did in it is shown first."""
    fps: float = FPS
    """Frames per second, at about which the motion is shown; films keep their own."""


def run(command: ViewScene) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError: no such scene, or one that cannot be replayed. StorageError: the page cannot be written.
    """
    # The extra is looked for before any work is done.
    from jaxphys_adapters.view_page import view_page
    from jaxphys_adapters.view_scene import watched

    found = watched(
        command.scene,
        id=command.id,
        seed=command.seed,
        options=parse_options(command.option),
        variants=command.variants,
        fps=command.fps,
        executed=command.executed,
    )
    stage = next(iter(found.replays.values())).stage
    lead = f"{len(stage) / stage.fps:.1f} s of simulated motion"
    out = command.out or Path(f"{found.name.replace('/', '_')}.html")
    if out.parent != Path():
        atomic.make_folder(out.parent)
    data = view_page(found.title, lead, found.replays).encode()
    atomic.write(out, data)
    say(f"wrote {out} ({len(data) / 1e6:.1f} MB); open it in a browser")
    return 0
