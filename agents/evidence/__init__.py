"""Evidence packs: one hybrid request, fused by the store, as a list of quotable pieces of code and documents (000)."""

from __future__ import annotations

from agents.evidence.catalogue import CataloguedProject, EvidenceCatalogue
from agents.evidence.intents import Intent, classify_intent
from agents.evidence.pack import EvidenceItem, EvidencePack
from agents.evidence.request import EvidenceRequest, checked_request
from agents.evidence.retriever import EvidenceMemory, EvidenceParts, EvidenceRetriever
from agents.evidence.templates import TEMPLATES

__all__ = [
    "TEMPLATES",
    "CataloguedProject",
    "EvidenceCatalogue",
    "EvidenceItem",
    "EvidenceMemory",
    "EvidencePack",
    "EvidenceParts",
    "EvidenceRequest",
    "EvidenceRetriever",
    "Intent",
    "checked_request",
    "classify_intent",
]
