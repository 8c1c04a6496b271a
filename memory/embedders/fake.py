"""Embedders without a model: deterministic, in no time, related texts near each other. For tests, ours and users'."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.embedders.local import LocalDense
from memory.text import expand
from memory.vector.port import SparseVector

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.local import Encode


@dataclass(frozen=True, slots=True)
class FakeSource:
    """A bag of words: each word of a text (identifiers split) adds ±1 at a place its hash gives; then unit length."""

    dimension: int = 64
    model: str = "fake-bag-of-words"

    @property
    def cache_key(self) -> str:
        return f"{self.model}:{self.dimension}"

    def load(self) -> Encode:
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        def encode(texts: Sequence[str]) -> NDArray[np.float32]:
            vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
            for row, text in enumerate(texts):
                for word in _words(text) or [""]:
                    number = _number(word)
                    vectors[row, number % self.dimension] += 1 if number >> 30 & 1 else -1
                if not vectors[row].any():  # its words cancelled each other
                    vectors[row, 0] = 1
            return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

        return encode


class FakeDenseEmbedder(LocalDense):
    """A `DenseEmbedder` without a model; texts that share words have a high cosine."""

    def __init__(self, dimension: int = 64) -> None:
        super().__init__(FakeSource(dimension))


class FakeSparseEmbedder:
    """A `SparseEmbedder` that counts words: no stop words, no stemming, no lengths."""

    model = "fake-counts"
    is_model = False

    def embed_document(self, text: str) -> SparseVector:
        counts = sorted(Counter(map(_number, _words(text))).items())
        return SparseVector(tuple(id_ for id_, _ in counts), tuple(float(count) for _, count in counts))

    def embed_query(self, text: str) -> SparseVector:
        ids = sorted(set(self.terms(text).values()))
        return SparseVector(tuple(ids), (1.0,) * len(ids))

    def terms(self, text: str) -> dict[str, int]:
        return {word: _number(word) for word in _words(text)}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", expand(text).casefold())


def _number(word: str) -> int:
    """31 bits, the same in every process."""
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=4).digest(), "big") & 0x7FFFFFFF
