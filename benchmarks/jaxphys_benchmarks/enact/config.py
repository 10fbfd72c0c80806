"""`EnactConfig`: every choice behind segmentation, questions and worlds, with its origin (ENACT specification, 16).

A field's JSON schema says where its default comes from: `provenance` is "published" (arXiv:2511.20937, its project page
or README), "reference" (the public reference implementation or simulator sources), "measured", "derived" or "assumed"
(ours). Frozen; unknown fields and NaN are rejected. SI units; pixels `_px`, angles `_deg`.
"""

import hashlib
import json
from typing import Any, Literal

from pydantic import Field

from jaxphys_benchmarks.enact.config_world import Ablation, Camera, Fields, Robot, World

PUBLISHED: dict[str, Any] = {"provenance": "published"}
REFERENCE: dict[str, Any] = {"provenance": "reference"}
DERIVED: dict[str, Any] = {"provenance": "derived"}
ASSUMED: dict[str, Any] = {"provenance": "assumed"}


class Transient(Fields):
    """The filter of flickering facts (6.1, step 1); profile `paper` applies it too (assumed)."""

    window: int = Field(default=10, ge=3, description="frames that a fact may flicker in", json_schema_extra=REFERENCE)
    stride: int = Field(default=5, ge=1, description="frames between windows", json_schema_extra=REFERENCE)


class Release(Fields):
    """Profile `release`: as the released data were cut (6.1)."""

    skip_first: int = Field(default=10, ge=0, description="frames dropped at the start", json_schema_extra=REFERENCE)
    warmup: int = Field(
        default=50, ge=1, description="the remaining frame of this number, from 1, is the first key frame",
        json_schema_extra=REFERENCE,
    )  # fmt: skip
    sim_max: float = Field(
        default=0.98, gt=0, le=1, description="cosine of whole graphs below which the scene has changed",
        json_schema_extra=REFERENCE,
    )  # fmt: skip
    min_gap: int = Field(
        default=200, ge=0, description="frames exceeded between key frames", json_schema_extra=REFERENCE
    )
    settle: int = Field(
        default=10, ge=0, description="frames from the candidate to the key frame", json_schema_extra=REFERENCE
    )


class Paper(Fields):
    """Profile `paper`: as the paper describes it (6.2). How persistence is tested is ours."""

    persist_frames: int = Field(
        default=40, ge=1, description="frames that a new state must last", json_schema_extra=PUBLISHED
    )
    cos_max: float = Field(
        default=0.97, gt=0, le=1, description="cosine of successive changes below which a change is new",
        json_schema_extra=PUBLISHED,
    )  # fmt: skip


class Segmentation(Fields):
    """How key frames are found."""

    profile: Literal["release", "paper"] = Field(
        default="release", description="which rules", json_schema_extra=DERIVED
    )
    transient: Transient = Field(default=Transient(), description="flicker filter", json_schema_extra=REFERENCE)
    release: Release = Field(default=Release(), description="profile `release`", json_schema_extra=REFERENCE)
    paper: Paper = Field(default=Paper(), description="profile `paper`", json_schema_extra=PUBLISHED)


class Kfts(Fields):
    """Key-frame trajectory synthesis (6.3)."""

    max_sentences: int = Field(default=5, ge=1, description="sentences of an action", json_schema_extra=REFERENCE)
    attempts_factor: int = Field(
        default=10, ge=1, description="draws for each path wanted", json_schema_extra=REFERENCE
    )


class Qa(Fields):
    """The questions (6.4)."""

    samples_per_activity_L: int = Field(
        default=20, ge=1, description="paths of each activity and number of frames", json_schema_extra=DERIVED
    )
    inverse_cap: int = Field(
        default=25, ge=1, description="inverse questions of each activity and number of frames",
        json_schema_extra=REFERENCE,
    )  # fmt: skip
    seed: int = Field(default=42, ge=0, description="of paths, shuffles and verbs", json_schema_extra=REFERENCE)
    labels: bool = Field(default=True, description="labels are burnt into the images", json_schema_extra=REFERENCE)
    lengths: tuple[int, ...] = Field(
        default=(3, 4, 5, 6, 7, 8, 9, 10), min_length=1, description="numbers of frames", json_schema_extra=PUBLISHED
    )


class Prompt(Fields):
    """How a question is put to a model."""

    image_position: Literal["before", "after"] = Field(
        default="before", description="images before or after the text", json_schema_extra=ASSUMED
    )


class Model(Fields):
    """How a model is run."""

    temperature: float = Field(default=0.0, ge=0, description="of sampling", json_schema_extra=PUBLISHED)


class Names(Fields):
    """Words of names (5.1)."""

    extra_keep_words: tuple[str, ...] = Field(
        default=(), description="parts of six letters that are words though no category holds them",
        json_schema_extra=ASSUMED,
    )  # fmt: skip


class Taxonomy(Fields):
    """Classes of errors (9.1)."""

    group_of_contains: Literal["Spatial", "Functional", "Material", "Agent"] = Field(
        default="Material", description="semantic group of Contains", json_schema_extra=ASSUMED
    )


class EnactConfig(Fields):
    """What episodes are cut, what is asked of them, and how worlds are made."""

    visibility_percent_min: float = Field(
        default=0.005, ge=0, description="percent of a picture that a seen object exceeds", json_schema_extra=REFERENCE
    )
    sensor: str = Field(
        default="external_sensor1", min_length=1, description="camera that decides what is seen",
        json_schema_extra=REFERENCE,
    )  # fmt: skip
    image_size_px: int = Field(
        default=512, ge=16, description="width and height of an image", json_schema_extra=PUBLISHED
    )
    segmentation: Segmentation = Field(default=Segmentation(), description="key frames", json_schema_extra=DERIVED)
    kfts: Kfts = Field(default=Kfts(), description="paths over key frames", json_schema_extra=REFERENCE)
    qa: Qa = Field(default=Qa(), description="questions", json_schema_extra=DERIVED)
    prompt: Prompt = Field(default=Prompt(), description="wording and order", json_schema_extra=ASSUMED)
    model: Model = Field(default=Model(), description="model calls", json_schema_extra=PUBLISHED)
    names: Names = Field(default=Names(), description="words of names", json_schema_extra=ASSUMED)
    taxonomy: Taxonomy = Field(default=Taxonomy(), description="classes of errors", json_schema_extra=ASSUMED)
    world: World = Field(default=World(), description="predicates of our worlds", json_schema_extra=ASSUMED)
    camera: Camera = Field(default=Camera(), description="the head camera", json_schema_extra=PUBLISHED)
    ablation: Ablation = Field(default=Ablation(), description="variants of images", json_schema_extra=PUBLISHED)
    robot: Robot = Field(default=Robot(), description="the robot", json_schema_extra=ASSUMED)

    @property
    def config_hash(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of all fields."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


DEFAULT = EnactConfig()
"""All defaults."""
