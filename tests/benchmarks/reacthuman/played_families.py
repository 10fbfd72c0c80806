"""Groups of families drawn for tests, and what happens in them on the C back end."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.reacthuman import rooms
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.events import EVENTS, NEVER, first
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.family import Draft, Drawn, Path
from jaxphys_benchmarks.reacthuman.simulate import Kind, runs
from jaxphys_benchmarks.reacthuman.spec import BANDS, Band, Judging, Physics
from jaxphys_benchmarks.reacthuman.tracking import path, story
from jaxphys_benchmarks.reacthuman.validate import ORDERS

DEFAULT = ReactHumanConfig()
EARLY = ReactHumanConfig(variant="early")
STEP = 1 / 240


@dataclass(frozen=True)
class Played:
    """A scene of one band: what it was drawn as, the time of its event (s, nan for none), whether contacts came in
    order, the motion of the tracked body, and the status word of the simulator."""

    drawn: Drawn
    draft: Draft
    band: Band
    event: float
    ordered: bool
    path: Path
    status: int


def pool(family: str, config: ReactHumanConfig = DEFAULT) -> tuple[str, ...]:
    """Objects that groups of a family are made of."""
    things = [config.catalogue.get(name, family) for name in config.catalogue.pool(family)]
    keep = config.allow_sticky_shapes or family != "stair_tumble"
    return tuple(thing.name for thing in things if keep or thing.collider != "box")


def drawn(family: str, seed: int, config: ReactHumanConfig = DEFAULT, thing: str = "", room: str = "") -> Drawn:
    """A group; objects and rooms come in turn unless named."""
    kind, names = FAMILIES[family], pool(family, config)
    chosen = config.catalogue.get(thing or names[seed % len(names)], family)
    place = rooms.get(room or kind.rooms[seed % len(kind.rooms)])
    rng = np.random.default_rng([list(FAMILIES).index(family), seed])
    return Drawn(chosen, place, kind.draw(rng, chosen, place, {}, config))


def built(family: str, group: Drawn, config: ReactHumanConfig = DEFAULT) -> dict[Band, Draft]:
    """Its scenes by band, before a second pass."""
    return {band: FAMILIES[family].build(group, s, config) for band, s in BANDS.items()}


def played(family: str, groups: Iterable[Drawn], config: ReactHumanConfig = DEFAULT) -> list[dict[Band, Played]]:
    """What happens in all bands of groups."""
    kind, rows = FAMILIES[family], list(groups)
    drafts = [(group, band, draft) for group in rows for band, draft in built(family, group, config).items()]
    if kind.refine is not None:
        again = _played(family, drafts, config, judged=False)
        drafts = [(one.drawn, one.band, kind.refine(one.draft, one.path, one.drawn, config)) for one in again]
    flat = _played(family, drafts, config)
    return [{one.band: one for one in flat[k : k + len(BANDS)]} for k in range(0, len(flat), len(BANDS))]


def replayed(family: str, group: Drawn, draft: Draft, config: ReactHumanConfig = DEFAULT) -> Played:
    """What happens in one scene."""
    return _played(family, [(group, "normal", draft)], config)[0]


def _played(
    family: str, drafts: Sequence[tuple[Drawn, Band, Draft]], config: ReactHumanConfig, *, judged: bool = True
) -> list[Played]:
    kind = Kind(family, config.variant, "plane", Judging())
    physics = Physics(bounce=config.bounce)
    scenes = [draft.scene for _, _, draft in drafts]
    found: dict[int, Played] = {}
    for run in runs(scenes, [physics] * len(scenes), [kind] * len(scenes), backend="c"):
        told = story(run)
        places = run.places.tolist()
        body = told.body([drafts[place][2].tracked for place in places])
        happened = first(EVENTS[FAMILIES[family].event_of(config.variant)](told, body, np.zeros(told.b)))
        ordered = ORDERS[FAMILIES[family].order if judged else ""](told, body)
        for scene, place in enumerate(places):
            group, band, draft = drafts[place]
            found[place] = Played(
                drawn=group,
                draft=draft,
                band=band,
                event=float(run.time[happened[scene]]) if happened[scene] != NEVER else math.nan,
                ordered=bool(ordered[scene]),
                path=path(told, scene, draft.tracked),
                status=int(run.status[scene]),
            )
    return [found[place] for place in range(len(drafts))]
