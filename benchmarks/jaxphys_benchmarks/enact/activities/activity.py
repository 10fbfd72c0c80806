"""What an activity is: a name, a title, a room and a function that furnishes it and writes the script."""

from collections.abc import Callable
from dataclasses import dataclass

from jaxphys_benchmarks.enact.activities.scene import Scene
from jaxphys_benchmarks.enact.play.script import Skill
from jaxphys_benchmarks.enact.world.house import House
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec

ATTEMPTS = 12
"""Draws of a furnished room that are tried."""


@dataclass(frozen=True)
class Activity:
    """Something that the robot does at home.

    Attributes:
        name: as in task names, such as `chopping_wood`. title: for people.
        room: where. write: furnishes a scene and writes its script.
        published: it is one of the 29 of the benchmark.
    """

    name: str
    title: str
    room: str
    write: Callable[[Scene], None]
    published: bool = True

    def make(self, spec: EpisodeSpec) -> tuple[House, tuple[Skill, ...]]:
        """The house and the script of an episode, not mirrored.

        Raises:
            ValueError: something does not fit where the activity wants it.
        """
        for attempt in range(ATTEMPTS):
            scene = Scene(spec, self.room, attempt)
            try:
                self.write(scene)
            except ValueError:
                # A crowded surface may leave no room for the last thing; another draw does.
                if attempt == ATTEMPTS - 1:
                    raise
            else:
                return scene.made()
        raise AssertionError("unreachable")
