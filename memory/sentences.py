"""A relation as a sentence of plain words: what is searched, and what is shown."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.entities import Entity, Relationship

VERBS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CALLS": "calls",
        "IMPORTS": "imports",
        "INHERITS": "inherits from",
        "DEPENDS_ON": "depends on",
        "DEFINES": "defines",
        "OWNS_TABLE": "owns",
        "USES_TABLE": "uses",
        "READS": "reads",
        "STORES_IN": "stores in",
        "EXPOSES": "exposes",
        "INVOKES": "invokes",
        "PUBLISHES": "publishes",
        "SUBSCRIBES": "subscribes to",
        "CONSUMES": "consumes",
        "DEPLOYS": "deploys",
        "REFERENCES": "refers to",
    }
)
"""How a relation's type is written in a sentence; another type is written as its own name in small letters."""

ALSO: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CALLS": "invokes asks hands passes delegates wraps raises creates",
        "INVOKES": "calls",
        "INHERITS": "extends subclasses",
        "DEFINES": "declares",
        "EXPOSES": "offers serves",
        "PUBLISHES": "emits sends sent announces",
        "SUBSCRIBES": "listens consumes handles handled",
        "CONSUMES": "subscribes listens handles handled",
        "OWNS_TABLE": "defines",
        "USES_TABLE": "reads updates",
        "STORES_IN": "maps",
    }
)
"""Other verbs by which people tell a relation of that type, in the same direction."""


def sentence(edge: Relationship) -> str:
    """The relation in words: `service frontend of shop calls service payments`.

    The target's project is named where it is another than the source's.
    """
    verb = VERBS.get(edge.type, edge.type.casefold().replace("_", " "))
    target = _named(edge.target)
    if edge.target.project and edge.target.project != edge.source.project and edge.target.kind != "project":
        target += f" of {edge.target.project}"
    source = _named(edge.source)
    if edge.source.kind != "project":
        source += f" of {edge.source.project}"
    return f"{source} {verb} {target}"


def _named(entity: Entity) -> str:
    return f"{entity.kind.replace('_', ' ')} {entity.name}"
