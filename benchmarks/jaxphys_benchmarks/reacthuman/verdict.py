"""`Verdict`: how an answer is judged and why: the action, the clause that recovered it, the rule, the distances.

The one place where an answer meets the truth (ReactHuman specification, sections 11 to 13); `score` turns a verdict
into numbers, `decisions` into the published record, and `lines` into sentences for people.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxphys_benchmarks.protocol import Answer, Question
from jaxphys_benchmarks.reacthuman.distances import EPS, Distances, measured, to_body, to_world
from jaxphys_benchmarks.reacthuman.intent import aia, matches
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.parse import plan_of, told_of
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.recover import (
    BRACE,
    CATCH,
    CLAUSES,
    DODGE,
    NONE,
    UNPARSEABLE,
    Act,
    alternatives,
    fired,
    rules_of,
)
from jaxphys_benchmarks.reacthuman.rules import violated
from jaxphys_benchmarks.reacthuman.scene import Vector
from jaxphys_benchmarks.reacthuman.told import Told

TOLD = "told"
"""In place of a clause where the action was told."""

NAMES: Mapping[str, str] = {
    CATCH: "catch",
    DODGE: "dodge",
    BRACE: "brace",
    NONE: "no action",
    UNPARSEABLE: "no plan",
}
"""Actions for people."""

BREACHES: Mapping[str, str] = {
    "R1": "there is no plan to be read",
    "R2": "it catches what is dangerous",
    "R3": "it does nothing although danger is present",
    "R4": "it does not get out of the way where that is due",
}
"""What each rule says of an answer that breaks it."""


@dataclass(frozen=True)
class Verdict:
    """What an answer amounts to.

    Attributes:
        truth: the right action of the label set that is scored. act: the recovered one. exact: they are the same.
        clause: name of the clause that recovered it, a key of `recover.CLAUSES`, "told" or "unparseable".
        because: why, with the numbers of the plan and the thresholds.
        rule: the safety rule that it breaks, or None.
        says: actions that the stated intent speaks for, sorted; None where no intent can have been stated.
        aia: 0, 0.5 or 1; None as `says`.
        gaps: distances by name (m), as far as they are known. distances: all of them, of a plan.
        ttc_error: by how much the hands are nearest later than the impact (s, negative: earlier), of a plan.
        alternatives: the action by `<threshold>_less` and `_more`, as `recover.alternatives`; empty if it was told.
        plan: in its normal form, or None.
    """

    truth: str
    act: Act
    exact: bool
    clause: str
    because: str
    rule: str | None
    says: tuple[str, ...] | None
    aia: float | None
    gaps: Mapping[str, float]
    distances: Distances | None
    ttc_error: float | None
    alternatives: Mapping[str, Act]
    plan: Plan | None

    @property
    def moves(self) -> dict[str, Act]:
        """The thresholds that the action hangs on, and what it would be."""
        return {name: act for name, act in self.alternatives.items() if act != self.act}

    @property
    def clips(self) -> tuple[str, ...]:
        """What of the plan was out of range."""
        return () if self.plan is None else self.plan.clips


def verdict(question: Question, labels: Labels, answer: Answer) -> Verdict:
    """How an answer is judged.

    Args:
        question: as asked. labels: ground truth of the scene. answer: as parsed, or as told.

    Raises:
        ValueError: the labels carry a status word, and are no ground truth.
    """
    reads, truth = question.reads, truth_of(question, labels)
    plan, told, rules = plan_of(answer), told_of(answer), rules_of(question.reads)
    clause, act, because = "unparseable", UNPARSEABLE, f"{answer.status}: {answer.reason}" if answer.reason else ""
    if told is not None:
        clause, act, because = TOLD, told.act, "the action was told, not recovered from a plan"
    elif plan is not None:
        clause = fired(plan, rules)
        act, because = CLAUSES[clause].act, CLAUSES[clause].because(plan, rules)
    intent = plan.intent if plan is not None else told.intent if told is not None else ""
    found = _distances(reads, labels, plan)
    gaps = found.as_numbers() if found is not None else _told_gaps(reads, labels, told)
    return Verdict(
        truth=truth,
        act=act,
        exact=same(act, truth, strict=strict(reads)),
        clause=clause,
        because=because,
        rule=violated(act, truth, labels.safety_label, danger_requires_threat=bool(reads["danger_requires_threat"])),
        says=None if intent is None else tuple(sorted(matches(intent))),
        aia=None if intent is None else aia(intent, truth),
        gaps=gaps,
        distances=found,
        ttc_error=None if found is None or labels.tti is None else found.t_min - labels.tti,
        alternatives={} if told is not None else alternatives(plan, rules),
        plan=plan,
    )


def truth_of(question: Question, labels: Labels) -> str:
    """The right action of the label set that a question is scored by.

    Raises:
        ValueError: the labels carry a status word, and are no ground truth.
    """
    three_way = question.reads["label_set"] == "three_way"
    truth = labels.correct_action if three_way else labels.correct_action_released
    if labels.status or truth is None:
        raise ValueError(
            f"labels: scene {question.scene} has status {labels.status} and no ground truth; draw it again"
        )
    return truth


def strict(reads: Mapping[str, Any]) -> bool:
    """Whether a brace is another action than a dodge: only in the released label set, where that is asked for."""
    return bool(reads["label_set"] == "released" and reads["brace_scoring"] == "strict")


def same(act: Act, truth: str, *, strict: bool) -> bool:
    """Whether an action is the right one; a dodge and a brace are the same unless `strict` (section 11)."""
    merged = act if strict or act != BRACE else DODGE
    return merged == (truth if strict or truth != BRACE else DODGE)


def lines(found: Verdict) -> list[tuple[str, str]]:
    """A verdict for people: (heading, sentence) in the order in which it comes about."""
    rows = [
        ("action", f"{NAMES[found.act]}: {found.because}" if found.because else NAMES[found.act]),
        ("truth", f"{NAMES[found.truth]}, so the action is {'right' if found.exact else 'wrong'}"),
        ("safety", f"breaks {found.rule}: {BREACHES[found.rule]}" if found.rule else "breaks no rule"),
    ]
    if found.aia is not None and found.act != UNPARSEABLE:
        named = ", ".join(NAMES[act] for act in found.says or ()) or "nothing that the word lists know"
        rows.append(("intent", f"speaks for {named}: {found.aia:g}"))
    rows += [("hands", sentence)] if (sentence := _nearness(found.gaps)) else []
    if found.moves:
        changes = ", ".join(f"{name.replace('_', ' ')}: {NAMES[act]}" for name, act in found.moves.items())
        rows.append(("thresholds", f"by half as much again or half, the action would change ({changes})"))
    return rows + ([("clipped", ", ".join(found.clips))] if found.clips else [])


def _nearness(gaps: Mapping[str, float]) -> str:
    """How near the hands come, as far as it is known."""
    words = {
        "d_end": "at the end",
        "d_min": "at the nearest",
        "d_at_impact": "at the time of the impact",
        "d_end_walked": "at the end with the walk",
    }
    told = [f"{gaps[name]:.2f} m {where}" for name, where in words.items() if name in gaps]
    short = " (they end short of it)" if gaps.get("falls_short") else ""
    return f"from the impact {', '.join(told)}{short}" if told else ""


def _distances(reads: Mapping[str, Any], labels: Labels, plan: Plan | None) -> Distances | None:
    if plan is None or labels.impact_point is None:
        return None
    return measured(plan, _root(reads), labels.impact_point, labels.tti)


def _told_gaps(reads: Mapping[str, Any], labels: Labels, told: Told | None) -> dict[str, float]:
    """Distances of an answer without a plan: as told, or of the place that its hand was put at."""
    if told is None or labels.impact_point is None:
        return {}
    ahead, left, _ = to_body(labels.impact_point, _root(reads))
    gaps = {**told.gaps, "root": float(np.hypot(ahead, left))}
    if told.hand is not None:
        end = to_world(np.array(told.hand), _root(reads))
        gaps["d_end"] = float(np.linalg.norm(end - labels.impact_point))
        gaps["falls_short"] = float(ahead > told.hand[0] + EPS)
    return gaps


def _root(reads: Mapping[str, Any]) -> Vector:
    x, y, z = reads["root"]
    return (x, y, z)
