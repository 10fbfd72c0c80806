"""inspect-ai's solver in a closed loop: ask about a scene again while it goes on (`jaxphys_benchmarks.looped`).

Every sample is a scene. Its task asks the model what each round asks, with the pictures of that moment, and waits for
the scenes of its ensemble in between. The reply that is scored is the first one, to the scene's own question; what came
of the scene is left in the sample's store beside it. Rounds are kept as they are answered, see `loop_records`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from anyio import to_thread
from anyio.lowlevel import RunVar
from inspect_ai.model import Model, get_model
from inspect_ai.solver import TaskState

from jaxphys_adapters.query import cache, parts, samples, solver
from jaxphys_adapters.query.ensemble import Ensemble, Post
from jaxphys_adapters.query.loop_records import JOURNAL, OUTCOME, Finished, LoopFolder, fits
from jaxphys_adapters.query.parts import Item, Slot
from jaxphys_adapters.query.pictures import Pictures
from jaxphys_adapters.query.policy import Outcome
from jaxphys_adapters.query.provider import Baseline, instead
from jaxphys_adapters.query.records import AnswerFolder
from jaxphys_adapters.query.settings import Settings
from jaxphys_adapters.query.source import Source, load
from jaxphys_benchmarks.looped import MEASURED, Moment, looped_of
from jaxphys_benchmarks.protocol import EXTRACTORS, Reply, Spec

_gathered: RunVar[dict[tuple[str, ...], Ensemble]] = RunVar("gathered")
"""Ensembles that can be joined, by what they are asked; of this event loop alone."""


@dataclass(frozen=True)
class Asking:
    """How the rounds of one scene are asked.

    Attributes:
        model: to ask. source: of the scenes. settings: how. folder: of the records, or None. question_id: of the
            scene's own question. seen: what decides what its pictures show, see `seen_of`.
    """

    model: Model
    source: Source
    settings: Settings
    folder: LoopFolder | None
    question_id: str
    seen: Mapping[str, Any]


async def solve(state: TaskState, source: Source, settings: Settings) -> TaskState:
    """Let the sample's scene run, with the model being evaluated in the loop.

    Raises:
        RunEnded: no call can succeed. ModuleNotFoundError: the extra `humanoid` is not installed.
    """
    scenes = load(source)
    scene, question = scenes.find(str(state.sample_id))
    benchmark, model = looped_of(scenes.benchmark), get_model()
    folder = LoopFolder(AnswerFolder(Path(settings.out))) if settings.out else None
    seen = seen_of(scene.spec, source, settings)
    own = {**solver.identity_of(model, question, settings), "loop": settings.loop, "version": benchmark.loop_version}
    fingerprint = cache.digest({**own, **seen})
    done = folder.finished(question.id, fingerprint) if folder else None
    if done is None or not fits(done, scenes.benchmark, question, scene.labels):
        asking = Asking(model, source, unmeasured(settings), folder, question.id, seen)
        done = await _played(scene.spec, scene.labels, asking)
        if folder:
            answers = {name: scenes.benchmark.parse(question, done.first.reply, extractor=name) for name in EXTRACTORS}
            folder.finish(question, fingerprint, done, answers)
    solver.leave(state, model, done.first)
    state.store.set(OUTCOME, dict(done.outcome))
    state.store.set(JOURNAL, list(done.journal))
    for watcher in solver.watchers:
        watcher()
    return state


def seen_of(spec: Spec, source: Source, settings: Settings) -> dict[str, Any]:
    """What decides, besides the replies, what pictures of a scene show: prompts of different scenes may be equal."""
    ask = json.loads(source.to_json())["ask"]
    return {
        "scene": spec.model_dump(mode="json"),
        "ask": ask,
        "film_as": settings.film_as,
        "image_limit": settings.image_limit,
    }


def unmeasured(settings: Settings) -> Settings:
    """The settings without kept replies where latency is measured: those would have been thought of in no time."""
    return replace(settings, cache=settings.cache and json.loads(settings.loop).get("latency") != MEASURED)


async def _played(spec: Spec, labels: Any, asking: Asking) -> Finished:
    """A scene from the first question to its end."""
    ensemble = _ensemble(asking)
    benchmark, first = load(asking.source).benchmark, Outcome(Reply("", "error"))
    place = await ensemble.join(spec, labels)
    try:
        while not ensemble.over:
            moment, post = ensemble.moment(place), Post(None, 0.0)
            if moment is not None:
                outcome, seconds = await _asked(moment, ensemble, asking)
                first = outcome if moment.number == 0 else first
                answer = benchmark.parse(moment.question, outcome.reply, extractor=asking.settings.extract)
                post = Post(answer, seconds)
            await ensemble.go_on(place, post)
    finally:
        ensemble.leave(place)
    executed, journal = ensemble.results[place]
    return Finished(first, executed.outcome, journal)


def _ensemble(asking: Asking) -> Ensemble:
    """The one to join, a new one where there is none that is open."""
    gathered = _gathered.get({})
    _gathered.set(gathered)
    key = (str(asking.model), asking.source.to_json(), asking.settings.to_json())
    if key not in gathered or not gathered[key].open:
        benchmark, options = looped_of(load(asking.source).benchmark), json.loads(asking.settings.loop)
        gathered[key] = Ensemble(lambda scenes: benchmark.rounds(scenes, asking.source.ask, **options))
    return gathered[key]


async def _asked(moment: Moment, ensemble: Ensemble, asking: Asking) -> tuple[Outcome, float]:
    """What a model replies to the question of a moment, and how long that took (s)."""
    model, settings, question = asking.model, asking.settings, moment.question
    identity = {**solver.identity_of(model, question, settings), "loop": settings.loop}
    fingerprint, folder = cache.digest({**identity, **asking.seen}), asking.folder
    kept = folder.kept(asking.question_id, moment.number, fingerprint) if folder else None
    if kept is not None:
        return kept
    rounds = ensemble.rounds
    assert rounds is not None  # its members have begun
    benchmark = load(asking.source).benchmark
    # A baseline does not look, so nothing is drawn for it.
    items: list[Item] = [question.prompt]
    if not isinstance(model.api, Baseline):
        items = parts.items(question, parts.moving(benchmark, settings.film_as))
    pictures = Pictures(benchmark, lambda spec, view: rounds.picture(moment, view))

    def draw() -> tuple[bytes, ...]:
        return tuple(samples.read(pictures, item, settings.image_limit) for item in items if isinstance(item, Slot))

    media = await to_thread.run_sync(draw)
    standing_in = instead.set((*rounds.seen_as(moment), question))
    try:
        outcome = await solver.ask(model, question, items, media, asking.source, settings, identity)
    finally:
        instead.reset(standing_in)
    seconds = sum(attempt.seconds for attempt in outcome.attempts)
    if folder:
        answers = {name: benchmark.parse(question, outcome.reply, extractor=name) for name in EXTRACTORS}
        sent = parts.sent(items, media, pictures.time)
        folder.keep(asking.question_id, moment, fingerprint, outcome, seconds, answers, sent)
    return outcome, seconds
