"""What a question is, before anybody is asked."""

from orchestrator.analysis.analyzer import QueryAnalyzer, Route, classify_query, route

__all__ = ["QueryAnalyzer", "Route", "classify_query", "route"]
