"""The house of an episode, from the episode's name alone, or from the activity that somebody brought along."""

from collections.abc import Mapping

from jaxphys_benchmarks.enact.activities import book
from jaxphys_benchmarks.enact.activities.activity import Activity
from jaxphys_benchmarks.enact.world.house import House, mirror
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec, spec_of


def activity_of(spec: EpisodeSpec, own: Mapping[str, Activity] | None = None) -> Activity:
    """The activity of an episode.

    Args:
        spec: of the episode. own: activities beside those of the book, by name.

    Raises:
        ValueError: there is none of that name.
    """
    return own[spec.activity] if own and spec.activity in own else book.activity(spec.activity)


def house_of(task: str, own: Mapping[str, Activity] | None = None) -> House:
    """The house of an episode, mirrored where the episode is.

    Args:
        task: name of the episode. own: as `activity_of`.

    Raises:
        ValueError: the name is none of ours, or there is no such activity.
    """
    spec = spec_of(task)
    house, _ = activity_of(spec, own).make(spec)
    return mirror(house) if spec.mirrored else house
