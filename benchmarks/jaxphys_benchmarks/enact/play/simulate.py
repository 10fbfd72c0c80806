"""Episodes from their specification: the house is built, the script is carried out, and all of it is recorded.

The bits of a recording follow from the specification and the configuration alone, whatever the number of workers. A
skill that fails is told in the log, by name, and the script goes on. Public: `play`, `simulate`, `simulate_many`.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from jaxphys_benchmarks.enact.config import EnactConfig
from jaxphys_benchmarks.enact.config_world import World
from jaxphys_benchmarks.enact.play import script, skills, skills_flow, skills_use
from jaxphys_benchmarks.enact.play.engine import Engine
from jaxphys_benchmarks.enact.play.player import Failed, Player
from jaxphys_benchmarks.enact.play.recording import Entry, Recording, mirrored, recorded
from jaxphys_benchmarks.enact.world.house import House, mirror
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec
from jaxphys_benchmarks.workers import pool
from jaxphys_kernels.household.layout import Sensed
from jaxphys_kernels.quaternions import Floats

HOW: Mapping[type, Callable[[Player, Any], int]] = MappingProxyType(
    {
        script.Goto: skills.goto,
        script.Look: skills.look,
        script.Wait: skills.wait,
        script.Grasp: skills.grasp,
        script.Lift: skills.lift,
        script.PlaceOn: skills.place_on,
        script.PlaceIn: skills.place_in,
        script.Release: skills.release,
        script.Open: skills_use.open_link,
        script.Close: skills_use.close_link,
        script.Press: skills_use.press,
        script.Cut: skills_use.cut,
        script.Pour: skills_flow.pour,
        script.WaitHeat: skills_flow.wait_heat,
        script.Handover: skills_use.handover,
    }
)
"""What carries out each skill; it returns the hand that did it, or -1."""


def play(house: House, skills_: Sequence[script.Skill], spec: EpisodeSpec, world: World) -> Recording:
    """Carries out a script.

    Args:
        house: not mirrored. skills_: the script. spec: hands, seed, and whether the recording is mirrored.
        world: rates and thresholds.
    """
    engine = Engine(house, world, spec)
    player = Player(engine, spec, tuple(skills_))
    log: list[Entry] = []
    for number, skill in enumerate(player.skills):
        player.at = number
        start, hand, failure = len(engine.frames), -1, ""
        try:
            hand = HOW[type(skill)](player, skill)
        except Failed as problem:
            failure = str(problem)
        log.append(Entry(skill, start, len(engine.frames), hand, failure))
    found = recorded(spec, house, engine.layout, engine.frames, log)
    return mirrored(found) if spec.mirrored else found


def simulate(spec: EpisodeSpec, config: EnactConfig) -> Recording:
    """The recording of an episode of an activity of the book.

    Raises:
        ValueError: there is no such activity; or the configuration asks for a robot that there is not.
    """
    if config.robot.level != "A":
        raise ValueError(f"robot.level is {config.robot.level!r}; give 'A', hands without inverse kinematics")
    if config.robot.grasp_backend != "weld":
        raise ValueError(f"robot.grasp_backend is {config.robot.grasp_backend!r}; give 'weld'")
    from jaxphys_benchmarks.enact.activities.book import activity

    house, todo = activity(spec.activity).make(spec)
    return play(house, todo, spec, config.world)


def simulate_many(specs: Sequence[EpisodeSpec], config: EnactConfig, workers: int = 1) -> list[Recording]:
    """Recordings in the order of their specifications.

    Args:
        specs: which; with several workers, of activities that are known wherever the package is imported.
        config: see `simulate`. workers: processes; the result does not depend on it.
    """
    if workers < 1:
        raise ValueError(f"workers is {workers}; give 1 or more")
    if workers == 1 or len(specs) < 2:
        return [simulate(spec, config) for spec in specs]
    with pool(min(workers, len(specs))) as processes:
        parts = list(processes.map(_arrays, specs, [config] * len(specs)))
    return [Recording(spec, _house(spec), *part) for spec, part in zip(specs, parts, strict=True)]


def _arrays(spec: EpisodeSpec, config: EnactConfig) -> tuple[Sensed, Floats, Floats, tuple[Entry, ...]]:
    """A recording without its house, which is drawn again sooner than sent."""
    found = simulate(spec, config)
    return found.sensed, found.robot, found.hands, found.log


def _house(spec: EpisodeSpec) -> House:
    from jaxphys_benchmarks.enact.activities.book import activity

    house, _ = activity(spec.activity).make(spec)
    return mirror(house) if spec.mirrored else house
