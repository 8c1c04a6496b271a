"""One question on its way through an app's agents (docs/design.md#the-doors).

ADK's nodes share a session, which is copied with every turn and written to a database; so the session holds a few words
a branch, and what the agents found stays here, in the process, for as long as the turn lasts.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio

from configs import AGENTS
from interfaces.adk.environment import OnIndex, orchestrator_of_environment
from interfaces.adk.session import asked_in, project_in_hand
from interfaces.adk.steps import Finding, Step
from interfaces.asking import error_of, permitted
from memory.attempt import attempt
from memory.query import PathRole
from orchestrator.events import AgentFinished, Emit, Event, Merged, ScopeFound
from orchestrator.running.deadlines import Limits
from orchestrator.running.publishing import ScopeSlot
from orchestrator.specs import PLANS, AgentOutcome, RunResult, scopes_search

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectSendStream

    from memory.entities import Scope
    from orchestrator.current import Lease
    from orchestrator.finishing import MergedRun
    from orchestrator.hybrid import HybridRetrievalOrchestrator
    from orchestrator.result import HybridResult
    from orchestrator.stages import QueryState

ABSENT: Final = "took no part in this turn"
_KEPT, _UNDER_WAY = 32, 1_000
"""How many turns that are over may still be read, and how many that nobody ends are kept at most."""
_NAMED: Final = 6
T = TypeVar("T")
Work = Callable[[Callable[[T], None]], Coroutine[Any, Any, None]]


class Turn:
    """The stages of one question; each ends in a few words for the session's state, whatever happens.

    findings: once they are merged; result: once it is finished; error: why there will be none; unwritten: state that
    was shown, for the answer's event to write; writes_until: the event loop's time that a language model has; is_over:
    it was ended. The index that it began on stays open until `end`.
    """

    def __init__(self, lease: Lease[HybridRetrievalOrchestrator] | None = None) -> None:
        self._lease = lease
        self.orchestrator = lease.one if lease is not None else None
        self.findings: MergedRun | None = None
        self.result: HybridResult | None = None
        self.error: dict[str, Any] | None = None
        self.unwritten: dict[str, Any] = {}
        self.writes_until = math.inf
        self.is_over = False
        self._asked: QueryState | None = None
        self._runs: dict[str, RunResult] = {}
        self._slot = ScopeSlot()

    async def follow(self, query: str, context: Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        """All stages at once, and what the run says of itself while it goes on."""
        async with aclosing(alongside(partial(self._all, query, context))) as events:
            async for event in events:
                yield event

    async def _all(self, query: str, context: Mapping[str, Any], emit: Emit) -> None:
        def seen(event: Event) -> None:
            self._noticed(event)
            emit(event)

        await self.begin(query, context)
        orchestrator, asked = self.orchestrator, self._asked
        if orchestrator is None or asked is None:
            return

        async def answered() -> HybridResult:
            run = await orchestrator.ask(asked, emit=seen)
            self.findings = await orchestrator.merge(asked, run, seen)
            return await orchestrator.finish(self.findings, seen)

        self.result = await self._tried(answered)

    async def begin(self, query: str, context: Mapping[str, Any]) -> dict[str, Any]:
        if self.orchestrator is not None:
            self._asked = await self._tried(partial(self.orchestrator.begin, query, context))
        if self._asked is None:
            return self.summary
        classification = self._asked.classification
        return {"types": [kind.value for kind in classification.query_types], "entities": list(classification.entities)}

    async def search(self, agent: str, *, gives_scope: bool = False, waits_for_scope: bool = False) -> dict[str, Any]:
        """One agent's part, which raises nothing. Who waits for the scope gets what another part finds, as soon as it
        is there, and goes on without when that part has ended or half an agent's time is over.
        """
        if self.orchestrator is None or self._asked is None:
            return self.summary
        scope = await self._awaited_scope(self.orchestrator) if waits_for_scope else None
        try:
            run = await self.orchestrator.ask(self._asked, {agent}, scope, self._noticed)
        finally:
            if gives_scope:
                self._slot.give_up()
        self._runs[agent] = run
        outcome = run.outcomes[agent]
        return _ended(outcome)

    async def _fall_back(self, orchestrator: HybridRetrievalOrchestrator, asked: QueryState) -> None:
        """Where no one found anything, the app's agents that the question did not ask for, until one does."""
        config, planned = orchestrator.config, {path.value for path in asked.classification.roles}
        for agent in config.fallback_order if config.fallback_on_timeout else ():
            if any(run.outcomes[name].observations for name, run in self._runs.items()):
                return
            if agent in self._runs.keys() - planned:
                self._runs[agent] = await orchestrator.ask(asked, {agent}, unplanned=True)

    async def _awaited_scope(self, orchestrator: HybridRetrievalOrchestrator) -> Scope | None:
        plan, config = PLANS[orchestrator.mode], orchestrator.config
        if plan.scoped and self._asked is not None and scopes_search(config, self._asked.classification):
            with anyio.move_on_after(Limits(agent=config.agent_timeout_ms / 1000).scope):
                return plan.usable(await self._slot.wait(), config.scope.min_confidence)
        return None

    def _noticed(self, event: Event) -> None:
        if isinstance(event, ScopeFound):
            self._slot.put(event.scope)

    async def merge(self) -> dict[str, Any]:
        """What all of them have published, ranked."""
        if self.orchestrator is not None and self._asked is not None:
            await self._fall_back(self.orchestrator, self._asked)
            self.findings = await self._tried(partial(self.orchestrator.merge, self._asked, self._run()))
        if self.findings is None:
            return self.summary
        merged = self.findings.merged
        return {"observations": len(merged.observations), "conflicts": len(merged.conflicts)}

    def step(self, event: Event) -> Step | None:
        """The step that ended with this event of a run, if one did."""
        if isinstance(event, AgentFinished):
            scope = self.scope if event.outcome.agent == "graph" else ()
            return Step(event.outcome.agent, _ended(event.outcome), scope, self.best_of(event.outcome.agent))
        if isinstance(event, Merged):
            summary = {"observations": len(event.observations)}
            return Step(
                "merger", summary, best=Step.best_of((one.content, one.locations) for one in event.observations)
            )
        return None

    @property
    def best(self) -> tuple[Finding, ...]:
        """The best of what is left after merging."""
        merged = self.findings.merged.observations if self.findings is not None else ()
        return Step.best_of((one.content, one.locations) for one in merged)

    def best_of(self, agent: str) -> tuple[Finding, ...]:
        """The best of what one agent has published, by its own confidence."""
        entries = self._asked.memory.snapshot() if self._asked is not None else ()
        own = [entry for entry in entries if entry.source_agent_id == agent and entry.observation is not None]
        own.sort(key=lambda entry: -entry.attention_weight)  # those that are even stay in the agent's order
        return Step.best_of((entry.content, entry.observation.locations) for entry in own if entry.observation)

    @property
    def scope(self) -> tuple[str, ...]:
        """The projects that matter, the surest first, as far as an agent has named them."""
        return tuple(self._slot.scope.names)[:_NAMED] if self._slot.scope is not None else ()

    @property
    def _agents(self) -> tuple[str, ...]:
        return self.orchestrator.agents if self.orchestrator is not None else AGENTS

    def _run(self) -> RunResult:
        """The agents' runs as one; who was not there is skipped."""
        outcomes = {name: AgentOutcome(name, PathRole.MAY, "skipped", reason=ABSENT) for name in self._agents}
        outcomes |= {name: run.outcomes[name] for name, run in self._runs.items()}
        return RunResult(outcomes, next((run.scope for run in self._runs.values() if run.scope is not None), None))

    async def finish(self) -> dict[str, Any]:
        """The result, with the extractive answer in it."""
        if self.orchestrator is not None and self.findings is not None:
            self.result = await self._tried(partial(self.orchestrator.finish, self.findings))
        return self.summary

    @property
    def summary(self) -> dict[str, Any]:
        if self.error is not None:
            return self.error
        if self.result is None:
            return {"status": "under way"}
        agents = {outcome.agent: outcome.status for outcome in self.result.coverage.agents}
        return {"request_id": self.result.request_id, "status": self.result.status, "agents": agents}

    def end(self) -> None:
        self.is_over = True
        if self._lease is not None:
            self._lease.end()

    async def _tried(self, call: Callable[[], Any]) -> Any:
        done = await attempt(call)
        if done.status != "ok":
            self.error = error_of(done)
        return done.value


def _ended(outcome: AgentOutcome) -> dict[str, Any]:
    return {"status": outcome.status, "observations": outcome.observations, "reason": outcome.reason}


class Turns(OnIndex["HybridRetrievalOrchestrator"]):
    """The turns of an app, by ADK's invocation id; the oldest of those that are over are forgotten. `close` waits for
    the turns under way.
    """

    def __init__(
        self,
        opening: Callable[[], AbstractAsyncContextManager[HybridRetrievalOrchestrator]] | None = None,
        *,
        allowed_projects: Iterable[str] | None = None,
        data_dir: Path | None = None,
    ) -> None:
        super().__init__(opening, allowed_projects=allowed_projects, data_dir=data_dir)
        self._turns: OrderedDict[str, Turn] = OrderedDict()

    def _of_folder(self, data_dir: Path | None) -> AbstractAsyncContextManager[HybridRetrievalOrchestrator]:
        return orchestrator_of_environment(data_dir, writes=False)

    def of(self, invocation: str) -> Turn:
        """The turn of this invocation; a blank one where none was begun in this process."""
        return self._turns.get(invocation) or Turn()

    async def open(self, invocation: str) -> Turn:
        """A turn for this invocation, on what is indexed now."""
        done = await attempt(self._kept.lease)
        self.end(invocation)
        turn = self._turns[invocation] = Turn(done.value)
        if done.status != "ok":
            turn.error = error_of(done)
        over = [name for name, one in self._turns.items() if one.is_over]
        for name in over[: max(0, len(over) - _KEPT)]:
            del self._turns[name]
        while len(self._turns) > _KEPT + _UNDER_WAY:
            self._turns.popitem(last=False)[1].end()
        return turn

    def end(self, invocation: str) -> None:
        """This turn is over: it may still be read, and holds no index open."""
        self.of(invocation).end()

    def question(self, turn: Turn, state: Mapping[str, Any], text: str) -> str:
        """What the user asks, made to stand alone by the session's last question."""
        indexed = turn.orchestrator.projects if turn.orchestrator is not None else frozenset[str]()
        return asked_in(state, text, permitted(None, self._allowed, indexed))

    def context(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The context of a question in a session: the project in hand is the state's `project`."""
        context: dict[str, Any] = {"project": project_in_hand(state)}
        if self._allowed is not None:
            context["allowed_projects"] = self._allowed
        return context


async def alongside(*works: Work[T]) -> AsyncGenerator[T, None]:
    """What these works, which raise nothing, hand on while they run at the same time, as it comes.

    Closing the generator ends the works.
    """
    send, receive = anyio.create_memory_object_stream[T](math.inf)
    # A task of its own: a task group must not stay open over a `yield`, since whoever stops reading may leave the
    # generator to be closed by another task.
    task = asyncio.get_running_loop().create_task(_run(works, send))
    try:
        with receive:
            async for one in receive:
                yield one
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _run(works: Sequence[Work[T]], send: MemoryObjectSendStream[T]) -> None:
    with send:
        async with anyio.create_task_group() as group:
            for work in works:
                group.start_soon(work, send.send_nowait)
