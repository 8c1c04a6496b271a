"""A few chunks of a few projects in a fake store: what the searching agents' tests ask about."""

from __future__ import annotations

import hashlib
import uuid

from memory.embedders import FakeDenseEmbedder, FakeSparseEmbedder
from memory.embedders.port import SparseEmbedder
from memory.vector import DENSE_CODE, DENSE_DOCS, Chunk, FakeVectorStore, Point

ROWS = [
    ("billing", "CLAUDE.md", 1, "docs", "Every migration needs two reviewers before noon.", ""),
    ("billing", "docs/schema.md", 1, "docs", "The customers table uses a random uuid key.", ""),
    ("billing", "docs/schema.md", 4, "docs", "The invoices table references customers by uuid.", ""),
    ("billing", "billing/models.py", 1, "code", "class Customer: __tablename__ = 'customers'", "Customer"),
    ("auth", "docs/schema.md", 1, "docs", "The customers table uses the mail address as key.", ""),
    ("weather", "rain.py", 1, "code", "def millimetres(inches): return inches * 25.4", "millimetres"),
    ("weather", "docker-compose.yaml", 1, "code", "services: rain ports 8080", ""),
]
EVERYONE = frozenset({"billing", "auth", "weather"})


def chunk(project: str, path: str, line: int, corpus: str, text: str, symbol: str) -> Chunk:
    return Chunk(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{project}/{path}:{line}")),
        project=project,
        repo=project,
        path=path,
        commit="",
        corpus=corpus,
        lang="md" if corpus == "docs" else "python",
        chunk_kind="doc" if corpus == "docs" else "code",
        symbol=symbol,
        section="Schema" if corpus == "docs" else "",
        start_line=line,
        end_line=line + 1,
        text=text,
        header=f"{project} {path}",
        text_hash=hashlib.sha256(text.encode()).hexdigest(),
    )


async def library(rows=ROWS, sparse=None) -> tuple[FakeVectorStore, FakeDenseEmbedder, SparseEmbedder]:
    store, dense, sparse = FakeVectorStore(), FakeDenseEmbedder(), sparse or FakeSparseEmbedder()
    points = []
    for row in rows:
        one = chunk(*row)
        vector = (await dense.embed_documents([one.text]))[0]
        field = DENSE_DOCS if one.corpus == "docs" else DENSE_CODE
        points.append(Point(one, sparse.embed_document(one.text), {field: vector.tolist()}))
    await store.upsert(points)
    return store, dense, sparse
