from __future__ import annotations

import pytest

from memory.embedders import find_weights


@pytest.fixture(scope="session")
def minilm(tmp_path_factory):
    """The real model, put together from the installed packages."""
    return find_weights(cache=tmp_path_factory.mktemp("models"))
