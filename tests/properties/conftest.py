"""The organisations that several properties ask, opened once for each of their files."""

from __future__ import annotations

import pytest
from anyio.from_thread import start_blocking_portal

from tests.properties.worlds import Worlds


@pytest.fixture(scope="module")
def worlds(tmp_path_factory):
    with start_blocking_portal() as portal:
        made = Worlds(portal, tmp_path_factory.mktemp("worlds"))
        yield made
        made.close()
