"""The door for Google's Agent Development Kit: tools, models, agents and apps. `google.adk` is imported with the first
name that needs it; the tools' functions need it not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memory.extras import brought_by

with brought_by("adk", "The door for ADK"):
    from interfaces.adk.ask_tool import AskTool
    from interfaces.adk.evidence_tool import EvidenceTool, retrieve_adk_evidence

if TYPE_CHECKING:
    from interfaces.adk.agents import MergingAgent, OpeningAgent, SearchingAgent
    from interfaces.adk.apps import agents_app, retrieval_app
    from interfaces.adk.composing import SideBySideAgent, TurnAgent
    from interfaces.adk.extractive_llm import ExtractiveLlm
    from interfaces.adk.scripted_llm import ScriptedLlm
    from interfaces.adk.toolset import HybridRetrievalToolset
    from interfaces.adk.turns import Turns
    from interfaces.adk.writer import answer_agent, model_of_environment
    from wiring.adk_language_model import AdkLanguageModel

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
    "AdkLanguageModel": "writer",
    "ExtractiveLlm": "extractive_llm",
    "HybridRetrievalToolset": "toolset",
    "ScriptedLlm": "scripted_llm",
    "Turns": "turns",
    "answer_agent": "writer",
    "model_of_environment": "writer",
    **dict.fromkeys(("MergingAgent", "OpeningAgent", "SearchingAgent"), "agents"),
    **dict.fromkeys(("SideBySideAgent", "TurnAgent"), "composing"),
    **dict.fromkeys(("agents_app", "retrieval_app"), "apps"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with brought_by("adk", "The door for ADK"):
        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
