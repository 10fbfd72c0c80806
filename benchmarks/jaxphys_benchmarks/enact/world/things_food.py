"""What is eaten and drunk, and what it comes in."""

from jaxphys_benchmarks.enact.world.forge import Forge
from jaxphys_benchmarks.enact.world.things import Thing


def bottle(category: str, colour: str, cap: str, label: str, radius: float = 0.042, height: float = 0.27) -> Thing:
    """A round body with a shoulder, a neck, a cap and a label."""
    forge = Forge(category)
    body = 0.36 * height
    forge.draw("cylinder", (radius, radius, body), (0.0, 0.0, body), colour)
    forge.draw("taper", (radius, radius, 0.06 * height), (0.0, 0.0, 0.78 * height), colour)
    forge.draw("cylinder", (0.45 * radius, 0.45 * radius, 0.04 * height), (0.0, 0.0, 0.88 * height), colour)
    forge.draw("cylinder", (0.55 * radius, 0.55 * radius, 0.04 * height), (0.0, 0.0, 0.96 * height), cap)
    forge.draw("cylinder", (1.03 * radius, 1.03 * radius, 0.12 * height), (0.0, 0.0, 0.4 * height), label)
    forge.bound((radius, radius, height / 2), (0.0, 0.0, height / 2))
    forge.grip((0.0, 0.0, 0.8 * height))
    return forge.made(0.5)


LOOSE: tuple[Thing, ...] = (bottle("water_bottle", "#7ec8f0", "#1f5fbf", "#ffffff"),)
