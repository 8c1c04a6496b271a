"""Where an agent's findings enter the run: checked, once each, only so many, into the shared memory.

See docs/design.md#the-run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.lowlevel

from memory.errors import InvalidAnswerError
from orchestrator.events import Emit, ObservationAdded, ScopeFound
from orchestrator.running.checking import MOST_CHARS, checked, checked_scope, named

if TYPE_CHECKING:
    from memory.entities import Scope
    from memory.observations import Observation
    from memory.query import TaskContext
    from memory.shared import SharedWorkingMemory

_LOOKED_AT: Final = 20
"""Times as many as are taken: so many are looked at for those that are none, or repeat one."""

_TOGETHER: Final = 10 * MOST_CHARS
"""Characters of one agent's texts after which no more are taken: merging and answering read each of them."""


class ScopeSlot:
    """The run's scope, and whether any may still come."""

    def __init__(self) -> None:
        self.scope: Scope | None = None
        self._settled = anyio.Event()

    def put(self, scope: Scope) -> None:
        """The scope is there."""
        self.scope = scope
        self._settled.set()

    def give_up(self) -> None:
        """None will come any more: no one need wait."""
        self._settled.set()

    async def wait(self) -> Scope | None:
        """The scope once it is there; None when none will come."""
        await self._settled.wait()
        return self.scope


class Publisher:
    """Implements `agents.ports.Publish` for one agent of one run; deaf once the agent's part has ended.

    most: how many observations are taken, the first ones, fewer where they are long; comparable: its ratings are on the
    scale of this package's agents, so that they count and not its order. `count` is how many were taken.
    """

    def __init__(
        self,
        agent: str,
        memory: SharedWorkingMemory,
        context: TaskContext,
        slot: ScopeSlot,
        found: Callable[[], None],
        emit: Emit | None,
        most: int,
        *,
        comparable: bool = False,
    ) -> None:
        self._agent = agent
        self._memory = memory
        self._allowed = context.stated_permission
        self._slot = slot
        self._found = found
        self._emit = emit
        self._most = most
        self._comparable = comparable
        self._seen: dict[str, list[Observation]] = {}
        self._calls = 0
        self._left_out = 0
        self._shortened = 0
        self._chars = 0
        self.count = 0
        self.open = True

    @property
    def _full(self) -> bool:
        return self.count >= self._most or self._chars >= _TOGETHER

    @property
    def note(self) -> str:
        """What was not taken of what the agent found; empty where all of it was."""
        notes = []
        if self._left_out:
            notes.append(f"{self._left_out} more left out, {self.count} taken")
        if self._shortened:
            notes.append(f"{self._shortened} cut to {MOST_CHARS} characters")
        return "; ".join(notes)

    async def __call__(self, observation: Observation, /) -> None:
        """Take one observation; raises InvalidAnswerError for what is none. The same one twice counts once."""
        self._calls += 1
        beyond = self._calls - self._most * _LOOKED_AT
        if beyond == 1:
            raise InvalidAnswerError(f"published more than {self._calls - 1} times")
        if beyond > 1:  # it goes on all the same: it gets no more turns until its time is over
            await anyio.sleep_forever()
        is_new = self._take(observation)
        if (is_new and self._emit is not None) or self._calls > self._most:
            await anyio.lowlevel.checkpoint()  # whoever watches sees it now, and who never ends stops no one else

    async def all_of(self, returned: object, *, anew: bool = False) -> str | None:
        """Take what `retrieve` returned; the reason when some or all of it is garbage.

        anew: what was taken before comes after it, and is not taken again where it is the same.
        """
        if not isinstance(returned, Sequence) or isinstance(returned, str | bytes | bytearray):
            return f"returned {named(returned)}, not a list of observations"
        before = self._withdrawn() if anew and returned and self.open else ()
        try:
            return await self._each_of(returned)
        finally:  # however it ends
            for observation in before:
                if not self._has(observation):
                    self._take(observation)

    async def _each_of(self, returned: Sequence[Any]) -> str | None:
        refused: list[str] = []
        looked_at = 0
        for item in islice(returned, self._most * _LOOKED_AT):
            if self._full:
                break
            looked_at += 1
            try:
                is_new = self._take(item)
            except InvalidAnswerError as error:
                refused.append(error.message)
                continue
            if is_new and self._emit is not None:
                await anyio.lowlevel.checkpoint()
        self._left_out += len(returned) - looked_at
        return f"{len(refused)} of {len(returned)} refused: {refused[0]}" if refused else None

    def _withdrawn(self) -> list[Observation]:
        """What was taken, and is not any more."""
        taken = [entry.observation for entry in self._memory.withdraw(self._agent) if entry.observation is not None]
        self._seen.clear()
        self._shortened = self._chars = self.count = 0
        return taken

    def _take(self, given: Observation) -> bool:
        """Whether it is taken: no repetition, not too late, not one too many."""
        if self.open and self._full:
            self._left_out += 1
            return False
        observation, confidence = checked(given)
        content = observation.content
        if not self.open or self._has(observation):
            return False
        self._seen.setdefault(content, []).append(observation)
        self.count += 1
        self._chars += len(content)
        self._shortened += len(content) < len(given.content)
        entry_id = self._memory.add(
            content,
            self._agent,
            confidence,
            is_belief_candidate=True,
            observation=observation,
            place=0 if self._comparable else self.count,
        )
        self._found()
        if self._emit is not None:
            self._emit(ObservationAdded(entry_id, self._agent, observation))
        return True

    def _has(self, observation: Observation) -> bool:
        return any(_same(observation, other) for other in self._seen.get(observation.content, ()))

    def scope(self, scope: Scope, /) -> None:
        """Take the scope, inside the permission; raises InvalidAnswerError for what is none."""
        scope = checked_scope(scope)
        if not self.open:
            return
        inside = scope if self._allowed is None else scope.within(self._allowed)
        self._slot.put(inside)
        if self._emit is not None:
            self._emit(ScopeFound(inside))


def _same(one: Observation, other: Observation) -> bool:
    """Whether two of one content are the same observation."""
    return (
        type(one) is type(other)
        and one.locations == other.locations
        and getattr(one, "source_file", "") == getattr(other, "source_file", "")
    )
