"""What is observed of a scene: the bodies at the frames of the window (ReactHuman specification, section 9).

Pictures and questions are made without labels, so the frames can be had from the spec alone; `observed` simulates it up
to the freeze and remembers. Before the release the scene rests as it starts. Numbers are rounded to 1e-6, as published.
"""

from functools import lru_cache

import numpy as np

from jaxphys_benchmarks.reacthuman.labels import Track
from jaxphys_benchmarks.reacthuman.simulate import kind_of, runs
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.tracking import Story, story

REMEMBERED = 4096
"""Scenes whose frames are remembered."""


def track(told: Story, row: int, spec: ReactHumanSpec) -> Track:
    """The observed frames of one scene of a story.

    Args:
        told: scenes that were simulated at least up to the freeze.
        row: which of them.
        spec: of that scene.
    """
    asked = np.array(spec.timing.steps)
    state, n = np.maximum(asked, 0), len(spec.scene.things)
    rests = (asked < 0)[:, None, None]
    places = {name: getattr(told, name)[row, state, :n] for name in ("pos", "quat")}
    rates = {name: np.where(rests, 0.0, getattr(told, name)[row, state, :n]) for name in ("vel", "omega")}
    times = asked * spec.physics.dt
    # + 0.0 turns -0.0 into 0.0.
    lists = {name: (np.round(leaf, 6) + 0.0).tolist() for name, leaf in {**places, **rates}.items()}
    return Track.model_validate({"times": (np.round(times, 6) + 0.0).tolist(), **lists})


def observed(spec: ReactHumanSpec) -> Track:
    """The observed frames of a scene, simulated without labels."""
    return _observed(spec.model_dump_json(by_alias=True))


@lru_cache(maxsize=REMEMBERED)
def _observed(text: str) -> Track:
    spec = ReactHumanSpec.model_validate_json(text)
    last = max(spec.timing.freeze_step, 1) * spec.physics.dt
    scene = spec.scene.model_copy(update={"horizon": last})
    (run,) = runs([scene], [spec.physics], [kind_of(spec)], backend="c")
    return track(story(run), 0, spec)
