"""How the graph's scope meets the search that takes it: one table of two requests (001 §2.3, design §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memory.entities import Scope

if TYPE_CHECKING:
    from configs import HybridRetrievalConfig

__all__ = ["PLANS", "ScopeMode", "ScopePlan", "resolve_mode"]

ScopeMode = Literal["parallel_research", "sequential", "full_parallel", "none"]


@dataclass(frozen=True, slots=True)
class ScopePlan:
    """Which of the two requests is sent: the probe at once without a scope, the scoped one when the scope is there."""

    probe: bool
    scoped: bool

    def usable(self, scope: Scope | None, min_confidence: float = 0.0) -> Scope | None:
        """The part of a scope that this plan hands on: projects the graph is sure enough of, and the evidence files;
        None when nothing is left.
        """
        if scope is None:
            return None
        projects = [p for p in scope.ranked if p.confidence >= min_confidence]
        if not projects and not scope.files:
            return None
        return Scope(projects=projects, files=scope.files, linked=scope.linked)


PLANS: dict[ScopeMode, ScopePlan] = {
    "parallel_research": ScopePlan(probe=True, scoped=True),
    "sequential": ScopePlan(probe=False, scoped=True),
    "full_parallel": ScopePlan(probe=True, scoped=False),
    "none": ScopePlan(probe=True, scoped=False),
}


def resolve_mode(config: HybridRetrievalConfig, *, graph_in_process: bool) -> ScopeMode:
    """The mode that holds: `graph_scopes_vector=False` is none, `parallel_execution=False` sequential; `auto` waits for a
    graph in this process, which answers within milliseconds, and searches twice beside one on a server.
    """
    if not config.graph_scopes_vector:
        return "none"
    if not config.parallel_execution:
        return "sequential"
    if config.scope.mode == "auto":
        return "sequential" if graph_in_process else "parallel_research"
    return config.scope.mode
