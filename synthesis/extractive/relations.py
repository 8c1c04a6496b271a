"""How one thing connects to another, and what depends on what: paths as sentences, each edge with its line (001 §10, B)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memory.query import QueryType
from synthesis.extractive.cleaning import shortened
from synthesis.extractive.code import code_passages
from synthesis.extractive.ends import asked_ends
from synthesis.extractive.features import features, told
from synthesis.extractive.joint import joint_lines, mention_lines
from synthesis.extractive.network import Network
from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.topic import named_projects
from synthesis.extractive.uses import by_user, shown_code, use_claim, use_lines
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
_VERBS = {"publish": {"PUBLISHES"}, "consume": {"CONSUMES", "SUBSCRIBES"}, "subscribe to": {"CONSUMES", "SUBSCRIBES"}}
_SERVED = frozenset({"service", "endpoint", "topic"})
_MOST = 8
_NAMED = 5


def relation_lines(question: str, classification: QueryClassification | None, ground: Ground) -> list[Line]:
    """The path between the two things named, or what stands around the one; empty when no relation bears on it."""
    network = Network(ground.edges)
    entities = classification.entities if classification else ()
    named = network.named_in(question, entities)
    names = _without_place(question, named)
    if places := set(named) - set(names):
        network = Network([e for e in ground.edges if places & {e.relation.source.project, e.relation.target.project}])
    many = classification is not None and QueryType.MULTI_HOP in classification.query_types
    if len(names) < 2:
        projects = named_projects(question, (source.project for source in ground.sources))
        both = list(dict.fromkeys([*names, *projects]))
        names = both if len(both) > 1 and not any(network.into(n) or network.out_of(n) for n in names) else names
    if len(names) > 1:
        known = _between(names[0], names[1], network) or joint_lines(question, names[0], names[1], ground)
        nothing = [] if many else [Line((Claim(f"No relation between {names[0]} and {names[1]} is known."),))]
        return known or _unconnected(names[0], names[1], network) or nothing
    if len(names) < 2 and (apart := _half_known(question, names, network, ground)):
        return apart
    if not names:
        return mention_lines(entities, ground)
    chains = network.chains_into(names[0]) if many else []
    if chains:
        ways = bulleted([path_lines(chain)[0] for chain in chains[:_MOST]])
        return [*ways, *bulleted([edge_line(edge) for edge in network.into(names[0])][: _MOST - len(ways)])]
    return _around(names[0], network, question)


def _without_place(question: str, names: Sequence[str]) -> list[str]:
    """The names without that of a project which only says where: `What uses CartService in shop?`."""
    if asked_ends(question):
        return list(names)
    ends = [
        n
        for n in names
        if not re.search(rf"\b(?:in|inside|within)\s+(?:the\s+)?{re.escape(n)}\b", question, re.IGNORECASE)
    ]
    return ends or list(names)


def _half_known(question: str, names: Sequence[str], network: Network, ground: Ground) -> list[Line]:
    """What there is on a connection of which one end is no name that the relations know; empty when none is asked for."""
    ends = asked_ends(question)
    if ends is None:
        return []
    joint = joint_lines(question, *ends, ground)
    if joint or not names:
        return joint
    known = bulleted([edge_line(edge) for edge in network.edges if network.is_end(edge, names[0])][:_MOST])
    where = listed(
        list(dict.fromkeys(edge.relation.source.project for edge in network.edges if network.is_end(edge, names[0])))
    )
    lead = f"No relation between {ends[0]} and {ends[1]} is known. What is known of {names[0]}, from {where}:"
    return [Line((Claim(lead),)), *known] if known else []


def bulleted(lines: Sequence[Line]) -> list[Line]:
    """The lines as a list's."""
    return [Line(line.claims, "- ", line.code) for line in lines]


def _between(start: str, end: str, network: Network) -> list[Line]:
    direct = [network.direct(start, end), network.direct(end, start)]
    if max(len(edges) for edges in direct) > 1:
        return [line for edges in direct if edges for line in _several(edges)]
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
    return []


def _several(edges: Sequence[Edge]) -> list[Line]:
    """What of the one uses what of the other, where more than one relation leads from the one to the other."""
    users = by_user(edges)
    source, target = edges[0].relation.source.project, edges[0].relation.target.project
    if source == target:
        return use_lines(edges, _MOST)
    code = [own[0].relation.source.name for own in users if own[0].relation.type != "DEPENDS_ON"]
    declared = "declares the dependency" if len(code) < len(users) else ""
    what = "services" if all(edge.relation.target.kind in _SERVED for edge in edges) else "code"
    using = f"its {listed(code[:_NAMED])} {'use' if len(code) > 1 else 'uses'} {target}'s {what}" if code else ""
    how = listed([part for part in (declared, using) if part])
    lead = f"{source} uses {target}: {f'it {how}' if declared else how}."
    return [Line((Claim(lead),)), *use_lines(edges, _MOST)]


def _unconnected(start: str, end: str, network: Network) -> list[Line]:
    """That no way between two things is known, and what is known of each; empty when nothing is."""
    known = [bulleted([edge_line(e) for e in network.edges if network.is_end(e, name)][:3]) for name in (start, end)]
    lead = Line((Claim(f"No path between {start} and {end} is known. What is known of them:"),))
    return [lead, *known[0], *known[1]] if known[0] or known[1] else []


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


def _around(name: str, network: Network, question: str) -> list[Line]:
    """Who depends on it, or what it depends on: project by project, each with how and where."""
    outgoing = bool(_OUTGOING.search(question))
    edges = network.out_of(name) if outgoing else network.into(name)
    if not edges:
        other = network.into(name) if outgoing else network.out_of(name)
        said = f"{name} is not known to depend on anything." if outgoing else f"Nothing is known to depend on {name}."
        if not other:
            return []
        return [Line((Claim(f"{said} What is known:"),)), *use_lines(other, _MOST)]
    by_project: dict[str, list[Edge]] = {}
    for edge in edges:
        end = edge.relation.target if outgoing else edge.relation.source
        by_project.setdefault(end.project, []).append(edge)
    projects = list(by_project)
    if outgoing:
        lead = f"{name} reaches into {counted(len(projects), 'project')}: {listed(projects)}."
        if projects == list(dict.fromkeys(edge.relation.source.project for edge in edges)) != [name]:
            lead = f"What {name} uses is in {projects[0]}:"
    elif len(projects) == 1 and not any(edge.relation.target.project == name for edge in edges):
        lead = f"{counted(len(by_user(edges)), 'place')} of {projects[0]} {'uses' if len(by_user(edges)) == 1 else 'use'} {name}."
        lead = lead[0].upper() + lead[1:]
    else:
        depend = "depends" if len(projects) == 1 else "depend"
        lead = f"{counted(len(projects), 'project').capitalize()} {depend} on {name}: {listed(projects)}."
    unknown = _unanswered_verbs(question, edges)
    if len(projects) == 1:
        return [Line((Claim(lead),)), *use_lines(edges, _MOST), *unknown]
    return [Line((Claim(lead),)), *(_of_project(project, own) for project, own in by_project.items()), *unknown]


def _unanswered_verbs(question: str, edges: Sequence[Edge]) -> list[Line]:
    """`Nothing is known to consume it.`, where the question asks for that too and no relation says it."""
    types = {edge.relation.type for edge in edges}
    asked = [verb for verb, named in _VERBS.items() if re.search(rf"\b{verb}", question, re.IGNORECASE)]
    told = [verb for verb in asked if types & _VERBS[verb]]
    return [Line((Claim(f"Nothing is known to {v} it."),)) for v in asked if told and not types & _VERBS[v]]


def _of_project(project: str, edges: Sequence[Edge]) -> Line:
    """How one project of several does it, in a line."""
    users = by_user(edges)
    claims = [use_claim(own, code=number == 0, owned=True) for number, own in enumerate(users[:_NAMED])]
    more = [Claim(f"… and {len(users) - _NAMED} more.")] if len(users) > _NAMED else []
    ended = [Claim(f"{c.text}{'' if c.text[-1] in '.`' else ';'}", c.citations) for c in claims]
    return Line((*ended, *more), f"- {project}: ")


def edge_line(edge: Edge, *, spoken: bool = False) -> Line:
    """A relation, where it is proved and what stands there; `spoken` when the relation itself has been said."""
    marker = graph_marker([edge.relation.source.label, edge.relation.target.label])
    where = f"{edge.location.path}:{edge.location.start_line}" if edge.location else ""
    code = shown_code(edge) if edge.location else ""
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
