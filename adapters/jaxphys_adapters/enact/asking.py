"""ENACT questions as inspect-ai samples: images and text in, a reply judged in both modes out.

Any question file will do, ours or an imported one, with a pack or the folders of its graphs. Images come in the order
of `images`, before the text unless told otherwise; the text is the item's own. Given a folder of key frames, images are
made of them when a question is put, with their labels burnt in, and kept nowhere. Samples never carry the true answer
or the graphs: the solver and the scorer look them up by id. `samples`, `solve`, `score` and `tally` are the parts of
the tasks `jaxphys/enact_forward` and `jaxphys/enact_inverse`.
"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import CachePolicy, ChatMessageUser, Content, ContentImage, ContentText, ModelOutput
from inspect_ai.scorer import SampleScore, Score
from inspect_ai.solver import Generate, TaskState

from jaxphys_adapters.enact import images
from jaxphys_adapters.enact.qa_file import load_qa, shortened
from jaxphys_adapters.enact.store import Episodes, open_store
from jaxphys_adapters.progress import say
from jaxphys_benchmarks.enact import compat, parsing, strict
from jaxphys_benchmarks.enact.aggregate import DIRECTIONS, Judged, compat_report, strict_report
from jaxphys_benchmarks.enact.baselines import baselines
from jaxphys_benchmarks.enact.config import DEFAULT
from jaxphys_benchmarks.enact.items import Item
from jaxphys_benchmarks.enact.verdict import Verdict

MODES = ("compat", "strict")
OURS = "jaxphys"
"""Provider of models that are built-in baselines."""


@dataclass(frozen=True)
class Asking:
    """What is asked, and how: the arguments of the tasks.

    Attributes:
        questions: question file. images: folder that holds its `QA/`; found from the file's place if empty.
        pack: pack of graphs. segmented, replayed: the folders that are read without one.
        lengths: numbers of frames that are asked about, as "3,6,9" or [3, 6, 9]; all if empty. Kept as text.
        frames: folder of unlabelled key frames, `{task}/{sensor}/%05d.png`, that images are made of; the files that the
            questions name are not needed then.
        image: send the images. image_position: before or after the text.
        temperature: of the model; None leaves it to its provider.
        baseline: name of a built-in answerer that is asked instead of the model; none if empty.
        seed: of the baseline.
        cache: replies are kept by inspect-ai, and a question that was answered before is not asked again.
    """

    questions: str = "data/QA/enact_ordering.jsonl"
    images: str = ""
    pack: str = ""
    segmented: str = "data/segmented_activities"
    replayed: str = "data/replayed_activities"
    frames: str = ""
    lengths: str | int | Sequence[int] = ""
    image: bool = True
    image_position: Literal["before", "after"] = DEFAULT.prompt.image_position
    temperature: float | None = DEFAULT.model.temperature
    baseline: str = ""
    seed: int = 0
    cache: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        if self.image_position not in ("before", "after"):
            raise ValueError(f"image_position: {self.image_position!r}; choose 'before' or 'after'")
        if self.baseline and self.baseline not in baselines():
            raise ValueError(f"baseline: {self.baseline!r} is none of {', '.join(baselines())}")
        told = self.lengths
        text = told if isinstance(told, str) else ",".join(map(str, [told] if isinstance(told, int) else told))
        if not all(part.strip().isdigit() for part in text.split(",") if text):
            raise ValueError(f"lengths: {told!r}; give numbers of frames, as 3,6,9")
        object.__setattr__(self, "lengths", text)

    @property
    def root(self) -> Path:
        """The folder that image paths are relative to."""
        folder = Path(self.questions).parent
        return Path(self.images) if self.images else folder.parent if folder.name == "QA" else folder

    def to_json(self) -> str:
        """All fields, for the log."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Asking":
        """Back from `to_json`."""
        return cls(**json.loads(text))


@dataclass(frozen=True)
class Loaded:
    """The questions of a file by id, and the episodes that they are about."""

    items: Mapping[str, Item]
    episodes: Episodes


@lru_cache(maxsize=4)
def load(asking: Asking) -> Loaded:
    """Read the questions and open the graphs; lines of the file that are odd or cannot be used are told.

    Raises:
        ValueError, OSError: a file is missing or broken, or the graphs of a question cannot be had.
    """
    lengths = {int(part) for part in str(asking.lengths).split(",") if part.strip()}
    found = load_qa(Path(asking.questions))
    for odd in shortened(found):
        say(odd)
    items = {item.id: item for item in found.items if not lengths or len(item.key_frame_ids) in lengths}
    named: dict[str, set[str]] = {}
    for item in items.values():
        named.setdefault(item.task_name, set()).update(item.key_frame_ids)
    store = open_store(Path(asking.segmented), Path(asking.replayed), Path(asking.pack) if asking.pack else None)
    episodes = Episodes(store, named)
    for task in named:
        if episodes(task) is None:
            raise ValueError(f"questions: the graphs of {task} cannot be had; {'; '.join(store.problems[:3])}")
    return Loaded(items, episodes)


def samples(asking: Asking, *, inverse: bool) -> MemoryDataset:
    """The questions of one direction.

    Args:
        asking: what is asked.
        inverse: which direction.

    Raises:
        ValueError: there is no such question, or an image is missing; or as `load`.
    """
    items = [item for item in load(asking).items.values() if item.inverse == inverse]
    if not items:
        raise ValueError(f"questions: {asking.questions} has no {'inverse' if inverse else 'forward'} question to ask")
    if asking.image:
        _check_images(items, asking)
    return MemoryDataset([_sample(item, asking) for item in items], name=Path(asking.questions).stem)


def _check_images(items: Sequence[Item], asking: Asking) -> None:
    if asking.frames:
        wanted = {(item.task_name, frame) for item in items for frame in item.key_frame_ids}
        root = Path(asking.frames)
        absent = [pair for pair in sorted(wanted) if not _frame_file(root, *pair).is_file()]
        if absent:
            raise ValueError(
                f"frames: {root} lacks {len(absent)} key frames, first {_frame_file(root, *absent[0])}; draw them with "
                "`jaxphys enact render`, or ask with image=false"
            )
        return
    missing = [path for item in items for path in item.images if not (asking.root / path).is_file()]
    if missing:
        raise ValueError(
            f"images: {asking.root} lacks {len(missing)} images, first {missing[0]}; name the folder of QA/, "
            "or ask with image=false"
        )


def _frame_file(root: Path, task: str, frame: str) -> Path:
    return root / task / DEFAULT.sensor / f"{int(frame) if frame.isdecimal() else 0:05d}.png"


def _sample(item: Item, asking: Asking) -> Sample:
    # Images of key frames are made when the question is put: thousands of them would fill the memory.
    files = [asking.root / path for path in item.images if asking.image and not asking.frames]
    content = _content(item, [ContentImage(image=str(path)) for path in files], asking)
    return Sample(input=[ChatMessageUser(content=content)], id=item.id, metadata={"type": item.type})


def _content(item: Item, pictures: Sequence[ContentImage], asking: Asking) -> list[Content]:
    text: list[Content] = [ContentText(text=item.question)]
    return [*pictures, *text] if asking.image_position == "before" else [*text, *pictures]


def shown(item: Item, asking: Asking) -> list[ContentImage]:
    """The images of a question, made of key frames.

    Raises:
        ValueError: a key frame is missing or no picture.
    """
    picture = images.recorded(Path(asking.frames))
    found = []
    for frame, label in item.shown():
        drawn = picture(item.task_name, frame)
        if drawn is None:
            raise ValueError(f"frames: {_frame_file(Path(asking.frames), item.task_name, frame)} is no picture")
        coded = b64encode(images.png(images.labelled(drawn, label))).decode()
        found.append(ContentImage(image=f"data:image/png;base64,{coded}"))
    return found


async def solve(state: TaskState, generate: Generate, asking: Asking) -> TaskState:
    """Ask the model, or the baseline, which may also be the model: `jaxphys/oracle`.

    Args:
        state: of the sample. generate: asks the model. asking: what is asked.

    Raises:
        ValueError: there is no such baseline.
    """
    name = asking.baseline or (state.model.name if state.model.api == OURS else "")
    if not name:
        if asking.image and asking.frames:
            item = load(asking).items[str(state.sample_id)]
            state.messages = [ChatMessageUser(content=_content(item, shown(item, asking), asking))]
        options: dict[str, Any] = {}
        if asking.temperature is not None:
            options["temperature"] = asking.temperature
        if asking.cache:
            # Replies never grow old, and equal questions have equal replies.
            options["cache"] = CachePolicy(expiry=None, per_epoch=False)
        return await generate(state, **options)
    if name not in baselines():
        raise ValueError(f"model: {OURS}/{name} is none of {', '.join(f'{OURS}/{own}' for own in baselines())}")
    reply = baselines()[name](load(asking).items[str(state.sample_id)], asking.seed)
    state.output = ModelOutput.from_content(name, reply)
    return state


async def score(state: TaskState, asking: Asking) -> Score:
    """Judge the reply in both modes; values of `compat` are 0 where its reading finds no order.

    Args:
        state: of the sample. asking: what is asked.
    """
    loaded = load(asking)
    item, reply = loaded.items[str(state.sample_id)], state.output.completion
    episode = loaded.episodes(item.task_name)
    assert episode is not None, "checked when the questions were loaded"
    order = parsing.compat(reply, len(item.gt_answer))
    lenient = None if order is None else compat.judge(item.asked, order, episode)
    severe = strict.judge(item.asked, parsing.strict(reply), episode)
    judged = {"compat": lenient, "strict": severe}
    values: dict[str, Any] = {}
    for mode, verdict in judged.items():
        values[f"{mode}_task_accuracy"] = float(verdict is not None and verdict.accepted)
        values[f"{mode}_pairwise_accuracy"] = 0.0 if verdict is None else verdict.pairwise
    return Score(
        value=values,
        answer=None if order is None else str(order),
        explanation=severe.reason or ("accepted" if severe.accepted else "not accepted"),
        metadata={
            "type": item.type,
            **{mode: None if verdict is None else asdict(verdict) for mode, verdict in judged.items()},
        },
    )


def tally(scores: Sequence[SampleScore]) -> dict[str, float]:
    """Metrics over all samples: of `strict`, of `compat`, by number of frames, and the level of chance.

    Args:
        scores: of `score`.

    Returns:
        `strict/task_accuracy` first; `compat/skipped` counts replies that `compat` leaves out.
    """
    rows: dict[str, list[Judged]] = {mode: [] for mode in MODES}
    for one in scores:
        told = one.score.metadata or {}
        for mode in MODES:
            if told.get(mode) is not None:
                verdict = Verdict(**told[mode])
                rows[mode].append(Judged(told["type"], verdict.steps, verdict))
    found: dict[str, float] = {}
    for mode, report in (("strict", strict_report(rows["strict"])), ("compat", compat_report(rows["compat"]))):
        overall = report.get("overall", {})
        sections = {"": overall, **{f"/{length}": some for length, some in overall.get("per_step", {}).items()}}
        for name, numbers in sections.items():
            # The number of items comes last: what stands first is shown while a run is under way.
            plain = sorted(numbers.items(), key=lambda one: one[0] == "count")
            found |= {f"{mode}{name}/{key}": float(n) for key, n in plain if isinstance(n, int | float)}
            found |= {f"chance{name}/{key}": float(n) for key, n in numbers.get("chance", {}).items()}
    found["compat/skipped"] = float(len(rows["strict"]) - len(rows["compat"]))
    return found


def directions() -> dict[str, bool]:
    """Names of the tasks, and whether they are inverse."""
    return {f"enact_{word}": word == "inverse" for word in DIRECTIONS.values()}
