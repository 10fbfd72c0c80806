"""What appears under its final name is whole, and failures say what to do."""

import errno
import os
from pathlib import Path

import pytest

from jaxphys_adapters import atomic


def test_a_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    atomic.write(path, b"old")
    atomic.write(path, b"new")
    assert path.read_bytes() == b"new"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~atomic._umask()


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    atomic.write(path, b"old")
    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(atomic.StorageError, match=r"a\.json: the disk is full; free space"):
        atomic.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def full_disk(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fill(path: Path, content: bytes, error: BaseException | None = None) -> None:
    with atomic.folder(path) as work:
        (work / "a").write_bytes(content)
        if error is not None:
            raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("x"), OSError(errno.ENOSPC, "full")])
def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path, error: BaseException) -> None:
    expected = atomic.StorageError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected):
        fill(tmp_path / "scene", b"1", error)
    assert list(tmp_path.iterdir()) == []
    fill(tmp_path / "scene", b"2")
    assert (tmp_path / "scene" / "a").read_bytes() == b"2"
    assert [p.name for p in tmp_path.iterdir()] == ["scene"]


def test_the_first_of_two_equal_folders_stays(tmp_path: Path) -> None:
    for content in (b"first", b"second"):
        fill(tmp_path / "scene", content)
    assert (tmp_path / "scene" / "a").read_bytes() == b"first"


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(atomic.StorageError, match="a file is in the way"):
            atomic.make_folder(path)


def test_a_device_or_a_pipe_is_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(atomic.StorageError, match="no regular file"):
        atomic.write(pipe, b"data")
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_leftovers_of_our_own_names_are_removed_and_no_others(tmp_path: Path) -> None:
    for name in (".tmp-scene_00001-abc", ".tmp-scene_00002-x_y"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "half").write_text("")
    (tmp_path / ".tmp-report.json-qqq").write_text("")
    assert atomic.remove_leftovers(tmp_path, {"scene_00001", "report.json"}) == 2
    assert [p.name for p in tmp_path.iterdir()] == [".tmp-scene_00002-x_y"]
