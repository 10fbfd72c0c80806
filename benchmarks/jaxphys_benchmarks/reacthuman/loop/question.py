"""The question about a scene that goes on: what the robot sees now, how it stands, what it is doing, and the plan.

The first one says that the robot looks again, if there is more than one round; later ones tell what has become of the
robot since. Pictures are those of the last moments, from the head as it moves; places are told in the frame of the
robot as it stands now, in which plans are written. As with the scene's own question, labels never enter, and nothing
says what would be right.
"""

import hashlib
import json

import numpy as np

from jaxphys_benchmarks.protocol import AskOptions, Question, Shown, View
from jaxphys_benchmarks.reacthuman import prompts, words
from jaxphys_benchmarks.reacthuman.cameras import camera
from jaxphys_benchmarks.reacthuman.catalogue import Catalogue
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.loop.config import LoopConfig
from jaxphys_benchmarks.reacthuman.loop.observation import NORTH, Observation
from jaxphys_benchmarks.reacthuman.picture import FILM_MARK, UNSEEN, spread
from jaxphys_benchmarks.reacthuman.plan import Limits, Plan

TEMPLATE_VERSION = "loop-2"
"""Changes with any wording."""

AGAIN = "it begins to carry out your plan, and looks again every {every:g} s, when you may give it another"
"""What becomes of a plan, where models are asked again."""
NUMBER_MARK = "@"
"""Before the number of a question that is not the first."""


def question(observation: Observation, ask: AskOptions, config: ReactHumanConfig, loop: LoopConfig) -> Question:
    """What a model is asked about one scene now.

    Args:
        observation: the scene. ask: how to ask, as of the scene's own question. config: as of that.
        loop: how often it is asked.

    Raises:
        ValueError: as `prompts.ask`.
    """
    spec, number = observation.spec, observation.number
    (own,) = prompts.ask(spec, ask, config)
    thinks = own.chain_of_thought
    views, frames = own.reads["views"], own.reads["frames"]
    outlook = AGAIN.format(every=loop.every) if len(loop.schedule) > 1 else words.ONCE
    shown: list[str | Shown] = [f"{words.setting(spec, outlook)}\n\n"]
    if number:
        shown.append(f"{_since(observation)}\n\n")
    for view in views:
        film = View(f"{view}{FILM_MARK}", scale=ask.view.scale, frames=frames)
        where = _moving(observation, view, config) if number else words.view(spec, view, _aspect(config))
        shown += [f"{where} {_times(observation, frames)}\n", Shown(spec, film), "\n"]
    if ask.text_only:
        shown.append(f"{_motion(observation, config.catalogue) if number else words.motion(spec, config.catalogue)}\n")
    elif not views:
        shown.append("Nothing is shown of the scene: answer with what you think wise.\n")
    shown.append(prompts.closing(Limits(**own.reads["limits"]), thinks))
    parts = tuple(prompts.joined(shown))
    prompt = "".join(part for part in parts if isinstance(part, str))
    return Question(
        id=f"{own.id}{NUMBER_MARK}{number}" if number else own.id,
        scene=own.scene,
        task=own.task,
        prompt=prompt,
        prompt_hash=hashlib.sha256(f"{TEMPLATE_VERSION}\n{prompt}".encode()).hexdigest(),
        view=own.view,
        chain_of_thought=thinks,
        parts=parts,
        reads=own.reads,
    )


def _aspect(config: ReactHumanConfig) -> float:
    return config.size_px[0] / config.size_px[1]


def _since(observation: Observation) -> str:
    """What has become of the robot since it was first asked about."""
    spec, root = observation.spec, observation.root
    moved = (root[1] - spec.robot.y, spec.robot.x - root[0])
    turned = float(np.degrees((observation.yaw - NORTH + np.pi) % (2 * np.pi) - np.pi))
    left, right = (words.place(hand) for hand in observation.to_robot(observation.palms).tolist())
    return (
        f"Since you were first asked {observation.time:.2f} s have passed. The robot has moved by"
        f" {words.place(moved)} m (forward, left) and turned by {words.degrees(turned, 'left', 'right')}; its pelvis is"
        f" {root[2]:.2f} m above the floor. The frame is now that of the robot as it stands now, and in it the left and"
        f" right hands are at {left} and {right}.\n{_doing(observation)} Another plan takes its place from now on:"
        " t = 0 is now, and the hands begin where they are."
    )


def _doing(observation: Observation) -> str:
    """The plan under way."""
    plan = observation.plan
    if plan is None:
        return "It stands, as no plan has been given yet."
    ago = observation.time - observation.begun
    return f"For {ago:.2f} s it has been carrying out this plan of yours: {_short(plan)}."


def _short(plan: Plan) -> str:
    """A plan as JSON, without what does not move the robot."""
    content = plan.model_dump(mode="json", include={"walking_cmd", "walking_duration", "keyframes"})
    rounded = json.loads(json.dumps(content), parse_float=lambda text: round(float(text), 3))
    return json.dumps(rounded, separators=(",", ":"))


def _moving(observation: Observation, view: str, config: ReactHumanConfig) -> str:
    """A camera whose place in the robot's frame changes: it rides on the head, or stays while the robot moves."""
    lens = camera(observation.spec, view, _aspect(config))
    rides = ", which moves with it" if view == UNSEEN else ""
    return f"{words.VIEWS[view]}{rides}, vertical field of view {lens.fov_deg:.0f} degrees."


def _times(observation: Observation, frames: int) -> str:
    """When the frames of a view are."""
    times = observation.window.times
    told = ", ".join(f"{times[k] - times[0]:.2f}" for k in spread(len(times), frames))
    return f"{frames} frames in order, at {told} s; the last one is now:"


def _motion(observation: Observation, rows: Catalogue) -> str:
    """The last moments in numbers, for whoever is asked without pictures."""
    spec, window = observation.spec, observation.window
    lines = ["What is there, in the robot's frame as it stands now:"]
    for box in spec.scene.boxes:
        at, half = words.place(observation.to_robot(np.array(box.pos)).tolist()), words.place(box.half)
        lines.append(
            f"- {box.name.replace('_', ' ')}: does not move, centre {at}, half extents along its sides {half}; its"
            " sides are those of the frame as the robot first stood"
        )
    lines.append("Where the centres of what can move have been, the last time is now:")
    places = observation.to_robot(window.pos).tolist()
    times = [f"{t - window.times[0]:.2f} s" for t in window.times.tolist()]
    for k, thing in enumerate(spec.scene.things):
        told = [f"{t} {words.place(frame[k])}" for t, frame in zip(times, places, strict=True)]
        lines.append(f"- {words.name(thing, spec, rows)}: {', '.join(told)}")
    return "\n".join(lines)
