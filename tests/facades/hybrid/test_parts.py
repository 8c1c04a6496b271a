"""What a data folder is opened to, and every key that a caller may read, on a chunk and on what the graph says."""

from __future__ import annotations

import os
import uuid
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from facades.hybrid.parts import Document, RetrievalResult, document_of, graph_document, open_retriever_parts
from facades.hybrid_retriever import HybridRetriever
from memory.embedders import FakeDenseEmbedder
from memory.observations import Location
from memory.rerankers import FakeReranker
from memory.vector import Hit
from tests.contracts.vector_store import make_chunk
from tests.facades.hybrid.making import relation
from tests.memory.vector.edge_http_front import EdgeHttpFront
from tests.organisation import CONFIG, index, write
from tests.wiring.test_qdrant_stores import COLLECTION, Place
from wiring.models import Models

CHUNK = make_chunk("physics", "src/gate.py", 3, symbol="QuantumGate", lang="python", corpus="code", chunk_kind="code")
WRITTEN = {("physics", "src/gate.py"): "2025-08-19T10:00:00+00:00"}


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.specification("003 §5 document")
async def test_projects_models_and_the_times_of_the_files(tmp_path):
    folder = write(tmp_path / "org")
    changed = folder / "harbour/harbour/mooring.py"
    os.utime(changed, ns=(1_755_597_600_999_999_999,) * 2)  # 2025-08-19T10:00:00 and all but a second more
    await index(tmp_path / "data", folder, each=True)
    config = replace(CONFIG, max_observations_per_agent=1)
    models, fake = Models.of(FakeDenseEmbedder()), FakeReranker()
    async with open_retriever_parts(tmp_path / "data", config, dense=replace(models, reranker=fake)) as parts:
        assert "harbour" in parts.projects
        when = parts.written["harbour", "harbour/mooring.py"]
        assert datetime.fromisoformat(when) == datetime(2025, 8, 19, 10, 0, tzinfo=UTC)
        assert when.endswith("+00:00")
        assert parts.reranker is fake
        assert (parts.images, parts.image_texts) == (None, None)
        assert parts.code is parts.docs


@pytest.mark.specification("003 REQ-0047 store")
@pytest.mark.allow_hosts(["127.0.0.1"])
async def test_what_is_found_is_the_same_in_process_and_on_a_server(tmp_path):
    write(tmp_path / "projects")
    await index(tmp_path / "embedded", tmp_path / "projects", each=True)
    found = []
    with EdgeHttpFront(str(tmp_path / "front"), collection=COLLECTION) as front:
        there = Place(tmp_path, front)
        await there.index()
        for data, config in ((tmp_path / "embedded", CONFIG), (there.data, there.config)):
            front.seen.clear()
            async with open_retriever_parts(data, config, dense=FakeDenseEmbedder()) as parts:
                result = await HybridRetriever(config=config, parts=parts).retrieve("MooringDesk ships berth")
                found.append([(one.metadata["source"], one.content, one.score) for one in result.documents])
            assert any("query" in one.path for one in front.seen) is (config is not CONFIG)
    assert found[0] == found[1]
    assert found[0][0][0] == "harbour/harbour/mooring.py"


@pytest.mark.specification("003 §5 document")
def test_a_chunk_s_metadata():
    document = document_of(Hit(CHUNK, 0.02, routes=("dense_code", "sparse_lexical")), 0.75, WRITTEN)
    assert (document.id, document.content, document.score) == (CHUNK.id, "line 3 of src/gate.py", 0.75)
    assert document.metadata == {
        "source": "physics/src/gate.py",
        "page": None,
        "chunk_id": CHUNK.id,
        "timestamp": "2025-08-19T10:00:00+00:00",
        "project": "physics",
        "path": "src/gate.py",
        "repo": "acme/physics",
        "commit": "c0ffee",
        "start_line": 3,
        "end_line": 7,
        "corpus": "code",
        "chunk_kind": "code",
        "lang": "python",
        "symbol": "QuantumGate",
        "section": "Schema",
        "routes": ["dense_code", "sparse_lexical"],
    }


def test_a_picture_has_no_lines_and_an_unknown_file_no_time():
    picture = document_of(Hit(replace(CHUNK, start_line=0, end_line=0), 0.02), 1.0, {}).metadata
    assert (picture["start_line"], picture["end_line"], picture["timestamp"]) == (None, None, None)


@pytest.mark.specification("003 REQ-0049 graphrag", "003 §10 attribution")
def test_what_the_graph_says_has_the_lines_that_prove_it():
    said = replace(
        relation(0.9), locations=(Location("physics", "src/gate.py", 3, 4), Location("garden", "a.md", 1, 1))
    )
    document = graph_document(said, WRITTEN)
    id_ = str(uuid.uuid5(uuid.NAMESPACE_URL, "hybrid-retrieval:graph:QuantumGate uses Qubit"))
    assert (document.id, document.content, document.score) == (id_, "QuantumGate uses Qubit", 0.9)
    assert document.metadata == {
        "source": "physics/src/gate.py",
        "page": None,
        "chunk_id": id_,
        "timestamp": "2025-08-19T10:00:00+00:00",
        "project": "physics",
        "path": "src/gate.py",
        "start_line": 3,
        "end_line": 4,
        "observation_type": "relationship",
        "hops": 1,
        "entities": ["physics/QuantumGate", "physics/Qubit"],
        "relations": [{"source": "QuantumGate", "type": "USES", "target": "Qubit", "status": "confirmed"}],
        "locations": [
            {"project": "physics", "path": "src/gate.py", "start_line": 3, "end_line": 4},
            {"project": "garden", "path": "a.md", "start_line": 1, "end_line": 1},
        ],
    }


@pytest.mark.specification("003 §5 document", "003 §10 attribution")
def test_what_no_line_proves_names_the_graph_alone():
    metadata = graph_document(replace(relation(0.9), locations=(), engine="kglite"), WRITTEN).metadata
    nothing = [metadata[key] for key in ("timestamp", "project", "path", "start_line", "end_line")]
    assert (metadata["source"], metadata["locations"], nothing) == ("graph:kglite", [], [None] * 5)


@pytest.mark.specification("003 §4 RetrievalResult", "003 §9 embeddings")
def test_a_result_as_json():
    result = RetrievalResult([Document("1", "a rose", {"page": None})], [0.0], "vector", 1.5, 2)
    assert result.to_dict() == {
        "documents": [{"id": "1", "content": "a rose", "metadata": {"page": None}, "score": 0.0, "embeddings": None}],
        "scores": [0.0],
        "strategy_used": "vector",
        "latency_ms": 1.5,
        "tokens_processed": 2,
        "reranked": False,
        "fallback_reason": None,
        "notes": [],
    }
