"""Evidence packs: what a language model reads on a question, as quotable pieces of code and documents (000)."""

from __future__ import annotations

from agents.evidence.catalogue import CataloguedProject, EvidenceCatalogue
from agents.evidence.fused import TEMPLATES
from agents.evidence.intents import Intent, classify_intent
from agents.evidence.pack import EvidenceItem, EvidencePack
from agents.evidence.request import MAX_TOP_K, EvidenceRequest, checked_request
from agents.evidence.retriever import EvidenceMemory, EvidenceParts, EvidenceRetriever

__all__ = [
    "MAX_TOP_K",
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
