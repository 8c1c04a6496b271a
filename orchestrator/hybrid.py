"""`HybridRetrievalOrchestrator`: one question's way from the door to the result (001 §7.1, design §3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import anyio
import anyio.lowlevel

from configs import HybridRetrievalConfig
from memory.clock import SystemClock
from memory.entities import Scope
from memory.errors import InvalidInputError
from memory.query import QueryType, TaskContext
from memory.shared import SharedWorkingMemory
from orchestrator.analysis import QueryAnalyzer
from orchestrator.answering import Answering
from orchestrator.door import clean_query, only_in, settle_context
from orchestrator.events import Classified, Finished, Merged, Started
from orchestrator.finishing import Findings, Finisher
from orchestrator.logbook import log_result
from orchestrator.merging_step import Merging
from orchestrator.running import Limits, MultiAgentOrchestrator, OrchestrationMode, RunResult, Strays
from orchestrator.running.modes import resolve_mode
from orchestrator.stages import Asked, agent_spec, with_linked
from orchestrator.streaming import EventStream

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path
    from types import TracebackType

    from memory.clock import Clock
    from memory.files import FileText
    from memory.query import QueryClassification
    from orchestrator.abstention import FindUnknown
    from orchestrator.door import Catalogue
    from orchestrator.events import Emit
    from orchestrator.result import HybridResult

__all__ = ["HybridRetrievalOrchestrator"]

RESERVED = 0.1  # the share of a question's time that is kept for merging and answering


class HybridRetrievalOrchestrator:
    """Asks the three agents at the same time and makes one answer of what they find.

    Every part may be injected and takes its default otherwise; an agent that is None is skipped. catalogue: which projects
    there are (None: names are not checked); unknown: what of a question occurs nowhere, for abstention; files: the text that
    citations are held against, for one permission; graph_in_process: the graph answers within milliseconds, so `auto`
    waits for its scope; wait_for_mays: as `ask` and `evaluate` do, so that the same question gives the same answer;
    close: called when the `async with` ends. `stream` needs the `async with`.
    """

    def __init__(
        self,
        *,
        analyzer: Any = None,
        local: Any = None,
        graph: Any = None,
        vector: Any = None,
        merger: Any = None,
        synthesis: Any = None,
        config: HybridRetrievalConfig | None = None,
        clock: Clock | None = None,
        catalogue: Catalogue | None = None,
        unknown: FindUnknown | None = None,
        files: Callable[[frozenset[str]], FileText] | None = None,
        graph_in_process: bool = False,
        wait_for_mays: bool = False,
        close: Callable[[], Any] | None = None,
    ) -> None:
        self.config = config = config or HybridRetrievalConfig()
        self._clock = clock or SystemClock()
        self._analyzer = analyzer or QueryAnalyzer(unplanned=config.scope.unplanned)
        self.mode = resolve_mode(config, graph_in_process=graph_in_process)
        self._strays = Strays()
        self._runner = MultiAgentOrchestrator(
            OrchestrationMode.PARALLEL if config.parallel_execution else OrchestrationMode.SEQUENTIAL,
            [
                agent_spec("local", local, enabled=config.enable_local),
                agent_spec("graph", graph, enabled=config.enable_graph, gives_scope=True),
                agent_spec("vector", vector, enabled=config.enable_vector, takes_scope=True),
            ],
            limits=Limits.of(config),
            scope_mode=self.mode,
            min_scope_confidence=config.scope.min_confidence,
            fallback_order=config.fallback_order if config.fallback_on_timeout else (),
            clock=self._clock,
            strays=self._strays,
        )
        self._merging = Merging(merger, config)
        self._finisher = Finisher(
            Answering(synthesis, config.max_context_tokens, files, self._strays),
            ranking=config.ranking,
            unknown=unknown,
            catalogue=catalogue,
            clock=self._clock,
        )
        self._catalogue = catalogue
        self._files = files
        self._wait_for_mays = wait_for_mays
        self._close = close
        self._streams: anyio.abc.TaskGroup | None = None

    @classmethod
    def open(
        cls,
        data_dir: str | Path,
        profile: str = "embedded",
        config: HybridRetrievalConfig | None = None,
        **options: Any,
    ) -> AbstractAsyncContextManager[HybridRetrievalOrchestrator]:
        """The real stores, models and agents on a data folder, opened by `async with` and closed after it.

        config: settings instead of the profile's. Raises DataFolderError, StoreError and ModelError.
        """
        from orchestrator.opening import open_orchestrator  # noqa: PLC0415 - stores and models only where they are used

        return open_orchestrator(data_dir, profile=profile, config=config, **options)

    async def __aenter__(self) -> Self:
        self._streams = anyio.create_task_group()
        await self._streams.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        streams, self._streams = self._streams, None
        try:
            if streams is not None:
                streams.cancel_scope.cancel()
                await streams.__aexit__(None, None, None)
            await self._strays.close()
        finally:
            if self._close is not None:
                closed = self._close()
                if closed is not None:
                    with anyio.CancelScope(shield=True, deadline=anyio.current_time() + 5):
                        await closed

    @property
    def projects(self) -> frozenset[str]:
        """The indexed projects, as far as there is a catalogue of them."""
        return self._catalogue.projects() if self._catalogue is not None else frozenset()

    def lines_of(self, permission: frozenset[str]) -> FileText | None:
        """The lines that citations are held against."""
        return self._files(permission) if self._files is not None else None

    async def retrieve(self, query: str, context: Mapping[str, Any] | TaskContext | None = None) -> HybridResult:
        """The whole result, whatever the agents do (001 §7.1).

        Raises InvalidQueryError, InvalidInputError and UnknownProjectError: the caller's mistakes alone.
        """
        return await self._answer(*self._admit(query, context), None)

    async def retrieve_with_scope(
        self, query: str, scope: Scope, context: Mapping[str, Any] | TaskContext | None = None
    ) -> HybridResult:
        """`retrieve` inside the scope's projects alone: they narrow the permission, for every agent (design §8).

        A scope of files alone narrows nothing and steers the search. Beside a permission that was given, a name outside
        it is left out, whether or not it is indexed. Raises as `retrieve` does.
        """
        if not isinstance(scope, Scope):
            raise InvalidInputError(f"The scope is a value of type {type(scope).__name__}.", "Give a Scope.")
        context = TaskContext.from_mapping(context)
        text, settled, _ = self._admit(query, context)
        if scope.names:
            if context.stated_permission is None:
                settle_context({"allowed_projects": scope.names}, self._catalogue)
            names = frozenset(scope.names)
            given = settled.stated_permission
            settled = settled.allowing(names if given is None else given & names)
        permission = settled.stated_permission
        inside = scope if permission is None else scope.within(permission)
        return await self._answer(text, settled, inside, None)

    def stream(self, query: str, context: Mapping[str, Any] | TaskContext | None = None) -> EventStream:
        """What `retrieve` does as events while it happens, for `async for`; `Finished` carries the result.

        Raises as `retrieve` does, and InvalidInputError outside the orchestrator's `async with`.
        """
        if self._streams is None:
            raise InvalidInputError("stream() needs an open orchestrator.", "Use it inside `async with`.")
        return EventStream(self._streams, partial(self._answer, *self._admit(query, context)))

    def _admit(
        self, query: str, context: Mapping[str, Any] | TaskContext | None
    ) -> tuple[str, TaskContext, Scope | None]:
        """The question, its context, and the hard scope where the question itself says "only in X"."""
        text = clean_query(query, self.config.max_query_chars)
        settled = settle_context(context, self._catalogue)
        if not settled.request_id:
            settled = replace(settled, request_id=self._clock.new_id())
        only = only_in(text, settled.permission)
        return (text, settled.allowing(only), Scope(sorted(only))) if only else (text, settled, None)

    async def _answer(self, query: str, context: TaskContext, scope: Scope | None, emit: Emit | None) -> HybridResult:
        """The one code path of `retrieve` and `stream`."""
        asked = self._begin(query, context, scope, emit)
        if emit is not None:
            await anyio.lowlevel.checkpoint()  # whoever watches sees what is asked before the agents begin
        return await self.finish(await self.merge(asked, await self.ask(asked, emit=emit), emit), emit)

    def begin(self, query: str, context: Mapping[str, Any] | TaskContext | None = None) -> Asked:
        """The first stage alone, for who runs the agents on their own: then `ask` (each of them), `merge` and `finish`.

        Raises as `retrieve` does.
        """
        return self._begin(*self._admit(query, context), None)

    def _begin(self, query: str, context: TaskContext, scope: Scope | None, emit: Emit | None) -> Asked:
        started, begun = self._clock.monotonic(), self._clock.now()
        seconds = min(self.config.total_timeout_ms / 1000, context.deadline or math.inf)
        until = anyio.current_time() + seconds
        if emit is not None:
            emit(Started(context.request_id, query, begun))
        classification = self._classify(query, context)
        if emit is not None:
            emit(Classified(classification))
        memory = SharedWorkingMemory(context.request_id, self._merging.prepare)
        return Asked(query, context, classification, memory, scope, begun, started, until, until - RESERVED * seconds)

    async def merge(self, asked: Asked, run: RunResult, emit: Emit | None = None) -> Findings:
        """What a question's agents have published, merged."""
        started = self._clock.monotonic()
        merged = await self._merging.merge(asked.memory.snapshot(), asked.context.stated_permission)
        merge_ms = (self._clock.monotonic() - started) * 1000
        if emit is not None:
            emit(Merged(merged.observations))
        strict = asked.scope is not None and asked.scope.names
        return Findings(
            asked=asked,
            classification=with_linked(asked.classification, run.scope),
            run=run,
            merged=merged,
            merge_ms=merge_ms,
            mode=self.mode,
            strength="strict" if strict else self.config.scope.strength,
        )

    async def finish(self, findings: Findings, emit: Emit | None = None) -> HybridResult:
        """The answer to what was found, and the result."""
        result = await self._finisher.finish(findings, emit)
        log_result(result, log_content=self.config.log_content)
        if emit is not None:
            emit(Finished(result))
        return result

    def _classify(self, query: str, context: TaskContext) -> QueryClassification:
        classification: QueryClassification = self._analyzer.classify(query)
        local_only = classification.query_types == (QueryType.LOCAL_ONLY,)
        if local_only and context.project is None and self._catalogue is not None and context.permission:
            raise InvalidInputError(
                "The question is about the project in hand, and there is none.",
                "Name it (--project), or ask from inside its folder.",
            )
        if classification.graph_scopes_vector and not self.config.graph_scopes_vector:
            return replace(classification, graph_scopes_vector=False)
        return classification

    async def ask(
        self,
        asked: Asked,
        only: Collection[str] | None = None,
        scope: Scope | None = None,
        emit: Emit | None = None,
    ) -> RunResult:
        """The agents' run; with an empty permission nobody is asked.

        only: of the agents that the question asks for just these, and no other where they find nothing; scope: what another run found, for who takes one.
        """
        context, classification = asked.context, asked.classification
        if context.stated_permission == frozenset():
            return self._runner.nobody("nothing may be seen with this permission")
        mentions = tuple(dict.fromkeys((*context.mentions, *classification.entities)))
        roles = {path.value: role for path, role in classification.roles.items()}
        return await self._runner.run(
            asked.query,
            context if mentions == context.mentions else replace(context, mentions=mentions),
            memory=asked.memory,
            entities=mentions,
            roles=roles if only is None else {name: role for name, role in roles.items() if name in only},
            scope=asked.scope or scope,
            until=asked.agents_until,
            wait_for_mays=self._wait_for_mays,
            falls_back=only is None,
            emit=emit,
        )
