"""Words of the report page for names that benchmarks give: metrics, kinds of picture, counts of outcomes, back ends.

A name that is not listed is shown as it is, with spaces. Public: `GLOSSARY`, `VIEWS`, `TALLY`, `PART_OF`,
`WHY_MISSED`, `BACK_ENDS`, `plain`, `counted`, `told`.
"""

from collections.abc import Iterable, Mapping

GLOSSARY: Mapping[str, str] = {
    "saa": "SAA (semantic action accuracy): share of answers whose action is the right one",
    "safety": "Safety: share that breaks none of the rules R1 to R4",
    "aia": "AIA: whether the intent that the answer states names the goal of the right action (1), beside another goal"
    " (0.5), or not (0)",
    "freeze": "freezes: share that does nothing",
    "d_end": "d_end: distance of the nearer hand from the point of impact at the last key frame; less is better",
    "d_min": "d_min: the same where it is least",
    "d_close": "closing: how much nearer the hand came",
    "violations_R1": "R1: there is no plan to be read",
    "violations_R2": "R2: it catches what is dangerous",
    "violations_R3": "R3: it does nothing although danger is present",
    "violations_R4": "R4: it does not get out of the way where that is due",
    "disparity": "Choice disparity: how much better scenes that obey physics are answered than their twins that"
    " break it; 0 where the law makes no difference",
}
"""What a metric says, by the last part of its name."""

VIEWS: Mapping[str, str] = {
    "initial": "initial: the start, as a model is shown it",
    "final": "final: the end, which is asked about",
    "overlay": "overlay: both in one, with paths and contacts",
    "first_frame": "the first frame of the film",
}
"""What a kind of picture shows."""

TALLY: Mapping[str, str] = {
    "n": "scenes",
    "catch": "to catch",
    "held": "held to the end",
    "dodge": "to dodge",
    "clear": "untouched",
    "none": "to do nothing",
    "none_clear": "untouched",
    "hit": "hit",
    "fell_untouched": "fell untouched",
}
"""Heads of the columns of a table of outcomes, by the names of the counts."""

PART_OF: Mapping[str, str] = {
    "reached": "catch",
    "caught": "catch",
    "held": "catch",
    "clear": "dodge",
    "none_clear": "none",
}
"""Counts among the scenes of another count."""

WHY_MISSED = (
    "A plan says where the hands are, not how they give way, and the robot's hands are fists without fingers: most of"
    " what they reach bounces off. What they do not hold falls on, often against the legs, and that counts as hit."
)
"""Why so little is caught."""

BACK_ENDS: Mapping[str, str] = {
    "c": "C\u00a0MuJoCo",
    "mjx": "MJX",
    "compiled": "the compiled event loop",
    "xla": "the XLA program",
}
"""What simulated a data set, by the name of the back end."""


def plain(name: str) -> str:
    """A name with spaces in the place of underscores: `object_drop` becomes `object drop`."""
    return name.replace("_", " ")


def counted(count: int, one: str) -> str:
    """A noun as it goes with a number: `1 scene`, `2 scenes`, `3 activities`; without the number itself."""
    if count == 1:
        return one
    return f"{one[:-1]}ies" if one.endswith("y") else f"{one}s"


def told(metrics: Iterable[str]) -> list[str]:
    """What some metrics say, as far as it is known, each once and in order."""
    last = dict.fromkeys(metric.rpartition("/")[2] for metric in metrics)
    return [GLOSSARY[name] for name in last if name in GLOSSARY]
