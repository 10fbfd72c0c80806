"""Which scenes look alike: image features by name, and the ranking of exemplars by them.

An extractor maps pictures to vectors; its name and version go into the results, because another one picks other
exemplars (InPhyRe specification, section 5). Likeness is the cosine between the features of first frames.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from jaxphys_adapters.query import clip
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_benchmarks.protocol import AskOptions, Benchmark, Ranker, Spec

CELLS = 8
"""Rows and columns of the colour grid."""


class FeatureExtractor(Protocol):
    """Pictures to vectors.

    Attributes:
        name: in `FEATURES`. version: changes whenever equal pictures may give other vectors.
    """

    name: str
    version: str

    def __call__(self, images: np.ndarray) -> np.ndarray:
        """uint8 (n, h, w, 3) -> float64 (n, d), rows of length 1."""
        ...


class ColourGrid:
    """Mean colours of 8 x 8 cells, 192 numbers; needs no weights and gives equal bits for equal pictures."""

    name = "colour_grid"
    version = "1"

    def __call__(self, images: np.ndarray) -> np.ndarray:
        """uint8 (n, h, w, 3) -> float64 (n, 192); ValueError if a side has fewer pixels than cells."""
        _, height, width, _ = images.shape
        if min(height, width) < CELLS:
            raise ValueError(f"images: {width} x {height} px; give at least {CELLS} pixels for either side")
        rows, columns = (np.arange(CELLS) * side // CELLS for side in (height, width))
        sums = np.add.reduceat(images.astype(np.float64), rows, axis=1)
        sums = np.add.reduceat(sums, columns, axis=2)
        areas = np.outer(np.diff(rows, append=height), np.diff(columns, append=width))
        return unit((sums / areas[None, :, :, None]).reshape(len(images), -1))


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows (n, d) scaled to length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0))


FEATURES: Mapping[str, Callable[[], FeatureExtractor]] = {"colour_grid": ColourGrid, "clip_l": clip.ClipL}
"""Makers of extractors by name."""


@lru_cache(maxsize=4)
def extractor(name: str) -> FeatureExtractor:
    """The extractor of that name, made once.

    Raises:
        ValueError: there is none, or what it needs is not on this machine; nothing is ever downloaded.
    """
    check(name)
    return FEATURES[name]()


def check(name: object) -> None:
    """Raises ValueError if no feature has that name."""
    if name not in FEATURES:
        raise ValueError(f"feature: {name!r} is unknown; give one of {', '.join(FEATURES)}")


def retrieving(benchmark: Benchmark, pictures: Pictures, ask: AskOptions) -> AskOptions:
    """How to ask a benchmark that is configured to retrieve exemplars by an image feature; others as they are.

    Raises:
        ValueError: the feature is unknown, or what it needs is not on this machine.
    """
    feature = benchmark.asking["feature"]
    return ask if feature is None else replace(ask, nearest=nearest(extractor(feature), pictures.first_frame))


def nearest(extract: FeatureExtractor, first_frame: Callable[[Spec], np.ndarray]) -> Ranker:
    """The ranking of candidates by likeness to a scene; of equals the earlier candidate comes first.

    Args:
        extract: the feature. first_frame: uint8 (h, w, 3) of a scene; called once for each scene id.
    """
    known: dict[str, np.ndarray] = {}

    def feature(spec: Spec) -> np.ndarray:
        if spec.id not in known:
            known[spec.id] = extract(first_frame(spec)[None])[0]
        return known[spec.id]

    def rank(spec: Spec, candidates: Sequence[Spec]) -> list[int]:
        if not candidates:
            return []
        likeness = np.stack([feature(candidate) for candidate in candidates]) @ feature(spec)
        return [int(index) for index in np.argsort(-likeness, kind="stable")]

    return rank
