"""Atomic files: what appears under its final name is whole.

`write(path, data)` and `folder(path)` fill a temporary sibling and rename it; when anything fails the sibling is
removed, so an interrupted or failed run leaves nothing half-written under a final name. A run that was killed can
leave a sibling behind, named `.tmp-<name>-*`: readers ignore it and `remove_leftovers` removes it.

Every failure of the file system is raised as `StorageError`, an OSError whose text says which path and what to do.
"""

import errno
import os
import shutil
from collections.abc import Container, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp, mkstemp

PREFIX = ".tmp-"

REMEDIES: dict[int, str] = {
    errno.ENOSPC: "the disk is full; free space, then run the same command again to resume",
    errno.EDQUOT: "the disk quota is used up; free space, then run the same command again to resume",
    errno.EACCES: "no permission to write there; choose another folder with --out or change its permissions",
    errno.EPERM: "no permission to write there; choose another folder with --out or change its permissions",
    errno.EROFS: "the file system is read-only; choose another folder with --out",
    errno.ENOTDIR: "a file is in the way where a folder is needed; remove it or choose another folder with --out",
    errno.EEXIST: "a file is in the way where a folder is needed; remove it or choose another folder with --out",
    errno.EISDIR: "a folder is in the way where a file is needed; remove it or choose another name with --out",
    errno.ENAMETOOLONG: "the path is too long; choose a shorter folder with --out",
    errno.EMFILE: "too many open files; raise the limit (ulimit -n)",
    errno.EIO: "the disk reported an input/output error",
}


class StorageError(OSError):
    """A file or folder could not be written; the text names the path and the fix."""


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn an OSError of the body into a `StorageError` about `path`."""
    try:
        yield
    except StorageError:
        raise
    except OSError as error:
        remedy = REMEDIES.get(error.errno or 0, error.strerror or str(error))
        raise StorageError(error.errno, f"cannot write {path}: {remedy}") from error


def make_folder(path: Path) -> None:
    """Create a folder and its parents, and check that files can be written there.

    Raises:
        StorageError: it cannot be created or written.
    """
    with explained(path):
        path.mkdir(parents=True, exist_ok=True)
        handle, probe = mkstemp(prefix=PREFIX, dir=path)
        os.close(handle)
        os.unlink(probe)


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; an older file of that name is replaced in one step.

    Raises:
        StorageError: the disk is full, the folder cannot be written, the name is that of a device or a pipe, ...
    """
    with explained(path):
        if path.exists() and not (path.is_file() or path.is_dir()):
            # A user with all rights would replace the device itself.
            raise StorageError(
                errno.EINVAL, f"cannot write {path}: it is no regular file; choose another name with --out"
            )
        handle, name = mkstemp(prefix=f"{PREFIX}{path.name}-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


@contextmanager
def folder(path: Path) -> Iterator[Path]:
    """Fill a folder: the body writes into the yielded temporary folder, which then takes the name `path`.

    A folder that already has that name is kept, and the new one dropped: two runs that make the same scene at
    the same time both succeed.

    Raises:
        StorageError: as `write`; the temporary folder is removed.
    """
    with explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        work = Path(mkdtemp(prefix=f"{PREFIX}{path.name}-", dir=path.parent))
        try:
            yield work
            os.chmod(work, 0o777 & ~_umask())
            try:
                os.rename(work, path)
            except OSError:
                if not path.is_dir():
                    raise
        finally:
            shutil.rmtree(work, ignore_errors=True)


def remove_leftovers(parent: Path, names: Container[str]) -> int:
    """Remove what killed runs left in `parent` while making files or folders of these names; returns how many.

    The names of others are left alone: another shard may be writing them now.
    """
    found = [p for p in parent.glob(f"{PREFIX}*") if p.name.removeprefix(PREFIX).rpartition("-")[0] in names]
    for path in found:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(found)


@lru_cache(maxsize=1)
def _umask() -> int:
    """The process's umask; temporary files are made private, final ones get the usual rights."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
