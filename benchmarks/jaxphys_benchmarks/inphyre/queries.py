"""What is asked: for each query its questions, its four options, and what the text tells besides (section 4).

Every query has several wordings of the question and of the options; the sample's `Asked` says which ones it has and in
which order its options stand. The published questions about the wall are verbatim; all others are ours. A question
fits every sample of its scenario and never tells a law. `{a}` is the object asked about, `{b}` the one that it meets.

Public: `QUERIES`, `Query`, `question`, `information`, `choices`, `LETTERS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from jaxphys_benchmarks.inphyre.scenarios import MEANINGS, UNDETERMINED
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec

LETTERS = "ABCD"
"""Names of the options, in the order in which they are shown."""


@dataclass(frozen=True)
class Query:
    """Something to ask about object A.

    Attributes:
        name: key of `QUERIES`.
        questions: texts to choose from.
        options: meaning -> texts to choose from, as many for each; four meanings.
        told: what the text tells of a sample besides the question.
    """

    name: str
    questions: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    told: Callable[[InPhyReSpec], str]

    @property
    def meanings(self) -> tuple[str, ...]:
        """Keys of the options, in the order that `Asked.order` counts."""
        return MEANINGS[self.name]


def question(spec: InPhyReSpec) -> str:
    """The question about a sample."""
    texts = QUERIES[spec.asked.query].questions
    return _filled(texts[spec.asked.template % len(texts)], spec)


def information(spec: InPhyReSpec) -> str:
    """What the text tells before the question: masses, and how they meet; true of the sample, "" if nothing."""
    return QUERIES[spec.asked.query].told(spec)


def choices(spec: InPhyReSpec) -> dict[str, tuple[str, str]]:
    """(meaning, text) of the option at each letter, before any rotation."""
    query = QUERIES[spec.asked.query]
    found = {}
    for letter, place in zip(LETTERS, spec.asked.order, strict=True):
        meaning = query.meanings[place]
        texts = query.options[meaning]
        found[letter] = (meaning, _filled(texts[spec.asked.wording % len(texts)], spec))
    return found


def _filled(text: str, spec: InPhyReSpec) -> str:
    other = f"the {spec.things[1].name}" if len(spec.things) > 1 else "the wall"
    filled = text.format(a=f"the {spec.things[0].name}", b=other)
    return filled[0].upper() + filled[1:]


def _masses(spec: InPhyReSpec) -> str:
    first, second = spec.things[:2]
    return f"The {first.name} has a mass of {first.mass:.4g} kg, the {second.name} a mass of {second.mass:.4g} kg."


def _equal_masses(spec: InPhyReSpec) -> str:
    """That the masses are equal, if they are, else both of them."""
    first, second = spec.things[:2]
    same = first.mass == second.mass
    return f"The {first.name} and the {second.name} have equal masses." if same else _masses(spec)


def _head_on(spec: InPhyReSpec) -> str:
    # Where the answer varies, whether they meet head-on may be what decides it, and is to be seen.
    published = spec.preset == "published"
    return _equal_masses(spec) + (" They collide head-on." if published else "")


def _at_the_wall(spec: InPhyReSpec) -> str:
    bounce = "The collision with the wall is elastic. " if spec.restitution == 1 else ""
    return f"{bounce}Vertical means along the face of the wall."


QUERIES: Mapping[str, Query] = {
    query.name: query
    for query in (
        Query(
            "speed",
            (
                "What happens to the velocity of {a} after colliding with {b}?",
                "How does the velocity of {a} change when it collides with {b}?",
                "What is the effect of the collision with {b} on the velocity of {a}?",
                "{a} collides with {b}. What becomes of the velocity of {a}?",
            ),
            {
                "no_change": (
                    "There is no change in the velocity of {a}",
                    "The velocity of {a} stays the same",
                    "{a} keeps its velocity",
                ),
                "increases": (
                    "The velocity of {a} increases",
                    "The velocity of {a} becomes larger",
                    "{a} gains velocity",
                ),
                "decreases": (
                    "The velocity of {a} decreases",
                    "The velocity of {a} becomes smaller",
                    "{a} loses velocity",
                ),
                UNDETERMINED: (
                    "The change in the velocity of {a} cannot be determined",
                    "There is not enough data to tell the velocity of {a}",
                    "What {a} does cannot be known from this",
                ),
            },
            _equal_masses,
        ),
        Query(
            "rotation",
            (
                "What happens to the rotation of {a} after colliding with {b}?",
                "Does {a} rotate about its centre after it collides with {b}?",
                "{a} collides with {b}. What becomes of the rotation of {a}?",
                "How does {a} turn once it has hit {b}?",
            ),
            {
                "rotates": (
                    "{a} starts to rotate about its centre",
                    "{a} begins to spin",
                    "The collision makes {a} turn about its centre",
                ),
                "still": (
                    "{a} does not rotate",
                    "{a} does not begin to spin",
                    "The collision leaves {a} without any rotation",
                ),
                "oscillates": (
                    "{a} rotates back and forth",
                    "{a} swings to one side and back again",
                    "The collision makes {a} turn to and fro",
                ),
                UNDETERMINED: (
                    "The rotation of {a} cannot be determined",
                    "There is not enough data to tell whether {a} spins",
                    "How {a} turns cannot be known from this",
                ),
            },
            _head_on,
        ),
        Query(
            "vertical",
            (
                "What happens to the vertical velocity of {a} when it collides with wall?",
                "What is the outcome of {a} colliding with wall?",
                "What occurs to the vertical velocity of {a} when {a} and wall collide?",
            ),
            {
                "increases": (
                    "The vertical velocity of {a} increases",
                    "{a} moves faster in the vertical direction",
                    "{a} gains vertical velocity",
                ),
                "decreases": (
                    "The vertical velocity of {a} decreases",
                    "{a} moves more slowly in the vertical direction",
                    "{a} loses vertical velocity",
                ),
                "no_change": (
                    "There is no change in the vertical velocity of {a}",
                    "{a} moves as fast as before in the vertical direction",
                    "{a} keeps its vertical velocity",
                ),
                UNDETERMINED: (
                    "The change in the vertical velocity of {a} cannot be determined",
                    "There is not enough data to tell how {a} moves in the vertical direction",
                    "What {a} does cannot be known from this",
                ),
            },
            _at_the_wall,
        ),
        Query(
            "meeting",
            (
                "What happens to {a} when it meets {b}?",
                "What does {a} do when it reaches {b}?",
                "How does {a} move on once it has met {b}?",
                "{a} moves towards {b}. What is the outcome for {a}?",
            ),
            {
                "passes_through": (
                    "{a} passes through {b}",
                    "{a} goes right through {b} and on",
                    "{a} moves on through {b}",
                ),
                "stops": ("{a} stops at {b}", "{a} comes to rest where it meets {b}", "{a} is stopped by {b}"),
                "bounces_back": (
                    "{a} bounces back from {b}",
                    "{a} turns round at {b} and moves back",
                    "{a} is thrown back by {b}",
                ),
                UNDETERMINED: (
                    "What {a} does cannot be determined",
                    "There is not enough data to tell what {a} does",
                    "How {a} moves on cannot be known from this",
                ),
            },
            _equal_masses,
        ),
        Query(
            "direction",
            (
                "In which direction does {a} move after colliding with {b}?",
                "What happens to the direction of {a} when it collides with {b}?",
                "{a} collides with {b}. Which way does {a} move then?",
            ),
            {
                "bounces_back": (
                    "{a} bounces back",
                    "{a} reverses its direction",
                    "{a} moves back the way it came",
                ),
                "keeps_direction": (
                    "{a} keeps its direction",
                    "{a} moves on in the same direction",
                    "{a} moves on the way it was going",
                ),
                "stops": ("{a} stops", "{a} comes to rest", "{a} does not move any more"),
                UNDETERMINED: (
                    "The direction of {a} cannot be determined",
                    "There is not enough data to tell the direction of {a}",
                    "Which way {a} moves cannot be known from this",
                ),
            },
            _masses,
        ),
        Query(
            "appearance",
            (
                "What happens to {a} after colliding with {b}?",
                "What becomes of {a} when it collides with {b}?",
                "{a} collides with {b}. How is {a} seen afterwards?",
            ),
            {
                "looks_like_other": (
                    "{a} is still in the scene and now looks like {b}",
                    "{a} stays and takes on the appearance of {b}",
                    "{a} can still be seen, with the look of {b}",
                ),
                "looks_as_before": (
                    "{a} is still in the scene and looks as before",
                    "{a} stays and keeps its own appearance",
                    "{a} can still be seen, with the look that it had",
                ),
                "gone": (
                    "{a} is no longer in the scene",
                    "{a} disappears",
                    "{a} can no longer be seen",
                ),
                UNDETERMINED: (
                    "What becomes of {a} cannot be determined",
                    "There is not enough data to tell what becomes of {a}",
                    "The look of {a} cannot be known from this",
                ),
            },
            _equal_masses,
        ),
    )
}  # fmt: skip
"""Queries by name."""
