"""What a model got, told from the record of a question, for a page that people read.

A record names every picture that was sent: which scene and frame it shows, and the hash of its file. `show` reads that
list; `draw` draws the question's pictures again, by hash, so that a page shows a picture only if it is the one that was
sent. Records are untrusted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jaxphys_adapters.query import images, parts
from jaxphys_adapters.query.parts import FILM_AS, FilmAs
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_benchmarks.protocol import AskOptions, Question


@dataclass(frozen=True)
class Sent:
    """A picture or film that was sent.

    Attributes:
        scene: id of the scene. view, style: how it is seen.
        frame, frames: which frame of how many, from 0; 0 and 1 for a picture that does not move.
        time: of the frame (s), where it has one.
        film: all frames were sent as one MP4 file.
        sha256: of the file.
    """

    scene: str
    view: str
    style: str
    sha256: str
    frame: int = 0
    frames: int = 1
    time: float | None = None
    film: bool = False


def show(record: Mapping[str, Any]) -> list[str | Sent]:
    """Texts and pictures of a question in the order in which the model got them.

    Args:
        record: of a question, as `AnswerFolder` keeps it.

    Raises:
        ValueError: it has no list of parts, or one that cannot be read.
    """
    try:
        return [str(part["text"]) if "text" in part else Sent(**part) for part in record["parts"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"parts: not the parts of a question ({type(error).__name__}: {error})") from None


def ask_options(run: Mapping[str, Any]) -> AskOptions:
    """How the questions of a run were asked, from its run.json; unset fields as usual.

    Raises:
        ValueError: an argument is of the wrong kind; the text names it.
    """
    arguments = run.get("arguments")
    given = arguments if isinstance(arguments, Mapping) else {}
    usual = AskOptions()

    def argument(name: str, kind: type, default: Any) -> Any:
        value = given.get(name, default)
        if value is not default and type(value) is not kind:
            raise ValueError(f"arguments.{name}: {value!r}; give a {kind.__name__}")
        return value

    film_as = argument("film_as", str, FILM_AS[0])
    film_frames = argument("film_frames", int, usual.film_frames)
    ask = AskOptions(
        image=argument("image", bool, usual.image),
        chain_of_thought=argument("enable_cot", bool, None),
        force_numeric=bool(argument("force_numeric", bool, None)),
        text_only=argument("text_only", bool, usual.text_only),
    )
    return parts.limited(ask, film_as, film_frames, argument("max_images", int, usual.max_images))


def draw(pictures: Pictures, question: Question, film_as: FilmAs = "frames") -> dict[str, bytes]:
    """Files of all pictures of a question with parts, by hash; drawn without labels, as for the model."""
    slots = parts.slots(question, parts.moving(pictures.benchmark, film_as))
    files = [pictures.file(slot) for slot in slots if slot.shown]
    return {images.sha256(data): data for data in files}
