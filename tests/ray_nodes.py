"""A Ray cluster of nodes of one core each, all of them on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["nodes"]


@contextmanager
def nodes(count: int) -> Iterator[Any]:
    """So many, and this process their driver. Skips where Ray is not installed."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'hybrid-retrieval[ray]'")
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - only where there is one

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        for _ in range(count - 1):
            cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()
