"""Which drawn samples are used (InPhyRe specification, section 3.5): exactly one answer holds, and it is stable.

Samples are drawn, simulated together with copies whose launch velocities differ by `NUDGE`, and labelled. A sample
with a status bit, without exactly one true option, or whose answer a nudge changes is drawn again. Then the right
option gets its letter, so that letters are balanced whatever the answers are.

Public functions: `accepted` (specs), `labelled` (specs and labels), `verdicts` (screen given samples).
"""

from collections.abc import Iterable, Sequence

import jax
import numpy as np

from jaxphys import planar
from jaxphys_benchmarks.bulk import collector_paused
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.labels import Labels
from jaxphys_benchmarks.inphyre.lower import lower, moments, rules_of
from jaxphys_benchmarks.inphyre.measure import codes, faults, label, meetings
from jaxphys_benchmarks.inphyre.numbers import Floats, Ints
from jaxphys_benchmarks.inphyre.sample import draw_many, letter_of
from jaxphys_benchmarks.inphyre.scenarios import MEANINGS
from jaxphys_benchmarks.inphyre.spec import InPhyReSpec
from jaxphys_kernels.planar.model import Trajectory
from jaxphys_kernels.status import Status

NUDGE = 1e-7
"""Change of the launch velocities, along and across, that no label may notice (m/s)."""

COPIES = 2
"""Nudged copies of a sample: forwards and to the left, backwards and to the right."""

CHUNK = 1024
"""Samples screened in one batch, to bound memory."""


def accepted(
    config: InPhyReConfig,
    seed: int,
    scenario: str,
    indices: Iterable[int],
    *,
    pool: bool = False,
    backend: str = "auto",
) -> list[InPhyReSpec]:
    """The samples of a scenario with these indices, drawn until they pass the screen, in their order.

    A rejected attempt leaves its status word in `rejected`. A sample of which `max_draws` attempts failed comes back
    with the last one's word in `status`: it has no labels. With `screen` off nothing is simulated, and the letters are
    balanced on average only.

    Args:
        config: what to draw. seed: of the data set. scenario: name. indices: of the samples, all different.
        pool: exemplars. backend: that simulates.
    """
    if not config.screen:
        return draw_many(config, seed, scenario, list(indices), pool=pool)
    return [spec for spec, _ in labelled(config, seed, scenario, indices, pool=pool, backend=backend)]


def labelled(
    config: InPhyReConfig,
    seed: int,
    scenario: str,
    indices: Iterable[int],
    *,
    pool: bool = False,
    backend: str = "auto",
) -> list[tuple[InPhyReSpec, Labels]]:
    """As `accepted`, with the labels that the screen has measured; those of a failed sample have its status word."""
    with collector_paused():
        return _labelled(config, seed, scenario, list(indices), pool, backend)


def _labelled(
    config: InPhyReConfig, seed: int, scenario: str, left: list[int], pool: bool, backend: str
) -> list[tuple[InPhyReSpec, Labels]]:
    rejected: dict[int, tuple[int, ...]] = {index: () for index in left}
    done: dict[int, tuple[InPhyReSpec, Labels]] = {}
    attempts = config.max_draws if config.screen else 1
    for attempt in range(attempts):
        again = []
        for start in range(0, len(left), CHUNK):
            part = left[start : start + CHUNK]
            drawn = draw_many(config, seed, scenario, part, attempt, pool=pool)
            for index, spec, (word, labels) in zip(part, drawn, _judged(drawn, config.screen, backend), strict=True):
                if word and attempt + 1 < attempts:
                    rejected[index] += (word,)
                    again.append(index)
                    continue
                done[index] = _finished(spec, labels, word, rejected[index], config.screen)
        left = again
        if not left:
            break
    return [done[index] for index in rejected]


def verdicts(specs: Sequence[InPhyReSpec], *, backend: str = "auto") -> list[int]:
    """Status words of given samples, the screen's bits included; 0 passes."""
    chunks = (specs[start : start + CHUNK] for start in range(0, len(specs), CHUNK))
    with collector_paused():
        return [word for chunk in chunks for word, _ in _judged(chunk, True, backend)]


def _finished(
    spec: InPhyReSpec, labels: Labels, word: int, rejected: tuple[int, ...], screened: bool
) -> tuple[InPhyReSpec, Labels]:
    """The sample with its history, and with the right option at its letter."""
    update: dict[str, object] = {"rejected": rejected, "status": word} if screened else {}
    if word:
        labels = labels.model_copy(update={"status": word, "meaning": ""})
    elif screened:
        right = MEANINGS[spec.asked.query].index(labels.meaning)
        order = list(spec.asked.order)
        here, there = order.index(right), letter_of(spec.seed, spec.scenario, spec.index, pool=spec.pool)
        order[here], order[there] = order[there], order[here]
        update["asked"] = spec.asked.model_copy(update={"order": tuple(order)})
    return spec.model_copy(update=update), labels


def _judged(specs: Sequence[InPhyReSpec], nudged: bool, backend: str) -> list[tuple[int, Labels]]:
    """Status word and labels of samples; with `nudged` the word tells unstable ones, too."""
    b, copies = len(specs), COPIES if nudged else 0
    world, state = lower(specs)
    step = _nudges(np.asarray(state.vel))
    vel = np.concatenate([np.asarray(state.vel), *(state.vel + sign * step for sign in (1, -1)[:copies])])
    world, state = jax.tree.map(lambda leaf: np.concatenate([leaf] * (1 + copies)), (world, state))
    times = np.concatenate([moments(specs)] * (1 + copies))
    run = planar.rollout(world, state.replace(vel=vel), times, rules=rules_of(specs), backend=backend)
    labels = label(specs, jax.tree.map(lambda leaf: leaf[:b], run))
    if not nudged:
        return [(one.status, one) for one in labels]
    found, failed = _answers(list(specs) * (1 + copies), run)
    unstable = np.any((found[1:] != found[0]) | failed[1:], axis=0)
    words = np.array([one.status for one in labels]) | np.where(unstable, int(Status.UNSTABLE_LABEL), 0)
    return list(zip(words.tolist(), labels, strict=True))


def _answers(specs: Sequence[InPhyReSpec], run: Trajectory) -> tuple[Ints, Ints]:
    """(1 + copies, b) codes of the answers, and whether the run failed."""
    meets = meetings(specs, run)
    found, _ = codes(specs, meets)
    failed = (np.asarray(run.status) | faults(specs, meets, found)) != 0
    return found.reshape(1 + COPIES, -1), failed.reshape(1 + COPIES, -1)


def _nudges(vel: Floats) -> Floats:
    """(b, n, 2) `NUDGE` along and across every velocity; nothing for what rests."""
    speed = np.sqrt(np.sum(vel**2, axis=-1, keepdims=True))
    along = vel / np.where(speed > 0, speed, 1.0)
    return NUDGE * (along + np.stack([-along[..., 1], along[..., 0]], axis=-1))
