"""Which way a question walks the edges, along which relations and how far (`what calls X`, `what does X use`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.graph.port import Direction

__all__ = ["RELATION_VERBS", "VERB", "Walk", "read_walk"]

RELATION_VERBS: dict[str, tuple[str, ...]] = {
    "call": ("CALLS", "INVOKES"),
    "invoke": ("CALLS", "INVOKES"),
    "depend on": ("DEPENDS_ON", "CALLS", "IMPORTS"),
    "import": ("IMPORTS",),
    "inherit from": ("INHERITS",),
    "extend": ("INHERITS",),
    "subclass": ("INHERITS",),
    "publish": ("PUBLISHES",),
    "consume": ("CONSUMES", "SUBSCRIBES"),
    "subscribe to": ("SUBSCRIBES", "CONSUMES"),
    "own": ("OWNS_TABLE",),
    "use": (),
    "read": ("USES_TABLE", "STORES_IN"),
    "write to": ("USES_TABLE", "STORES_IN"),
    "store": ("STORES_IN", "USES_TABLE"),
}
"""A verb and the relations it speaks of; () is any."""

VERB = (
    r"call(?:s|ed)?|invoke[sd]?|depend(?:s)?(?: directly)? on|import(?:s|ed)?|inherit(?:s)? from|extend(?:s)?|subclass(?:es)?"
    r"|publish(?:es)?|consume[sd]?|subscribe[sd]? to|own(?:s)?|use[sd]?|read(?:s)?|write(?:s)? to|store[sd]?"
)
_INCOMING = re.compile(
    rf"\b(?:what|who|which(?: \w+){{0,3}}|(?:projects?|services?|teams?|classes|modules?) that)\s+(?:else |also )?({VERB})\b",
    re.IGNORECASE,
)
_THAT = re.compile(rf"\bthat\s+({VERB})\b", re.IGNORECASE)
_OUTGOING = re.compile(
    rf"\b(?:what|which(?: \w+){{0,3}})\s+(?:does|do|did)\s+\S+(?: \S+){{0,3}}?\s+({VERB})\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Walk:
    """How to walk from the linked entities: the direction, the relations (() any) and how many edges."""

    direction: Direction
    types: tuple[str, ...] = ()
    hops: int = 1


def _base(verb: str) -> str:
    words = verb.casefold().replace(" directly", "").split()
    for known in RELATION_VERBS:
        stem, *rest = known.split()
        if words[0].startswith(stem.removesuffix("e")) and words[1:] == rest:
            return known
    return "use"


def read_walk(question: str) -> Walk:
    """The walk a question asks for; both ways, one hop and any relation where it says none."""
    outgoing = _OUTGOING.search(question)
    if outgoing:
        return Walk("out", RELATION_VERBS[_base(outgoing.group(1))])
    incoming = _INCOMING.search(question)
    if incoming:
        nested = len([match for match in _THAT.finditer(question) if match.start() > incoming.start(1)])
        return Walk("in", RELATION_VERBS[_base(incoming.group(1))] if not nested else (), hops=1 + nested)
    return Walk("both")
