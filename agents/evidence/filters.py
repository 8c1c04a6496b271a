"""The global filter and the fused query of one request (000 §6, §10 steps 3-5)."""

from __future__ import annotations

from typing import get_args

from agents.evidence.representations import Representations
from agents.evidence.request import SettledRequest
from agents.evidence.symbols import symbol_names
from agents.evidence.templates import Template
from configs.settings import EvidenceSettings
from memory.vector.filters import Condition
from memory.vector.port import SPARSE_LEXICAL, ChunkKind, FusedQuery, VectorQuery

__all__ = ["fused_query", "global_filter"]

_TEXTS = tuple(kind for kind in get_args(ChunkKind) if kind not in {"test", "image"})


def global_filter(request: SettledRequest, template: Template) -> tuple[Condition, ...]:
    """The conditions that hold on every route: corpus, repositories, paths, commit, and no tests where none are wanted."""
    conditions = {
        "corpus": (template.corpus,) if template.corpus else (),
        "repo": request.repo_scope,
        "path": request.path_scope,
        "commit": (request.commit,) if request.commit else (),
        "chunk_kind": () if request.include_tests else _TEXTS,
    }
    return tuple(Condition(key, any_of=values) for key, values in conditions.items() if values)


def fused_query(
    request: SettledRequest, template: Template, representations: Representations, settings: EvidenceSettings
) -> FusedQuery:
    """The routes that have a representation, fused; search parameters in the dense prefetches, where alone they act."""
    vectors = representations.vectors
    present = [prefetch for prefetch in template.prefetches if prefetch.using in vectors]
    of_symbol = (Condition("symbol", any_of=symbol_names(request.symbol)),)
    return FusedQuery(
        prefetches=tuple(
            VectorQuery(
                prefetch.using,
                vectors[prefetch.using],
                prefetch.limit,
                conditions=of_symbol if prefetch.of_symbol else (),
                hnsw_ef=None if prefetch.using == SPARSE_LEXICAL else settings.hnsw_ef,
                exact=prefetch.using == SPARSE_LEXICAL or settings.exact,
            )
            for prefetch in present
        ),
        limit=template.final,
        k=settings.rrf_k,
        weights=tuple(settings.weights.get(prefetch.using, 1.0) for prefetch in present) if settings.weights else (),
        conditions=global_filter(request, template),
    )
