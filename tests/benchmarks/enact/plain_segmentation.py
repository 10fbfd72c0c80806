"""Segmentation frame by frame, with sets: the rules as they are told, for comparison."""

import math

import numpy as np

Facts = list[set[int]]


def rows(facts: np.ndarray) -> Facts:
    return [set(np.flatnonzero(row).tolist()) for row in facts]


def smooth(x: Facts) -> Facts:
    x = [set(row) for row in x]
    for i in range(0, len(x), 5):
        for w in range(2, min(10, len(x) - i)):
            for t in range(i + 1, i + w):
                x[t] = (x[t] | (x[i] & x[i + w])) & (x[i] | x[i + w])
    return x


def release(facts: Facts) -> list[int]:
    x = smooth(facts)
    if len(x) < 60:
        return []
    found, ref, candidate = [59], 59, None
    for t in range(61, len(x) - 1):
        similarity = 1.0
        if x[ref] and x[t]:
            similarity = len(x[ref] & x[t]) / (math.sqrt(len(x[ref])) * math.sqrt(len(x[t])))
        if similarity < 0.98 and t - ref > 200:
            if candidate is None:
                candidate = t
            elif t >= candidate + 10:
                found.append(t)
                ref, candidate = t, None
    return found if candidate is None else [*found, candidate]


def paper(facts: Facts, kinds: list[int]) -> list[int]:
    x = smooth(facts)
    found, before = [0], set()
    for t in range(1, len(x)):
        ref = x[found[-1]]
        change = ref ^ x[t]
        window = x[t : t + 40]
        if not change or len(window) < 40 or any((row ^ x[t]) & change for row in window):
            continue
        kind = {(k in x[t], kinds[k]) for k in change}
        if before and len(kind & before) / (math.sqrt(len(kind)) * math.sqrt(len(before))) >= 0.97:
            continue
        found.append(t)
        before = kind
    return found
