"""A data set in the files of CLEVRER, which its loaders read (InPhyRe specification, section 8.1).

    annotations/annotation_00000-01000/annotation_00000.json   what moves where, frame by frame, and what collides
    videos/video_00000-01000/video_00000.mp4                   the film
    images/image_00000-01000/image_00000.png                   its first frame, the only one that is asked about
    questions.json                                             one multiple-choice question per scene
    scenarios/<name>/scenario.json  exemplars.json  eval.json  what belongs to a scenario

`scene_index` runs over the whole set: the scenes that are asked about come first, then the exemplars of each scenario,
which `questions.json` leaves out. What CLEVRER has no key for lies under `inphyre`. Lengths are in m, velocities in
m/s, angular velocities in rad/s, orientations are Euler angles about x, y, z in degrees; motion has six decimals.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from jaxphys_benchmarks.inphyre import exemplars, files
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.picture import FILM, FIRST_FRAME, solids_of
from jaxphys_benchmarks.inphyre.scenarios import SCENARIOS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.inphyre.track import Floats, Meeting, Track, tracks
from jaxphys_benchmarks.protocol import Shown, View
from jaxphys_benchmarks.stage import CLEVR_CAMERA

FOLDER = 1000
"""Scenes in one folder."""

CHUNK = 256
"""Scenes simulated at once."""

DECIMALS = 6
RIGHT, WRONG = "correct", "wrong"
QUESTION_TYPE = "predictive"
"""CLEVRER's type of question about what happens next."""

Sample = tuple[InPhyReSpec, Labels]
Content = Mapping[str, Any] | Sequence[Any] | Shown


def layout(config: InPhyReConfig, samples: Iterable[Sample]) -> Iterator[tuple[str, Content]]:
    """Path and content of every file; the samples are taken one chunk at a time.

    Args:
        config: of the data set; it says which exemplars belong to it. samples: those that are asked about.
    """
    asked: dict[str, list[dict[str, Any]]] = {}
    seed, count = 0, 0
    waiting = iter(samples)
    while chunk := list(islice(waiting, CHUNK)):
        for entry, written in _scenes(chunk, count):
            asked.setdefault(entry["scenario"], []).append(entry)
            yield from written
        count += len(chunk)
        seed = chunk[0][0].seed
    yield "questions.json", [question_entry(entry) for entries in asked.values() for entry in entries]
    for name in config.scenarios:
        shown: list[dict[str, Any]] = []
        pool = list(zip(*exemplars.pool(config, seed, name), strict=True))
        for entry, written in _scenes(pool, count):
            shown.append(entry)
            yield from written
        count += len(pool)
        folder = f"scenarios/{name}"
        yield f"{folder}/exemplars.json", {"scenario": name, "scenes": shown}
        yield f"{folder}/eval.json", {"scenario": name, "scenes": asked.get(name, [])}
        yield f"{folder}/scenario.json", _scenario(config, name, len(asked.get(name, [])), len(shown))


def _scenes(samples: Sequence[Sample], first: int) -> Iterator[tuple[dict[str, Any], list[tuple[str, Content]]]]:
    """The entry of each sample in its scenario, and its files; indices count from `first`."""
    moved = tracks([spec for spec, _ in samples])
    for index, ((spec, labels), track) in enumerate(zip(samples, moved, strict=True), start=first):
        places = {kind: place(kind, index, ending) for kind, ending in _ENDINGS.items()}
        entry = {
            "scene_index": index,
            "scenario": spec.scenario,
            "family": spec.family,
            **places,
            **files.question(spec, labels),
            "meaning": labels.meaning,
        }
        yield (
            entry,
            [
                (places["annotation"], annotation(spec, labels, track, index)),
                (places["image"], Shown(spec, View(FIRST_FRAME))),
                (places["video"], Shown(spec, View(FILM, frames=spec.film.frames))),
            ],
        )


_ENDINGS = {"annotation": "json", "image": "png", "video": "mp4"}


def place(kind: str, index: int, ending: str) -> str:
    """`videos/video_00000-01000/video_00012.mp4`."""
    start = index // FOLDER * FOLDER
    return f"{kind}s/{kind}_{start:05d}-{start + FOLDER:05d}/{kind}_{index:05d}.{ending}"


def _scenario(config: InPhyReConfig, name: str, n_asked: int, n_exemplars: int) -> dict[str, Any]:
    scenario = SCENARIOS[name]
    return {
        "scenario": name,
        "title": scenario.title,
        "category": scenario.category,
        "query": scenario.query,
        "law": scenario.law,
        "families": list(scenario.families),
        "regular_counterpart": scenario.regular,
        "counts": {"eval": n_asked, "exemplars": n_exemplars},
        "config_hash": config.config_hash,
        "config": config.model_dump(mode="json"),
    }


def question_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What `questions.json` holds of a scene; choices stand in the order of the letters."""
    return {
        "scene_index": entry["scene_index"],
        "video_filename": entry["video"].rpartition("/")[2],
        "questions": [
            {
                "question_id": 0,
                "question": f"{entry['information']} {entry['question']}".strip(),
                "question_type": QUESTION_TYPE,
                "program": [],
                "choices": [
                    {
                        "choice_id": k,
                        "choice": option["text"],
                        "program": [],
                        "answer": RIGHT if option["letter"] == entry["answer"] else WRONG,
                    }
                    for k, option in enumerate(entry["options"])
                ],
            }
        ],
    }


def annotation(spec: InPhyReSpec, labels: Labels, track: Track, index: int) -> dict[str, Any]:
    """What moves where in a scene; objects are the things of the spec, in its order."""
    n = len(spec.things)
    return {
        "scene_index": index,
        "video_filename": place("video", index, "mp4").rpartition("/")[2],
        "object_property": [
            {"object_id": k, "color": thing.colour, "material": thing.material, "shape": thing.shape}
            for k, thing in enumerate(spec.things)
        ],
        "motion_trajectory": _motion(spec, track),
        "collision": [
            _collision(spec, track, met) for met in track.meetings if max(met.bodies) < n and not met.through
        ],
        "inphyre": {
            "id": spec.id,
            "scenario": spec.scenario,
            "family": spec.family,
            "law_id": spec.law,
            "params": dict(spec.params),
            "mass": [thing.mass for thing in spec.things],
            "friction": [thing.mu for thing in spec.things],
            "size": [thing.size for thing in spec.things],
            "status": labels.status,
            "meaning": labels.meaning,
            "contact": _contact(labels),
            "appearance": _appearance(spec, track),
            "walls": [{"object_id": k, **wall.model_dump(mode="json")} for k, wall in enumerate(spec.walls, start=n)],
        },
    }


def _motion(spec: InPhyReSpec, track: Track) -> list[dict[str, Any]]:
    """Poses and velocities of the objects, frame by frame; an object is in view while its centre is."""
    n = len(spec.things)
    frames = len(track.times)
    height = np.broadcast_to([solid.half[2] for solid in solids_of(spec)][:n], (frames, n))[..., None]
    location = np.concatenate([track.pos[:, :n], height], axis=-1)
    seen = CLEVR_CAMERA.project(location, spec.film.width_px, spec.film.height_px)
    size = (spec.film.width_px, spec.film.height_px)
    inside = np.all((seen[..., :2] >= 0) & (seen[..., :2] <= size), axis=-1)
    velocity = np.concatenate([track.vel[:, :n], np.zeros((frames, n, 1))], axis=-1)
    numbers = {
        "location": location,
        "orientation": euler_deg(track.quat[:, :n]),
        "velocity": velocity,
        "angular_velocity": track.omega[:, :n],
    }
    listed = {name: (np.round(values, DECIMALS) + 0.0).tolist() for name, values in numbers.items()}
    return [
        {
            "frame_id": f,
            "objects": [
                {
                    "object_id": k,
                    **{name: values[f][k] for name, values in listed.items()},
                    "inside_camera_view": bool(inside[f, k]),
                }
                for k in range(n)
            ],
        }
        for f in range(frames)
    ]


def _collision(spec: InPhyReSpec, track: Track, met: Meeting) -> dict[str, Any]:
    """Two objects push each other; the frame is the first that shows them afterwards."""
    height = min(spec.things[k].size for k in met.bodies)
    place = [round(value, DECIMALS) + 0.0 for value in (*met.point, height)]
    return {"object_ids": list(met.bodies), "frame_id": frame_at(track, met.time), "location": place}


def frame_at(track: Track, time: float) -> int:
    """The first frame at or after a time (s); the number of frames where the film ends before."""
    return int(np.searchsorted(track.times, time, side="left"))


def _contact(labels: Labels) -> dict[str, Any] | None:
    """The contact that is asked about, at full precision."""
    if labels.contact is None:
        return None
    told = labels.contact.model_dump(mode="json")
    return {"t": told.pop("time"), **told}


def _appearance(spec: InPhyReSpec, track: Track) -> list[dict[str, Any]]:
    """Every change of an object's look: from which frame on it has which colour and material."""
    changes = []
    for f, k in np.argwhere(np.diff(track.look[:, : len(spec.things)], axis=0)).tolist():
        shown = spec.things[track.look[f + 1, k]]
        changes.append({"object_id": k, "frame_id": f + 1, "color": shown.colour, "material": shown.material})
    return changes


def euler_deg(quat: Floats) -> Floats:
    """(..., 3) angles about the fixed x, y and z axes, in that order (degrees), of (..., 4) orientations, w first."""
    w, x, y, z = np.moveaxis(quat, -1, 0)
    about_x = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    about_y = np.arcsin(np.clip(2 * (w * y - z * x), -1, 1))
    about_z = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return np.asarray(np.degrees(np.stack([about_x, about_y, about_z], axis=-1)))
