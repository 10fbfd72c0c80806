"""`tried`: simulates drawn groups, stands their robots up, and says which are sound (section 8.1 of the specification).

All bands of all groups run in one call, and once more with nudged launches. The robot of a group is placed by its normal
band and serves all bands, except that decoys move it away. Public: `Row`, `Trial`, `tried`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.decoys import moved
from jaxphys_benchmarks.reacthuman.drafting import Candidate, judging_of, kind_of, physics_of
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.impact import floor_contact
from jaxphys_benchmarks.reacthuman.placement import placed
from jaxphys_benchmarks.reacthuman.simulate import runs
from jaxphys_benchmarks.reacthuman.spec import Robot, Timing
from jaxphys_benchmarks.reacthuman.timing import timing_of
from jaxphys_benchmarks.reacthuman.tracking import Story, story
from jaxphys_benchmarks.reacthuman.truth import Truth, truth
from jaxphys_benchmarks.reacthuman.validate import words

NORMAL = "normal"


@dataclass(frozen=True, eq=False)
class Row:
    """A candidate's band after simulation.

    Attributes:
        robot, timing: for its spec. word: status word. truth: about a batch; scene: which of it this is.
    """

    robot: Robot
    timing: Timing
    word: int
    truth: Truth
    scene: int


@dataclass(frozen=True, eq=False)
class Trial:
    """A candidate after simulation: rows by band. It is sound if `word` is 0."""

    rows: Mapping[str, Row]

    @property
    def word(self) -> int:
        """Bits of all bands."""
        return int(np.bitwise_or.reduce([row.word for row in self.rows.values()]))


def tried(config: ReactHumanConfig, candidates: Sequence[Candidate], *, backend: str) -> list[Trial]:
    """Simulates candidates and judges them.

    Args:
        config: of all. candidates: as `drafting.refined` gives them. backend: that simulates.
    """
    places = [(k, band) for k, one in enumerate(candidates) for band in one.drafts]
    scenes = [candidates[k].drafts[band].scene for k, band in places]
    kinds = [kind_of(config, candidates[k].family) for k, _ in places]
    how = physics_of(config)
    stories = [story(run) for run in runs(scenes, [how] * len(scenes), kinds, backend=backend)]
    nudged = runs(scenes, [how] * len(scenes), kinds, backend=backend, nudge=config.perturbation)
    robots = _robots(config, candidates, places, stories)
    rows: list[dict[str, Row]] = [{} for _ in candidates]
    for told, other in zip(stories, nudged, strict=True):
        family, own = FAMILIES[told.run.kind.family], told.run.places.tolist()
        standing = [robots[place] for place in own]
        tracked = [candidates[places[place][0]].drafts[places[place][1]].tracked for place in own]
        found = truth(told, family, standing, tracked, config.catalogue)
        copy = truth(story(other), family, standing, tracked, config.catalogue)
        bands = [places[place][1] for place in own]
        times = found.impact.time.tolist()
        timings = [timing_of(config, band, time, how) for band, time in zip(bands, times, strict=True)]  # type: ignore[arg-type]
        drawn = [candidates[places[place][0]] for place in own]
        decoys = [band in one.plan.decoy for one, band in zip(drawn, bands, strict=True)]
        verdicts = words(found, copy, family, [one.drawn.room for one in drawn], decoys, timings).tolist()
        for scene, place in enumerate(own):
            k, band = places[place]
            rows[k][band] = Row(standing[scene], timings[scene], verdicts[scene], found, scene)
    return [Trial(row) for row in rows]


def _robots(
    config: ReactHumanConfig, candidates: Sequence[Candidate], places: Sequence[tuple[int, str]], stories: Sequence[Story]
) -> list[Robot]:
    """The robot of every place: that of the normal band, moved where the band is a decoy."""
    where = {places[place]: (told, scene) for told in stories for scene, place in enumerate(told.run.places.tolist())}
    landings = {id(told): _landings(told, places, candidates) for told in stories}
    robots: dict[tuple[int, str], Robot] = {}
    for k, one in enumerate(candidates):
        told, scene = where[k, NORMAL]
        draft = one.drafts[NORMAL]
        body = list(told.names[scene]).index(draft.tracked)
        x, y = landings[id(told)][scene]
        robot = placed(draft.placement, one.place, (x, y), float(told.southmost[scene, body]), config)
        for band in one.drafts:
            robots[k, band] = robot
        low, high = config.decoy_margin
        clearance = config.c_na + low + one.place.decoy * (high - low)
        for band in one.plan.decoy:
            told, scene = where[k, band]
            each = FAMILIES[one.family].each
            bodies = np.flatnonzero(told.objects[scene]).tolist() if each else [body]
            robots[k, band] = moved(told, scene, bodies, robot, clearance, one.drawn.room, judging_of(config))
    return [robots[place] for place in places]


def _landings(
    told: Story, places: Sequence[tuple[int, str]], candidates: Sequence[Candidate]
) -> list[tuple[float, float]]:
    """x and y of the first contact with the floor of each scene (m), or of where the body ends if it never falls."""
    family = FAMILIES[told.run.kind.family]
    own = [places[place] for place in told.run.places.tolist()]
    body = told.body([candidates[k].drafts[band].tracked for k, band in own])
    _, _, points = floor_contact(told, family, body)
    last = told.of(told.pos, body)[:, -1]
    found = np.where(np.isnan(points), last, points)
    return [(x, y) for x, y, _ in found.tolist()]
