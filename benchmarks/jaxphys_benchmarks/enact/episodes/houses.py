"""The house of an episode, from the episode's name alone."""

from jaxphys_benchmarks.enact.activities import book
from jaxphys_benchmarks.enact.world.house import House, mirror
from jaxphys_benchmarks.enact.world.spec import spec_of


def house_of(task: str) -> House:
    """The house of an episode, mirrored where the episode is.

    Args:
        task: name of the episode; its activity stands in the book.

    Raises:
        ValueError: the name is none of ours, or there is no such activity.
    """
    spec = spec_of(task)
    house, _ = book.activity(spec.activity).make(spec)
    return mirror(house) if spec.mirrored else house
