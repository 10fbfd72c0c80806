"""The question about a scene: what the robot has seen of it, and the plan that is asked for (sections 9 and 10.3).

The published prompt is not public; this one is ours, and `TEMPLATE_VERSION` changes with any wording. It says what the
robot is, where its cameras are and what a plan means, never what would be the right thing to do. The action is not
asked for: it is recovered from the plan. Labels never enter. Styles change what is shown of a scene:

- `blind`: no picture; `AskOptions.image = False` does the same.

`AskOptions.text_only` gives the observed motion as numbers in place of pictures.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from jaxphys_benchmarks.protocol import PLAIN, AskOptions, Question, Shown, View
from jaxphys_benchmarks.reacthuman import catalogue, looks, words
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.picture import FILM_MARK, spread
from jaxphys_benchmarks.reacthuman.plan import Limits, schema
from jaxphys_benchmarks.reacthuman.recover import Thresholds
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec

TEMPLATE_VERSION = "1"
TASK = "react"
TASKS = (TASK,)
STYLES = (PLAIN, "blind")

EXAMPLE = {
    "object_identified": "...",
    "intent": "...",
    "confidence": 0.5,
    "walking_cmd": ["vx", "vy", "yaw_rate"],
    "walking_duration": "seconds",
    "keyframes": [{"t": "seconds", "left_hand": ["f", "l", "u"], "right_hand": ["f", "l", "u"], "knee_bend": "0 to 1"}],
}
"""The form of a plan; words stand for numbers, so that there is nothing to copy."""


def ask(spec: ReactHumanSpec, options: AskOptions, config: ReactHumanConfig) -> tuple[Question, ...]:
    """The one question about a scene.

    Args:
        spec: the scene.
        options: how to ask; chain of thought is off unless asked for. `view` gives the style and the scale.
        config: views, limits of plans, thresholds of the recovery, options of the rules.

    Returns:
        A question whose `reads` hold what parser and score must know: `limits`, `recovery`, `brace_scoring`,
        `danger_requires_threat`, `label_set`; of the scene `family`, `sid` (published id), `set` (number of its group),
        `group_id`, `band`, `timing`, `category`, `adversarial`, `probe` (the object, if it is an adversarial one or the
        twin of one), `implied_action` (by its look), `root` of the robot (m), `config_hash`; and how it was asked:
        `style`, `views`, `frames`; and by which a view shows the hazard, `visible_px` and `visible_share`.

    Raises:
        ValueError: unknown style, or too few images for the views; names the field.
    """
    style = options.view.style
    if style not in STYLES:
        raise ValueError(f"style: {style!r} is unknown; choose from {', '.join(STYLES)}")
    pictures = options.image and not options.text_only and style != "blind"
    views = config.views[: config.views_per_query] if pictures else ()
    frames = _frames(spec, options, len(views)) if views else 0
    limits = Limits(**_fields(config, Limits.model_fields))
    thinks = bool(options.chain_of_thought)
    shown: list[str | Shown] = [f"{words.setting(spec)}\n\n"]
    for view in views:
        film = View(f"{view}{FILM_MARK}", scale=options.view.scale, frames=frames)
        shown += [f"{words.view(spec, view, _aspect(config))} {_times(spec, frames)}\n", Shown(spec, film), "\n"]
    if options.text_only:
        shown.append(f"{words.motion(spec, config.catalogue)}\n")
    elif not views:
        shown.append("Nothing is shown of the scene: answer with what you think wise.\n")
    shown.append(closing(limits, thinks))
    parts = joined(shown)
    prompt = "".join(part for part in parts if isinstance(part, str))
    question = Question(
        id=f"{spec.id}/{TASK}",
        scene=spec.id,
        task=TASK,
        prompt=prompt,
        prompt_hash=hashlib.sha256(f"{TEMPLATE_VERSION}\n{prompt}".encode()).hexdigest(),
        view=View(f"{views[0]}{FILM_MARK}", scale=options.view.scale, frames=frames) if views else None,
        chain_of_thought=thinks,
        parts=tuple(parts),
        reads=_reads(spec, config, limits) | {"style": style, "views": list(views), "frames": frames},
    )
    return (question,)


def _aspect(config: ReactHumanConfig) -> float:
    return config.size_px[0] / config.size_px[1]


def _frames(spec: ReactHumanSpec, options: AskOptions, views: int) -> int:
    """Frames of each view, so that all of them fit into `max_images`."""
    fit = min(options.max_images // views, options.film_frames, spec.timing.frames)
    if fit < 2:
        raise ValueError(
            f"max_images, film_frames: {options.max_images} and {options.film_frames}, but {views} views need at least"
            f" {2 * views} images and 2 frames; give more, or fewer views_per_query"
        )
    return fit


def _times(spec: ReactHumanSpec, frames: int) -> str:
    """When the frames of a view are, which is not always 0.15 s apart."""
    steps = [spec.timing.steps[k] for k in spread(spec.timing.frames, frames)]
    shown = ", ".join(f"{(step - steps[0]) * spec.physics.dt:.2f}" for step in steps)
    return f"{frames} frames in order, at {shown} s; the last one is now:"


def closing(limits: Limits, thinks: bool) -> str:
    """What a plan is, and how to reply with one; `thinks` invites reasoning before it."""
    return f"\n{words.task(limits)}\n{_form(limits)}\n\n{_ending(thinks)}"


def joined(pieces: list[str | Shown]) -> list[str | Shown]:
    """Texts that follow each other become one."""
    parts: list[str | Shown] = []
    for piece in pieces:
        if parts and isinstance(piece, str) and isinstance(parts[-1], str):
            parts[-1] += piece
        else:
            parts.append(piece)
    return parts


def _form(limits: Limits) -> str:
    described = {name: value for name, value in schema(limits).items() if not name.startswith("$")}
    return (
        f"The form, with words in place of numbers:\n{json.dumps(EXAMPLE)}\n"
        f"Its JSON schema:\n{json.dumps(described, separators=(',', ':'))}"
    )


def _ending(thinks: bool) -> str:
    if thinks:
        return (
            "Think step by step first, without curly braces in your reasoning. Then end your reply with the JSON"
            " object, and write nothing after it."
        )
    return "Reply with the JSON object only, without any other text."


def _fields(config: ReactHumanConfig, names: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of the configuration that have the names of another record's."""
    return {name: getattr(config, name) for name in names if name in type(config).model_fields}


def _reads(spec: ReactHumanSpec, config: ReactHumanConfig, limits: Limits) -> dict[str, Any]:
    thing = looks.row(spec.object, spec.family, config.catalogue)
    brace = config.label_set == "released" and config.brace_scoring == "strict"
    thresholds = Thresholds(**_fields(config, Thresholds.model_fields) | {"brace": brace})
    return {
        "limits": limits.model_dump(mode="json"),
        "recovery": thresholds.model_dump(mode="json"),
        "brace_scoring": config.brace_scoring,
        "danger_requires_threat": config.danger_requires_threat,
        "label_set": config.label_set,
        "visible_px": config.visible_px,
        "visible_share": config.visible_share,
        "family": spec.family,
        "sid": spec.published_id(),
        "set": spec.group,
        "group_id": spec.group_id,
        "band": spec.band,
        "timing": spec.timing.mode,
        "category": "adversarial" if spec.adversarial else thing.category if thing is not None else "safe",
        "adversarial": spec.adversarial,
        "probe": _probe(spec, config.catalogue),
        "implied_action": None if thing is None else catalogue.implied_action(thing, spec.family, config.catalogue),
        "root": list(spec.robot_root),
        "config_hash": spec.config_hash or config.config_hash,
    }


def _probe(spec: ReactHumanSpec, rows: catalogue.Catalogue) -> str | None:
    """The object's name where answers to a fake and to its honest twin are to be compared."""
    twins = {row.twin for row in rows.rows if row.adversarial}
    return spec.object if spec.adversarial or spec.object in twins else None
