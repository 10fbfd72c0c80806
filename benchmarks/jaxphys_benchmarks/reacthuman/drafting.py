"""`Candidate`: a group as drawn, before anything is simulated, and the second pass of families that need one.

A group's stream is `default_rng([seed, family number, group, attempt])`: first three uniforms for the robot, then what
the family draws. Public: `Candidate`, `candidate`, `built`, `refined`, `physics_of`, `judging_of`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from pydantic import ValidationError

from jaxphys_benchmarks.reacthuman import catalogue, rooms
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.family import Draft, Drawn, Family
from jaxphys_benchmarks.reacthuman.placement import Place
from jaxphys_benchmarks.reacthuman.planner import Group, plan_group
from jaxphys_benchmarks.reacthuman.simulate import Kind, runs
from jaxphys_benchmarks.reacthuman.spec import BANDS, Band, Judging, Physics
from jaxphys_benchmarks.reacthuman.tracking import path, story


@dataclass(frozen=True)
class Candidate:
    """A drawn group.

    Attributes:
        seed, family, group, attempt: the key of its stream. plan: what it is about. drawn: what its bands share.
        place: drawn for the robot. drafts: scenes by band, all four.
    """

    seed: int
    family: str
    group: int
    attempt: int
    plan: Group
    drawn: Drawn
    place: Place
    drafts: Mapping[Band, Draft]


def candidate(config: ReactHumanConfig, seed: int, family: str, group: int, attempt: int) -> Candidate:
    """A group, drawn; families with a second pass have only had the first.

    Raises:
        ValueError: an unknown family, object or room, or a scene that cannot be made.
    """
    kind, plan = family_of(family), plan_group(config, seed, family, group)
    rng = np.random.default_rng([seed, catalogue.families().index(family), group, attempt])
    place = Place(*rng.random(3).tolist())
    thing = config.catalogue.get(plan.premise.object, family)
    room, hints = rooms.get(plan.premise.room), plan.premise.hints
    drawn = Drawn(thing, room, kind.draw(rng, thing, room, hints, config), hints)
    drafts = {band: built(kind, drawn, factor, config) for band, factor in BANDS.items()}
    return Candidate(seed, family, group, attempt, plan, drawn, place, drafts)


def built(family: Family, drawn: Drawn, factor: float, config: ReactHumanConfig) -> Draft:
    """The draft of a family for one multiplier of the band.

    Raises:
        ValueError: no scene can be made of the leaves; the text names family and leaves.
    """
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            return family.build(drawn, factor, config)
    except (ArithmeticError, ValueError) as error:
        reason = str(error)
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False)[0]
            reason = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}".lstrip(": ")
        leaves = ", ".join(f"{name} = {value:g}" for name, value in drawn.leaves.items())
        raise ValueError(
            f"ranges: {family.name}: no {drawn.object.name} can be set up at {factor:g} times the normal band with"
            f" {leaves}: {reason}"
        ) from error


def refined(config: ReactHumanConfig, candidates: Sequence[Candidate], *, backend: str) -> list[Candidate]:
    """Candidates whose drafts have had the second pass, where their family has one."""
    todo = [k for k, one in enumerate(candidates) if FAMILIES[one.family].refine is not None]
    rows = [(k, band) for k in todo for band in candidates[k].drafts]
    found, physics = list(candidates), physics_of(config)
    kinds = [kind_of(config, candidates[k].family) for k, _ in rows]
    drafts: dict[int, dict[Band, Draft]] = {k: dict(candidates[k].drafts) for k in todo}
    for run in runs([drafts[k][band].scene for k, band in rows], [physics] * len(rows), kinds, backend=backend):
        told = story(run)
        for scene, place in enumerate(run.places.tolist()):
            k, band = rows[place]
            again = FAMILIES[candidates[k].family].refine
            draft = drafts[k][band]
            if again is not None:
                drafts[k][band] = again(draft, path(told, scene, draft.tracked), candidates[k].drawn, config)
    for k in todo:
        found[k] = replace(candidates[k], drafts=drafts[k])
    return found


def family_of(name: str) -> Family:
    """The family of that name.

    Raises:
        ValueError: there is none.
    """
    if name not in FAMILIES:
        raise ValueError(f"families: {name!r} is unknown; choose from {', '.join(FAMILIES)}")
    return FAMILIES[name]


def kind_of(config: ReactHumanConfig, family: str) -> Kind:
    """What all scenes of a family have in common under a configuration."""
    return Kind(family, config.variant, config.impact, judging_of(config))


def physics_of(config: ReactHumanConfig) -> Physics:
    """How scenes are simulated, as configured."""
    return Physics(
        substeps=config.substeps, cone=config.cone, solref=config.solref, drag=config.drag, bounce=config.bounce
    )


def judging_of(config: ReactHumanConfig) -> Judging:
    """What counts as an impact, as configured."""
    return Judging(
        reach_width=config.reach_width,
        reach_low=config.reach_low,
        reach_high=config.reach_high,
        robot_radius=config.robot_radius,
        robot_height=config.robot_height,
        floor_touch=config.floor_touch,
        plane_after_floor=config.plane_after_floor,
        c_na=config.c_na,
        stair_never_catch=config.stair_never_catch,
        speed_limit=config.speed_limit if config.speed_dodge else None,
    )
