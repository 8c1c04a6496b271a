"""`HybridResult`: everything a question gave, and its JSON (docs/design.md#output)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from orchestrator.json_parts import citation_dict, classification_dict, json_ready, observation_dict
from orchestrator.schema import RESULT_SCHEMA

if TYPE_CHECKING:
    from datetime import datetime

    from memory.entities import Scope
    from memory.observations import NormalizedObservation
    from memory.query import QueryClassification
    from merging import Conflict
    from orchestrator.coverage import Coverage, Status
    from orchestrator.metrics import HybridRetrievalMetrics
    from orchestrator.specs import ScopeMode
    from synthesis import Answer, Citation

__all__ = ["HybridResult", "ScopeReport"]

EXIT_ANSWERED, EXIT_UNAVAILABLE, EXIT_NOT_FOUND = 0, 3, 4


@dataclass(frozen=True, slots=True)
class ScopeReport:
    """The scope that was found or given, how it was used, and which projects came up outside it."""

    mode: ScopeMode
    strength: str
    scope: Scope
    widened_by: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The part `scope` of the JSON."""
        return {
            "mode": self.mode,
            "strength": self.strength,
            "projects": [
                {"project": p.project, "confidence": round(p.confidence, 6), "because": p.because}
                for p in self.scope.ranked
            ],
            "widened": bool(self.widened_by),
            "widened_by": list(self.widened_by),
        }


@dataclass(frozen=True, slots=True)
class HybridResult:
    """One question's result. `missing` is what the answer lacks, in sentences."""

    request_id: str
    started_at: datetime
    query: str
    status: Status
    answer: Answer
    missing: tuple[str, ...]
    classification: QueryClassification
    coverage: Coverage
    scope: ScopeReport
    observations: tuple[NormalizedObservation, ...]
    conflicts: tuple[Conflict, ...]
    metrics: HybridRetrievalMetrics

    schema_version: ClassVar[str] = "1"

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Those of the answer, checked."""
        return self.answer.citations

    @property
    def exit_code(self) -> int:
        """What a command ends with: 0 answered, 3 nobody who was planned could be asked, 4 nothing found."""
        if self.status != "not_found":
            return EXIT_ANSWERED
        return EXIT_UNAVAILABLE if self.coverage.all_failed else EXIT_NOT_FOUND

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `ask --json` (docs/design.md#output), of plain values alone."""
        return {
            "schema_version": self.schema_version,
            "request_id": self.request_id,
            "started_at": self.started_at.isoformat(),
            "query": self.query,
            "status": self.status,
            "answer": {
                "text": self.answer.text,
                "answerer": self.answer.answerer,
                "missing": list(self.missing),
                "notes": list(self.answer.notes),
                "tokens": self.answer.tokens,
            },
            "classification": classification_dict(self.classification),
            "coverage": self.coverage.to_dict(),
            "scope": self.scope.to_dict(),
            "observations": [observation_dict(o) for o in self.observations],
            "citations": [citation_dict(c) for c in self.citations],
            "conflicts": [json_ready(c.to_dict()) for c in self.conflicts],
            "metrics": json_ready(self.metrics.to_dict()),
        }

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from orchestrator.notebook import result_html  # noqa: PLC0415 - only notebooks ask

        return result_html(self.query, self.status, self.answer, self.missing)

    @staticmethod
    def model_json_schema() -> dict[str, Any]:
        """The JSON Schema (draft 2020-12) of `to_dict()`."""
        return RESULT_SCHEMA
