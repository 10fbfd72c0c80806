"""One answer against the labels, as raw counts (InPhyRe specification, section 7.1).

Values: `n` (1), `exact` (1 if the option means what happened), `answered`; `family_<name>` (1 for the family of the
sample) and `exact_<name>`; `letter_<X>` for the letter as it was shown, `undetermined` if that option was chosen.
A missing answer is wrong and chooses no letter.
"""

from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.queries import LETTERS
from jaxphys_benchmarks.inphyre.scenarios import UNDETERMINED
from jaxphys_benchmarks.protocol import Answer, Question, Score


def score(question: Question, labels: Labels, answer: Answer) -> Score:
    """Raw counts of an answer.

    Args:
        question: as asked. labels: ground truth of the sample. answer: as parsed.

    Raises:
        ValueError: the labels carry a status word, and are no ground truth.
    """
    if labels.status or not labels.meaning:
        raise ValueError(
            f"labels: scene {question.scene} has status {labels.status} and no ground truth; draw it again"
        )
    reads = question.reads
    said = None if answer.value is None else reads["meanings"][answer.value]
    exact = float(said == labels.meaning)
    values = {
        "n": 1.0,
        "exact": exact,
        "answered": float(said is not None),
        "undetermined": float(said == UNDETERMINED),
        f"family_{reads['family']}": 1.0,
        f"exact_{reads['family']}": exact,
    }
    values |= {f"letter_{letter}": float(answer.value == reads["back"][letter]) for letter in LETTERS}
    return Score(question.id, question.task, reads["scenario"], values, answer.status)
