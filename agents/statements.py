"""What the graph agent says: an entity, a relation or a path as text, with the lines that prove it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from agents.linking import EntityLink
from memory.entities import Relationship, sentence
from memory.observations import GraphObservation, Location
from memory.statements import FoundStatement


def _sentence(edge: Relationship) -> str:
    where = f" ({edge.path}:{edge.lines[0]})" if edge.lines else ""
    return f"{sentence(edge)}{where}"


def _proof(stated: Sequence[Relationship], also: Sequence[Relationship], limit: int) -> tuple[Location, ...]:
    """The proving lines: the first of each edge that is stated, where its evidence is, then the edges beside them."""
    places = [(edge.project, edge.path, line) for edge in stated for line in edge.lines[:1]]
    places += [(piece.project, piece.path, piece.line) for edge in stated for piece in edge.evidence]
    places += [(edge.project, edge.path, line) for edge in also for line in edge.lines[:1]]
    places += [(edge.project, edge.path, line) for edge in (*stated, *also) for line in edge.lines[1:]]
    known = dict.fromkeys(Location(*place, place[-1]) for place in places if all(place))
    return tuple(known)[:limit]


def _says(edge: Relationship) -> list[str]:
    """What the source's own lines say; what is said at the other end is another's."""
    return list(dict.fromkeys(piece.says for piece in edge.own_evidence if piece.says))


def path_observation(
    edges: Sequence[Relationship],
    confidence: float,
    engine: str,
    max_locations: int,
    parallel: Sequence[Relationship] = (),
    marks: Mapping[str, object] = MappingProxyType({}),
) -> GraphObservation:
    """`A calls B; B calls C`, with every edge's line, and then the lines of edges that run beside them.

    marks: what the metadata say besides: `answers`: these are the steps that the question asks for; `unlisted`: how
    many such ways are left out.
    """
    nodes = list({end.id: end for edge in edges for end in (edge.source, edge.target)}.values())
    text = "; ".join(_sentence(edge) for edge in edges)
    details = [detail for edge in edges for detail in _says(edge)]
    return GraphObservation(
        content=f"{text}. {' '.join(f'{detail}.' for detail in details)}".strip(),
        entities=nodes,
        relationships=list(edges),
        source_projects=list(dict.fromkeys(node.project for node in nodes)),
        hop_depth=len(edges),
        confidence=round(confidence, 4),
        observation_type="relationship",
        engine=engine,
        locations=_proof(edges, parallel, max_locations),
        metadata={"path": [node.label for node in nodes], **marks},
    )


def statement_observation(
    found: Sequence[FoundStatement], engine: str, max_locations: int, marks: Mapping[str, object] = MappingProxyType({})
) -> GraphObservation:
    """Relations of one kind that share an end, as sentences, with what their evidence says.

    marks: what the metadata say besides: `listed`: these are all "things" of a project that the question asks for, or
    all that it does to other "projects"; `unlisted`: how many of all projects are left out.
    """
    edges = list({one.relation.ends: one.relation for one in reversed(found)}.values())[::-1]
    ends = list({end.id: end for edge in edges for end in (edge.source, edge.target)}.values())
    details = list(dict.fromkeys(detail for one in found for detail in _says(one.relation)))
    projects = list(dict.fromkeys(end.project for end in ends))
    return GraphObservation(
        content=" ".join(f"{part}." for part in (*map(_sentence, edges), *details[:3])),
        entities=ends,
        relationships=[one.relation for one in found],
        source_projects=projects,
        hop_depth=1,
        confidence=round(min(1.0, found[0].coverage), 4),
        observation_type="cross_ref" if len(projects) > 1 else "relationship",
        engine=engine,
        locations=_proof(edges, [one.relation for one in found], max(max_locations, len(edges))),
        metadata={
            "path": [edges[0].source.label, edges[0].target.label],
            "coverage": found[0].coverage,
            **marks,
        },
    )


def entity_observation(link: EntityLink, edges: Sequence[Relationship], engine: str) -> GraphObservation:
    """What an entity is, where it is, and how many know it."""
    entity = link.entity
    at = f"{entity.path}:{entity.start_line}" if entity.path else ""
    text = (
        f"{entity.name} is a {entity.kind.replace('_', ' ')} of {entity.project}"
        if entity.kind != "project"
        else f"{entity.name} is a project"
    )
    users = {edge.source.label for edge in edges if edge.target.id == entity.id and edge.type != "DEFINES"}
    content = f"{text}{f' ({at})' if at else ''}. {entity.summary}".strip()
    if users:
        content += f" Used by {', '.join(sorted(users)[:5])}{' and others' if len(users) > 5 else ''}."
    locations = (
        (Location(entity.project, entity.path, entity.start_line, entity.end_line),) if entity.start_line else ()
    )
    return GraphObservation(
        content=content,
        entities=[entity],
        relationships=[],
        source_projects=[entity.project],
        hop_depth=0,
        confidence=round(link.confidence, 4),
        observation_type="entity",
        engine=engine,
        locations=locations,
        metadata={"kind": entity.kind, "linked_by": link.how},
    )
