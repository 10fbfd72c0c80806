"""Motions of robots are stored and read back, drawn as films, and shown on pages with their meshes."""

import dataclasses
import zipfile
from pathlib import Path

import numpy as np
import pytest

from jaxphys_adapters import executed_films, films, motions, stages
from jaxphys_benchmarks.embodied import Filmed, Motion
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.watching import Watching
from tests.benchmarks.reacthuman.asked_scenes import spec
from tests.benchmarks.reacthuman.moved_robots import arms_lifted, walked_back

SCENE = spec()
FIELDS = [field.name for field in dataclasses.fields(Motion)]


class Watched(Watching):
    """What films are asked of, without the rest of the benchmark."""

    config = ReactHumanConfig(size_px=(160, 90))


def test_the_benchmark_of_robots_is_filmed() -> None:
    from jaxphys_benchmarks import registry

    assert isinstance(registry.get("reacthuman"), Filmed)
    assert not isinstance(registry.get("billiardphys"), Filmed)


def test_a_stored_motion_is_read_back_and_equal_ones_are_equal_bytes(tmp_path: Path) -> None:
    motion = walked_back(SCENE, 1.0)
    for name in ("one", "other"):
        motions.write(tmp_path / name, motion)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    found = motions.read(tmp_path / "one")
    for name in FIELDS:
        np.testing.assert_allclose(getattr(found, name), getattr(motion, name), atol=1e-6)
        assert getattr(found, name).dtype == np.float64


def archive(path: Path, **arrays: np.ndarray) -> Path:
    np.savez_compressed(path, **arrays)
    return path


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"pos": np.zeros((4, 1, 3))}, "pos"),
        ({"quat": np.zeros((5, 2, 4))}, "quat"),
        ({"palms": np.zeros((5, 2, 2))}, "palms"),
        ({"robot": np.zeros(5)}, "robot"),
        ({"times": np.full(5, np.nan)}, "times"),
        ({"times": np.array([0.0, 0.1, 0.1, 0.2, 0.3])}, "times do not rise"),
        ({"pos": np.full((5, 1, 3), np.inf)}, "pos"),
        ({"quat": np.zeros((5, 1, 4))}, "quat"),
        ({"robot": np.zeros((5, 36))}, "robot"),
        ({"robot": np.array(["a"] * 5)}, "robot"),
        ({"robot": np.array([[None]] * 5, dtype=object)}, "Object arrays"),
        ({"times": np.zeros(0)}, "times"),
    ],
)
def test_files_that_are_no_motions_are_told(tmp_path: Path, changes: dict[str, np.ndarray], named: str) -> None:
    motion = walked_back(SCENE, 1.0)
    arrays = {name: getattr(motion, name) for name in FIELDS}
    path = archive(tmp_path / "motion.npz", **{**arrays, **changes})
    with pytest.raises(ValueError, match=rf"motion\.npz.*{named}"):
        motions.read(path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive"])
def test_broken_files_are_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "motion.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="no motion"):
        motions.read(path)


@pytest.mark.parametrize("seed", range(3))
def test_files_whose_bytes_were_changed_are_told(tmp_path: Path, seed: int) -> None:
    path, drawn = tmp_path / "motion.npz", np.random.default_rng(seed)
    motions.write(path, walked_back(SCENE, 1.0))
    whole, told = path.read_bytes(), 0
    for place in drawn.integers(len(whole), size=60).tolist():
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            motions.read(path)
        except ValueError as error:
            told += str(path) in str(error)
    assert told > 30


HUGE = "{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000000,), }"


@pytest.mark.parametrize("header", [HUGE, "{((((", '"""'])
def test_arrays_that_lie_about_their_size_are_told(tmp_path: Path, header: str) -> None:
    path = tmp_path / "motion.npz"
    with zipfile.ZipFile(path, "w") as made:
        text = f"{header}\n".encode()
        made.writestr("times.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text)
    with pytest.raises(ValueError, match=r"motion\.npz: no motion"):
        motions.read(path)


def test_a_file_that_swells_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motions, "LARGEST", 1000)
    path = archive(tmp_path / "motion.npz", times=np.zeros(10_000))
    with pytest.raises(ValueError, match="more than 1000 bytes"):
        motions.read(path)


def test_an_archive_with_a_part_missing_is_told(tmp_path: Path) -> None:
    path = archive(tmp_path / "motion.npz", times=np.zeros(3))
    with zipfile.ZipFile(path) as there:
        assert there.namelist() == ["times.npy"]
    with pytest.raises(ValueError, match="robot"):
        motions.read(path)


@pytest.mark.parametrize(("fps", "frames"), [(4.0, 3), (8.0, 5), (1e3, 5), (0.1, 1)])
def test_films_have_about_as_many_frames_as_are_asked_for(fps: float, frames: int) -> None:
    stage = executed_films.film(Watched(), SCENE, None, arms_lifted(SCENE), "observer_film", scale=1.0, fps=fps)
    assert len(stage) == frames
    assert (stage.width_px, stage.height_px) == (160, 90)


def test_a_rate_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="fps"):
        executed_films.film(Watched(), SCENE, None, arms_lifted(SCENE), "observer_film", fps=0.0)


def test_films_are_stored_and_whole_ones_kept(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="pip install '.[video]' in the checkout")
    from jaxphys_adapters.video import frames_of

    if all(stages.missing(name) for name in stages.RENDERERS):
        pytest.skip("nothing here draws stages")
    kinds = ("egocentric_film", "overhead_film")
    motion = arms_lifted(SCENE)
    paths = executed_films.store(Watched(), tmp_path, SCENE, None, motion, kinds, scale=0.5, fps=4.0)
    assert [path.name for path in paths] == ["egocentric_film.mp4", "overhead_film.mp4"]
    first = [path.read_bytes() for path in paths]
    assert all(films.is_whole(data) for data in first)
    shown = frames_of(first[0])
    assert shown.shape == (3, 46, 80, 3)
    # The hands come into the picture.
    assert np.abs(shown[0].astype(int) - shown[2]).max() > 60
    paths[1].write_bytes(first[1][:-10])
    before = paths[0].stat().st_mtime_ns
    executed_films.store(Watched(), tmp_path, SCENE, None, motion, kinds, scale=0.5, fps=4.0)
    assert paths[0].stat().st_mtime_ns == before
    assert paths[1].read_bytes() == first[1]


def test_pages_show_meshes_in_place_of_what_stands_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    viser = pytest.importorskip("viser", reason="pip install '.[view]' in the checkout")
    from jaxphys_adapters import stage_robot, view_recording
    from jaxphys_benchmarks.reacthuman.executed import executed_replay

    triangle = np.eye(3)
    surface = stage_robot.Surface("left_knee_link", triangle, triangle, np.arange(3)[None], (0.5, 0.5, 0.5))
    replay = executed_replay(SCENE, None, walked_back(SCENE, 1.0, 3), config=Watched.config)

    shown: list[str] = []
    add = viser.SceneApi.add_mesh_simple

    def noted(scene: object, name: str, *args: object, **options: object) -> object:
        shown.append(name)
        return add(scene, name, *args, **options)

    monkeypatch.setattr(viser.SceneApi, "add_mesh_simple", noted)

    def names(found: tuple[stage_robot.Surface, ...]) -> list[str]:
        shown.clear()
        monkeypatch.setattr(stage_robot, "surfaces", lambda model, cell=0.0: found)
        with view_recording.recorded(replay) as recording:
            assert recording.serialize()
        return [*shown]

    meshed, solid = names((surface,)), names(())
    assert "/link left_knee_link/surface 0" in meshed
    assert not any("hip_yaw" in name for name in meshed)
    assert any("hip_yaw" in name for name in solid)
    assert not any("/link " in name for name in solid)
