"""A cluster that is not there; `tests/indexing/test_on_cluster.py` has one that is."""

from __future__ import annotations

import pytest

from memory.cluster import Cluster
from memory.errors import UnavailableError

pytestmark = pytest.mark.enable_socket


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
async def test_an_address_where_nothing_answers_is_found_out_at_once(address):
    with pytest.raises(UnavailableError, match=rf"cluster {address} is out of reach: nothing answers there\."):
        await Cluster(address).join()
