"""What a question is, before anybody is asked."""

from orchestrator.analysis.analyzer import QueryAnalyzer, classify_query
from orchestrator.analysis.mentions import Mention, find_mentions, without_snippet
from orchestrator.analysis.routing import Route, route

__all__ = ["Mention", "QueryAnalyzer", "Route", "classify_query", "find_mentions", "route", "without_snippet"]
