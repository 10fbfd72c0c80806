"""The rounds of a training: robots run, what they saw is added to the data, the student learns from all of it.

What a round has done is on disk when it ends, so a training goes on where it was stopped and gives what an unbroken
one gives; every random number is drawn from (seed, round) (humanoid specification, section 11.3).
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from flax import serialization

from jaxphys.humanoid import robot, scenarios
from jaxphys.humanoid.config import HumanoidConfig
from jaxphys.humanoid.imitation import Run, Switch, collect
from jaxphys.humanoid.learning import Schedule, begin, learn
from jaxphys.humanoid.network import Student, normaliser, weights_of
from jaxphys.humanoid.pool import Pool
from jaxphys.humanoid.pushes import kicks
from jaxphys.humanoid.settings import Settings
from jaxphys.humanoid.teacher import Teacher
from jaxphys_kernels.humanoid.policy import Weights

CHUNK = 25
"""Updates in one call: enough that the call costs nothing, few enough that their batches stay small (7 MB)."""


class Memory:
    """All observations so far and their labels, in one piece of memory."""

    def __init__(self, capacity: int) -> None:
        # The system gives memory when it is first written, so room that is not needed costs nothing.
        self.observation = np.empty((capacity, 100), np.float32)
        self.label = np.empty((capacity, 29), np.float32)
        self.count = 0

    def add(self, observation: np.ndarray, label: np.ndarray) -> None:
        """Append n observations (n, 100) and labels (n, 29)."""
        here = slice(self.count, self.count + len(observation))
        self.observation[here], self.label[here] = observation, label
        self.count = here.stop

    def draw(self, rng: np.random.Generator, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        """Batches (*shape, 100) and (*shape, 29)."""
        rows = rng.integers(0, self.count, shape)
        return self.observation[rows], self.label[rows]


class Training:
    """A training and its folder."""

    def __init__(self, settings: Settings, taught: Teacher, folder: Path, threads: int | None = None) -> None:
        """Take up the training where its folder says it stands.

        Raises:
            FileNotFoundError: no teacher.
            ValueError: the folder holds a training with other settings, or a setting makes no sense.
        """
        self.settings = settings.checked()
        self.taught = taught
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self._same_settings()
        self.robot = robot.build(HumanoidConfig(threads=threads))
        self.ticks = round((settings.seconds + self.robot.config.settle) / self.robot.config.tick)
        self.student = Student(settings.hidden)
        self.schedule = Schedule(
            rate=settings.rate,
            last_rate=settings.last_rate,
            updates=settings.rounds * settings.updates,
            memory=settings.averaging,
        )
        self.samples = Memory(settings.rounds * settings.robots * self.ticks)
        self.learner = begin(self.student, self.schedule, settings.seed)
        self.done = 0
        self.caught: tuple[np.ndarray, np.ndarray] | None = None
        self.mean, self.std = np.zeros(100, np.float32), np.ones(100, np.float32)
        self._take_up()

    def rounds(self) -> Iterator[tuple[int, float, Run]]:
        """Do the rounds that are left; yields number, loss and run of each as it ends."""
        with Pool(self.robot, self.settings.robots) as pool:
            while self.done < self.settings.rounds:
                run = self._run(pool)
                self._remember(run.observation[run.standing], run.label[run.standing])
                self.caught = run.caught_qpos[~run.fell], run.caught_qvel[~run.fell]
                loss = self._learn()
                self._store(run)
                yield self.done, loss, run

    def policy(self) -> Weights:
        """The averaged policy as the training stands."""
        return self._policy(self.learner.average)

    def candidates(self) -> dict[int, Weights]:
        """Averaged policies of the last rounds, by round."""
        first = max(1, self.settings.rounds - self.settings.candidates + 1)
        return {number: self._policy(_read(self._averaged(number))) for number in range(first, self.done + 1)}

    def _run(self, pool: Pool) -> Run:
        """The robots of this round."""
        settings = self.settings
        rng = np.random.default_rng([settings.seed, self.done, 0])
        count = settings.robots
        # Nobody is fit to drive before the first lesson.
        driven = (np.arange(count) >= round(settings.led * count)) & (self.done > 0)
        starts = scenarios.noisy_starts(rng, count)
        if self.caught is not None and len(self.caught[0]):
            chosen = np.flatnonzero(rng.random(count) < settings.moving)
            source = rng.integers(0, len(self.caught[0]), len(chosen))
            for start, caught in zip(starts, self.caught, strict=True):
                start[chosen] = caught[source]
        plans, later = scenarios.training_plans(rng, count), scenarios.training_plans(rng, count)
        when = np.where(rng.random(count) < settings.replanned, rng.integers(self.ticks // 4, self.ticks, count), -1)
        return collect(
            pool,
            self.policy(),
            self.taught.weights,
            driven,
            plans,
            self.ticks,
            rng=rng,
            starts=starts,
            pushes=kicks(rng, self.ticks, count),
            switch=Switch(later, when),
        )

    def _learn(self) -> float:
        """The updates of this round."""
        rng = np.random.default_rng([self.settings.seed, self.done, 1])
        losses, left = [], self.settings.updates
        while left:
            now = min(CHUNK, left)
            batches = self.samples.draw(rng, (now, self.settings.batch))
            self.learner, loss = learn(self.student, self.schedule, self.learner, self.mean, self.std, *batches)
            losses.append(float(loss))
            left -= now
        return float(np.mean(losses[-4:]))

    def _policy(self, parameters: Any) -> Weights:
        return weights_of(parameters, self.mean, self.std)

    def _remember(self, observation: np.ndarray, label: np.ndarray) -> None:
        if self.samples.count == 0:
            self.mean, self.std = normaliser(observation)
        self.samples.add(observation, label)

    def _store(self, run: Run) -> None:
        """Everything of this round; the learner comes last and makes it count."""
        assert self.caught is not None
        rows = {"observation": run.observation[run.standing], "label": run.label[run.standing]}
        part = self._seen(self.done).with_suffix(".part.npz")
        np.savez(part, **rows, caught_qpos=self.caught[0], caught_qvel=self.caught[1])
        os.replace(part, self._seen(self.done))
        self.done += 1
        if self.done > self.settings.rounds - self.settings.candidates:
            write(self._averaged(self.done), serialization.msgpack_serialize(_plain(self.learner.average)))
        content = {"done": self.done, "learner": serialization.to_state_dict(_plain(self.learner))}
        write(self.folder / "learner.msgpack", serialization.msgpack_serialize(content))

    def _take_up(self) -> None:
        path = self.folder / "learner.msgpack"
        if not path.exists():
            return
        content = _read(path)
        self.learner = jax.tree.map(
            lambda old, new: jnp.asarray(new, old.dtype),
            self.learner,
            serialization.from_state_dict(self.learner, content["learner"]),
        )
        for number in range(int(content["done"])):
            with np.load(self._seen(number)) as rows:
                self._remember(rows["observation"], rows["label"])
                self.caught = rows["caught_qpos"], rows["caught_qvel"]
        self.done = int(content["done"])

    def _same_settings(self) -> None:
        path = self.folder / "settings.json"
        told = {**self.settings.told(), "teacher_sha256": self.taught.sha256}
        if not path.exists():
            write(path, (json.dumps(told, indent=2) + "\n").encode())
            return
        for name, value in json.loads(path.read_text(encoding="utf-8")).items():
            if told.get(name) != value:
                raise ValueError(
                    f"{name}: {self.folder.parent} holds a training with {value!r}, not {told.get(name)!r}; "
                    "give another --out, or the same settings to go on"
                )

    def _seen(self, number: int) -> Path:
        return self.folder / f"seen_{number:04d}.npz"

    def _averaged(self, number: int) -> Path:
        return self.folder / f"averaged_{number:04d}.msgpack"


def _plain(tree: Any) -> Any:
    """NumPy leaves."""
    return jax.tree.map(np.asarray, tree)


def _read(path: Path) -> Any:
    return serialization.msgpack_restore(path.read_bytes())


def write(path: Path, content: bytes) -> None:
    """Whole or not at all."""
    part = path.with_suffix(".part")
    part.write_bytes(content)
    os.replace(part, path)
