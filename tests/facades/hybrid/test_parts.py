"""What a data folder is opened to."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from facades.hybrid.parts import open_retriever_parts
from facades.hybrid_retriever import HybridRetriever
from memory.embedders import FakeDenseEmbedder
from memory.rerankers import FakeReranker
from tests.memory.vector.edge_http_front import EdgeHttpFront
from tests.organisation import CONFIG, index, write
from tests.wiring.test_qdrant_stores import COLLECTION, Place
from wiring.models import Models


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
