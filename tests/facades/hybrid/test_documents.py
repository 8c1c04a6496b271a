"""Every key that a caller may read, on a chunk and on what the graph says."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from facades.hybrid.documents import Document, RetrievalResult, document_of, graph_document
from memory.observations import Location
from memory.vector import Hit
from tests.contracts.vector_store import make_chunk
from tests.facades.hybrid.making import relation

CHUNK = make_chunk("physics", "src/gate.py", 3, symbol="QuantumGate", lang="python", corpus="code", chunk_kind="code")
WRITTEN = {("physics", "src/gate.py"): "2025-08-19T10:00:00+00:00"}


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
