"""The front that a module's tests share; a collection lives as long as it."""

from __future__ import annotations

import pytest

from tests.memory.vector.edge_http_front import EdgeHttpFront


@pytest.fixture(scope="module")
def front(tmp_path_factory):
    with EdgeHttpFront(str(tmp_path_factory.mktemp("front"))) as front:
        yield front
