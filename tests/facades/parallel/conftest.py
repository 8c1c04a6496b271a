"""The made-up organisation, indexed once for 001's facade; real time, since stores are opened."""

from __future__ import annotations

import anyio
import pytest

from tests.organisation import index, write


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def organisation(tmp_path_factory):
    """A data folder with the harbour and the lighthouse."""
    root = tmp_path_factory.mktemp("organisation")
    anyio.run(lambda: index(root / "data", *(write(root / "projects") / name for name in ("harbour", "lighthouse"))))
    return root / "data"
