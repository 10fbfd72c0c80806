"""Which drawn scenes may be used: stability screen and margin flags (BilliardPhys-Bench specification, section 5.3).

A scene is unstable when a change of 1e-7 m/s in the cue velocity changes the Q1 or the Q2 set or moves some ball
by more than a millimetre: it gets `UNSTABLE_LABEL` and is drawn again. What errors in the start positions do to the
labels is recorded in `Margin`, and kept. All copies of many scenes run as one batch without event log.

Public functions: `accepted` (draw and screen), `verdicts` (screen given scenes), `robustness`, `noisy_start`.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jaxphys import billiards
from jaxphys_benchmarks.billiardphys.config import BilliardConfig
from jaxphys_benchmarks.billiardphys.lower import Floats, arrange, rules_of, shared, starts
from jaxphys_benchmarks.billiardphys.sample import draw, stream
from jaxphys_benchmarks.billiardphys.spec import BilliardSpec, Margin
from jaxphys_kernels.status import Status

Bools = NDArray[np.bool_]

NUDGE = 1e-7
"""Change of the cue velocity, along and across it, that no label may notice (m/s)."""

SHIFT = 1e-3
"""Largest move of a ball under a nudge (m)."""

EPS_LADDER = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
"""Start errors tried for `Margin.eps_ok` (m)."""

CHUNK = 1024
"""Scenes screened in one batch, to bound memory."""

REDRAWS = 256


@dataclass(frozen=True)
class Comparison:
    """What changes between scenes and perturbed copies of them; all arrays are (b, copies).

    Attributes:
        q1, q2: the set of hit balls, of hit walls differs.
        shift: largest move of a ball at t (m); inf if one of the two is pocketed.
        failed: the copy's status word is not zero.
        status: (b,) status word of the unperturbed scene.
    """

    q1: Bools
    q2: Bools
    shift: Floats
    failed: Bools
    status: NDArray[np.int32]


def accepted(
    config: BilliardConfig, seed: int, window: float, indices: Iterable[int], *, backend: str = "auto"
) -> list[BilliardSpec]:
    """The scenes of a window with these indices, drawn until they pass the screen.

    A rejected attempt leaves its status word in `rejected`. A scene of which `max_draws` attempts failed comes
    back with the last one's word in `status`: it has no labels. With `screen` off nothing is simulated here.
    """
    drawn = {index: draw(config, seed, window, index) for index in indices}
    if not config.screen:
        return list(drawn.values())
    done: dict[int, BilliardSpec] = {}
    rejected: dict[int, tuple[int, ...]] = dict.fromkeys(drawn, ())
    for attempt in range(config.max_draws):
        if attempt:
            drawn = {index: draw(config, seed, window, index, attempt) for index in drawn}
        last = attempt == config.max_draws - 1
        judged = verdicts(list(drawn.values()), config, backend=backend)
        for index, (status, margin) in zip(list(drawn), judged, strict=True):
            if status and not last:
                rejected[index] += (status,)
                continue
            update = {"rejected": rejected[index], "status": status, "margin": margin}
            done[index] = drawn.pop(index).model_copy(update=update)
        if not drawn:
            break
    return [done[index] for index in rejected]


def verdicts(
    specs: Sequence[BilliardSpec], config: BilliardConfig, *, backend: str = "auto"
) -> list[tuple[int, Margin | None]]:
    """Status word and margin of given scenes; the margin is None where the scene itself fails.

    With `margin_policy` "drop" a flagged scene is unstable too.
    """
    result: list[tuple[int, Margin | None]] = []
    for part in _chunks(specs):
        result.extend(_judge(part, config, backend))
    return result


def robustness(
    specs: Sequence[BilliardSpec], eps: float, *, draws: int = 1, backend: str = "auto"
) -> tuple[float, float, float]:
    """Shares of scenes whose Q1 set, Q2 set, or any ball by more than R, changes in `draws` copies with N(0, eps)."""
    changed = []
    for part in _chunks(specs):
        pos, vel = starts(part)
        noisy, valid = _noisy_starts(part, pos, (eps,), draws)
        seen = _compare(part, (pos, vel), noisy[:, 0], np.repeat(vel[:, None], draws, 1), backend)
        lost = ~valid[:, 0] | seen.failed
        changed.append([np.any(flip | lost, axis=1) for flip in (seen.q1, seen.q2, seen.shift > shared(part).R)])
    q1, q2, q3 = (float(np.mean(np.concatenate(column))) for column in zip(*changed, strict=True))
    return q1, q2, q3


def noisy_start(spec: BilliardSpec, eps: float, rng: np.random.Generator) -> Floats | None:
    """(n, 2) start positions with N(0, eps) on every coordinate (m), drawn again while balls overlap or lie outside.

    None when no draw is possible, as for touching balls that are held on all sides.
    """
    pos = np.array(spec.positions)
    size = np.array([spec.table.W, spec.table.H])
    for _ in range(REDRAWS):
        noisy = pos + eps * rng.standard_normal(pos.shape)
        if _possible(noisy, spec.R, size):
            return noisy
    return None


def _judge(specs: Sequence[BilliardSpec], config: BilliardConfig, backend: str) -> list[tuple[int, Margin | None]]:
    ladder = sorted({*EPS_LADDER, config.margin_eps})
    pos, vel = starts(specs)
    nudged = _nudged(vel)
    noisy, valid = _noisy_starts(specs, pos, ladder, config.margin_draws)
    b, (nudges, noises) = len(specs), (nudged.shape[1], len(ladder) * config.margin_draws)
    seen = _compare(
        specs,
        (pos, vel),
        np.concatenate([np.repeat(pos[:, None], nudges, 1), noisy.reshape(b, noises, *pos.shape[1:])], 1),
        np.concatenate([nudged, np.repeat(vel[:, None], noises, 1)], 1),
        backend,
    )
    moved = seen.shift > shared(specs).R
    unstable = np.any((seen.q1 | seen.q2 | seen.failed | (seen.shift > SHIFT))[:, :nudges], axis=1).tolist()
    shape = (b, len(ladder), config.margin_draws)
    # A start that could not be drawn, or a copy that failed, says that the label is not safe.
    lost = ~valid | seen.failed[:, nudges:].reshape(shape)
    changed = [np.any(flip[:, nudges:].reshape(shape) | lost, axis=2) for flip in (seen.q1, seen.q2, moved)]
    result: list[tuple[int, Margin | None]] = []
    for k, own in enumerate(seen.status.tolist()):
        margin = _margin(config.margin_eps, ladder, *(flips[k].tolist() for flips in changed))
        dropped = unstable[k] or (margin.flag and config.margin_policy == "drop")
        result.append((own, None) if own else (int(Status.UNSTABLE_LABEL) if dropped else 0, margin))
    return result


def _margin(eps: float, ladder: Sequence[float], q1: list[bool], q2: list[bool], q3: list[bool]) -> Margin:
    """The record of a scene from what changes at each error of the ladder."""
    at = ladder.index(eps)
    # An error counts as survived only if the smaller ones are.
    survived = [*itertools.takewhile(lambda level: not (q1[level] or q2[level]), range(len(ladder)))]
    return Margin(
        q1=q1[at],
        q2=q2[at],
        q3=q3[at],
        flag=q1[at] or q2[at],
        eps=eps,
        eps_ok=max((ladder[level] for level in survived if ladder[level] in EPS_LADDER), default=None),
    )


def _nudged(vel: Floats) -> Floats:
    """(b, 4, n, 2) velocities with the cue's changed by `NUDGE` along ± its direction and ± across."""
    speed = np.linalg.norm(vel[:, 0], axis=-1, keepdims=True)
    along = np.where(speed > 0, vel[:, 0] / np.where(speed > 0, speed, 1), np.array([1.0, 0.0]))
    across = np.stack([-along[:, 1], along[:, 0]], -1)
    copies = np.repeat(vel[:, None], 4, 1)
    copies[:, :, 0] += NUDGE * np.stack([along, -along, across, -across], 1)
    return copies


def _noisy_starts(
    specs: Sequence[BilliardSpec], pos: Floats, ladder: Sequence[float], draws: int
) -> tuple[Floats, Bools]:
    """(b, errors, draws, n, 2) noisy starts from each scene's own stream, and where one was found.

    The errors share their normal numbers; an impossible start is replaced by later numbers of the stream.
    """
    first = shared(specs)
    size = np.array([first.table.W, first.table.H])
    streams = [stream("margin", spec.seed, spec.t, spec.index, spec.attempt) for spec in specs]
    normals = np.array([rng.standard_normal((draws, first.n, 2)) for rng in streams])
    noisy = pos[:, None, None] + np.asarray(ladder)[:, None, None, None] * normals[:, None]
    valid = _possible(noisy, first.R, size)
    for k, level, copy in zip(*(axis.tolist() for axis in np.nonzero(~valid)), strict=True):
        start = noisy_start(specs[k], ladder[level], streams[k])
        valid[k, level, copy] = start is not None
        noisy[k, level, copy] = pos[k] if start is None else start
    return noisy, valid


def _possible(pos: Floats, radius: float, size: Floats) -> Bools:
    """(...) whether the balls (..., n, 2) neither overlap nor lie outside the table."""
    inside = np.all((pos >= radius) & (pos <= size - radius), axis=(-2, -1))
    first, second = np.triu_indices(pos.shape[-2], 1)
    apart = np.sum((pos[..., first, :] - pos[..., second, :]) ** 2, -1) >= 4 * radius**2
    return np.asarray(inside & np.all(apart, axis=-1))


def _compare(
    specs: Sequence[BilliardSpec], own: tuple[Floats, Floats], pos: Floats, vel: Floats, backend: str
) -> Comparison:
    """Runs the scenes, which start at `own`, and their copies with starts (b, copies, n, 2) as one batch."""
    first = shared(specs)
    pos, vel = (np.concatenate([mine[:, None], copy], 1) for mine, copy in zip(own, (pos, vel), strict=True))
    b, copies = pos.shape[:2]
    world, state = arrange(first, pos.reshape(b * copies, first.n, 2), vel.reshape(b * copies, first.n, 2))
    times = np.repeat(np.array([[spec.t] for spec in specs]), copies, axis=0)
    run = billiards.rollout(world, state, times, rules=rules_of(specs), backend=backend, log=False)
    hits, walls = (np.isfinite(np.asarray(leaf)).reshape(b, copies, -1) for leaf in (run.first_hit, run.first_wall))
    place, alive = (np.asarray(leaf)[:, -1].reshape(b, copies, first.n, -1) for leaf in (run.pos, run.alive[..., None]))
    status = np.asarray(run.status).reshape(b, copies)
    distance = np.linalg.norm(place - place[:, :1], axis=-1) * alive[..., 0]
    distance = np.where(alive[..., 0] == alive[:, :1, :, 0], distance, np.inf)
    return Comparison(
        q1=np.any(hits[:, 1:, 1:] != hits[:, :1, 1:], axis=-1),
        q2=np.any(walls[:, 1:] != walls[:, :1], axis=-1),
        shift=distance[:, 1:].max(-1),
        failed=status[:, 1:] != 0,
        status=status[:, 0],
    )


def _chunks(specs: Sequence[BilliardSpec]) -> Iterable[list[BilliardSpec]]:
    return (list(specs[start : start + CHUNK]) for start in range(0, len(specs), CHUNK))
