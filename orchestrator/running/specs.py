"""Who takes part in a run, and how each one ended (001 §7.2, design §3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal

from memory.query import PathRole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.entities import Scope

__all__ = ["AgentOutcome", "AgentRole", "AgentSpec", "OrchestrationMode", "OutcomeStatus", "RunResult"]

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
    whether it is handed a scope, None to go by its methods.
    """

    id: str
    role: AgentRole = AgentRole.RESEARCHER
    agent: Any = None
    path_role: PathRole = PathRole.MUST
    timeout_ms: int | None = None
    gives_scope: bool | None = None
    takes_scope: bool | None = None
    why_absent: str = "there is no such agent"


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
    def failed(self) -> bool:
        """It was late or broke."""
        return self.status in {"timeout", "error"}


@dataclass(frozen=True, slots=True)
class RunResult:
    """Every agent's outcome, in the order of the specs, and the scope if one was found."""

    outcomes: Mapping[str, AgentOutcome]
    scope: Scope | None = None
