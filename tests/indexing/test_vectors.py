from __future__ import annotations

from dataclasses import replace

from indexing import IndexRequest
from tests.organisation import CONFIG, FiledStores, FiledVectors, indexer, write

TEXT_FIRST = replace(CONFIG, indexing=replace(CONFIG.indexing, publish_text_first_above=2, workers=0))


class Watched(FiledVectors):
    """A store that tells the others that it is open, and keeps in mind who else was when it was written to."""

    def __init__(self, path, stores):
        super().__init__(path)
        self.stores = stores
        stores.open.append(self)

    async def upsert(self, points):
        self.stores.beside.append(len(self.stores.open) - 1)
        await super().upsert(points)

    async def close(self):
        self.stores.open.remove(self)
        await super().close()


class WatchedStores(FiledStores):
    def __init__(self):
        self.open, self.beside = [], []

    def open_vectors(self, path, vectors, namespace, *, copied):
        return Watched(path, self)


async def test_what_waits_for_vectors_is_read_and_let_go_of_before_it_is_written_anew(tmp_path):
    """An engine keeps what it read mapped until it is closed, and sealing is when memory is at its peak (0033)."""
    stores = WatchedStores()
    org = write(tmp_path / "org")
    report = await indexer(tmp_path / "data", TEXT_FIRST, stores=stores, embed_at_once=2).run(
        IndexRequest([org], each=True), holder="x"
    )
    assert report.embedded == 1
    assert set(stores.beside) == {0}
    assert stores.open == []
    assert len(stores.beside) == 2 + 3  # two projects' text, then all of it with vectors in three lots
