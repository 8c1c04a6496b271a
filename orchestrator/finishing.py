"""The last stretch of a question: verdict, answer, status and metrics become a `HybridResult`.

See docs/design.md#status.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from memory.entities import Scope
from memory.question import QueryType
from memory.vocabulary import UnknownWords
from orchestrator.abstention import (
    IDLE,
    Verdict,
    judge,
    lack_text,
    lacking_files,
    lacking_text,
    not_found_text,
    unlisted_text,
)
from orchestrator.answering import Answering, Assignment
from orchestrator.coverage import Coverage, HybridRetrievalMetrics
from orchestrator.events import AnswerDelta, CitationChecked, Emit
from orchestrator.result import HybridResult, ScopeReport
from orchestrator.running import NOT_WAITED_FOR
from orchestrator.staleness import dated
from synthesis import EXTRACTIVE, Answer
from synthesis.extractive.statements import NOT_SHOWN, lacking, led_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from configs import ScopeMode
    from configs.settings import RankingSettings
    from memory.clock import Clock
    from memory.query import QueryClassification, TaskContext
    from merging import MergeResult
    from orchestrator.abstention import FindUnknown
    from orchestrator.running import AgentOutcome, RunResult
    from orchestrator.stages import QueryState
    from wiring.catalogue import Catalogue


_OF_OTHERS: Final = frozenset({QueryType.CROSS_PROJECT, QueryType.PATTERN})
"""What is asked of all projects: that the one in hand lacks it says nothing."""
_REWRITTEN: Final = 4
"""How often an answer is written where files no longer say what it cites."""


@dataclass(frozen=True, slots=True)
class MergedRun:
    """What the run and the merger gave for one question. notes: what went wrong on the way, for the answer's notes."""

    asked: QueryState
    classification: QueryClassification
    run: RunResult
    merged: MergeResult
    merge_ms: float
    mode: ScopeMode
    strength: str
    notes: tuple[str, ...] = ()

    @property
    def cited_projects(self) -> list[str]:
        """The projects of the final observations."""
        places = {at.project for o in self.merged.observations for at in o.locations}
        return sorted(places | {o.source_project for o in self.merged.observations if o.source_project})

    @property
    def asked_of(self) -> str | None:
        """The project in hand, where it may be seen and the question is about no other."""
        question, context = self.asked.question, self.asked.context
        of_others = not _OF_OTHERS.isdisjoint(self.classification.query_types[:1])
        is_other = of_others or not set(question.projects) <= {context.project}
        return None if is_other or context.project not in context.permission else context.project

    @property
    def searched(self) -> tuple[str, ...]:
        """The projects a store call could return from; without a permission those that came back."""
        asked = {
            agent
            for agent, outcome in self.run.outcomes.items()
            if outcome.status != "skipped" or outcome.reason == NOT_WAITED_FOR
        }
        if not asked or self.asked.context.stated_permission is None:
            return tuple(self.cited_projects) if asked else ()
        if asked <= {"local"}:
            return (self.asked.context.project,) if self.asked.context.project else ()
        return tuple(sorted(self.asked.context.permission))


class Finisher:
    """Judges whether there is an answer, has it written, and puts the result together.

    ranking: under which confidence nothing is an answer; unknown and catalogue as `HybridRetrievalOrchestrator` takes
    them.
    """

    def __init__(
        self,
        answering: Answering,
        *,
        ranking: RankingSettings,
        unknown: FindUnknown | None,
        catalogue: Catalogue | None,
        clock: Clock,
    ) -> None:
        self._answering = answering
        self._ranking = ranking
        self._unknown = unknown
        self._catalogue = catalogue
        self._clock = clock

    async def finish(self, findings: MergedRun, emit: Emit | None) -> HybridResult:
        """The result, by the time it is due."""
        writing, until = self._clock.monotonic(), findings.asked.until
        coverage = Coverage.of(
            findings.run.outcomes.values(), findings.classification, embedded=self._embedded(findings.asked.context)
        )
        asked = findings.asked
        unknown = self._unknown(asked.question, asked.context.permission) if self._unknown else UnknownWords()
        verdict = judge(
            findings.merged.observations,
            unknown,
            floor=self._ranking.confidence_floor,
            most_unknown=self._ranking.most_unknown,
            question=asked.question,
        )
        missing = () if asked.is_idle else (*coverage.missing, *verdict.missing, *_unsettled(findings))
        pieces: list[str] = []
        tell = partial(_emit_piece, pieces, emit) if emit is not None else None
        answer, found = await self._answer(findings, coverage, verdict, missing, until, tell)
        if emit is not None:
            written = "".join(pieces).strip()
            if written and answer.text.startswith(f"{written}\n"):
                emit(AnswerDelta(answer.text[len(written) :]))  # what is missing
            elif written != answer.text:
                emit(AnswerDelta(answer.text, restart=bool(pieces)))
            for citation in answer.citations:
                emit(CitationChecked(citation))
        now = self._clock.monotonic()
        return HybridResult(
            request_id=findings.asked.context.request_id,
            started_at=findings.asked.begun,
            query=findings.asked.query,
            status=coverage.status(found=found),
            answer=replace(answer, notes=(*answer.notes, *findings.notes)),
            missing=tuple(dict.fromkeys((*missing, *answer.missing))),
            classification=findings.classification,
            coverage=coverage,
            scope=_scope_report(findings),
            observations=findings.merged.observations,
            conflicts=findings.merged.conflicts,
            metrics=self._metrics(findings, (now - findings.asked.started) * 1000, (now - writing) * 1000),
        )

    def _embedded(self, context: TaskContext) -> float:
        return self._catalogue.embedded_share(context.permission) if self._catalogue is not None else 1.0

    async def _answer(
        self,
        findings: MergedRun,
        coverage: Coverage,
        verdict: Verdict,
        missing: tuple[str, ...],
        until: float,
        tell: Callable[[str], None] | None,
    ) -> tuple[Answer, bool]:
        """The answer, and whether it is one: an extractive text that cites nothing says itself that it is not."""
        if findings.asked.is_idle:
            return Answer(IDLE), False
        question, merged = findings.asked.question, findings.merged
        read, folders = findings.asked.notes, getattr(self._catalogue, "folders", {})
        fileless = lacking_files(question, findings.asked_of, folders, findings.asked.context.permission)
        missing = (*missing, *fileless)
        assignment = Assignment(
            question,
            merged,
            findings.classification,
            missing,
            findings.asked.context.permission,
            verdict.unknown.weights or None,
        )
        if not verdict.found:
            nearest = await self._answering.nearest(assignment, until)
            lack = lack_text(verdict, merged.observations, question)
            told = () if coverage.all_failed else verdict.missing or (lack,)
            text = not_found_text(coverage, lack, nearest)
            answer = led_by(lacking(Answer(text), (one for one in missing if one not in told)), read)
            return replace(answer, missing=tuple(dict.fromkeys((*missing, *told)))), False
        lacks = tuple(filter(None, (_unlisted(findings), self._lacking(findings, verdict.unknown))))
        absent = (*read, *fileless, *verdict.missing, *lacks)
        assignment = replace(assignment, missing=(*missing, *lacks))
        answer = await self._written(assignment, until, tell)
        answer = lacking(answer, _elsewhere(answer, findings))
        if answer.answerer != EXTRACTIVE:
            return replace(answer, notes=(*answer.notes, *read)), True
        unseen = [one for one in answer.missing if one.startswith(NOT_SHOWN)]
        return led_by(answer, (*absent, *unseen)), bool(answer.citations)

    def _lacking(self, findings: MergedRun, unknown: UnknownWords) -> str:
        """What the project in hand lacks of a question that is about no other."""
        question, project = findings.asked.question, findings.asked_of
        if self._unknown is None or project is None:
            return ""
        return lacking_text(question, unknown, self._unknown(question, frozenset({project})), project)

    async def _written(self, assignment: Assignment, until: float, tell: Callable[[str], None] | None) -> Answer:
        """The answer, written anew without what its files no longer say: that is no evidence."""
        gone: dict[str, str] = {}
        for left in reversed(range(_REWRITTEN)):
            answer, lost = dated(await self._answering.write(assignment, until, tell), self._catalogue)
            gone |= lost
            if not lost or not left:
                break
            merged = assignment.merged
            kept = tuple(one for one in merged.observations if one.id not in gone)
            assignment = replace(assignment, merged=replace(merged, observations=kept))
        changed = tuple(
            f"{file} as it is now: it has changed since it was indexed" for file in sorted(set(gone.values()))
        )
        return lacking(answer, changed)

    def _metrics(self, findings: MergedRun, total_ms: float, synthesis_ms: float) -> HybridRetrievalMetrics:
        def ended(agent: str) -> tuple[float, int]:
            outcome: AgentOutcome | None = findings.run.outcomes.get(agent)
            return (outcome.elapsed_ms, outcome.observations) if outcome else (0.0, 0)

        (local_ms, local), (graph_ms, graph), (vector_ms, vector) = map(ended, ("local", "graph", "vector"))
        counts = findings.merged.counts
        return HybridRetrievalMetrics(
            total_time_ms=total_ms,
            local_time_ms=local_ms,
            graph_time_ms=graph_ms,
            vector_time_ms=vector_ms,
            merge_time_ms=findings.merge_ms,
            synthesis_time_ms=synthesis_ms,
            local_observations=local,
            graph_observations=graph,
            vector_observations=vector,
            after_dedup=counts.after_dedup,
            source_agreement=counts.source_agreement,
            conflicts_detected=counts.conflicts_detected,
            conflicts_resolved=counts.conflicts_resolved,
            query_types_matched=findings.classification.query_types,
            entities_found=findings.classification.entities,
            projects_searched=findings.searched,
            commit=self._catalogue.commits(findings.cited_projects) if self._catalogue is not None else {},
            trace=findings.merged.trace,
        )


def _unsettled(findings: MergedRun) -> tuple[str, ...]:
    """What a question leaves open: the code that it is to be compared with,
    or the project that it sounds to be about.
    """
    if findings.classification.query_types == (QueryType.SIMILARITY,) and findings.asked.question.lacks_sample:
        return ("what it is to be similar to: nothing was pasted; put the code under the question",)
    alone = findings.classification.query_types == (QueryType.LOCAL_ONLY,)
    if not alone or findings.asked.context.project is not None:
        return ()
    return ("what the project in hand says: none is named (--project), so all were asked",)


def _elsewhere(answer: Answer, findings: MergedRun) -> tuple[str, ...]:
    """That an answer shows nothing of the project in hand, where that is indexed: another may do what it does not.

    What is cited without lines, such as an entity, is of its observation's project.
    """
    context = findings.asked.context
    of = {one.id: one.source_project for one in findings.merged.observations}
    shown = {one.location.project if one.location else of.get(one.observation_id) for one in answer.citations} - {None}
    if not shown or context.project in shown or context.project not in context.permission:
        return ()
    return (f"anything of {context.project}, the project in hand",)


def _unlisted(findings: MergedRun) -> str:
    """What the graph, which was asked, lacks of a list that is asked for."""
    graph, asked = findings.run.outcomes.get("graph"), findings.asked
    looked = graph is not None and graph.status == "ok"
    return unlisted_text(asked.question, asked.context, findings.merged.observations) if looked else ""


def _emit_piece(pieces: list[str], emit: Emit, piece: str) -> None:
    pieces.append(piece)
    emit(AnswerDelta(piece))


def _scope_report(findings: MergedRun) -> ScopeReport:
    """A project outside a scope that steered the search, and whose hit is in the result, widened it."""
    scope = findings.run.scope or Scope()
    steered = scope.names and findings.mode in {"parallel_research", "sequential"}
    outside = tuple(p for p in findings.cited_projects if p not in scope.names) if steered else ()
    return ScopeReport(findings.mode, findings.strength, scope, outside)
