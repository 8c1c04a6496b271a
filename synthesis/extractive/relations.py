"""How one thing connects to another, and what depends on what: paths as sentences, each edge with its line (001 §10, B)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.query import QueryType
from memory.text import asks_config_keys
from synthesis.extractive.ends import asked_ends
from synthesis.extractive.handling import handling_lines
from synthesis.extractive.joint import joint_lines, mention_lines
from synthesis.extractive.network import Network
from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.through import VERB_TYPES, through_lines
from synthesis.extractive.topic import named_projects
from synthesis.extractive.uses import by_user, shown_code, use_claim, use_lines
from synthesis.extractive.wording import counted, listed, verb
from synthesis.markers import graph_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.query import QueryClassification
    from synthesis.extractive.sources import Edge, Ground

__all__ = ["bulleted", "edge_line", "relation_lines"]

_OUTGOING = re.compile(
    r"\b(?:what|which(?: \w+){1,3}) (?:does|do|is|are)\b.*\b(?:calls?|uses?|depends?|imports?|needs?|reads?|writes?|expects?|invokes?"
    r"|publish|exposes?|consumes?|subscribes?|owns?)\b|\bdependencies of\b",
    re.IGNORECASE,
)
_OF = r"(?:services?|class(?:es)?|modules?|functions?|methods?|tables?|topics?|queues?|endpoints?)\s+of"
_SAYS = re.compile(r"^(?P<source>[\w.$]+) \w+(?: \w+)? (?P<target>[\w.$]+)$")
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
    if through := through_lines(question, names, network):
        return through
    if len(names) < 2:
        projects = named_projects(question, (source.project for source in ground.sources))
        both = list(dict.fromkeys([*names, *projects]))
        names = both if len(both) > 1 and not any(network.into(n) or network.out_of(n) for n in names) else names
    if len(names) == 1 and (ends := asked_ends(question)):  # a plain word is a name where a relation's end is named
        names += [n for end in ends if (n := network.called(end)) and n not in names]
    if len(names) > 1:
        known = _between(names[0], names[1], network) or joint_lines(question, names[0], names[1], ground)
        nothing = [] if many else [Line((Claim(f"No relation between {names[0]} and {names[1]} is known."),))]
        return known or _unconnected(names[0], names[1], network) or nothing
    if asked_ends(question) or not names:
        return _half_known(question, names, network, ground) or mention_lines(entities, ground)
    chains = network.chains_into(names[0]) if many else []
    if chains:
        ways = bulleted([path_lines(chain)[0] for chain in chains[:_MOST]])
        return [*ways, *bulleted([edge_line(edge) for edge in network.into(names[0])][: _MOST - len(ways)])]
    return _around(names[0], network, question)


def _without_place(question: str, names: Sequence[str]) -> list[str]:
    """The names without that of a project which only says where: `What uses CartService in shop?`."""
    asked = {end.casefold() for end in asked_ends(question) or ()}
    place = rf"\b(?:in|inside|within|{_OF})\s+(?:the\s+)?"
    ends = [
        n for n in names if n.casefold() in asked or not re.search(rf"{place}{re.escape(n)}\b", question, re.IGNORECASE)
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
    at_it = [e for e in network.edges if network.is_end(e, names[0]) and e.relation.type != "READS"]
    known = bulleted([edge_line(edge) for edge in at_it[:_MOST]])
    where = listed(list(dict.fromkeys(edge.relation.source.project for edge in at_it)))
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
        text += f"{', which' if number else ''} {verb(edge.relation.type, edge.relation.target.kind)} {edge.relation.target.name}{where}"
        project = edge.relation.target.project
    cited = tuple(edge.citation(marker, _said(edge)) for edge in way)
    steps = _flow(way)
    flow = f" Flow: {' → '.join(steps)}." if len(steps) > 2 else ""
    proofs = bulleted([edge_line(edge, spoken=True) for edge in way if edge.location])
    return [Line((Claim(f"{text}.{flow}", cited),)), *proofs, *handling_lines(way)]


def _said(edge: Edge) -> str:
    return (
        f"{edge.relation.source.name} {verb(edge.relation.type, edge.relation.target.kind)} {edge.relation.target.name}"
    )


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
    if outgoing and asks_config_keys(question):
        edges = [edge for edge in edges if edge.relation.type == "READS"] or edges
    if not edges:
        other = network.into(name) if outgoing else network.out_of(name)
        said = f"{name} is not known to depend on anything." if outgoing else f"Nothing is known to depend on {name}."
        if not other:
            return []
        return [Line((Claim(f"{said} What is known:"),)), *use_lines(other, _MOST)]
    edges = _services_for_their_code(edges)
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
        users = {(own[0].relation.source.label, own[0].relation.source.kind) for own in by_user(edges)}
        what = "service" if all(kind == "service" for _, kind in users) else "place"
        lead = f"{counted(len(users), what)} of {projects[0]} {'uses' if len(users) == 1 else 'use'} {name}."
        lead = lead[0].upper() + lead[1:]
    else:
        depend = "depends" if len(projects) == 1 else "depend"
        lead = f"{counted(len(projects), 'project').capitalize()} {depend} on {name}: {listed(projects)}."
    unknown = _unanswered_verbs(question, edges) or _published(question, edges, network)
    if len(projects) == 1:
        return [Line((Claim(lead),)), *use_lines(edges, _MOST), *unknown]
    return [Line((Claim(lead),)), *(_of_project(project, own) for project, own in by_project.items()), *unknown]


def _services_for_their_code(edges: Sequence[Edge]) -> list[Edge]:
    """Without the classes and functions whose line makes a service do it, where the service is told."""

    def line(edge: Edge) -> tuple[object, ...]:
        return edge.location, edge.relation.type, edge.relation.target.label

    told = {line(edge) for edge in edges if edge.relation.source.kind == "service"}
    return [edge for edge in edges if edge.relation.source.kind == "service" or line(edge) not in told]


def _published(question: str, edges: Sequence[Edge], network: Network) -> list[Line]:
    """What those that use a message broker publish or consume, where the question asks for that."""
    asked = frozenset[str]().union(
        *(types for verb, types in VERB_TYPES.items() if verb.split()[0] in question.casefold())
    )
    users = {edge.relation.source.id for edge in edges}
    told = {edge.relation.ends for edge in edges}
    does = [e for e in network.edges if e.relation.source.id in users and e.relation.type in asked]
    return use_lines([edge for edge in does if edge.relation.ends not in told], _MOST)


def _unanswered_verbs(question: str, edges: Sequence[Edge]) -> list[Line]:
    """`Nothing is known to consume it.`, where the question asks for that too and no relation says it."""
    types = {edge.relation.type for edge in edges}
    asked = [verb for verb in VERB_TYPES if re.search(rf"\b{verb}", question, re.IGNORECASE)]
    told = [verb for verb in asked if types & VERB_TYPES[verb]]
    return [Line((Claim(f"Nothing is known to {v} it."),)) for v in asked if told and not types & VERB_TYPES[v]]


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
    text = f"{source.name} {verb(edge.relation.type, target.kind)} {known}"
    return Line((Claim(f"{text} ({where}): {code}" if where else f"{text}.", (edge.citation(marker, _said(edge)),)),))
