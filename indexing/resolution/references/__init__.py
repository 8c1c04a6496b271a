"""What no rule knows: names that one place makes and another spells out, and what infrastructure hands to whom.

That is REFERENCES, or what the words around tell it to be. Both places are the evidence. Inside a project the name may
be of any kind; the setting that hands it on is a third piece. Between projects it takes a name of several words and
words around it that say what is done; a project that is called so is meant as whatever it runs. A name in too many
components makes a candidate, as `rarity` counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from extraction.occurrences.words import COMPOUND, is_route
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.references.links import RARE, REFERENCES, SAID, Link, rarity, relation_of
from indexing.resolution.references.mentions import Known, Mentioned
from indexing.resolution.references.own import Own
from indexing.resolution.references.things import NAMED, Thing
from indexing.resolution.services import normal
from memory.entities import BY_NAMES, Evidence

__all__ = ["Known", "Own", "add_reference_edges", "asked_names", "goes_beyond", "offered_names", "offers"]

MADE_FOR_OTHERS: Final = frozenset({"queue", "topic", "bucket", "function", "symbol"})
"""Things made to be named elsewhere: a bare string of a table's or a service's name may mean anything."""


def goes_beyond(one: Mentioned) -> bool:
    """Whether a mention may mean a thing of another project: one word, a path or a bare string may be anybody's."""
    return bool(one.role and COMPOUND.search(one.name) and not is_route(one.name) and not one.name.isupper())


def offers(thing: Thing) -> bool:
    """Whether other projects may mean it: where it is made, under a name of several words."""
    return COMPOUND.search(thing.name) is not None and thing.kind in {"queue", "topic", "table", "bucket", "function"}


def offered_names(known: Known) -> Iterator[str]:
    """The names of its things, as they compare."""
    return (normal(thing.name) for thing in known.things.all if offers(thing))


def asked_names(known: Known) -> Iterator[str]:
    """The names that it spells out and that none of its own things has."""
    return (normal(one.name) for one in known.mentions if goes_beyond(one) and known.things.named(one.name) is None)


def add_reference_edges(known: Mapping[str, Known], catalogue: Catalogue, edges: Edges) -> dict[str, Own]:
    """Add the things, and the relations that names alone make but no rule; what each project's names lead to."""
    own = {name: Own(known[name], catalogue) for name in sorted(known)}
    offered: dict[str, dict[str, Thing]] = {}
    for name, one_project in own.items():
        for link in one_project.links():
            _add(link, known[name], known[name], edges)
        for thing in known[name].things.all:
            if offers(thing):
                offered.setdefault(normal(thing.name), {}).setdefault(name, thing)
    for name, one_project in own.items():
        for one in known[name].mentions:
            others = offered.get(normal(one.name), {})
            if not goes_beyond(one) or name in others or known[name].things.named(one.name) is not None:
                continue
            for other, thing in others.items():
                if thing.rank == NAMED and relation_of(thing.kind, one.role) == REFERENCES:
                    continue  # both only call something so
                target = own[other].entities.of(thing)
                _add(one_project.link(one, thing, target), known[name], known[other], edges)
    _add_projects(own, known, edges)
    return own


def _add_projects(own: Mapping[str, Own], known: Mapping[str, Known], edges: Edges) -> None:
    """Add what is related to another project by its name."""
    bearers = {normal(name): name for name in sorted(own, reverse=True) if COMPOUND.search(name)}
    for name, one_project in own.items():
        for one in known[name].mentions:
            bearer = bearers.get(normal(one.name), name)
            link = one_project.to_project(one, own[bearer]) if bearer != name and goes_beyond(one) else None
            if link is not None:
                _add(link, known[name], known[bearer], edges)


def _add(link: Link, here: Known, there: Known, edges: Edges) -> None:
    one = link.mention
    spread = here.spread.get(normal(one.name), 1)
    parts = here.parts
    if here is not there:
        spread, parts = spread + there.spread.get(normal(one.name), 1), parts + there.parts
    weight = rarity(spread, parts)
    relation = relation_of(link.kind, one.role, handed=link.handed)
    least = 0.0 if link.certain else RARE if relation == REFERENCES else SAID
    says = f"{one.name}: in {spread} of {parts} components, weight {weight:.2f}"
    pieces = [Evidence(BY_NAMES, here.project, one.place.path, one.line, says)]
    pieces += [Evidence(BY_NAMES, there.project, path, line, says_there) for path, line, says_there in link.pieces]
    confirmed = weight >= least and (link.certain or len({(p.project, p.path, p.line) for p in pieces}) > 1)
    if relation == REFERENCES and not link.certain and not (one.role or one.kind) and link.kind not in MADE_FOR_OTHERS:
        confirmed = False
    if any(edges.has_rule(source, relation, link.target, one.place.path, one.line) for source in link.sources):
        return  # a rule says it of this very line
    path, lines = one.place.path, [one.line]
    for source in link.sources:
        if relation != REFERENCES or not edges.joins(source, link.target):
            edges.add(source, relation, link.target, path=path, lines=lines, evidence=pieces, confirmed=confirmed)
