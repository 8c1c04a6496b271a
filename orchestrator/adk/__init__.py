"""The door for Google's Agent Development Kit: tools, models, agents and apps. `google.adk` is imported with the first name
that needs it; the tools' functions need it not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from orchestrator.adk.ask_tool import AskTool
from orchestrator.adk.evidence_tool import EvidenceTool, retrieve_adk_evidence

if TYPE_CHECKING:
    from orchestrator.adk.agents import MergingAgent, OpeningAgent, SearchingAgent
    from orchestrator.adk.apps import agents_app, retrieval_app
    from orchestrator.adk.composing import SideBySideAgent, TurnAgent
    from orchestrator.adk.extractive_llm import ExtractiveLlm
    from orchestrator.adk.language_model import AdkLanguageModel
    from orchestrator.adk.models import model_of_environment
    from orchestrator.adk.scripted_llm import ScriptedLlm
    from orchestrator.adk.toolset import HybridRetrievalToolset
    from orchestrator.adk.turns import Turns
    from orchestrator.adk.writer import answer_agent

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
    "AdkLanguageModel": "language_model",
    "ExtractiveLlm": "extractive_llm",
    "HybridRetrievalToolset": "toolset",
    "ScriptedLlm": "scripted_llm",
    "Turns": "turns",
    "answer_agent": "writer",
    "model_of_environment": "models",
    **dict.fromkeys(("MergingAgent", "OpeningAgent", "SearchingAgent"), "agents"),
    **dict.fromkeys(("SideBySideAgent", "TurnAgent"), "composing"),
    **dict.fromkeys(("agents_app", "retrieval_app"), "apps"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
