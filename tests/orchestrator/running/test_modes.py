"""Where the mode is resolved (design §8)."""

from __future__ import annotations

import pytest

from configs import HybridRetrievalConfig, ScopeSettings
from memory.entities import Scope
from orchestrator.running.modes import PLANS, resolve_mode


@pytest.mark.specification("001 §8 parallelism")
@pytest.mark.parametrize(
    ("config", "in_process", "mode"),
    [
        (HybridRetrievalConfig(), True, "sequential"),
        (HybridRetrievalConfig(), False, "parallel_research"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="full_parallel")), True, "full_parallel"),
        (HybridRetrievalConfig(parallel_execution=False), False, "sequential"),
        (HybridRetrievalConfig(graph_scopes_vector=False, parallel_execution=False), True, "none"),
    ],
)
def test_the_mode_that_holds(config, in_process, mode):
    assert resolve_mode(config, graph_in_process=in_process) == mode


def test_nothing_to_hand_on_is_no_scope():
    assert PLANS["none"].usable(Scope(["a"])) is None
    assert PLANS["sequential"].usable(None) is None
