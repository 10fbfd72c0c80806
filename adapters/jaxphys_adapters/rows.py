"""Scenes as rows of an exported table: columns of the benchmark, pictures and films with their hashes, and prompts.

Stored files are checked against the row before they go into it. Scenes that questions show but that are not among
those asked about (exemplars) are drawn now; they are gathered while the rows of the others are made.
"""

import hashlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from jaxphys_adapters import films, frames, layout
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_adapters.query.retrieval import retrieving
from jaxphys_adapters.store import png_text
from jaxphys_adapters.tables import IMAGE, VIDEO
from jaxphys_benchmarks.protocol import AskOptions, Benchmark, Question, Shown, Spec, View

VIDEOS = "videos"
"""Folder of films that lie beside the tables."""


def columns_of(
    benchmark: Benchmark, views: Sequence[str], moving: Sequence[str] = (), *, beside: bool = False
) -> dict[str, Any]:
    """Neutral types of all columns of an export with these kinds of picture and film; `beside`: films as paths."""
    pictures: dict[str, Any] = {}
    for view in views:
        pictures |= {f"image_{view}": IMAGE, f"sha256_{view}": "string"}
    for film in moving:
        pictures |= {f"video_{film}": "string" if beside else VIDEO, f"sha256_{film}": "string"}
    prompt: dict[str, Any] = {"task": "string", "prompt": "string", "prompt_hash": "string"}
    if benchmark.films:
        prompt["parts"] = [{"text": "string", "scene": "string", "view": "string", "frames": "int64"}]
    return {"id": "string", "group": "string", **pictures, **benchmark.columns, "prompts": [prompt]}


class Rows:
    """The rows of a data set.

    Attributes:
        shown: scenes that questions show besides their own, by id; complete when all stored rows were made.
    """

    def __init__(self, benchmark: Benchmark, data: layout.DataSet, beside: Path | None = None) -> None:
        """Films go into a folder below `beside`, if that is given, instead of into the rows."""
        self.benchmark, self.data, self.beside = benchmark, data, beside
        self.views: tuple[str, ...] = tuple(data.config["pictures"])
        self.ask = retrieving(benchmark, Pictures(benchmark), AskOptions())
        self.shown: dict[str, Spec] = {}

    def stored(self, scene: str) -> dict[str, Any]:
        """The row of a finished scene.

        Raises:
            ValueError: a file is missing or faulty, or a picture belongs to another scene.
        """
        folder = self.data.root / scene
        spec, labels = layout.read_scene(self.benchmark, self.data.root, scene)
        if spec.id != scene:
            raise ValueError(f"{folder}: holds scene {spec.id}; restore the folder's name")
        pictures = {view: read_picture(folder / f"{view}.png", spec, view) for view in self.views}
        moving = {film: read_film(folder / f"{film}.mp4") for film in self.data.films}
        questions = self.benchmark.ask(spec, self.ask)
        for part in (part for question in questions for part in question.parts):
            if isinstance(part, Shown) and part.spec.id != scene:
                self.shown[part.spec.id] = part.spec
        return self._row(spec, labels, pictures, moving, [self._prompt(question) for question in questions])

    def exemplars(self) -> Iterator[dict[str, Any]]:
        """Rows of `shown`, without prompts, in the order of their ids."""
        specs = [self.shown[name] for name in sorted(self.shown)]
        labels = self.benchmark.label(specs, *self.benchmark.simulate(specs)) if specs else []
        for spec, truth in zip(specs, labels, strict=True):
            pictures = {
                view: frames.png(self.benchmark.picture(spec, None, View(view)), png_text(self.benchmark, spec, view))
                for view in self.views
            }
            moving = {
                film: films.encode(self.benchmark.picture(spec, None, View(film, frames=self.benchmark.films[film])))
                for film in self.data.films
            }
            yield self._row(spec, truth, pictures, moving, [])

    def _row(
        self, spec: Spec, labels: Any, pictures: dict[str, bytes], moving: dict[str, bytes], prompts: list[Any]
    ) -> dict[str, Any]:
        row: dict[str, Any] = {"id": spec.id, "group": spec.id.rpartition("/")[0]}
        stem = spec.id.replace("/", "-")
        for view, content in pictures.items():
            row[f"image_{view}"] = {"bytes": content, "path": f"{stem}-{view}.png"}
            row[f"sha256_{view}"] = hashlib.sha256(content).hexdigest()
        for film, content in moving.items():
            row[f"video_{film}"] = self._film(f"{stem}-{film}.mp4", content)
            row[f"sha256_{film}"] = hashlib.sha256(content).hexdigest()
        return {**row, **self.benchmark.row(spec, labels), "prompts": prompts}

    def _film(self, name: str, content: bytes) -> Any:
        """A film inside the row, or its path below `beside`."""
        if self.beside is None:
            return {"bytes": content, "path": name}
        (self.beside / VIDEOS).mkdir(exist_ok=True)
        (self.beside / VIDEOS / name).write_bytes(content)
        return f"{VIDEOS}/{name}"

    def _prompt(self, question: Question) -> dict[str, Any]:
        """A prompt; where films may be shown, also its parts in order."""
        prompt: dict[str, Any] = {"task": question.task, "prompt": question.prompt, "prompt_hash": question.prompt_hash}
        if self.benchmark.films:
            prompt["parts"] = [_part(part) for part in question.parts]
        return prompt


def _part(part: str | Shown) -> dict[str, Any]:
    if isinstance(part, str):
        return {"text": part, "scene": None, "view": None, "frames": None}
    return {"text": None, "scene": part.spec.id, "view": part.view.kind, "frames": part.view.frames}


def read_film(path: Path) -> bytes:
    """The bytes of a stored film.

    Raises:
        ValueError: it is missing or cut off.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: no readable film ({error.strerror}); run `jaxphys generate` again") from None
    if not films.is_whole(content):
        raise ValueError(f"{path}: is no whole MP4 file; run `jaxphys generate` again")
    return content


def read_picture(path: Path, spec: Spec, view: str) -> bytes:
    """The bytes of a stored picture, after a check that it is the one of this scene and view.

    Raises:
        ValueError: it is missing, no PNG file, or of another scene.
    """
    try:
        data = path.read_bytes()
        with Image.open(BytesIO(data), formats=["PNG"]) as image:
            said = dict(image.info)
            image.verify()
    except (OSError, SyntaxError, ValueError) as error:
        raise ValueError(
            f"{path}: no readable picture ({error}); remove the scene's folder and generate again"
        ) from None
    if said.get("scene") != spec.id or said.get("view") != view:
        raise ValueError(f"{path}: is the {said.get('view')} picture of {said.get('scene')}, not of {spec.id}")
    return data
