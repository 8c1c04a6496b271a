"""The parts of the result's JSON that events carry too, and plain values out of what agents put into their metadata."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memory.text import output

if TYPE_CHECKING:
    from memory.entities import Scope
    from memory.observations import Location, NormalizedObservation
    from memory.query import QueryClassification
    from orchestrator.specs import AgentOutcome
    from synthesis import Citation

DIGITS = 6


def outcome_dict(a: AgentOutcome) -> dict[str, Any]:
    """One of `coverage.agents`."""
    return {**asdict(a), "role": a.role.value, "elapsed_ms": round(a.elapsed_ms, 3)}


def projects_of(scope: Scope) -> list[dict[str, Any]]:
    """The projects of a scope, best first."""
    return [{**asdict(one), "confidence": round(one.confidence, 6)} for one in scope.ranked]


def classification_dict(c: QueryClassification) -> dict[str, Any]:
    """The part `classification`."""
    return {
        "query_type": c.query_type.value,
        "query_types": [kind.value for kind in c.query_types],
        "entities": list(c.entities),
        "paths": [path.value for path in c.paths],
        "graph_scopes_vector": c.graph_scopes_vector,
        "reasons": list(c.reasons),
    }


def location_dict(at: Location | None) -> dict[str, Any] | None:
    """Lines of a file, None as it is."""
    if at is None:
        return None
    return {"project": at.project, "path": at.path, "start_line": at.start_line, "end_line": at.end_line}


def observation_dict(o: NormalizedObservation) -> dict[str, Any]:
    """One of `observations`; embeddings are left out."""
    return {
        "id": o.id,
        "rank": o.rank,
        "score": round(o.score, 6),
        "agent": o.agent,
        "source": o.source,
        "source_project": o.source_project,
        "observation_type": o.observation_type,
        "confidence": round(o.confidence, 6),
        "content": o.content,
        "locations": [location_dict(at) for at in o.locations],
        "entities_mentioned": list(o.entities_mentioned),
        "corroborated_by": list(o.corroborated_by),
        "duplicates": [
            {"source": d.source, "location": location_dict(d.location), "similarity": round(d.similarity, 6)}
            for d in o.duplicates
        ],
        "superseded_by": o.superseded_by,
        "metadata": json_ready(o.metadata),
    }


def citation_dict(c: Citation) -> dict[str, Any]:
    """One of `citations`."""
    return {
        "marker": c.marker,
        "observation_id": c.observation_id,
        "claim": c.claim,
        "quote": c.quote,
        "location": location_dict(c.location),
        "located": c.located,
        "supported": c.supported,
        "verified": c.verified,
        "reason": c.reason,
        "stale": c.stale,
    }


def json_ready(value: Any) -> Any:
    """The same in dicts, lists, texts, finite numbers rounded to six places, booleans and None;
    anything else as text.
    """
    return _rounded(output.json_ready(value))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(_rounded, value))
    return round(value, DIGITS) if isinstance(value, float) else value
