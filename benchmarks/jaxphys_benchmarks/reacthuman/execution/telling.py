"""Outcomes told: in words for people, as columns of a table, as values of a score, and counted by family.

Public: `told`, `COLUMNS`, `METRICS`, `values`, `recorded`, `tally`.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from jaxphys_benchmarks.embodied import Executed, Motion
from jaxphys_benchmarks.explanation import Explanation
from jaxphys_benchmarks.protocol import Score, Spec
from jaxphys_benchmarks.reacthuman.execution.outcome import Outcome
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.recover import CATCH, DODGE, NONE
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.verdict import NAMES

METRICS: Mapping[str, str] = {
    "saa_last": "loop_exact",
    "executed_reached": "executed_reached",
    "executed_caught": "executed_caught",
    "executed_clear": "executed_clear",
    "executed_hit": "executed_hit",
    "executed_fell": "executed_fell",
    "executed_d_end": "executed_d_end",
    "executed_d_min": "executed_d_min",
    "executed_d_at_impact": "executed_hand_error_at_impact",
    "loop_asked": "loop_asked",
    "loop_answered": "loop_answered",
}
"""Metrics of answers that a robot carried out: names, and the values of a score that they are means of."""

PREFIX = "executed_"
"""Before the names of values of a score that come from an outcome."""

COLUMNS: dict[str, Any] = {
    "seconds": "float64",
    "policy": "string",
    "cone": "string",
    "caught": "bool",
    "held": "bool",
    "reached": "bool",
    "touched": "bool",
    "hit": "bool",
    "first_contact_body": "string",
    "first_contact_time": "float64",
    "contact_speed": "float64",
    "contact_impulse": "float64",
    "contact_bodies": ["string"],
    "min_clearance": "float64",
    "hand_clearance": "float64",
    "hand_error_at_impact": "float64",
    "d_end_executed": "float64",
    "d_min_executed": "float64",
    "fell": "bool",
    "fell_time": "float64",
    "base": {"forward": "float64", "left": "float64", "turned": "float64"},
    "t_first_motion": "float64",
    "l1_reacted": "bool",
    "l3_before": "bool",
    "l4_ended": "bool",
    "l5_soft": "bool",
    "findings": ["string"],
}
"""Types of the fields of an outcome, in their order, in the neutral form of `Benchmark.columns`."""

FLAGS = ("caught", "held", "reached", "touched", "hit", "fell")
NUMBERS = (
    "contact_speed", "contact_impulse", "min_clearance", "hand_clearance", "hand_error_at_impact", "d_end_executed",
    "d_min_executed", "t_first_motion",
)  # fmt: skip
LEVELS = ("l1_reacted", "l3_before", "l4_ended", "l5_soft")
"""Outcome levels; the second, whether the action is the right one, is `exact` of a score, `loop_exact` in a loop."""

GROUPS: Mapping[str, str] = {CATCH: "catch", DODGE: "dodge", NONE: "none"}
"""Right actions, as counts are named."""


def told(spec: ReactHumanSpec, labels: Labels, outcome: Outcome, motion: Motion | None) -> Executed:
    """What came of an answer to a scene."""
    due = "" if labels.correct_action is None else f"the right action is: {NAMES[labels.correct_action]}"
    lines = [(head, text) for head, text in (("truth", due), *_lines(outcome)) if text]
    return Executed(spec.id, outcome.model_dump(mode="json"), motion, Explanation(title(outcome), tuple(lines)))


def title(outcome: Outcome) -> str:
    """An outcome in a few words."""
    hazard = "caught" if outcome.caught else f"touched by the {_part(outcome)}" if outcome.touched else "not touched"
    if outcome.held:
        hazard = "caught and held"
    return f"{hazard}; the robot fell" if outcome.fell else hazard


def _part(outcome: Outcome) -> str:
    return outcome.first_contact_body.replace("_", " ")


def _lines(outcome: Outcome) -> list[tuple[str, str]]:
    contact = ""
    if outcome.first_contact_time is not None and outcome.contact_speed is not None:
        others = [name.replace("_", " ") for name in outcome.contact_bodies if name != outcome.first_contact_body]
        contact = (
            f"{_part(outcome)} at {outcome.first_contact_time:.2f} s with {outcome.contact_speed:.1f} m/s,"
            f" {outcome.contact_impulse:.2f} N s in all" + (f"; also {', '.join(others)}" if others else "")
        )
    base, near = outcome.base, outcome.min_clearance
    return [
        ("contact", contact),
        ("nearest", "" if near is None or outcome.touched else f"{near:.2f} m from the robot"),
        ("hands", _hands(outcome)),
        ("reaction", "" if outcome.t_first_motion is None else f"first motion after {outcome.t_first_motion:.2f} s"),
        (
            "walked",
            f"{base.forward:+.2f} m forward, {base.left:+.2f} m to the left, turned by {base.turned:+.2f} rad"
            f" within {outcome.seconds:.1f} s",
        ),
        ("balance", f"the robot fell at {outcome.fell_time:.2f} s" if outcome.fell_time is not None else ""),
        ("limits", "; ".join(outcome.findings)),
    ]


def _hands(outcome: Outcome) -> str:
    words = {
        "at the time of the impact": outcome.hand_error_at_impact,
        "at the nearest": outcome.d_min_executed,
        "at the end of the plan": outcome.d_end_executed,
    }
    known = [f"{value:.2f} m {where}" for where, value in words.items() if value is not None]
    return f"from the impact {', '.join(known)}" if known else ""


def values(outcome: Mapping[str, Any]) -> dict[str, float]:
    """Numbers of a score, as far as they are known; an outcome as JSON holds it."""
    names = (*FLAGS, *NUMBERS, *LEVELS)
    found = {name: float(outcome[name]) for name in names if outcome.get(name) is not None}
    found["clear"] = float(not outcome["touched"])
    return {f"{PREFIX}{name.removesuffix('_executed')}": value for name, value in found.items()}


def with_outcome(score: Score, outcome: Mapping[str, Any]) -> Score:
    """A score with the values of an outcome."""
    return Score(score.question, score.task, score.group, {**score.values, **values(outcome)}, score.status)


def recorded(record: Mapping[str, Any], outcome: Mapping[str, Any]) -> dict[str, Any]:
    """A decision record with what was measured on the executed plan; distances to 1e-4 m."""
    end, least, at = (outcome.get(name) for name in ("d_end_executed", "d_min_executed", "hand_error_at_impact"))
    return {
        **record,
        "dend_executed": None if end is None else round(end, 4),
        "d_min_executed": None if least is None else round(least, 4),
        "d_at_impact_executed": None if at is None else round(at, 4),
        **{name: outcome[name] for name in FLAGS},
    }


def tally(outcomes: Sequence[tuple[Spec, Any, Mapping[str, Any]]]) -> dict[str, dict[str, float]]:
    """Counts by family, in order, and last of `all`.

    Of scenes to catch: `catch`, of which `reached`, `caught` and `held`; of scenes to dodge: `dodge`, of which `clear`
    (nothing touched the robot); `none`, and `none_clear`; of all: `n`, `hit`, `fell`, `fell_untouched`.
    """
    table: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(TALLY, 0.0))
    for spec, labels, outcome in outcomes:
        for group in (_family(spec), "all"):
            for name, count in _counted(labels, outcome).items():
                table[group][name] += count
    whole = table.pop("all", None)
    return {**table, **({} if whole is None else {"all": whole})}


TALLY = ("n", "catch", "reached", "caught", "held", "dodge", "clear", "none", "none_clear", "hit", "fell",
         "fell_untouched")  # fmt: skip
"""Names of counts, in order."""


def _family(spec: Spec) -> str:
    return spec.family if isinstance(spec, ReactHumanSpec) else ""


def _counted(labels: Labels, outcome: Mapping[str, Any]) -> dict[str, float]:
    group = GROUPS.get(labels.correct_action or "", "")
    clear, catch = not outcome["touched"], group == "catch"
    return {
        "n": 1.0,
        "catch": float(catch),
        **{name: float(catch and outcome[name]) for name in ("reached", "caught", "held")},
        "dodge": float(group == "dodge"),
        "clear": float(group == "dodge" and clear),
        "none": float(group == "none"),
        "none_clear": float(group == "none" and clear),
        "hit": float(outcome["hit"]),
        "fell": float(outcome["fell"]),
        "fell_untouched": float(outcome["fell"] and clear),
    }
