"""The JSON Schema of `HybridResult.to_dict()` (docs/design.md#output); a test holds real results against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from configs import AGENTS, ScopeMode, ScopeStrength
from memory.question import QueryType
from merging.conflicts import ConflictType
from orchestrator.specs import OutcomeStatus

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
TEXTS: Schema = {"type": "array", "items": TEXT}
FLAG: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
ANYTHING: Schema = {"type": "object"}


def _one_of(*values: str) -> Schema:
    return {"enum": list(values)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(properties: Mapping[str, Schema], **more: Schema) -> Schema:
    """An object with exactly these keys; `more` are those that may be missing."""
    return {
        "type": "object",
        "properties": {**properties, **more},
        "required": list(properties),
        "additionalProperties": False,
    }


LOCATION = _object({"project": TEXT, "path": TEXT, "start_line": COUNT, "end_line": COUNT})
LOCATION_OR_NULL: Schema = {"anyOf": [LOCATION, {"type": "null"}]}
QUERY_TYPE = _one_of(*(kind.value for kind in QueryType))
MODE = _one_of(*get_args(ScopeMode))

CLASSIFICATION = _object(
    {
        "query_type": QUERY_TYPE,
        "query_types": _list(QUERY_TYPE),
        "entities": TEXTS,
        "paths": _list(_one_of(*AGENTS)),
        "graph_scopes_vector": FLAG,
        "reasons": TEXTS,
    }
)
AGENT = _object(
    {
        "agent": TEXT,
        "role": _one_of("must", "may"),
        "status": _one_of(*get_args(OutcomeStatus)),
        "observations": COUNT,
        "elapsed_ms": NUMBER,
        "reason": TEXT_OR_NULL,
    }
)
SCOPE = _object(
    {
        "mode": MODE,
        "strength": _one_of(*get_args(ScopeStrength)),
        "projects": _list(_object({"project": TEXT, "confidence": NUMBER, "because": TEXT})),
        "widened": FLAG,
        "widened_by": TEXTS,
    }
)
OBSERVATION = _object(
    {
        "id": TEXT,
        "rank": {"type": "integer", "minimum": 1},
        "score": NUMBER,
        "agent": TEXT,
        "source": TEXT,
        "source_project": TEXT_OR_NULL,
        "observation_type": TEXT,
        "confidence": SHARE,
        "content": TEXT,
        "locations": _list(LOCATION),
        "entities_mentioned": TEXTS,
        "corroborated_by": TEXTS,
        "duplicates": _list(_object({"source": TEXT, "location": LOCATION_OR_NULL, "similarity": NUMBER})),
        "superseded_by": TEXT_OR_NULL,
        "metadata": ANYTHING,
    }
)
CITATION = _object(
    {
        "marker": TEXT,
        "observation_id": TEXT,
        "claim": TEXT,
        "quote": TEXT,
        "location": LOCATION_OR_NULL,
        "located": FLAG,
        "supported": FLAG,
        "verified": FLAG,
        "reason": TEXT_OR_NULL,
        "stale": FLAG,
    }
)
CONFLICT = _object(
    {
        "conflict_type": _one_of(*get_args(ConflictType)),
        "subject": TEXT,
        "property": TEXT,
        "winner": TEXT_OR_NULL,
        "losers": TEXTS,
        "resolution_strategy": TEXT,
        "reason": TEXT,
    },
    values=ANYTHING,
    needs_user=FLAG,
    question=TEXT,
)
METRICS = _object(
    {
        **dict.fromkeys(("total_time_ms", "local_time_ms", "graph_time_ms", "vector_time_ms"), NUMBER),
        **dict.fromkeys(("merge_time_ms", "synthesis_time_ms"), NUMBER),
        **dict.fromkeys(("local_observations", "graph_observations", "vector_observations", "after_dedup"), COUNT),
        "source_agreement": SHARE,
        "conflicts_detected": COUNT,
        "conflicts_resolved": COUNT,
        "query_types_matched": _list(QUERY_TYPE),
        "entities_found": TEXTS,
        "projects_searched": TEXTS,
        "commit": {"type": "object", "additionalProperties": ANYTHING},
        "dropped": _list(
            _object(
                {
                    "id": TEXT,
                    "agent": TEXT,
                    "stage": _one_of("deduplicate", "limits"),
                    "into": TEXT_OR_NULL,
                    "location": LOCATION_OR_NULL,
                }
            )
        ),
    }
)

RESULT_SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "HybridResult",
    **_object(
        {
            "schema_version": {"const": "1"},
            "request_id": TEXT,
            "started_at": {"type": "string", "format": "date-time"},
            "query": TEXT,
            "status": _one_of("answered", "partial", "not_found"),
            "answer": _object({"text": TEXT, "answerer": TEXT, "missing": TEXTS, "notes": TEXTS, "tokens": COUNT}),
            "classification": CLASSIFICATION,
            "coverage": _object({"complete": FLAG, "agents": _list(AGENT), "embedded": SHARE}),
            "scope": SCOPE,
            "observations": _list(OBSERVATION),
            "citations": _list(CITATION),
            "conflicts": _list(CONFLICT),
            "metrics": METRICS,
        }
    ),
}
