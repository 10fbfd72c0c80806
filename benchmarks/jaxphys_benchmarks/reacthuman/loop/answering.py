"""The baselines as policies: asked again and again, each time about the scene as it is now.

A baseline answers with a plan from the observed frames of a scene; `observation.as_seen` tells it the last moments in
their place. Only `oracle` uses what the labels know. `policies` lists every policy that comes along.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from jaxphys_benchmarks.protocol import AskOptions, Reply
from jaxphys_benchmarks.reacthuman import baselines, parse, prompts
from jaxphys_benchmarks.reacthuman.baselines import ReactHumanAnswerer
from jaxphys_benchmarks.reacthuman.config import ReactHumanConfig
from jaxphys_benchmarks.reacthuman.labels import Labels
from jaxphys_benchmarks.reacthuman.loop.joints import Shield
from jaxphys_benchmarks.reacthuman.loop.observation import Observation, as_seen
from jaxphys_benchmarks.reacthuman.loop.policy import Decision, Policy
from jaxphys_benchmarks.reacthuman.plan import Plan
from jaxphys_benchmarks.reacthuman.spec import ReactHumanSpec


class Answering:
    """A policy made of something that answers questions about scenes with plans."""

    def __init__(
        self,
        answerer: ReactHumanAnswerer,
        labels: Sequence[Labels],
        config: ReactHumanConfig | None = None,
        seed: int = 0,
    ) -> None:
        """Make the policy.

        Args:
            answerer: as `baselines.baselines` has them. labels: of the scenes that `begin` will be told of.
            config: limits of plans and what else is asked by; None: the default. seed: of the answerer.
        """
        self.answerer, self.labels, self.seed = answerer, tuple(labels), seed
        self.config = config or ReactHumanConfig()
        self._of: dict[str, Labels] = {}

    def begin(self, specs: Sequence[ReactHumanSpec]) -> None:
        """Take the labels of these scenes."""
        self._of = {spec.id: labels for spec, labels in zip(specs, self.labels, strict=True)}

    def decide(self, observations: Sequence[Observation]) -> list[Decision]:
        """A new plan for each scene."""
        return [self._plan(observation) for observation in observations]

    def _plan(self, observation: Observation) -> Plan | None:
        spec, labels = as_seen(observation, self._of[observation.spec.id])
        (question,) = prompts.ask(spec, AskOptions(image=False), self.config)
        answer = parse.parse(question, Reply(self.answerer(spec, labels, question, self.seed)))
        return parse.plan_of(answer)


def policies(
    labels: Sequence[Labels], config: ReactHumanConfig | None = None, seed: int = 0
) -> Mapping[str, Callable[[], Policy]]:
    """How to make every policy that comes along, by name: the baselines re-planned, and `shield`.

    Args:
        labels: of the scenes that they will be asked about. config: as of `Answering`. seed: of the baselines.
    """
    made: dict[str, Callable[[], Policy]] = {
        name: partial(Answering, answerer, labels, config, seed) for name, answerer in baselines.baselines().items()
    }
    return {**made, "shield": Shield}
