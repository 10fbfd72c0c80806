"""Four-band groups of scenes from a seed, validated (ReactHuman specification, sections 5, 7.6 and 8.1).

Each group has a random stream of its own on the host, and the band is not part of its key, so the rows of a group share
every sampled leaf. What a group is about comes from the planner and does not change with the attempt. A group is
accepted when all four bands are sound and can be seen, whichever of them are wanted; else it is drawn again, with the
next attempt.
Many groups are drawn, simulated and judged side by side, and no number depends on which.

Public: `groups`, `Made`, `specs_of`, `concealed`, `track_of`, `wanted_groups`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jaxphys_benchmarks.bulk import collector_paused
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.drafting import Candidate, candidate, judging_of, physics_of, refined
from jaxphys_benchmarks.reacthuman.labels import Track
from jaxphys_benchmarks.reacthuman.observed import track
from jaxphys_benchmarks.reacthuman.spec import SCHEMA, Band, ReactHumanSpec
from jaxphys_benchmarks.reacthuman.trial import Row, Trial, tried
from jaxphys_benchmarks.reacthuman.validate import counted
from jaxphys_benchmarks.reacthuman.visibility import hidden
from jaxphys_kernels.status import Status

Key = tuple[str, int]
"""A group: name of the family, and index."""

CHUNK = 96
"""Groups drawn side by side, to bound memory."""


@dataclass(frozen=True, eq=False)
class Made:
    """An accepted group.

    Attributes:
        specs: of all four bands by name. rejected: status words of the attempts before.
    """

    specs: Mapping[Band, ReactHumanSpec]
    rejected: tuple[int, ...]


def groups(config: ReactHumanConfig, seed: int, wanted: Sequence[Key], *, backend: str = "c") -> dict[Key, Made]:
    """Groups, drawn until all their bands are accepted.

    Args:
        config: what to draw.
        seed: of the data set.
        wanted: which groups, all different.
        backend: that simulates.

    Raises:
        ValueError: a negative seed; a scene that cannot be made; or a group that fails in every one of
            `config.max_attempts` attempts: the text names its family and counts the reasons.
    """
    if seed < 0:
        raise ValueError(f"seed: {seed}; give a whole number >= 0")
    with collector_paused():
        found: dict[Key, Made] = {}
        for start in range(0, len(wanted), CHUNK):
            found |= _accepted(config, seed, wanted[start : start + CHUNK], backend)
        return found


def wanted_groups(config: ReactHumanConfig, indices: Sequence[int]) -> list[Key]:
    """Groups that the scenes with these indices belong to, family by family."""
    count = len(config.bands)
    return [(family, group) for family in config.families for group in sorted({i // count for i in indices})]


def specs_of(config: ReactHumanConfig, one: Candidate, trial: Trial) -> dict[Band, ReactHumanSpec]:
    """The specs of a group by band; the index of a band that is not configured is that of the group's first scene."""
    judging, physics, bands = judging_of(config), physics_of(config), list(config.bands)
    made: dict[Band, ReactHumanSpec] = {}
    for band, draft in one.drafts.items():
        row = trial.rows[band]
        made[band] = ReactHumanSpec(
            schema=SCHEMA,
            seed=one.seed,
            family=one.family,
            index=one.group * len(bands) + (bands.index(band) if band in bands else 0),
            attempt=one.attempt,
            variant=config.variant,
            band=band,
            group=one.group,
            description=one.plan.premise.description,
            planned_by=one.plan.premise.planned_by,
            hints=one.plan.premise.hints,
            object=one.drawn.object.name,
            adversarial=one.plan.adversarial,
            decoy=band in one.plan.decoy,
            room=one.drawn.room,
            robot=row.robot,
            timing=row.timing,
            judging=judging,
            physics=physics,
            scene=draft.scene,
            tracked=draft.tracked,
            sampled=dict(one.drawn.leaves),
            derived=dict(draft.derived),
            label_set=config.label_set,
            impact=config.impact,
            config_hash=config.config_hash,
        )
    return made


def concealed(config: ReactHumanConfig, specs: Mapping[Band, ReactHumanSpec], trial: Trial) -> int:
    """Status bit of a group of which a scene cannot be seen in any view, where that is asked for.

    Scenes of the early parametrisation are taken as they are.

    Args:
        config: views, size of frames, and what counts as seen. specs: of the group. trial: its simulation.
    """
    if config.variant == "early" or not config.visible_px:
        return 0
    seen = (not hidden(spec, track_of(trial.rows[band], spec), config) for band, spec in specs.items())
    return 0 if all(seen) else int(Status.HIDDEN)


def track_of(row: Row, spec: ReactHumanSpec) -> Track:
    """The observed frames of a scene that has been simulated."""
    return track(row.truth.story, row.scene, spec)


def _accepted(config: ReactHumanConfig, seed: int, wanted: Sequence[Key], backend: str) -> dict[Key, Made]:
    rejected: dict[Key, tuple[int, ...]] = {key: () for key in wanted}
    done: dict[Key, Made] = {}
    for attempt in range(config.max_attempts):
        left = [key for key in wanted if key not in done]
        if not left:
            break
        drawn = [candidate(config, seed, family, group, attempt) for family, group in left]
        drawn = refined(config, drawn, backend=backend)
        for key, one, trial in zip(left, drawn, tried(config, drawn, backend=backend), strict=True):
            specs = {} if trial.word else specs_of(config, one, trial)
            word = trial.word or concealed(config, specs, trial)
            if word:
                rejected[key] += (word,)
                continue
            if rejected[key]:
                specs = {band: spec.model_copy(update={"rejected": rejected[key]}) for band, spec in specs.items()}
            done[key] = Made(specs, rejected[key])
    for family, group in wanted:
        if (family, group) not in done:
            unseen = any(word & Status.HIDDEN for word in rejected[family, group])
            raise ValueError(
                f"families: {family}: group {group} of seed {seed} failed in {config.max_attempts} attempts"
                f" ({counted(rejected[family, group])}); leave the family out, change its ranges, or raise max_attempts"
                + (f"; to be seen better: more views than {', '.join(config.views)}, larger size_px," if unseen else "")
                + (" timing = event, a lower visible_share, or visible_px = 0" if unseen else "")
            )
    return done
