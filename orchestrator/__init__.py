"""The orchestrator and its doors. Names are resolved when they are first used (PEP 562), so that `--help` stays
fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orchestrator.analysis import QueryAnalyzer, classify_query
    from orchestrator.blocking import BlockingOrchestrator
    from orchestrator.coverage import Coverage, HybridRetrievalMetrics
    from orchestrator.events import (
        AgentFinished,
        AgentStarted,
        AnswerDelta,
        CitationChecked,
        Classified,
        Event,
        Finished,
        Merged,
        ObservationAdded,
        ScopeFound,
        Started,
    )
    from orchestrator.hybrid import HybridRetrievalOrchestrator
    from orchestrator.result import HybridResult
    from orchestrator.running import (
        AgentOutcome,
        AgentRole,
        AgentSpec,
        Limits,
        MultiAgentOrchestrator,
        OrchestrationMode,
    )

__all__ = [
    "AgentFinished",
    "AgentOutcome",
    "AgentRole",
    "AgentSpec",
    "AgentStarted",
    "AnswerDelta",
    "BlockingOrchestrator",
    "CitationChecked",
    "Classified",
    "Coverage",
    "Event",
    "EventStream",
    "Finished",
    "HybridResult",
    "HybridRetrievalMetrics",
    "HybridRetrievalOrchestrator",
    "Limits",
    "Merged",
    "MultiAgentOrchestrator",
    "ObservationAdded",
    "OrchestrationMode",
    "QueryAnalyzer",
    "ScopeFound",
    "Started",
    "classify_query",
]

_HOMES = {
    "QueryAnalyzer": "analysis",
    "classify_query": "analysis",
    "BlockingOrchestrator": "blocking",
    "Coverage": "coverage",
    "HybridRetrievalOrchestrator": "hybrid",
    "HybridRetrievalMetrics": "coverage",
    "HybridResult": "result",
    **dict.fromkeys(
        ("AgentOutcome", "AgentRole", "AgentSpec", "Limits", "MultiAgentOrchestrator", "OrchestrationMode"), "running"
    ),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'events')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
