"""The three retrieval agents, and how they find: linking, walking, scoping, the legs of a search and their fusion."""

from __future__ import annotations

from agents.graph import GraphRetrievalAgent
from agents.local import LocalRetrievalAgent
from agents.ports import GraphAgent, Publish, PublishingAgent, RetrievalAgent, ScopedAgent
from agents.search import HybridSearch
from agents.vector import VectorRetrievalAgent

__all__ = [
    "GraphAgent",
    "GraphRetrievalAgent",
    "HybridSearch",
    "LocalRetrievalAgent",
    "Publish",
    "PublishingAgent",
    "RetrievalAgent",
    "ScopedAgent",
    "VectorRetrievalAgent",
]
