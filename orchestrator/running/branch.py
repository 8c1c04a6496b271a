"""One agent's part of a run, and how anybody's agent is called: its signatures are read once, before the run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import anyio

from memory.attempt import Attempt
from memory.entities import Scope
from memory.errors import InvalidAnswerError
from memory.query import PathRole
from orchestrator.events import AgentFinished, AgentStarted, Emit
from orchestrator.running.deadlines import GracePeriod, Leash, Limits
from orchestrator.running.publishing import Publisher
from orchestrator.specs import AgentOutcome, AgentSpec, OutcomeStatus, ScopePlan

NOT_WAITED_FOR: Final = "not waited for"

if TYPE_CHECKING:
    from agents.ports import Publish
    from memory.clock import Clock
    from memory.query import TaskContext
    from memory.shared import SharedWorkingMemory
    from orchestrator.running.publishing import ScopeSlot

Passing = Literal["name", "position", "never"]


class AgentCalls:
    """How to call an agent: `publish_into` if it has one, else `retrieve`; with the scope only where it takes one.

    gives_scope, takes_scope: None to go by the methods (an agent with `find_scope` gives, one whose call has a
    parameter `scope` takes). comparable: its ratings are on the scale of this package's agents.
    """

    def __init__(self, agent: Any, *, gives_scope: bool | None = None, takes_scope: bool | None = None) -> None:
        self.comparable = bool(getattr(agent, "comparable_ratings", False))
        self._publish_into = getattr(agent, "publish_into", None)
        self._call = self._publish_into or agent.retrieve
        self._scope_by = _passing(self._call, "scope", 3 if self._publish_into else 2)
        self._find_scope = getattr(agent, "find_scope", None)
        self._context_by = _passing(self._find_scope, "context", 1) if self._find_scope else "never"
        finds = self._find_scope is not None or self._publish_into is not None
        self.gives_scope = self._find_scope is not None if gives_scope is None else gives_scope and finds
        self.takes_scope = (not self.gives_scope if takes_scope is None else takes_scope) and self._scope_by != "never"

    @property
    def reports(self) -> bool:
        """It publishes as it goes, the scope included."""
        return self._publish_into is not None

    @property
    def finds_scope(self) -> bool:
        """It is to be asked for the scope apart from its observations."""
        return self.gives_scope and not self.reports

    def search(self, query: str, context: TaskContext, scope: Scope | None, publish: Publish) -> Any:
        """What its call returns, as it comes: awaitable or not, observations or garbage."""
        given = (query, context, publish) if self.reports else (query, context)
        return _called(self._call, given, "scope", scope, self._scope_by if self.takes_scope else "never")

    def find_scope(self, entities: Sequence[str], context: TaskContext) -> Any:
        """What its `find_scope` returns, as it comes."""
        find: Callable[..., Any] = self._find_scope  # type: ignore[assignment]  # only asked when finds_scope
        return _called(find, (list(entities),), "context", context, self._context_by)


def _passing(call: Callable[..., Any], name: str, position: int) -> Passing:
    """How a call takes one argument more: by `name`, at this `position`, or `never`."""
    try:
        parameters = tuple(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):  # a callable that does not tell, such as one of an extension module
        return "never"
    if any(p.name == name and p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY} for p in parameters):
        return "name"
    positional = [p for p in parameters if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD}]
    more = len(positional) > position or any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return "position" if more else "never"


def _called(call: Callable[..., Any], given: Sequence[Any], name: str, more: object, passing: Passing) -> Any:
    if passing == "never":
        return call(*given)
    return call(*given, **{name: more}) if passing == "name" else call(*given, more)


@dataclass(frozen=True, slots=True)
class AgentQuery:
    """What a run's agents are asked; `scope` is the caller's own, which no agent's replaces."""

    query: str
    context: TaskContext
    entities: tuple[str, ...] = ()
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """Everything one agent's part needs. `scope_may_come`: an agent that gives one takes part in this run."""

    spec: AgentSpec
    calls: AgentCalls
    leash: Leash
    role: PathRole
    question: AgentQuery
    plan: ScopePlan
    limits: Limits
    until: float
    patience: GracePeriod
    slot: ScopeSlot
    memory: SharedWorkingMemory
    clock: Clock
    emit: Emit | None = None
    min_confidence: float = 0.0
    scope_may_come: bool = False

    async def run(self) -> AgentOutcome:
        """The agent's outcome, whatever it does; raises nothing but a cancellation from outside."""
        started = self.clock.monotonic()
        publish = self._publisher()
        if self.emit is not None:
            self.emit(AgentStarted(self.spec.id, self.role))
        done = None
        try:
            with anyio.CancelScope(deadline=self.until) as cut, self.leash.put_off(cut):
                self.patience.join(self.spec.id, cut)
                done = await self._work(publish)
        finally:
            publish.open = False
            self.patience.ended(self.spec.id)
            if self.calls.gives_scope:
                self.slot.give_up()
        if done is None:
            done = Attempt("timeout", reason=self.leash.late)
        outcome = self._outcome(done, publish, started, cut=cut.cancelled_caught)
        if self.emit is not None:
            self.emit(AgentFinished(outcome))
        return outcome

    def _publisher(self) -> Publisher:
        return Publisher(
            self.spec.id,
            self.memory,
            self.question.context,
            self.slot,
            self.patience.found,
            self.emit,
            self.limits.observations,
            comparable=self.calls.comparable,
        )

    def _outcome(self, done: Attempt, publish: Publisher, started: float, *, cut: bool) -> AgentOutcome:
        status: OutcomeStatus = done.status
        reason, count = done.reason, publish.count
        if cut and self.patience.was_cut(self.spec.id):
            status, reason = "skipped", NOT_WAITED_FOR
        elif status == "ok" and count == 0:
            status = "empty"
        reason = "; ".join(filter(None, (reason, publish.note))) or None
        elapsed = (self.clock.monotonic() - started) * 1000
        return AgentOutcome(self.spec.id, self.role, status, count, elapsed, reason)

    async def _work(self, publish: Publisher) -> Attempt:
        if self.calls.takes_scope:
            return await self._scoped_work(publish)
        if not self.calls.finds_scope or not self.question.entities:
            return await self._search(None, publish)
        notes: list[str] = []
        async with anyio.create_task_group() as group:
            group.start_soon(self._ask_scope, publish, notes)
            done = await self._search(None, publish)
        return _with_note(done, notes)

    async def _scoped_work(self, publish: Publisher) -> Attempt:
        """`ScopePlan`: the probe at once, the scoped request when the scope is there, or both: then what the scoped
        one finds comes first.

        See docs/design.md#scope.
        """
        if self.question.scope is not None:
            return await self._search(self.question.scope, publish)
        if not self.scope_may_come or not self.plan.scoped:
            return await self._search(None, publish)
        notes: list[str] = []
        if not self.plan.probe:
            scope = await self._awaited_scope(notes)
            return _with_note(await self._search(scope, publish), notes)
        async with anyio.create_task_group() as group:
            group.start_soon(self._search_again, publish, notes)
            done = await self._search(None, publish)
        return _with_note(done, notes)

    async def _search(self, scope: Scope | None, publish: Publisher, *, anew: bool = False) -> Attempt:
        """One call under the agent's own clock; what it returns is published here, anew before what was."""
        seconds = self.limits.agent if self.spec.timeout_ms is None else self.spec.timeout_ms / 1000
        call = partial(self.calls.search, self.question.query, self.question.context, scope, publish)
        done = await self.leash.attempt(call, self._within(seconds))
        if done.status != "ok" or self.calls.reports:
            return done
        take = partial(publish.all_of, done.value, anew=anew)
        taken = await self.leash.attempt(take, anyio.current_effective_deadline())
        if taken.status == "timeout":
            return taken
        refused = taken.value if taken.status == "ok" else taken.reason
        return Attempt("error", reason=refused) if refused else done

    async def _search_again(self, publish: Publisher, notes: list[str]) -> None:
        scope = await self._awaited_scope(notes)
        if scope is not None:
            again = await self._search(scope, publish, anew=True)
            if again.status != "ok":
                notes.append(f"the scoped search failed: {again.reason}")

    async def _awaited_scope(self, notes: list[str]) -> Scope | None:
        with anyio.move_on_after(self.limits.scope) as end, self.leash.put_off(end):
            return self.plan.usable(await self.slot.wait(), self.min_confidence)
        notes.append("no scope in time: searched without one")
        return None

    def _within(self, seconds: float) -> float:
        """So long from now, within the agent's part."""
        return min(anyio.current_effective_deadline(), anyio.current_time() + seconds)

    async def _ask_scope(self, publish: Publisher, notes: list[str]) -> None:
        call = partial(self.calls.find_scope, self.question.entities, self.question.context)
        done = await self.leash.attempt(call, self._within(self.limits.scope))
        if done.status == "ok":
            try:
                publish.scope(done.value)
            except InvalidAnswerError as error:
                notes.append(f"no scope: {error.message}")
        else:
            notes.append(f"no scope: {done.reason}")
        self.slot.give_up()


def _with_note(done: Attempt, notes: list[str]) -> Attempt:
    """The search's own end; what went wrong beside it is reported, but changes no status."""
    if not notes or done.reason:
        return done
    return Attempt(done.status, done.value, reason=notes[0])
