"""How the questions on the report page were put: told from the records of each run, else as they are put by default.

Runs may differ in how they ask, for example in the number of exemplars. Models that got the same question are shown
below it together. A picture appears only if drawing it again gives the file whose hash was recorded.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jaxphys_adapters import layout, report_prompt
from jaxphys_adapters import report_parts as html
from jaxphys_adapters.query import replay
from jaxphys_adapters.query.parts import FILM_AS, FilmAs
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_adapters.query.records import RUN
from jaxphys_adapters.query.retrieval import retrieving
from jaxphys_adapters.report_results import Results
from jaxphys_benchmarks.protocol import AskOptions, Benchmark, Question, Spec


@dataclass(frozen=True)
class Way:
    """A way to ask: the benchmark with the options of a run, its pictures, and how its questions are put."""

    benchmark: Benchmark
    pictures: Pictures
    ask: AskOptions
    film_as: FilmAs = "frames"

    def files(self, spec: Spec, task: str) -> dict[str, bytes]:
        """Pictures of a question by hash."""
        asked = [question for question in self.benchmark.ask(spec, self.ask) if question.task == task]
        return replay.draw(self.pictures, asked[0], self.film_as) if asked else {}


class Asked:
    """The ways in which the results of a page were asked for."""

    def __init__(self, benchmark: Benchmark, options: Mapping[str, Any]) -> None:
        """`options` are those of the data set."""
        pictures = Pictures(benchmark)
        self.default = Way(benchmark, pictures, retrieving(benchmark, pictures, AskOptions()))
        self._options = options
        self._ways: dict[str, Way | None] = {}

    def questions(self, spec: Spec) -> Sequence[Question]:
        """The questions about a scene as they are put by default."""
        return self.default.benchmark.ask(spec, self.default.ask)

    def shown(self, spec: Spec, question: Question, results: Sequence[Results]) -> list[tuple[str, list[Results]]]:
        """What was asked, as HTML, and who was asked just that; who left no record of it comes last."""
        groups: dict[str, tuple[dict[str, Any], list[Results]]] = {}
        silent = []
        for one in results:
            record = one.record(question.id)
            if record is None or not isinstance(record.get("parts"), list):
                silent.append(one)
            else:
                groups.setdefault(json.dumps(record["parts"]), (record, []))[1].append(one)
        found = []
        for record, asked in groups.values():
            way = self._way(asked[0])
            try:
                body = report_prompt.recorded(record, {} if way is None else way.files(spec, question.task))
            except (ValueError, TypeError) as error:
                body = f'<p class="note">{html.esc(error)}</p>'
            found.append((body, asked))
        if silent or not found:
            found.append((report_prompt.prompt(self.default.pictures, spec, question), silent))
        return found

    def _way(self, one: Results) -> Way | None:
        """How a run asked; None where its record does not tell."""
        from jaxphys_benchmarks import registry

        try:
            run = layout.read_json(one.root / RUN)
            key = json.dumps(run, sort_keys=True)
            if key not in self._ways:
                options = run.get("options")
                own = options if isinstance(options, dict) else {}
                benchmark = registry.get(self.default.benchmark.name, **{**self._options, **own})
                pictures = Pictures(benchmark)
                ask = retrieving(benchmark, pictures, replay.ask_options(run))
                film_as = FILM_AS[run.get("arguments", {}).get("film_as") == FILM_AS[1]]
                self._ways[key] = Way(benchmark, pictures, ask, film_as)
            return self._ways[key]
        except (ValueError, TypeError, AttributeError):
            return None
