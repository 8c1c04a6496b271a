"""The types of questions."""

from __future__ import annotations

from enum import Enum

__all__ = ["QueryType"]


class QueryType(Enum):
    """What kind of question it is (001 §3.1)."""

    ENTITY_LOOKUP = "entity_lookup"
    RELATIONSHIP = "relationship"
    SIMILARITY = "similarity"
    PATTERN = "pattern"
    CROSS_PROJECT = "cross_project"
    LOCAL_ONLY = "local_only"
    MULTI_HOP = "multi_hop"
