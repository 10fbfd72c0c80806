"""Image features, and the ranking of exemplars by them."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jaxphys_adapters.query import clip, retrieval
from jaxphys_adapters.query.retrieval import ColourGrid, extractor, nearest, unit
from jaxphys_adapters.query.source import Source, load
from tests.adapters.query.toy import ToySpec


def noise(n: int, height: int = 40, width: int = 60, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (n, height, width, 3), dtype=np.uint8)


def test_the_colour_grid_is_the_mean_of_each_cell() -> None:
    image = noise(1, 16, 24)
    cells = image[0].reshape(8, 2, 8, 3, 3).mean(axis=(1, 3)).reshape(1, -1)
    assert ColourGrid()(image) == pytest.approx(cells / np.linalg.norm(cells), rel=1e-12)


@pytest.mark.parametrize("shape", [(8, 8), (41, 67), (320, 480)])
def test_features_are_unit_vectors_that_do_not_depend_on_the_batch(shape: tuple[int, int]) -> None:
    images = noise(5, *shape)
    found = ColourGrid()(images)
    assert found.shape == (5, 192)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1.0)
    assert np.array_equal(found, np.concatenate([ColourGrid()(image[None]) for image in images]))


def test_edges_of_the_features() -> None:
    assert not ColourGrid()(np.zeros((1, 8, 8, 3), np.uint8)).any()
    with pytest.raises(ValueError, match="images: 9 x 7 px"):
        ColourGrid()(noise(1, 7, 9))
    assert np.array_equal(unit(np.zeros((2, 3))), np.zeros((2, 3)))


def test_the_nearest_comes_first_and_equals_keep_their_order() -> None:
    looks = {0: (200, 0, 0), 1: (0, 0, 200), 2: (180, 40, 0), 3: (200, 0, 0), 4: (100, 100, 0)}
    called: list[int] = []

    def first_frame(spec: Any) -> np.ndarray:
        called.append(spec.index)
        return np.full((16, 16, 3), looks[spec.index], np.uint8)

    rank = nearest(ColourGrid(), first_frame)
    pool = [ToySpec(index=i, pool=True, a=1, b=1) for i in (1, 2, 3, 4)]
    asked = ToySpec(index=0, a=1, b=1)
    assert rank(asked, pool) == [2, 1, 3, 0]
    assert rank(asked, [*pool, pool[2].model_copy(update={"variant": "same"})])[:2] == [2, 4]
    assert rank(asked, []) == []
    assert sorted(called) == [0, 1, 2, 3, 3, 4]  # each scene id once


def test_exemplars_are_ranked_by_the_first_frames_that_are_sent(toy: str, rendered: Any) -> None:
    options = '{"shots": 6, "feature": "colour_grid"}'
    scenes = load(Source("toy", scenes=3, options=options))
    for scene in scenes.by_id.values():
        pool = scenes.benchmark.pool()  # type: ignore[attr-defined]
        features = ColourGrid()(np.stack([scenes.pictures.first_frame(spec) for spec in [scene.spec, *pool]]))
        order = np.argsort(-(features[1:] @ features[0]), kind="stable")
        for question in scene.questions:
            shown = [part.spec.id for part in question.parts if not isinstance(part, str)]
            assert shown == [*(pool[k].id for k in order), scene.spec.id]
    assert scenes.feature is not None
    assert (scenes.feature.name, scenes.feature.version) == ("colour_grid", "1")
    assert rendered == []  # rankings look at stills, films are for those who ask


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tensors that are arrays, for packages that are not installed here."""

    class Array(np.ndarray):
        def detach(self) -> "Array":
            return self

        def cpu(self) -> "Array":
            return self

        def numpy(self) -> np.ndarray:
            return np.asarray(self)

    class NoGrad:
        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None: ...

    module: Any = ModuleType("torch")
    module.no_grad = NoGrad
    module.stack = lambda arrays: np.stack(arrays).view(Array)
    module.tensor = lambda values: np.asarray(values).view(Array)
    monkeypatch.setitem(sys.modules, "torch", module)


def install(monkeypatch: pytest.MonkeyPatch, name: str | None, module: Any) -> None:
    """One package is there, the others are not."""
    monkeypatch.setattr(clip, "find_spec", lambda package: object() if package == name else None)
    if name:
        monkeypatch.setitem(sys.modules, name, module)
    extractor.cache_clear()


def embedded(images: Any) -> np.ndarray:
    """768 numbers that tell the picture's mean colour."""
    means = np.stack([np.asarray(image, float).mean(axis=(0, 1)) for image in images])
    return np.pad(means, ((0, 0), (0, 765)))


def test_clip_through_transformers_reads_local_files_only(monkeypatch: pytest.MonkeyPatch, torch: None) -> None:
    asked: list[tuple[str, bool]] = []

    class Loaded:
        @staticmethod
        def from_pretrained(where: str, *, local_files_only: bool) -> "Loaded":
            asked.append((where, local_files_only))
            return Loaded()

        def eval(self) -> "Loaded":
            return self

        def __call__(self, images: Any, return_tensors: str) -> dict[str, Any]:
            return {"pixel_values": images}

        def get_image_features(self, pixel_values: Any) -> Any:
            return SimpleNamespace(pooler_output=sys.modules["torch"].tensor(embedded(pixel_values)))

    install(monkeypatch, "transformers", SimpleNamespace(CLIPModel=Loaded, CLIPImageProcessor=Loaded, __version__="9"))
    feature = extractor("clip_l")
    assert asked == [(clip.TRANSFORMERS_MODEL, True)] * 2
    assert (feature.name, feature.version) == ("clip_l", f"transformers 9, {clip.TRANSFORMERS_MODEL}")
    found = feature(noise(clip.BATCH + 3))
    assert found.shape == (clip.BATCH + 3, 768)
    assert found == pytest.approx(unit(embedded(noise(clip.BATCH + 3))))


def test_clip_through_open_clip_reads_a_file(monkeypatch: pytest.MonkeyPatch, torch: None, tmp_path: Path) -> None:
    weights = tmp_path / "clip.safetensors"
    weights.write_bytes(b"w")
    made: list[tuple[str, str]] = []

    def create(name: str, *, pretrained: str) -> tuple[Any, None, Callable[[Any], Any]]:
        made.append((name, pretrained))
        model = SimpleNamespace(
            eval=lambda: None, encode_image=lambda pixels: sys.modules["torch"].tensor(embedded(pixels))
        )
        return model, None, np.asarray

    monkeypatch.setenv(clip.WEIGHTS, str(weights))
    install(monkeypatch, "open_clip", SimpleNamespace(create_model_and_transforms=create, __version__="3"))
    feature = extractor("clip_l")
    assert made == [(clip.OPEN_CLIP_MODEL, str(weights))]
    assert feature.version == f"open_clip 3, {weights}"
    assert feature(noise(2)) == pytest.approx(unit(embedded(noise(2))))


def test_clip_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, torch: None) -> None:
    install(monkeypatch, None, None)
    with pytest.raises(
        ValueError, match=r"feature: clip_l .*nothing is downloaded: transformers is not installed; open"
    ):
        extractor("clip_l")
    hub: Any = SimpleNamespace(try_to_load_from_cache=lambda *names: None)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    install(monkeypatch, "open_clip", SimpleNamespace(__version__="3"))
    with pytest.raises(ValueError, match=r"open_clip cannot be used \(no checkpoint file timm/vit_large.*colour_grid"):
        extractor("clip_l")
    assert set(retrieval.FEATURES) == {"colour_grid", "clip_l"}
