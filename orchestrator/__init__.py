"""The orchestrator and its doors. Names are resolved when they are first used (PEP 562), so that `--help` stays fast.

Importing it fails when another distribution's `agents` would be imported in place of ours (decision record 0001).
"""

from __future__ import annotations

from importlib import import_module, util
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orchestrator.analysis import QueryAnalyzer, classify_query
    from orchestrator.coverage import Coverage
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
    from orchestrator.metrics import HybridRetrievalMetrics
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
    "Coverage": "coverage",
    "HybridRetrievalOrchestrator": "hybrid",
    "HybridRetrievalMetrics": "metrics",
    "HybridResult": "result",
    "EventStream": "streaming",
    **dict.fromkeys(
        ("AgentOutcome", "AgentRole", "AgentSpec", "Limits", "MultiAgentOrchestrator", "OrchestrationMode"), "running"
    ),
}


def foreign_agents(ours: Path) -> str | None:
    """Where `import agents` would lead if not to the folder beside ours; None when it is ours, or nobody's."""
    spec = util.find_spec("agents")
    if spec is None:
        return "nowhere: it is not installed"
    places = [spec.origin] if spec.origin else list(spec.submodule_search_locations or ())
    if any(Path(place).resolve().is_relative_to(ours / "agents") for place in places):
        return None
    return ", ".join(places)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'events')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


_found = foreign_agents(Path(__file__).resolve().parent.parent)
if _found is not None:
    raise ImportError(
        f"`import agents` would not give hybrid-retrieval's package; it leads to {_found}. Remove that distribution from"
        " this environment (`pip uninstall openai-agents` if it is OpenAI's), or install hybrid-retrieval into one of its own.",
        name="agents",
        path=_found,
    )
