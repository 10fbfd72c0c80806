"""What `jaxphys eval` and `jaxphys score` can be told: frozen records, checked when they are made.

Nothing heavy is imported here, so a command line can be built from these classes without inspect-ai.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

Extractor = Literal["paper", "robust", "lenient"]
FilmAs = Literal["frames", "video"]
Mode = Literal["open_loop", "closed_loop"]


@dataclass(frozen=True)
class EvalOptions:
    """Ask a model the questions of a benchmark and score its answers.

    Attributes:
        benchmark: name of the benchmark: billiardphys, inphyre, reacthuman, or enact, which has options of its own:
            `jaxphys eval enact --help`.
        model: as inspect-ai names it, for example openai/gpt-4o, or a baseline of the benchmark that needs no network:
            jaxphys/oracle and others, for example jaxphys/static (billiardphys) or jaxphys/always_dodge (reacthuman).
        scenes: how many scenes in all, spread evenly over the groups (windows); unset: 20, or all of `data`.
        seed: of the scenes.
        windows: prediction windows (s), where the benchmark has them, for example 1,2,3; empty: all.
        option: further options of the benchmark, each as name=value; may be repeated.
        styles: further looks in which every scene is asked about, for example mirror_x,permuted_ids,text_only, or
            all; reported are the score in each and how often the answer is the same as to the plain look.
        bands: variants of every scene that are asked about in its place, for example slow,fast, or all; reported are
            the score in each, whole groups, and whether answers change where the truth does.
        data: ask about the scenes of this generated data set instead of drawing new ones.
        out: folder for answers, metrics and logs; a run that is repeated with the same folder resumes.
        json: print one JSON object as the last line.
        extract: how replies are read for the reported metrics, and what decides whether to ask again;
            unset: as the benchmark is configured, like `force_numeric` and `attempts`.
        enable_cot: ask for reasoning before the answer in every task or in none; unset: as published.
        force_numeric: demand a number where the published format allows null.
        image: attach the picture.
        text_only: give positions as text and no picture.
        max_tokens: of a reply; doubled after a truncated one.
        timeout: of one call (s); doubled with every attempt.
        temperature: of sampling; None leaves it to the provider.
        attempts: questions put before giving up.
        waits: how often a rate limit or a broken server is waited for, per attempt.
        wait: first such wait (s), doubled each time.
        new_conversation: repeat the question afresh instead of pointing out the mistake.
        max_connections: calls under way at once; unset: the provider's default.
        cache: keep replies at temperature 0 and use them again.
        max_image_mib: largest picture sent, base64-encoded (MiB); larger ones are shrunk.
        film_frames: stills of each film that a question shows.
        max_images: most pictures in one question; films get fewer stills until they fit.
        film_as: send films as stills, or each as one MP4 file to models that take video.
        dry_run: tell how much would be sent, and send nothing.
        base_url: address of the provider, if not its own.
        model_arg: further arguments of the provider, each as name=value; may be repeated.
        mode: open_loop asks each question once. closed_loop, where the benchmark has a robot, lets it carry the answer
            out and asks again and again, with what it sees by then; needs the extra `humanoid`.
        every: closed loop: time between two questions about a scene (s).
        latency: closed loop: simulated time from what is seen until the answer takes effect (s), or measured: as long
            as the answer takes.
        until: closed loop: last time at which is asked, from the first question (s).
        execution: further options of how plans are carried out, each as name=value, for example policy=teacher; may be
            repeated.
    """

    benchmark: Annotated[str, tyro.conf.Positional]
    model: str
    scenes: int | None = None
    seed: int = 0
    windows: str = ""
    option: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    styles: str = ""
    bands: str = ""
    data: Path | None = None
    out: Path | None = None
    json: bool = False
    extract: Annotated[Extractor | None, tyro.conf.DisallowNone] = None
    enable_cot: Annotated[bool | None, tyro.conf.DisallowNone] = None
    force_numeric: Annotated[bool | None, tyro.conf.DisallowNone] = None
    image: bool = True
    text_only: bool = False
    max_tokens: int = 4096
    timeout: int = 120
    temperature: float | None = 0.0
    attempts: Annotated[int | None, tyro.conf.DisallowNone] = None
    waits: int = 6
    wait: float = 2.0
    new_conversation: bool = True
    max_connections: int | None = None
    cache: bool = True
    max_image_mib: float = 5.0
    film_frames: int = 8
    max_images: int = 32
    film_as: FilmAs = "frames"
    dry_run: bool = False
    base_url: str | None = None
    model_arg: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    mode: Mode = "open_loop"
    every: float = 0.2
    latency: float | Literal["measured"] = 0.0
    until: float = 2.0
    execution: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()


@dataclass(frozen=True)
class CompareOptions:
    """Compare runs on the questions that all of them were asked.

    Attributes:
        runs: folders written by `jaxphys eval --out` or `jaxphys score --out`, of one benchmark; each is compared with
            the first.
        json: print one JSON object as the last line.
    """

    runs: Annotated[tuple[Path, ...], tyro.conf.Positional]
    json: bool = False


@dataclass(frozen=True)
class ScoreOptions:
    """Score answers obtained elsewhere.

    Attributes:
        benchmark: name of the benchmark: billiardphys, inphyre or reacthuman; answers to enact are judged by `jaxphys
            enact eval`.
        data: the generated data set that was asked about.
        answers: a file with one JSON object per line, {"id": "<scene>/<task>", "reply": "..."} or
            {"scene": ..., "task": ..., "reply" or "answer": ...}; a .json file with a list of them, or a .csv or .tsv
            table; or a folder written by `jaxphys eval --out`. Some benchmarks also read decision records and people's
            answers, see their pages.
        scenes: how many scenes were asked about, the first of each group, then the second, ...; 0: all.
        option: options of the benchmark that were asked with, as `jaxphys eval --option`.
        styles: looks that were asked about besides the plain one, as `jaxphys eval --styles`.
        bands: variants that were asked about, as `jaxphys eval --bands`.
        model: name shown with the score; unset: as the folder of an evaluation or the file says. Of a file with answers
            of several models or people it takes one; unset: all, side by side.
        json: print one JSON object as the last line.
        extract: how replies are read for the reported metrics; unset: as the benchmark is configured.
        out: folder for metrics, scores and decisions; of several models or people, one folder in it for each.
    """

    benchmark: Annotated[str, tyro.conf.Positional]
    data: Path
    answers: Path
    scenes: int = 0
    option: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()
    styles: str = ""
    bands: str = ""
    model: str = ""
    json: bool = False
    extract: Annotated[Extractor | None, tyro.conf.DisallowNone] = None
    out: Path | None = None
