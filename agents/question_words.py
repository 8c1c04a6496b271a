"""`QuestionWords`: what a question's words weigh within a permission, and which of them occur nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from agents.mentions import words_of
from memory.embedders import Bm25Sparse
from memory.embedders.port import SparseEmbedder
from memory.text import split_identifier
from memory.vocabulary import UnknownWords, Words

__all__ = ["QuestionWords"]

_REMEMBERED: Final = 8
"""Questions whose words are remembered: the search and the verdict ask for the same one."""


class QuestionWords:
    """Reads questions by the index's own vocabulary.

    sparse: the index's embedder; vocabulary: how rare words are (None: all alike, and every word is taken as known);
    has_file: whether a file of these projects is called so.
    """

    def __init__(
        self, sparse: SparseEmbedder, vocabulary: Words | None, has_file: Callable[[str, frozenset[str]], bool]
    ) -> None:
        self._are_of_index = sparse.model == Bm25Sparse.model
        self._bm25 = sparse if self._are_of_index else Bm25Sparse()
        self._vocabulary = vocabulary
        self._has_file = has_file
        self._unknown: dict[tuple[str, frozenset[str]], UnknownWords] = {}

    def terms(self, query: str) -> dict[str, int]:
        """The question's words and the ids of their BM25 terms, whichever terms the index is made of."""
        return self._bm25.terms(query)

    def weights(self, terms: Iterable[int], permission: frozenset[str]) -> dict[int, float]:
        """How rare each term of the index is within the permission."""
        ids = sorted(set(terms))
        return self._vocabulary.weights(ids, permission) if self._vocabulary else dict.fromkeys(ids, 1.0)

    def statement_weights(self, terms: Iterable[int], permission: frozenset[str]) -> dict[int, float] | None:
        """What BM25 terms weigh in the index; None where it is made of other terms, which say nothing of these."""
        return self.weights(terms, permission) if self._are_of_index else None

    def unknown(self, query: str, permission: frozenset[str]) -> UnknownWords:
        """What of the question occurs nowhere within the permission: names as they are joined, ordinary words."""
        if (query, permission) not in self._unknown:
            if len(self._unknown) >= _REMEMBERED:
                self._unknown.clear()
            self._unknown[query, permission] = self._read(query, permission)
        return self._unknown[query, permission]

    def _read(self, query: str, permission: frozenset[str]) -> UnknownWords:
        if self._vocabulary is None or not self._are_of_index:
            return UnknownWords()
        own = self.terms(query)
        weights = self.weights(own.values(), permission)
        known = self._vocabulary.known(weights, permission)
        names: dict[str, float] = {}
        ordinary = 0.0
        for word, is_name in words_of(query).items():
            terms = list(self.terms(word).values())
            if not terms or terms[0] in known:
                continue
            if is_name and not (self._has_file(word, permission) or self._is_known(self._vocabulary, word, permission)):
                names[word] = sum(weights.get(term, 0.0) for term in terms if term not in known)
            elif not is_name and not known.intersection(terms):
                ordinary += sum(weights.get(term, 0.0) for term in terms)
        total = sum(weights.values())
        rest = total - ordinary
        return UnknownWords(
            names=tuple(names),
            share=sum(names.values()) / rest if rest > 0 else 0.0,
            ordinary=ordinary / total if total > 0 else 0.0,
            weights={word: weights[term] for word, term in own.items()},
        )

    def _is_known(self, vocabulary: Words, name: str, permission: frozenset[str]) -> bool:
        """Whether each member of a dotted name or a path occurs, `payment-service` also as `paymentservice`."""
        for member in filter(None, name.replace("/", ".").split(".")):
            parts = split_identifier(member)
            spellings = {member, "".join(parts), "_".join(parts)}
            terms = [next(iter(self.terms(spelling).values()), 0) for spelling in spellings if spelling]
            if not vocabulary.known(terms, permission):
                return False
        return True
