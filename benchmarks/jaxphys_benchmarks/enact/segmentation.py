"""Key frames of an episode, in two profiles (ENACT specification, sections 6.1 and 6.2).

`release` follows the released data: a key frame where the cosine of whole graphs has fallen, at least 200 frames after
the last one. `paper` follows the paper: a key frame where a change begins that lasts, unlike the change before.
"""

from collections.abc import Callable, Sequence

import numpy as np

from jaxphys_benchmarks.enact import segmentation_compiled as compiled
from jaxphys_benchmarks.enact.config import Segmentation
from jaxphys_benchmarks.enact.facts import BoolArray, Fact

WordArray = compiled.WordArray
IntArray = compiled.IntArray


def key_frames(
    ids: Sequence[int],
    facts: BoolArray,
    settings: Segmentation | None = None,
    kinds: Sequence[int] | None = None,
) -> tuple[int, ...]:
    """Ids of the key frames.

    Profile `release` finds none in an episode without a first key frame: of fewer than 60 frames, by default.

    Args:
        ids: ids of the T frames, rising; gaps are measured in them.
        facts: bool[T, K].
        settings: profile and thresholds; None for the defaults.
        kinds: K numbers from 0: facts of one number are one component of the vector of a change in profile `paper`
            (`kinds_of` gives those of the words). Without them each fact is its own, and no two successive changes are
            alike, for what was just gained can only be lost.

    Raises:
        ValueError: the shapes do not fit, or the ids do not rise.
    """
    settings = settings or Segmentation()
    places = np.asarray(ids, np.int64)
    if facts.ndim != 2 or places.shape != facts.shape[:1]:
        raise ValueError(f"{len(ids)} ids do not fit facts of shape {facts.shape}, which must be (frames, facts)")
    if np.any(np.diff(places) <= 0):
        raise ValueError("ids of frames must rise")
    kind = np.arange(facts.shape[1]) if kinds is None else np.asarray(kinds, np.int64)
    if kind.shape != facts.shape[1:]:
        raise ValueError(f"{len(kind)} kinds do not fit {facts.shape[1]} facts")
    x = pack_words(facts)
    compiled.smooth(x, settings.transient.window, settings.transient.stride)
    return tuple(places[PROFILES[settings.profile](x, places, kind, settings)].tolist())


def kinds_of(vocabulary: Sequence[Fact], words: Callable[[str], str]) -> tuple[int, ...]:
    """Numbers of facts, equal where names have equal words and states are equal.

    Args:
        vocabulary: facts.
        words: of a name.
    """
    numbers: dict[tuple[str, ...], int] = {}
    return tuple(
        numbers.setdefault((*(words(name) for name in names), state), len(numbers)) for *names, state in vocabulary
    )


def pack_words(facts: BoolArray) -> WordArray:
    """bool[T, K] to uint64[T, W], W = max(1, ceil(K / 64)); fact k is bit k % 64 of word k // 64.

    Args:
        facts: bool[T, K].
    """
    frames, size = facts.shape
    padded = np.zeros((frames, max(1, -(-size // compiled.WORD)) * compiled.WORD // 8), np.uint8)
    packed = np.packbits(facts, axis=1, bitorder="little")
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8")


def _release(x: WordArray, ids: IntArray, kind: IntArray, settings: Segmentation) -> IntArray:
    release = settings.release
    first = release.skip_first + release.warmup - 1
    if first >= len(x):
        return np.empty(0, np.int64)
    out = np.empty(len(x), np.int64)
    out[0] = first
    count = compiled.scan_release(x, ids, first, release.sim_max, release.min_gap, release.settle, out[1:])
    return out[: count + 1]


def _paper(x: WordArray, ids: IntArray, kind: IntArray, settings: Segmentation) -> IntArray:
    if not len(x):
        return np.empty(0, np.int64)
    out = np.zeros(len(x) + 1, np.int64)
    marks = np.zeros((2, 2, int(kind.max(initial=0)) + 1), np.uint64)
    lasting = _lasting(x, settings.paper.persist_frames)
    count = compiled.scan_paper(x, lasting, kind, settings.paper.cos_max, marks, out[1:])
    return out[: count + 1]


def _lasting(x: WordArray, frames: int) -> WordArray:
    """uint64[T - frames + 1, W]: which facts have one value in `frames` frames from t on."""
    windows = max(0, len(x) - frames + 1)
    same = ~(x[1:] ^ x[:-1])
    lasting = np.full((windows, x.shape[1]), ~np.uint64(0))
    for k in range(frames - 1):
        lasting &= same[k : k + windows]
    return lasting


PROFILES: dict[str, Callable[[WordArray, IntArray, IntArray, Segmentation], IntArray]] = {
    "release": _release,
    "paper": _paper,
}
