"""`tried`: simulates drawn groups, stands their robots up, and says which are sound (specification, section 8.1).

All bands of all groups run in one call, and once more with nudged launches. The robot of a group is placed by its
normal band and serves all bands, except that decoys move it away. Public: `Row`, `Trial`, `tried`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.decoys import moved
from jaxphys_benchmarks.reacthuman.drafting import Candidate, judging_of, kind_of, physics_of
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.impact import floor_contact
from jaxphys_benchmarks.reacthuman.placement import placed
from jaxphys_benchmarks.reacthuman.scene import Scene
from jaxphys_benchmarks.reacthuman.simulate import runs
from jaxphys_benchmarks.reacthuman.spec import Band, Physics, Robot, Timing
from jaxphys_benchmarks.reacthuman.timing import timing_of
from jaxphys_benchmarks.reacthuman.tracking import Story, story
from jaxphys_benchmarks.reacthuman.truth import Truth, truth
from jaxphys_benchmarks.reacthuman.validate import Outcome, late, outcomes, settled, words

NORMAL: Band = "normal"

MARGIN, STRIDE = 0.1, 0.5
"""Nudged copies run this long beyond the end of the story, up to a whole multiple of the other (s)."""


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
    """A candidate after simulation: rows by band, slowest first. It is sound if `word` is 0.

    Attributes:
        rows: by band. group: status bits of the group as a whole.
    """

    rows: Mapping[Band, Row]
    group: int = 0

    @property
    def word(self) -> int:
        """Bits of all bands and of the group."""
        return int(np.bitwise_or.reduce([self.group, *(row.word for row in self.rows.values())]))


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
    robots = _robots(config, candidates, places, stories)
    tracked = [candidates[k].drafts[band].tracked for k, band in places]
    truths = _truths(config, stories, robots, tracked)
    short = [_shortened(scene, end, how) for scene, end in zip(scenes, _ends(truths, len(scenes)), strict=True)]
    copies = runs(short, [how] * len(short), kinds, backend=backend, nudge=config.perturbation)
    nudged: list[Outcome | None] = [None] * len(places)
    for found in _truths(config, [story(run) for run in copies], robots, tracked):
        for place, outcome in zip(found.story.run.places.tolist(), outcomes(found), strict=True):
            nudged[place] = outcome
    rows: list[dict[Band, Row]] = [{} for _ in candidates]
    for found in truths:
        own = found.story.run.places.tolist()
        drawn, bands = [candidates[places[place][0]] for place in own], [places[place][1] for place in own]
        times = found.impact.time.tolist()
        timings = [timing_of(config, band, time, how) for band, time in zip(bands, times, strict=True)]
        decoys = [band in one.plan.decoy for one, band in zip(drawn, bands, strict=True)]
        family, others = FAMILIES[found.story.run.kind.family], [one for place in own if (one := nudged[place])]
        verdicts = words(found, others, family, [one.drawn.room for one in drawn], decoys, timings).tolist()
        for scene, place in enumerate(own):
            k, band = places[place]
            rows[k][band] = Row(robots[place], timings[scene], verdicts[scene], found, scene)
    return [Trial(row, _group_word(config, one, row)) for one, row in zip(candidates, rows, strict=True)]


def _group_word(config: ReactHumanConfig, one: Candidate, rows: Mapping[Band, Row]) -> int:
    """Where the band acts on time, faster bands arrive earlier (section 5)."""
    if config.variant == "early" or not FAMILIES[one.family].timed:
        return 0
    seen = [rows[band] for band in one.drafts if band not in one.plan.decoy]
    return late([float(row.truth.impact.time[row.scene]) for row in seen])


def _truths(
    config: ReactHumanConfig, stories: Sequence[Story], robots: Sequence[Robot], tracked: Sequence[str]
) -> list[Truth]:
    """The truth about each story; robots and names of the tracked bodies are those of all places."""
    found = []
    for told in stories:
        own = told.run.places.tolist()
        family = FAMILIES[told.run.kind.family]
        found.append(truth(told, family, [robots[k] for k in own], [tracked[k] for k in own], config.catalogue))
    return found


def _ends(truths: Sequence[Truth], count: int) -> list[int | None]:
    """By place the state by which nothing can change any more, None where that is not known."""
    found: list[int | None] = [None] * count
    for one in truths:
        over = settled(one)
        for scene, place in enumerate(one.story.run.places.tolist()):
            found[place] = int(one.end[scene]) if over[scene] else None
    return found


def _shortened(scene: Scene, end: int | None, how: Physics) -> Scene:
    """The scene up to a little after the end of its story: what a nudge does later changes nothing."""
    if end is None:
        return scene
    horizon = STRIDE * math.ceil((end * how.dt + MARGIN) / STRIDE)
    return scene.model_copy(update={"horizon": horizon}) if horizon < scene.horizon else scene


def _robots(
    config: ReactHumanConfig,
    candidates: Sequence[Candidate],
    places: Sequence[tuple[int, Band]],
    stories: Sequence[Story],
) -> list[Robot]:
    """The robot of every place: that of the normal band, moved where the band is a decoy."""
    where = {places[place]: (told, scene) for told in stories for scene, place in enumerate(told.run.places.tolist())}
    landings = {id(told): _landings(told, places, candidates) for told in stories}
    robots: dict[tuple[int, Band], Robot] = {}
    for k, one in enumerate(candidates):
        told, scene = where[k, NORMAL]
        draft = one.drafts[NORMAL]
        body = list(told.names[scene]).index(draft.tracked)
        x, y = landings[id(told)][scene]
        south = float(told.southmost[scene, body])
        robot = placed(draft.placement, one.place, (x, y), south, one.drawn.room, config)
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
    told: Story, places: Sequence[tuple[int, Band]], candidates: Sequence[Candidate]
) -> list[tuple[float, float]]:
    """x and y of the first contact with the floor of each scene (m), or of where the body ends if it never falls."""
    family = FAMILIES[told.run.kind.family]
    own = [places[place] for place in told.run.places.tolist()]
    body = told.body([candidates[k].drafts[band].tracked for k, band in own])
    _, _, points = floor_contact(told, family, body)
    last = told.of(told.pos, body)[:, -1]
    found = np.where(np.isnan(points), last, points)
    return [(x, y) for x, y, _ in found.tolist()]
