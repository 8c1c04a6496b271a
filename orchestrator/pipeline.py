"""`Pipeline`: the stages of one question, one after the other: it is read, asked of the agents, merged and answered.

See docs/design.md#one-question.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import anyio

from memory.query import PathRole
from memory.question import read_question
from memory.shared import SharedWorkingMemory
from orchestrator.events import Classified, Finished, Merged, Started
from orchestrator.finishing import MergedRun
from orchestrator.logbook import log_result
from orchestrator.specs import scopes_search
from orchestrator.stages import QueryState, classified, of_named, projects_there_are, reworded, unmet_limit, with_linked
from orchestrator.staleness import still_said

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from configs import HybridRetrievalConfig, ScopeMode
    from memory.clock import Clock
    from memory.entities import Scope
    from memory.query import TaskContext
    from orchestrator.analysis import ModelReader
    from orchestrator.events import Emit
    from orchestrator.finishing import Finisher
    from orchestrator.merging_step import Merging
    from orchestrator.result import HybridResult
    from orchestrator.running import MultiAgentOrchestrator, RunResult
    from orchestrator.specs import AgentSpec, Analyzer
    from orchestrator.stages import FindSpellings
    from wiring.catalogue import Catalogue

RESERVED = 0.1  # the share of a question's time that is kept for merging and answering


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """What each stage is done by.

    added: the agents beside the three; waits: whether a question waits for agents that are not needed.
    """

    config: HybridRetrievalConfig
    analyzer: Analyzer
    runner: MultiAgentOrchestrator
    merging: Merging
    finisher: Finisher
    clock: Clock
    mode: ScopeMode
    added: Sequence[AgentSpec]
    waits: Callable[[], bool]
    spellings: FindSpellings | None = None
    reader: ModelReader | None = None
    catalogue: Catalogue | None = None

    def begin(
        self, query: str, context: TaskContext, scope: Scope | None, emit: Emit | None, until: float
    ) -> QueryState:
        """A question as it is asked of the agents; `until` is when its answer is due, on the event loop's clock."""
        started, begun = self.clock.monotonic(), self.clock.now()
        reserved = RESERVED * (until - anyio.current_time())
        if emit is not None:
            emit(Started(context.request_id, query, begun))
        classify = partial(classified, self.analyzer, graph_scopes_vector=self.config.graph_scopes_vector)
        classification, notes = reworded(classify, query, context, self.spellings)
        context = replace(of_named(classification, context), question=classification.question)
        read = read_question(query)
        notes = (*notes, *unmet_limit(read, context), *projects_there_are(read, context))
        if emit is not None:
            emit(Classified(classification))
        memory = SharedWorkingMemory(context.request_id, self.merging.prepare)
        due = until - reserved
        return QueryState(query, context, classification, memory, scope, begun, started, until, due, notes)

    async def ask(
        self,
        asked: QueryState,
        only: Collection[str] | None = None,
        scope: Scope | None = None,
        emit: Emit | None = None,
        *,
        unplanned: bool = False,
    ) -> RunResult:
        """The agents' run, of what `HybridRetrievalOrchestrator.ask` takes."""
        context, classification = asked.context, asked.classification
        if context.stated_permission == frozenset():
            return self.runner.none_asked("nothing may be seen with this permission")
        if asked.is_idle:
            return self.runner.none_asked("there is nothing to search for in it")
        question = asked.question
        if self.reader is not None:
            question = await self.reader.read(question, asked.agents_until)
        mentions = tuple(dict.fromkeys((*context.mentions, *classification.entities, *question.added_names)))
        roles = {path.value: role for path, role in classification.roles.items()}
        roles |= {spec.id: spec.path_role for spec in self.added}
        if unplanned:
            roles |= dict.fromkeys(only or (), PathRole.MAY)
        return await self.runner.run(
            question.text,
            replace(context, mentions=mentions, question=question),
            memory=asked.memory,
            entities=mentions,
            roles=roles if only is None else {name: role for name, role in roles.items() if name in only},
            scope=asked.scope or scope,
            scoped=scopes_search(self.config, classification),
            until=asked.agents_until,
            wait_for_mays=self.waits(),
            falls_back=only is None,
            emit=emit,
        )

    async def merge(self, asked: QueryState, run: RunResult, emit: Emit | None = None) -> MergedRun:
        """What a question's agents have published, merged."""
        started = self.clock.monotonic()
        asked = replace(asked, until=asked.until + run.blocked)
        entries = still_said(asked.memory.snapshot(), self.catalogue)
        merged, late = await self.merging.merge(entries, asked.context.stated_permission, asked.until)
        merged, failed = await self.merging.reranked(asked.question.text, merged, asked.until)
        merge_ms = (self.clock.monotonic() - started) * 1000
        if emit is not None:
            emit(Merged(merged.observations))
        own, guessed = asked.scope is not None and asked.scope.names, run.scope is not None and run.scope.guessed
        steers = scopes_search(self.config, asked.classification) and not guessed
        return MergedRun(
            asked=asked,
            classification=with_linked(asked.classification, run.scope),
            run=run,
            merged=merged,
            merge_ms=merge_ms,
            mode=self.mode if steers else "none",
            strength="strict" if own else self.config.scope.strength,
            notes=tuple(filter(None, (late, failed))),
        )

    async def finish(self, findings: MergedRun, emit: Emit | None = None) -> HybridResult:
        """The answer to what was found, and the result."""
        result = await self.finisher.finish(findings, emit)
        log_result(result, log_content=self.config.log_content)
        if emit is not None:
            emit(Finished(result))
        return result
