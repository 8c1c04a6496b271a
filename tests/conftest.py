"""What suites of several folders share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.neo4j_server import Server, server


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Neo4j server with an empty database; tests that ask for it are skipped where there is none."""
    with server(tmp_path_factory.mktemp("neo4j")) as one:
        yield one
