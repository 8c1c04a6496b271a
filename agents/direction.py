"""Which way a question walks the edges, along which relations and how far (`what calls X`, `what does X use`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.graph.port import Direction
from memory.text import asks_config_keys

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
    "publish to": ("PUBLISHES",),
    "consume": ("CONSUMES", "SUBSCRIBES"),
    "subscribe to": ("SUBSCRIBES", "CONSUMES"),
    "expose": ("EXPOSES",),
    "own": ("OWNS_TABLE",),
    "use": (),
    "read": ("READS", "USES_TABLE", "STORES_IN"),
    "write to": ("USES_TABLE", "STORES_IN"),
    "store": ("STORES_IN", "USES_TABLE"),
}
"""A verb and the relations it speaks of; () is any."""

VERB = (
    r"call(?:s|ed)?|invoke[sd]?|depend(?:s)?(?: directly)? on|import(?:s|ed)?|inherit(?:s)? from|extend(?:s)?|subclass(?:es)?"
    r"|publish(?:es)?(?: to)?|consume[sd]?|subscribe[sd]? to|expose[sd]?|own(?:s)?|use[sd]?|read(?:s)?|write(?:s)? to|store[sd]?"
)
_PLACE = r"(?: (?:of|in|from|within) (?:the )?[\w.-]+)?"
_INCOMING = re.compile(
    rf"\b(?:(?:what(?: (?:services?|projects?|teams?|classes|modules?))?|who|which(?: \w+){{0,3}}){_PLACE}"
    rf"|(?:projects?|services?|teams?|classes|modules?) that)\s+(?:else |also )?({VERB})\b",
    re.IGNORECASE,
)
_THAT = re.compile(rf"\bthat\s+({VERB})\b", re.IGNORECASE)
_THAT_IT = re.compile(
    rf"\bthat\s+(?:the\s+)?(?!also\b)`?[\w.-]+`?(?:\s+(?:service|class|project))?\s+({VERB})\b", re.IGNORECASE
)
_OUTGOING = re.compile(
    rf"\b(?:what|which(?: \w+){{0,3}})\s+(?:does|do|did)\s+\S+(?: \S+){{0,5}}?\s+({VERB})\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Walk:
    """How to walk from the linked entities: the direction, the relations (() any) and how many edges; `then` from there."""

    direction: Direction
    types: tuple[str, ...] = ()
    hops: int = 1
    then: Walk | None = None


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
    if outgoing and asks_config_keys(question):
        return Walk("out", ("READS",))
    if outgoing:
        return Walk("out", RELATION_VERBS[_base(outgoing.group(1))])
    incoming = _INCOMING.search(question)
    through = _THAT_IT.search(question, incoming.end()) if incoming else None
    if incoming and through:  # `Who consumes the messages that the till publishes?`
        there = Walk("in", RELATION_VERBS[_base(incoming.group(1))])
        return Walk("out", RELATION_VERBS[_base(through.group(1))], then=there)
    if incoming:
        nested = len([match for match in _THAT.finditer(question) if match.start() > incoming.start(1)])
        return Walk("in", RELATION_VERBS[_base(incoming.group(1))] if not nested else (), hops=1 + nested)
    return Walk("both")
