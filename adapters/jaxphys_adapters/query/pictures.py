"""Pictures and films of scenes: drawn without labels when they are first needed, once, and kept on disk.

Exemplars are shown by many questions, so a few-shot run has many more pictures to send than to draw. Files lie in a
temporary folder that goes with the process; memory holds their names. Another process draws anew, so a picture is
never older than the code that draws it.
"""

import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from jaxphys_adapters import atomic, films, frames
from jaxphys_adapters.query.parts import Slot
from jaxphys_benchmarks.display import Canvas
from jaxphys_benchmarks.protocol import Benchmark, Picture, Shown, Spec, View


@dataclass(frozen=True)
class Drawn:
    """Files of what is shown.

    Attributes:
        files: PNG files of the frames in order, or one MP4 file.
        times: of the frames (s); empty where they have none.
    """

    files: tuple[Path, ...]
    times: tuple[float, ...] = ()


class Pictures:
    """The pictures of a benchmark's scenes; those of one scene id and view are drawn once."""

    def __init__(self, benchmark: Benchmark, draw: Callable[[Spec, View], Picture] | None = None) -> None:
        """Make an empty collection; `draw` describes a picture, unless given as the benchmark does without labels."""
        self.benchmark = benchmark
        self._draw = draw or (lambda spec, view: benchmark.picture(spec, None, view))
        self._drawn: dict[tuple[str, View, str], Drawn] = {}
        self._folder: Path | None = None
        self._lock = threading.RLock()

    def stills(self, shown: Shown) -> Drawn:
        """PNG files of all frames of a view.

        Raises:
            ValueError: the benchmark draws another number of frames than the view asks for.
            StorageError: the temporary folder is full.
        """
        return self._once(shown.spec, shown.view, "png", _pngs)

    def film(self, shown: Shown) -> Drawn:
        """The MP4 file of a film.

        Raises:
            StorageError: the temporary folder is full. ModuleNotFoundError: PyAV is not installed.
        """
        return self._once(shown.spec, shown.view, "mp4", lambda picture: [films.encode(picture)])

    def file(self, slot: Slot) -> bytes:
        """The file in a slot of a question with parts; see `stills` and `film`."""
        assert slot.shown is not None  # the one picture of a question without parts is drawn elsewhere
        if slot.frame is None:
            return self.film(slot.shown).files[0].read_bytes()
        return self.stills(slot.shown).files[slot.frame].read_bytes()

    def time(self, slot: Slot) -> float | None:
        """When the frame in a slot is (s), if its view has been drawn and has times."""
        drawn = self._drawn.get((slot.scene, slot.view, "png"))
        return None if slot.frame is None or drawn is None or not drawn.times else drawn.times[slot.frame]

    def first_frame(self, spec: Spec) -> np.ndarray:
        """uint8 (h, w, 3): the benchmark's first view of a scene."""
        (file,) = self.stills(Shown(spec, View(self.benchmark.views[0]))).files
        with Image.open(BytesIO(file.read_bytes())) as picture:
            return np.asarray(picture.convert("RGB"))

    def _once(self, spec: Spec, view: View, ending: str, encode: Callable[[Picture], Sequence[bytes]]) -> Drawn:
        key = spec.id, view, ending
        with self._lock:
            if key not in self._drawn:
                picture = self._draw(spec, view)
                content = encode(picture)
                if ending == "png" and len(content) != view.frames:
                    raise ValueError(f"{view.kind} of {spec.id}: {len(content)} frames drawn, {view.frames} asked for")
                times = () if isinstance(picture, Canvas) else tuple(float(t) for t in picture.times)
                self._drawn[key] = Drawn(self._keep(content, ending), times)
            return self._drawn[key]

    def _keep(self, content: Sequence[bytes], ending: str) -> tuple[Path, ...]:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="jaxphys-pictures-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        first = len(self._drawn)
        paths = tuple(self._folder / f"{first:06d}_{frame:04d}.{ending}" for frame in range(len(content)))
        for path, data in zip(paths, content, strict=True):
            with atomic.explained(path):
                path.write_bytes(data)
        return paths


def _pngs(picture: Picture) -> list[bytes]:
    """The frames of a picture as PNG files."""
    if isinstance(picture, Canvas):
        return [frames.png(picture)]
    from jaxphys_adapters import stages  # loads a renderer, which flat pictures do without

    return [frames.encode(pixels) for pixels in stages.render(picture)]
