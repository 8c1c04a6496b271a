"""The parts of specification 003's face, `orchestrator.contracts.hybrid_retriever`."""

from __future__ import annotations

__all__: list[str] = []
