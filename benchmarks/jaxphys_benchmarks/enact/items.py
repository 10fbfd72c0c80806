"""Questions: which frames are shown, in which order, with which text and true answer (ENACT specification, 6.4).

Forward and inverse questions of one (activity, L) use the same paths. Every draw has a generator of its own, seeded by
a hash of what it is for, so that questions are the same in every process, whatever was drawn before. What an orphan
system came from is left unsaid.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxphys_benchmarks.enact import paths, prompts
from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.verdict import Asked, steps
from jaxphys_benchmarks.enact.wordings import LEGENDS, Wording

CURRENT, NEXT = "Current State", "Next State {}"
"""Labels of the images."""

NATURAL = Wording()


@dataclass(frozen=True)
class Item:
    """One question, field by field as in a question file.

    Attributes:
        id: `{task}_{type}_{hash of the frame ids}`.
        type: as `forward_world_modeling_ordering_3_steps`; the number is L, of frames.
        task_name: `{activity}_{16 digits}`.
        key_frame_ids: L ids in true order.
        images: paths relative to the folder that holds `QA/`: the current state, then the next ones as numbered.
        question: the whole text.
        gt_answer: n = L - 1 positions, from 1: of the true next frames, or actions, in the shuffled list.
        options: none are published.
    """

    id: str
    type: str
    task_name: str
    key_frame_ids: tuple[str, ...]
    images: tuple[str, ...]
    question: str
    gt_answer: tuple[int, ...]
    options: tuple[str, ...] = ()

    @property
    def inverse(self) -> bool:
        """Whether actions are ordered; only this word of the type counts."""
        return "inverse" in self.type.lower()

    @property
    def asked(self) -> Asked:
        """What an evaluator sees."""
        return Asked(self.inverse, self.key_frame_ids, self.gt_answer)

    def record(self) -> dict[str, Any]:
        """The line of a question file."""
        return {
            "id": self.id,
            "type": self.type,
            "task_name": self.task_name,
            "key_frame_ids": list(self.key_frame_ids),
            "images": list(self.images),
            "question": self.question,
            "options": list(self.options),
            "gt_answer": list(self.gt_answer),
        }

    def shown(self) -> list[tuple[str, str]]:
        """(frame id, label) of each of `images`."""
        first, *true = self.key_frame_ids
        if not self.inverse:
            true = [frame for _, frame in sorted(zip(self.gt_answer, true, strict=True))]
        return [(first, CURRENT), *((frame, NEXT.format(k)) for k, frame in enumerate(true, start=1))]


def type_of(length: int, *, inverse: bool) -> str:
    """The type of a question about this many frames."""
    return f"{'inverse' if inverse else 'forward'}_world_modeling_ordering_{length}_steps"


def digest(frames: Sequence[str]) -> str:
    """The first 8 hexadecimal digits of the SHA-256 of the frame ids joined by "_"."""
    return _hashed("_".join(frames)).hex()[:8]


def generator(*purpose: object) -> np.random.Generator:
    """The generator for a purpose, the same in every process."""
    return np.random.default_rng(list(_hashed("/".join(map(str, purpose)))))


def _hashed(text: str) -> bytes:
    # Half a surrogate pair, which JSON may hold, has no UTF-8 form.
    return hashlib.sha256(text.encode(errors="backslashreplace")).digest()


def make(
    task: str,
    frames: Sequence[str],
    episode: Episode,
    *,
    inverse: bool,
    seed: int = 42,
    wording: Wording = NATURAL,
) -> Item:
    """The question about a path.

    Args:
        task: name of the episode.
        frames: ids of the path, in true order, at least 2.
        episode: where they come from.
        inverse: which question.
        seed: of the data set.
        wording: how the actions are told.
    """
    kind = type_of(len(frames), inverse=inverse)
    name = f"{task}_{kind}_{digest(frames)}"
    verbs, noise = generator("verbs", seed, name), generator("noise", seed, wording.noise_seed, name)
    changes = [episode.change(i, j, orphans="parentless") for i, j in steps(frames)]
    true = [wording.tell(change, episode.words, verbs, noise) for change in changes]
    order = [int(k) for k in generator("shuffle", seed, name).permutation(len(true))]
    if inverse:
        listed = [true[k] for k in order]
        answer = _positions(true, listed)
    else:
        listed = true
        answer = tuple(order.index(k) + 1 for k in range(len(true)))
    folder = f"QA/images/{kind}/{task}/{name}"
    images = (f"{folder}_cur_state.png", *(f"{folder}_next_state_{k + 1}.png" for k in range(len(true))))
    text = prompts.question(listed, inverse=inverse, legend=LEGENDS[wording.encoding])
    return Item(name, kind, task, tuple(frames), images, text, answer)


def _positions(true: Sequence[str], listed: Sequence[str]) -> tuple[int, ...]:
    """Where each true text is listed, from 1; of equal texts each takes the first place that is free."""
    taken: list[int] = []
    for text in true:
        taken.append(next(k for k, other in enumerate(listed) if other == text and k not in taken))
    return tuple(k + 1 for k in taken)


def questions(
    episodes: Mapping[str, Episode],
    key_frames: Mapping[str, Sequence[str]],
    config: EnactConfig = DEFAULT,
    wording: Wording = NATURAL,
) -> Iterator[Item]:
    """All questions of a data set: by L, forward then inverse, tasks sorted by name.

    Args:
        episodes: by task.
        key_frames: ids of the key frames of each task, in the order of time.
        config: how many questions, and how paths are drawn.
        wording: how actions are told.
    """
    edges = {task: paths.edge_matrix(episodes[task], key_frames[task]) for task in sorted(episodes)}
    seed = config.qa.seed
    for length in config.qa.lengths:
        drawn = {
            task: paths.sample(
                key_frames[task],
                edge,
                length,
                config.qa.samples_per_activity_L,
                generator("paths", seed, task, length),
                attempts_factor=config.kfts.attempts_factor,
            )
            for task, edge in edges.items()
        }
        for inverse in (False, True):
            for task, found in drawn.items():
                chosen = _capped(found, config.qa.inverse_cap, seed, task, length) if inverse else found
                for frames in chosen:
                    yield make(task, frames, episodes[task], inverse=inverse, seed=seed, wording=wording)


def _capped(
    found: Sequence[tuple[str, ...]], most: int, seed: int, task: str, length: int
) -> Sequence[tuple[str, ...]]:
    """At most so many of the paths, drawn without replacement, in their order."""
    if len(found) <= most:
        return found
    kept = generator("cap", seed, task, length).choice(len(found), most, replace=False)
    return [found[int(k)] for k in sorted(kept)]
