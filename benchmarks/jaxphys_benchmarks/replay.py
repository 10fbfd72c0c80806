"""Replays: the whole simulated motion of a scene, for people to watch from all sides.

A picture or a film shows what a model is shown; a replay shows everything, how it ends included. A benchmark that is
`Replayed` describes it as a `Replay`, and `jaxphys view` makes a page of it. Replays need no labels; what is known of
the truth is told in the facts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from jaxphys_benchmarks.protocol import Spec
from jaxphys_benchmarks.stage import Camera, Stage

FPS = 60.0
"""Frames per second of a replay unless told otherwise; that many are shown by most screens."""
MOST_FRAMES = 20_000
"""Frames of the longest replay, to bound memory and the size of its page."""


@dataclass(frozen=True, eq=False)
class Replay:
    """A scene from its start to its end.

    Attributes:
        stage: frames that are `1 / stage.fps` apart; its own camera is not looked at.
        cameras: views by name, the one to start with first; at least one.
        facts: what there is to know, by name, for people.
        tags: a short text beside a solid, by its name.
        around: names of the solids that stand around the scene, as walls do; of these only what faces the scene is
            drawn, so that one can look in from outside.
        hidden: bodies (`Solid.of`) that a camera does not show, by its name, as the robot whose eyes it is.
        shown: one line that says how much of it a model is shown.

    Raises:
        ValueError: no camera, or a name that no solid, camera or body has.
    """

    stage: Stage
    cameras: Mapping[str, Camera]
    facts: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    around: frozenset[str] = frozenset()
    hidden: Mapping[str, frozenset[str]] = field(default_factory=dict)
    shown: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError naming the field."""
        if not self.cameras:
            raise ValueError("cameras: none; give at least one")
        names = {solid.name for solid in self.stage.solids}
        for name, used in (("tags", set(self.tags)), ("around", self.around)):
            if used - names:
                raise ValueError(f"{name}: {min(used - names)!r} is no solid of the stage")
        if set(self.hidden) - set(self.cameras):
            raise ValueError(f"hidden: {min(set(self.hidden) - set(self.cameras))!r} is no camera")
        strange = set().union(*self.hidden.values()) - {solid.of for solid in self.stage.solids}
        if strange:
            raise ValueError(f"hidden: {min(strange)!r} is no body of the stage")

    def seen_by(self, camera: str) -> "Replay":
        """What a camera shows of it, with this camera alone."""
        stage = self.stage.without(self.hidden.get(camera, frozenset()))
        names = {solid.name for solid in stage.solids}
        tags = {name: tag for name, tag in self.tags.items() if name in names}
        return replace(
            self, stage=stage, cameras={camera: self.cameras[camera]}, tags=tags, around=self.around & names, hidden={}
        )


def frame_times(start: float, end: float, fps: float) -> NDArray[np.float64]:
    """(f,) times of the frames of a replay (s), the start first, `1 / fps` apart.

    Raises:
        ValueError: `fps` is not positive, or there would be more than `MOST_FRAMES`.
    """
    if not 0 < fps < np.inf:
        raise ValueError(f"fps: {fps:g}; give a number > 0")
    if not (end - start) * fps < MOST_FRAMES:
        most = 0.99 * MOST_FRAMES / (end - start)
        raise ValueError(
            f"fps: {fps:g} makes more than {MOST_FRAMES} frames of {end - start:g} s; give at most {most:.3g}"
        )
    return start + np.arange(round((end - start) * fps) + 1) / fps


@runtime_checkable
class Replayed(Protocol):
    """What a benchmark offers besides, if its scenes can be watched.

    Methods:
        replay: the motion of a scene, at about `fps` frames per second where it can be had at any time; labels may be
            None, then the facts do not tell the truth.
    """

    def replay(self, spec: Spec, labels: Any, *, fps: float = FPS) -> Replay:
        """See the class."""
        ...
