"""Two dense models: documents are searched with the one, code with the other, and their cosines are not compared."""

from __future__ import annotations

import anyio
import pytest

from agents import HybridSearch
from configs.settings import VectorSettings
from memory.embedders import FakeDenseEmbedder, FakeSparseEmbedder
from memory.errors import ModelError
from memory.question import read_question
from memory.vector import DENSE_CODE, DENSE_DOCS, FakeVectorStore, Point
from tests.agents.library import EVERYONE, ROWS, chunk


class Named(FakeDenseEmbedder):
    """The fake under another name; `down` makes it fail."""

    def __init__(self, model, dimension, *, down=False):
        super().__init__(dimension)
        self.model = model
        self.asked = []
        self.down = down

    async def embed_queries(self, texts):
        self.asked.extend(texts)
        if self.down:
            raise ModelError(f"{self.model} is out of reach.")
        return await super().embed_queries(texts)


async def library(**changes):
    store, docs, code = FakeVectorStore(), Named("words", 64), Named("symbols", 48, **changes)
    points = []
    for row in ROWS:
        one = chunk(*row)
        field, embedder = (DENSE_DOCS, docs) if one.corpus == "docs" else (DENSE_CODE, code)
        vector = (await embedder.embed_documents([one.text]))[0].tolist()
        points.append(Point(one, FakeSparseEmbedder().embed_document(one.text), {field: vector}))
    await store.upsert(points)
    return HybridSearch(store, docs, FakeSparseEmbedder(), VectorSettings(), code=code), docs, code


async def test_each_field_is_asked_with_its_own_model():
    search, docs, code = await library()
    found = await search.search(read_question("Which key do customers have?"), EVERYONE)
    assert docs.asked == code.asked == ["Which key do customers have?"]
    best = {(one.chunk.project, one.chunk.path): one for one in reversed(found)}  # a file's best brings its vector
    assert {one.chunk.corpus: (one.model, len(one.dense)) for one in best.values()} == {
        "docs": ("words", 64),
        "code": ("symbols", 48),
    }


async def test_each_models_cosines_are_divided_by_their_own_maximum():
    search, _, _ = await library()
    found = await search.search(
        read_question("def millimetres(inches) return inches"), frozenset({"weather", "billing"})
    )
    scores = {one.chunk.path: one.score for one in found}
    assert scores["rain.py"] == 1
    best_of_docs = max(one.score for one in found if one.chunk.corpus == "docs")
    assert best_of_docs >= 0.45  # the whole dense share, however low its cosine, times what documents count


async def test_one_model_is_asked_once():
    dense = Named("words", 64)
    search = HybridSearch(FakeVectorStore(), dense, FakeSparseEmbedder(), VectorSettings(), code=dense)
    assert await search.search(read_question("anything"), EVERYONE) == []
    assert dense.asked == ["anything"]


async def test_a_model_out_of_reach_is_its_own_error_and_no_group():
    search, _, _ = await library(down=True)
    with pytest.raises(ModelError, match="symbols is out of reach"), anyio.fail_after(300):
        await search.search(read_question("anything"), EVERYONE)
