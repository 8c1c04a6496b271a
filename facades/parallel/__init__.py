"""Specification 001, hybrid parallel retrieval: its code runs with these names as it is printed.

    from hybrid_retrieval.facades.parallel import *  # or the names you need
    async with open_agents("index") as agents:
        found = await agents.graph.find_relevant_entities(query)
        hits = await agents.vector.search(query, filter={"project": {"$in": found.projects}})

The document changes its classifications and observations in place; those of this product are frozen. Here they are
plain mutable ones, which are handed to the same functions that answer every question.
"""

from __future__ import annotations

from facades.parallel.agents import Agents, GraphAgent, VectorAgent, open_agents
from facades.parallel.document import (
    Conflict,
    NormalizedObservation,
    QueryClassification,
    SpecifiedAnalyzer,
    build_synthesis_context,
    classify_query,
    cosine_similarity,
    deduplicate_observations,
    detect_conflicts,
    extract_entity_mentions,
    format_observation,
    group_by,
    rank_observations,
    resolve_conflicts,
)
from memory.query import RetrievalPath
from memory.question import QueryType
from memory.text import estimate_tokens
from synthesis.language_model import SYNTHESIS_PROMPT

__all__ = [
    "SYNTHESIS_PROMPT",
    "Agents",
    "Conflict",
    "GraphAgent",
    "NormalizedObservation",
    "QueryClassification",
    "QueryType",
    "RetrievalPath",
    "SpecifiedAnalyzer",
    "VectorAgent",
    "build_synthesis_context",
    "classify_query",
    "cosine_similarity",
    "deduplicate_observations",
    "detect_conflicts",
    "estimate_tokens",
    "extract_entity_mentions",
    "format_observation",
    "group_by",
    "open_agents",
    "rank_observations",
    "resolve_conflicts",
]
