"""Events that are types, of Go, and events that state their own name, of PHP, TypeScript, Java and their like.

Watermill's CQRS component, and in-house buses of the same shape (https://watermill.io/docs/cqrs): the topic is the
type's name, and whoever publishes or consumes is a guess until there is the other side.

`eventName() { return 'order.placed'; }`: the class says under which name it is published, an aggregate records one
(`$this->record(new OrderPlaced(…))`), a subscriber lists the classes that it is for
(`subscribedTo(): array { return [OrderPlaced::class]; }`): each is joined to the topic only by the class's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from indexing.facts import Clue
from indexing.rules.expressions import line_at, without_comments
from indexing.rules.port import FileRule, Source
from indexing.rules.programs import is_code
from indexing.rules.topics import PUBLISHES, SUBSCRIBES, Argument, names_topic, topic_clue, topic_in

__all__ = ["EventTypes", "NamedEvents"]

TYPE: Final = r"&?(?:\w+\.)?(?P<event>[A-Z]\w*)"
BUS: Final = (
    r"\b(?=\w*(?:[bB]us|[pP]ublisher|[pP]roducer))\w++\.Publish\w*\(\s*(?:ctx|context\.\w+\(\)|\w+\.Context\(\))\s*,\s*"
)
CONSUMED: Final = (
    re.compile(rf"\.\s*(?:AddConsumer|AddHandler|Subscribe|RegisterConsumer)\(\s*{TYPE}\{{\s*\}}"),
    re.compile(r"\bNewEventHandler\(\s*\"[^\"]*\"\s*,\s*func\([^()]*\*(?:\w+\.)?(?P<event>[A-Z]\w*)\s*\)"),
)
PUBLISHED: Final = (
    re.compile(rf"\.\s*(?:AddProducer|RegisterProducer)\(\s*{TYPE}\{{\s*\}}"),
    re.compile(rf"{BUS}{TYPE}\{{"),
)
MADE: Final = r"\b{name}\b[^\n=]*:?=\s*&?(?:\w+\.)?(?:New(?P<of>[A-Z]\w*)\(|(?P<made>[A-Z]\w*)\{{)"
MOST: Final = 200
"""A file that publishes more was made up: for each the text is read once."""
VARIABLE: Final = re.compile(rf"{BUS}&?(?P<name>[a-z]\w*)\s*[,)]")
NAMED: Final = re.compile(
    r"\b(?:eventName|getEventName|messageName|event_name)\s*\([^()]*\)\s*(?::\s*\w+\s*|->\s*\w+\s*)?[{:=]\s*(?:return\s+)?[\"'](?P<a>[^\"'\n]+)[\"']"
    r"|\b(?:EVENT_NAME|MESSAGE_NAME)\s*(?::\s*\w+\s*)?=\s*[\"'](?P<b>[^\"'\n]+)[\"']"
)
RECORDED: Final = re.compile(
    r"\b(?:record|recordThat|recordEvent|raise|raiseEvent|publish|addDomainEvent|registerEvent)\(\s*new\s+(?:\w+[\\.])*(?P<event>[A-Z]\w*)"
)
LISTED: Final = re.compile(
    r"\bsubscribedTo\s*\(\s*\)[^{}]{0,80}\{\s*return\s+[^;\]]*?[\[(](?P<events>[^\])]*)|@DomainEventSubscriber\(\s*\{?(?P<listed>[^)}]*)"
)
CLASS: Final = re.compile(r"(?:\w+[\\.])*(?P<event>[A-Z]\w*)(?:::class|\.class)?\s*(?:,|$)")


class EventTypes(FileRule):
    """`topic` clues named after the event's type."""

    name = "event types"

    def reads(self, path: str) -> bool:
        return path.endswith(".go") and is_code(path)

    def facts(self, source: Source) -> Iterator[Clue]:
        text = without_comments(source.text)
        for relation, event, at in _events(text):
            line = line_at(text, at)
            yield topic_clue(self.name, relation, Argument(event, at), line, source.around(line), guess=True)


def _events(text: str) -> Iterator[tuple[str, str, int]]:
    for relation, patterns in ((SUBSCRIBES, CONSUMED), (PUBLISHES, PUBLISHED)):
        for pattern in patterns:
            yield from ((relation, found["event"], found.start("event")) for found in pattern.finditer(text))
    made: dict[str, list[re.Match[str]]] = {}
    for found in islice(VARIABLE.finditer(text), MOST):
        name = found["name"]
        if name not in made:
            made[name] = list(re.finditer(MADE.format(name=name), text))
        before = [one for one in made[name] if one.end() <= found.start()]
        if before:
            yield PUBLISHES, before[-1]["of"] or before[-1]["made"], found.start()


class NamedEvents(FileRule):
    """`topic name` of the event's class, and `topic` clues that refer to it."""

    name = "named events"

    def reads(self, path: str) -> bool:
        return is_code(path)

    def facts(self, source: Source) -> Iterator[Clue]:
        if any(pattern.search(source.text) for pattern in (NAMED, RECORDED, LISTED)):
            text = without_comments(source.text)
            yield from self._names(source, text)
            yield from self._speakers(source, text)

    def _names(self, source: Source, text: str) -> Iterator[Clue]:
        for found in NAMED.finditer(text):
            line = line_at(text, found.start())
            event, topic = source.around(line).partition(".")[0], topic_in(found["a"] or found["b"])
            if event and topic:
                yield names_topic(self.name, event, topic, line)

    def _speakers(self, source: Source, text: str) -> Iterator[Clue]:
        events = [(PUBLISHES, found["event"], found.start("event")) for found in RECORDED.finditer(text)]
        for found in LISTED.finditer(text):
            group = "events" if found["events"] is not None else "listed"
            events += [
                (SUBSCRIBES, one["event"], found.start(group) + one.start("event"))
                for one in CLASS.finditer(found[group].strip())
            ]
        for relation, event, at in events:
            line = line_at(text, at)
            yield topic_clue(self.name, relation, Argument(event, at, is_reference=True), line, source.around(line))
