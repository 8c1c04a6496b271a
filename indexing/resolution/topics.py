"""Who publishes what and who subscribes to it: PUBLISHES and SUBSCRIBES between code, its service and a topic.

Each project has its own entity of a topic, made from what it says itself, so that no other project changes it. A
subscriber is also joined to the topic of the projects that publish it, if its own does not: the same name on both sides
are the two pieces, and between projects a name of one word (`orders`) makes a candidate only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexing.chunks.kinds import kind_of, language_of
from indexing.facts import Clue
from indexing.occurrences.words import SUBSCRIBE, stem, way_in
from indexing.resolution.names import Place
from indexing.resolution.services import normal
from indexing.resolution.topic_wrappers import passed_topics
from indexing.rules.topics import GUESS, PUBLISHES, REFERENCE, is_compound
from memory.entities import Entity, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from indexing.resolution.catalogue import Catalogue
    from indexing.resolution.edges import Edges
    from indexing.resolution.modules import ProjectModules
    from indexing.resolution.services import Services

__all__ = ["TOPICS", "Said", "add_topic_edges", "said_of", "speakers"]

TOPICS: Final = frozenset({"topic", "topic name", "topic wrapper", "topic passed"})
SHOWN: Final = 4
EVENT: Final = re.compile(r"\.(?:topic|subject|channel|routing_key|event_(?:name|type)|eventName|EVENT_NAME|TOPIC)$")
SETTING: Final = re.compile(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|(?:\w*(?:topics|queues|channels|streams|subjects)|config|settings)\.[A-Za-z]+(?:_[a-z]+|[A-Z][a-z]+)\w*",
)
"""A constant's or a setting's name, which is telling by itself."""
Given = tuple[Place, "Clue"]


@dataclass(frozen=True, slots=True)
class Said:
    """A place that publishes or subscribes; `named`: what gives the name that it uses for the topic."""

    place: Place
    clue: Clue
    named: tuple[Given, ...] = ()

    @property
    def publishes(self) -> bool:
        """Whether it does."""
        return self.clue.relation == PUBLISHES


def add_topic_edges(
    projects: Mapping[str, ProjectModules], services: Mapping[str, Services], catalogue: Catalogue, edges: Edges
) -> None:
    """Add the topics to the catalogue and their edges."""
    said: dict[str, dict[str, list[Said]]] = {}
    for project in sorted(projects):
        said[project] = said_of(projects[project], services[project])
        for topic, given in said[project].items():
            catalogue.add(_place(project, topic), _topic(project, topic, given))
    for project, topics in said.items():
        for topic, given in topics.items():
            published = [one for one in given if one.publishes]
            sure = any(one.clue.value != GUESS for one in given) or 0 < len(published) < len(given)
            _add(project, topic, given, [], sure, services, catalogue, edges)
            for other in () if published else said:
                there = [(one.place, one.clue) for one in said[other].get(topic, ()) if one.publishes]
                if other != project and there:
                    _add(other, topic, given, there[:1], is_compound(topic), services, catalogue, edges)


def _add(
    home: str,
    topic: str,
    given: list[Said],
    pieces: list[Given],
    confirmed: bool,  # noqa: FBT001 - private, and named at the caller
    services: Mapping[str, Services],
    catalogue: Catalogue,
    edges: Edges,
) -> None:
    target = catalogue.at(_place(home, topic))
    for one in given:
        place, clue = one.place, one.clue
        for source in speakers(place, services[place.project], catalogue):
            if target is not None:
                edges.add(
                    source,
                    clue.relation,
                    target,
                    path=place.path,
                    lines=[clue.line],
                    evidence=[_piece(place, clue), *(_piece(*piece) for piece in (*one.named, *pieces))],
                    confirmed=confirmed,
                )


def said_of(modules: ProjectModules, services: Services) -> dict[str, list[Said]]:
    """What a project says of each topic, by the topic's name."""
    names: dict[str, list[Given]] = {}
    given: list[Given] = []
    for path, facts in sorted(modules.files.items()):
        for clue in facts.clues:
            if clue.kind == "topic name":
                names.setdefault(normal(clue.key), []).append((Place(modules.name, path), clue))
            elif clue.kind == "topic":
                given.append((Place(modules.name, path, clue.entity), clue))
    found: dict[str, list[Said]] = {}
    for place, clue in given:
        last = clue.key.rpartition(".")[2]
        if clue.value != REFERENCE:
            found.setdefault(clue.key, []).append(Said(place, clue))
        elif named := _meant(clue.key, place.path, names, services) or _beside(last, place.path, names):
            found.setdefault(named[1].value, []).append(Said(place, clue, (named,)))
        elif SETTING.fullmatch(clue.key) and stem(last):  # it is called as its setting is
            found.setdefault(last, []).append(Said(place, clue))
    found = _with_passed(found, names, modules, services)
    return dict(sorted(found.items()))


def _with_passed(
    found: dict[str, list[Said]], names: Mapping[str, list[Given]], modules: ProjectModules, services: Services
) -> dict[str, list[Said]]:
    """With what is said by making an event or by calling a wrapper."""
    for place, clue, named in _made_events(modules, names):
        found.setdefault(clue.key, []).append(Said(place, clue, (named,)))
    for (place, clue), wrapper in passed_topics(modules, services):
        found.setdefault(clue.key, []).append(Said(place, clue, (wrapper,)))
    return found


def _made_events(modules: ProjectModules, names: Mapping[str, list[Given]]) -> Iterator[tuple[Place, Clue, Given]]:
    """Who makes an event whose class says its topic publishes to that, but for who handles it and the class's own file."""
    events = {
        cls: given
        for rows in names.values()
        for given in rows
        if (cls := given[1].key.rpartition(".")[0])[:1].isupper() and EVENT.search(given[1].key)
    }
    for path in sorted(modules.files) if events else ():
        facts = modules.files[path]
        if kind_of(path, language_of(path)) != "code":
            continue
        for ref in facts.references:
            named = events.get(ref.name)
            made = named is not None and ref.relation == "CALLS" and way_in(ref.caller) != SUBSCRIBE
            if named is not None and made and named[0].path != path:
                topic, rule = named[1].value, named[1].rule
                clue = Clue(rule, "topic", topic, "provides", PUBLISHES, ref.line, ref.caller, f"makes {ref.name}")
                yield Place(modules.name, path, ref.caller), clue, named


def _meant(name: str, path: str, names: Mapping[str, list[Given]], services: Services) -> Given | None:
    """What says which topic a constant or setting stands for: the reader's own service, else all if they agree."""
    rows = names.get(normal(name)) or []
    owner = services.owner(path)
    near = [row for row in rows if owner is not None and services.owner(row[0].path) is owner]
    for some in ([row for row in rows if row[0].path == path], near, rows):
        if some:
            return some[0] if len({clue.value for _, clue in some}) == 1 else None
    return None


def _beside(name: str, path: str, names: Mapping[str, list[Given]]) -> Given | None:
    """A field (`s.topicName`) that the same file alone gives a topic under its last name."""
    rows = [row for row in names.get(normal(name), ()) if row[0].path == path and row[1].key == name]
    return rows[0] if len({clue.value for _, clue in rows}) == 1 else None


def _topic(project: str, topic: str, given: list[Said]) -> Entity:
    """It stands where it is first published, else where it is first subscribed to."""
    first = min(given, key=lambda one: (not one.publishes, one.place.path, one.clue.line))
    parts = []
    for relation, verb in ((PUBLISHES, "published by"), ("SUBSCRIBES", "consumed by")):
        who = dict.fromkeys(
            one.place.name.partition(".")[0] or one.place.path for one in given if one.clue.relation == relation
        )
        parts += [f"{verb} {', '.join(list(who)[:SHOWN])}"] if who else []
    return Entity(topic, "topic", project, first.place.path, first.clue.line, first.clue.line, "; ".join(parts))


def speakers(place: Place, services: Services, catalogue: Catalogue) -> Iterator[Entity]:
    """The code that says it, and the service whose code that is."""
    service = services.owner(place.path)
    entity = catalogue.at(service.place) if service else None
    if entity is not None:
        yield entity
    around = catalogue.around(place)
    if around.kind != "project" or entity is None:
        yield around


def _place(project: str, topic: str) -> Place:
    return Place(project, "", f"topic {topic}")


def _piece(place: Place, clue: Clue) -> Evidence:
    return Evidence(clue.rule, place.project, place.path, clue.line, clue.says)
