"""`HybridSearch`: dense and sparse legs in one batch, fused, with the graph's scope and evidence (001 §4.3, design §5a).

The vector agent searches all permitted projects with it, the local agent the project in hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.confidence import cosine, matched_mass, term_weights
from agents.fusion import best_attainable, convex, dbsf, rrf
from agents.legs import EVIDENCE, PROBE, SCOPED, QueryVectors, SearchBatch, details
from agents.topic import topic
from configs.settings import VectorSettings
from memory.embedders.port import DenseEmbedder, SparseEmbedder
from memory.entities import EvidenceFile, Scope
from memory.vector.filters import Condition
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, Chunk, DenseVector, Hit, VectorStore

__all__ = ["Candidate", "HybridSearch"]

_MOST_TERMS = 32
_TESTS = re.compile(r"\b(?:tests?|tested|testing|specs?|fixtures?)\b", re.IGNORECASE)
_ANCHORS = 10
_DETAILED = 40
"""How many of the best bring their vectors; no more are ever shown."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that was found: `score` orders the list (best 1), `confidence` says how sure it is, both 0..1."""

    chunk: Chunk
    score: float
    confidence: float
    in_scope: bool
    evidence: str
    dense: DenseVector | None


class HybridSearch:
    """Questions to ranked chunks over one vector store and one pair of embedders."""

    def __init__(
        self, store: VectorStore, dense: DenseEmbedder, sparse: SparseEmbedder, settings: VectorSettings
    ) -> None:
        self._store = store
        self._dense = dense
        self._sparse = sparse
        self._settings = settings

    @property
    def model(self) -> str:
        """The dense model whose vectors the candidates carry."""
        return self._dense.model

    async def search(
        self,
        query: str,
        permission: frozenset[str],
        *,
        scope: Scope | None = None,
        strict: bool = False,
        conditions: tuple[Condition, ...] = (),
    ) -> list[Candidate]:
        """Chunks best first. A soft scope weighs its projects up, a strict one leaves the others out.

        Raises StoreError and ModelError of the parts.
        """
        if not permission:
            return []
        scope = (scope or Scope()).within(permission)
        batch = SearchBatch(query, await self._embed(query), self._settings.candidates)
        within = Condition("project", any_of=scope.names)
        if not (strict and scope.names):
            batch.add_leg(PROBE, conditions)
        if scope.names:
            batch.add_leg(SCOPED, (*conditions, within))
        if scope.files:
            files = tuple(f"{file.project}/{file.path}" for file in scope.files)
            limits = (within,) if strict and scope.names else ()
            batch.add_leg(EVIDENCE, (*conditions, *limits, Condition("file", any_of=files)))
        batch.add_terms()
        answers = await self._store.query_batch(batch.queries, permission=permission)
        return await self._rate(batch, answers, scope, permission)

    async def known_terms(self, terms: Sequence[str], permission: frozenset[str]) -> set[str]:
        """Which of these words stand, as one token, anywhere within the permission."""
        ids = {term: next(iter(self._sparse.terms(term).values()), None) for term in terms}
        vectors = QueryVectors(
            {}, self._sparse.embed_query(""), {term: index for term, index in ids.items() if index is not None}
        )
        batch = SearchBatch("", vectors, 1)
        batch.add_terms()
        answers = await self._store.query_batch(batch.queries, permission=permission) if permission else []
        return {term for (_, term), hits in zip(batch.labels, answers, strict=False) if hits}

    async def _embed(self, query: str) -> QueryVectors:
        about = topic(query)
        vector = (await self._dense.embed_queries([about]))[0].tolist()
        terms = dict(list(self._sparse.terms(about).items())[:_MOST_TERMS])
        return QueryVectors({DENSE_DOCS: vector, DENSE_CODE: vector}, self._sparse.embed_query(about), terms)

    async def _rate(
        self, batch: SearchBatch, answers: Sequence[Sequence[Hit]], scope: Scope, permission: frozenset[str]
    ) -> list[Candidate]:
        legs = {leg: batch.hits_of(answers, leg) for leg in (PROBE, SCOPED, EVIDENCE)}
        found = {hit.chunk.id: hit for leg in legs.values() for hits in leg.values() for hit in hits}
        scores = self._blend(self._fuse(legs[SCOPED]), self._fuse(legs[PROBE]))
        proven = [hit.chunk for hits in legs[EVIDENCE].values() for hit in hits]
        reasons = self._add_evidence(scores, self._fuse(legs[EVIDENCE]), proven, scope.files)
        if not _TESTS.search(batch.question):
            for id_ in scores:
                if found[id_].chunk.chunk_kind == "test":
                    scores[id_] *= self._settings.test_weight
        best = max(scores.values(), default=0.0)
        if best <= 0:
            return []
        ranked = sorted(scores, key=lambda id_: (-round(scores[id_], 6), id_))
        [listed] = await self._store.query_batch([details(ranked[:_DETAILED])], permission=permission)
        detailed = {hit.chunk.id: hit for hit in listed}
        weights = await self._weights(batch, answers, permission)
        sure = [self._certainty(batch.vectors.dense, weights, detailed[id_]) for id_ in ranked[:_ANCHORS]]
        anchor = max(sure)
        return [
            Candidate(
                chunk=found[id_].chunk,
                score=round(scores[id_] / best, 6),
                confidence=round(anchor * scores[id_] / best, 6),
                in_scope=found[id_].chunk.project in scope.names,
                evidence=reasons.get(id_, ""),
                dense=next(iter(detailed[id_].dense.values()), None) if id_ in detailed else None,
            )
            for id_ in ranked
        ]

    async def _weights(
        self, batch: SearchBatch, answers: Sequence[Sequence[Hit]], permission: frozenset[str]
    ) -> dict[int, float]:
        """The IDF of the question's terms; how many points there are is asked only for a term that none has."""
        best = batch.hits_of(answers, "term")
        unseen = any(not best.get(term) for term in batch.vectors.terms)
        return term_weights(batch.vectors.terms, best, await self._store.count(permission=permission) if unseen else 0)

    @staticmethod
    def _certainty(query: Mapping[str, DenseVector], weights: Mapping[int, float], hit: Hit) -> float:
        return min(1.0, max(0.0, cosine(query, hit.dense), matched_mass(weights, hit.sparse)))

    def _fuse(self, leg: Mapping[str, Sequence[Hit]]) -> dict[str, float]:
        """One leg's dense fields as one list (they are of one model), beside its sparse list."""
        dense: dict[str, float] = {}
        for using in (DENSE_DOCS, DENSE_CODE):
            dense.update((hit.chunk.id, hit.score) for hit in leg.get(using, ()))
        dense = dict(sorted(dense.items(), key=lambda item: (-item[1], item[0]))[: self._settings.candidates])
        sparse = {hit.chunk.id: hit.score for hit in leg.get(SPARSE_LEXICAL, ())}
        weights = [self._settings.dense_weight, 1.0 - self._settings.dense_weight]
        if self._settings.fusion == "rrf":
            top = best_attainable(weights, self._settings.rrf_k)
            return {id_: score / top for id_, score in rrf([dense, sparse], weights, self._settings.rrf_k).items()}
        return (
            dbsf([dense, sparse], weights)
            if self._settings.fusion == "dbsf"
            else convex([dense, sparse], weights, limit=self._settings.candidates)
        )

    def _blend(self, scoped: Mapping[str, float], probe: Mapping[str, float]) -> dict[str, float]:
        """Scoped and unscoped lists, the latter at the probe's weight; one alone stays as it is."""
        return convex([scoped, probe], [1.0, self._settings.probe_weight], limit=self._settings.candidates)

    def _add_evidence(
        self,
        scores: dict[str, float],
        evidence: Mapping[str, float],
        proven: Sequence[Chunk],
        files: Sequence[EvidenceFile],
    ) -> dict[str, str]:
        """Adds the evidence files' weight to the best chunk of each; returns the reasons by chunk.

        A file that the evidence alone proposes enters with the lowest score listed, not with zero (design §5a).
        """
        lowest = min(scores.values(), default=0.0)
        chunks: dict[tuple[str, str], set[str]] = {}
        for chunk in proven:
            chunks.setdefault((chunk.project, chunk.path), set()).add(chunk.id)
        reasons: dict[str, str] = {}
        for file in files:
            own = chunks.get((file.project, file.path))
            if own:
                best = max(own, key=lambda id_: (evidence.get(id_, 0.0), scores.get(id_, 0.0), id_))
                scores[best] = scores.get(best, lowest) + self._settings.evidence_weight * file.weight
                reasons[best] = file.because
        return reasons
