"""Where the mode is resolved (docs/design.md#scope)."""

from __future__ import annotations

import pytest

from configs import HybridRetrievalConfig, ScopeSettings
from memory.entities import EvidenceFile, Scope, ScopedProject
from orchestrator.specs import PLANS, resolve_mode


@pytest.mark.specification(
    "001 §8 parallelism",
    "001 §2.3 parallel + re-search",
    "001 §2.3 sequential",
    "001 §1 scope",
    "001 §2.3 phase 2",
    "001 §2.3 steered",
    "001 §3.3 cross-project",
)
@pytest.mark.parametrize(
    ("config", "in_process", "mode"),
    [
        (HybridRetrievalConfig(), True, "none"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="auto")), True, "sequential"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="auto")), False, "parallel_research"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="full_parallel")), True, "full_parallel"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="parallel_research")), True, "parallel_research"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="parallel_research", strength="strict")), True, "sequential"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="auto", strength="strict")), False, "sequential"),
        (HybridRetrievalConfig(parallel_execution=False), False, "sequential"),
        (HybridRetrievalConfig(graph_scopes_vector=False, parallel_execution=False), True, "none"),
    ],
)
def test_the_mode_that_holds(config, in_process, mode):
    assert resolve_mode(config, graph_in_process=in_process) == mode


def test_a_scope_is_handed_on_with_all_it_holds():
    given = Scope([ScopedProject("a", 0.9), ScopedProject("b", 0.1)], (EvidenceFile("a", "x.py"),), ("Customer",))
    assert PLANS["sequential"].usable(given) == given
    sure = PLANS["sequential"].usable(given, 0.9)
    assert (sure.names, sure.files, sure.linked) == (("a",), given.files, ("Customer",))
    unsure = PLANS["sequential"].usable(given, 0.95)
    assert (unsure.names, unsure.files, unsure.linked) == ((), given.files, ("Customer",))


@pytest.mark.specification("001 §2.3 sequential", "001 §2.3 parallel + re-search", "001 §2.3 full parallel")
def test_which_requests_each_mode_sends():
    assert {mode: (plan.probe, plan.scoped) for mode, plan in PLANS.items()} == {
        "parallel_research": (True, True),
        "sequential": (False, True),
        "full_parallel": (True, False),
        "none": (True, False),
    }


def test_nothing_to_hand_on_is_no_scope():
    assert PLANS["sequential"].usable(Scope([ScopedProject("a", 0.1)]), 0.2) is None
    assert PLANS["sequential"].usable(None) is None
