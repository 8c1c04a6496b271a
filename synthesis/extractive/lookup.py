"""What a thing is, what it does and who uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.text.lines import split_lines
from synthesis.extractive.cleaning import shortened
from synthesis.extractive.groups import chosen
from synthesis.extractive.network import Network, said_at
from synthesis.extractive.relations import bulleted, edge_line
from synthesis.extractive.scoring import scored
from synthesis.extractive.sources import Source
from synthesis.extractive.statements import Claim, Line, passage_claim
from synthesis.extractive.tables import tables_in
from synthesis.extractive.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.answer import Citation
    from synthesis.extractive.passages import Passage
    from synthesis.extractive.sources import Ground

__all__ = ["lookup_lines"]

_ENTITIES = 4
_USERS = 4
_MEMBERS = 6


def lookup_lines(question: str, ground: Ground) -> list[Line]:
    """A line for each entity that the question names, its members, its relations; empty when it names none."""
    found = [s for s in ground.sources if s.observation.observation_type == "entity" and s.observation.agent == "graph"]
    named = [s for s in found if said_at(question, _called(s), surely=True) is not None]
    lines = [line for source in _distinct(named)[:_ENTITIES] for line in _entity(source, question, ground)]
    if not lines:
        return []
    network = Network(ground.edges)
    name = _called(named[0])
    used = [edge_line(edge) for edge in network.into(name)[:_USERS]]
    uses = [edge_line(edge) for edge in network.out_of(name)[: _USERS - len(used)]]
    return [*lines, *bulleted([*used, *uses])]


def _called(source: Source) -> str:
    names = source.observation.entities_mentioned
    return names[0] if names else ""


def _distinct(sources: Sequence[Source]) -> list[Source]:
    return list({(s.project, s.path, _called(s)): s for s in reversed(sources)}.values())[::-1]


def _entity(source: Source, question: str, ground: Ground) -> list[Line]:
    kind = str(source.observation.metadata.get("kind") or "definition")
    if source.location is None or kind == "project":
        return _project(source, question, ground)
    passages = source.passages()
    first = next((n for n, line in enumerate(source.lines) if _called(source).rsplit(".", 1)[-1] in line), 0)
    where = f"{source.path}:{source.location.start_line + first}"
    text = f"{_called(source)} is {'an' if kind[0] in 'aeiou' else 'a'} {kind} in {source.project} ({where})."
    claim = f"{_called(source)} is a {kind} in {source.project}"
    claims = [Claim(text, (source.citation(claim, source.lines[first].strip(), first, first),))]
    said = next((p for p in passages if p.kind == "documentation" and len(p.text.split()) > 2), None)
    if said is not None:
        words = shortened(said.text)
        claims.append(Claim(words if words[-1] in ".!?…" else f"{words}.", (_cited(source, words, said),)))
    members = _members(source, passages)
    return [Line((*claims, *members))]


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
        signatures = [p for p in passages if p.kind == "signature" and p.context.rsplit(".", 1)[-1] not in {own, ""}]
        public = [p for p in signatures if not p.context.rsplit(".", 1)[-1].startswith("_")][:_MEMBERS]
        if not public:
            return []
        names = [p.context.rsplit(".", 1)[-1] for p in public]
        word = "methods" if source.observation.metadata.get("kind") == "class" else "definitions"
        first, last = public[0].first, public[-1].last
        quote = "\n".join(source.lines[first : last + 1]).strip()
    text = f"Its {word}: {listed([f'`{name}`' for name in dict.fromkeys(names)])}."
    return [Claim(text, (source.citation(text, quote, first, last),))] if names else []


def _project(source: Source, question: str, ground: Ground) -> list[Line]:
    """A project, or an entity without lines: what the graph says of it, and what its own texts say best."""
    own = [s for s in ground.sources if s.project == source.project and s is not source and s.location is not None]
    said = [passage_claim(s) for s in chosen(scored(question, own), 2)]
    told = Source(source.observation, None, tuple(split_lines(source.observation.content)))
    text = shortened(told.lines[0])
    return [Line((Claim(text, (told.citation(text, text.removesuffix(" …"), 0, 0),)), *said))]
