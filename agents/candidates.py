"""What one hybrid search sends to the store in one batch: a query a dense field, and the sparse one; and
`read_candidates`: the chunks of the best files, with their text and how sure they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.file_ranking import File, RankedFile
from agents.question_words import QuestionPart, cosine
from memory.entities import Scope
from memory.vector.filters import Condition
from memory.vector.payload import file_key
from memory.vector.port import (
    DENSE_CODE,
    DENSE_DOCS,
    SPARSE_LEXICAL,
    Chunk,
    DenseVector,
    Hit,
    SparseVector,
    VectorQuery,
    VectorStore,
)
from memory.vector.ties import rounded

_MOST_CHUNKS = 2_000  # of the files that statements alone name


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """A question as the store sees it: a dense vector for each named field, and the sparse one."""

    dense: Mapping[str, DenseVector]
    sparse: SparseVector


def near(
    vectors: QueryVectors, limit: int, conditions: tuple[Condition, ...] = (), *, places_only: bool = True
) -> list[VectorQuery]:
    """One query a dense field, and the sparse one. Vectors come with the few that are kept (`by_id`)."""
    asked: dict[str, DenseVector | SparseVector] = dict(vectors.dense)
    if vectors.sparse.indices:
        asked[SPARSE_LEXICAL] = vectors.sparse
    return [VectorQuery(using, one, limit, conditions, places_only=places_only) for using, one in asked.items()]


def by_id(ids: Sequence[str], with_vectors: Sequence[str]) -> VectorQuery:
    """The query that lists these chunks with these of their vectors,
    so that neither confidence nor merging needs a model.
    """
    return VectorQuery("", None, len(ids), (Condition("id", any_of=tuple(ids)),), tuple(with_vectors))


def chunks_of_files(files: Sequence[tuple[str, str]]) -> VectorQuery:
    """The query that lists the chunks of these files, by project and path, with their vectors."""
    keys = tuple(file_key(project, path) for project, path in files)
    wanted = (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL)
    return VectorQuery("", None, _MOST_CHUNKS, (Condition("file", any_of=keys),), wanted)


_ANCHORS: Final = 10


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that was found.

    score: orders the list, the best is 1; confidence: how sure it is, 0..1; evidence: the relation for which its file
    is here, '' where none is; dense: its vector, of `model`; weight: what files of its kind count, in both already.
    """

    chunk: Chunk
    score: float
    confidence: float
    in_scope: bool
    evidence: str
    dense: DenseVector | None
    model: str
    weight: float = 1.0


async def read_candidates(
    store: VectorStore,
    models: Mapping[str, str],
    ranking: Sequence[RankedFile],
    vectors: QueryVectors,
    parts: Sequence[QuestionPart],
    scope: Scope,
    permission: frozenset[str],
) -> list[Candidate]:
    """The chunks of the best files with their text, and how sure they are: the best of the first ten is all's.

    models: the embedding model of each named vector.
    """
    read = await _chunks(store, ranking, permission)
    ranking = [file for file in ranking if read[file.file]]  # a statement may name a file that has no chunk
    if not ranking or ranking[0].score <= 0:
        return []
    asked = {using: np.asarray(vector) for using, vector in vectors.dense.items()}
    first = [read[file.file] for file in ranking[:_ANCHORS]]
    anchor = max((_certainty(asked, parts, hits) for hits in first), default=0.0)
    best, within = ranking[0].score, frozenset(scope.names)
    candidates = []
    for file in ranking:
        for place, hit in enumerate(read[file.file]):
            score = file.score / best * (file.share(hit.chunk.id) if place else 1.0)
            candidates.append(
                Candidate(
                    chunk=hit.chunk,
                    score=rounded(score),
                    confidence=rounded(min(1.0, anchor * score)),
                    in_scope=file.file[0] in within,
                    evidence=file.because,
                    dense=next(iter(hit.dense.values()), None),
                    model=next((models[using] for using in hit.dense), ""),
                    weight=file.weight,
                )
            )
    return candidates


async def _chunks(
    store: VectorStore, ranking: Sequence[RankedFile], permission: frozenset[str]
) -> dict[File, list[Hit]]:
    """The best chunks of each file; of one that statements alone name, the chunk that proves them.

    Terms come with those of the first files alone, which say how sure a question is answered.
    """
    lacking = {file.file: file for file in ranking if not file.chunks}
    sure = _ANCHORS + len(lacking)  # a file that turns out to have no chunk leaves its place to the next
    asked = [
        by_id(ids, with_vectors)
        for files, with_terms in ((ranking[:sure], (SPARSE_LEXICAL,)), (ranking[sure:], ()))
        for ids, with_vectors in (
            ([file.chunks[0] for file in files if file.chunks], (DENSE_DOCS, DENSE_CODE, *with_terms)),
            ([id_ for file in files for id_ in file.chunks[1:]], with_terms),
        )
        if ids
    ]
    wanted = [*asked, *([chunks_of_files(list(lacking))] if lacking else ())]
    if not wanted:
        return {}
    answers = iter(await store.query_batch(wanted, permission=permission))
    listed = {hit.chunk.id: hit for _ in asked for hit in next(answers)}
    read = {file.file: [listed[id_] for id_ in file.chunks if id_ in listed] for file in ranking}
    for hit in next(answers) if lacking else ():
        file = lacking[hit.chunk.project, hit.chunk.path]
        if not read[file.file] or hit.chunk.start_line <= file.line <= hit.chunk.end_line:
            read[file.file] = [hit]
    return read


def _certainty(query: Mapping[str, NDArray[np.float64]], parts: Sequence[QuestionPart], hits: Sequence[Hit]) -> float:
    """How sure a file is of the part of the question that its chunks hold most of together."""
    held = frozenset(term for hit in hits if hit.sparse for term in hit.sparse.indices)
    likeness = max((cosine(query, hit.dense) for hit in hits), default=0.0)
    return max(part.certainty(held, likeness) for part in parts)
