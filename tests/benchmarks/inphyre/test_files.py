"""Files, rows and charts of samples: round trips, faults named by file and field, and counts that add up."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from jaxphys_benchmarks.inphyre import columns, files, report_data
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.queries import LETTERS
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_kernels.status import Status

from .drawn_samples import EACH, drawn, of

Files = dict[str, dict[str, Any]]


def stored() -> Files:
    """The files of one sample, as they come back from a disk."""
    content: Files = json.loads(json.dumps(files.published(*of("CC")[0]), allow_nan=False))
    return content


def test_files_come_back_bit_for_bit() -> None:
    for spec, labels in drawn():
        content = json.loads(json.dumps(files.published(spec, labels), allow_nan=False))
        assert files.read(content) == (spec, labels)


def test_the_question_says_what_the_labels_say() -> None:
    for spec, labels in drawn():
        asked = files.published(spec, labels)[files.QUESTION]
        assert [option["letter"] for option in asked["options"]] == list(LETTERS)
        (right,) = [option for option in asked["options"] if option["meaning"] == labels.meaning]
        assert (asked["id"], asked["answer"]) == (f"{spec.id}/choice", right["letter"])
        assert spec.things[0].name in asked["question"]


def test_without_ground_truth_nothing_is_published() -> None:
    spec, _ = of("LMC")[0]
    with pytest.raises(ValueError, match=f"{spec.id}: status 8, no label is written"):
        files.published(spec, Labels(status=Status.UNSTABLE_LABEL))


def set_to(name: str, *path: Any) -> Callable[[Files], None]:
    """Put a value into a file: `set_to("labels.json", "contact", "time", 3)`."""
    *way, last, value = path

    def change(content: Files) -> None:
        place: Any = content[name]
        for step in way:
            place = place[step]
        place[last] = value

    return change


def without(name: str, field: str) -> Callable[[Files], None]:
    return lambda content: content[name].pop(field)


FAULTS: dict[str, tuple[Callable[[Files], Any], str]] = {
    "no scene": (lambda content: content.pop("scene.json"), "scene.json: missing"),
    "no question": (lambda content: content.pop("question.json"), "question.json: missing"),
    "unknown field": (set_to("scene.json", "magic", 1), "scene.json: magic: Extra inputs"),
    "unknown shape": (set_to("scene.json", "things", 0, "shape", "cone"), "scene.json: things.0.shape: "),
    "negative size": (set_to("scene.json", "things", 0, "size", -1), "scene.json: things.0.size: "),
    "NaN": (set_to("scene.json", "things", 0, "pos", [float("nan"), 0]), "scene.json: things.0.pos.0: "),
    "no order": (set_to("scene.json", "asked", "order", [0, 0, 1, 2]), "is no order of four options"),
    "labels of another sample": (set_to("labels.json", "id", "CC/scene_00099"), "labels.json: id: "),
    "labels without an id": (without("labels.json", "id"), "labels.json: id: None"),
    "a contact without a time": (lambda content: content["labels.json"]["contact"].pop("time"), "contact.time: "),
    "an unknown meaning": (set_to("labels.json", "meaning", "explodes"), "'explodes' is said by 0 options"),
    "places of other bodies": (set_to("labels.json", "end", [[0, 0]]), "labels.json: end: 1 places"),
    "a status": (set_to("labels.json", "status", 1), "no label is written"),
    "a wrong letter": (lambda content: content["question.json"].update(answer="E"), "question.json: answer: 'E'"),
    "options in another order": (lambda content: content["question.json"]["options"].reverse(), "json: options: "),
    "options that are none": (set_to("question.json", "options", 3), "question.json: no field"),
    "a question of another sample": (set_to("question.json", "id", "CC/scene_00099/choice"), "question.json: id: "),
    "a question that is no text": (set_to("question.json", "question", 5), "question.json: question: 5 is no text"),
}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_faults_are_named(name: str) -> None:
    change, message = FAULTS[name]
    content = stored()
    change(content)
    with pytest.raises(ValueError, match=re.escape(message)):
        files.read(content)


def test_other_words_are_no_fault() -> None:
    content = stored()
    content[files.QUESTION]["question"] = "Reworded?"
    assert files.read(content) == of("CC")[0]


def test_rows_have_every_column() -> None:
    for spec, labels in drawn():
        row = columns.row(spec, labels)
        assert list(row) == list(columns.COLUMNS)
        told = {option["letter"]: option for option in row["options"]}[row["answer"]]
        assert (told["text"], told["meaning"]) == (row["outcome"], labels.meaning)
        assert row["regular"] == (spec.scenario in ("LMC-reg", "AMC-reg", "SB-reg"))
        assert {entry["name"]: entry["value"] for entry in row["measured"]} == labels.measured
        assert row["other"] == (1 if not spec.walls else len(spec.things))


def test_the_report_counts_every_scenario() -> None:
    specs, labels = zip(*drawn(), strict=True)
    found = report_data.report(specs, labels)
    assert list(found) == list(SCENARIOS)
    for name, report in found.items():
        facts = report.facts
        assert (facts["scenes"], facts["labelled"], facts["no_contact"]) == (EACH, EACH, 0)
        for counted in ("meanings", "letters", "families", "laws", "shapes", "colours"):
            assert sum(facts[counted].values()) == EACH
        assert sum(facts["contact_speed"]["counts"]) == sum(facts["contact_time"]["counts"]) == EACH
        assert json.loads(json.dumps(facts, allow_nan=False)) == facts
        assert facts["rejected_draws"] == sum(len(spec.rejected) for spec in specs if spec.scenario == name)
        assert report.picture.items


def test_a_failed_sample_is_counted_and_not_labelled() -> None:
    (first, truth), (second, _), *_ = of("LMC")
    facts = report_data.scenario_facts([(first, truth), (second, Labels(status=Status.EVENT_CAP))])
    assert (facts["scenes"], facts["labelled"], facts["status_bits"]["EVENT_CAP"]) == (2, 1, 1)
    with pytest.raises(ValueError, match="scenes: empty"):
        report_data.scenario_facts([])
