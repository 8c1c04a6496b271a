"""Who meets whom through a third thing: `Who consumes the messages that the till publishes?`, told thing by thing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.wording import listed, verb
from synthesis.markers import graph_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.network import Network
    from synthesis.extractive.sources import Edge

__all__ = ["VERB_TYPES", "through_lines", "types_said"]

VERB_TYPES: Final = {
    "publish": frozenset({"PUBLISHES"}),
    "consume": frozenset({"CONSUMES", "SUBSCRIBES"}),
    "subscribe to": frozenset({"CONSUMES", "SUBSCRIBES"}),
}
"""A verb of messages, and the relations it speaks of."""
_VERB: Final = (
    r"(publish(?:es)?|send[s]?|emits?|consumes?|subscribes? to|calls?|uses?|reads?|writes(?: to)?|owns?|stores?)"
)
_ASKED: Final = re.compile(
    rf"^\W*(?:who|what|which)\b.{{0,60}}?\b{_VERB}\b.{{1,60}}?\bthat\s+(?:the\s+)?`?(?P<name>[\w.-]+)`?"
    rf"(?:\s+(?:service|class|project))?\s+{_VERB}\b",
    re.IGNORECASE,
)
_SYNONYMS: Final = {"send": "publish", "emit": "publish"}
_MOST: Final = 8


def types_said(said: str) -> frozenset[str]:
    """The relations that a verb of messages speaks of; none where it is any other verb."""
    base = said.casefold()
    base = next((to for word, to in _SYNONYMS.items() if base.startswith(word)), base)
    return next((types for known, types in VERB_TYPES.items() if base.startswith(known.split()[0])), frozenset())


def through_lines(question: str, names: Sequence[str], network: Network) -> list[Line]:
    """A line for each thing that the named one reaches and others do too, as asked; empty where it is not asked so."""
    asked = _ASKED.search(question)
    name = next((n for n in names if asked and n.casefold() == asked["name"].casefold()), None)
    if asked is None or name is None:
        return []
    first, second = types_said(asked[3]), types_said(asked[1])
    own = [edge for edge in network.out_of(name) if not first or edge.relation.type in first]
    lines, met = [], dict[str, None]()
    for edge in _once(own):
        others = [e for e in _reaching(edge, network) if not second or e.relation.type in second]
        others = _services_first([e for e in others if not network.means(e.relation.source, name)])
        met.update(dict.fromkeys(e.relation.source.name for e in others))
        if others:
            lines.append(Line((_claim(edge), *(_claim(other, of_it=True) for other in others[:_MOST])), "- "))
    if not lines:
        return []
    does = _said(asked[1], many=len(met) > 1)
    lead = f"{listed(list(met))} {does} what {name} {_said(asked[3], many=False)}:"
    return [Line((Claim(lead),)), *lines]


def _once(edges: Sequence[Edge]) -> list[Edge]:
    """An edge for each thing, services before the functions they are made of."""
    found: dict[str, Edge] = {}
    for edge in sorted(edges, key=lambda e: e.relation.source.kind != "service"):
        found.setdefault(_thing(edge), edge)
    return list(found.values())


def _thing(edge: Edge) -> str:
    target = edge.relation.target
    return target.key if target.kind == "topic" else target.id


def _reaching(edge: Edge, network: Network) -> list[Edge]:
    return [other for other in network.edges if _thing(other) == _thing(edge)]


def _services_first(edges: Sequence[Edge]) -> list[Edge]:
    """Each line once: a function that stands for its service there is not told beside it; nor is a topic's twin."""
    lines: dict[tuple[str, str, int], Edge] = {}
    for edge in sorted(edges, key=lambda e: e.relation.source.kind != "service"):
        at = edge.location.start_line if edge.location else 0
        lines.setdefault((edge.relation.project, edge.relation.path, at), edge)
    return list(lines.values())


def _claim(edge: Edge, *, of_it: bool = False) -> Claim:
    source, target = edge.relation.source, edge.relation.target
    where = f" ({edge.location.path}:{edge.location.start_line})" if edge.location else ""
    said = f"{source.name} {verb(edge.relation.type, target.kind)} {'it' if of_it else target.name}"
    marker = graph_marker([source.label, target.label])
    cited = edge.citation(marker, f"{source.name} {verb(edge.relation.type, target.kind)} {target.name}")
    return Claim(f"{said}{where}{'.' if of_it else ';'}", (cited,))


def _said(verb: str, *, many: bool) -> str:
    """The question's own verb after one name or several: `publishes`, `publish`."""
    word, _, rest = verb.casefold().partition(" ")
    base = word.removesuffix("es") if word.endswith("shes") else word.removesuffix("s")
    ending = "" if many else "es" if base.endswith("sh") else "s"
    return f"{base}{ending} {rest}".strip()
