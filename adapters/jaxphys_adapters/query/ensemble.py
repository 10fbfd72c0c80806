"""Scenes of a closed loop that run together while their questions are asked one by one, each by its own task.

Tasks that begin at about the same time form an `Ensemble`. Each asks its own scene's question and then waits; when all
have an answer the scenes go on to the next round, in a thread, and all wake. Whoever ends early or fails leaves, and
the others go on without it. Nothing here knows models or benchmarks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio import to_thread

from jaxphys_benchmarks.embodied import Executed
from jaxphys_benchmarks.looped import Moment, Rounds
from jaxphys_benchmarks.protocol import Answer, Spec

GATHERING = 0.1
"""An ensemble begins when nobody has joined for so long (s)."""
LARGEST = 64
"""Scenes of an ensemble, at most."""

Begin = Callable[[Sequence[tuple[Spec, Any]]], Rounds]
"""Scenes with labels -> their rounds."""


@dataclass(frozen=True)
class Post:
    """What a member brings to a round: an answer, or None where it was not asked, and how long that took (s)."""

    answer: Answer | None
    seconds: float


@dataclass(eq=False)
class Ensemble:
    """Scenes under way together.

    Attributes:
        begin: makes their rounds when all are there. scenes: of the members, in the order in which they came.
        rounds: None until it has begun. results: when it is over, what came of each scene, and its journal.
    """

    begin: Begin
    scenes: list[tuple[Spec, Any]] = field(default_factory=list)
    rounds: Rounds | None = None
    results: Sequence[tuple[Executed, Sequence[dict[str, Any]]]] = ()
    _posts: dict[int, Post] = field(default_factory=dict)
    _here: set[int] = field(default_factory=set)
    _round: int = 0
    _busy: bool = False
    _closed: bool = False
    _error: Exception | None = None
    _changed: anyio.Event = field(default_factory=anyio.Event)

    @property
    def open(self) -> bool:
        """Whether more scenes may join."""
        return not self._closed and len(self.scenes) < LARGEST

    async def join(self, spec: Spec, labels: Any) -> int:
        """Take part with a scene; returns its place once all have begun.

        Raises:
            Exception: what `begin` raises, to every member.
        """
        place = len(self.scenes)
        self.scenes.append((spec, labels))
        self._here.add(place)
        try:
            if place == 0:
                await self._gather()
            while self.rounds is None and self._error is None:
                await self._changed.wait()
            self._check()
        except BaseException:
            self.leave(place)
            raise
        return place

    async def _gather(self) -> None:
        """Wait until nobody else comes, and begin."""
        count = 0
        while count < len(self.scenes) < LARGEST:
            count = len(self.scenes)
            await anyio.sleep(GATHERING)
        self._closed = True
        try:
            self.rounds = await to_thread.run_sync(self.begin, list(self.scenes))
        except Exception as error:
            self._error = error
        finally:
            # Whoever waits must not wait for a leader that was called off.
            if self.rounds is None and self._error is None:
                self._error = RuntimeError("the closed loop was ended before it began")
            self._wake()

    def moment(self, place: int) -> Moment | None:
        """What to ask about a scene in this round."""
        assert self.rounds is not None  # members have begun
        return self.rounds.moments()[place]

    @property
    def over(self) -> bool:
        """Nobody will be asked any more."""
        return self.rounds is not None and self.rounds.over

    async def go_on(self, place: int, post: Post) -> None:
        """Bring what was answered, and wait for the next round.

        Raises:
            Exception: what simulating raises, to every member.
        """
        own = self._round
        self._posts[place] = post
        while self._round == own:
            self._check()
            if not self._busy and self._here <= self._posts.keys():
                await self._advance()
            else:
                await self._changed.wait()
        self._check()

    async def _advance(self) -> None:
        assert self.rounds is not None
        nothing = Post(None, 0.0)
        posts = [self._posts.get(place, nothing) for place in range(len(self.scenes))]
        self._busy = True
        try:
            await to_thread.run_sync(self._simulated, posts)
        except Exception as error:
            self._error = error
        finally:
            self._busy = False
            self._posts.clear()
            self._round += 1
            self._wake()

    def _simulated(self, posts: Sequence[Post]) -> None:
        assert self.rounds is not None
        self.rounds.go_on([post.answer for post in posts], [post.seconds for post in posts])
        if self.rounds.over:
            self.results = list(zip(self.rounds.executed(), self.rounds.journal(), strict=True))

    def leave(self, place: int) -> None:
        """Take no further part; the scene runs on unasked."""
        self._here.discard(place)
        self._wake()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()
