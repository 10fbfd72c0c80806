"""`jaxphys enact render DATA --variant NAME`: the key frames of a data set in another light, lens or colour.

Questions and answers stay as they are: the folder that is written holds `{task}/{sensor}/%05d.png` like the replayed
activities, and is named in their place when a model is asked (`jaxphys eval enact DATA --frames FOLDER`). `--restyle
MODULE:FUNCTION` passes every picture through a function of one's own, for example an image model.
"""

import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from jaxphys_adapters import atomic
from jaxphys_adapters.enact.brought import brought
from jaxphys_adapters.enact.folder import VARIANTS, check
from jaxphys_adapters.enact.frames import Restyle, render_all
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.enact.activities import book
from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.pictures.looks import BASELINE, variant

RECIPE = "variant.json"


@dataclass(frozen=True)
class EnactRender:
    """Draw the key frames of a data set in a variant; questions and answers stay the same.

    Attributes:
        data: folder that `jaxphys generate enact` has made.
        variant: baseline, aperture30, aperture40, aperture60, aperture80, fisheye, high, low, white, random, skin,
            flat or rich.
        out: folder for the pictures; unset: DATA/variants/VARIANT.
        tasks: names of episodes, separated by commas; empty: all.
        restyle: MODULE:FUNCTION that takes a uint8 picture (h, w, 3), the name of the episode and the frame id, and
            gives a picture of the same size; needs `out`.
        workers: processes; most drivers draw on all cores already.
    """

    data: Annotated[Path, tyro.conf.Positional]
    variant: str = BASELINE
    out: Path | None = None
    tasks: str = ""
    restyle: str = ""
    workers: int = 1

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        if self.workers < 1:
            raise ValueError(f"workers: {self.workers}; give a whole number >= 1")
        if self.restyle and self.out is None:
            raise ValueError("out: restyled pictures need a folder of their own; give --out")


def run(command: EnactRender) -> int:
    """Carry out the command; returns the exit code.

    Raises:
        ValueError, OSError: no data set, an unknown variant or episode, or a picture that cannot be made or written.
    """
    manifest = check(command.data)
    config = EnactConfig.model_validate(manifest["config"])
    how = variant(command.variant, config)
    tasks = [str(row["task"]) for row in manifest["episodes"]]
    asked = [name.strip() for name in command.tasks.split(",") if name.strip()]
    if unknown := [name for name in asked if name not in tasks]:
        raise ValueError(f"tasks: {command.data} has no {unknown[0]}; it has {', '.join(tasks[:5])} ...")
    out = command.out or command.data / VARIANTS / how.name
    _claim(out, {"variant": how.name, "restyle": command.restyle, "config_hash": config.config_hash})
    with book.registered(*brought(command.data)):
        count = render_all(
            command.data,
            asked or tasks,
            config,
            out=out,
            how=how,
            restyle=hook(command.restyle) if command.restyle else None,
            workers=command.workers,
        )
    say(f"{count} pictures are in {out}")
    return 0


def _claim(out: Path, recipe: dict[str, str]) -> None:
    """Say in the folder what it holds; refuse one that holds other pictures."""
    atomic.make_folder(out)
    path, text = out / RECIPE, json.dumps(recipe, sort_keys=True)
    if path.is_file():
        if path.read_text("utf-8") != text:
            raise ValueError(f"{out}: holds other pictures; give another folder with --out")
        return
    if any(not one.name.startswith(atomic.PREFIX) for one in out.iterdir()):
        raise ValueError(f"{out}: holds other files; give a new or empty folder with --out")
    atomic.write(path, text.encode())


def hook(name: str) -> Restyle:
    """The function of a name, `package.module:function`.

    Raises:
        ValueError: there is no such function.
    """
    module, _, function = name.partition(":")
    try:
        found: Restyle = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"restyle: {name!r} is no MODULE:FUNCTION ({error})") from error
    if not callable(found):
        raise ValueError(f"restyle: {name!r} cannot be called")
    return found
