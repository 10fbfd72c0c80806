"""The question about a sample: exemplars, then the sample, then four options (InPhyRe specification, section 6).

The parts of the question are what a model gets, in order; joined, their texts are the prompt. Labels of the sample
asked about never enter: the question is made from its spec, and from exemplars with their own labels. Styles change
what stands around a sample, never its look (section 7.2):

- `rotate_1` to `rotate_3`: the options stand that many letters further on.
- `blind`: no picture and no film; `AskOptions.image = False` does the same.
- `shuffled_video`: exemplars with their own text and films of another scenario. `wrong_law`: those of the regular one.
- `full_video`: the whole film in place of the first frame, as `test_input = "full_video"` does.

`TEMPLATE_VERSION` changes with any wording; `Question.prompt_hash` covers the version and the text.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jaxphys_benchmarks.inphyre import exemplars, queries, words
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.exemplars import Exemplar
from jaxphys_benchmarks.inphyre.picture import FILM, FIRST_FRAME
from jaxphys_benchmarks.inphyre.queries import LETTERS
from jaxphys_benchmarks.inphyre.sample import families
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_benchmarks.protocol import PLAIN, AskOptions, Question, Shown, View

TEMPLATE_VERSION = "1"
TASK = "choice"
TASKS = (TASK,)

ROTATIONS: Mapping[str, int] = {"rotate_1": 1, "rotate_2": 2, "rotate_3": 3}
STYLES = (PLAIN, *ROTATIONS, "blind", "shuffled_video", "wrong_law", "full_video")

LEAST_FRAMES = 2
"""Fewer frames than this are no film."""


@dataclass
class _Parts:
    """Texts and pictures in order; texts that follow each other are one."""

    parts: list[str | Shown] = field(default_factory=list)

    def say(self, text: str) -> None:
        if self.parts and isinstance(self.parts[-1], str):
            self.parts[-1] += text
        else:
            self.parts.append(text)

    def show(self, spec: InPhyReSpec, view: View) -> None:
        self.parts.append(Shown(spec, view))


def ask(spec: InPhyReSpec, options: AskOptions, config: InPhyReConfig) -> tuple[Question, ...]:
    """The one question about a sample.

    Args:
        spec: the sample.
        options: how to ask; chain of thought is off unless asked for. `view` gives the style and the scale.
        config: shots, modality, retriever, test input, and what the pool of exemplars is drawn from.

    Returns:
        A question whose `reads` hold `options` (text by letter as shown), `back` (the letter that it has in the plain
        order), `meanings` (by that letter), and how it was asked: `scenario`, `family`, `preset`, `style`, `shots`,
        `modality`, `retriever`, `test_input`, `frames` of each film, `exemplars` (ids), `exemplar_meanings` (of the
        answers that are told), `films` (ids of the samples whose films are shown), `family_complete`.

    Raises:
        ValueError: unknown style, too few images for the films, or as `exemplars.chosen`; names the field.
    """
    style = options.view.style
    if style not in STYLES:
        raise ValueError(f"style: {style!r} is unknown; choose from {', '.join(STYLES)}")
    mode = _Mode.of(spec, options, config)
    shown = exemplars.chosen(config, spec, style, options.nearest)
    frames = _frames(spec, options, mode, len(shown)) if mode.pictures else 0
    parts = _Parts()
    told = shown if mode.pictures or mode.in_words or mode.text else []
    if told:
        parts.say(f"{_opening(len(told))}\n\n")
    for number, exemplar in enumerate(told, start=1):
        _exemplar(parts, number, exemplar, mode, frames)
    _sample(parts, spec, mode, frames, asked_first=not told)
    letters = _letters(spec, ROTATIONS.get(style, 0))
    parts.say(f"{_asked(spec, letters)}\n\n{_ending(mode.thinks)}")
    prompt = "".join(part for part in parts.parts if isinstance(part, str))
    reads = _reads(spec, config, letters) | {
        "style": style,
        "test_input": FILM if mode.whole_film else FIRST_FRAME,
        "frames": frames,
        "exemplars": [exemplar.spec.id for exemplar in told],
        "exemplar_meanings": [exemplar.labels.meaning for exemplar in told] if mode.text else [],
        "films": [exemplar.film.id for exemplar in told] if mode.pictures or mode.in_words else [],
        "family_complete": exemplars.families_shown(told, tuple(families(config, spec.scenario))),
    }
    question = Question(
        id=f"{spec.id}/{TASK}",
        scene=spec.id,
        task=TASK,
        prompt=prompt,
        prompt_hash=hashlib.sha256(f"{TEMPLATE_VERSION}\n{prompt}".encode()).hexdigest(),
        view=mode.view(frames),
        chain_of_thought=mode.thinks,
        parts=tuple(parts.parts),
        reads=reads,
    )
    return (question,)


@dataclass(frozen=True)
class _Mode:
    """What is shown and told.

    Attributes:
        pictures: films and frames are shown. in_words: they are described instead.
        text: exemplars come with question and answer. whole_film: so does the film of the sample asked about.
        thinks: reasoning is invited. scale: of pictures.
    """

    pictures: bool
    in_words: bool
    text: bool
    whole_film: bool
    thinks: bool
    scale: float

    @staticmethod
    def of(spec: InPhyReSpec, options: AskOptions, config: InPhyReConfig) -> "_Mode":
        blind = options.view.style == "blind"
        pictures = options.image and not options.text_only and not blind
        whole = options.view.style == "full_video" or config.test_input == "full_video"
        return _Mode(
            pictures=pictures,
            in_words=options.text_only and not blind,
            text=config.modality == "video_text",
            whole_film=whole and pictures,
            thinks=bool(options.chain_of_thought),
            scale=options.view.scale,
        )

    def still(self) -> View:
        return View(FIRST_FRAME, scale=self.scale)

    def film(self, frames: int) -> View:
        return View(FILM, scale=self.scale, frames=frames)

    def view(self, frames: int) -> View | None:
        """What is shown of the sample asked about."""
        if not self.pictures:
            return None
        return self.film(frames) if self.whole_film else self.still()


def _frames(spec: InPhyReSpec, options: AskOptions, mode: _Mode, shots: int) -> int:
    """Frames of each film, so that all pictures of the question fit into `max_images`."""
    films = shots + mode.whole_film
    if films == 0:
        return 0
    stills = 0 if mode.whole_film else 1
    fit = (options.max_images - stills) // films
    if fit < LEAST_FRAMES:
        raise ValueError(
            f"max_images: {options.max_images}, but {films} films of at least {LEAST_FRAMES} frames"
            f"{' and a picture' if stills else ''} need {films * LEAST_FRAMES + stills}; give more, or fewer shots"
        )
    if options.film_frames < LEAST_FRAMES:
        raise ValueError(f"film_frames: {options.film_frames}; a film has at least {LEAST_FRAMES} frames")
    return min(options.film_frames, fit, spec.film.frames)


def _opening(shots: int) -> str:
    if shots == 1:
        return "First comes an example. The scene that follows it, about which you are asked, obeys the same laws."
    return f"First come {shots} examples. The scene that follows them, about which you are asked, obeys the same laws."


def _exemplar(parts: _Parts, number: int, exemplar: Exemplar, mode: _Mode, frames: int) -> None:
    film = exemplar.film
    if mode.pictures:
        parts.say(f"Example {number}: {_film(film, frames)}\n")
        parts.show(film, mode.film(frames))
        parts.say("\n")
    elif mode.in_words:
        parts.say(f"Example {number}: a scene of {film.duration:g} s in words.\n{words.scene(film)}\n")
        parts.say(f"{words.film(film, exemplar.film_labels)}\n")
    else:
        parts.say(f"Example {number}:\n")
    if mode.text:
        letters = _letters(exemplar.spec, 0)
        right = next(shown for shown, (_, meaning, _) in letters.items() if meaning == exemplar.labels.meaning)
        parts.say(f"{_asked(exemplar.spec, letters)}\nAnswer: {right}\n")
    parts.say("\n")


def _sample(parts: _Parts, spec: InPhyReSpec, mode: _Mode, frames: int, *, asked_first: bool) -> None:
    """What is shown of the sample asked about."""
    lead = "The scene" if asked_first else "Now the scene about which you are asked"
    if mode.whole_film:
        parts.say(f"{lead}: {_film(spec, frames)}\n")
        parts.show(spec, mode.film(frames))
        parts.say("\n")
    elif mode.pictures:
        parts.say(f"{lead}: the first frame of a film of {spec.duration:g} s.\n")
        parts.show(spec, mode.still())
        parts.say("\n")
    elif mode.in_words:
        parts.say(f"{lead}, in words.\n{words.scene(spec)}\n")
    elif not asked_first:
        parts.say("Now the question that you are asked:\n")


def _film(spec: InPhyReSpec, frames: int) -> str:
    return f"{frames} frames of a film of {spec.duration:g} s, in order."


Letters = dict[str, tuple[str, str, str]]
"""By letter as shown: the letter in the plain order, the meaning, the text."""


def _letters(spec: InPhyReSpec, rotation: int) -> Letters:
    plain = list(queries.choices(spec).items())
    turned = {LETTERS[(k + rotation) % len(LETTERS)]: (was, *option) for k, (was, option) in enumerate(plain)}
    return {letter: turned[letter] for letter in LETTERS}


def _asked(spec: InPhyReSpec, letters: Letters) -> str:
    told = queries.information(spec)
    lines = [f"Question: {told + ' ' if told else ''}{queries.question(spec)}"]
    return "\n".join([*lines, *(f"{letter}. {text}" for letter, (_, _, text) in letters.items())])


def _ending(thinks: bool) -> str:
    line = "a line of the form 'Answer: X', where X is the letter of the right option, A, B, C or D"
    if thinks:
        return f"Think step by step first. Then end your reply with {line}."
    return f"Reply with {line}, and nothing else."


def _reads(spec: InPhyReSpec, config: InPhyReConfig, letters: Letters) -> dict[str, Any]:
    return {
        "options": {letter: text for letter, (_, _, text) in letters.items()},
        "back": {letter: was for letter, (was, _, _) in letters.items()},
        "meanings": {was: meaning for was, (meaning, _) in queries.choices(spec).items()},
        "scenario": spec.scenario,
        "family": spec.family,
        "preset": spec.preset,
        "shots": config.shots,
        "modality": config.modality,
        "retriever": config.retriever,
    }
