"""004's components one after the other are what its pipeline does."""

from __future__ import annotations

import pytest

from facades.book import Query, QueryEmbedder, ResultFormatter, RetrievalPipeline, VectorRetriever
from memory.clock import VirtualClock
from tests.facades.shelves import BOOK, filled

QUESTION = "What are behavior trees for task planning?"


@pytest.mark.specification("004 §1 components")
async def test_one_after_the_other():
    store, embedder = await filled("book", BOOK)
    pipeline = RetrievalPipeline("", "", "", embedder=embedder, store=store, clock=VirtualClock())
    vector = await pipeline.embedder.embed(QUESTION)
    hits = await pipeline.retriever.retrieve(vector, 3)
    response = await pipeline.aquery(QUESTION, 3, 0.1)
    assert (len(vector), len(hits)) == (1024, 3)
    assert ResultFormatter.format(hits, Query(QUESTION, VirtualClock().now(), 3, 0.1)) == response
    assert isinstance(pipeline.embedder, QueryEmbedder)
    assert isinstance(pipeline.retriever, VectorRetriever)
    with pytest.raises(ValueError, match="empty"):
        await pipeline.embedder.embed(" ")
