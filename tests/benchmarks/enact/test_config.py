"""The configuration: defaults of section 16, an origin for every field, limits."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from jaxphys_benchmarks.enact.config import DEFAULT, EnactConfig

ORIGINS = {"published", "reference", "measured", "derived", "assumed"}


def fields(model: type[BaseModel], path: str = "") -> list[tuple[str, Any]]:
    """All fields, those of parts as well, with their paths."""
    found = []
    for name, field in model.model_fields.items():
        found.append((f"{path}{name}", field))
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found += fields(field.annotation, f"{path}{name}.")
    return found


@pytest.mark.parametrize(
    ("path", "field"), fields(EnactConfig), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_field_tells_its_origin_and_meaning(path: str, field: Any) -> None:
    assert field.json_schema_extra["provenance"] in ORIGINS
    assert field.description
    assert not field.is_required()


def test_defaults_of_the_specification() -> None:
    flat = {path: field.default for path, field in fields(EnactConfig)}
    wanted = {
        "visibility_percent_min": 0.005, "sensor": "external_sensor1", "image_size_px": 512,
        "segmentation.profile": "release", "segmentation.release.skip_first": 10, "segmentation.release.warmup": 50,
        "segmentation.release.sim_max": 0.98, "segmentation.release.min_gap": 200, "segmentation.release.settle": 10,
        "segmentation.transient.window": 10, "segmentation.transient.stride": 5,
        "segmentation.paper.persist_frames": 40, "segmentation.paper.cos_max": 0.97,
        "kfts.max_sentences": 5, "kfts.attempts_factor": 10, "qa.samples_per_activity_L": 20, "qa.inverse_cap": 25,
        "qa.seed": 42, "qa.labels": True, "prompt.image_position": "before", "model.temperature": 0.0,
        "names.extra_keep_words": (), "world.fps": 30, "world.physics_hz": 240, "world.grasp_gap": 0.08,
        "world.grasp_frames": 2, "world.touch_dist": 0.001, "world.adjacency": "ray", "world.ray_max_hits": 10,
        "world.ray_max_len": 5.0, "world.open_fraction": 0.05, "world.toggle_reach": 0.1, "world.toggle_frames": 5,
        "world.cook_temp": 70.0, "world.contains_min": 1, "world.covered_min": 1, "world.covered_dist": 0.01,
        "world.particles_per_system": (16, 64), "camera.height": 1.75, "camera.offset": (0.06, 0.01, 0.15),
        "camera.aperture": 40.0, "camera.focal_length": 17.0, "ablation.heights": (2.25, 1.5),
        "ablation.apertures": (30.0, 60.0, 80.0), "ablation.noise_rate": 0.1, "ablation.seeds": 3,
        "taxonomy.group_of_contains": "Material", "robot.level": "A", "robot.grasp_backend": "weld",
    }  # fmt: skip
    assert {path: flat[path] for path in wanted} == wanted


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": 1},
        {"visibility_percent_min": float("nan")},
        {"kfts": {"max_sentences": 0}},
        {"segmentation": {"profile": "draft"}},
        {"segmentation": {"release": {"sim_max": 0}}},
        {"qa": {"lengths": []}},
    ],
    ids=str,
)
def test_wrong_fields_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        EnactConfig.model_validate(wrong)


def test_the_hash_tells_configurations_apart_and_survives_json() -> None:
    again = EnactConfig.model_validate_json(DEFAULT.model_dump_json())
    assert again == DEFAULT
    assert again.config_hash == DEFAULT.config_hash
    assert EnactConfig(sensor="other").config_hash != DEFAULT.config_hash
