from __future__ import annotations

from datetime import UTC, datetime

import pytest

from facades.shelf import index_folder
from memory.embedders import FakeDenseEmbedder
from memory.errors import InvalidInputError
from memory.text import estimate_tokens
from memory.vector import DENSE_DOCS, FakeVectorStore, VectorQuery
from tests.facades.shelves import MADE, PAGES


async def listed(store, project="book"):
    [hits] = await store.query_batch([VectorQuery("", None, 100)], permission=frozenset({project}))
    return hits


async def test_a_page_s_chunks_carry_their_place_in_it(tmp_path):
    (tmp_path / "one.md").write_text(f"# A\n\n{'first ' * 200}\n\n# B\n\n{'second ' * 200}\n", encoding="utf-8")
    (tmp_path / "two.txt").write_text("Short.\n", encoding="utf-8")
    (tmp_path / "code.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "empty.md").write_text("", encoding="utf-8")
    (tmp_path / "broken.md").write_bytes(b"\xff\x00\xff")
    store, embedder = FakeVectorStore(), FakeDenseEmbedder(32)
    assert await index_folder(tmp_path, store, embedder, project="book", now=MADE) == ["one.md", "two.txt"]
    hits = sorted(await listed(store), key=lambda hit: (hit.chunk.path, hit.chunk.start_line))
    assert [
        (hit.chunk.path, hit.chunk.section, hit.extra["chunk_index"], hit.extra["total_chunks"]) for hit in hits
    ] == [
        ("one.md", "A", 0, 2),
        ("one.md", "B", 1, 2),
        ("two.txt", "", 0, 1),
    ]
    for hit in hits:
        assert hit.extra["chunk_sequence"] == hit.extra["chunk_index"]
        assert hit.extra["token_count"] == estimate_tokens(hit.chunk.text)
        assert hit.extra["processing_timestamp"] == "2025-12-22T10:30:00+00:00"


async def test_a_chunk_is_found_by_its_own_text():
    store, embedder = FakeVectorStore(), FakeDenseEmbedder(256)
    paths = await index_folder(PAGES, store, embedder, project="book")
    assert len(paths) == 10
    for hit in await listed(store):
        vector = (await embedder.embed_queries([hit.chunk.text]))[0].tolist()
        [found] = await store.query_batch([VectorQuery(DENSE_DOCS, vector, 1)], permission=frozenset({"book"}))
        assert found[0].score == pytest.approx(1.0, abs=1e-5)
        assert found[0].chunk.text == hit.chunk.text


async def test_a_folder_without_documents_is_told(tmp_path):
    with pytest.raises(InvalidInputError) as met:
        await index_folder(tmp_path, FakeVectorStore(), FakeDenseEmbedder(8), project="book")
    assert (met.value.message, met.value.hint) == (
        f"There are no documents in {tmp_path}.",
        "Name a folder with Markdown files.",
    )


@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.adoc", "a.txt"])
async def test_what_documents_are(tmp_path, name):
    (tmp_path / name).write_text(("word " * 40 + "\n\n") * 20, encoding="utf-8")  # 4,040 characters
    store = FakeVectorStore()
    assert await index_folder(tmp_path, store, FakeDenseEmbedder(8), project="book") == [name]
    hits = await listed(store)
    assert {hit.chunk.path for hit in hits} == {name}
    assert max(len(hit.chunk.text) for hit in hits) <= 1500
    assert len(hits) >= 3
    assert {hit.extra["total_chunks"] for hit in hits} == {len(hits)}
    made = {datetime.fromisoformat(hit.extra["processing_timestamp"]) for hit in hits}
    assert len(made) == 1  # of all of them
    assert made.pop().tzinfo is UTC


async def test_a_file_too_large_to_be_written_by_hand_is_left_out(tmp_path):
    (tmp_path / "large.md").write_text("x" * 1_000_001, encoding="utf-8")
    (tmp_path / "page.md").write_text("word " * 20, encoding="utf-8")
    assert await index_folder(tmp_path, FakeVectorStore(), FakeDenseEmbedder(8), project="book") == ["page.md"]
