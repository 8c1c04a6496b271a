"""`HybridResult`: everything a question gave, its JSON (docs/design.md#output), and how a notebook shows it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Final

from memory.project_folder import changed_text
from orchestrator.json_parts import citation_dict, classification_dict, json_ready, observation_dict, projects_of
from orchestrator.schema import RESULT_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from configs import ScopeMode
    from memory.entities import Scope
    from memory.observations import NormalizedObservation
    from memory.query import QueryClassification
    from merging import Conflict
    from orchestrator.coverage import Coverage, HybridRetrievalMetrics, Status
    from synthesis import Answer, Citation


_STATES: Final = {True: "verified", False: "not verified"}
_STALE: Final = " (the file has changed since it was indexed)"
_CELL: Final = '<td style="text-align:left">'

EXIT_ANSWERED, EXIT_UNAVAILABLE, EXIT_NOT_FOUND = 0, 3, 4


def result_html(query: str, status: str, answer: Answer, missing: Sequence[str], changed: Mapping[str, int]) -> str:
    """HTML of one result, without scripts; whatever comes from a file is escaped.

    Args:
        query: The question.
        status: How it ended: answered, partial or not_found.
        answer: The text with its citations.
        missing: What was not reached, a sentence each.
        changed: How many files have changed since they were indexed, by project.
    """
    parts = [
        f"<p><b>{escape(query)}</b> ({escape(status)})</p>",
        f'<pre style="white-space:pre-wrap">{escape(answer.text)}</pre>',
    ]
    if missing:
        lines = "".join(f"<li>{escape(line)}</li>" for line in missing)
        parts.append(f"<p>Not reached:</p><ul>{lines}</ul>")
    if changed:
        parts.append(f"<p>{escape(changed_text(changed))}</p>")
    if answer.citations:
        rows = "".join(map(_row, answer.citations))
        parts.append(f"<details><summary>{len(answer.citations)} citations</summary><table>{rows}</table></details>")
    return f"<div>{''.join(parts)}</div>"


def _row(citation: Citation) -> str:
    state = _STATES[citation.verified] + ("" if citation.verified or not citation.reason else f": {citation.reason}")
    state += _STALE if citation.stale else ""
    cells = (citation.marker, citation.quote, state)
    return "<tr>" + "".join(f"{_CELL}{escape(cell)}</td>" for cell in cells) + "</tr>"


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
            "projects": projects_of(self.scope),
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
        """What a command ends with: 0 answered, 3 no one who was planned could be asked, 4 nothing found."""
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
        return result_html(self.query, self.status, self.answer, self.missing, self.metrics.changed)

    @staticmethod
    def model_json_schema() -> dict[str, Any]:
        """The JSON Schema (draft 2020-12) of `to_dict()`."""
        return RESULT_SCHEMA
