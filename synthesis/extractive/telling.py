"""Facts in sentences: who does what to whom, as a list where they share an end, each with the line that proves it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from synthesis.answer import graph_marker
from synthesis.extractive.facts import is_way
from synthesis.extractive.statements import CitedClaim, Line, clipped, code_span, listed, verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entities import Entity
    from synthesis.answer import Citation
    from synthesis.extractive.facts import Fact
    from synthesis.extractive.sources import CitedEdge

ROWS: Final = 8
_PROOFS: Final = 3
_NAMED: Final = 14
_GROUPS: Final = 3
_SETTINGS: Final = re.compile(r"\.(?:ya?ml|json|toml|xml|properties|md|\w*proj|gradle|mod|lock)$", re.IGNORECASE)
_LONGEST: Final = 200
_DIRECT: Final = 2
_OF_TABLES: Final = {"USES_TABLE": "USES_TABLES_OF", "OWNS_TABLE": "OWNS_TABLES_OF", "STORES_IN": "STORES_IN_TABLES_OF"}
"""What one project does to another whose table it is."""
_EVENTS: Final = "No direct call is known. What is published and subscribed to leads there:"
_METHODS: Final = re.compile(r"^([\w$]+\.[\w.$]+) \w+(?: \w+)? ([\w$]+\.[\w.$]+)$")
"""How evidence says which method meets which: `OrderService.place calls PaymentAdapter.pay`."""


def fact_lines(facts: Sequence[Fact], every: Sequence[Fact], *, rows: int = ROWS, groups: int = _GROUPS) -> list[Line]:
    """The facts by the end that is asked about, a sentence and a list for each.

    Args:
        facts: those that answer.
        every: all there are; what else is known of a topic is shown with it.
        rows: how many of a list are shown with their line.
        groups: how many lists there are at most.
    """
    ways = [fact for fact in facts if len(fact.edges) > 1]
    direct = [fact for fact in facts if len(fact.edges) == 1]
    pairs = [fact for fact in direct if fact.names_source and fact.names_target]
    lines = _pair_lines(pairs, rows)
    by_end: dict[tuple[str, bool, bool], list[Fact]] = {}
    for fact in direct:
        if fact not in pairs:
            by_end.setdefault(_asked_end(fact), []).append(fact)
    asked_first = list(dict.fromkeys(name for name, _, _ in by_end))
    together = sorted(by_end.items(), key=lambda group: asked_first.index(group[0][0]))
    for (_, inside, outgoing), own in together[:groups]:
        lines += (_project_lines if inside else _list_lines)(own, rows, outgoing=outgoing)
    topics = {fact.target.id: fact.type for fact in direct if fact.target.kind == "topic"}
    others = [f for f in every if len(f.edges) == 1 and f.type != topics.get(f.target.id, f.type)]
    beside = [fact for fact in others if fact not in direct]
    lines += [_row(_best(own)) for own in list(_by_ends(beside).values())[:rows]]
    if not pairs:
        whole = len(ways) == 1 or any(fact.asks_source and fact.asks_target for fact in ways)
        led = [fact for fact in ways if is_way(fact.edges)][: 1 if whole else rows]
        lines += [line for fact in led for line in way_lines(fact.edges)[: None if whole else 1]]
        lines += _step_lines([fact for fact in ways if not is_way(fact.edges)][:rows])
    return lines


def _asked_end(fact: Fact) -> tuple[str, bool, bool]:
    """What a relation is listed under, whether that is the project an end is in, and whether it starts there."""
    if fact.names_source or fact.names_target:
        return (fact.source if fact.names_source else fact.target).label, False, fact.names_source
    inside = fact.inside_source or fact.inside_target
    end = fact.source if fact.asks_source else fact.target
    return end.project if inside else end.label, inside, fact.asks_source


def _step_lines(facts: Sequence[Fact]) -> list[Line]:
    """Steps that do not lead on from one another: what is asked for, and below it the steps that several share."""
    groups: dict[tuple[tuple[str, str, str], ...], list[Fact]] = {}
    for fact in facts:
        groups.setdefault(tuple(edge.relation.ends for edge in fact.edges[1:]), []).append(fact)
    lines = [Line((CitedClaim(_EVENTS),), leads=True)] if any(len(fact.edges) > _DIRECT for fact in facts) else []
    for own in groups.values():
        lines += [*(_row(fact.edges[0], opening="") for fact in own), *map(_row, own[0].edges[1:])]
    return lines


def way_lines(way: Sequence[CitedEdge]) -> list[Line]:
    """`A calls B, which calls C of payments.`, and the line that proves each step."""
    nodes = [way[0].relation.source, *(edge.relation.target for edge in way)]
    marker = graph_marker([node.label for node in nodes])
    text, project = nodes[0].name, nodes[0].project
    for number, edge in enumerate(way):
        target = edge.relation.target
        where = f" of {target.project}" if target.project != project and target.kind != "project" else ""
        text += f"{', which' if number else ''} {verb(edge.does)} {target.name}{where}"
        project = target.project
    cited = tuple(edge.citation(marker, _claim(edge)) for edge in way)
    flow = f" Flow: {' → '.join(steps)}." if len(steps := _flow(way)) > 2 else ""
    return [Line((CitedClaim(f"{text}.{flow}", cited),)), *(_row(edge, lead="") for edge in way if edge.location)]


def _flow(way: Sequence[CitedEdge]) -> list[str]:
    """The methods along the way, as the evidence of the quoted lines names them; empty where it is silent."""
    steps: list[str] = []
    for edge in way:
        line = edge.location.start_line if edge.location else 0
        says = (_METHODS.match(piece.says) for piece in edge.relation.evidence if piece.line == line)
        names = next((found.groups() for found in says if found), None)
        if names is None:
            return []
        steps += [name for name in names if name not in steps[-1:]]
    return steps


def _pair_lines(facts: Sequence[Fact], rows: int) -> list[Line]:
    """What one thing does to another, with its proofs in code and in settings."""
    by_ends, lines = _by_ends(facts), list[Line]()
    for own in list(by_ends.values())[:rows]:
        edges = sorted((fact.edges[0] for fact in own), key=_is_settings)
        proofs = list({edge.location: edge for edge in edges if edge.location}.values())
        end = ":" if proofs else "."
        lines.append(
            Line((CitedClaim(f"{_named(edges[0].relation.source)} {_does(edges[0])}{end}", (_cited(edges[0]),)),))
        )
        lines += [_row(edge, lead="") for edge in proofs[: _PROOFS if len(by_ends) == 1 else 2]]
    return lines


def _list_lines(facts: Sequence[Fact], rows: int, *, outgoing: bool) -> list[Line]:
    """`A, B and C call X.`, or `X calls A, B and C.`, and a bullet for each."""
    by_ends = _by_ends(facts)
    asked = facts[0].source if outgoing else facts[0].target
    if len(by_ends) == 1:
        return [_row(_best(facts), opening="")]
    types: dict[str, list[str]] = {}
    for own in by_ends.values():
        end = own[0].target if outgoing else own[0].source
        name = _seen_from(asked.project, end)
        names = types.setdefault(_best(own).does, [])
        if name not in names:
            names.append(name)
    lead = _lead(_named(asked), [([type_], names) for type_, names in types.items()], outgoing=outgoing)
    edges = [_best(own) for own in list(by_ends.values())[:rows]]
    it = [verb(edge.does).removesuffix(" the table") for edge in edges]
    phrases = [
        _does(e) if outgoing else f"{_named(e.relation.source)} {does} it" for e, does in zip(edges, it, strict=True)
    ]
    return [lead, *(_row(edge, does) for edge, does in zip(edges, phrases, strict=True))]


def _project_lines(facts: Sequence[Fact], rows: int, *, outgoing: bool) -> list[Line]:
    """`A and B call X.`, or `X calls A; depends on A and B.`, of projects, and a bullet for each relation, the first of
    each kind with each project in front.
    """
    facts = list({(f.source.label, f.type, f.target.label): f for f in reversed(facts)}.values())[::-1]
    if len(facts) == 1:
        return [_row(facts[0].edges[0], opening="")]
    asked = (facts[0].source if outgoing else facts[0].target).project
    others: dict[str, dict[str, None]] = {}
    first: list[Fact] = []
    rest: list[Fact] = []
    for fact in facts:
        among = fact.is_among_projects and fact.type in _OF_TABLES
        end = fact.target if outgoing else fact.source
        known = others.setdefault(_OF_TABLES[fact.type] if among else fact.type, {})
        other = end.project if fact.is_among_projects else _seen_from(asked, end)
        (rest if other in known else first).append(fact)
        known[other] = None
    types: dict[tuple[str, ...], list[str]] = {}
    for type_, projects in others.items():
        types.setdefault(tuple(projects), []).append(type_)
    lead = _lead(asked, [(alike, names) for names, alike in types.items()], outgoing=outgoing)
    return [lead, *(_row(fact.edges[0]) for fact in [*first, *rest][:rows])]


def _lead(asked: str, parts: Sequence[tuple[Sequence[str], Sequence[str]]], *, outgoing: bool) -> Line:
    """`A and B call X.`, or `X calls A; extends and uses B.`: what is asked about, with others by type of relation."""
    phrases = []
    for types, names in parts:
        more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
        all_ = listed([*names[:_NAMED], *more])
        verbs = listed([verb(type_, many=len(names) > 1 and not outgoing) for type_ in types])
        phrases.append(f"{verbs} {all_}" if outgoing else f"{all_} {verbs} {asked}")
    text = "; ".join(phrases)
    return Line((CitedClaim(f"{asked} {text}." if outgoing else f"{text}."),), leads=True)


def _by_ends(facts: Sequence[Fact]) -> dict[tuple[str, str], list[Fact]]:
    """The facts by what they join, services first."""
    found: dict[tuple[str, str], list[Fact]] = {}
    for fact in sorted(facts, key=lambda fact: (fact.source.kind != "service", fact.target.kind != "service")):
        found.setdefault((fact.source.label, fact.target.label), []).append(fact)
    return found


def _best(facts: Sequence[Fact]) -> CitedEdge:
    """The proof to show of several: one in code that says what is done, before settings and mere dependencies."""
    edges = [fact.edges[0] for fact in facts]
    return min(
        edges, key=lambda e: (e.relation.type in {"DEPENDS_ON", "IMPORTS"}, _is_settings(e), "test" in e.relation.path)
    )


def _is_settings(edge: CitedEdge) -> bool:
    return _SETTINGS.search(edge.relation.path) is not None


def _named(entity: Entity) -> str:
    known = entity.kind == "project" or not entity.project or entity.name == entity.project
    return entity.name if known else f"{entity.name} of {entity.project}"


def _seen_from(project: str, entity: Entity) -> str:
    """Its name, with its project where that is another."""
    return entity.name if entity.project == project else _named(entity)


def _does(edge: CitedEdge) -> str:
    return f"{verb(edge.does)} {_seen_from(edge.relation.source.project, edge.relation.target)}"


def _claim(edge: CitedEdge) -> str:
    return f"{edge.relation.source.name} {verb(edge.does)} {edge.relation.target.name}"


def _cited(edge: CitedEdge) -> Citation:
    return edge.citation(graph_marker([edge.relation.source.label, edge.relation.target.label]), _claim(edge))


def _row(edge: CitedEdge, lead: str | None = None, *, opening: str = "- ") -> Line:
    """What a relation says, or what is put in its place, and the line that proves it."""
    lead = f"{_named(edge.relation.source)} {_does(edge)}" if lead is None else lead
    if edge.location is None:
        return Line((CitedClaim(f"{lead}.", (_cited(edge),)),), opening)
    where = f"{edge.location.project}/{edge.location.path}:{edge.location.start_line}"
    lead += " through this call" if lead and edge.is_by_call else ""
    code = code_span(clipped(edge.quote.rstrip(", "), _LONGEST))
    return Line((CitedClaim(f"{lead} ({where}): {code}" if lead else f"{where} {code}", (_cited(edge),)),), opening)
