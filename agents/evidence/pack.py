"""The evidence pack: what the retriever returns, field by field (000 §8.1, §10 step 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from agents.evidence.intents import Intent
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, Chunk, Corpus, Hit

__all__ = ["FUSION", "ITEM_KEYS", "STATS_KEYS", "EvidenceItem", "EvidencePack", "item_of", "routes_used"]

FUSION: Final = "fusion_rrf"
ITEM_KEYS: Final = (
    "evidence_id", "score", "rank", "corpus", "repo", "path", "commit", "start_line", "end_line", "chunk_kind", "text",
    "retrieval_route", "highlights",
)  # fmt: skip
STATS_KEYS: Final = (
    "candidates_received", "returned", "corpus_mix", "routes_used", "qdrant_params", "notes", "missing",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """A chunk as evidence. `text` is exactly the lines start_line..end_line, which a window may have widened.

    score: the store's fused score, which orders and measures nothing; retrieval_route: the only route that found it, or
    the fusion. chunk: what was stored.
    """

    chunk: Chunk
    score: float
    rank: int
    start_line: int
    end_line: int
    text: str
    retrieval_route: str
    highlights: tuple[str, ...] = ()

    @property
    def evidence_id(self) -> str:
        """The point and the lines that are shown."""
        return f"{self.chunk.id}:{self.start_line}:{self.end_line}"

    def to_dict(self) -> dict[str, Any]:
        """The mandatory fields; lines are None where the collection has none."""
        has_lines = self.start_line > 0
        return {
            "evidence_id": self.evidence_id,
            "score": self.score,
            "rank": self.rank,
            "corpus": self.chunk.corpus,
            "repo": self.chunk.repo,
            "path": self.chunk.path,
            "commit": self.chunk.commit,
            "start_line": self.start_line if has_lines else None,
            "end_line": self.end_line if has_lines else None,
            "chunk_kind": self.chunk.chunk_kind,
            "text": self.text,
            "retrieval_route": self.retrieval_route,
            "highlights": list(self.highlights),
        }


@dataclass(frozen=True, slots=True)
class EvidencePack:
    """The answer to one request. missing: by how many items a corpus stays below its share; notes: what was not as
    asked or not as usual.
    """

    intent: Intent
    query: str
    evidence: tuple[EvidenceItem, ...]
    candidates_received: int
    routes_used: tuple[str, ...]
    hnsw_ef: int
    exact: bool
    missing: Mapping[Corpus, int]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON of 000 §10 step 8; beyond it `stats` has `notes` and `missing`."""
        corpora = [item.chunk.corpus for item in self.evidence]
        return {
            "intent": self.intent.value,
            "query": self.query,
            "evidence": [item.to_dict() for item in self.evidence],
            "stats": {
                "candidates_received": self.candidates_received,
                "returned": len(self.evidence),
                "corpus_mix": {"code": corpora.count("code"), "docs": corpora.count("docs")},
                "routes_used": list(self.routes_used),
                "qdrant_params": {"hnsw_ef": self.hnsw_ef, "exact": self.exact},
                "notes": list(self.notes),
                "missing": {"code": self.missing.get("code", 0), "docs": self.missing.get("docs", 0)},
            },
        }


def item_of(hit: Hit, rank: int) -> EvidenceItem:
    """A hit as the candidate of this rank, with the lines that are stored."""
    chunk = hit.chunk
    route = hit.routes[0] if len(hit.routes) == 1 else FUSION
    return EvidenceItem(chunk, hit.score, rank, chunk.start_line, chunk.end_line, chunk.text, route)


def routes_used(sent: Sequence[str]) -> tuple[str, ...]:
    """The routes that were searched, in the order of 000 §10, and the fusion of them."""
    return (*(route for route in (DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL) if route in sent), FUSION)
