"""Drawing samples from a seed (InPhyRe specification, sections 2 and 4).

Each sample has a random stream of its own, `default_rng([seed, scenario, pool, index, attempt])`, on the host: it does
not depend on how many are drawn, in which order, or on which machine. A recipe turns uniform numbers into objects, and
tries the next numbers of the stream until they have room; many samples are drawn side by side, each from its stream.
Which family a sample belongs to, and which letter is right, is balanced over runs of `STRATA` indices.

Public functions: `draw`, `draw_many`, `families`, `family_of`, `letter_of`.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jaxphys import planar
from jaxphys_benchmarks.inphyre import bystanders
from jaxphys_benchmarks.inphyre.config import InPhyReConfig
from jaxphys_benchmarks.inphyre.draft import ANY, MATERIALS, SHAPES, A, B, Draft, friction
from jaxphys_benchmarks.inphyre.numbers import Ints, Numbers
from jaxphys_benchmarks.inphyre.place import WALL_HALF, WALL_HEIGHT, Placed, place
from jaxphys_benchmarks.inphyre.recipes import READS, published
from jaxphys_benchmarks.inphyre.scenarios import NUMBERS, SCENARIOS
from jaxphys_benchmarks.inphyre.spec import Asked, FilmSize, InPhyReSpec, Thing, Wall
from jaxphys_benchmarks.inphyre.varied import FAMILIES, varied

STRATA = 12
"""Run of indices in which families and letters come up as often as they should."""

MAX_TRIES = 2000
"""Tries of one attempt before the objects count as having no room."""

WIDTH = 48
"""Numbers that a try takes at most, bystanders apart."""

TEMPLATES = 2520
"""Templates are counted modulo their number; this many make all numbers up to ten equally likely."""

PURPOSES = {"family": 1, "letter": 2}
"""Streams of a run of indices by purpose: the end of the key, which is longer than that of a sample."""

_PRESETS = {"published": published, "varied": varied}


def draw(
    config: InPhyReConfig, seed: int, scenario: str, index: int, attempt: int = 0, *, pool: bool = False
) -> InPhyReSpec:
    """One sample, not yet screened. Arguments and errors as in `draw_many`."""
    return draw_many(config, seed, scenario, [index], attempt, pool=pool)[0]


def draw_many(
    config: InPhyReConfig, seed: int, scenario: str, indices: Sequence[int], attempt: int = 0, *, pool: bool = False
) -> list[InPhyReSpec]:
    """Samples with these indices, not yet screened, in their order.

    Args:
        config: what to draw. seed: of the data set. scenario: name. attempt: 0, or the number of rejected draws before.
        pool: exemplars.

    Raises:
        ValueError: a negative number, an unknown scenario, or objects that find no room; the text names the field.
    """
    if seed < 0 or attempt < 0 or any(index < 0 for index in indices):
        raise ValueError(f"seed, index, attempt: ({seed}, {list(indices)[:8]}, {attempt}); give whole numbers >= 0")
    names = tuple(families(config, scenario))
    key = seed, NUMBERS[scenario], int(pool)
    streams = [np.random.default_rng([*key, index, attempt]) for index in indices]
    family = np.array([names.index(family_of(config, seed, scenario, index, pool=pool)) for index in indices])
    width = WIDTH + bystanders.columns(config)
    found: dict[int, dict[str, Any]] = {}
    left = np.arange(len(streams))
    for _ in range(MAX_TRIES):
        if not left.size:
            break
        block = np.array([streams[k].random(width) for k in left.tolist()])
        rows, ok = _tried(config, scenario, Numbers(block), family[left])
        good = np.flatnonzero(ok)
        found |= zip(left[good].tolist(), rows(good), strict=True)
        left = left[~ok]
    else:
        raise ValueError(
            f"contact_speed, contact_time: {scenario} sample {indices[int(left[0])]} found no room in {MAX_TRIES} tries"
            f" within ±{config.region} m and the picture; give slower or earlier contacts, or a smaller min_gap"
            + ("; or a smaller amc_omega, faster contacts or more restitution" if scenario.startswith("AMC") else "")
        )
    common = _common(config, seed, scenario, attempt, pool)
    return [InPhyReSpec(**common, **found[k], index=index, family=names[family[k]]) for k, index in enumerate(indices)]


def families(config: InPhyReConfig, scenario: str) -> Mapping[str, float]:
    """Kinds of sample of a scenario that obey different laws, and their shares; one kind for most scenarios.

    Raises:
        ValueError: an unknown scenario.
    """
    if scenario not in SCENARIOS:
        raise ValueError(f"scenario: {scenario!r} is unknown; give one of {', '.join(SCENARIOS)}")
    names = SCENARIOS[scenario].families
    if config.preset == "varied":
        shares = dict(FAMILIES[scenario])
        others = [name for name in shares if name != "red"]
        if "red" in shares:
            shares = {"red": config.p_red} | dict.fromkeys(others, (1 - config.p_red) / len(others))
        return shares
    return {names[0]: 1.0} if len(names) == 1 else dict(zip(names, (config.p_red, 1 - config.p_red), strict=True))


def family_of(config: InPhyReConfig, seed: int, scenario: str, index: int, *, pool: bool = False) -> str:
    """The family of a sample: as often as its share within each run of indices, or within the pool of exemplars.

    The pool has at least `red_min_per_family` of each, or as many as all can have alike where it is small.
    """
    shares = families(config, scenario)
    if len(shares) == 1:
        return next(iter(shares))
    if pool:
        return _pool_families(config, seed, scenario)[index % config.n_exemplars_pool]
    at = _stratum(seed, NUMBERS[scenario], int(pool), index, "family")
    place = int(np.searchsorted(np.cumsum(list(shares.values())), at, side="right"))
    return list(shares)[min(place, len(shares) - 1)]


def letter_of(seed: int, scenario: str, index: int, *, pool: bool = False) -> int:
    """Which letter, 0 to 3, is right: each as often as the others within a run of indices."""
    return int(4 * _stratum(seed, NUMBERS[scenario], int(pool), index, "letter"))


def _stratum(seed: int, scenario: int, pool: int, index: int, purpose: str) -> float:
    """A number in [0, 1) of which each run of `STRATA` indices has one in each of that many equal parts."""
    places, inside = _run(seed, scenario, pool, index // STRATA, PURPOSES[purpose])
    return (places[index % STRATA] + inside) / STRATA


@functools.lru_cache(maxsize=4096)
def _run(seed: int, scenario: int, pool: int, run: int, purpose: int) -> tuple[list[int], float]:
    rng = np.random.default_rng([seed, scenario, pool, run, 0, purpose])
    return rng.permutation(STRATA).tolist(), float(rng.random())


@functools.lru_cache(maxsize=256)
def _pool_families(config: InPhyReConfig, seed: int, scenario: str) -> list[str]:
    """Families of the exemplars, in an order of their own."""
    shares, total = families(config, scenario), config.n_exemplars_pool
    least = min(config.red_min_per_family, total // len(shares))
    counts = dict.fromkeys(shares, least)
    for _ in range(total - least * len(shares)):
        counts[max(shares, key=lambda name: shares[name] * total - counts[name])] += 1
    names = [name for name, count in counts.items() for _ in range(count)]
    rng = np.random.default_rng([seed, NUMBERS[scenario], 1, 0, 0, PURPOSES["family"]])
    return [names[k] for k in rng.permutation(total).tolist()]


def _tried(config: InPhyReConfig, scenario: str, numbers: Numbers, family: Ints) -> tuple[Any, np.ndarray]:
    """One try for each row of numbers: a function from row indices to the drawn fields, and which rows will do."""
    drawn = _PRESETS[config.preset](config, scenario, numbers, family)
    placed = place(config, numbers, drawn)
    beside = bystanders.stand(config, numbers, drawn, placed)
    colours = _colours(config, numbers, drawn)
    asked = numbers.index(TEMPLATES), numbers.index(TEMPLATES), numbers.order(4)
    return functools.partial(_fields, config, scenario, drawn, placed, beside, colours, asked), placed.ok & beside.ok


def _colours(config: InPhyReConfig, numbers: Numbers, drawn: Draft) -> Ints:
    """(m, objects) indices into `config.colours`, all different; where it matters, only what shall be red is."""
    count = len(config.colours)
    order = numbers.order(count)
    if np.all(drawn.red == ANY):
        return order
    red = config.colours.index("red")
    free = order[order != red].reshape(len(order), count - 1)
    colours = np.concatenate([free, np.full((len(order), 1), red)], axis=1)
    for column in (A, B):
        rows = drawn.red == column
        colours[rows, column] = red
    return colours


def _common(config: InPhyReConfig, seed: int, scenario: str, attempt: int, pool: bool) -> dict[str, Any]:
    """Fields that samples of a scenario share."""
    width_px, height_px = config.size_px
    return {
        "seed": seed,
        "scenario": scenario,
        "attempt": attempt,
        "pool": pool,
        "preset": config.preset,
        "restitution": config.restitution,
        "g": config.g,
        "film": FilmSize(frames=config.frames, fps=config.fps, width_px=width_px, height_px=height_px),
        "max_events": config.max_events,
        "change_threshold": config.change_threshold,
        "rotation_threshold": config.rotation_threshold,
        "overlap_limit": config.overlap_limit,
        "config_hash": config.config_hash,
    }


def _fields(
    config: InPhyReConfig,
    scenario: str,
    drawn: Draft,
    placed: Placed,
    beside: bystanders.Bystanders,
    colours: Ints,
    asked: tuple[Ints, Ints, Ints],
    rows: Ints,
) -> list[dict[str, Any]]:
    """The drawn fields of some rows."""

    def both(ours: np.ndarray, theirs: np.ndarray | float) -> list[Any]:
        others = np.broadcast_to(np.asarray(theirs), (len(ours), *beside.pos.shape[1:2], *ours.shape[2:]))
        return np.concatenate([ours, others], axis=1)[rows].tolist()  # type: ignore[no-any-return]

    mu = {name: friction(config, name) for name in config.materials}
    kappas = {shape: planar.kappa(shape, config.yaw_friction) for shape in SHAPES}
    columns = zip(
        both(drawn.shape, beside.shape),
        both(drawn.material, beside.material),
        both(drawn.size, beside.size),
        both(drawn.mass, config.mass),
        both(placed.pos, beside.pos),
        both(placed.vel, 0.0),
        both(placed.roll, 0.0),
        colours[rows].tolist(),
        strict=True,
    )
    things = []
    for shape, material, size, mass, pos, vel, roll, colour in columns:
        objects = []
        for k in range(len(shape)):
            kind, hue, stuff = SHAPES[shape[k]], config.colours[colour[k]], MATERIALS[material[k]]
            thing = Thing(
                name=f"{hue} {kind}", shape=kind, colour=hue, material=stuff, size=size[k], mass=mass[k], mu=mu[stuff],
                mu_roll=config.mu_roll if kind == "sphere" else 0.0, kappa=kappas[kind],
                pos=pos[k], vel=vel[k], roll=roll[k],
            )  # fmt: skip
            objects.append(thing)
        things.append(tuple(objects))
    laws = drawn.law[rows].tolist()
    given = {name: values[rows].tolist() for name, values in drawn.params.items()}
    template, wording, order = (column[rows].tolist() for column in asked)
    query = SCENARIOS[scenario].query
    return [
        {
            "things": things[k],
            "walls": _walls(config, face, side),
            "law": law,
            "params": {name: given[name][k] for name in READS.get(law, ())},
            "asked": Asked(query=query, template=template[k], wording=wording[k], order=order[k]),
        }
        for k, (law, face, side) in enumerate(
            zip(laws, placed.face[rows].tolist(), placed.side[rows].tolist(), strict=True)
        )
    ]


def _walls(config: InPhyReConfig, face: float, side: float) -> tuple[Wall, ...]:
    """The wall of a sample, if it has one: along y, as long as the region and a little more."""
    if not side:
        return ()
    return (Wall(pos=(face + side * WALL_HALF, 0.0), half=(WALL_HALF, config.region + 1.0), height=WALL_HEIGHT),)
