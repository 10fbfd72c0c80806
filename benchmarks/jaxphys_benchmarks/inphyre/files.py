"""What a sample looks like on disk: `scene.json`, `labels.json` and `question.json`.

    scene.json     every drawn number: what is needed to simulate, draw and ask about the sample again
    labels.json    what happened, measured on the simulated motion: the meaning of the right answer, and the contact
    question.json  what is asked, in words: what is told, question, four options with their meanings, the right letter

Nothing here touches the disk: `published` makes the three objects, `read` checks and reads them back, bit for bit.
"""

from collections.abc import Mapping
from typing import Any

from jaxphys_benchmarks.inphyre import queries
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.stored import LABELS, SCENE, spec_and_labels
from jaxphys_kernels.status import describe

QUESTION = "question.json"

TASK = "choice"


def published(spec: InPhyReSpec, labels: Labels) -> dict[str, dict[str, Any]]:
    """The sample's files by name, ready for JSON.

    Raises:
        ValueError: the status word is not zero, so there is no ground truth to publish.
    """
    return {
        SCENE: spec.model_dump(mode="json"),
        LABELS: {"id": spec.id, **labels.model_dump(mode="json")},
        QUESTION: question(spec, labels),
    }


def question(spec: InPhyReSpec, labels: Labels) -> dict[str, Any]:
    """What is asked about a sample, and the letter of the right option.

    Raises:
        ValueError: there is no ground truth, or no option says it.
    """
    if labels.status:
        raise ValueError(
            f"{spec.id}: status {labels.status}, no label is written: {'; '.join(describe(labels.status))}"
        )
    choices = queries.choices(spec)
    right = [letter for letter, (meaning, _) in choices.items() if meaning == labels.meaning]
    if len(right) != 1:
        raise ValueError(f"{spec.id}: meaning: {labels.meaning!r} is said by {len(right)} options; it must be one")
    return {
        "id": f"{spec.id}/{TASK}",
        "information": queries.information(spec),
        "question": queries.question(spec),
        "options": [
            {"letter": letter, "text": text, "meaning": meaning} for letter, (meaning, text) in choices.items()
        ],
        "answer": right[0],
    }


def read(files: Mapping[str, Mapping[str, Any]]) -> tuple[InPhyReSpec, Labels]:
    """Spec and labels from the objects that `published` made.

    Raises:
        ValueError: naming the file and the field that is missing or wrong.
    """
    for name in (SCENE, LABELS, QUESTION):
        if not isinstance(files.get(name), Mapping):
            raise ValueError(f"{name}: missing; a sample has {SCENE}, {LABELS} and {QUESTION}")
    spec, labels = spec_and_labels(files, InPhyReSpec, Labels)
    try:
        _check_question(files[QUESTION], question(spec, labels))
    except (KeyError, TypeError) as error:
        raise ValueError(f"{QUESTION}: no field {error}, or not of the published form") from error
    if len(labels.end) != spec.n:
        raise ValueError(f"{LABELS}: end: {len(labels.end)} places; {SCENE} has {spec.n} bodies")
    return spec, labels


def _check_question(found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """The question must be about this sample, and its options mean what the sample's do, letter by letter.

    Wordings are not compared: a data set keeps its meaning when templates are reworded.
    """
    pairs = {
        "id": (found["id"], expected["id"]),
        "options": tuple(
            [(option["letter"], option["meaning"]) for option in side["options"]] for side in (found, expected)
        ),
        "answer": (found["answer"], expected["answer"]),
    }
    for name, (there, here) in pairs.items():
        if there != here:
            raise ValueError(f"{QUESTION}: {name}: {there!r}, but {SCENE} and {LABELS} give {here!r}")
    for name in ("information", "question"):
        if not isinstance(found[name], str):
            raise ValueError(f"{QUESTION}: {name}: {found[name]!r} is no text")
