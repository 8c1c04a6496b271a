"""The door for Google's Agent Development Kit. `google.adk` is imported by who runs an agent, not from here."""

from __future__ import annotations

from orchestrator.adk.evidence_tool import EvidenceTool, retrieve_adk_evidence

__all__ = ["EvidenceTool", "retrieve_adk_evidence"]
