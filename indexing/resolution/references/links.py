"""A mention and what it leads to: the places that prove it, the relation that it is, and how rare its name is.

Rarity is the inverse document frequency, from 1 (in one component) down to 0 (in all). K. Spärck Jones: A statistical
interpretation of term specificity and its application in retrieval (1972), with components in place of documents. Only
the projects at both ends are counted, never all that are indexed: a project that the caller may not see would change by
its words what the caller is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from indexing.occurrences.words import CALL, DEPEND, PUBLISH, STORE, SUBSCRIBE
from indexing.resolution.references.entities import VERBS
from indexing.resolution.references.mentions import Mentioned
from indexing.resolution.references.things import Thing
from indexing.rules.common_names import COMMON_FOLDERS
from memory.entities import Entity

__all__ = [
    "DEPLOYED",
    "RARE",
    "REFERENCES",
    "SAID",
    "Link",
    "Piece",
    "in_one_program",
    "made_at",
    "rarity",
    "relation_of",
]

Piece = tuple[str, int, str]
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
"""What infrastructure runs, whatever the words around it."""
HANDED: Final = {"store": "STORES_IN", "table": "USES_TABLE", "bucket": "STORES_IN", "service": "CALLS"}
"""What a program that is handed the name of such a thing does with it: there is but one use."""
RARE = 0.4
"""What it takes where nothing but the name speaks for a relation: in 3 of 8 components (.5), not in 4 (.37)."""
SAID = 0.15
"""What it takes where the words around say what is done with it."""


@dataclass(frozen=True, slots=True)
class Link:
    """A mention, what it leads to and of which kind that is, and the places that prove it beside the mention's own.

    certain: whether a setting hands the very thing on, so that the name's rarity has nothing to say; handed: by a
    setting.
    """

    mention: Mentioned
    sources: Sequence[Entity]
    target: Entity
    kind: str
    pieces: tuple[Piece, ...]
    certain: bool = False
    handed: bool = False


def in_one_program(path: str, other: str) -> bool:
    """Whether two files share a first folder that says which program they are of: it asks others, not itself."""
    top = path.partition("/")[0]
    return "/" in path and other.startswith(f"{top}/") and top.lower() not in COMMON_FOLDERS


def made_at(thing: Thing) -> Piece:
    """Where a thing is made, as a piece of evidence."""
    return thing.path, thing.line, f"{VERBS[thing.rank]} the {thing.kind} {thing.name}"


def relation_of(kind: str, role: str, *, handed: bool = False) -> str:
    """The relation's type; REFERENCES where the words do not tell.

    handed: whether the name comes by a setting of its own, as a table's name in `ORDERS_TABLE`.
    """
    if kind == DEPLOYED:
        return "DEPLOYS"
    kind = "topic" if kind == "queue" else "service" if kind == "job" else kind
    return TYPES.get((kind, role)) or (HANDED.get(kind) if handed else None) or REFERENCES


def rarity(spread: int, components: int) -> float:
    """The weight of a name that is in `spread` of so many components:
    log((n + 1) / spread) / log(n + 1), in hundredths.
    """
    every = max(components, 1) + 1
    return round(max(0.0, log(every / max(spread, 1)) / log(every)), 2)
