"""The loops over frames of segmentation, compiled: facts are bits of 64-bit words, nothing is allocated.

Everything is in one module, because what is kept on disk is made anew only when its own module changes.
"""

import math

import numpy as np
from numpy.typing import NDArray

from jaxphys_kernels.compiled_runtime import jit_entry, jit_inline

WordArray = NDArray[np.uint64]
IntArray = NDArray[np.int64]

WORD = 64
"""Bits of a word."""

_M1, _M2, _M4 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM = np.uint64(0x0101010101010101)
_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@jit_inline
def _bits(word: np.uint64) -> np.int64:
    """How many bits of a word are set."""
    word = word - ((word >> _1) & _M1)
    word = (word & _M2) + ((word >> _2) & _M2)
    word = (word + (word >> _4)) & _M4
    return np.int64((word * _SUM) >> _56)


@jit_inline
def _common(a: WordArray, b: WordArray) -> np.int64:
    """How many bits two rows have in common."""
    count = np.int64(0)
    for k in range(a.shape[0]):
        count += _bits(a[k] & b[k])
    return count


@jit_inline
def _cosine(common: np.int64, a: np.int64, b: np.int64) -> float:
    """Of two sets, by their sizes; 1 where one is empty. The product of the roots is what the data were cut with."""
    if a == 0 or b == 0:
        return 1.0
    return common / (math.sqrt(a) * math.sqrt(b))


@jit_entry
def smooth(x: WordArray, window: int, stride: int) -> None:
    """Take out, in place, what flickers for less than `window` frames (ENACT specification, section 6.1, step 1).

    Args:
        x: uint64[T, W], facts.
        window: frames.
        stride: frames from one base to the next.
    """
    frames, words = x.shape
    for base in range(0, frames, stride):
        for width in range(2, min(window, frames - base)):
            for t in range(base + 1, base + width):
                for k in range(words):
                    first, last = x[base, k], x[base + width, k]
                    x[t, k] = (x[t, k] | (first & last)) & (first | last)


@jit_entry
def scan_release(
    x: WordArray, ids: IntArray, start: int, sim_max: float, min_gap: int, settle: int, out: IntArray
) -> int:
    """Places of the key frames after the first one (section 6.1, steps 3 and 4).

    Args:
        x: uint64[T, W], smoothed facts.
        ids: int64[T], by which gaps are measured.
        start: place of the first key frame.
        sim_max: cosine below which a scene has changed.
        min_gap: exceeded by the distance of key frames.
        settle: from the candidate to the key frame.
        out: int64[T], filled with places.

    Returns:
        How many there are.
    """
    count, ref, candidate = 0, start, -1
    size = _common(x[ref], x[ref])
    for t in range(start + 2, x.shape[0] - 1):
        if ids[t] - ids[ref] <= min_gap:
            continue
        if not _cosine(_common(x[ref], x[t]), size, _common(x[t], x[t])) < sim_max:
            continue
        if candidate < 0:
            candidate = t
        elif ids[t] >= ids[candidate] + settle:
            out[count] = t
            count += 1
            ref, candidate = t, -1
            size = _common(x[ref], x[ref])
    if candidate >= 0:
        out[count] = candidate
        count += 1
    return count


@jit_inline
def _lasts(before: WordArray, now: WordArray, lasting: WordArray) -> bool:
    """Whether something has changed, and all of it lasts."""
    changed = False
    for k in range(now.shape[0]):
        change = before[k] ^ now[k]
        if change & ~lasting[k]:
            return False
        changed = changed or change != 0
    return changed


@jit_inline
def _mark(before: WordArray, now: WordArray, kind: IntArray, marks: WordArray) -> None:
    """Mark the kinds of facts that were lost (row 0) and gained (row 1)."""
    marks[:] = 0
    for fact in range(kind.shape[0]):
        place = np.uint64(fact % WORD)
        is_on = (now[fact // WORD] >> place) & _1
        if is_on != (before[fact // WORD] >> place) & _1:
            marks[np.int64(is_on), kind[fact]] = 1


@jit_entry
def scan_paper(
    x: WordArray, lasting: WordArray, kind: IntArray, cos_max: float, marks: WordArray, out: IntArray
) -> int:
    """Places of the key frames after the first frame (section 6.2).

    Args:
        x: uint64[T, W], smoothed facts.
        lasting: uint64[S, W], S <= T: which facts keep the value that they have in frame t for as long as they must.
        kind: int64[K]: facts of one kind are one component of the vector of a change.
        cos_max: cosine of two successive changes below which the second is new.
        marks: uint64[2, 2, kinds], room for two changes.
        out: int64[T], filled with places.

    Returns:
        How many there are.
    """
    count, ref, now, size = 0, 0, 0, np.int64(0)
    for t in range(1, lasting.shape[0]):
        if not _lasts(x[ref], x[t], lasting[t]):
            continue
        _mark(x[ref], x[t], kind, marks[now])
        changed, same = np.int64(0), np.int64(0)
        for side in range(2):
            for k in range(marks.shape[2]):
                changed += np.int64(marks[now, side, k])
                same += np.int64(marks[now, side, k] & marks[1 - now, side, k])
        if count > 0 and not _cosine(same, changed, size) < cos_max:
            continue
        out[count] = t
        count += 1
        ref, now, size = t, 1 - now, changed
    return count
