"""How the families behave, measured anew: events, times to impact, monotone groups, what can be seen, hidden masses.

`rates` draws groups and looks at them before any is drawn again, so it says how much resampling a configuration needs
(ReactHuman specification, sections 7.3 and 7.5). `numbers` is what `jaxphys calibrate reacthuman` prints; `table` and
`seen_table` the same for people, in Markdown. Public: `rates`, `Rates`, `numbers`, `table`, `seen_table`, `visibility`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.drafting import candidate, refined
from jaxphys_benchmarks.reacthuman.events import NEVER
from jaxphys_benchmarks.reacthuman.families import FAMILIES
from jaxphys_benchmarks.reacthuman.measure import label
from jaxphys_benchmarks.reacthuman.sample import concealed, groups, specs_of, track_of
from jaxphys_benchmarks.reacthuman.simulate import simulate
from jaxphys_benchmarks.reacthuman.spec import BANDS, Band, ReactHumanSpec
from jaxphys_benchmarks.reacthuman.trial import Trial, tried
from jaxphys_benchmarks.reacthuman.validate import late
from jaxphys_benchmarks.reacthuman.visibility import seen_px, shows
from jaxphys_kernels.status import count_bits

GROUPS = 20
"""Groups of each family that are measured."""

LEAST = 0.1
"""Quantile of the pixels that are reported."""

VISIBLE_MM = 30.0
"""Motion by which a hidden mass is said to be seen (mm)."""


@dataclass(frozen=True)
class Rates:
    """Of the groups of one family, before any is drawn again.

    Attributes:
        family: name. groups: how many. events: by band, scenes whose event happens. accepted: groups that are sound.
        event_time, t_imp: by band, medians (s), NaN for none.
        monotone: groups in which no faster band is later than a slower one, by time of impact; whole: of this many, in
            which every band has one.
        window: scenes whose impact lies inside the published window.
        seen: by view, scenes in which it alone shows enough of the tracked body; "any": in which some view does.
        least_px: by view, the tenth of the scenes that shows least: pixels of the tracked body in the first frame.
        reasons: status bits of the scenes, by name.
    """

    family: str
    groups: int
    events: Mapping[Band, int]
    accepted: int
    event_time: Mapping[Band, float]
    t_imp: Mapping[Band, float]
    monotone: int
    whole: int
    window: int
    seen: Mapping[str, int]
    least_px: Mapping[str, float]
    reasons: Mapping[str, int]

    @property
    def event_rate(self) -> float:
        """Share of scenes whose event happens."""
        return sum(self.events.values()) / self.scenes

    @property
    def scenes(self) -> int:
        """How many were drawn."""
        return self.groups * len(self.events)


def rates(config: ReactHumanConfig, family: str, seed: int = 0, count: int = GROUPS) -> Rates:
    """The first draws of the groups of a family.

    Args:
        config: what to draw. family: name. seed: of the groups. count: how many.
    """
    drawn = refined(config, [candidate(config, seed, family, group, 0) for group in range(count)], backend="c")
    trials = tried(config, drawn, backend="c")
    times = {band: _times(trials, band) for band in BANDS}
    events = {band: _events(trials, band) for band in BANDS}
    rows = np.stack([times[band] for band in BANDS], axis=1)
    whole = rows[np.isfinite(rows).all(axis=1)]
    rising = [not late(row) for row in whole.tolist()]
    specs = [specs_of(config, one, trial) for one, trial in zip(drawn, trials, strict=True)]
    unseen = [concealed(config, group, trial) for group, trial in zip(specs, trials, strict=True)]
    pixels = _pixels(config, specs, trials)
    passing = {view: [shows(counts, config) for counts in rows] for view, rows in pixels.items()}
    return Rates(
        family=family,
        groups=count,
        events={band: int(np.isfinite(found).sum()) for band, found in events.items()},
        accepted=sum(trial.word == word == 0 for trial, word in zip(trials, unseen, strict=True)),
        event_time={band: _median(found) for band, found in events.items()},
        t_imp={band: _median(found) for band, found in times.items()},
        monotone=sum(rising),
        whole=len(whole),
        window=int((rows < config.window).sum()),
        seen={view: sum(found) for view, found in passing.items()}
        | {"any": sum(any(found) for found in zip(*passing.values(), strict=True))},
        least_px={view: float(np.quantile([px[0] for px in counts], LEAST)) for view, counts in pixels.items()},
        reasons=count_bits(
            [trial.group for trial in trials] + [r.word for trial in trials for r in trial.rows.values()] + unseen
        ),
    )


def numbers(config: ReactHumanConfig, seed: int = 0, count: int = GROUPS) -> dict[str, float]:
    """The rates of all configured families as one flat record."""
    found: dict[str, float] = {}
    for name in config.families:
        one = rates(config, name, seed, count)
        found[f"{name}/events"] = one.event_rate
        found[f"{name}/accepted"] = one.accepted / one.groups
        if one.whole:
            found[f"{name}/monotone"] = one.monotone / one.whole
        found[f"{name}/in_window"] = one.window / one.scenes
        found |= {f"{name}/seen/{view}": count / one.scenes for view, count in one.seen.items()}
        found |= {f"{name}/t_imp/{band}": value for band, value in one.t_imp.items() if np.isfinite(value)}
    return found


def table(rows: Sequence[Rates]) -> str:
    """A Markdown table: per family, events before resampling, median times to impact by band, monotone groups."""
    lines = [
        "| family | events | groups accepted at once | " + " | ".join(BANDS) + " | monotone | reasons |",
        "|---|---|---|" + "---|" * len(BANDS) + "---|---|",
    ]
    for row in rows:
        medians = " | ".join(f"{value:.2f}" if np.isfinite(value) else "–" for value in row.t_imp.values())
        reasons = ", ".join(f"{name} {count}" for name, count in row.reasons.items()) or "–"
        timed = "" if FAMILIES[row.family].timed else " (path only)"
        lines.append(
            f"| {row.family}{timed} | {sum(row.events.values())}/{row.scenes} | {row.accepted}/{row.groups} |"
            f" {medians} | {row.monotone}/{row.whole} | {reasons} |"
        )
    return "\n".join(lines)


def seen_table(rows: Sequence[Rates]) -> str:
    """A Markdown table: per family and view, scenes that show enough of the tracked body before any is drawn again.

    In brackets are the pixels of the first frame that nine scenes of ten exceed. The last row counts all families.

    Args:
        rows: of one configuration.
    """
    views = list(rows[0].least_px)
    lines = [
        "| family | " + " | ".join(views) + " | any view |",
        "|---|" + "---|" * (len(views) + 1),
    ]
    for row in rows:
        cells = [f"{row.seen[view]}/{row.scenes} ({row.least_px[view]:.0f})" for view in views]
        lines.append(f"| {row.family} | {' | '.join(cells)} | {row.seen['any']}/{row.scenes} |")
    scenes = sum(row.scenes for row in rows)
    shares = [f"{sum(row.seen[view] for row in rows) / scenes:.1%}" for view in (*views, "any")]
    return "\n".join([*lines, f"| all | {' | '.join(shares)} |"])


def visibility(config: ReactHumanConfig, seed: int = 0, count: int = GROUPS) -> dict[str, dict[str, list[float]]]:
    """How far adversarial objects move from their honest twins within the window, by family and object (mm).

    Args:
        config: `adversarial = "only"` draws nothing else. seed: of the groups. count: groups of each family.
    """
    wanted = [(family, group) for family in config.families for group in range(count)]
    made = groups(config, seed, wanted)
    specs = [spec for one in made.values() for spec in one.specs.values()]
    found: dict[str, dict[str, list[float]]] = {}
    for spec, labels in zip(specs, label(specs, simulate(specs, backend="c"), config.catalogue), strict=True):
        if labels.mass_visible_mm is not None:
            found.setdefault(spec.family, {}).setdefault(spec.object, []).append(labels.mass_visible_mm)
    return found


def _pixels(
    config: ReactHumanConfig, specs: Sequence[Mapping[Band, ReactHumanSpec]], trials: Sequence[Trial]
) -> dict[str, list[tuple[int, ...]]]:
    """Pixels of the tracked body in the observed frames of each scene, by view."""
    found: dict[str, list[tuple[int, ...]]] = {view: [] for view in config.views}
    for group, trial in zip(specs, trials, strict=True):
        for band, spec in group.items():
            track = track_of(trial.rows[band], spec)
            for view, pixels in seen_px(spec, track, config.views, config):
                found[view].append(pixels)
    return found


def _times(trials: Sequence[Trial], band: Band) -> np.ndarray:
    return np.array([trial.rows[band].truth.impact.time[trial.rows[band].scene] for trial in trials])


def _events(trials: Sequence[Trial], band: Band) -> np.ndarray:
    rows = [trial.rows[band] for trial in trials]
    states = np.array([row.truth.event[row.scene] for row in rows])
    return np.where(states == NEVER, np.inf, states * rows[0].truth.story.run.dt)


def _median(values: np.ndarray) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if known.size else float("nan")
