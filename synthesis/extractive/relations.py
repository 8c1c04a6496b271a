"""How one thing connects to another, and what depends on what: paths as sentences, each edge with its line (001 §10, B)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memory.query import QueryType
from synthesis.extractive.cleaning import shortened
from synthesis.extractive.code import code_passages
from synthesis.extractive.features import features, told
from synthesis.extractive.network import Network
from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.wording import counted, listed, verb
from synthesis.markers import graph_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.query import QueryClassification
    from synthesis.extractive.sources import Edge, Ground, Source

__all__ = ["bulleted", "edge_line", "relation_lines"]

_OUTGOING = re.compile(
    r"\bwhat (?:does|do|is|are)\b.*\b(?:calls?|uses?|depends?|imports?|needs?|reads?|writes?)\b|\bdependencies of\b",
    re.IGNORECASE,
)
_SAYS = re.compile(r"^(?P<source>[\w.$]+) \w+(?: \w+)? (?P<target>[\w.$]+)$")
_MOST = 8


def relation_lines(question: str, classification: QueryClassification | None, ground: Ground) -> list[Line]:
    """The path between the two things named, or what stands around the one; empty when no relation bears on it."""
    network = Network(ground.edges)
    names = network.named_in(question, classification.entities if classification else ())
    if len(names) > 1:
        return _between(names[0], names[1], network)
    if not names:
        return []
    many = classification is not None and QueryType.MULTI_HOP in classification.query_types
    chains = network.chains_into(names[0]) if many else []
    if chains:
        ways = bulleted([path_lines(chain)[0] for chain in chains[:_MOST]])
        return [*ways, *bulleted([edge_line(edge) for edge in network.into(names[0])][: _MOST - len(ways)])]
    return _around(names[0], network, outgoing=bool(_OUTGOING.search(question)))


def bulleted(lines: Sequence[Line]) -> list[Line]:
    """The lines as a list's."""
    return [Line(line.claims, "- ", line.code) for line in lines]


def _between(start: str, end: str, network: Network) -> list[Line]:
    way = network.path(start, end) or network.path(end, start)
    if way:
        return path_lines(way)
    first, second = network.meeting(start, end)
    if first:
        meeting = first[-1].relation.target
        lead = Line(
            (Claim(f"{start} and {end} do not reach each other; they meet at {meeting.name} of {meeting.project}."),)
        )
        return [lead, *path_lines(first)[:1], *path_lines(second)[:1]]
    known = [bulleted([edge_line(e) for e in network.edges if network.is_end(e, name)][:3]) for name in (start, end)]
    return [Line((Claim(f"No path between {start} and {end} is known. What is known of them:"),)), *known[0], *known[1]]


def path_lines(way: Sequence[Edge]) -> list[Line]:
    """`A calls B, which calls C in payments.`, the flow through the methods, and the line that proves each step."""
    nodes = [way[0].relation.source, *(edge.relation.target for edge in way)]
    marker = graph_marker([node.label for node in nodes])
    text, project = nodes[0].name, nodes[0].project
    for number, edge in enumerate(way):
        where = f" of {edge.relation.target.project}" if edge.relation.target.project != project else ""
        where = "" if edge.relation.target.kind == "project" else where
        text += f"{', which' if number else ''} {verb(edge.relation.type)} {edge.relation.target.name}{where}"
        project = edge.relation.target.project
    cited = tuple(edge.citation(marker, _said(edge)) for edge in way)
    steps = _flow(way)
    flow = f" Flow: {' → '.join(steps)}." if len(steps) > 2 else ""
    proofs = bulleted([edge_line(edge, spoken=True) for edge in way if edge.location])
    return [Line((Claim(f"{text}.{flow}", cited),)), *proofs, *_handling(way)]


def _said(edge: Edge) -> str:
    return f"{edge.relation.source.name} {verb(edge.relation.type)} {edge.relation.target.name}"


def _flow(way: Sequence[Edge]) -> list[str]:
    """The methods along the way, as the evidence of the quoted lines names them; empty when it is silent somewhere."""
    steps: list[str] = []
    for edge in way:
        line = edge.location.start_line if edge.location else 0
        pieces = [piece.says for piece in edge.relation.evidence if piece.line == line]
        said = next((m for says in pieces if (m := _SAYS.match(says)) and "." in says), None)
        if said is None:
            return []
        steps += [name for name in (said["source"], said["target"]) if name not in steps[-1:]]
    return steps


def _around(name: str, network: Network, *, outgoing: bool) -> list[Line]:
    """Who depends on it, or what it depends on, a line each with what proves it."""
    edges = network.out_of(name) if outgoing else network.into(name)
    if not edges:
        other = network.into(name) if outgoing else network.out_of(name)
        said = f"{name} is not known to depend on anything." if outgoing else f"Nothing is known to depend on {name}."
        if not other:
            return []
        return [Line((Claim(f"{said} What is known:"),)), *bulleted([edge_line(e) for e in other[:_MOST]])]
    ends = [edge.relation.target if outgoing else edge.relation.source for edge in edges]
    projects = list(dict.fromkeys(end.project for end in ends))
    if outgoing:
        lead = f"{name} reaches into {counted(len(projects), 'project')}: {listed(projects)}."
    else:
        depend = "depends" if len(projects) == 1 else "depend"
        lead = f"{counted(len(projects), 'project').capitalize()} {depend} on {name}: {listed(projects)}."
    ordered = sorted(
        edges, key=lambda e: projects.index((e.relation.target if outgoing else e.relation.source).project)
    )
    more = [Line((Claim(f"… and {len(edges) - _MOST} more."),))] if len(edges) > _MOST else []
    return [Line((Claim(lead),)), *bulleted([edge_line(edge) for edge in ordered[:_MOST]]), *more]


def edge_line(edge: Edge, *, spoken: bool = False) -> Line:
    """A relation, where it is proved and what stands there; `spoken` when the relation itself has been said."""
    marker = graph_marker([edge.relation.source.label, edge.relation.target.label])
    where = f"{edge.location.path}:{edge.location.start_line}" if edge.location else ""
    code = f"`{edge.quote.replace('`', chr(39))}`" if edge.location else ""
    if spoken:
        return Line(
            (
                Claim(
                    f"{edge.location.project if edge.location else ''}/{where} {code}",
                    (edge.citation(marker, _said(edge)),),
                ),
            )
        )
    source, target = edge.relation.source, edge.relation.target
    known = (
        target.name
        if target.kind == "project" or target.project == source.project
        else f"{target.name} of {target.project}"
    )
    text = f"{source.name} {verb(edge.relation.type)} {known}"
    return Line((Claim(f"{text} ({where}): {code}" if where else f"{text}.", (edge.citation(marker, _said(edge)),)),))


def _handling(way: Sequence[Edge]) -> list[Line]:
    """What the functions that make the calls say of themselves, and what they do about failure, such as trying again."""
    lines = []
    for edge in way:
        found = _around_call(edge)
        if found is None:
            continue
        source, first, last, name = found
        inside = source.lines[first : last + 1]
        does = features(inside)
        if any(feature.kind in {"retried", "tries", "loops", "waits"} for feature in does):
            text = f"{name} {told(does)}."
            claims = [Claim(text, (source.citation(text, "\n".join(inside), first, last),))]
            said = next((p for p in code_passages(inside) if p.kind == "documentation"), None)
            if said is not None:
                words = shortened(said.text)
                claims.append(
                    Claim(f"“{words}”", (source.citation(words, said.quote, first + said.first, first + said.last),))
                )
            marker = graph_marker([edge.relation.source.label])
            lines.append(Line(tuple(Claim(c.text, (replace(c.citations[0], marker=marker),)) for c in claims)))
    return lines


def _around_call(edge: Edge) -> tuple[Source, int, int, str] | None:
    """The function around the proving line, as indexes into the source definition's lines, and its name."""
    if edge.body is None or edge.body.location is None or edge.location is None:
        return None
    lines, at = edge.body.lines, edge.location.start_line - edge.body.location.start_line
    for first in range(at, -1, -1):
        named = re.match(r"(\s*)(?:async\s+)?(?:def|fn|func|function)\s+(\w+)", lines[first])
        if named:
            last = first
            for number in range(first + 1, len(lines)):
                inside = not lines[number].strip() or lines[number].startswith((named[1] + " ", named[1] + "\t"))
                if not inside:
                    break
                last = number if lines[number].strip() else last
            owner = edge.relation.source.name
            name = named[2] if owner.rsplit(".", 1)[-1] == named[2] else f"{owner}.{named[2]}"
            return edge.body, first, last, name
    return None
