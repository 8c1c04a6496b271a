"""What a data folder is opened to."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from facades.hybrid.parts import open_retriever_parts
from memory.embedders import FakeDenseEmbedder
from memory.rerankers import FakeReranker
from tests.organisation import CONFIG, index, write
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
