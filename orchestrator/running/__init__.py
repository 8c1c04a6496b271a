"""Running agents side by side."""

from orchestrator.running.branch import NOT_WAITED_FOR
from orchestrator.running.deadlines import Limits, Strays
from orchestrator.running.multi_agent import MultiAgentOrchestrator
from orchestrator.specs import AgentOutcome, AgentRole, AgentSpec, OrchestrationMode, RunResult

__all__ = [
    "NOT_WAITED_FOR",
    "AgentOutcome",
    "AgentRole",
    "AgentSpec",
    "Limits",
    "MultiAgentOrchestrator",
    "OrchestrationMode",
    "RunResult",
    "Strays",
]
