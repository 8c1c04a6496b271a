"""The door for Google's Agent Development Kit; `google.adk` is imported with the first name that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.imports import brought_by, lazy_names

with brought_by("adk", "The door for ADK"):
    from interfaces.adk.evidence_tool import EvidenceTool, retrieve_adk_evidence
    from interfaces.adk.tools import AskTool

if TYPE_CHECKING:
    from interfaces.adk.agents import MergingAgent, OpeningAgent, SearchingAgent, SideBySideAgent, TurnAgent
    from interfaces.adk.apps import agents_app, retrieval_app
    from interfaces.adk.offline_llms import ExtractiveLlm, ScriptedLlm
    from interfaces.adk.toolset import HybridRetrievalToolset
    from interfaces.adk.turns import Turns
    from interfaces.adk.writer import answer_agent, model_of_environment
    from wiring.language_models import AdkLanguageModel

__all__ = [
    "AdkLanguageModel",
    "AskTool",
    "EvidenceTool",
    "ExtractiveLlm",
    "HybridRetrievalToolset",
    "MergingAgent",
    "OpeningAgent",
    "ScriptedLlm",
    "SearchingAgent",
    "SideBySideAgent",
    "TurnAgent",
    "Turns",
    "agents_app",
    "answer_agent",
    "model_of_environment",
    "retrieval_app",
    "retrieve_adk_evidence",
]

_HOMES = {
    "HybridRetrievalToolset": "toolset",
    "Turns": "turns",
    **dict.fromkeys(("AdkLanguageModel", "answer_agent", "model_of_environment"), "writer"),
    **dict.fromkeys(("ExtractiveLlm", "ScriptedLlm"), "offline_llms"),
    **dict.fromkeys(("MergingAgent", "OpeningAgent", "SearchingAgent", "SideBySideAgent", "TurnAgent"), "agents"),
    **dict.fromkeys(("agents_app", "retrieval_app"), "apps"),
}
_named = lazy_names(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    with brought_by("adk", "The door for ADK"):
        return _named(name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
