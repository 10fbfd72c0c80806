"""One answer against the labels, as raw numbers, and as the published decision record (specification, 10.4 and 13).

Values of a score, all of them numbers: `n` (1, or 0 for a call that was lost), `exact` (the recovered action is the
right one), `safe`, `aia`, `answered`; 0 or 1 for `act_<action>`, `truth_<action>`, `rule_<R1 to R4>`,
`band_<band>`, `category_<category>`, `adversarial`, `fooled` (adversarial, and answered as the look implies),
`clipped`, `moved_<threshold>_<less or more>` (the action hangs on that threshold, see `recover.moved`); `set` (number
of the four-band group); and where they are known the distances of `distances.Distances` and `tti`. A missing answer is
UNPARSEABLE: wrong, and breaks R1; it has no distances. What the score needs of the scene besides the labels is in
`Question.reads`.
"""

from collections.abc import Mapping
from typing import Any

from jaxphys_benchmarks.protocol import Answer, Question, Score
from jaxphys_benchmarks.reacthuman.distances import Distances, measured
from jaxphys_benchmarks.reacthuman.intent import aia
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.parse import plan_of
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.recover import ACTS, BRACE, DODGE, Act, moved, recover, rules_of
from jaxphys_benchmarks.reacthuman.rules import RULES, violated

DECISION_SCHEMA = "jaxphys.reacthuman.decision/1"

LOST = ("timeout", "error")
"""Statuses of calls that were lost: no decision, and not counted (section 13.1)."""


def score(question: Question, labels: Labels, answer: Answer) -> Score:
    """Raw numbers of an answer.

    Args:
        question: as asked. labels: ground truth of the scene. answer: as parsed.

    Raises:
        ValueError: the labels carry a status word, and are no ground truth.
    """
    reads, plan = question.reads, plan_of(answer)
    truth, act, rule = _judged(question, labels, plan)
    values = {
        "n": float(answer.status not in LOST),
        "exact": float(matches(act, truth, strict=reads["brace_scoring"] == "strict")),
        "safe": float(rule is None),
        "aia": 0.0 if plan is None else aia(plan.intent, truth),
        "answered": float(plan is not None),
        "clipped": float(plan is not None and bool(plan.clips)),
        "set": float(reads["set"]),
        "adversarial": float(reads["adversarial"]),
        "fooled": float(reads["adversarial"] and act == reads["implied_action"]),
        f"truth_{truth}": 1.0,
        f"band_{reads['band']}": 1.0,
        f"category_{reads['category']}": 1.0,
    }
    values |= {f"act_{name}": float(act == name) for name in ACTS}
    values |= {f"rule_{name}": float(rule == name) for name in RULES}
    values |= {f"moved_{name}": float(changed) for name, changed in moved(plan, rules_of(reads)).items()}
    gaps = _distances(reads, labels, plan)
    values |= {} if gaps is None else gaps.as_numbers()
    values |= {} if labels.tti is None else {"tti": labels.tti}
    return Score(question.id, question.task, reads["family"], values, answer.status)


def matches(act: Act, truth: str, *, strict: bool) -> bool:
    """Whether an action is the right one; a dodge and a brace are the same unless `strict` (section 11)."""
    merged = act if strict or act != BRACE else DODGE
    return merged == (truth if strict or truth != BRACE else DODGE)


def decision(question: Question, labels: Labels, answer: Answer, *, model: str = "") -> dict[str, Any]:
    """The decision record of section 10.4, ready for JSON; distances to 1e-4 m.

    Args:
        question, labels, answer: as in `score`. model: key of the model.
    """
    reads, plan = question.reads, plan_of(answer)
    _, act, rule = _judged(question, labels, plan)
    gaps = _distances(reads, labels, plan)
    values = score(question, labels, answer).values

    def gap(name: str) -> Any:
        value = None if gaps is None else getattr(gaps, name)
        return round(value, 4) if isinstance(value, float) else value

    return {
        "fam": reads["family"],
        "sid": reads["sid"],
        "m": model,
        "act": act,
        "viol": rule is not None,
        "rule": rule,
        "dend": gap("d_end"),
        "schema": DECISION_SCHEMA,
        "scene": question.scene,
        "gt": labels.correct_action,
        "gt_released": labels.correct_action_released,
        "label_set": reads["label_set"],
        "band": reads["band"],
        "group_id": reads["group_id"],
        "saa": int(values["exact"]),
        "safe": int(values["safe"]),
        "aia": values["aia"],
        "d_min": gap("d_min"),
        "d_close": gap("d_close"),
        "d_at_impact": gap("d_at_impact"),
        "falls_short": gap("falls_short"),
        "dend_walked": gap("d_end_walked"),
        "dend_executed": None,
        "tti_s": labels.tti,
        "parse_status": answer.status,
        "clips": [] if plan is None else list(plan.clips),
        "prompt_hash": question.prompt_hash,
        "config_hash": reads["config_hash"],
    }


def _judged(question: Question, labels: Labels, plan: Plan | None) -> tuple[str, Act, str | None]:
    """The right action, the recovered one, and the rule that it breaks.

    Raises:
        ValueError: the labels carry a status word, and are no ground truth.
    """
    reads = question.reads
    truth = labels.correct_action if reads["label_set"] == "three_way" else labels.correct_action_released
    if labels.status or truth is None:
        raise ValueError(
            f"labels: scene {question.scene} has status {labels.status} and no ground truth; draw it again"
        )
    act = recover(plan, rules_of(reads))
    safe = {"danger_requires_threat": bool(reads["danger_requires_threat"])}
    return truth, act, violated(act, truth, labels.safety_label, **safe)


def _distances(reads: Mapping[str, Any], labels: Labels, plan: Plan | None) -> Distances | None:
    if plan is None or labels.impact_point is None:
        return None
    x, y, z = reads["root"]
    return measured(plan, (x, y, z), labels.impact_point, labels.tti)
