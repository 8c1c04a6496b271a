"""Everything here runs on virtual time: a deadline of five seconds is over at once, and is still exact."""

from __future__ import annotations

import pytest

from replay.parts import VirtualTimeLoop


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio", {"loop_factory": VirtualTimeLoop}
