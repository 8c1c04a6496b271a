"""Facts in sentences: who does what to whom, as a list where they share an end, each with the line that proves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.wording import listed, verb
from synthesis.markers import graph_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entities import Entity
    from synthesis.answer import Citation
    from synthesis.extractive.facts import Fact
    from synthesis.extractive.sources import Edge

__all__ = ["fact_lines", "way_lines"]

_ROWS: Final = 8
_PROOFS: Final = 3
_NAMED: Final = 14
_GROUPS: Final = 3
_SETTINGS: Final = (
    ".yaml",
    ".yml",
    ".json",
    ".toml",
    ".xml",
    ".properties",
    ".md",
    ".csproj",
    ".gradle",
    ".mod",
    ".lock",
)


def fact_lines(facts: Sequence[Fact], every: Sequence[Fact], *, rows: int = _ROWS) -> list[Line]:
    """The facts by the end that is asked about, a sentence and a list for each.

    Args:
        facts: those that answer.
        every: all there are; what else is known of a topic is told with it.
        rows: how many of a list are shown with their line.
    """
    ways = [fact for fact in facts if len(fact.edges) > 1]
    direct = [fact for fact in facts if len(fact.edges) == 1]
    lines = list[Line]()
    pairs = [fact for fact in direct if fact.asks_source and fact.asks_target]
    if pairs:
        lines += _pair_lines(pairs, rows)
    groups: dict[tuple[str, bool], list[Fact]] = {}
    for fact in direct:
        if fact not in pairs:
            asked = fact.source if fact.asks_source else fact.target
            groups.setdefault((asked.id, fact.asks_source), []).append(fact)
    for (_, outgoing), own in list(groups.items())[:_GROUPS]:
        lines += _list_lines(own, rows, outgoing=outgoing)
    shown = {fact.target.id for fact in direct if fact.target.kind == "topic"}
    types = {fact.type for fact in direct if fact.target.id in shown}
    beside = [f for f in every if len(f.edges) == 1 and f.target.id in shown and f.type not in types]
    lines += [_row(_best(own)) for own in list(_by_ends(beside).values())[:rows]]
    if not pairs:
        lines += [line for fact in ways[:rows] for line in way_lines(fact.edges)[:1]]
    elif not direct:
        lines += [line for fact in ways[:1] for line in way_lines(fact.edges)]
    return lines


def way_lines(way: Sequence[Edge]) -> list[Line]:
    """`A calls B, which calls C of payments.`, and the line that proves each step."""
    nodes = [way[0].relation.source, *(edge.relation.target for edge in way)]
    marker = graph_marker([node.label for node in nodes])
    text, project = nodes[0].name, nodes[0].project
    for number, edge in enumerate(way):
        target = edge.relation.target
        where = f" of {target.project}" if target.project != project and target.kind != "project" else ""
        text += f"{', which' if number else ''} {verb(edge.relation.type)} {target.name}{where}"
        project = target.project
    cited = tuple(edge.citation(marker, _said(edge)) for edge in way)
    return [Line((Claim(f"{text}.", cited),)), *(_row(edge, spoken=True) for edge in way if edge.location)]


def _pair_lines(facts: Sequence[Fact], rows: int) -> list[Line]:
    """What one thing does to another, with its proofs in code and in settings."""
    by_ends = _by_ends(facts)
    single = len(by_ends) == 1
    lines = list[Line]()
    for own in list(by_ends.values())[:rows]:
        edges = sorted((fact.edges[0] for fact in own), key=_is_settings)
        first = edges[0]
        lines.append(Line((Claim(f"{_named(first.relation.source)} {_does(first)}", (_cited(first),)),)))
        proofs = {edge.location: edge for edge in edges if edge.location}
        lines += [_row(edge, spoken=True) for edge in list(proofs.values())[: _PROOFS if single else 2]]
    return lines


def _list_lines(facts: Sequence[Fact], rows: int, *, outgoing: bool) -> list[Line]:
    """`A, B and C call X.`, or `X calls A, B and C.`, and a bullet for each."""
    by_ends = _by_ends(facts)
    asked = facts[0].source if outgoing else facts[0].target
    if len(by_ends) == 1:
        return [_row(_best(next(iter(by_ends.values()))), bullet=False)]
    types: dict[str, list[str]] = {}
    for own in by_ends.values():
        end = own[0].target if outgoing else own[0].source
        name = _named(end) if end.project != asked.project else end.name
        names = types.setdefault(_best(own).relation.type, [])
        if name not in names:
            names.append(name)
    parts = []
    for type_, names in types.items():
        more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
        said = listed([*names[:_NAMED], *more])
        parts.append(
            f"{verb(type_)} {said}" if outgoing else f"{said} {verb(type_, many=len(names) > 1)} {_named(asked)}"
        )
    lead = f"{_named(asked)} {'; '.join(parts)}." if outgoing else f"{'; '.join(parts)}."
    shown = [_row(_best(own), outgoing=outgoing) for own in list(by_ends.values())[:rows]]
    return [Line((Claim(lead),), leads=True), *shown]


def _by_ends(facts: Sequence[Fact]) -> dict[tuple[str, str], list[Fact]]:
    """The facts by what they join, services first."""
    found: dict[tuple[str, str], list[Fact]] = {}
    for fact in sorted(facts, key=lambda fact: (fact.source.kind != "service", fact.target.kind != "service")):
        found.setdefault((fact.source.label, fact.target.label), []).append(fact)
    return found


def _best(facts: Sequence[Fact]) -> Edge:
    """The proof to show of several: one in code that says what is done, before settings and mere dependencies."""
    edges = [fact.edges[0] for fact in facts]
    return min(
        edges, key=lambda e: (e.relation.type in {"DEPENDS_ON", "IMPORTS"}, _is_settings(e), "test" in e.relation.path)
    )


def _is_settings(edge: Edge) -> bool:
    return edge.relation.path.lower().endswith(_SETTINGS)


def _named(entity: Entity) -> str:
    known = entity.kind == "project" or not entity.project or entity.name == entity.project
    return entity.name if known else f"{entity.name} of {entity.project}"


def _does(edge: Edge) -> str:
    source, target = edge.relation.source, edge.relation.target
    return f"{verb(edge.relation.type)} {target.name if target.project == source.project else _named(target)}"


def _said(edge: Edge) -> str:
    return f"{edge.relation.source.name} {verb(edge.relation.type)} {edge.relation.target.name}"


def _cited(edge: Edge) -> Citation:
    return edge.citation(graph_marker([edge.relation.source.label, edge.relation.target.label]), _said(edge))


def _row(edge: Edge, *, spoken: bool = False, bullet: bool = True, outgoing: bool | None = None) -> Line:
    """A relation and the line that proves it.

    Args:
        edge: the relation.
        spoken: the relation itself has been said.
        bullet: it is one of a list.
        outgoing: of a list that has been introduced, whether its entries are what is led to.
    """
    where = f"{edge.location.project}/{edge.location.path}:{edge.location.start_line}" if edge.location else ""
    said = "" if spoken else f"{_named(edge.relation.source)} {_does(edge)}"
    if outgoing is not None:
        said = (
            _does(edge)
            if outgoing
            else f"{_named(edge.relation.source)} {verb(edge.relation.type).removesuffix(' the table')} it"
        )
    at = f"{where if spoken else f' ({where})'}: {_code(edge)}" if where else "."
    return Line((Claim(said + at, (_cited(edge),)),), "- " if bullet else "")


def _code(edge: Edge) -> str:
    text = edge.quote.rstrip().replace("`", "'")
    text = text if len(text) <= 200 else f"{text[:200].rsplit(' ', 1)[0]} …"
    return f"`{text.rstrip(',')}`"
