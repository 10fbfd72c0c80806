"""What people are told about scenes, answers and metrics: words and drawings of the truth and of verdicts.

Public: `truth` of a scene, `explain` of an answer, `BREAKDOWNS` of the metrics (ReactHuman specification, sections 8 to
13). Words say what `labels` and `verdict` hold; nothing is judged here.
"""

from collections.abc import Mapping

from jaxphys_benchmarks.explanation import Breakdown, Explanation
from jaxphys_benchmarks.protocol import Answer, Question
from jaxphys_benchmarks.reacthuman import remarks
from jaxphys_benchmarks.reacthuman.catalogue import FAMILIES, Catalogue
from jaxphys_benchmarks.reacthuman.decisions import intent_of
from jaxphys_benchmarks.reacthuman.distances import to_body
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.plan_chart import chart
from jaxphys_benchmarks.reacthuman.recover import NUMBERS
from jaxphys_benchmarks.reacthuman.rules import RULES
from jaxphys_benchmarks.reacthuman.spec import BANDS, ReactHumanSpec
from jaxphys_benchmarks.reacthuman.verdict import NAMES, lines, verdict

WHERE: Mapping[str, str] = {
    "plane": "crosses the reach plane",
    "head_plane": "comes down to the height of the head",
    "panel": "the panel reaches the robot",
    "floor": "meets the floor",
    "com": "is at the point of interception",
}
"""How an impact comes about, by its kind."""


def truth(spec: ReactHumanSpec, labels: Labels, objects: Catalogue) -> Explanation:
    """The truth of a scene.

    Args:
        spec: the scene. labels: its ground truth. objects: catalogue that its object is a row of.

    Raises:
        ValueError: there is no ground truth.
    """
    if labels.status or labels.correct_action is None:
        raise ValueError(f"labels: scene {spec.id} has status {labels.status} and no ground truth; draw it again")
    thing, action = objects.get(spec.object, spec.family), NAMES[labels.correct_action]
    released = labels.correct_action_released
    other = f" ({NAMES[released]} in the released set)" if released not in (None, labels.correct_action) else ""
    caught = "may be caught" if thing.catch_safe else "not to be caught"
    told = [
        ("what to do", f"{action}{other}"),
        ("object", f"{thing.display_name}, {thing.mass:.3g} kg, {labels.safety_label}, {caught}"),
        ("speed", spec.band.replace("_", " ")),
        *_impact(spec, labels),
    ]
    if labels.clearance is not None:
        told.append(("nearest to the robot", f"{labels.clearance:.2f} m"))
    if labels.contact_order:
        order = ", ".join(name.replace("_", " ").replace("+", " on ") for name in labels.contact_order)
        told.append(("contacts in order", order))
    if labels.visible_px:
        seen = "; ".join(f"{view}: {', '.join(map(str, px))}" for view, px in labels.visible_px.items())
        told.append(("pixels seen", seen))
    note = remarks.notes(spec, labels, objects)
    told += [("note", note)] if note else []
    return Explanation(f"{action}: {_outcome(labels)}", tuple(told), chart(spec, labels))


def explain(spec: ReactHumanSpec, question: Question, labels: Labels, answer: Answer) -> Explanation:
    """How an answer was judged.

    Args:
        spec: the scene. question: as asked. labels: ground truth. answer: as parsed, or as told.

    Raises:
        ValueError: there is no ground truth.
    """
    found = verdict(question, labels, answer)
    broken = f", breaks {found.rule}" if found.rule else ""
    drawing = None if found.plan is None else chart(spec, labels, found.plan)
    plan = () if found.plan is None else (("plan", in_words(found.plan)),)
    stated = intent_of(found, answer)
    said = (("says", f"\u201c{stated}\u201d"),) if stated else ()
    return Explanation(f"{NAMES[found.act]}{broken}", (*plan, *said, *lines(found)), drawing)


def in_words(plan: Plan) -> str:
    """A plan as a sentence: the walk, then where the hands end, and when."""
    vx, vy, rate = plan.walking_cmd
    spent = plan.walking_duration
    ways = [f"{abs(vx):.2g} m/s {'ahead' if vx > 0 else 'back'}"] if vx else []
    ways += [f"{abs(vy):.2g} m/s to the {'left' if vy > 0 else 'right'}"] if vy else []
    ways += [f"turns {'left' if rate > 0 else 'right'} at {abs(rate):.2g} rad/s"] if rate else []
    walk = f"Walks {', '.join(ways)} for {spent:.2g} s" if ways and spent > 0 else "Stays"
    last = plan.keyframes[-1]
    left, right = (", ".join(f"{part:.2f}" for part in hand) for hand in (last.left_hand, last.right_hand))
    knees = max(frame.knee_bend for frame in plan.keyframes)
    bent = f"; knees bend to {knees:.2g}" if knees else ""
    count = f"{len(plan.keyframes)} key frame{'s' if len(plan.keyframes) > 1 else ''}"
    return f"{walk}; hands end at ({left}) and ({right}) m at {last.t:.2g} s ({count}){bent}."


def _outcome(labels: Labels) -> str:
    if labels.tti is None or labels.impact_kind == "undefined":
        return "nothing arrives"
    when = f"{abs(labels.tti):.2f} s {'after' if labels.tti >= 0 else 'before'} the freeze"
    return f"{WHERE[labels.impact_kind]} {when}"


def _impact(spec: ReactHumanSpec, labels: Labels) -> list[tuple[str, str]]:
    if labels.impact_point is None or labels.t_imp is None or labels.tti is None:
        return [("impact", "none within reach")]
    ahead, left, _ = to_body(labels.impact_point, spec.robot_root)
    x, y, z = labels.impact_point
    side = f"{abs(left):.2f} m to the {'left' if left >= 0 else 'right'}"
    speed = f" at {labels.impact_speed:.2f} m/s" if labels.impact_speed is not None else ""
    reach = "within reach" if labels.reachable else "out of reach"
    late = "after the freeze" if labels.tti >= 0 else "before the freeze, so within the observed window"
    return [
        ("impact", f"{WHERE[labels.impact_kind]}{speed}{_which(spec, labels)}"),
        ("where", f"{ahead:.2f} m ahead, {side}, {z:.2f} m high ({x:.2f}, {y:.2f}, {z:.2f}), {reach} of the hands"),
        ("when", f"{labels.t_imp:.3f} s after the release, {abs(labels.tti):.3f} s {late}"),
    ]


def _which(spec: ReactHumanSpec, labels: Labels) -> str:
    """Which body it is, where it is not the tracked one."""
    other = labels.impact_body not in ("", spec.tracked)
    return f" ({labels.impact_body.replace('_', ' ')})" if other else ""


def _over(metric: str, strata: Mapping[str, str]) -> dict[str, str]:
    return {name: f"react/{metric}_{stratum}" for name, stratum in strata.items()}


_BY_BAND = {band.replace("_", " "): band for band in BANDS}
_BY_TRUTH = {"catch": "catch", "dodge": "dodge", "brace": "brace", "no action": "no_action"}
_BY_KIND = {"safe": "category_safe", "dangerous": "category_dangerous", "adversarial": "category_adversarial"}
_BY_TIME = {"impact after the freeze": "tti_positive", "impact within the window": "tti_negative"}
_BY_WARNING = {"none": "dodge_late", "less than 0.4 s": "dodge_short", "longer": "dodge_long"}
_BY_SIGHT = {"hazard seen": "seen", "in too few frames": "unseen"}
_BY_FAMILY = {name.replace("_", " "): name for name in FAMILIES}
_THRESHOLDS = {
    f"{name.replace('_', ' ')} {sign}50 %": f"{name}_{word}"
    for name in NUMBERS
    for sign, word in (("\u2212", "less"), ("+", "more"))
}

BREAKDOWNS = (
    Breakdown(
        "Published metrics",
        {
            "SAA": "react/saa",
            "Safety": "react/safety",
            "AIA": "react/aia",
            "freezes": "react/freeze",
            "d_end (m)": "react/d_end",
            "d_min (m)": "react/d_min",
            "closing (m)": "react/d_close",
        },
    ),
    Breakdown("SAA by family", {name: f"{family}/react/saa" for name, family in _BY_FAMILY.items()}),
    Breakdown("Safety by family", {name: f"{family}/react/safety" for name, family in _BY_FAMILY.items()}),
    Breakdown("SAA by speed", _over("saa", _BY_BAND)),
    Breakdown("Freezes by speed", _over("freeze", _BY_BAND)),
    Breakdown("SAA by what is right", _over("saa", _BY_TRUTH)),
    Breakdown("Safety by what is right", _over("safety", _BY_TRUTH)),
    Breakdown("Catches by what is right", _over("caught", _BY_TRUTH)),
    Breakdown("Dodges by what is right", _over("dodged", _BY_TRUTH)),
    Breakdown("Freezes by what is right", _over("freeze", _BY_TRUTH)),
    Breakdown("SAA where a dodge is right, by the warning", _over("saa", _BY_WARNING)),
    Breakdown("SAA by kind of object", _over("saa", _BY_KIND)),
    Breakdown("Safety by kind of object", _over("safety", _BY_KIND)),
    Breakdown("SAA by the time of the impact", _over("saa", _BY_TIME)),
    Breakdown("Safety by the time of the impact", _over("safety", _BY_TIME)),
    Breakdown("d_end by the time of the impact (m)", _over("d_end", _BY_TIME)),
    Breakdown("SAA by what the question shows", _over("saa", _BY_SIGHT)),
    Breakdown("Safety by what the question shows", _over("safety", _BY_SIGHT)),
    Breakdown("Answers that break a rule", {rule: f"react/violations_{rule}" for rule in RULES}),
    Breakdown(
        "Hands and impact (m)",
        {
            "at the impact": "react/d_at_impact",
            "at the impact, walked": "react/d_at_impact_walked",
            "end, walked": "react/d_end_walked",
            "nearest, walked": "react/d_min_walked",
            "median miss of right catches": "react/catch_miss",
        },
    ),
    Breakdown(
        "Further shares",
        {
            "four speeds, one action": "react/four_speed_equal",
            "adversarial look believed": "react/fooled",
            "adversarial look doubted": "react/doubted",
            "hands end short": "react/falls_short",
            "hazard in too few frames": "react/unseen",
            "plans out of range": "react/clipped",
            "replies without a plan": "react/failed",
        },
    ),
    Breakdown(
        "Metrics of the early generator",
        {
            "unsafe catches (FER)": "react/early_fer",
            "look believed (AFR)": "react/early_afr",
            "hand in place (RPR)": "react/early_rpr",
            "overall": "react/early_overall",
        },
    ),
    Breakdown("Share of actions that hang on a threshold of the recovery", _over("sensitivity", _THRESHOLDS)),
    Breakdown("SAA with that threshold moved", _over("saa_if", _THRESHOLDS)),
)
"""Tables of a report, the main one first."""
