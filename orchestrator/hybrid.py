"""`HybridRetrievalOrchestrator`: the door. Who asks, of which generation of the index, and how many at once.

See 001 §7.1, docs/design.md#one-question.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack

import anyio
import anyio.lowlevel

from configs import AGENTS, HybridRetrievalConfig, load_config
from memory.clock import SystemClock
from memory.entities import Scope
from memory.errors import ConfigError, InvalidInputError
from memory.query import TaskContext
from memory.question import clean_query
from memory.together import Places
from orchestrator.analysis import QueryAnalyzer
from orchestrator.answering import Answering
from orchestrator.current import Newer
from orchestrator.events import Emit, EventStream
from orchestrator.finishing import Finisher, MergedRun
from orchestrator.options import PROVIDED, Options, checked_options
from orchestrator.pipeline import Merging, Pipeline
from orchestrator.running import Limits, MultiAgentOrchestrator, OrchestrationMode, RunResult, Strays
from orchestrator.running.checking import given_scope
from orchestrator.specs import (
    AGENT,
    ANALYZER,
    ANSWERER,
    MERGER,
    RERANKER,
    agent_spec,
    agent_specs,
    checked_part,
    resolve_mode,
)
from orchestrator.stages import QueryState, limited, narrowed, settle_context

if TYPE_CHECKING:
    from types import TracebackType

    from agents.ports import GraphAgent, ScopedAgent
    from memory.clock import Clock
    from memory.files import FileText
    from memory.rerankers import Reranker
    from orchestrator.abstention import FindUnknown
    from orchestrator.analysis import ModelReader
    from orchestrator.result import HybridResult
    from orchestrator.specs import Agent, AgentSpec, Analyzer, Answerer, Merger
    from orchestrator.stages import FindSpellings
    from synthesis import SynthesisAgent
    from wiring.catalogue import Catalogue
    from wiring.opening import Parts, Provided

    Given = Mapping[str, Any] | TaskContext | None

WAITING = 0.5  # the share of it in which a question may wait for others
RUNNING = 4  # questions at once whose searches share this process's processor


class HybridRetrievalOrchestrator:
    """Asks the three agents at the same time and makes one answer of what they find.

    `stream` needs the `async with`.

    Args:
        analyzer: What kind of question it is. Like every part it takes its default where none is given.
        local, graph, vector: The three agents; one that is None is skipped.
        agents: More of them, by the name that results give them; as an AgentSpec with a role, a weight and a time.
        merger: What makes one ranked list.
        synthesis: Who writes the answer.
        reranker: What has the last word on the order; None leaves it as it was merged.
        config: The settings.
        catalogue: Which projects there are; None: names are not checked.
        unknown: What of a question occurs nowhere, for abstention.
        spellings: Which words of a question are misspelt, and what they are taken for.
        files: The text that citations are held against, for one permission.
        reader: A language model that reads the question too.
        graph_in_process: The graph answers within milliseconds, so `auto` waits for its scope; and searches share this
            process's processor, so that only so many questions are searched for at once.
        wait_for_mays: As `ask` and `evaluate` do, so that the same question gives the same answer. Questions that are
            answered beside others always do: there an agent's lateness says nothing of it.
        close: Called when the `async with` ends.

    `strays` holds the calls that did not stop in time, until the `async with` ends.

    Raises:
        InvalidInputError: A part lacks the method that it is asked by.
    """

    def __init__(
        self,
        *,
        analyzer: Analyzer | None = None,
        local: Agent | None = None,
        graph: Agent | GraphAgent | None = None,
        vector: Agent | ScopedAgent | None = None,
        agents: Mapping[str, Agent | AgentSpec] | None = None,
        merger: Merger | None = None,
        synthesis: Answerer | SynthesisAgent | None = None,
        reranker: Reranker | None = None,
        config: HybridRetrievalConfig | None = None,
        clock: Clock | None = None,
        catalogue: Catalogue | None = None,
        unknown: FindUnknown | None = None,
        spellings: FindSpellings | None = None,
        files: Callable[[frozenset[str]], FileText] | None = None,
        reader: ModelReader | None = None,
        graph_in_process: bool = False,
        wait_for_mays: bool = False,
        close: Callable[[], Any] | None = None,
    ) -> None:
        self.config = config = config or HybridRetrievalConfig()
        self._clock = clock or SystemClock()
        reads = checked_part("analyzer", analyzer, ANALYZER) or QueryAnalyzer(unplanned=config.scope.unplanned)
        self._added = agent_specs(agents)
        self.mode = resolve_mode(config, graph_in_process=graph_in_process)
        self.strays = Strays()
        self._places = Places(config.max_running or (RUNNING if graph_in_process else math.inf), config.max_waiting)
        runner = MultiAgentOrchestrator(
            OrchestrationMode.PARALLEL if config.parallel_execution else OrchestrationMode.SEQUENTIAL,
            [
                agent_spec("local", checked_part("local", local, AGENT), enabled=config.enable_local),
                agent_spec("graph", checked_part("graph", graph, AGENT), enabled=config.enable_graph, gives_scope=True),
                agent_spec(
                    "vector", checked_part("vector", vector, AGENT), enabled=config.enable_vector, takes_scope=True
                ),
                *self._added,
            ],
            limits=Limits.of(config),
            scope_mode=self.mode,
            min_scope_confidence=config.scope.min_confidence,
            fallback_order=config.fallback_order if config.fallback_on_timeout else (),
            clock=self._clock,
            strays=self.strays,
        )
        merging = Merging(
            checked_part("merger", merger, MERGER),
            config,
            weights={spec.id: spec.weight for spec in self._added if spec.weight != 1.0},
            reranker=checked_part("reranker", reranker, RERANKER),
            strays=self.strays,
        )
        finisher = Finisher(
            Answering(checked_part("synthesis", synthesis, ANSWERER), config.max_context_tokens, files, self.strays),
            ranking=config.ranking,
            unknown=unknown,
            catalogue=catalogue,
            clock=self._clock,
        )
        self._pipeline = Pipeline(
            config=config,
            analyzer=reads,
            runner=runner,
            merging=merging,
            finisher=finisher,
            clock=self._clock,
            mode=self.mode,
            added=self._added,
            waits=lambda: wait_for_mays or self._places.is_shared,
            spellings=spellings,
            reader=reader,
            catalogue=catalogue,
        )
        self.catalogue = catalogue
        self._files = files
        self._close = close
        self._closed = False
        self._streams: anyio.abc.TaskGroup | None = None
        self._newer: Newer[HybridRetrievalOrchestrator] | None = None

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        data_dir: str | Path,
        profile: str = "embedded",
        config: HybridRetrievalConfig | None = None,
        **given: Unpack[Options],
    ) -> AsyncIterator[Self]:
        """The real stores, models and agents on a data folder, opened by `async with` and closed after it.

        Each question is answered from the generation of the index that is current when it is asked. What is asked stage
        by stage (`begin`), and `lines_of`, keep to the one that was current at opening.

        Args:
            data_dir: The folder that `index` wrote.
            profile: A shipped profile.
            config: Settings instead of the profile's.
            given: Parts in place of the index's and the settings' own, as `Options` names them.

        Raises:
            DataFolderError, StoreError, ModelError, ConfigError: The index, a store, a model or a setting.
            InvalidInputError: A part lacks what it is asked by.
        """
        from memory.generation import DataFolder  # noqa: PLC0415 - stores and models only where they are used
        from wiring.models import Models, models_at_hand  # noqa: PLC0415 - as above
        from wiring.opening import Provided  # noqa: PLC0415 - as above

        config = config or load_config(profile, error=ConfigError)
        options = checked_options(given)
        one_question = options.pop("one_question", False)
        provided = Provided(*(options.pop(part, None) for part in PROVIDED))
        folder = DataFolder.open(Path(data_dir))
        opened = partial(cls._on, folder.root, config, options)
        if one_question:
            async with opened(provided, one_question=True) as orchestrator:
                yield orchestrator
            return
        models = provided.embedder or models_at_hand(config.vector, config.hosted)
        pointer = folder.pointer  # before it is opened: a later one may be published meanwhile
        async with opened(replace(provided, embedder=models)) as orchestrator:
            assert orchestrator._streams is not None  # noqa: SLF001 - of this class
            lent = models.lent() if isinstance(models, Models) else models
            later = partial(opened, replace(provided, embedder=lent))
            newer = orchestrator._newer = Newer(pointer, folder, later, orchestrator._streams)  # noqa: SLF001 - as above
            try:
                yield orchestrator
            finally:
                orchestrator._newer = None  # noqa: SLF001 - as above
                await newer.close()

    @classmethod
    @asynccontextmanager
    async def _on(
        cls,
        data_dir: Path,
        config: HybridRetrievalConfig,
        options: Mapping[str, Any],
        provided: Provided,
        *,
        one_question: bool = False,
    ) -> AsyncIterator[Self]:
        """On the current generation alone."""
        from wiring.opening import open_parts  # noqa: PLC0415 - stores and models only where they are used

        opened = open_parts(data_dir, config, provided, one_question=one_question)
        async with opened as parts, cls.of(parts, config, **options) as orchestrator:
            yield orchestrator

    @classmethod
    def of(cls, parts: Parts, config: HybridRetrievalConfig, **options: Any) -> Self:
        """The orchestrator on open parts, which stay the caller's. options: those of `assemble`."""
        from orchestrator.assembly import assemble  # noqa: PLC0415 - the agents only where they are used

        return cls(**assemble(parts, config, **options))

    async def __aenter__(self) -> Self:
        self._streams = anyio.create_task_group()
        await self._streams.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        streams, self._streams, self._closed = self._streams, None, True
        try:
            if streams is not None:
                streams.cancel_scope.cancel()
                await streams.__aexit__(None, None, None)
            await self.strays.close()
        finally:
            if self._close is not None:
                closed = self._close()
                if closed is not None:
                    with anyio.CancelScope(shield=True, deadline=anyio.current_time() + 5):
                        await closed

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents that a question may be asked of."""
        return (*AGENTS, *(spec.id for spec in self._added))

    @property
    def projects(self) -> frozenset[str]:
        """The indexed projects, as far as there is a catalogue of them."""
        if later := self._later:
            return later.projects
        return self.catalogue.projects() if self.catalogue is not None else frozenset()

    def lines_of(self, permission: frozenset[str]) -> FileText | None:
        """The lines that citations are held against."""
        return self._files(permission) if self._files is not None else None

    async def retrieve(self, query: str, context: Given = None) -> HybridResult:
        """The whole result, whatever the agents do (001 §7.1).

        Raises InvalidQueryError, InvalidInputError (also where it is closed) and UnknownProjectError, which are the
        caller's mistakes, and BusyError where too many are asked at once; DataFolderError, StoreError and ModelError
        where a newer generation of the index can't be opened.
        """
        if later := self._later:
            async with later.use() as one:
                return await one.retrieve(query, context)
        return await self._answer(*self._admit(query, context), None)

    async def retrieve_with_scope(self, query: str, scope: Scope, context: Given = None) -> HybridResult:
        """`retrieve` inside the scope's projects alone: they narrow the permission, for every agent.

        See docs/design.md#scope.

        A scope of files alone narrows nothing and steers the search. Beside a permission that was given, a name outside
        it is left out, whether or not it is indexed. Raises as `retrieve` does.
        """
        if later := self._later:
            async with later.use() as one:
                return await one.retrieve_with_scope(query, scope, context)
        scope = given_scope(scope)
        context = TaskContext.from_mapping(context)
        text, settled, _ = self._admit(query, context)
        if scope.names and context.stated_permission is None:
            settle_context({"allowed_projects": scope.names}, self.catalogue)
        settled, inside = narrowed(settled, scope)
        return await self._answer(text, settled, inside, None)

    def stream(self, query: str, context: Given = None) -> EventStream:
        """What `retrieve` does as events while it happens, for `async for`; `Finished` carries the result.

        Raises as `retrieve` does, and InvalidInputError outside the orchestrator's `async with`.
        """
        if self._streams is None:
            raise InvalidInputError("stream() needs an open orchestrator.", "Use it inside `async with`.")
        if later := self._later:
            return EventStream(self._streams, partial(self._newer_stream, later, query, context))
        return EventStream(self._streams, partial(self._answer, *self._admit(query, context)))

    @property
    def _later(self) -> Newer[HybridRetrievalOrchestrator] | None:
        """What answers from a later generation of the index, where there is one."""
        return self._newer if self._newer is not None and self._newer.is_there else None

    async def _newer_stream(
        self, newer: Newer[HybridRetrievalOrchestrator], query: str, context: Given, emit: Emit
    ) -> None:
        async with newer.use() as one, one.stream(query, context) as events:
            async for event in events:
                emit(event)

    def _admit(self, query: str, context: Given) -> tuple[str, TaskContext, Scope | None]:
        """The question, its context, and the hard scope where the question itself says "only in X"."""
        if self._closed:
            raise InvalidInputError("This orchestrator is closed.", "Open another.")
        text = clean_query(query, self.config.max_query_chars)
        settled = settle_context(context, self.catalogue)
        if not settled.request_id:
            settled = replace(settled, request_id=self._clock.new_id())
        return text, *limited(text, settled)

    async def _answer(self, query: str, context: TaskContext, scope: Scope | None, emit: Emit | None) -> HybridResult:
        """The one code path of `retrieve` and `stream`."""
        until, started = self._until(context), self._clock.monotonic()
        async with self._places.place(WAITING * (until - anyio.current_time())):
            asked = replace(self._pipeline.begin(query, context, scope, emit, until), started=started)
            if emit is not None:
                await anyio.lowlevel.checkpoint()  # whoever watches sees what is asked before the agents begin
            merged = await self.merge(asked, await self.ask(asked, emit=emit), emit)
        result = await self.finish(merged, emit)
        if self._closed and result.status == "not_found":  # the stores were closed under the agents
            raise InvalidInputError("This orchestrator was closed while it was asked.", "Close it when it is done.")
        return result

    def begin(self, query: str, context: Given = None) -> QueryState:
        """The first stage alone; then come `ask` (of each agent), `merge` and `finish`. Raises as `retrieve` does."""
        text, settled, scope = self._admit(query, context)
        return self._pipeline.begin(text, settled, scope, None, self._until(settled))

    async def ask(
        self,
        asked: QueryState,
        only: Collection[str] | None = None,
        scope: Scope | None = None,
        emit: Emit | None = None,
        *,
        unplanned: bool = False,
    ) -> RunResult:
        """The agents' run; with an empty permission no one is asked.

        only: of the agents that the question asks for just these, and no other where they find nothing; unplanned:
        these though the question does not ask for them; scope: what another run found, for who takes one.
        """
        return await self._pipeline.ask(asked, only, scope, emit, unplanned=unplanned)

    async def merge(self, asked: QueryState, run: RunResult, emit: Emit | None = None) -> MergedRun:
        """What a question's agents have published, merged."""
        return await self._pipeline.merge(asked, run, emit)

    async def finish(self, findings: MergedRun, emit: Emit | None = None) -> HybridResult:
        """The answer to what was found, and the result."""
        return await self._pipeline.finish(findings, emit)

    def _until(self, context: TaskContext) -> float:
        """When the answer to a question that is asked now is due, on the event loop's clock."""
        return anyio.current_time() + min(self.config.total_timeout_ms / 1000, context.deadline or math.inf)
