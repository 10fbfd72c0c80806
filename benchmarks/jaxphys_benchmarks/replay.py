"""Replays: the whole simulated motion of a scene, for people to watch from all sides.

A picture or a film shows what a model is shown; a replay shows everything, how it ends included. A benchmark that is
`Replayed` describes it as a `Replay`, and `jaxphys view` makes a page of it. Replays need no labels; what is known of
the truth is told in the facts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from jaxphys_benchmarks.protocol import Spec
from jaxphys_benchmarks.stage import Camera, Stage

FPS = 60.0
"""Frames per second of a replay unless told otherwise; that many are shown by most screens."""


@dataclass(frozen=True, eq=False)
class Replay:
    """A scene from its start to its end.

    Attributes:
        stage: frames that are `1 / stage.fps` apart; its own camera is not looked at.
        cameras: views by name, the one to start with first; at least one.
        facts: what there is to know, by name, for people.
        tags: a short text beside a solid, by its name.

    Raises:
        ValueError: no camera, or a tag of a solid that there is not.
    """

    stage: Stage
    cameras: Mapping[str, Camera]
    facts: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ValueError naming the field."""
        if not self.cameras:
            raise ValueError("cameras: none; give at least one")
        strange = set(self.tags) - {solid.name for solid in self.stage.solids}
        if strange:
            raise ValueError(f"tags: {sorted(strange)[0]!r} is no solid of the stage")


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
