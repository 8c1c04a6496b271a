"""`SpladeSparse`: SPLADE++ by fastembed, a model that weighs the words of a text and those that belong to them.

    weight(t) = max over the text's tokens i of log(1 + ReLU(logit(i, t)))

T. Formal, C. Lassance, B. Piwowarski, S. Clinchant: From Distillation to Hard Negative Sampling: Making Sparse Neural
IR Models More Effective (SIGIR 2022). log(1 + ReLU) grows with its argument, so the maximum is taken first: the same
numbers without a logarithm for each token and term, which is most of fastembed's own time.

A vocabulary of word pieces does not know a name as a whole. So an identifier is one more term, above the vocabulary:
which says whether it occurs anywhere, and finds exactly it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from memory.embedders.fastembed_dense import FastEmbedModel
from memory.text import identifiers, split_identifier
from memory.vector.port import SparseVector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NAMES = 1 << 20  # term ids from here on are names'
_REMEMBERED = 1024


class SpladeSparse(FastEmbedModel):
    """A sparse embedder on a fastembed model.

    Blocking, like any model: call it in a thread. The last queries are remembered. Raises ModelError.
    """

    kind = "fastembed:SparseTextEmbedding"
    what = "sparse model"
    setting = "vector.sparse_model"
    is_model = True

    def embed_document(self, text: str) -> SparseVector:
        return self._vector(text)

    def embed_query(self, text: str) -> SparseVector:
        """As a document: both sides are weighed by the model."""
        return self._query(text)

    def terms(self, text: str) -> dict[str, int]:
        """Names as a whole, then the word pieces of the text that the model gives a weight."""
        weighed = set(self.embed_query(text).indices)
        terms = {name: _name_id(name) for name in _names(text)}
        if text.strip():
            encoding = self._model().model.tokenizer.encode(_in_words(text), add_special_tokens=False)
            pieces = zip(encoding.tokens, encoding.ids, strict=True)
            terms |= {token: index for token, index in pieces if index in weighed}
        return terms

    @cached_property
    def _query(self) -> Callable[[str], SparseVector]:
        return lru_cache(_REMEMBERED)(self._vector)

    def _vector(self, text: str) -> SparseVector:
        if not text.strip():
            return SparseVector((), ())
        scores = self._scores(_in_words(text))
        indices = scores.nonzero()[0].tolist()
        names = sorted({_name_id(name) for name in _names(text)})
        strongest = float(scores.max(initial=0.0)) or 1.0
        return SparseVector((*indices, *names), (*scores[indices].tolist(), *[strongest] * len(names)))

    def _scores(self, text: str) -> NDArray[np.float32]:
        """The weight of every term of the vocabulary."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        output = self._model().model.onnx_embed([text])
        logits, mask = output.model_output[0], output.attention_mask[0].astype(bool)
        return np.asarray(np.log1p(np.maximum(logits[mask].max(axis=0), 0.0)), dtype=np.float32)


def _in_words(text: str) -> str:
    """The text with its identifiers as the words that they are made of."""
    for name in sorted(identifiers(text), key=len, reverse=True):
        text = text.replace(name, " ".join(split_identifier(name)))
    return text


def _names(text: str) -> list[str]:
    return [name.casefold().replace(".", "_").replace("-", "_") for name in identifiers(text)]


def _name_id(name: str) -> int:
    """A number above the vocabulary, the same in every process."""
    import mmh3  # noqa: PLC0415 - only who embeds needs it

    return _NAMES + mmh3.hash(name, signed=False) % (1 << 30)
