"""Baselines as a model provider: `jaxphys/oracle`, `jaxphys/static`, ... answer without network, key or tokenizer.

A baseline is told which question is being asked by the process, not by the request: the solver announces it in
`asked`, and the provider looks up spec and labels in `source`. The messages of a baseline are the same as those of
any other model.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage
from inspect_ai.tool import ToolChoice, ToolInfo

from jaxphys_adapters.query.source import Source, load
from jaxphys_benchmarks.protocol import Answerer, Question, Spec

asked: ContextVar[tuple[Source, str] | None] = ContextVar("asked", default=None)
"""Source and id of the question under way in this task; never part of a request."""

instead: ContextVar[tuple[Spec, Any, Question] | None] = ContextVar("instead", default=None)
"""Spec, labels and question in place of those that `asked` names, where a scene has gone on since."""

CONNECTIONS = 16
"""Answers are computed in this process, so more at once would only wait for each other."""


@lru_cache(maxsize=8)
def prepared(source: Source, name: str, seed: int, options: tuple[tuple[str, Any], ...]) -> Answerer:
    """The baseline, with all scenes simulated in one batch where it can do that.

    Raises:
        ValueError: unknown name, or an option that the benchmark's baselines do not have.
    """
    scenes = load(source)
    make: Callable[..., Mapping[str, Answerer]] = scenes.benchmark.baselines
    try:
        known = make(**dict(options))
    except TypeError as error:
        raise ValueError(f"model: {error}") from error
    if name not in known:
        raise ValueError(f"model: no baseline {name!r} for {source.benchmark}; there are {', '.join(sorted(known))}")
    prepare = getattr(known[name], "prepare", None)
    if prepare is not None:
        prepare([scene.spec for scene in scenes.by_id.values()], seed)
    return known[name]


class Baseline(ModelAPI):
    """Answers with a built-in baseline of the benchmark that asks.

    `seed` is the baseline's own; further arguments are options of the benchmark's baselines, for example
    `-M sigma=0.01`.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008
        seed: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self.seed = int(seed)
        self.options = tuple(sorted(options.items()))

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The baseline's reply to the question under way."""
        question = asked.get()
        if question is None:
            raise ValueError(f"model: jaxphys/{self.model_name} answers only questions of jaxphys tasks")
        source, question_id = question
        answerer = prepared(source, self.model_name, self.seed, self.options)
        now = instead.get()
        if now is None:
            scene, asked_now = load(source).find(question_id)
            now = scene.spec, scene.labels, asked_now
        output = ModelOutput.from_content(self.model_name, answerer(*now, self.seed))
        output.usage = ModelUsage()
        return output

    def max_connections(self) -> int:
        """How many answers are under way at once."""
        return CONNECTIONS

    async def count_text_tokens(self, text: str) -> int:
        """Words, so that no tokenizer has to be fetched."""
        return len(text.split())
