"""Fixtures of the query layer: a toy benchmark, a cache of its own, and a stub server as the provider `stub`."""

import gc
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import jaxphys_adapters
from jaxphys import _inspect
from jaxphys_adapters.query import cache
from jaxphys_adapters.query import source as sources
from jaxphys_adapters.query.evaluate import EvalOptions
from jaxphys_benchmarks import registry
from jaxphys_benchmarks.stage import Stage
from tests.adapters.query.stub import Script, Stub

NOT_OURS = (
    "ignore:The 'initial' parameter is deprecated:DeprecationWarning",  # inspect-ai 0.3.285 with tenacity 9.1
    "ignore:Exception ignored in. <function MemoryObject:pytest.PytestUnraisableExceptionWarning",  # its event loop
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Warnings of inspect-ai's own are no errors of ours."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            for ignored in NOT_OURS:
                item.add_marker(pytest.mark.filterwarnings(ignored))


@pytest.fixture(scope="module", autouse=True)
def swept() -> Iterator[None]:
    """The streams that inspect-ai leaves open are collected here, not in a later test of something else."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture(autouse=True)
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "default_folder", lambda: tmp_path / "cache")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> str:
    """The toy benchmark, registered as a new benchmark would be."""
    monkeypatch.setitem(registry.BENCHMARKS, "toy", "tests.adapters.query.toy:Toy")
    _inspect.declare("toy")
    sources.load.cache_clear()
    return "toy"


def flat(stage: Stage) -> np.ndarray:
    """Frames without a driver: their colour says where the solids are."""
    frames = np.zeros((len(stage), stage.height_px, stage.width_px, 3), np.uint8)
    where = np.abs(stage.pos).sum(axis=(1, 2))
    shades = np.stack([16 * where, 16 * where, 4096 * where], axis=-1)
    frames[:] = np.mod(shades, 256).astype(np.uint8)[:, None, None]
    frames[:, 0, :, 1] = np.arange(stage.width_px)
    return frames


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, ...]]:
    """A renderer without a driver, see `flat`; lists the times of each film."""
    films: list[tuple[float, ...]] = []

    def render(stage: Stage) -> np.ndarray:
        films.append(tuple(float(t) for t in stage.times))
        return flat(stage)

    monkeypatch.setattr(jaxphys_adapters, "stages", SimpleNamespace(render=render), raising=False)
    return films


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Script], Stub]]:
    """Start a stub server that plays a script; it is the provider of the models `openai-api/stub/...`."""
    with ExitStack() as stack:

        def start(script: Script) -> Stub:
            stub = stack.enter_context(Stub(script))
            monkeypatch.setenv("STUB_BASE_URL", stub.url)
            monkeypatch.setenv("STUB_API_KEY", "none")
            return stub

        yield start


def asking(url: str, **changes: Any) -> EvalOptions:
    """Options that ask the toy benchmark of a stub server, without patience."""
    given: dict[str, Any] = {
        "benchmark": "toy",
        "model": "openai-api/stub/m",
        "base_url": url,
        "model_arg": ("max_retries=0",),
        "scenes": 2,
        "wait": 0.01,
        **changes,
    }
    return EvalOptions(**given)
