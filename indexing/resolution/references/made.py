"""What the things of a project say by where they are made: no other place needs to spell them out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from extraction.occurrences.words import STORE, SUBSCRIBE, stem
from extraction.rules.port import is_code
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.modules import Place
from indexing.resolution.references.links import DEPLOYED, OWN, Entities, Link, made_at
from indexing.resolution.references.mentions import Known, Mentioned
from indexing.resolution.references.things import NAMED, Thing
from indexing.resolution.services import normal
from indexing.resolution.topics import STORED

SENT: Final = frozenset({"queue", "topic", "table"})
RUNS: Final = frozenset({"function", "service", "job"})


def made_links(known: Known, entities: Entities, catalogue: Catalogue) -> Iterator[Link]:
    """What maps messages to what runs, what is deployed, and whose tables and buckets are whose."""
    yield from _mapped(known, entities)
    yield from _deployed(known, entities)
    yield from _named(known, entities, catalogue)


def _mapped(known: Known, entities: Entities) -> Iterator[Link]:
    """A resource that only maps one thing's messages to what runs on them: that is who subscribes."""
    around: dict[tuple[str, str], list[tuple[Thing, Mentioned]]] = {}
    for one in known.mentions:
        where = (one.place.path, one.resource)
        maps = one.resource and where not in known.things.resources
        thing = known.things.referred(one.place.path, one.name) if maps else None
        if thing is not None:
            around.setdefault(where, []).append((thing, one))
    for rows in around.values():
        run = {id(t): (t, m) for t, m in rows if t.kind in RUNS}
        sent = {id(t): (t, m) for t, m in rows if t.kind in SENT and m.role == SUBSCRIBE}
        if len(run) == 1 == len(sent):
            (runner, by), (thing, mention) = run.popitem()[1], sent.popitem()[1]
            pieces = ((by.place.path, by.line, f"maps to {runner.name}"), made_at(thing))
            yield Link(mention, [entities.of(runner)], entities.of(thing), "topic", pieces, certain=True)


def _deployed(known: Known, entities: Entities) -> Iterator[Link]:
    """A file of infrastructure deploys what runs in it."""
    for (path, _), thing in sorted(known.things.resources.items()):
        module = entities.module(path)
        if thing.kind in RUNS and thing.path == path and module is not None:
            place = Place(known.project, path)
            one = Mentioned(place, thing.name, thing.line, "", "", "", "", thing.component)
            yield Link(one, [module], entities.of(thing), DEPLOYED, (), certain=True)


def _named(known: Known, entities: Entities, catalogue: Catalogue) -> Iterator[Link]:
    """What a class or function calls a table or bucket by a constant or argument of its own, it uses; a table that
    no rule knows and no other component spells out is of the service, package or project whose code that is.
    """
    read = {normal(one.name) for one in known.mentions if one.role == STORE}
    for thing in known.things.all:
        if thing.rank != NAMED or thing.kind not in STORED or not is_code(thing.path):
            continue
        if not stem(thing.name.rpartition(".")[2]):  # `db.mongodb.collection` is what a label is called
            continue
        place = Place(known.project, thing.path, thing.scope)
        one = Mentioned(place, thing.name, thing.line, STORE, thing.kind, "", "", thing.component)
        if thing.scope:
            yield Link(one, entities.sources(one), entities.of(thing), thing.kind, (), certain=True, handed=True)
        alone = known.spread.get(normal(thing.name), 1) == 1
        used = thing.scope or normal(thing.name) in read
        if thing.kind == "table" and alone and used and normal(thing.name) not in entities.found:
            target = entities.of(thing)
            yield Link(replace(one, role=OWN), [catalogue.home(place)], target, "table", (), certain=True)
