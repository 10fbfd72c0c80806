"""In which order actions may have happened, from their texts alone.

Sentences are read back into facts that begin or end (ENACT specification, section 5.4). Some facts are known to be
false at first: hands are empty, things are shut and switched off, and nothing is cooked; so their beginning comes
before their end. What came from something else is spoken of only afterwards, and what it came from only before. The
order violates as few of these as greedy choice finds; ties are broken as listed.
"""

import re
from collections import Counter
from collections.abc import Sequence

from jaxphys_benchmarks.enact.phrases import ADD_VERBS, REMOVE_VERBS

FALSE_AT_FIRST = ("using the left gripper to grasp", "using the right gripper to grasp", "open", "turned on", "cooked")
"""Phrases of facts that begin before they end."""

_VERBS = {verb: begins for verbs, begins in ((ADD_VERBS, True), (REMOVE_VERBS, False)) for verb in verbs}
_SENTENCE = re.compile(rf"(.+?) ({'|'.join(sorted(_VERBS, key=len, reverse=True))}) (.+)", re.IGNORECASE)

_MERGED = re.compile(r"(.+) now turn into (the .+)")


def order_of(actions: Sequence[str]) -> list[int]:
    """Places of the actions, from 0, in the order that fits their texts best.

    Args:
        actions: n texts.
    """
    before = precedence(actions)
    left, order = list(range(len(actions))), []
    while left:
        # The one that the fewest reasons put after one of the others.
        best = min(left, key=lambda k: (sum(before[j, k] for j in left if j != k), k))
        order.append(best)
        left.remove(best)
    return order


def precedence(actions: Sequence[str]) -> Counter[tuple[int, int]]:
    """How many reasons there are for one action to come before another, by (earlier, later) places.

    Args:
        actions: n texts.
    """
    begun: dict[str, list[int]] = {}
    ended: dict[str, list[int]] = {}
    became: list[tuple[int, str, str]] = []
    for place, action in enumerate(actions):
        for sentence in action.rstrip(".").split(". "):
            if found := _SENTENCE.fullmatch(sentence):
                subject, verb, rest = found[1].lower(), found[2].lower(), found[3]
                if rest.startswith("the "):
                    became.append((place, subject, rest))
                elif rest.startswith(FALSE_AT_FIRST):
                    (begun if _VERBS[verb] else ended).setdefault(f"{subject} {rest}", []).append(place)
            elif merged := _MERGED.fullmatch(sentence):
                became += [(place, old.lower(), merged[2]) for old in re.split(", (?:and )?", merged[1])]
    reasons = Counter[tuple[int, int]]()
    for fact, starts in begun.items():
        reasons.update((start, end) for start in starts for end in ended.get(fact, ()) if start != end)
    for place, old, new in became:
        for other, action in enumerate(actions):
            told = action.lower()
            if other != place and re.search(rf"{re.escape(new)}\b", told):
                reasons[place, other] += 1
            if other != place and re.search(rf"{re.escape(old)}\b", told):
                reasons[other, place] += 1
    return reasons
