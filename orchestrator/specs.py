"""Who takes part in a run, how the graph's scope meets the search that takes it, and how each agent ended (001 §2.3,
§7.2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal

from memory.entities import Scope
from memory.query import PathRole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from configs import HybridRetrievalConfig, ScopeMode
    from memory.query import QueryClassification

SWITCHED_OFF: Final = "switched off"
"""How the reason of an agent begins that a setting leaves out."""
OutcomeStatus = Literal["ok", "empty", "timeout", "error", "skipped"]


class OrchestrationMode(Enum):
    """Whether the agents of a run work at the same time or one after the other."""

    PARALLEL = "parallel"
    SEQUENTIAL = "sequential"


class AgentRole(Enum):
    """What an agent does in a run (001 §7.2)."""

    RESEARCHER = "researcher"


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """One agent of a run.

    agent: anything with 001 §7.1's `retrieve`, None when there is none; path_role: whether the run waits for it;
    timeout_ms: its own deadline, None for the run's; gives_scope and takes_scope: whether its `find_scope` is asked and
    whether it is handed a scope, None to go by its methods; weight: what its findings count beside the others', 0..10.
    """

    id: str
    role: AgentRole = AgentRole.RESEARCHER
    agent: Any = None
    path_role: PathRole = PathRole.MUST
    timeout_ms: int | None = None
    gives_scope: bool | None = None
    takes_scope: bool | None = None
    why_absent: str = "there is no such agent"
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class AgentOutcome:
    """How one agent ended: what it published counts whatever the status. Reasons contain no times."""

    agent: str
    role: PathRole
    status: OutcomeStatus
    observations: int = 0
    elapsed_ms: float = 0.0
    reason: str | None = None

    @property
    def left_out(self) -> bool:
        """The question needs it, and a setting leaves it out."""
        return self.role is PathRole.MUST and self.status == "skipped" and (self.reason or "").startswith(SWITCHED_OFF)

    @property
    def failed(self) -> bool:
        """It was late or broke."""
        return self.status in {"timeout", "error"}


@dataclass(frozen=True, slots=True)
class RunResult:
    """Every agent's outcome, in the order of the specs, and the scope if one was found."""

    outcomes: Mapping[str, AgentOutcome]
    scope: Scope | None = None


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
        return replace(scope, projects=projects)


PLANS: dict[ScopeMode, ScopePlan] = {
    "parallel_research": ScopePlan(probe=True, scoped=True),
    "sequential": ScopePlan(probe=False, scoped=True),
    "full_parallel": ScopePlan(probe=True, scoped=False),
    "none": ScopePlan(probe=True, scoped=False),
}


def resolve_mode(config: HybridRetrievalConfig, *, graph_in_process: bool) -> ScopeMode:
    """The mode that holds: `graph_scopes_vector=False` is none, `parallel_execution=False` sequential; `auto` waits for
    a graph in this process, which answers within milliseconds, and searches twice beside one on a server. A strict
    scope is waited for: what a search without it finds may lie outside.
    """
    if not config.graph_scopes_vector:
        return "none"
    if not config.parallel_execution:
        return "sequential"
    mode = config.scope.mode
    if mode == "auto":
        mode = "sequential" if graph_in_process else "parallel_research"
    return "sequential" if mode == "parallel_research" and config.scope.strength == "strict" else mode


def scopes_search(config: HybridRetrievalConfig, classification: QueryClassification) -> bool:
    """Whether the graph's scope reaches the search for a question:
    a mode that is named holds for all, else its kind decides.
    """
    return classification.graph_scopes_vector or config.scope.mode not in {"auto", "none"}
