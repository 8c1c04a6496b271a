"""What every dense embedder has to do. A suite inherits it and has a fixture `embedder` that understands words."""

from __future__ import annotations

import numpy as np

TEXTS = ["payment gateway retry policy", "cat sun garden", "orders wait for the payment"]


class DenseEmbedderContract:
    """The fixture is what users hold: it may be remote, local or a fake."""

    async def test_vectors_are_of_its_dimension_and_of_unit_length(self, embedder):
        for embed in (embedder.embed_documents, embedder.embed_queries):
            found = await embed(TEXTS)
            assert (found.shape, found.dtype) == ((3, embedder.dimension), np.float32)
            np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-5)

    async def test_they_come_in_the_order_of_the_texts(self, embedder):
        for embed in (embedder.embed_documents, embedder.embed_queries):
            together, apart = await embed(TEXTS), [await embed([text]) for text in TEXTS]
            np.testing.assert_allclose(together, np.concatenate(apart), atol=1e-4)

    async def test_a_text_twice_has_one_vector(self, embedder):
        for embed in (embedder.embed_documents, embedder.embed_queries):
            first, other, again = await embed([TEXTS[0], TEXTS[1], TEXTS[0]])
            np.testing.assert_allclose(first, again, atol=1e-5)
            assert not np.allclose(first, other)

    async def test_no_text_has_no_vector(self, embedder):
        assert (await embedder.embed_documents([])).shape == (0, embedder.dimension)
        assert (await embedder.embed_queries([])).shape == (0, embedder.dimension)

    async def test_a_question_is_near_what_answers_it(self, embedder):
        (asked,) = await embedder.embed_queries(["how does the payment gateway retry"])
        near, far, _ = await embedder.embed_documents(TEXTS)
        assert asked @ near > asked @ far + 0.1

    async def test_a_question_by_many_at_once_is_the_same(self, embedder):
        many = [f"{text} {number}" for number in range(50) for text in TEXTS]
        np.testing.assert_allclose(
            (await embedder.embed_queries(many))[149:], await embedder.embed_queries(many[149:]), atol=1e-4
        )

    async def test_it_says_its_name(self, embedder):
        assert embedder.model
