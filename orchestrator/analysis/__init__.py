"""What a question is, before anybody is asked."""

from orchestrator.analysis.analyzer import QueryAnalyzer, classify_query
from orchestrator.analysis.routing import Route, route

__all__ = ["QueryAnalyzer", "Route", "classify_query", "route"]
