"""Which exemplars a question shows: drawn from the pool of a scenario, or its nearest ones (section 5).

The pool of a scenario is drawn apart from the samples that are asked about. `random` draws are nested: the first k of
one order, keyed by (seed, index, scenario), so that two shots contain the one shot, and every modality shows the same.
That order begins with one sample of each family, so that exemplars show every law of the scenario as soon as there are
as many of them as families. Nearest exemplars cannot promise that, so they are refused where families obey different
laws (Red-LMC, Red-Pass). Nearest ones come in the order from the farthest to the nearest.

A sample that was put under the true law comes after its exemplars under the true law: what is shown obeys the laws of
what is asked, and its twin as drawn sees the same collisions under its own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from jaxphys_benchmarks.inphyre import counterfactual, lower, measure, screen
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.protocol import Ranker


@dataclass(frozen=True)
class Exemplar:
    """A sample with its truth, shown before a question. `film` is the sample whose film is shown, mostly its own."""

    spec: InPhyReSpec
    labels: Labels
    film: InPhyReSpec
    film_labels: Labels


Pool = tuple[tuple[InPhyReSpec, ...], tuple[Labels, ...]]


def pool(config: InPhyReConfig, seed: int, scenario: str) -> Pool:
    """The exemplars of a scenario with their labels, `n_exemplars_pool` of them; drawn once per configuration.

    Those that have no labels, because no draw was accepted, are left out.
    """
    return _pool(config.model_dump_json(), seed, scenario)


@lru_cache(maxsize=256)
def _pool(config_json: str, seed: int, scenario: str) -> Pool:
    config = InPhyReConfig.model_validate_json(config_json)
    drawn = screen.labelled(config, seed, scenario, range(config.n_exemplars_pool), pool=True)
    good = [(spec, labels) for spec, labels in drawn if not labels.status]
    return tuple(spec for spec, _ in good), tuple(labels for _, labels in good)


def true_pool(config: InPhyReConfig, seed: int, scenario: str) -> Pool:
    """The same exemplars under the true law; those that have no labels then are left out."""
    specs, _ = pool(config, seed, scenario)
    name = counterfactual.REGULAR
    real = [counterfactual.under_true_law(spec).model_copy(update={"variant": name}) for spec in specs]
    return _measured(tuple(spec.model_dump_json() for spec in real))


@lru_cache(maxsize=64)
def _measured(texts: tuple[str, ...]) -> Pool:
    specs = [InPhyReSpec.model_validate_json(text) for text in texts]
    found = measure.label(specs, lower.simulate(specs)[1]) if specs else []
    good = [(spec, labels) for spec, labels in zip(specs, found, strict=True) if not labels.status]
    return tuple(spec for spec, _ in good), tuple(labels for _, labels in good)


def chosen(
    config: InPhyReConfig, spec: InPhyReSpec, style: str = "plain", nearest: Ranker | None = None
) -> list[Exemplar]:
    """The exemplars of a question, in the order in which they are shown.

    Args:
        config: `shots`, `retriever` and all that shapes the pool.
        spec: the sample asked about; only its key and its first frame matter.
        style: "wrong_law" takes the exemplars of the regular counterpart, "shuffled_video" gives them the films of
            another scenario.
        nearest: ranks by likeness, for `retriever="nner"`.

    Raises:
        ValueError: more shots than the pool has, or a retriever that cannot be used here; names the field.
    """
    if config.shots == 0:
        return []
    if config.shots > config.n_exemplars_pool:
        raise ValueError(
            f"shots: {config.shots}, but n_exemplars_pool = {config.n_exemplars_pool}; give no more shots than that"
        )
    # The answers of a stored sample vary, or do not, whatever the configuration at hand says.
    config = config if config.preset == spec.preset else config.model_copy(update={"preset": spec.preset})
    counterpart = SCENARIOS[spec.scenario].regular
    scenario = counterpart if style == "wrong_law" else spec.scenario
    real = spec.variant == counterfactual.REGULAR
    specs, labels = (true_pool if real else pool)(config, spec.seed, scenario)
    if len(specs) < config.shots:
        raise ValueError(
            f"shots: {config.shots}, but only {len(specs)} of {config.n_exemplars_pool} exemplars of {scenario} have"
            " labels; give fewer shots, or settings under which scenes are accepted"
        )
    order = _RETRIEVERS[config.retriever](config, spec, specs, nearest)
    if style != "shuffled_video":
        return [Exemplar(specs[k], labels[k], specs[k], labels[k]) for k in order]
    stranger = another(config, spec)
    films = list(zip(*pool(config, spec.seed, stranger), strict=True))
    if len(films) < config.shots:
        raise ValueError(f"style: shuffled_video needs {config.shots} films of {stranger}; {len(films)} have labels")
    # Exemplars without labels are missing, so that the two pools may differ in length.
    return [Exemplar(specs[k], labels[k], *film) for k, film in zip(order, _turned(films, order[0]), strict=False)]


def _turned(films: list[tuple[InPhyReSpec, Labels]], first: int) -> list[tuple[InPhyReSpec, Labels]]:
    """All films, from one of them on."""
    first %= len(films)
    return films[first:] + films[:first]


def families_shown(shown: Sequence[Exemplar], families: Sequence[str]) -> bool:
    """Whether the exemplars show all families of a scenario; nothing is missing where nothing is shown."""
    return not shown or {exemplar.spec.family for exemplar in shown} >= set(families)


def another(config: InPhyReConfig, spec: InPhyReSpec) -> str:
    """A scenario with another question, by the sample's own key; its films say nothing about this one."""
    query = SCENARIOS[spec.scenario].query
    others = [name for name, scenario in SCENARIOS.items() if scenario.query != query]
    if "red" not in config.colours:  # without red there are no samples of the scenarios that are about red objects
        others = [name for name in others if not name.startswith("Red-")]
    return others[int(_stream(spec, 1).integers(len(others)))]


def _random(
    config: InPhyReConfig, spec: InPhyReSpec, specs: Sequence[InPhyReSpec], nearest: Ranker | None
) -> list[int]:
    order = _stream(spec, 0).permutation(len(specs)).tolist()
    families: dict[str, int] = {}
    for k in order:
        families.setdefault(specs[k].family, k)
    first = list(families.values())
    return (first + [k for k in order if k not in first])[: config.shots]


def _nearest(
    config: InPhyReConfig, spec: InPhyReSpec, specs: Sequence[InPhyReSpec], nearest: Ranker | None
) -> list[int]:
    if len(SCENARIOS[spec.scenario].families) > 1:
        raise ValueError(
            f"retriever: nner cannot promise exemplars of both laws of {spec.scenario}; give retriever=random, or"
            " leave the scenario out of scenarios"
        )
    if nearest is None:
        raise ValueError("nearest: retriever=nner needs a ranker of exemplars by likeness; give AskOptions.nearest")
    ranked = [int(k) for k in nearest(spec, specs)]
    if sorted(ranked) != list(range(len(specs))):
        raise ValueError(f"nearest: gave {ranked}, which is no order of {len(specs)} exemplars")
    return ranked[: config.shots][::-1]


_RETRIEVERS: Mapping[str, Callable[[InPhyReConfig, InPhyReSpec, Sequence[InPhyReSpec], Ranker | None], list[int]]] = {
    "random": _random,
    "nner": _nearest,
}


def _stream(spec: InPhyReSpec, purpose: int) -> np.random.Generator:
    """Numbers of a sample's exemplars, apart from those that it was drawn from."""
    return np.random.default_rng([spec.seed, spec.index, list(SCENARIOS).index(spec.scenario), purpose, 0x5E7])
