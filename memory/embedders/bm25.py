"""`Bm25Sparse`: `Qdrant/bm25` as fastembed computes it, on text whose identifiers are spelled out.

fastembed's `Bm25` cannot be made without either a download or a folder given for one, and importing fastembed takes
0.5-1.3 s, which a question asked from a cold start cannot pay for a tokenizer, a stemmer and a hash. So the model is
built from the same parts (Snowball stemmer, Murmur3, the formula below); a test holds it equal to fastembed's on plain
text.

    weight(t, d) = f(t, d) (k + 1) / (f(t, d) + k (1 - b + b |d| / avg_len))        k = 1.2, b = 0.75, avg_len = 256

IDF is the store's. Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
Two departures, both for identifiers: tokens of up to 80 characters count (fastembed: 40), and a token with an
underscore is a name, so it is not stemmed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from memory.embedders.english import ENGLISH, stemmer
from memory.text import expand
from memory.vector.port import SparseVector

_WORD = re.compile(r"\w+")
_K = 1.2
_B = 0.75
_AVERAGE_LENGTH = 256.0
_MAX_CHARS = 80


class Bm25Sparse:
    """The sparse embedder of the default profile. Term ids are Murmur3 of the stem: the same in every index."""

    model = "Qdrant/bm25"
    is_model = False

    def __init__(self) -> None:
        import mmh3  # noqa: PLC0415 - only who embeds needs it

        self._stem: Callable[[str], str] = lru_cache(maxsize=50_000)(stemmer())
        self._hash: Callable[[str], int] = mmh3.hash

    def embed_document(self, text: str) -> SparseVector:
        ids = self.token_ids(text)
        norm = _K * (1 - _B + _B * len(ids) / _AVERAGE_LENGTH)
        counts = sorted(Counter(ids).items())
        return SparseVector(
            tuple(id_ for id_, _ in counts), tuple(count * (_K + 1) / (count + norm) for _, count in counts)
        )

    def embed_query(self, text: str) -> SparseVector:
        ids = sorted({id_ for _, id_ in self._tokens(text)})
        return SparseVector(tuple(ids), (1.0,) * len(ids))

    def token_ids(self, text: str) -> list[int]:
        """The term id of each token that counts, in the order they stand, repeated as they are."""
        return [id_ for _, id_ in self._tokens(text)]

    def terms(self, text: str) -> dict[str, int]:
        """Words as they were before stemming; an identifier's own token comes before its parts."""
        return dict(self._tokens(text))

    def _tokens(self, text: str) -> list[tuple[str, int]]:
        words = _WORD.findall(expand(text).lower())
        kept = [word for word in words if word not in ENGLISH and len(word) <= _MAX_CHARS and word.strip("_")]
        return [(word, abs(self._hash(word if "_" in word else self._stem(word)))) for word in kept]
