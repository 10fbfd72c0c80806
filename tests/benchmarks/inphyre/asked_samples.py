"""Samples made by hand, labels for them, and questions about them, without drawing or simulating anything."""

from typing import Any

import pytest

from jaxphys_benchmarks.inphyre import exemplars
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.labels import Contact, Labels
from jaxphys_benchmarks.inphyre.prompts import ask
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.spec import Asked, FilmSize, InPhyReSpec, Thing, Wall
from jaxphys_benchmarks.protocol import AskOptions, Question, View

MEANING = {
    "LMC": "no_change", "AMC": "rotates", "Wall": "increases", "Red-LMC": "no_change", "Red-Pass": "passes_through",
    "SB": "bounces_back", "CC": "looks_like_other", "LMC-reg": "decreases", "AMC-reg": "still",
    "SB-reg": "keeps_direction",
}  # fmt: skip
"""What happens in each scenario; in the Red ones to the red family."""

OTHER = {"Red-LMC": "decreases", "Red-Pass": "stops"}


def thing(colour: str, shape: Any = "cube", **fields: Any) -> Thing:
    values: dict[str, Any] = {
        "name": f"{colour} {shape}", "shape": shape, "colour": colour, "material": "rubber", "size": 0.35, "mass": 1.0,
        "mu": 0.24, "pos": (0.0, 0.0),
    }  # fmt: skip
    return Thing(**(values | fields))


def sample(scenario: str = "LMC", **fields: Any) -> InPhyReSpec:
    """A cube on its way to a sphere, or to a wall."""
    first, second = thing("red", vel=(1.5, 0.0)), thing("blue", "sphere", pos=(2.0, 0.5))
    wall = Wall(pos=(3.0, 0.0), half=(0.1, 4.0), height=1.0)
    at_wall = scenario == "Wall"
    values: dict[str, Any] = {
        "seed": 0,
        "scenario": scenario,
        "index": 12,
        "family": SCENARIOS[scenario].families[0],
        "things": (first,) if at_wall else (first, second),
        "walls": (wall,) if at_wall else (),
        "law": SCENARIOS[scenario].law,
        "g": 9.8,
        "asked": Asked(query=SCENARIOS[scenario].query, template=0, wording=0, order=(0, 1, 2, 3)),
        "film": FilmSize(frames=128, fps=25.6, width_px=48, height_px=32),
    }
    return InPhyReSpec(**(values | fields))


def truth(scenario: str = "LMC", **fields: Any) -> Labels:
    contact = Contact(
        time=0.8, normal=(1.0, 0.0), point=(1.0, 0.0), v_before=((1.0, 0.0), (0.0, 0.0)),
        v_after=((1.0, 0.0), (1.0, 0.0)), w_before=(0.0, 0.0), w_after=(0.0, 0.0), look_before=(0, 1),
        look_after=(0, 1), through=False,
    )  # fmt: skip
    values: dict[str, Any] = {"meaning": MEANING[scenario], "contact": contact, "end": ((1.0, 0.0), (2.0, 0.5))}
    return Labels(**(values | fields))


def made_pool(config: InPhyReConfig, seed: int, scenario: str) -> exemplars.Pool:
    """Ten exemplars by hand, the first half of them of the first family."""
    families = SCENARIOS[scenario].families
    specs, labels = [], []
    for index in range(config.n_exemplars_pool):
        second = len(families) > 1 and index >= config.n_exemplars_pool // 2
        asked = Asked(
            query=SCENARIOS[scenario].query, template=index, wording=index,
            order=tuple((k + index) % 4 for k in range(4)),
        )  # fmt: skip
        specs.append(sample(scenario, seed=seed, index=index, pool=True, family=families[int(second)], asked=asked))
        labels.append(truth(scenario, meaning=(OTHER if second else MEANING)[scenario]))
    return tuple(specs), tuple(labels)


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pools come from `made_pool`, those under the true law as well."""
    monkeypatch.setattr(exemplars, "pool", made_pool)
    monkeypatch.setattr(exemplars, "true_pool", made_pool)


def question(
    spec: InPhyReSpec | None = None, style: str = "plain", asking: dict[str, Any] | None = None, **options: Any
) -> Question:
    """The question about a sample; `options` are those of the configuration, `asking` those of `AskOptions`."""
    view = View("first_frame", style=style)
    return ask(spec or sample(), AskOptions(view=view, **(asking or {})), InPhyReConfig(**options))[0]
