"""`MultiAgentOrchestrator`: agents side by side, each under its own deadline and the run's.

See 001 §7.2, docs/design.md#the-run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import anyio

from memory.clock import SystemClock
from memory.errors import InvalidInputError
from memory.query import PathRole, TaskContext
from memory.shared import SharedWorkingMemory
from orchestrator.running.branch import AgentCalls, AgentQuery, Branch
from orchestrator.running.deadlines import GracePeriod, Leash, Limits, Strays, Turns
from orchestrator.running.publishing import ScopeSlot
from orchestrator.specs import AGENT, PLANS, AgentOutcome, AgentSpec, OrchestrationMode, RunResult, checked_part

if TYPE_CHECKING:
    from configs import ScopeMode
    from memory.clock import Clock
    from memory.entities import Scope
    from orchestrator.events import Emit

NOT_PLANNED = "not planned for this kind of question"


class MultiAgentOrchestrator:
    """Runs agents into a shared memory; one that fails, hangs or returns garbage costs the others nothing.

    scope_mode: how what a scope-giving agent finds reaches those that take one; fallback_order: who is started one
    after the other when all that were planned came back empty or failed (empty: no one); strays: where an agent goes
    that does not stop at its deadline, for whoever closes them.
    """

    def __init__(
        self,
        mode: OrchestrationMode = OrchestrationMode.PARALLEL,
        agents: Sequence[AgentSpec] = (),
        *,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        scope_mode: ScopeMode = "parallel_research",
        min_scope_confidence: float = 0.0,
        fallback_order: Sequence[str] = (),
        clock: Clock | None = None,
        strays: Strays | None = None,
    ) -> None:
        if not isinstance(mode, OrchestrationMode):
            raise InvalidInputError(f"The mode is {mode!r}.", "Give an OrchestrationMode.")
        for spec in agents:
            if not isinstance(spec, AgentSpec):
                raise InvalidInputError(f"An agent is given as {spec!r}.", "Give AgentSpec(id, agent=...).")
            checked_part(spec.id, spec.agent, AGENT)
        self._mode = mode
        self._specs = {spec.id: spec for spec in agents}
        if len(self._specs) < len(agents):
            raise InvalidInputError("Two agents have one id.", "Give each an id of its own.")
        self._calls = {
            spec.id: AgentCalls(spec.agent, gives_scope=spec.gives_scope, takes_scope=spec.takes_scope)
            for spec in agents
            if spec.agent is not None
        }
        self._limits = limits
        self._plan = PLANS[scope_mode]
        self._min_confidence = min_scope_confidence
        self._fallback = [agent for agent in fallback_order if agent in self._calls]
        self._clock = clock or SystemClock()
        self._strays = Strays() if strays is None else strays

    async def run(
        self,
        query: str,
        context: TaskContext | None = None,
        *,
        memory: SharedWorkingMemory | None = None,
        entities: Sequence[str] = (),
        roles: Mapping[str, PathRole] | None = None,
        scope: Scope | None = None,
        scoped: bool = True,
        until: float | None = None,
        wait_for_mays: bool = False,
        falls_back: bool = True,
        emit: Emit | None = None,
    ) -> RunResult:
        """Every agent's outcome, never an exception of theirs.

        roles: who is started and whether the run waits for it, None for everybody in the role of their spec; scope: the
        caller's own, used instead of any agent's; scoped: whether an agent's reaches those that take one; until: the
        end on the event loop's clock, None for the limits' total; wait_for_mays: up to their own deadlines, as always
        where agents work one after the other; falls_back: whether others are started where no one
        found anything.
        """
        context = context or TaskContext()
        if roles is None:
            roles = {spec.id: spec.path_role for spec in self._specs.values()}
        planned = [agent for agent in self._specs if agent in roles and agent in self._calls]
        musts = [agent for agent in planned if roles[agent] is PathRole.MUST]
        in_turn = self._mode is OrchestrationMode.SEQUENTIAL
        # A may that works after the musts would have the grace alone for all its work.
        patience = GracePeriod(musts, None if wait_for_mays or in_turn else self._limits.grace)
        slot, turns = ScopeSlot(), Turns()
        until = anyio.current_time() + self._limits.total if until is None else until
        memory = memory or SharedWorkingMemory(context.request_id)
        question = AgentQuery(query, context, tuple(entities), scope)
        outcomes: dict[str, AgentOutcome] = {}

        async def start(agent: str, role: PathRole) -> None:
            branch = Branch(
                spec=self._specs[agent],
                calls=self._calls[agent],
                leash=Leash(agent, self._strays, turns),
                role=role,
                question=question,
                plan=self._plan if scoped else PLANS["none"],
                limits=self._limits,
                until=until + turns.kept,
                patience=patience,
                slot=slot,
                memory=memory,
                clock=self._clock,
                emit=emit,
                min_confidence=self._min_confidence,
                scope_may_come=any(self._calls[other].gives_scope for other in planned),
            )
            outcomes[agent] = await branch.run()

        if in_turn:
            for agent in planned:
                await start(agent, roles[agent])
        else:
            async with anyio.create_task_group() as group:
                for agent in planned:
                    group.start_soon(start, agent, roles[agent])
        patience = GracePeriod((), None)  # each of the others is the only one at work
        for agent in self._fallback if falls_back else ():
            if any(outcome.observations for outcome in outcomes.values()):
                break
            if agent not in outcomes:
                await start(agent, PathRole.MAY)
        ended = {agent: outcomes.get(agent) or self._skipped(agent, roles) for agent in self._specs}
        return RunResult(ended, scope if scope is not None else slot.scope, turns.kept)

    async def close(self) -> None:
        """End the agents that did not stop when their time was over; takes a second at most."""
        await self._strays.close()

    def none_asked(self, reason: str) -> RunResult:
        """A run in which no one is asked, for this reason."""
        return RunResult({agent: AgentOutcome(agent, PathRole.MAY, "skipped", reason=reason) for agent in self._specs})

    def _skipped(self, agent: str, roles: Mapping[str, PathRole]) -> AgentOutcome:
        spec = self._specs[agent]
        reason = spec.why_absent if spec.agent is None else NOT_PLANNED
        return AgentOutcome(agent, roles.get(agent, PathRole.MAY), "skipped", reason=reason)
