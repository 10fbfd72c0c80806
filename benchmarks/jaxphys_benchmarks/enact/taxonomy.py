"""What is wrong with an answer: errors by class and by what they are about (ENACT specification, section 9.1).

A step's true and answered sets of signatures are compared as components. What only one side has is paired, each
component once, in the order of `CLASSES`; what stays alone was left out or made up. Nothing is lost: matched and
missing components are those of the truth, matched and hallucinated ones those of the answer.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from jaxphys_benchmarks.enact.verdict import Signatures

GROUPS: dict[str, str] = {
    "OnTop": "Spatial", "Inside": "Spatial", "Under": "Spatial",
    "Open": "Functional", "ToggledOn": "Functional", "Cooked": "Functional",
    "Covered": "Material", "Transition": "Material",
    "LeftGrasping": "Agent", "RightGrasping": "Agent",
}  # fmt: skip
"""Published semantic groups of predicates; that of Contains is a matter of configuration."""

OTHER = "Other"
"""Group of predicates that the benchmark's eleven classes do not include."""

TRANSITION = "Transition"
_FROM, _TO = "node_transition_from_", "_to_"


@dataclass(frozen=True, order=True)
class Component:
    """One signature, taken apart.

    Attributes:
        kind: "node", "edge" or "transition".
        polarity: "add" or "remove"; of a transition "add".
        predicate: state, or "Transition".
        entities: words of the object; of the two objects; of what a transition comes from and leads to.
    """

    kind: str
    polarity: str
    predicate: str
    entities: tuple[str, ...]


@dataclass(frozen=True)
class Error:
    """An error: what is missing, what stands in its place, or one of them alone.

    Attributes:
        name: one of `CLASSES`, or "omission" or "hallucination".
        missing, hallucinated: the components at fault.
        group: semantic group of the predicate that is missing, else of the one made up.
    """

    name: str
    missing: Component | None
    hallucinated: Component | None
    group: str


@dataclass(frozen=True)
class Compared:
    """A step's components."""

    matched: frozenset[Component]
    missing: frozenset[Component]
    hallucinated: frozenset[Component]


def component(signature: str) -> Component:
    """A signature, taken apart.

    Args:
        signature: as section 5.2 writes them; words hold no underscore.

    Raises:
        ValueError: it is no signature.
    """
    if signature.startswith(_FROM):
        source, _, target = signature[len(_FROM) :].rpartition(_TO)
        return Component("transition", "add", TRANSITION, (source, target))
    kind, *parts = signature.split("_")
    if len(parts) != {"node": 3, "edge": 4}.get(kind) or parts[0] not in ("add", "remove"):
        raise ValueError(f"{signature!r} is no signature of a change")
    return Component(kind, parts[0], parts[-1], tuple(parts[1:-1]))


def compare(true: Signatures, given: Signatures) -> Compared:
    """The components of a step, by whether both sides have them.

    Args:
        true: signatures of the true change. given: of the answered one.
    """
    reference, predicted = (frozenset(map(component, side)) for side in (true, given))
    return Compared(reference & predicted, reference - predicted, predicted - reference)


CLASSES: Mapping[str, Callable[[Component], tuple[object, ...]]] = {
    "polarity_inversion": lambda c: (c.kind, c.predicate, c.entities),
    "predicate_substitution": lambda c: (c.kind, c.polarity, c.entities),
    "entity_substitution": lambda c: (c.kind, c.polarity, c.predicate),
}
"""In the order in which components are paired: what the two must have in common."""

OMISSION, HALLUCINATION = "omission", "hallucination"


def errors(compared: Compared, group_of_contains: str = "Material") -> list[Error]:
    """The errors of a step.

    Args:
        compared: its components.
        group_of_contains: semantic group of Contains.
    """
    groups = {**GROUPS, "Contains": group_of_contains}
    missing, hallucinated = sorted(compared.missing), sorted(compared.hallucinated)
    found = []
    for name, common in CLASSES.items():
        for lost in list(missing):
            for made_up in hallucinated:
                if common(lost) == common(made_up):
                    found.append(Error(name, lost, made_up, groups.get(lost.predicate, OTHER)))
                    missing.remove(lost)
                    hallucinated.remove(made_up)
                    break
    found += [Error(OMISSION, lost, None, groups.get(lost.predicate, OTHER)) for lost in missing]
    found += [Error(HALLUCINATION, None, one, groups.get(one.predicate, OTHER)) for one in hallucinated]
    return found


def table(steps: Iterable[Compared], group_of_contains: str = "Material") -> dict[str, object]:
    """Counts and shares of the errors of many steps, ready for JSON.

    Args:
        steps: compared steps.
        group_of_contains: semantic group of Contains.

    Returns:
        `components` matched, missing and hallucinated; `errors` by class and `share` of all errors; `groups`, errors by
        semantic group and class.
    """
    components, classes = Counter({"matched": 0, "missing": 0, "hallucinated": 0}), Counter[str]()
    groups: dict[str, Counter[str]] = {}
    for step in steps:
        components["matched"] += len(step.matched)
        components["missing"] += len(step.missing)
        components["hallucinated"] += len(step.hallucinated)
        for error in errors(step, group_of_contains):
            classes[error.name] += 1
            groups.setdefault(error.group, Counter())[error.name] += 1
    names = (*CLASSES, OMISSION, HALLUCINATION)
    total = classes.total()
    return {
        "components": dict(components),
        "errors": {name: classes[name] for name in names},
        "share": {name: classes[name] / total if total else 0.0 for name in names},
        "groups": {group: {name: groups[group][name] for name in names} for group in sorted(groups)},
    }
