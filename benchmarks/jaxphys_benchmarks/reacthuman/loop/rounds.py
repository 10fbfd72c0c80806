"""ReactHuman in a closed loop as the adapters see it (`jaxphys_benchmarks.looped`): questions out, answers in.

A `Course` does the work; here its observations become questions, and answers become plans. The journal of a scene has
an entry for every time it was asked about: `number`, `time` (s since the freeze), `begins` (s, when the answer took
effect), `status` of the answer and its `plan`, or None, `late`, by how much its hands were given time (s), and
`dropped`, how many of its key frames were left out because they would then have come after the end of plans.
"""

from collections.abc import Sequence
from typing import Any

from jaxphys_benchmarks.embodied import Executed
from jaxphys_benchmarks.looped import Moment
from jaxphys_benchmarks.protocol import Answer, AskOptions, Question, View
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.execution.config import TICK
from jaxphys_benchmarks.reacthuman.execution.given import counting
from jaxphys_benchmarks.reacthuman.execution.telling import told
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.loop.config import LoopConfig
from jaxphys_benchmarks.reacthuman.loop.course import Course
from jaxphys_benchmarks.reacthuman.loop.easing import Eased
from jaxphys_benchmarks.reacthuman.loop.observation import Observation, as_seen
from jaxphys_benchmarks.reacthuman.loop.question import question
from jaxphys_benchmarks.reacthuman.parse import plan_of
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.recover import recover, rules_of
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec
from jaxphys_benchmarks.reacthuman.verdict import same, strict, truth_of
from jaxphys_benchmarks.stage import Stage


class ReactHumanRounds:
    """b scenes under way, see `jaxphys_benchmarks.looped.Rounds`."""

    def __init__(
        self,
        scenes: Sequence[tuple[ReactHumanSpec, Labels]],
        ask: AskOptions,
        config: ReactHumanConfig,
        loop: LoopConfig,
    ) -> None:
        """Begin at the freeze.

        Args:
            scenes: specs and labels. ask: how to ask. config: of the benchmark. loop: how often to ask.

        Raises:
            ValueError: no scenes, or options that do not fit. ImportError: the extra `humanoid` is not installed.
        """
        self._ask, self._config = ask, config
        self._labels = {spec.id: labels for spec, labels in scenes}
        specs, truths = [spec for spec, _ in scenes], [labels for _, labels in scenes]
        self._course = Course(specs, truths, loop, config.max_time)
        self._journal: list[list[dict[str, Any]]] = [[] for _ in scenes]
        self._seen: list[Observation | None] = []
        self._moments: list[Moment | None] = []
        self._look()

    @property
    def over(self) -> bool:
        """Nobody will be asked any more."""
        return self._course.over

    def moments(self) -> list[Moment | None]:
        """By scene, what to ask now."""
        return list(self._moments)

    def picture(self, moment: Moment, view: View) -> Stage:
        """What the question of a moment shows.

        Raises:
            LookupError: the moment has passed.
        """
        return self._observed(moment).picture(view, self._config)

    def seen_as(self, moment: Moment) -> tuple[ReactHumanSpec, Labels]:
        """The scene as it is now, for a baseline.

        Raises:
            LookupError: the moment has passed.
        """
        return as_seen(self._observed(moment), self._labels[moment.scene])

    def go_on(self, answers: Sequence[Answer | None], seconds: Sequence[float]) -> None:
        """Take answers, and run until somebody is to be asked again.

        Raises:
            ValueError: another number of answers or times than of scenes.
        """
        if len(seconds) != len(answers):
            raise ValueError(f"seconds: {len(seconds)} for {len(answers)} answers; give one for each")
        plans = [None if answer is None else plan_of(answer) for answer in answers]
        self._course.go_on(plans, seconds)
        for k, moment in enumerate(self._moments):
            if moment is not None:
                answer, taken = answers[k], self._course.taken[k][-1]
                self._journal[k].append(
                    {
                        "number": moment.number,
                        "time": moment.time,
                        "begins": taken.due * TICK,
                        "status": "no_answer" if answer is None else answer.status,
                        "plan": None if answer is None else answer.value,
                    }
                )
        self._look()

    def journal(self) -> list[list[dict[str, Any]]]:
        """By scene, what was asked and taken."""
        rows = zip(self._journal, self._course.eases, strict=True)
        return [[{**one, **_given(eases.get(k))} for k, one in enumerate(entries)] for entries, eases in rows]

    def executed(self) -> list[Executed]:
        """What has come of each scene so far."""
        run = self._course.execution
        rows = zip(run.specs, run.outcomes(), run.motions(), strict=True)
        return [told(spec, self._labels[spec.id], outcome, motion) for spec, outcome, motion in rows]

    def _look(self) -> None:
        """Observations and questions of now."""
        self._seen = self._course.observations()
        self._moments = [None if seen is None else self._moment(seen) for seen in self._seen]

    def _moment(self, seen: Observation) -> Moment:
        asked = question(seen, self._ask, self._config, self._course.config)
        return Moment(seen.spec.id, seen.number, seen.time, asked)

    def _observed(self, moment: Moment) -> Observation:
        # The same scene may be here twice, with answers of its own each time.
        for seen, asked in zip(self._seen, self._moments, strict=True):
            if seen is not None and asked is moment:
                return seen
        raise LookupError(f"moment {moment.number} of {moment.scene} has passed")


def _given(ease: Eased | None) -> dict[str, Any]:
    """What the journal says of a plan whose hands were given time, or of one that took effect as it is."""
    return {"late": 0.0, "dropped": 0} if ease is None else {"late": ease.late, "dropped": ease.dropped}


def loop_values(asked: Question, labels: Labels, journal: Sequence[dict[str, Any]]) -> dict[str, float]:
    """What a journal adds to the values of a score.

    Args:
        asked: the scene's own question. labels: of the scene. journal: of the scene.

    Returns:
        `loop_asked` and `loop_answered`, how often it was asked about and answered; `loop_exact`, whether the action
        of the last plan that took effect before the impact, or of the first, is the right one.
    """
    answered = [entry for entry in journal if entry["plan"] is not None]
    values = {"loop_asked": float(len(journal)), "loop_answered": float(len(answered))}
    begins = [float(entry["begins"]) for entry in answered]
    plan = Plan.model_validate(answered[counting(begins, labels.tti)]["plan"]) if answered else None
    act = recover(plan, rules_of(asked.reads))
    right = same(act, truth_of(asked, labels), strict=strict(asked.reads))
    return {**values, "loop_exact": float(right)}
