"""How questions are put: `Settings`, with a JSON form so that it can be written into inspect-ai's log."""

import json
from dataclasses import asdict, dataclass, field

from jaxphys_adapters.query import images
from jaxphys_adapters.query.parts import FILM_AS, FilmAs
from jaxphys_adapters.query.policy import RetryPolicy
from jaxphys_benchmarks.protocol import EXTRACTORS


@dataclass(frozen=True)
class Settings:
    """How questions are put and replies are kept.

    Attributes:
        policy: when to ask again.
        temperature: of sampling; None leaves it to the provider.
        extract: the extractor that decides whether a reply can be read, and whose metrics are reported.
        cache: keep replies at temperature 0.
        out: folder of records; "" keeps none.
        image_limit: largest picture sent, base64-encoded (bytes).
        film_as: how films are sent: as stills, or each as one MP4 file.
        max_images: most pictures and films in one question.
        loop: JSON object of the options of a closed loop; "" asks each question once.
    """

    policy: RetryPolicy = field(default_factory=RetryPolicy)
    temperature: float | None = 0.0
    extract: str = "robust"
    cache: bool = True
    out: str = ""
    image_limit: int = images.DEFAULT_LIMIT
    film_as: FilmAs = "frames"
    max_images: int = 32
    loop: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError naming the field."""
        if self.extract not in EXTRACTORS:
            raise ValueError(f"extract: {self.extract!r}; give one of {', '.join(EXTRACTORS)}")
        if self.max_images < 1:
            raise ValueError(f"max_images: {self.max_images}; give a whole number >= 1")
        if self.film_as not in FILM_AS:
            raise ValueError(f"film_as: {self.film_as!r}; give one of {', '.join(FILM_AS)}")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise ValueError(f"temperature: {self.temperature}; give a number from 0 to 2")
        if self.image_limit < images.MIB // 64:
            raise ValueError(f"image_limit: {self.image_limit} bytes; give at least {images.MIB // 64}")
        if self.loop and not isinstance(json.loads(self.loop), dict):
            raise ValueError(f"loop: {self.loop}; give a JSON object")

    def to_json(self) -> str:
        """Canonical text; `from_json` gives an equal record."""
        return json.dumps(asdict(self), sort_keys=True)

    @staticmethod
    def from_json(text: str) -> "Settings":
        """The record of a text made by `to_json`."""
        fields = json.loads(text)
        return Settings(**{**fields, "policy": RetryPolicy(**fields["policy"])})
