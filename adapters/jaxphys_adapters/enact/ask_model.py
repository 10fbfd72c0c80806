"""`jaxphys eval enact DIR`: put the questions of a generated data set to a model, and judge its answers in both modes.

The questions go through inspect-ai by the tasks that `inspect eval jaxphys/enact_forward` and `.../enact_inverse` run.
Replies at temperature 0 are kept by inspect-ai, so that the same command takes up an interrupted run and asks nothing
twice. Answers and results are written as `jaxphys enact eval` does; baselines (`jaxphys/oracle`) need no network.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro
from rich.text import Text

from jaxphys_adapters import atomic
from jaxphys_adapters.enact.evaluate import PREFIX, SUFFIX, evaluate_file
from jaxphys_adapters.enact.folder import GRAPHS, LOGS, QUESTIONS, REPLAYED, RESULTS, check
from jaxphys_adapters.enact.qa_file import load_qa
from jaxphys_adapters.enact.store import open_store
from jaxphys_adapters.options import parse_options
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.enact.config import DEFAULT
from jaxphys_benchmarks.enact.items import Item

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

OURS = "jaxphys/"
Direction = Literal["both", "forward", "inverse"]


@dataclass(frozen=True)
class EnactAsk:
    """Ask a model the questions of a generated ENACT data set and judge its answers.

    Attributes:
        data: folder that `jaxphys generate enact` has made.
        model: as inspect-ai names it, for example openai/gpt-4o, or a baseline that needs no network: jaxphys/oracle,
            jaxphys/random, jaxphys/identity, jaxphys/text_matcher.
        out: folder for answers and results; unset: DIR/results/MODEL.
        direction: which questions are asked.
        lengths: numbers of frames that are asked about, for example 3,6,9; empty: all.
        limit: at most so many questions of each direction, the first of the file; unset: all.
        frames: folder of key frames to show instead of those of DIR, as `jaxphys enact render` writes them.
        image: send the pictures.
        image_position: before or after the text.
        temperature: of sampling; None leaves it to the provider.
        seed: of a baseline.
        max_connections: calls under way at once; unset: the provider's default.
        analyze_wrong_cases: also write signatures, error classes and hands; scores never change.
        dry_run: tell how much would be sent, and send nothing.
        base_url: address of the provider, if not its own.
        model_arg: further arguments of the provider, each as name=value; may be repeated.
    """

    data: Annotated[Path, tyro.conf.Positional]
    model: str
    out: Path | None = None
    direction: Direction = "both"
    lengths: str = ""
    limit: int | None = None
    frames: Path | None = None
    image: bool = True
    image_position: Literal["before", "after"] = DEFAULT.prompt.image_position
    temperature: float | None = DEFAULT.model.temperature
    seed: int = 0
    max_connections: int | None = None
    analyze_wrong_cases: bool = False
    dry_run: bool = False
    base_url: str | None = None
    model_arg: Annotated[tuple[str, ...], tyro.conf.UseAppendAction] = ()

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"limit: {self.limit}; give a whole number >= 1")


def run(command: EnactAsk, *, shown: bool = True) -> int:
    """Carry out the command; returns the exit code: 1 where a question got no answer.

    Args:
        command: what is asked. shown: print the tables of scores.

    Raises:
        ValueError, OSError: no data set, bad options, or results that cannot be written.
    """
    check(command.data)
    asked = chosen(command)
    if not asked:
        raise ValueError(f"{command.data / QUESTIONS}: no question fits direction and lengths")
    if command.dry_run:
        for line in estimate(asked, command.image):
            say(line)
        return 0
    replies, failed = ask(command, asked)
    out = command.out or command.data / RESULTS / safe(command.model)
    path = out / f"{PREFIX}{safe(command.model)}{SUFFIX}"
    atomic.make_folder(out)
    rows = [{**item.record(), "answer": replies[item.id]} for item in asked if item.id in replies]
    atomic.write(path, b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    for told in failed[:3]:
        say(f"no answer: {told}")
    if not rows:
        say("no call succeeded")
        return 1
    store = open_store(Path(), Path(), command.data / GRAPHS)
    evaluate_file(path, store, out, analyse=command.analyze_wrong_cases, shown=shown)
    say(f"answers and results are in {out}")
    return 1 if failed else 0


def chosen(command: EnactAsk) -> list[Item]:
    """The questions that are asked, in the order of the file.

    Raises:
        ValueError, OSError: the file cannot be read, or `lengths` are no numbers.
    """
    parts = [part.strip() for part in command.lengths.split(",") if part.strip()]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise ValueError(f"lengths: {command.lengths!r}; give numbers of frames, as 3,6,9")
    lengths = set(map(int, parts))
    found: list[Item] = []
    left = {False: command.limit, True: command.limit}
    for item in load_qa(command.data / QUESTIONS).items:
        fits = command.direction == "both" or item.inverse == (command.direction == "inverse")
        if not fits or (lengths and len(item.key_frame_ids) not in lengths):
            continue
        rest = left[item.inverse]
        if rest is None or rest > 0:
            found.append(item)
            left[item.inverse] = None if rest is None else rest - 1
    return found


def estimate(asked: Sequence[Item], image: bool) -> list[str]:
    """How much would be sent, in words."""
    pictures = sum(len(item.images) for item in asked) if image else 0
    letters = sum(len(item.question) for item in asked)
    size = DEFAULT.image_size_px
    told = f"{len(asked):,} calls with {pictures:,} pictures of {size} x {size} px and {letters:,} characters of text"
    # Four characters a token and one token per 28 x 28 px are what vision models commonly count.
    tokens = letters / 4 + pictures * (size / 28) ** 2
    return [told, f"about {tokens / 1e6:.1f} million tokens of input; nothing was sent"]


def ask(command: EnactAsk, asked: Sequence[Item]) -> tuple[dict[str, str], list[str]]:
    """Put the questions; returns the replies by id, and what was said of questions without one.

    Raises:
        ValueError: the model or its arguments are not known.
    """
    replies: dict[str, str] = {}
    failed: list[str] = []
    for inverse in (False, True):
        ids = [item.id for item in asked if item.inverse == inverse]
        if not ids:
            continue
        # Samples are read from the log as they are looked at, so it must still be there.
        with TemporaryDirectory() as folder:
            logs = folder if command.out is None else str(command.out / LOGS)
            log = _through_inspect(command, f"enact_{'inverse' if inverse else 'forward'}", ids, logs)
            if log.status != "success" and not log.samples:
                failed.append(log.error.message if log.error else f"the run ended with status {log.status}")
            for sample in log.samples or []:
                if sample.error is not None:
                    failed.append(f"{sample.id}: {sample.error.message}")
                else:
                    replies[str(sample.id)] = sample.output.completion
    return replies, failed


def _through_inspect(command: EnactAsk, task: str, ids: Sequence[str], logs: str) -> "EvalLog":
    import inspect_ai
    from inspect_ai._util.error import PrerequisiteError

    own = command.model.startswith(OURS)
    arguments: Mapping[str, Any] = {
        "questions": str(command.data / QUESTIONS),
        "pack": str(command.data / GRAPHS),
        "frames": str(command.frames or command.data / REPLAYED),
        "lengths": command.lengths,
        # Baselines see no pictures, so none are made.
        "image": command.image and not own,
        "image_position": command.image_position,
        "temperature": command.temperature,
        "seed": command.seed,
        "cache": True,
    }
    try:
        given = parse_options(command.model_arg)
    except ValueError as error:
        raise ValueError(f"model_arg: {error}") from error
    try:
        (log,) = inspect_ai.eval(
            f"jaxphys/{task}",
            model=command.model,
            model_base_url=command.base_url,
            model_args=given,
            task_args=dict(arguments),
            sample_id=list(ids),
            display="none",
            log_dir=logs,
            log_level="error",
            log_realtime=False,
            log_images=False,
            log_model_api=False,
            ctl_server=False,
            fail_on_error=False,
            max_connections=command.max_connections,
        )
    except PrerequisiteError as error:
        raise ValueError(f"model: {Text.from_markup(str(error.message)).plain}") from error
    return log


def safe(model: str) -> str:
    """The name of a model as part of a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", model.removeprefix(OURS)).strip("._") or "model"
