"""`Pipeline`: the stages of one question, one after the other: it is read, asked of the agents, merged and answered.

See docs/design.md#one-question. The merger in hand is behind one call: ours takes the shared memory's entries, another
one 001 §7.1's `merge`. Where there is a reranker it has the last word on the order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory.query import PathRole
from memory.question import read_question
from memory.rerankers import reorder
from memory.shared import SharedWorkingMemory
from merging import MergeCounts, MergeResult, ResultMerger, within_permission
from orchestrator.analysis import SafeAnalyzer
from orchestrator.events import Classified, Finished, Merged, Started
from orchestrator.finishing import MergedRun
from orchestrator.logbook import log_result
from orchestrator.running.deadlines import Leash, Strays
from orchestrator.specs import scopes_search
from orchestrator.stages import QueryState, classified, of_named, projects_there_are, reworded, unmet_limit, with_linked
from orchestrator.staleness import still_said

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from configs import HybridRetrievalConfig, ScopeMode
    from memory.clock import Clock
    from memory.entities import Scope
    from memory.observations import NormalizedObservation
    from memory.query import TaskContext
    from memory.rerankers import Reranker
    from memory.shared import MemoryEntry
    from orchestrator.analysis import ModelReader
    from orchestrator.events import Emit
    from orchestrator.finishing import Finisher
    from orchestrator.result import HybridResult
    from orchestrator.running import MultiAgentOrchestrator, RunResult
    from orchestrator.specs import AgentSpec, Analyzer, Merger
    from orchestrator.stages import FindSpellings
    from wiring.catalogue import Catalogue

_LEFT_FOR_THE_ANSWER: Final = 0.5
"""The share of the time that is left after the agents which no reranker gets."""


class Merging:
    """Merges a question's entries with the injected merger, or with ours in the config's settings.

    weights: of agents, before those of the settings; reranker: None leaves the order as it was merged.
    """

    def __init__(
        self,
        merger: Merger | None,
        config: HybridRetrievalConfig,
        *,
        weights: Mapping[str, float] | None = None,
        reranker: Reranker | None = None,
        strays: Strays | None = None,
    ) -> None:
        self._reranker = reranker
        self._most = config.max_total_observations
        self._strays = Strays() if strays is None else strays
        self._most_read = config.evidence.rerank_candidates
        self._rerank_timeout = config.evidence.rerank_timeout_ms / 1000
        ranking = replace(config.ranking, agent_weights={**config.ranking.agent_weights, **(weights or {})})
        self._own = ResultMerger(
            ranking,
            similarity_threshold=config.similarity_threshold,
            max_per_agent=config.max_observations_per_agent,
            max_total=config.max_total_observations,
            max_per_file=config.max_per_file,
            conflict_strategy=config.conflict_strategy,
        )
        self._merger: Any = merger or self._own

    @property
    def prepare(self) -> Callable[[MemoryEntry], NormalizedObservation] | None:
        """What the merger does with an entry alone, for the shared memory to have done as it comes; None: nothing."""
        return getattr(self._merger, "prepare", None) if hasattr(self._merger, "merge_entries") else None

    async def merge(
        self, entries: Sequence[MemoryEntry], permission: frozenset[str] | None, until: float
    ) -> tuple[MergeResult, str]:
        """The ranked observations, and a note where the merger in hand failed or was late: then ours has merged them.

        Args:
            entries: What the agents have published.
            permission: The projects that may be seen; None: nothing is checked.
            until: The event loop's time at which the whole answer is due.
        """
        if self._merger is self._own:
            return self._own.merge_entries(entries, permission), ""
        now = anyio.current_time()
        left = (until - now) * (1 - _LEFT_FOR_THE_ANSWER)
        leash = Leash("merger", self._strays)
        done = await leash.attempt(partial(self._injected, entries, permission), now + max(left, 0.0))
        if done.status == "ok":
            merged: MergeResult = done.value
            return merged, ""
        note = f"the merger gave nothing ({done.reason}): merged by the product's own"
        return self._own.merge_entries(entries, permission), note

    async def _injected(self, entries: Sequence[MemoryEntry], permission: frozenset[str] | None) -> MergeResult:
        if hasattr(self._merger, "merge_entries"):
            merged: MergeResult = self._merger.merge_entries(entries, permission)
            return replace(merged, observations=self._shown(merged.observations, permission))
        given = [e.observation for e in entries if e.observation is not None]
        observations = self._shown(await self._merger.merge(given), permission)
        return MergeResult(observations, counts=MergeCounts.of(observations))

    def _shown(
        self, observations: Iterable[NormalizedObservation], permission: frozenset[str] | None
    ) -> tuple[NormalizedObservation, ...]:
        """What another merger gives, within the permission, and as many as ours would."""
        within = (one if permission is None else within_permission(one, permission) for one in observations)
        return tuple(islice((one for one in within if one is not None), self._most))

    async def reranked(self, query: str, merged: MergeResult, until: float) -> tuple[MergeResult, str]:
        """What was merged in the reranker's order, and a note about one that failed.

        Args:
            query: The question.
            merged: The ranked observations. Their scores stay, as the scale that answers are judged by.
            until: The event loop's time at which the whole answer is due.
        """
        if self._reranker is None or not merged.observations:
            return merged, ""
        read, rest = merged.observations[: self._most_read], merged.observations[self._most_read :]
        seconds = min(self._rerank_timeout, (until - anyio.current_time()) * (1 - _LEFT_FOR_THE_ANSWER))
        leash = Leash("reranker", self._strays)
        done = await reorder(query, list(map(_read_as, read)), self._reranker, max(seconds, 0.0), leash.attempt)
        if done.failed:
            return merged, done.note
        ordered = (*(read[number] for number in done.order), *rest)
        ranked = tuple(replace(one, rank=rank) for rank, one in enumerate(ordered, start=1))
        return replace(merged, observations=ranked), ""


def _read_as(observation: NormalizedObservation) -> str:
    """What a reranker reads: where it is, then the text."""
    at = next(iter(observation.locations), None)
    return f"{at.project}/{at.path}\n{observation.content}" if at else observation.content


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
        analyzer = SafeAnalyzer(self.analyzer)
        classify = partial(classified, analyzer, graph_scopes_vector=self.config.graph_scopes_vector)
        classification, notes = reworded(classify, query, context, self.spellings)
        notes = (*notes, *filter(None, (analyzer.note,)))
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
