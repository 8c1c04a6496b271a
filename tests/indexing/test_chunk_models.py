"""Documents and code each go to their model, by file and place; progress is of the whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from indexing.chunk_models import ChunkModels
from indexing.points import embedded_text
from memory.embedders import EmbeddingCache, FakeSource, HostedDense, text_key
from tests.agents.library import ROWS, chunk
from tests.memory.embedders.counted import Provider

DOCS, CODE = FakeSource(8, "words"), FakeSource(6, "symbols")
CHUNKS = [chunk(*row) for row in ROWS]  # four of documents, three of code


@pytest.fixture
def cache(tmp_path):
    return EmbeddingCache(tmp_path / "cache.sqlite")


async def test_each_corpus_has_its_model(cache):
    steps = []
    found = await ChunkModels(DOCS, CODE).embed(
        CHUNKS, cache, workers=0, progress=lambda done, total: steps.append((done, total))
    )
    for one in CHUNKS:
        source = DOCS if one.corpus == "docs" else CODE
        assert found[one.id].tolist() == source.load()([embedded_text(one)])[0].tolist()
    assert steps == [(0, 7), (4, 7), (4, 7), (7, 7)]  # four of documents, then three of code


async def test_one_model_embeds_all(cache):
    found = await ChunkModels(DOCS).embed(CHUNKS, cache, workers=0)
    assert {len(vector) for vector in found.values()} == {8}
    assert found.keys() == {one.id for one in CHUNKS}
    assert await ChunkModels(DOCS, CODE).embed([], cache, workers=0) == {}


async def test_what_is_known_is_known_of_each(cache):
    models = ChunkModels(DOCS, CODE)
    assert models.known(CHUNKS, cache) == {}
    made = await models.embed(CHUNKS[2:5], cache, workers=0)
    known = models.known(CHUNKS, cache)
    assert known.keys() == made.keys()
    assert {id_: vector.tolist() for id_, vector in known.items()} == {id_: v.tolist() for id_, v in made.items()}
    assert ChunkModels(FakeSource(9, "words"), CODE).known(CHUNKS, cache).keys() == {CHUNKS[3].id}


def test_keys_of_models_that_read_texts_alone_are_the_texts_own():
    keys = ChunkModels(DOCS, CODE).keys(CHUNKS)
    assert keys == {one.id: text_key(embedded_text(one)) for one in CHUNKS}


async def test_the_chunks_of_a_file_are_read_together_in_whatever_order_they_come(cache):
    schema = [one for one in CHUNKS if (one.project, one.path) == ("billing", "docs/schema.md")]
    other = replace(schema[0], id="0", project="auth")
    provider = Provider(in_context=True, texts=99, tokens=9999, document_tokens=9999)
    models = ChunkModels(HostedDense(provider), CODE)
    found = await models.embed([schema[1], other, schema[0]], cache, workers=0)
    first, second = map(embedded_text, schema)
    assert provider.requests == [[[embedded_text(other)], [first, second]]]
    assert provider.closed == 1
    again = await models.embed([*schema, other], cache, workers=0)
    assert (len(provider.requests), provider.closed) == (1, 2)
    assert {id_: vector.tolist() for id_, vector in again.items()} == {id_: v.tolist() for id_, v in found.items()}
    own = len(first) / (len(first) + len(second))  # the vector before it was made unit length: (first, both)
    assert found[schema[0].id][0] / found[schema[0].id][1] == pytest.approx(own)
    assert models.keys(schema)[schema[0].id] != text_key(first)
