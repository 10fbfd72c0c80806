"""What graphs say is seen is seen in the pictures, what sentences name is seen, and variants leave questions alone."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco")

from jaxphys_adapters.enact import frames, generate, images, variants
from jaxphys_adapters.enact.asking import Asking, samples, shown
from jaxphys_adapters.enact.folder import GRAPHS, QUESTIONS, REPLAYED, STATES, check
from jaxphys_adapters.enact.qa_file import load_qa
from jaxphys_adapters.enact.store import open_store
from jaxphys_benchmarks.enact.config import DEFAULT
from jaxphys_benchmarks.enact.episode import Episode
from jaxphys_benchmarks.enact.episodes.houses import house_of
from jaxphys_benchmarks.enact.graph import Graph
from jaxphys_benchmarks.enact.pictures.looks import variant
from tests.adapters.conftest import contents

LEAST_PX = 14
"""Of 512 x 512: the first count above 0.005 percent (section 4.2)."""
VARIANTS = "variants/"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One episode with transitions, and questions about it; no pictures."""
    out = tmp_path_factory.mktemp("enact") / "data"
    command = generate.EnactGenerate(out, activities="chop_an_onion", seeds=1, samples=2, pictures=False, workers=1)
    assert generate.run(command) == 0
    return out


@pytest.fixture(scope="module")
def graphs(data: Path) -> dict[str, Graph]:
    """Key frames of the episode."""
    store = open_store(Path(), Path(), data / GRAPHS)
    (task,) = store.tasks
    return dict(store.graphs(task, set(store.key_frames(task))) or {})


def pixels(graph: Graph, name: str) -> int:
    """How many a thing covers."""
    return int(dict(graph.nodes[name].visibility).get(DEFAULT.sensor, (0,))[0]) if name in graph.nodes else 0


def test_all_that_sentences_name_is_seen_in_one_of_both_frames(data: Path, graphs: dict[str, Graph]) -> None:
    episode, told, objects = Episode(graphs), 0, 0
    for item in load_qa(data / QUESTIONS).items:
        order = sorted(item.key_frame_ids, key=int)
        for before, after in pairwise(order):
            change = episode.change(before, after)
            for name in change.names():
                assert max(pixels(graphs[frame], name) for frame in (before, after)) >= LEAST_PX, (before, after, name)
                told += 1
            objects += len(change.objects)
    assert told > 100
    assert objects > 0


def test_counted_pixels_are_those_of_the_picture(data: Path, graphs: dict[str, Graph]) -> None:
    """What changes in a picture when a thing is taken away is what the graph says that the thing covers."""
    (row,) = check(data)["episodes"]
    house = house_of(row["task"])
    states, how = frames.stored(data / STATES / f"{row['task']}.npz"), variant("flat", DEFAULT)
    frame = max(graphs, key=lambda one: sum(pixels(graphs[one], placed.name) > 300 for placed in house.placed[1:]))
    there = states.only([int(np.flatnonzero(states.ids == int(frame))[0])])
    (whole,) = frames.draw(house, there, how, DEFAULT)
    compared = 0
    for k, placed in enumerate(house.placed):
        counted = pixels(graphs[frame], placed.name)
        # What lies behind furniture may have its colour: only loose things are taken away.
        if placed.thing.fixed or not counted:
            continue
        gone = replace(there, exists=there.exists & (np.arange(len(house.placed)) != k))
        (without,) = frames.draw(house, gone, how, DEFAULT)
        changed = (whole != without).any(-1)
        # Pixels at the rim are covered in part: the ray through the middle of one may meet the thing or miss it.
        inner = changed[1:-1, 1:-1] & changed[:-2, 1:-1] & changed[2:, 1:-1] & changed[1:-1, :-2] & changed[1:-1, 2:]
        assert 0.95 * inner.sum() <= counted <= 1.05 * changed.sum(), placed.name
        compared += counted > 300
    assert compared >= 3


def test_variants_leave_all_but_pixels_alone(data: Path) -> None:
    before = contents(data)
    (row,) = check(data)["episodes"]
    items = [item for item in load_qa(data / QUESTIONS).items if len(item.key_frame_ids) == 3][:1]
    assert items
    asked = {}
    for name in ("flat", "aperture80"):
        assert variants.run(variants.EnactRender(data, name, workers=1)) == 0
        folder = data / VARIANTS / name
        asking = Asking(str(data / QUESTIONS), pack=str(data / GRAPHS), frames=str(folder), lengths="3")
        asked[name] = (
            {
                (sample.id, str(sample.input[0].content), str(sample.target))  # type: ignore[union-attr]
                for inverse in (False, True)
                for sample in samples(asking, inverse=inverse)
            },
            [one.image for one in shown(items[0], asking)],
        )
    assert asked["flat"][0] == asked["aperture80"][0]
    assert not set(asked["flat"][1]) & set(asked["aperture80"][1])
    assert {name: held for name, held in contents(data).items() if not name.startswith(VARIANTS)} == before
    assert not (data / REPLAYED / row["task"] / DEFAULT.sensor).exists()
    assert images.recorded(data / VARIANTS / "flat")(row["task"], "59") is not None
