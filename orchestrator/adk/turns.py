"""One question on its way through an app's agents (design §3, §7).

ADK's nodes share a session, which is copied with every turn and written to a database; so the session holds a few words
a branch, and what the agents found stays here, in the process, for as long as the turn lasts.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory.query import PathRole
from orchestrator.adk.environment import kept_open, orchestrator_of_environment
from orchestrator.asking import error_of
from orchestrator.events import ScopeFound
from orchestrator.running.branch import attempt
from orchestrator.running.deadlines import Limits
from orchestrator.running.modes import PLANS
from orchestrator.running.publishing import ScopeSlot
from orchestrator.running.specs import AgentOutcome, RunResult

if TYPE_CHECKING:
    from memory.entities import Scope
    from orchestrator.adk.ask_tool import OpenOrchestrator
    from orchestrator.current import Lease
    from orchestrator.events import Event
    from orchestrator.finishing import Findings
    from orchestrator.hybrid import HybridRetrievalOrchestrator
    from orchestrator.result import HybridResult
    from orchestrator.stages import Asked

__all__ = ["Turn", "Turns"]

ABSENT: Final = "took no part in this turn"

_AGENTS: Final = ("local", "graph", "vector")
_KEPT: Final = 32


class Turn:
    """The stages of one question; each ends in a few words for the session's state, whatever happens.

    result: once it is finished; error: why there will be none; unwritten: state that was shown, for the answer's event to
    write. The index that it began on stays open until `end`.
    """

    def __init__(self, lease: Lease[HybridRetrievalOrchestrator] | None = None) -> None:
        self._lease = lease
        self.orchestrator = lease.one if lease is not None else None
        self.result: HybridResult | None = None
        self.error: dict[str, Any] | None = None
        self.unwritten: dict[str, Any] = {}
        self._asked: Asked | None = None
        self._findings: Findings | None = None
        self._runs: dict[str, RunResult] = {}
        self._slot = ScopeSlot(anyio.Event)

    async def answer(self, query: str, context: Mapping[str, Any]) -> dict[str, Any]:
        """All stages at once."""
        if self.orchestrator is not None:
            self.result = await self._tried(partial(self.orchestrator.retrieve, query, context))
        return self.summary

    async def begin(self, query: str, context: Mapping[str, Any]) -> dict[str, Any]:
        """The door and the classification."""
        if self.orchestrator is not None:
            self._asked = await self._tried(partial(self.orchestrator.begin, query, context))
        if self._asked is None:
            return self.summary
        classification = self._asked.classification
        return {"types": [kind.value for kind in classification.query_types], "entities": list(classification.entities)}

    async def search(self, agent: str, *, gives_scope: bool = False, waits_for_scope: bool = False) -> dict[str, Any]:
        """One agent's part, which raises nothing. Who waits for the scope gets what another part finds, as soon as it is
        there, and goes on without when that part has ended or half an agent's time is over.
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
        return {"status": outcome.status, "observations": outcome.observations, "reason": outcome.reason}

    async def _awaited_scope(self, orchestrator: HybridRetrievalOrchestrator) -> Scope | None:
        plan, config = PLANS[orchestrator.mode], orchestrator.config
        if plan.scoped:
            with anyio.move_on_after(Limits(agent=config.agent_timeout_ms / 1000).scope):
                return plan.usable(await self._slot.wait(), config.scope.min_confidence)
        return None

    def _noticed(self, event: Event) -> None:
        if isinstance(event, ScopeFound):
            self._slot.put(event.scope)

    async def merge(self) -> dict[str, Any]:
        """What all of them have published, ranked."""
        if self.orchestrator is not None and self._asked is not None:
            self._findings = await self._tried(partial(self.orchestrator.merge, self._asked, self._run()))
        if self._findings is None:
            return self.summary
        merged = self._findings.merged
        return {"observations": len(merged.observations), "conflicts": len(merged.conflicts)}

    def _run(self) -> RunResult:
        """The agents' runs as one; who was not there is skipped."""
        outcomes = {name: AgentOutcome(name, PathRole.MAY, "skipped", reason=ABSENT) for name in _AGENTS}
        outcomes |= {name: run.outcomes[name] for name, run in self._runs.items()}
        return RunResult(outcomes, next((run.scope for run in self._runs.values() if run.scope is not None), None))

    async def finish(self) -> dict[str, Any]:
        """The result, with the extractive answer in it."""
        if self.orchestrator is not None and self._findings is not None:
            self.result = await self._tried(partial(self.orchestrator.finish, self._findings))
        return self.summary

    @property
    def summary(self) -> dict[str, Any]:
        """How far it came."""
        if self.error is not None:
            return self.error
        if self.result is None:
            return {"status": "under way"}
        agents = {outcome.agent: outcome.status for outcome in self.result.coverage.agents}
        return {"request_id": self.result.request_id, "status": self.result.status, "agents": agents}

    def end(self) -> None:
        """Done with the index."""
        if self._lease is not None:
            self._lease.end()

    async def _tried(self, call: Callable[[], Any]) -> Any:
        done = await attempt(call)
        if done.status != "ok":
            self.error = error_of(done)
        return done.value


class Turns:
    """The turns of an app, by ADK's invocation id; the oldest are forgotten.

    open_orchestrator: what the environment names, if not given. allowed_projects: what the app may see, all that is
    indexed if not given; it is the application's to say, never the session's.
    """

    def __init__(
        self, open_orchestrator: OpenOrchestrator | None = None, *, allowed_projects: Iterable[str] | None = None
    ) -> None:
        self._kept = kept_open(open_orchestrator, partial(orchestrator_of_environment, writes=False))
        self._allowed = None if allowed_projects is None else frozenset(allowed_projects)
        self._turns: OrderedDict[str, Turn] = OrderedDict()

    def of(self, invocation: str) -> Turn:
        """The turn of this invocation; a blank one where nobody began it in this process."""
        return self._turns.get(invocation) or Turn()

    async def open(self, invocation: str) -> Turn:
        """A turn for this invocation, on what is indexed now."""
        done = await attempt(self._kept.lease)
        self.end(invocation)
        turn = self._turns[invocation] = Turn(done.value)
        if done.status != "ok":
            turn.error = error_of(done)
        while len(self._turns) > _KEPT:
            self._turns.popitem(last=False)[1].end()
        return turn

    def end(self, invocation: str) -> None:
        """This turn is over: it may still be read, and holds no index open."""
        self.of(invocation).end()

    def context(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The context of a question in a session: the project in hand is the state's `project`."""
        project = state.get("project")
        context: dict[str, Any] = {"project": project if isinstance(project, str) and project else None}
        if self._allowed is not None:
            context["allowed_projects"] = self._allowed
        return context

    async def close(self) -> None:
        """Let go of the index, once the turns under way are over."""
        await self._kept.close()
