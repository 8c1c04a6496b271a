"""`HybridSearch`: a question to ranked places, by meaning, by words and by what relations say (001 §4.3).

One batch asks the store for the nearest chunks, dense and sparse. Their files are ranked together with the files that prove
the statements the question speaks of (`file_ranking`). The vector agent searches all permitted projects with it, the local
agent looks into the project in hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.confidence import cosine, matched_mass, term_weights
from agents.file_ranking import File, best_chunk, decayed_sum, score_files, votes
from agents.fusion import convex
from agents.legs import PROBE, SCOPED, QueryVectors, SearchBatch, chunks_of_files, details
from configs.settings import VectorSettings
from memory.embedders import Bm25Sparse
from memory.embedders.blocking import without_blocking
from memory.embedders.port import DenseEmbedder, SparseEmbedder
from memory.entities import Scope
from memory.errors import InvalidInputError
from memory.statements import FoundStatement, StatementIndex
from memory.text import is_test
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

_T = TypeVar("_T", str, File)

_MOST_TERMS: Final = 32
_ANCHORS: Final = 10
_LEAST_EMBEDDED: Final = 0.01
_DETAILED: Final = 40
"""How many of the best bring their vectors; no more are ever shown."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that was found.

    score: orders the list, the best is 1; confidence: how sure it is, 0..1; evidence: the relation for which its file is
    here, '' where none is; dense: its vector, of `model`.
    """

    chunk: Chunk
    score: float
    confidence: float
    in_scope: bool
    evidence: str
    dense: DenseVector | None
    model: str


@dataclass(frozen=True, slots=True)
class _Proof:
    """What speaks for files beside their chunks: the votes, and the reason and the line of the strongest of each."""

    votes: Mapping[File, float] = field(default_factory=dict)
    reasons: Mapping[File, str] = field(default_factory=dict)
    lines: Mapping[File, int] = field(default_factory=dict)


class HybridSearch:
    """Questions to ranked chunks over one vector store, its embedders and the statements.

    code: the embedder of code chunks, where it is another than the documents'; statements: None searches chunks alone;
    embedded: the share of these projects' chunks that have their dense vector.
    """

    def __init__(
        self,
        store: VectorStore,
        dense: DenseEmbedder,
        sparse: SparseEmbedder,
        settings: VectorSettings,
        *,
        code: DenseEmbedder | None = None,
        statements: StatementIndex | None = None,
        embedded: Callable[[frozenset[str]], float] = lambda _: 1.0,
    ) -> None:
        self._store = store
        self._dense = dense
        self._embedders = {DENSE_DOCS: dense, DENSE_CODE: code or dense}
        self._sparse = sparse
        self._words = sparse if isinstance(sparse, Bm25Sparse) else Bm25Sparse()
        self._settings = settings
        self._statements = statements
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
        in_hand: str | None = None,
    ) -> list[Candidate]:
        """Chunks, those of the best file first, and of a file the best first.

        Args:
            query: the question as it was asked.
            permission: the projects that may be seen.
            scope: a soft one weighs its projects up; its files count as proven.
            strict: the scope leaves other projects out.
            conditions: what every chunk must meet; then statements name no further file.
            in_hand: the project whose files count a little more.

        Raises:
            StoreError, ModelError: a part is out of reach.
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
        batch.add_terms()
        answers = await self._store.query_batch(batch.queries, permission=permission)
        weights = await self._weights(batch, answers, permission)
        visible = frozenset(scope.names) if strict and scope.names else permission
        proof = _Proof() if conditions else self._proof(query, scope, visible, weights)
        boosts = {in_hand: self._settings.in_hand_weight} if in_hand else {}
        return await self._rate(batch, answers, scope, permission, weights, proof, boosts)

    def statements(
        self, query: str, permission: frozenset[str], weights: Mapping[int, float] | None = None
    ) -> list[FoundStatement]:
        """The relations that the question speaks of, best first."""
        if self._statements is None:
            return []
        known = weights if self._words is self._sparse else None
        return self._statements.search(self._words.terms(query), permission, weights=known)

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
        dense = await self._dense_vectors(query)
        sparse, terms = await without_blocking(self._sparse, partial(_weighed, self._sparse, query))
        return QueryVectors(dense, sparse, terms)

    async def _dense_vectors(self, query: str) -> dict[str, DenseVector]:
        """One a field; two models are asked at the same time."""
        found: dict[DenseEmbedder, DenseVector] = {}

        async def ask(embedder: DenseEmbedder) -> None:
            found[embedder] = (await embedder.embed_queries([query]))[0].tolist()

        await together(partial(ask, embedder) for embedder in dict.fromkeys(self._embedders.values()))
        return {using: found[embedder] for using, embedder in self._embedders.items()}

    def _proof(self, query: str, scope: Scope, permission: frozenset[str], weights: Mapping[int, float]) -> _Proof:
        found = self.statements(query, permission, weights)
        voted = {file: vote for file, vote in votes(found).items() if file[0] in permission}
        reasons: dict[File, str] = {}
        lines: dict[File, int] = {}
        for statement in found:
            for file, line in statement.places:
                reasons.setdefault(file, statement.sentence)
                lines.setdefault(file, line)
        for given in scope.files:
            file = (given.project, given.path)
            if given.project in permission:
                voted[file] = 1.0 - (1.0 - voted.get(file, 0.0)) * (1.0 - min(1.0, given.weight))
                reasons[file] = given.because
        return _Proof(voted, reasons, lines)

    async def _rate(
        self,
        batch: SearchBatch,
        answers: Sequence[Sequence[Hit]],
        scope: Scope,
        permission: frozenset[str],
        weights: Mapping[int, float],
        proof: _Proof,
        boosts: Mapping[str, float],
    ) -> list[Candidate]:
        legs = {leg: batch.hits_of(answers, leg) for leg in (PROBE, SCOPED)}
        found = {hit.chunk.id: hit.chunk for leg in legs.values() for hits in leg.values() for hit in hits}
        files = {id_: (chunk.project, chunk.path) for id_, chunk in found.items()}
        share = self._embedded(permission)
        lists = {leg: self._lists(hits) for leg, hits in legs.items()}
        hybrid = self._blend(*(self._fused(lists[leg], files, share) for leg in (SCOPED, PROBE)))
        scores = score_files(hybrid, proof.votes, vote_weight=self._settings.statement_weight, weights=boosts)
        best = max(scores.values(), default=0.0)
        if best <= 0:
            return []
        order = sorted(scores, key=lambda file: (-round(scores[file], 6), file))
        chunks = self._blend(*(convex(lists[leg], self._shares(share)) for leg in (SCOPED, PROBE)))
        own: dict[File, list[str]] = {}
        for id_ in sorted(chunks, key=lambda id_: (-round(chunks[id_], 6), id_)):
            own.setdefault(files[id_], []).append(id_)
        detailed = await self._details(order[:_DETAILED], own, proof, permission)
        found |= {id_: hit.chunk for id_, hit in detailed.items()}
        asked = {using: np.asarray(vector) for using, vector in batch.vectors.dense.items()}
        first = [detailed[own[file][0]] for file in order[:_ANCHORS] if own.get(file) and own[file][0] in detailed]
        anchor = max((self._certainty(asked, weights, hit) for hit in first), default=0.0)
        within = frozenset(scope.names)
        candidates = []
        for file in order:
            for place, id_ in enumerate(own.get(file, ())):
                score = scores[file] / best
                if place:
                    score *= chunks[id_] / chunks[own[file][0]]
                candidates.append(
                    Candidate(
                        chunk=found[id_],
                        score=round(score, 6),
                        confidence=round(min(1.0, anchor * score), 6),
                        in_scope=file[0] in within,
                        evidence=proof.reasons.get(file, ""),
                        dense=next(iter(detailed[id_].dense.values()), None) if id_ in detailed else None,
                        model=self._model_of(detailed.get(id_)),
                    )
                )
        return candidates

    async def _details(
        self, files: Sequence[File], own: dict[File, list[str]], proof: _Proof, permission: frozenset[str]
    ) -> dict[str, Hit]:
        """The vectors of each file's best chunk; a file that statements alone name gets the chunk that proves them."""
        ids = [own[file][0] for file in files if file in own]
        lacking = [file for file in files if file not in own]
        queries = [details(ids), *([chunks_of_files(lacking)] if lacking else [])]
        listed, *rest = await self._store.query_batch(queries, permission=permission)
        proving: dict[File, Hit] = {}
        for hit in rest[0] if rest else ():
            file = (hit.chunk.project, hit.chunk.path)
            line = proof.lines.get(file, 1)
            if file not in proving or hit.chunk.start_line <= line <= hit.chunk.end_line:
                proving[file] = hit
        for file, hit in proving.items():
            own[file] = [hit.chunk.id]
        return {hit.chunk.id: hit for hit in (*listed, *proving.values())}

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

    def _lists(self, leg: Mapping[str, Sequence[Hit]]) -> tuple[dict[str, float], dict[str, float]]:
        """One leg's dense fields as one list, and its sparse list. The cosines of two models cannot be compared: each
        are divided by their own maximum.
        """
        dense: dict[str, float] = {}
        two = len(set(self._embedders.values())) > 1
        for using in self._embedders:
            hits = leg.get(using, ())
            unit = max((hit.score for hit in hits), default=0.0) if two else 1.0
            dense.update((hit.chunk.id, hit.score / unit if unit > 0 else hit.score) for hit in hits)
        dense = dict(sorted(dense.items(), key=lambda item: (-item[1], item[0]))[: self._settings.candidates])
        return dense, {hit.chunk.id: hit.score for hit in leg.get(SPARSE_LEXICAL, ())}

    def _shares(self, embedded: float) -> tuple[float, float]:
        """What dense and sparse count. As far as vectors are still to come the words count more: the best of the few that
        have one is not the best.
        """
        weight = self._settings.dense_weight * max(embedded, _LEAST_EMBEDDED)
        return weight, 1.0 - weight

    def _fused(
        self, lists: tuple[Mapping[str, float], Mapping[str, float]], files: Mapping[str, File], embedded: float
    ) -> dict[File, float]:
        """H of every file in a leg's lists, before statements vote; tests count a little less."""
        dense, sparse = lists
        hybrid = convex([best_chunk(dense, files), decayed_sum(sparse, files)], self._shares(embedded))
        weight = self._settings.test_weight
        return {file: score * weight if is_test(file[1]) else score for file, score in hybrid.items()}

    def _blend(self, scoped: Mapping[_T, float], probe: Mapping[_T, float]) -> dict[_T, float]:
        """Scoped and unscoped lists, the latter at the probe's weight; one alone stays as it is."""
        return convex([scoped, probe], [1.0, self._settings.probe_weight])


def _weighed(sparse: SparseEmbedder, about: str) -> tuple[SparseVector, dict[str, int]]:
    """The sparse vector and the first of its terms."""
    return sparse.embed_query(about), dict(list(sparse.terms(about).items())[:_MOST_TERMS])


def _first_ids(sparse: SparseEmbedder, words: Sequence[str]) -> dict[str, int]:
    """The first term of each word that has one."""
    ids = ((word, next(iter(sparse.terms(word).values()), None)) for word in words)
    return {word: index for word, index in ids if index is not None}
