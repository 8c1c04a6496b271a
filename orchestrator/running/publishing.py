"""Where an agent's findings enter the run: checked, once each, into the shared memory (design §3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import anyio.lowlevel

from memory.entities import Entity, Relationship, Scope
from memory.errors import InvalidAnswerError
from memory.observations import GraphObservation, LocalObservation, Location, Observation, VectorObservation
from orchestrator.events import ObservationAdded, ScopeFound

if TYPE_CHECKING:
    from memory.query import TaskContext
    from memory.shared import SharedWorkingMemory
    from orchestrator.events import Emit

__all__ = ["Publisher", "ScopeSlot"]


class ScopeSlot:
    """The run's scope, and whether any may still come."""

    def __init__(self, make_event: Callable[[], Any]) -> None:
        self.scope: Scope | None = None
        self._settled = make_event()

    def put(self, scope: Scope) -> None:
        """The scope is there."""
        self.scope = scope
        self._settled.set()

    def give_up(self) -> None:
        """None will come any more: nobody need wait."""
        self._settled.set()

    async def wait(self) -> Scope | None:
        """The scope once it is there; None when none will come."""
        await self._settled.wait()
        return self.scope


class Publisher:
    """Implements `agents.ports.Publish` for one agent of one run; deaf once the agent's part has ended.

    `count` is how many observations it took.
    """

    def __init__(
        self,
        agent: str,
        memory: SharedWorkingMemory,
        context: TaskContext,
        slot: ScopeSlot,
        found: Callable[[], None],
        emit: Emit | None,
    ) -> None:
        self._agent = agent
        self._memory = memory
        self._allowed = context.stated_permission
        self._slot = slot
        self._found = found
        self._emit = emit
        self._seen: dict[str, list[Observation]] = {}
        self.count = 0
        self.open = True

    async def __call__(self, observation: Observation, /) -> None:
        """Take one observation; raises InvalidAnswerError for what is none. The same one twice counts once."""
        entry_id = self._take(observation)
        if entry_id is not None and self._emit is not None:
            self._emit(ObservationAdded(entry_id, self._agent, observation))
            await anyio.lowlevel.checkpoint()  # whoever watches sees it now, not when the agent next waits

    async def all_of(self, returned: object) -> str | None:
        """Take what `retrieve` returned; the reason when some or all of it is garbage."""
        if not isinstance(returned, Sequence) or isinstance(returned, str | bytes | bytearray):
            return f"returned {_named(returned)}, not a list of observations"
        refused: list[str] = []
        for item in returned:
            try:
                if self._emit is None:
                    self._take(item)
                else:
                    await self(item)
            except InvalidAnswerError as error:
                refused.append(error.message)
        return f"{len(refused)} of {len(returned)} refused: {refused[0]}" if refused else None

    def _take(self, observation: Observation) -> str | None:
        """Its id in the shared memory; None for what was said before, or came too late."""
        confidence = _confidence(observation)
        content = observation.content
        before = self._seen.setdefault(content, [])
        if not self.open or (before and any(_same(observation, other) for other in before)):
            return None
        before.append(observation)
        self.count += 1
        entry_id = self._memory.add(content, self._agent, confidence, is_belief_candidate=True, observation=observation)
        self._found()
        return entry_id

    def scope(self, scope: Scope, /) -> None:
        """Take the scope, inside the permission; raises InvalidAnswerError for what is none."""
        if not isinstance(scope, Scope):
            raise InvalidAnswerError(f"{_named(scope)} is not a Scope")
        if not self.open:
            return
        inside = scope if self._allowed is None else scope.within(self._allowed)
        self._slot.put(inside)
        if self._emit is not None:
            self._emit(ScopeFound(inside))


def _same(one: Observation, other: Observation) -> bool:
    """Whether two of one content are the same thing, said twice."""
    return (
        type(one) is type(other)
        and one.locations == other.locations
        and getattr(one, "source_file", "") == getattr(other, "source_file", "")
    )


def _confidence(given: object) -> float:
    """The agent's own rating of an observation that is sound in every part the merger reads."""
    if isinstance(given, GraphObservation):
        _all(given.entities, Entity, "entities")
        _all(given.relationships, Relationship, "relationships")
        _all(given.source_projects, str, "source_projects")
        rating = given.confidence
    elif isinstance(given, VectorObservation):
        _text(given, given.source_project)
        rating = given.similarity_score
    elif isinstance(given, LocalObservation):
        _text(given, given.project or "")
        rating = given.relevance_score
    else:
        raise InvalidAnswerError(f"{_named(given)} is no observation")
    _all(given.locations, Location, "locations")
    if type(given.metadata) is not dict and not isinstance(given.metadata, Mapping):
        raise InvalidAnswerError("metadata: is no mapping")
    return float(rating)


def _text(given: VectorObservation | LocalObservation, project: object) -> None:
    if not (isinstance(given.source_file, str) and isinstance(project, str)):
        raise InvalidAnswerError("source_file and project: something there is no str")
    _all(given.entities_mentioned, str, "entities_mentioned")
    if given.embedding is not None:
        _embedding(given.embedding)


def _all(items: object, kind: type, name: str) -> None:
    """Whether this is a list of that kind; written for speed, since every observation passes here."""
    if (
        type(items) is not tuple
        and type(items) is not list
        and (isinstance(items, str) or not isinstance(items, Sequence))
    ):
        raise InvalidAnswerError(f"{name}: is no list")
    for item in items:
        if not isinstance(item, kind):
            raise InvalidAnswerError(f"{name}: something there is no {kind.__name__}")


def _embedding(vector: Any) -> None:
    try:
        float(vector[0])
    except (TypeError, ValueError, LookupError) as wrong:
        raise InvalidAnswerError("embedding: is no vector of numbers") from wrong


def _named(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
