"""Who publishes what and who subscribes to it: PUBLISHES and SUBSCRIBES between code, its service and a topic.

Each project has its own entity of a topic, made from what it says itself, so that no other project changes it. A
subscriber is also joined to the topic of the projects that publish it, if its own does not: the same name on both sides
are the two pieces, and between projects a name of one word (`orders`) makes a candidate only.

A topic may be handed to an in-house function around a broker's client: the call and that function are the two pieces.
So are, of a variable or field that was given one (`this.orders.add(job)`), the line that gives it and the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from extraction.facts import READ, Binding, Clue, FileFacts, Reference
from extraction.kinds import kind_of, language_of
from extraction.languages.definitions import WITH_MEMBERS
from extraction.occurrences.words import PUBLISH, SUBSCRIBE, held_way, kind_in, stem, way_in
from extraction.rules.topics import (
    GUESS,
    PUBLISHES,
    REFERENCE,
    SETTING,
    SUBSCRIBES,
    Argument,
    is_compound,
    topic_clue,
)
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.messages import typed_messages
from indexing.resolution.modules import Given, Place, ProjectModules
from indexing.resolution.packages import nearest
from indexing.resolution.services import Services, normal
from memory.entities import Entity

WRAPPER: Final = "topic wrapper"
PASSED: Final = "topic passed"
TYPED_HANDLER: Final = "typed handler"
"""The rule of families/events/typed-handlers.yaml."""
TOPICS: Final = frozenset({"topic", "topic name", WRAPPER, PASSED})
SHOWN: Final = 4
EVENT: Final = re.compile(r"\.(?:topic|subject|channel|routing_key|event_(?:name|type)|eventName|EVENT_NAME|TOPIC)$")
TELLING: Final = re.compile(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|(?:\w*(?:topics|queues|channels|streams|subjects)|config|settings)\.[A-Za-z]+(?:_[a-z]+|[A-Z][a-z]+)\w*"
)
"""A constant's or a setting's name, which is telling by itself."""
WAYS: Final = frozenset({PUBLISH, SUBSCRIBE})
BY_NAME: Final = "topics by name"
STORED: Final = frozenset({"table", "bucket"})
SENT_TO: Final = frozenset({"queue", "topic"})


@dataclass(frozen=True, slots=True)
class TopicUse:
    """A place that publishes or subscribes; `named`: what gives the name that it uses for the topic."""

    given: Given
    named: tuple[Given, ...] = ()

    @property
    def publishes(self) -> bool:
        return self.given.clue.relation == PUBLISHES

    @property
    def is_named(self) -> bool:
        """Whether the topic's own name is known; a setting or constant may have another value elsewhere."""
        return bool(self.named) or self.given.clue.value not in {REFERENCE, SETTING}


def add_topic_edges(catalogue: Catalogue, edges: Edges) -> None:
    uses: dict[str, dict[str, list[TopicUse]]] = {}
    for project in sorted(catalogue.projects):
        uses[project] = topic_uses(catalogue.projects[project], catalogue.services[project])
        for topic, given in uses[project].items():
            catalogue.add(_place(project, topic), _topic(project, topic, given))
    for project, topics in uses.items():
        for topic, given in topics.items():
            published = [one for one in given if one.publishes]
            sure = any(one.given.clue.value != GUESS for one in given) or 0 < len(published) < len(given)
            inside = _stays_inside(topic, given, catalogue, project)
            _add(catalogue.at(_place(project, topic)), given, (), catalogue, edges, confirmed=sure, inside=inside)
            for other in () if published else uses:
                there = [one for one in uses[other].get(topic, ()) if one.publishes]
                if other != project and there:
                    target, named = catalogue.at(_place(other, topic)), any(one.is_named for one in there)
                    sure = is_compound(topic) and named and any(one.is_named for one in given)
                    _add(target, given, [there[0].given], catalogue, edges, confirmed=sure)


def _add(
    target: Entity | None,
    speaking: list[TopicUse],
    pieces: Sequence[Given],
    catalogue: Catalogue,
    edges: Edges,
    *,
    confirmed: bool,
    inside: bool = False,
) -> None:
    for one in speaking:
        for source in catalogue.speakers(one.given.place):
            if target is not None and not (inside and source.kind == "service"):
                others = (*one.named, *pieces)
                edges.add_given(source, one.given.clue.relation, target, one.given, *others, confirmed=confirmed)


def _stays_inside(topic: str, given: list[TopicUse], catalogue: Catalogue, project: str) -> bool:
    """Whether a message is of a class, and one service alone sends and handles it: it may never leave the process."""
    ways = {one.publishes for one in given}
    owners = {catalogue.services[project].owner_name(one.given.place.path) for one in given}
    return len(ways) == 2 and len(owners) == 1 and topic in catalogue.projects[project].classes


def topic_uses(modules: ProjectModules, services: Services) -> dict[str, list[TopicUse]]:
    """What a project says of each topic, by the topic's name."""
    names: dict[str, list[Given]] = {}
    given: list[Given] = []
    for one in modules.given:
        if one.clue.kind == "topic name":
            names.setdefault(normal(one.clue.key), []).append(one)
        elif one.clue.kind == "topic":
            given.append(one)
    found: dict[str, list[TopicUse]] = {}
    for one in typed_messages(given, modules, services):
        place, clue = one
        last = clue.key.rpartition(".")[2]
        written = _in_full(clue.key, place.path, modules)
        if clue.value not in {REFERENCE, SETTING}:
            _take(found, clue.key, TopicUse(one), modules)
        elif named := _meant(written, place.path, names, services) or _beside(last, place.path, names):
            _take(found, named.clue.value, TopicUse(one, (named,)), modules)
        elif clue.value == SETTING and any(map(stem, clue.key.split(".")[-2:])):  # what it is set to is not known here
            _take(found, clue.key, TopicUse(one), modules)
        elif stem(last) and (TELLING.fullmatch(clue.key) or (last.isupper() and "_" in last)):
            _take(found, last, TopicUse(one), modules)
    others = (_read_by_name(modules, names, services), _made_events(modules, names), _passed(modules, services))
    for use in chain.from_iterable(others):
        found.setdefault(use.given.clue.key, []).append(use)
    return dict(sorted(found.items()))


def _read_by_name(modules: ProjectModules, names: Mapping[str, list[Given]], services: Services) -> Iterator[TopicUse]:
    """Who uses a topic by what a setting or constant is called that has its name, in a call that no rule knows."""
    ruled = {(place.path, clue.line) for place, clue in modules.given if clue.kind == "topic"}
    for path, facts in sorted(modules.files.items()) if names else ():
        for one in facts.occurrences:
            if one.kind != READ or kind_in(one.name) in STORED or (path, one.line) in ruled:
                continue
            named = _meant(_in_full(one.name, path, modules), path, names, services)
            way = one.role or way_around(facts, one.scope) if named is not None else ""
            if named is not None and way and stem(named.clue.value):  # `exchange-topic` is what a header is called
                relation = PUBLISHES if way == PUBLISH else SUBSCRIBES
                clue = topic_clue(BY_NAME, relation, Argument(named.clue.value, 0), one.line, one.scope)
                yield TopicUse(Given(Place(modules.name, path, one.scope), clue), (named,))


def way_around(facts: FileFacts, scope: str) -> str:
    """Which way messages go, where the line does not say: as a definition's calls, its name, or its file's; or ''."""
    called = [r.name for r in facts.references if scope and r.caller == scope]
    title = facts.path.rpartition("/")[2].partition(".")[0]
    tops = [d for d in facts.definitions if not d.parent and d.kind in WITH_MEMBERS]
    everywhere = [r.name for r in facts.references] if len(tops) < 2 else []
    for names in (called, [scope], [title], everywhere):
        ways = {way_in(name) for name in dict.fromkeys(names)} & WAYS
        if len(ways) == 1:
            return ways.pop()
    return ""


def _take(found: dict[str, list[TopicUse]], topic: str, use: TopicUse, modules: ProjectModules) -> None:
    """It, and the calls on what is given the topic there."""
    calls = (TopicUse(call, (use.given, *use.named)) for call in uses_of_held(use.given, topic, modules))
    found.setdefault(topic, []).extend([use, *calls])


def _in_full(name: str, path: str, modules: ProjectModules) -> str:
    """A dotted name with what its first part was called where it was imported from."""
    head, _, rest = name.partition(".")
    names = {i.name for i in modules.imports(path).get(head, ()) if i.name and i.alias == head} if rest else set()
    return f"{names.pop()}.{rest}" if len(names) == 1 else name


def _made_events(modules: ProjectModules, names: Mapping[str, list[Given]]) -> Iterator[TopicUse]:
    """Who makes an event publishes it, unless it handles it: its class says the topic, or a handler has its type."""
    events = {given.clue.key: (given.clue.key, given) for given in modules.given if given.clue.rule == TYPED_HANDLER}
    for rows in names.values():
        for given in rows:
            if (cls := given.clue.key.rpartition(".")[0])[:1].isupper() and EVENT.search(given.clue.key):
                events[cls] = (given.clue.value, given)
    for path in sorted(modules.files) if events else ():
        facts = modules.files[path]
        if kind_of(path, language_of(path)) != "code":
            continue
        for ref in facts.references:
            topic, event = events.get(ref.name, ("", None))
            if event is None or ref.relation != "CALLS" or way_in(ref.caller) == SUBSCRIBE or event.place.path == path:
                continue
            rule, says = event.clue.rule, f"makes {ref.name}"
            clue = Clue(rule, "topic", topic, "provides", PUBLISHES, ref.line, ref.caller, says)
            yield TopicUse(Given(Place(modules.name, path, ref.caller), clue), (event,))


def _meant(name: str, path: str, names: Mapping[str, list[Given]], services: Services) -> Given | None:
    """What says which topic a constant or setting means: the reader's own service, else all if they agree."""
    rows = names.get(normal(name)) or []
    owner = services.owner(path)
    near = [row for row in rows if owner is not None and services.owner(row.place.path) is owner]
    if owner is None:
        paths = nearest([row.place.path for row in rows], path)
        near = [row for row in rows if row.place.path in paths]
    for some in ([row for row in rows if row.place.path == path], near, rows):
        if some:
            return some[0] if len({clue.value for _, clue in some}) == 1 else None
    return None


def _beside(name: str, path: str, names: Mapping[str, list[Given]]) -> Given | None:
    """A field (`s.topicName`) that the same file alone gives a topic under its last name."""
    rows = [row for row in names.get(normal(name), ()) if row.place.path == path and row.clue.key == name]
    return rows[0] if len({clue.value for _, clue in rows}) == 1 else None


def _topic(project: str, topic: str, given: list[TopicUse]) -> Entity:
    """It is where it is first published, else where it is first subscribed to."""
    first = min(given, key=lambda one: (not one.publishes, one.given.place.path, one.given.clue.line))
    parts = []
    for relation, verb in ((PUBLISHES, "published by"), ("SUBSCRIBES", "consumed by")):
        who = dict.fromkeys(
            one.given.place.name.partition(".")[0] or one.given.place.path
            for one in given
            if one.given.clue.relation == relation
        )
        parts += [f"{verb} {', '.join(list(who)[:SHOWN])}"] if who else []
    place, clue = first.given
    return Entity(topic, "topic", project, place.path, clue.line, clue.line, "; ".join(parts))


def _passed(modules: ProjectModules, services: Services) -> Iterator[TopicUse]:
    """The `topic` clue that a call of an in-house function around a broker's client amounts to, and that function:
    one of the caller's own service, else one that lies in no service's folder.
    """
    wrappers: dict[str, list[Given]] = {}
    for one in modules.given:
        if one.clue.kind == WRAPPER:
            wrappers.setdefault(one.clue.key, []).append(one)
    for place, clue in (one for one in modules.given if one.clue.kind == PASSED):
        texts = dict(one.split("=", 1) for one in clue.value.split(" "))
        rows, owner = wrappers.get(clue.key, []), services.owner(place.path)
        beside = [one for one in rows if services.owner(one.place.path) is owner]
        for wrapper in beside or [one for one in rows if services.owner(one.place.path) is None]:
            at, _, parameter = wrapper.clue.value.partition(" ")
            if topic := texts.get(parameter) or texts.get(at):
                meant = topic_clue(clue.rule, wrapper.clue.relation, Argument(topic, 0), clue.line, clue.entity)
                yield TopicUse(Given(place, meant), (wrapper,))


def _place(project: str, topic: str) -> Place:
    return Place(project, "", f"topic {topic}")


def uses_of_held(given: Given, topic: str, modules: ProjectModules) -> Iterator[Given]:
    """The calls on what the line of a clue that names the topic gives it to."""
    facts = modules.files[given.place.path]
    for holder in _holders(facts.bindings, given.clue.line):
        for ref in facts.references:
            way = held_way(ref.name)
            if ref.line != given.clue.line and way and _is_on(holder, ref):
                relation = PUBLISHES if way == PUBLISH else SUBSCRIBES
                clue = topic_clue(given.clue.rule, relation, Argument(topic, 0), ref.line, ref.caller)
                yield Given(Place(modules.name, facts.path, ref.caller), clue)


def _holders(bindings: tuple[Binding, ...], line: int) -> list[Binding]:
    """The variables of a line, else those of the next: an annotation may stand above what it is for."""
    for at in (line, line + 1):
        if found := [one for one in bindings if one.line == at and _holds(one)]:
            return found
    return []


def _holds(one: Binding) -> bool:
    """Whether a variable's name or type says that it is a queue or topic."""
    return not SENT_TO.isdisjoint({kind_in(one.name.rpartition(".")[2]), kind_in(one.type.rpartition(".")[2])})


def _is_on(holder: Binding, ref: Reference) -> bool:
    """Whether a call is on what a variable holds: a field's in its class, else a variable's in its function or file."""
    if ref.receiver.rpartition(".")[2] != holder.name.rpartition(".")[2]:
        return False
    is_field = "." in ref.receiver or "." in holder.name
    around = holder.scope.rpartition(".")[0] or holder.scope if is_field else holder.scope
    return not around or ref.caller == around or ref.caller.startswith(f"{around}.")
