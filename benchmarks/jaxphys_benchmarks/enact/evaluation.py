"""A file of predictions, judged line by line in both modes side by side (ENACT specification, sections 7.5, 8 and 11).

Lines are untrusted: whatever one holds costs that line only. What the reference skips is skipped under its reasons;
`strict` counts an answer that cannot be read as wrong. Analysis is done apart, and never changes a score.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from jaxphys_benchmarks.enact import compat, hands, parsing, strict, taxonomy
from jaxphys_benchmarks.enact.aggregate import Judged, compat_report, strict_report
from jaxphys_benchmarks.enact.chains import chains
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.items import generator
from jaxphys_benchmarks.enact.verdict import Asked, Malformed, Verdict, board, steps

INVALID_JSON = "invalid_json_format"
MISSING_ID = "missing_id_field"
ALREADY = "already_evaluated"
NO_TASK = "invalid_or_missing_task_name"
NO_TRUTH = "missing_gt_answer_or_key_frames"
UNREAD = "failed_to_parse_answer"
FAILED = "evaluation_error: {}"

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Skipped:
    """A line that `compat` does not score.

    Attributes:
        line: its number, from 1. id, task_name, type: as it says, or "unknown". reason: as the reference names it.
    """

    line: int
    id: str
    task_name: str
    type: str
    reason: str


@dataclass(frozen=True)
class Scored:
    """A line that `compat` scores.

    Attributes:
        record: the line. order: its answer as `parsing.compat` read it. verdict: in mode `compat`.
        strict: in mode `strict`; None where the item's own answer is no permutation.
    """

    record: dict[str, Any]
    order: list[Any]
    verdict: Verdict
    strict: Verdict | None

    @property
    def asked(self) -> Asked:
        """The item."""
        return _asked(self.record)


@dataclass
class Evaluation:
    """The state of an evaluation; `add` takes the lines one by one.

    Attributes:
        episodes: (task name) -> its episode, None where its graphs cannot be had.
        scored, skipped: what became of the lines, in their order.
        strict: verdicts in mode `strict` by item, those on unreadable answers included.
        repairs: how many answers `compat` repaired, by kind.
    """

    episodes: Callable[[str], Episode | None]
    scored: dict[str, Scored] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    strict: dict[str, Judged] = field(default_factory=dict)
    repairs: Counter[str] = field(default_factory=Counter)

    def add(self, line: int, record: Any) -> None:
        """Judge a line.

        Args:
            line: its number, from 1.
            record: what it holds, decoded; None where it is no JSON.
        """
        if record is None:
            self._skip(line, {}, INVALID_JSON)
        elif not isinstance(record, dict):
            self._skip(line, {}, FAILED.format(f"a {type(record).__name__} where an object is needed"))
        else:
            reason = self._judge(record)
            if reason:
                self._skip(line, record, reason)

    def _judge(self, record: dict[str, Any]) -> str:
        """Score the record, or say why not."""
        name, task, kind = record.get("id"), record.get("task_name"), record.get("type")
        if not name:
            return MISSING_ID
        if not isinstance(name, str) or not (kind is None or isinstance(kind, str)):
            return FAILED.format("id and type must be texts")
        if name in self.scored:
            return ALREADY
        if not task or not isinstance(task, str) or (episode := self.episodes(task)) is None:
            return NO_TASK
        truth, frames, answer = record.get("gt_answer"), record.get("key_frame_ids"), record.get("answer", "")
        if not truth or not frames:
            return NO_TRUTH
        if not isinstance(truth, list) or not isinstance(frames, list):
            return FAILED.format("gt_answer and key_frame_ids must be lists")
        if not all(isinstance(frame, str) for frame in frames):
            return FAILED.format("key_frame_ids must be texts")
        asked = _asked(record)
        severe: Verdict | None = None
        with suppress(Malformed):
            severe = strict.judge(asked, parsing.strict(answer), episode)
            self.strict.setdefault(name, Judged(kind or "", severe.steps, severe))
        order = parsing.compat(answer, len(truth))
        if order is None:
            return UNREAD
        try:
            lenient = compat.judge(asked, order, episode)
        except Malformed as error:
            return FAILED.format(error)
        self.scored[name] = Scored(record, order, lenient, severe)
        self.repairs.update(parsing.repairs(answer, len(truth)))
        return ""

    def _skip(self, line: int, record: dict[str, Any], reason: str) -> None:
        name, task, kind = (str(record.get(key) or UNKNOWN)[:200] for key in ("id", "task_name", "type"))
        self.skipped.append(Skipped(line, name, task, kind, reason))

    def report(self) -> dict[str, Any]:
        """The reference's report: see `aggregate.compat_report`."""
        return compat_report(
            [Judged(one.record.get("type") or "", one.verdict.steps, one.verdict) for one in self.scored.values()]
        )

    def report_strict(self) -> dict[str, Any]:
        """See `aggregate.strict_report`."""
        return strict_report(list(self.strict.values()))

    def errors(self, group_of_contains: str = "Material") -> dict[str, Any]:
        """Error classes and hands over all answers of the right length, by direction, ready for JSON.

        Args:
            group_of_contains: semantic group of Contains.
        """
        compared: dict[str, list[taxonomy.Compared]] = {"forward": [], "inverse": []}
        items = Counter[str]()
        for one in self.scored.values():
            direction, episode = "inverse" if one.asked.inverse else "forward", self._episode(one)
            found = chains(one.asked, one.order)
            try:
                pairs = found.signatures(episode) if found else []
            except KeyError:
                continue
            items[direction] += bool(found)
            compared[direction] += [taxonomy.compare(*pair) for pair in pairs]
        return {
            direction: {
                "items": items[direction],
                "taxonomy": taxonomy.table(some, group_of_contains),
                "hands": hands.table(some),
            }
            for direction, some in compared.items()
        }

    def analysis(self, one: Scored) -> dict[str, Any]:
        """The signatures and sentences of an answer and of the truth; lists are empty where there are none.

        Args:
            one: a scored line.
        """
        episode, asked, record = self._episode(one), one.asked, one.record
        equal = len(one.order) == len(asked.truth)
        found = chains(asked, one.order)
        true = steps(asked.frames)
        given: Sequence[tuple[str, str]] = found.given if found else _along(asked, one.order)
        return {
            "id": record["id"],
            "type": record.get("type"),
            "task_name": record["task_name"],
            "key_frame_ids": record["key_frame_ids"],
            "gt_answer": record["gt_answer"],
            "parsed_answer": one.order,
            "raw_answer": record.get("answer", ""),
            "eval_metrics": one.verdict.metrics(),
            "equal_length": equal,
            "correct_signatures": _signatures(episode, true),
            "input_signatures": _signatures(episode, given) if equal else [],
            "correct_natural_language": _texts(episode, true, record["id"]),
            "input_natural_language": _texts(episode, given, record["id"]),
        }

    def judged_on(self) -> list[tuple[str, Episode]]:
        """Names and episodes of the tasks of all scored lines, sorted."""
        tasks = {one.record["task_name"]: one for one in self.scored.values()}
        return [(task, self._episode(tasks[task])) for task in sorted(tasks)]

    def _episode(self, one: Scored) -> Episode:
        episode = self.episodes(one.record["task_name"])
        assert episode is not None, "a scored line has an episode"
        return episode


def _asked(record: dict[str, Any]) -> Asked:
    kind = record.get("type") or ""
    return Asked("inverse" in kind.lower(), tuple(record["key_frame_ids"]), tuple(record["gt_answer"]))


def _along(asked: Asked, order: Sequence[Any]) -> list[tuple[str, str]]:
    """The steps along answered frames of an answer of another length; none inverse, or where a frame does not exist."""
    if asked.inverse:
        return []
    try:
        places = board(asked.frames, asked.truth)
        return steps([places[0], *(places[position] for position in order)])
    except (LookupError, TypeError, Malformed):
        return []


def _signatures(episode: Episode, pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
    try:
        return [sorted(episode.partial_free(*pair)) for pair in pairs]
    except KeyError:
        return []


def _texts(episode: Episode, pairs: Sequence[tuple[str, str]], name: str) -> list[str]:
    try:
        return [episode.sentences(*pair, generator("analysis", name, *pair), orphans="parentless") for pair in pairs]
    except KeyError:
        return []
