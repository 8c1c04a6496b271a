"""What a thing is, what it does and who uses it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synthesis.extractive.boilerplate import aside
from synthesis.extractive.cleaning import shortened
from synthesis.extractive.further import further_lines
from synthesis.extractive.introduction import introduction
from synthesis.extractive.network import Network, said_at
from synthesis.extractive.overview import project_lines
from synthesis.extractive.relations import bulleted, edge_line
from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.tables import tables_in
from synthesis.extractive.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.answer import Citation
    from synthesis.extractive.passages import Passage
    from synthesis.extractive.sources import Edge, Ground, Source

__all__ = ["lookup_lines"]

_MISSPELT = "is spelt almost so"
_ENTITIES = 4
_USERS = 4
_MEMBERS = 6
_GLANCE = 320
_BARE = re.compile(r"(?:\S+\s+){0,4}\S+$")
_CAMEL = re.compile(r"[a-z][A-Z]")
_POINTS = re.compile(r"https?://|[:;,]$|^(?:example|usage|note)\b", re.IGNORECASE)
_ARGUMENT = re.compile(r"^[`*]*\w+[`*]*(?: \([^)]*\))?(?::| -{1,2}) (?!.*\b(?:is|are) an? )")


def lookup_lines(question: str, ground: Ground, *, alone: bool = False) -> list[Line]:
    """A line for each entity that the question names, its members, its relations; empty when it names none.

    alone: without the relations, and only where there is more than one of them.
    """
    found = [s for s in ground.sources if s.observation.observation_type == "entity" and s.observation.agent == "graph"]
    named = _distinct([s for s in found if said_at(question, _called(s), surely=True) is not None])
    nearly = [] if named else _distinct([s for s in found if s.observation.metadata.get("linked_by") == _MISSPELT])
    named = named or nearly
    projects = {s.project for s in named if _kind(s) == "project"}
    named = [s for s in named if _kind(s) != "module" or s.project not in projects]
    things = {s.project for s in named if _kind(s) not in {"project", "package"}}
    named = [s for s in named if _kind(s) not in {"project", "package"} or s.project not in things]  # said as the place
    network = Network(ground.edges)
    lines = (
        [Line((Claim(f"Nothing of exactly that name is known; the nearest is {_called(nearly[0])}."),))]
        if nearly
        else []
    )
    for source in named[:_ENTITIES]:
        about = project_lines if _kind(source) == "project" or source.location is None else _entity
        lines += _unsaid(about(source, ground, network), lines)
    if alone:
        return lines if len(named) > 1 else []
    if not lines or all(_kind(s) == "project" for s in named):
        return lines
    name = _called(named[0])
    used = _without_imports(network.into(name))[:_USERS]
    uses = _without_imports(network.out_of(name))[: _USERS - len(used)]
    further = further_lines(question, [_called(s) for s in named], ground)
    return [*lines, *further, *bulleted([edge_line(edge) for edge in [*used, *uses]])]


def _unsaid(lines: Sequence[Line], said: Sequence[Line]) -> list[Line]:
    """The lines without what has been said of another thing of that name already."""
    known = {claim.text for line in said for claim in line.claims}
    return [Line(tuple(c for c in line.claims if c.text not in known), line.opening, line.code) for line in lines]


def _without_imports(edges: Sequence[Edge]) -> list[Edge]:
    """A project's own imports say nothing, as long as there is something else."""
    inside = [e.relation.type == "IMPORTS" and e.relation.source.project == e.relation.target.project for e in edges]
    return [edge for edge, own in zip(edges, inside, strict=True) if not own] or list(edges)


def _kind(source: Source) -> str:
    return str(source.observation.metadata.get("kind") or "definition")


def _called(source: Source) -> str:
    names = source.observation.entities_mentioned
    return names[0] if names else ""


def _distinct(sources: Sequence[Source]) -> list[Source]:
    """Each once; of definitions that read the same, as copies of a contract do, the first."""
    once = {(s.project, s.path, _called(s)): s for s in reversed(sources)}
    return list({(s.project, _called(s), s.lines or s.path): s for s in once.values()}.values())[::-1]


def _entity(source: Source, ground: Ground, network: Network) -> list[Line]:  # noqa: ARG001 - one shape with a project's
    kind, passages = _kind(source).replace("_", " "), source.passages()
    own = _called(source).rsplit(".", 1)[-1]
    first = next((n for n, line in enumerate(source.lines) if own in line), 0)
    at = source.at(first, first)
    where = f"{source.path}:{at.start_line}" if at else source.path
    text = f"{_called(source)} is {'an' if kind[0] in 'aeiou' else 'a'} {kind} in {source.project} ({where})."
    claim = f"{_called(source)} is a {kind} in {source.project}"
    claims = [Claim(text, (source.citation(claim, source.lines[first].strip(), first, first),))]
    for said in _said(source, passages, own):
        words = shortened(said.text)
        claims.append(Claim(words if words[-1] in ".!?…" else f"{words}.", (_cited(source, words, said),)))
    if len(claims) == 1 or _BARE.fullmatch(claims[1].text):
        claims += introduction(own, _speaking_of(own, source.project, ground))
    return [Line((*claims, *_members(source, passages)))]


def _speaking_of(name: str, project: str, ground: Ground) -> list[Source]:
    """The project's own texts, and for a name that is surely one those of projects which have no such thing themselves."""
    known = [s for s in ground.sources if s.observation.observation_type == "entity"]
    others = {s.project for s in known if _called(s).rsplit(".", 1)[-1].casefold() == name.casefold()} - {project}
    sure = _CAMEL.search(name) is not None
    return [s for s in ground.sources if s.project == project or (sure and s.project not in others)]


def _said(source: Source, passages: Sequence[Passage], own: str) -> list[Passage]:
    """The first sentences that the definition says of itself, as many as are read at a glance."""
    told: list[Passage] = []
    for passage in passages:
        belongs = passage.kind == "documentation" and passage.context.rsplit(".", 1)[-1] in {own, ""}
        if not belongs:
            if told or passage.kind == "code":
                break
            continue
        words = " ".join(p.text for p in [*told, passage])
        if told and (len(words) > _GLANCE or _ARGUMENT.match(passage.text)):
            break
        if len(passage.text.split()) > 1 and aside(passage, source.path) is None and not _POINTS.search(passage.text):
            told.append(passage)
    return told


def _cited(source: Source, text: str, passage: Passage) -> Citation:
    return source.citation(text, passage.quote, passage.first, passage.last)


def _members(source: Source, passages: Sequence[Passage]) -> list[Claim]:
    """A table's columns, or a class's public methods."""
    table = next(tables_in(source), None)
    if table is not None:
        names, first, last, word = [c.name for c in table.columns], table.first, table.last, "columns"
        quote = "\n".join(source.lines[first : last + 1]).strip()
    else:
        own = _called(source).rsplit(".", 1)[-1]
        signatures = [p for p in passages if p.kind == "signature" and _is_member(p.context, own)]
        public = [p for p in signatures if not p.context.rsplit(".", 1)[-1].startswith("_")][:_MEMBERS]
        if not public:
            return []
        names = [p.context.rsplit(".", 1)[-1] for p in public]
        word = "methods" if source.observation.metadata.get("kind") == "class" else "definitions"
        first, last = public[0].first, public[-1].last
        quote = "\n".join(source.lines[first : last + 1]).strip()
    text = f"Its {word}: {listed([f'`{name}`' for name in dict.fromkeys(names)])}."
    return [Claim(text, (source.citation(text, quote, first, last),))] if names else []


def _is_member(context: str, own: str) -> bool:
    """Whether a definition stands in this one itself, and not in one of its functions."""
    *outer, name = context.split(".")
    return name not in {own, ""} and (own not in outer or outer[-1] == own)
