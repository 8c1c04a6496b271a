"""Events that are called after something else than their class, or that state their own name.

- Eventuate Tram's topic is the full name of the aggregate's class, or its channel's.
- `eventName() { return 'order.placed'; }` of PHP, TypeScript, Java and their like: the class says under which name it
  is published, an aggregate records one (`$this->record(new OrderPlaced(…))`), a subscriber lists the classes that it
  is for (`subscribedTo(): array { return [OrderPlaced::class]; }`): each is joined to the topic only by the class's
  name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from extraction.facts import Clue
from extraction.rules.expressions import line_at, without_comments
from extraction.rules.port import CodeRule, Source
from extraction.rules.topics import (
    PUBLISHES,
    REFERENCE,
    SUBSCRIBES,
    Argument,
    arguments_at,
    names_topic,
    topic_in,
    topic_spoken,
)

AGGREGATE: Final = re.compile(r"\.forAggregateType\(\s*")
CHANNEL: Final = re.compile(r"\.(?:fromChannel|onCommandChannel)\(\s*")
COMMAND: Final = re.compile(r"\bCommandWithDestinationBuilder\b|\bwithCommand\b|CommandWithDestination")
DESTINATION: Final = re.compile(r"\.to\(\s*")
PUBLISHER: Final = re.compile(
    r"\b(?:super\(\s*\w+\s*,|\w*[eE]ventPublisher\.publish\()\s*(?P<aggregate>[A-Z]\w*)\.class\b"
)
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


class Eventuate(CodeRule):
    """Domain events by their aggregate, commands by their channel (https://eventuate.io/docs/manual/eventuate-tram)."""

    name = "eventuate"
    ends = (".java", ".kt")

    def facts(self, source: Source) -> Iterator[Clue]:
        text = source.text
        if "io.eventuate" not in text:
            return
        named = [(SUBSCRIBES, AGGREGATE), (SUBSCRIBES, CHANNEL)]
        named += [(PUBLISHES, DESTINATION)] if COMMAND.search(text) else []
        for relation, pattern in named:
            for found in pattern.finditer(text):
                for argument in arguments_at(text, found.end()):
                    yield topic_spoken(self.name, relation, argument, source)
        for found in PUBLISHER.finditer(text):
            name = _full_name(text, found["aggregate"])
            yield topic_spoken(self.name, PUBLISHES, Argument(name, found.start("aggregate")), source)


def _full_name(text: str, name: str) -> str:
    """A class's name with its package: as it is imported, else of this file's own package."""
    imported = re.search(rf"^import\s+([\w.]+\.{name})\b", text, re.MULTILINE)
    if imported:
        return imported[1]
    package = re.search(r"^package\s+([\w.]+)", text, re.MULTILINE)
    return f"{package[1]}.{name}" if package else name


class NamedEvents(CodeRule):
    """`topic name` of the event's class, and `topic` clues that refer to it."""

    name = "named events"

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
            yield topic_spoken(self.name, relation, Argument(event, at, REFERENCE), source)
