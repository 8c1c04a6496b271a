"""What a node refuses; `tests/indexing/test_on_cluster.py` has nodes that read."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from indexing.isolation.cluster_readers import _found
from memory.errors import UnavailableError


def test_a_node_of_another_release_reads_nothing(settings, look):
    with pytest.raises(UnavailableError, match="has another release of this program"):
        _found(json.dumps(asdict(settings)), "11 0123", [look("a.md", "# A\n")])
