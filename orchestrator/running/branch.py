"""One agent's part of a run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import anyio

from memory.attempt import LATE, Attempt, attempt
from memory.entities import Scope
from memory.errors import InvalidAnswerError
from memory.query import PathRole
from orchestrator.events import AgentFinished, AgentStarted
from orchestrator.running.deadlines import NEVER_STOPPED, GracePeriod, Leash, Limits
from orchestrator.running.publishing import Publisher
from orchestrator.specs import AgentOutcome

if TYPE_CHECKING:
    from memory.clock import Clock
    from memory.query import TaskContext
    from memory.shared import SharedWorkingMemory
    from orchestrator.events import Emit
    from orchestrator.running.calls import AgentCalls
    from orchestrator.running.publishing import ScopeSlot
    from orchestrator.specs import AgentSpec, OutcomeStatus, ScopePlan


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
            with anyio.CancelScope(deadline=self.until) as cut:
                self.patience.join(self.spec.id, cut)
                done = await self._work(publish)
        finally:
            publish.open = False
            self.patience.ended(self.spec.id)
            if self.calls.gives_scope:
                self.slot.give_up()
        if done is None:
            done = Attempt("timeout", reason=NEVER_STOPPED if self.leash.slipped else LATE)
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
            status, reason = "skipped", "not waited for"
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
        """`ScopePlan`: the probe at once, the scoped request when the scope is there, or both.

        See docs/design.md#scope.
        """
        if self.question.scope is not None:
            return await self._search(self.question.scope, publish)
        if not self.scope_may_come or not self.plan.scoped:
            return await self._search(None, publish)
        if not self.plan.probe:
            return await self._search(await self._awaited_scope(), publish)
        notes: list[str] = []
        async with anyio.create_task_group() as group:
            group.start_soon(self._search_again, publish, notes)
            done = await self._search(None, publish)
        return _with_note(done, notes)

    async def _search(self, scope: Scope | None, publish: Publisher) -> Attempt:
        """One call under the agent's own clock; what it returns is published here."""
        seconds = self.limits.agent if self.spec.timeout_ms is None else self.spec.timeout_ms / 1000
        call = partial(self.calls.search, self.question.query, self.question.context, scope, publish)
        done = await self.leash.attempt(call, min(self.until, anyio.current_time() + seconds))
        if done.status != "ok" or self.calls.reports:
            return done
        taken = await attempt(partial(publish.all_of, done.value))
        refused = taken.value if taken.status == "ok" else taken.reason
        return Attempt("error", reason=refused) if refused else done

    async def _search_again(self, publish: Publisher, notes: list[str]) -> None:
        scope = await self._awaited_scope()
        if scope is not None:
            again = await self._search(scope, publish)
            if again.status != "ok":
                notes.append(f"the scoped search failed: {again.reason}")

    async def _awaited_scope(self) -> Scope | None:
        with anyio.move_on_after(self.limits.scope):
            return self.plan.usable(await self.slot.wait(), self.min_confidence)
        return None

    async def _ask_scope(self, publish: Publisher, notes: list[str]) -> None:
        call = partial(self.calls.find_scope, self.question.entities, self.question.context)
        done = await self.leash.attempt(call, min(self.until, anyio.current_time() + self.limits.scope))
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
