"""The parts of specification 003's face, `facades.hybrid_retriever`."""

from __future__ import annotations

__all__: list[str] = []
