"""`HybridSearch`: a question to ranked places, by meaning, by words and by what relations say (001 §4.3).

The store is searched once: the nearest chunks, dense and sparse. Their files are ranked together with the files that
prove the statements the question speaks of (`file_ranking`), and what is shown of the best is read. The vector agent
searches all permitted projects with it; the local agent asks the same at the same moment and takes what is of the
project in hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from agents.candidates import Candidate, QueryVectors, near, read_candidates
from agents.file_ranking import Proof, rank_files
from agents.messages import DEPTH, quoting_chunks
from agents.question_words import QuestionWords
from configs.settings import VectorSettings
from memory.embedders.port import DenseEmbedder, SparseEmbedder, embedded_query
from memory.entities import EvidenceFile, Scope
from memory.errors import InvalidInputError
from memory.question import ParsedQuestion
from memory.statements import FoundStatement, Statements
from memory.together import SharedWork, together
from memory.vector.filters import Condition
from memory.vector.port import (
    DENSE_CODE,
    DENSE_DOCS,
    SPARSE_LEXICAL,
    DenseVector,
    Hit,
    SparseVector,
    VectorQuery,
    VectorStore,
)
from memory.vector.ties import ranked
from memory.vocabulary import UnknownWords, Words

_SHOWN: Final = 30
"""How many of the best files are read; no more are shown in an answer."""
_STATEMENTS: Final = 50
_REMEMBERED: Final = 8  # searches for statements, which two agents ask for at the same moment
_MOST_CALLED: Final = 5
"""More files of one name are not what somebody means who names it."""
_SENT: Final = 256  # questions of which it is known what they were searched by

FilesCalled: TypeAlias = Callable[[str, frozenset[str]], Sequence[tuple[str, str]]]
"""The files, by project and path, of these projects that are called so."""


class HybridSearch:
    """Questions to ranked chunks over one vector store, its embedders, the statements and the vocabulary.

    code: the embedder of code chunks, where it is another than the documents'; statements: None searches chunks alone;
    vocabulary: how rare words are (None: all alike); embedded: the share of these projects' chunks that have their
    dense vector; files_called: tells which files have a name; sparse_timeout_s: of one text; a sparse model that is
    silent for longer has failed.
    """

    def __init__(
        self,
        store: VectorStore,
        dense: DenseEmbedder,
        sparse: SparseEmbedder,
        settings: VectorSettings,
        *,
        code: DenseEmbedder | None = None,
        statements: Statements | None = None,
        vocabulary: Words | None = None,
        embedded: Callable[[frozenset[str]], float] = lambda _: 1.0,
        files_called: FilesCalled = lambda _name, _projects: (),
        sparse_timeout_s: float = math.inf,
    ) -> None:
        self._store = store
        self._dense = dense
        self._embedders = {DENSE_DOCS: dense, DENSE_CODE: code or dense}
        self._models = {using: one.model for using, one in self._embedders.items()}
        self._terms = partial(embedded_query, sparse, timeout_s=sparse_timeout_s)
        self._words = QuestionWords(sparse, vocabulary, lambda name, projects: bool(files_called(name, projects)))
        self._files_called = files_called
        self.settings = settings
        self._statements = statements
        self.embedded = embedded
        self._found: dict[tuple[str, frozenset[str], frozenset[str], int], list[FoundStatement]] = {}
        self._sent: dict[str, tuple[str, ...]] = {}
        self._searches: SharedWork[Any, list[Candidate]] = SharedWork()

    @property
    def model(self) -> str:
        """The dense model whose vectors the candidates carry."""
        return self._dense.model

    async def search(
        self,
        question: ParsedQuestion,
        permission: frozenset[str],
        *,
        scope: Scope | None = None,
        strict: bool = False,
        conditions: tuple[Condition, ...] = (),
        in_hand: str | None = None,
        most_files: int = _SHOWN,
    ) -> list[Candidate]:
        """Chunks, those of the best file first, and of a file the best first.

        Args:
            question: the question as it was read.
            permission: the projects that may be seen.
            scope: a soft one weighs its projects up; its files count as proven.
            strict: the scope leaves other projects out; of one with projects of which none may be seen nothing is left.
            conditions: what every chunk must meet; then statements name no further file.
            in_hand: the project whose files count a little more.
            most_files: how many of the best files are read.

        Raises:
            StoreError, ModelError: a part is out of reach.
        """
        if not permission:
            return []
        given = scope or Scope()
        scope, strict = given.within(permission), strict and bool(given.names)
        if strict and not scope.names:
            return []
        key = (question.text, permission, scope.ranked, scope.files, strict, conditions, in_hand, most_files)
        search = partial(self._search, question, permission, scope, strict, conditions, in_hand)
        return await self._searches.do(key, partial(search, most_files))

    async def routes(self, question: ParsedQuestion) -> tuple[str, ...]:
        """The named vectors a question is searched by: no dense ones without a model, no sparse one without terms."""
        if question.text not in self._sent:  # the search that it is asked of is over, and others have begun
            vectors = QueryVectors(await self._dense_vectors(question.text), await self._terms(question.parts[0]))
            self._remember(question, vectors)
        return self._sent[question.text]

    def _remember(self, question: ParsedQuestion, vectors: QueryVectors) -> None:
        if len(self._sent) >= _SENT:
            self._sent.clear()
        self._sent[question.text] = (*vectors.dense, *((SPARSE_LEXICAL,) if vectors.sparse.indices else ()))

    def statements(
        self,
        question: ParsedQuestion,
        permission: frozenset[str],
        between: frozenset[str] = frozenset(),
        limit: int = _STATEMENTS,
    ) -> list[FoundStatement]:
        """The relations that the question speaks of, best first, so many at most; between: only those of these projects
        with others.
        """
        if self._statements is None:
            return []
        key = (question.text, permission, between, limit)
        if key not in self._found:
            terms = self._words.terms(question.text)
            weights = self._words.statement_weights(question, permission)
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            self._found[key] = self._statements.search(terms, permission, weights=weights, between=between, limit=limit)
        return self._found[key]

    def reading(self, question: ParsedQuestion, permission: frozenset[str]) -> Callable[[str], Mapping[int, float]]:
        """What a text holds of a question: the terms, each with how rare it is within the permission."""
        return self._words.reading(question, permission)

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
        queries = near(QueryVectors(fields, SparseVector((), ())), limit, places_only=False)
        answers = await self._store.query_batch(queries, permission=permission)
        found = {hit.chunk.id: hit for hits in answers for hit in hits}  # two legs may be one vector of theirs
        least = self.settings.min_score
        return [hit for hit in ranked(list(found.values()))[:limit] if least is None or hit.score >= least]

    def unknown_words(self, question: ParsedQuestion, permission: frozenset[str]) -> UnknownWords:
        """What of the question occurs nowhere within the permission."""
        return self._words.unknown(question, permission)

    def spellings(self, question: ParsedQuestion, permission: frozenset[str]) -> dict[str, str]:
        """The misspelt identifiers of the question, each with the one that is meant, of what may be seen."""
        return self._words.spellings(question, permission)

    async def _search(
        self,
        question: ParsedQuestion,
        permission: frozenset[str],
        scope: Scope,
        strict: bool,  # noqa: FBT001 - private
        conditions: tuple[Condition, ...],
        in_hand: str | None,
        most_files: int,
    ) -> list[Candidate]:
        sparse, *others = await self._terms_of(question.parts)
        parts = self._words.parts(question, [vector.indices for vector in (sparse, *others)], permission)
        within = (*conditions, Condition("project", any_of=scope.names)) if strict else conditions
        vectors = QueryVectors(await self._dense_vectors(question.text), sparse)
        queries = near(vectors, self.settings.candidates, within)
        self._remember(question, vectors)
        messages = self._words.messages(question, permission)
        looked_for = [
            VectorQuery(SPARSE_LEXICAL, SparseVector(one.terms, (1.0,) * len(one.terms)), DEPTH, within)
            for one in messages
        ]
        answers = await self._store.query_batch([*queries, *looked_for], permission=permission)
        visible = frozenset(scope.names) if strict else permission
        spoken = [] if conditions else self.statements(question, permission)
        named = () if conditions else self._named_files(question, visible)
        ranking = rank_files(
            {query.using: hits for query, hits in zip(queries, answers, strict=False)},
            Proof.of(spoken, (*scope.files, *named), visible),
            self.settings,
            embedded=self.embedded(permission),
            comparable=self._embedders[DENSE_CODE] is self._dense,
            in_hand=in_hand,
            scope=frozenset(() if strict else scope.names),
            quoting=quoting_chunks([*zip(messages, answers[len(queries) :], strict=True)]),
            asks_for=self._words.asks_for(question),
            introducing=() if conditions else self._introducing(question, visible),
            most=most_files,
        )
        return await read_candidates(self._store, self._models, ranking, vectors, parts, scope, permission)

    def _named_files(self, question: ParsedQuestion, projects: frozenset[str]) -> list[EvidenceFile]:
        """The files that the question names, but for a name that many have."""
        found = (self._files_called(path, projects) for path in question.named_paths)
        return [EvidenceFile(*file) for files in found if len(files) <= _MOST_CALLED for file in files]

    def _introducing(self, question: ParsedQuestion, projects: frozenset[str]) -> list[tuple[str, str]]:
        """What in their roots tells what the projects are that a question names and asks nothing of."""
        own = projects.intersection(question.projects)
        found = (file for name in sorted(question.introductions) for file in self._files_called(name, own))
        return [file for file in found if "/" not in file[1]]

    async def _terms_of(self, texts: Sequence[str]) -> list[SparseVector]:
        """The words of each, all at the same time."""
        found: dict[str, SparseVector] = {}

        async def ask(text: str) -> None:
            found[text] = await self._terms(text)

        if len(texts) == 1:
            return [await self._terms(texts[0])]
        await together(partial(ask, text) for text in texts)
        return [found[text] for text in texts]

    async def _dense_vectors(self, query: str) -> dict[str, DenseVector]:
        """One a field; two models are asked at the same time."""
        found: dict[DenseEmbedder, DenseVector] = {}

        async def ask(embedder: DenseEmbedder) -> None:
            for vector in await embedder.embed_queries([query]):  # none where there is no model
                found[embedder] = vector.tolist()

        await together(partial(ask, embedder) for embedder in dict.fromkeys(self._embedders.values()))
        return {using: found[embedder] for using, embedder in self._embedders.items() if embedder in found}
