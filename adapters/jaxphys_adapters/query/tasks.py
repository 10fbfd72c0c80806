"""A benchmark as an inspect-ai task: arguments in, samples, solver, scorer and metrics out.

`jaxphys/_inspect.py` registers one task per benchmark with these arguments and hands in the registered solver and
scorer, because inspect-ai names things by the package that registers them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from inspect_ai import Task
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver

from jaxphys_adapters.query import images, parts
from jaxphys_adapters.query.parts import FilmAs
from jaxphys_adapters.query.policy import RetryPolicy
from jaxphys_adapters.query.samples import dataset
from jaxphys_adapters.query.settings import Settings
from jaxphys_adapters.query.source import Source, benchmark_of
from jaxphys_adapters.query.variants import split
from jaxphys_benchmarks.protocol import AskOptions

Mode = Literal["open_loop", "closed_loop"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""Whether a question is the end of the matter."""


@dataclass(frozen=True)
class Arguments:
    """What `-T name=value` may set besides the options of the benchmark.

    `extract`, `attempts` and `force_numeric` unset are as the benchmark is configured, see `filled`.

    Attributes:
        scenes, seed, data: as in `Source`.
        styles, bands: names, or "all", as in `Source`.
        image, text_only, force_numeric, enable_cot: as in `AskOptions`; `enable_cot` unset asks as published.
        extract, temperature, cache, out: as in `Settings`.
        max_image_mib: largest picture sent, base64-encoded (MiB).
        film_as, max_images: as in `Settings`. film_frames: as in `AskOptions`.
        attempts, new_conversation, timeout, max_tokens, waits, wait: as in `RetryPolicy`.
        dry_run: tell how much would be sent, as `jaxphys eval --dry-run` does, and end before anything is sent.
        mode: "open_loop" asks each question once; "closed_loop" lets the scene go on, and asks again and again.
        every, latency, until: of a closed loop (s), `latency` also "measured". execution: options of how it is run.
    """

    scenes: int = 20
    seed: int = 0
    data: str = ""
    styles: str | Sequence[str] = ""
    bands: str | Sequence[str] = ""
    image: bool = True
    text_only: bool = False
    force_numeric: bool | None = None
    enable_cot: bool | None = None
    extract: str | None = None
    temperature: float | None = 0.0
    cache: bool = True
    out: str = ""
    max_image_mib: float = 5.0
    film_frames: int = 8
    max_images: int = 32
    film_as: FilmAs = "frames"
    attempts: int | None = None
    new_conversation: bool = True
    timeout: float = 120.0
    max_tokens: int = 4096
    waits: int = 6
    wait: float = 2.0
    dry_run: bool = False
    mode: Mode = "open_loop"
    every: float = 0.2
    latency: float | str = 0.0
    until: float = 2.0
    execution: Mapping[str, Any] | None = None

    def filled(self, benchmark: str, options: Mapping[str, Any]) -> "Arguments":
        """The arguments with what is unset taken from `Benchmark.asking`; ValueError names a bad field."""
        asking = benchmark_of(self.source(benchmark, options)).asking
        unset = {field.name for field in fields(self) if getattr(self, field.name) is None}
        return replace(self, **{name: value for name, value in asking.items() if name in unset})

    def source(self, benchmark: str, options: Mapping[str, Any]) -> Source:
        """The scenes to ask about; ValueError names a bad field."""
        ask = AskOptions(
            image=self.image,
            chain_of_thought=self.enable_cot,
            force_numeric=bool(self.force_numeric),
            text_only=self.text_only,
        )
        return Source(
            benchmark=benchmark,
            scenes=self.scenes,
            seed=self.seed,
            options=json.dumps(options, sort_keys=True),
            data=self.data,
            ask=parts.limited(ask, self.film_as, self.film_frames, self.max_images),
            styles=split(self.styles),
            bands=split(self.bands),
        )

    def settings(self) -> Settings:
        """How to ask; ValueError names a bad field."""
        policy = RetryPolicy(
            attempts=RetryPolicy.attempts if self.attempts is None else self.attempts,
            new_conversation=self.new_conversation,
            timeout=self.timeout,
            max_tokens=self.max_tokens,
            waits=self.waits,
            wait=self.wait,
        )
        return Settings(
            policy=policy,
            temperature=self.temperature,
            extract=Settings.extract if self.extract is None else self.extract,
            cache=self.cache,
            out=self.out,
            image_limit=round(self.max_image_mib * images.MIB),
            film_as=self.film_as,
            max_images=self.max_images,
            loop=self._loop(),
        )

    def _loop(self) -> str:
        """Options of the closed loop; "" where there is none."""
        if self.mode not in MODES:
            raise ValueError(f"mode: {self.mode!r}; give one of {', '.join(MODES)}")
        if self.mode == "open_loop":
            return ""
        if self.styles:
            raise ValueError("styles: a closed loop asks in the plain look; leave them out")
        given = {"every": self.every, "latency": self.latency, "until": self.until}
        return json.dumps({**given, **({"execution": dict(self.execution)} if self.execution else {})}, sort_keys=True)


def build(source: Source, settings: Settings, solver: Solver, scorer: Scorer) -> Task:
    """The task.

    Raises:
        ValueError: bad source, or pictures that cannot be sent.
    """
    return Task(
        dataset=dataset(source, settings),
        solver=solver,
        scorer=scorer,
        metadata={"source": json.loads(source.to_json()), "settings": json.loads(settings.to_json())},
    )
