"""`Watching`: the part of the benchmark that shows robots which act (`jaxphys_benchmarks.embodied.Filmed`)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from jaxphys_benchmarks.embodied import Motion
from jaxphys_benchmarks.protocol import View
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.executed import executed_picture, executed_replay
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.replay import FPS, Replay
from jaxphys_benchmarks.stage import Stage


class Watching:
    """What `ReactHuman` offers for films and replays of executed answers.

    Attributes:
        config: of the benchmark; size of pictures and own objects are taken from it.
        unhurried: time is frozen 0.9 s before the impact, of one scene at normal speed.
    """

    config: ReactHumanConfig
    unhurried: Mapping[str, Any] = MappingProxyType(
        {"timing": "event", "lead": "constant", "lead_constant": 0.9, "bands": ["normal"]}
    )

    def executed_picture(self, spec: ReactHumanSpec, labels: Labels | None, motion: Motion, view: View) -> Stage:
        """A film of a motion, or its last frame; labels are not looked at."""
        del labels
        return executed_picture(spec, motion, view, self.config)

    def executed_replay(
        self,
        spec: ReactHumanSpec,
        labels: Labels | None,
        motion: Motion,
        told: Mapping[str, str],
        *,
        fps: float = FPS,
    ) -> Replay:
        """The whole motion, to be watched from all sides."""
        return executed_replay(spec, labels, motion, told, fps=fps, config=self.config)
