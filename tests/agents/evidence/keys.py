"""The keys of an evidence pack and of a piece in it (000 §8.1), in their order."""

from __future__ import annotations

ITEM_KEYS = (
    "evidence_id", "score", "rank", "corpus", "repo", "path", "commit", "start_line", "end_line", "chunk_kind", "text",
    "retrieval_route", "highlights",
)  # fmt: skip
STATS_KEYS = (
    "candidates_received", "returned", "corpus_mix", "routes_used", "qdrant_params", "notes", "missing",
)  # fmt: skip
