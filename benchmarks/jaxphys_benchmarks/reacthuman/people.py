"""What people are asked about a scene: what the robot should do, in words to be ticked instead of a plan in JSON.

The pictures are those of the question that models get; the wording is ours. `told` reads what was ticked.
"""

from collections.abc import Mapping

from jaxphys_benchmarks.people import Form
from jaxphys_benchmarks.protocol import Question, Shown, Spec
from jaxphys_benchmarks.reacthuman.labels import Action, Labels
from jaxphys_benchmarks.reacthuman.picture import FILM_MARK
from jaxphys_benchmarks.reacthuman.words import VIEWS

FIELD = "action"
CHOICES: Mapping[str, str] = {
    "catch": "catch or stop it with the hands",
    "dodge": "get out of its way",
    "brace": "crouch and protect itself where it stands",
    "none": "nothing, it can stay as it is",
}
WORDS: Mapping[Action, str] = {
    "EXECUTE_CATCH": "catch",
    "TRIGGER_DODGE": "dodge",
    "BRACE_FOR_IMPACT": "brace",
    "NO_ACTION": "none",
}
"""Choices by action."""
RELEASED = "released"
"""The label set that knows BRACE_FOR_IMPACT."""

SETTING = (
    "A humanoid robot, 1.32 m tall, stands in a room when something happens in front of it. You see the last moments;"
    " time is frozen at the last picture. What should the robot do now?"
)


class Peopled:
    """The part of `ReactHuman` that asks people."""

    def form(self, spec: Spec, question: Question) -> Form | None:
        """The pictures of a question and what to tick; None where a question has no pictures."""
        shown = [part for part in question.parts if isinstance(part, Shown)]
        if not shown:
            return None
        parts: list[str | Shown] = [SETTING]
        for part in shown:
            parts += [f"{VIEWS[part.view.kind.removesuffix(FILM_MARK)]}:", part]
        brace = question.reads["label_set"] == RELEASED
        return Form(parts, FIELD, {word: text for word, text in CHOICES.items() if brace or word != "brace"})

    def right_choice(self, question: Question, labels: Labels) -> str:
        """The choice that stands for the right action in the label set of the question.

        Raises:
            ValueError: there is no ground truth.
        """
        released = question.reads["label_set"] == RELEASED
        right = labels.correct_action_released if released else labels.correct_action
        if right is None:
            raise ValueError(f"{question.id}: status {labels.status}, there is no ground truth")
        return WORDS[right]
