"""Which relation a mention is, from what kind of thing is mentioned and what the words around it say is done."""

from __future__ import annotations

from typing import Final

from indexing.occurrences.words import CALL, DEPEND, PUBLISH, STORE, SUBSCRIBE

__all__ = ["DEPLOYED", "REFERENCES", "relation_of"]

REFERENCES: Final = "REFERENCES"
TYPES: Final = {
    ("topic", PUBLISH): "PUBLISHES",
    ("topic", SUBSCRIBE): "SUBSCRIBES",
    ("table", SUBSCRIBE): "SUBSCRIBES",
    ("bucket", SUBSCRIBE): "SUBSCRIBES",
    ("table", STORE): "USES_TABLE",
    ("bucket", STORE): "STORES_IN",
    ("service", CALL): "CALLS",
    ("function", CALL): "CALLS",
    ("function", PUBLISH): "CALLS",
    ("endpoint", CALL): "INVOKES",
    ("workflow", CALL): "INVOKES",
    ("workflow", PUBLISH): "INVOKES",
    ("workflow", SUBSCRIBE): "DEPENDS_ON",
    ("workflow", DEPEND): "DEPENDS_ON",
    ("service", DEPEND): "DEPENDS_ON",
}
DEPLOYED: Final = "deployed"
"""What infrastructure runs, whatever is said around it."""
HANDED: Final = {"store": "STORES_IN", "table": "USES_TABLE", "bucket": "STORES_IN", "service": "CALLS"}
"""What a program that is handed the name of such a thing does with it: there is but one use."""


def relation_of(kind: str, role: str, *, handed: bool = False) -> str:
    """The relation's type; REFERENCES where the words do not tell.

    handed: whether the name comes by a setting of its own, as a table's name in `ORDERS_TABLE`.
    """
    if kind == DEPLOYED:
        return "DEPLOYS"
    kind = "topic" if kind == "queue" else "service" if kind == "job" else kind
    return TYPES.get((kind, role)) or (HANDED.get(kind) if handed else None) or REFERENCES
