"""Pictures of key frames: drawn once, resumed, in variants that share everything but pixels; sheets; images asked."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from jaxphys_adapters.enact import frames, images, sheets, variants
from jaxphys_adapters.enact.asking import Asking, shown
from jaxphys_adapters.enact.episodes import store_states
from jaxphys_adapters.enact.folder import MANIFEST, REPLAYED, STATES
from jaxphys_benchmarks.enact import items
from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig
from jaxphys_benchmarks.enact.episodes.houses import house_of
from jaxphys_benchmarks.enact.pictures.looks import names, variant
from jaxphys_benchmarks.enact.world.spec import EpisodeSpec
from tests import enact_worlds
from tests.benchmarks.enact.still import room, still

CONFIG = EnactConfig(image_size_px=64)
TASK = EpisodeSpec(activity="setting_the_table").task_name


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the states of two key frames of one episode."""
    out = tmp_path_factory.mktemp("enact")
    (out / STATES).mkdir()
    store_states(out / STATES / f"{TASK}.npz", still(house_of(TASK)).arrays())
    return out


def test_pictures_are_drawn_once_and_again_with_the_same_bytes(data: Path, tmp_path: Path) -> None:
    assert frames.render_all(data, [TASK], CONFIG, workers=1) == 2
    folder = data / REPLAYED / TASK / DEFAULT.sensor
    paths = sorted(folder.iterdir())
    assert [path.name for path in paths] == ["00059.png", "00270.png"]
    first = [path.read_bytes() for path in paths]
    with Image.open(paths[0]) as picture:
        assert (picture.size, picture.mode) == ((64, 64), "RGB")
        assert len(np.unique(np.asarray(picture).reshape(-1, 3), axis=0)) > 20
    paths[0].unlink()
    kept = paths[1].stat().st_mtime_ns
    frames.render_all(data, [TASK], CONFIG, workers=1)
    assert [path.read_bytes() for path in paths] == first
    assert paths[1].stat().st_mtime_ns == kept


def test_variants_differ_in_pixels_only() -> None:
    house = room()
    states = still(house, 1)
    drawn = {name: frames.draw(house, states, variant(name, CONFIG), CONFIG) for name in names(CONFIG)}
    assert {picture.shape for picture in drawn.values()} == {(1, 64, 64, 3)}
    assert (drawn["aperture40"] == drawn["baseline"]).all()
    for name, picture in drawn.items():
        if name not in ("baseline", "aperture40"):
            assert (picture != drawn["baseline"]).any(), name


def test_pictures_pass_through_ones_own_function(data: Path, tmp_path: Path) -> None:
    told: list[tuple[str, str]] = []

    def inverted(picture: np.ndarray, task: str, frame: str) -> np.ndarray:
        told.append((task, frame))
        return 255 - picture

    frames.render_all(data, [TASK], CONFIG, out=tmp_path / "plain", workers=1)
    frames.render_all(data, [TASK], CONFIG, out=tmp_path / "other", restyle=inverted)
    assert told == [(TASK, "59"), (TASK, "270")]
    one, other = (images.recorded(tmp_path / name)(TASK, "59") for name in ("plain", "other"))
    assert one is not None
    assert other is not None
    assert (np.asarray(one) == 255 - np.asarray(other)).all()
    with pytest.raises(ValueError, match="restyle: gave"):
        frames.render_all(data, [TASK], CONFIG, out=tmp_path / "small", restyle=lambda p, task, frame: p[:8])


def test_states_that_cannot_be_drawn_are_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no states to draw from"):
        frames.render_all(tmp_path, [TASK], CONFIG, workers=1)
    (tmp_path / STATES).mkdir()
    (tmp_path / STATES / f"{TASK}.npz").write_bytes(b"PK\x03\x04 not an archive")
    with pytest.raises(ValueError, match="no states to draw from"):
        frames.render_all(tmp_path, [TASK], CONFIG, workers=1)
    store_states(tmp_path / STATES / f"{TASK}.npz", still(room()).arrays())
    with pytest.raises(ValueError, match="of another house"):
        frames.render_all(tmp_path, [TASK], CONFIG, workers=1)
    with pytest.raises(ValueError, match="not the name"):
        frames.render_all(data, ["../setting_the_table_1000000000000000"], CONFIG, workers=1)


def test_render_and_its_refusals(data: Path, tmp_path: Path) -> None:
    (data / "QA").mkdir(exist_ok=True)
    for name in ("QA/enact_ordering.jsonl", "graphs.npz"):
        (data / name).touch()
    rows = [{"task": TASK, "activity": TASK.rpartition("_")[0], "key_frames": 2}]
    manifest = {"benchmark": "enact", "config": CONFIG.model_dump(mode="json"), "episodes": rows, "leaks": []}
    (data / MANIFEST).write_text(json.dumps(manifest))
    (data / "recipe.json").write_text(json.dumps({"own": []}))
    for _ in range(2):
        assert variants.run(variants.EnactRender(data, "skin", workers=1)) == 0
    assert len(list((data / "variants" / "skin" / TASK / DEFAULT.sensor).iterdir())) == 2
    with pytest.raises(ValueError, match="holds other pictures"):
        variants.run(variants.EnactRender(data, "white", data / "variants" / "skin"))
    (tmp_path / "note.txt").touch()
    with pytest.raises(ValueError, match="holds other files"):
        variants.run(variants.EnactRender(data, "white", tmp_path))
    with pytest.raises(ValueError, match="sepia"):
        variants.run(variants.EnactRender(data, "sepia", tmp_path / "a"))
    with pytest.raises(ValueError, match="tasks"):
        variants.run(variants.EnactRender(data, "white", tmp_path / "b", tasks="chopping_wood_1000000000000000"))
    with pytest.raises(ValueError, match="out"):
        variants.EnactRender(data, restyle="a:b")
    for wrong in ("no_such_module:f", "json:no_such", "json"):
        with pytest.raises(ValueError, match="restyle"):
            variants.hook(wrong)
    assert variants.hook("copy:copy") is not None


def test_sheets_show_each_step_once(tmp_path: Path) -> None:
    world = enact_worlds.golden("kitchen")
    chosen = sheets.choose({"a": world, "b": world}, {"a": world.frames, "b": world.frames}, 50, 0)
    assert chosen == sheets.choose({"a": world, "b": world}, {"a": world.frames, "b": world.frames}, 50, 0)
    assert len({(step.task, step.before) for step in chosen}) == len(chosen) > 2
    assert all(1 <= len(step.sentences) <= 5 for step in chosen)
    shown_page = sheets.page(chosen[:2], lambda task, frame: Image.new("RGB", (64, 64), (9, 9, 9)), 100, 1)
    assert shown_page.size[1] == 2 * 120
    with pytest.raises(ValueError, match="no picture of frame"):
        sheets.page(chosen[:1], lambda task, frame: None, 100, 1)


def test_images_of_questions_are_made_of_key_frames(tmp_path: Path) -> None:
    world = enact_worlds.golden("kitchen")
    task = "chop_an_onion_1700000000000001"
    item = items.make(task, world.frames[:3], world, inverse=False)
    folder = tmp_path / task / DEFAULT.sensor
    folder.mkdir(parents=True)
    for k, frame in enumerate(world.frames[:3]):
        Image.new("RGB", (128, 128), (40 * k, 0, 90)).save(folder / f"{int(frame):05d}.png")
    made = shown(item, Asking(frames=str(tmp_path)))
    assert len(made) == 3
    assert all(one.image.startswith("data:image/png;base64,") for one in made)
    assert len({one.image for one in made}) == 3
    (folder / f"{int(world.frames[1]):05d}.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match="is no picture"):
        shown(item, Asking(frames=str(tmp_path)))
