"""`HybridSearch`: dense and sparse legs in one batch, fused, with the graph's scope and evidence (001 §4.3, design §5a).

The vector agent searches all permitted projects with it, the local agent the project in hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from agents.confidence import cosine, matched_mass, term_weights
from agents.fusion import best_attainable, convex, dbsf, rrf
from agents.legs import EVIDENCE, PROBE, SCOPED, QueryVectors, SearchBatch, details
from agents.topic import asks_for_tests, topic
from configs.settings import VectorSettings
from memory.embedders.blocking import without_blocking
from memory.embedders.port import DenseEmbedder, SparseEmbedder
from memory.entities import EvidenceFile, Scope
from memory.errors import InvalidInputError
from memory.together import together
from memory.vector.filters import Condition
from memory.vector.port import (
    DENSE_CODE,
    DENSE_DOCS,
    SPARSE_LEXICAL,
    Chunk,
    DenseVector,
    Hit,
    SparseVector,
    VectorStore,
)
from memory.vector.ties import ranked

__all__ = ["Candidate", "HybridSearch"]

_MOST_TERMS = 32
_ANCHORS = 10
_LEAST_EMBEDDED = 0.01
_DETAILED = 40
"""How many of the best bring their vectors; no more are ever shown."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that was found: `score` orders the list (best 1), `confidence` says how sure it is, both 0..1. dense: its
    vector, of `model`.
    """

    chunk: Chunk
    score: float
    confidence: float
    in_scope: bool
    evidence: str
    dense: DenseVector | None
    model: str


class HybridSearch:
    """Questions to ranked chunks over one vector store and its embedders. code: that of the code chunks, where it is another
    than the documents'.
    """

    def __init__(
        self,
        store: VectorStore,
        dense: DenseEmbedder,
        sparse: SparseEmbedder,
        settings: VectorSettings,
        *,
        code: DenseEmbedder | None = None,
        embedded: Callable[[frozenset[str]], float] = lambda _: 1.0,
    ) -> None:
        self._store = store
        self._dense = dense
        self._embedders = {DENSE_DOCS: dense, DENSE_CODE: code or dense}
        self._sparse = sparse
        self._settings = settings
        self._embedded = embedded

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

    async def nearest(self, vector: DenseVector, permission: frozenset[str], limit: int) -> list[Hit]:
        """The chunks nearest to a vector of the documents' model, by cosine alone, none under `min_score`; ties by id.

        Raises InvalidInputError for a vector of another length than the model's, and StoreError.
        """
        if len(vector) != self._dense.dimension:
            raise InvalidInputError(
                f"The vector has {len(vector)} numbers; {self.model} gives {self._dense.dimension}.",
                "Make it with the model that the collection was filled with.",
            )
        fields = {using: vector for using, embedder in self._embedders.items() if embedder is self._dense}
        batch = SearchBatch("", QueryVectors(fields, SparseVector((), ()), {}), limit)
        batch.add_leg(PROBE, ())
        answers = await self._store.query_batch(batch.queries, permission=permission)
        found = {hit.chunk.id: hit for hits in answers for hit in hits}  # two legs may be one vector of theirs
        least = self._settings.min_score
        return [hit for hit in ranked(list(found.values()))[:limit] if least is None or hit.score >= least]

    async def known_terms(self, terms: Sequence[str], permission: frozenset[str]) -> set[str]:
        """Which of these words stand, as one token, anywhere within the permission."""
        first = partial(_first_ids, self._sparse, terms)
        vectors = QueryVectors({}, SparseVector((), ()), await without_blocking(self._sparse, first))
        batch = SearchBatch("", vectors, 1)
        batch.add_terms()
        answers = await self._store.query_batch(batch.queries, permission=permission) if permission else []
        return {term for (_, term), hits in zip(batch.labels, answers, strict=False) if hits}

    async def _embed(self, query: str) -> QueryVectors:
        about = topic(query)
        dense = await self._dense_vectors(about)
        sparse, terms = await without_blocking(self._sparse, partial(_weighed, self._sparse, about))
        return QueryVectors(dense, sparse, terms)

    async def _dense_vectors(self, about: str) -> dict[str, DenseVector]:
        """One a field; two models are asked at the same time."""
        found: dict[DenseEmbedder, DenseVector] = {}

        async def ask(embedder: DenseEmbedder) -> None:
            found[embedder] = (await embedder.embed_queries([about]))[0].tolist()

        await together(partial(ask, embedder) for embedder in dict.fromkeys(self._embedders.values()))
        return {using: found[embedder] for using, embedder in self._embedders.items()}

    async def _rate(
        self, batch: SearchBatch, answers: Sequence[Sequence[Hit]], scope: Scope, permission: frozenset[str]
    ) -> list[Candidate]:
        legs = {leg: batch.hits_of(answers, leg) for leg in (PROBE, SCOPED, EVIDENCE)}
        found = {hit.chunk.id: hit for leg in legs.values() for hits in leg.values() for hit in hits}
        share = self._embedded(permission)
        scores = self._blend(self._fuse(legs[SCOPED], share), self._fuse(legs[PROBE], share))
        proven = [hit.chunk for hits in legs[EVIDENCE].values() for hit in hits]
        reasons = self._add_evidence(scores, self._fuse(legs[EVIDENCE], share), proven, scope.files)
        if not asks_for_tests(batch.question):
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
        asked = {using: np.asarray(vector) for using, vector in batch.vectors.dense.items()}
        sure = [self._certainty(asked, weights, detailed[id_]) for id_ in ranked[:_ANCHORS]]
        anchor, within = max(sure), frozenset(scope.names)
        return [
            Candidate(
                chunk=found[id_].chunk,
                score=round(scores[id_] / best, 6),
                confidence=round(anchor * scores[id_] / best, 6),
                in_scope=found[id_].chunk.project in within,
                evidence=reasons.get(id_, ""),
                dense=next(iter(detailed[id_].dense.values()), None) if id_ in detailed else None,
                model=self._model_of(detailed.get(id_)),
            )
            for id_ in ranked
        ]

    def _model_of(self, hit: Hit | None) -> str:
        """Whose vector a hit brings."""
        return next((self._embedders[using].model for using in hit.dense), "") if hit else ""

    async def _weights(
        self, batch: SearchBatch, answers: Sequence[Sequence[Hit]], permission: frozenset[str]
    ) -> dict[int, float]:
        """The IDF of the question's terms; how many points there are is asked only for a term that none has."""
        best = batch.hits_of(answers, "term")
        unseen = any(not best.get(term) for term in batch.vectors.terms)
        return term_weights(batch.vectors.terms, best, await self._store.count(permission=permission) if unseen else 0)

    @staticmethod
    def _certainty(query: Mapping[str, NDArray[np.float64]], weights: Mapping[int, float], hit: Hit) -> float:
        return min(1.0, max(0.0, cosine(query, hit.dense), matched_mass(weights, hit.sparse)))

    def _fuse(self, leg: Mapping[str, Sequence[Hit]], embedded: float) -> dict[str, float]:
        """One leg's dense fields as one list, beside its sparse list. The cosines of two models cannot be compared: each
        are divided by their own maximum (design §4, duplicates). As far as vectors are still to come the words count more:
        the best of the few that have one is not the best.
        """
        dense: dict[str, float] = {}
        two = len(set(self._embedders.values())) > 1
        for using in self._embedders:
            hits = leg.get(using, ())
            unit = max((hit.score for hit in hits), default=0.0) if two else 1.0
            dense.update((hit.chunk.id, hit.score / unit if unit > 0 else hit.score) for hit in hits)
        dense = dict(sorted(dense.items(), key=lambda item: (-item[1], item[0]))[: self._settings.candidates])
        sparse = {hit.chunk.id: hit.score for hit in leg.get(SPARSE_LEXICAL, ())}
        weight = self._settings.dense_weight * max(embedded, _LEAST_EMBEDDED)
        weights = [weight, 1.0 - weight]
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
        starts = {chunk.id: chunk.start_line for chunk in proven}
        for chunk in proven:
            chunks.setdefault((chunk.project, chunk.path), set()).add(chunk.id)
        reasons: dict[str, str] = {}
        for file in files:
            own = chunks.get((file.project, file.path))
            if own:
                best = max(own, key=lambda id_: (evidence.get(id_, 0.0), scores.get(id_, 0.0), id_))
                if file.opening:
                    best = min(own, key=lambda id_: (starts[id_], id_))
                scores[best] = scores.get(best, lowest) + self._settings.evidence_weight * file.weight
                reasons[best] = file.because
        return reasons


def _weighed(sparse: SparseEmbedder, about: str) -> tuple[SparseVector, dict[str, int]]:
    """The sparse vector and the first of its terms."""
    return sparse.embed_query(about), dict(list(sparse.terms(about).items())[:_MOST_TERMS])


def _first_ids(sparse: SparseEmbedder, words: Sequence[str]) -> dict[str, int]:
    """The first term of each word that has one."""
    ids = ((word, next(iter(sparse.terms(word).values()), None)) for word in words)
    return {word: index for word, index in ids if index is not None}
