from __future__ import annotations

import numpy as np
import pytest

from memory.embedders import FakeDenseEmbedder, FakeSource, FakeSparseEmbedder
from tests.contracts.dense_embedder import DenseEmbedderContract


class TestFakeDenseEmbedder(DenseEmbedderContract):
    @pytest.fixture
    def embedder(self):
        return FakeDenseEmbedder(64)


async def test_related_texts_are_near_and_vectors_are_of_unit_length():
    fake = FakeDenseEmbedder(128)
    asked = (await fake.embed_queries(["how does PaymentGateway retry"]))[0]
    near, far, nothing = await fake.embed_documents(["payment gateway retry policy", "cat sun garden", ""])
    assert asked @ near > asked @ far + 0.3
    assert np.linalg.norm([near, far, nothing], axis=1) == pytest.approx(1.0)
    assert (fake.dimension, fake.model) == (128, "fake-bag-of-words")


def test_words_that_cancel_each_other_still_give_a_unit_vector():
    encode = FakeSource(dimension=1).load()
    vectors = encode([f"{one} {two}" for one in "abcdef" for two in "ghijkl"])
    assert np.abs(vectors) == pytest.approx(1.0)


def test_sizes_have_cache_keys_of_their_own():
    assert FakeSource(3).cache_key != FakeSource(4).cache_key


def test_sparse_counts_words_and_names_them():
    fake = FakeSparseEmbedder()
    terms = fake.terms("PaymentGateway pays")
    assert list(terms) == ["paymentgateway", "payment", "gateway", "pays"]
    document = fake.embed_document("pays pays Pays gateway")
    assert dict(zip(document.indices, document.values, strict=True)) == {terms["pays"]: 3.0, terms["gateway"]: 1.0}
    query = fake.embed_query("pays pays gateway")
    assert (sorted(query.indices), query.values) == (sorted([terms["pays"], terms["gateway"]]), (1.0, 1.0))
