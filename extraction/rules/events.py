"""Events that are classes or types, or that state their own name.

- .NET's event buses (`AddSubscription<E, H>`, MassTransit, NServiceBus, CAP): the topic is the class's name. Eventuate
  Tram's is the full name of the aggregate's class, or its channel's. An in-house bus around a known one has no import
  to tell it by: who publishes to it is a guess until somebody consumes.
- Go's: Watermill's CQRS component, and in-house buses of the same shape (https://watermill.io/docs/cqrs): the topic is
  the type's name, and whoever publishes or consumes is a guess until there is the other side.
- `eventName() { return 'order.placed'; }` of PHP, TypeScript, Java and their like: the class says under which name it
  is published, an aggregate records one (`$this->record(new OrderPlaced(…))`), a subscriber lists the classes that it
  is for (`subscribedTo(): array { return [OrderPlaced::class]; }`): each is joined to the topic only by the class's
  name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
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

EVENT: Final = r"(?P<event>[A-Z]\w*)"
INTEGRATION: Final = r"(?P<event>[A-Z]\w*IntegrationEvent)"
SUBSCRIBED: Final = re.compile(rf"\.(?:AddSubscription|Subscribe)<\s*{EVENT}\s*,\s*\w+\s*>")
MADE: Final = re.compile(rf"\bnew\s+(?:\w+\.)*{INTEGRATION}\s*[({{]")
BUS: Final = re.compile(
    r"\busing\s+(?:MassTransit|NServiceBus|Rebus|Wolverine|EasyNetQ|DotNetCore\.CAP|SlimMessageBus)\b"
)
LISTENED: Final = re.compile(r"\.(?=\w*(?:[sS]ubscri|[lL]isten))\w++\(")
LONGEST: Final = 4000
TYPE: Final = re.compile(rf"\btypeof\(\s*(?:\w+\.)*{EVENT}\s*\)")
"""Rebus's `bus.Subscribe(typeof(OrderPaid))`, and in-house listeners that are given a list of types."""
PUBLISHED: Final = re.compile(
    r"\b(?=\w*(?:[bB]us|[eE]ndpoint|[cC]ontext|[pP]ublisher|[sS]ession))\w++\.(?:Publish|Send)(?:Message|Event)?(?:Async)?(?:<\s*(?P<typed>[A-Z]\w*)\s*>|\(\s*new\s+(?P<made>[A-Z]\w*)|\(\s*(?P<by>[A-Z]\w*)\()"
)
VARIABLE: Final = re.compile(
    r"\b(?=\w*(?:[bB]us|[pP]ublisher|[pP]ublishEndpoint))\w++\.Publish(?:Async)?\(\s*(?P<name>[a-z]\w*)\s*[,)]"
)
MOST: Final = 200
"""A file that publishes more was made up: for each the text is read once."""
IN_PROCESS: Final = re.compile(r"command|mediat|query|domain|internal|inMemory", re.IGNORECASE)
"""What the receiver of a message that never leaves the process is called."""
ENVELOPE: Final = frozenset({"T", "TEvent", "TMessage", "IntegrationEvent", "Event", "Message", "Batch", "Fault"})

AGGREGATE: Final = re.compile(r"\.forAggregateType\(\s*")
CHANNEL: Final = re.compile(r"\.(?:fromChannel|onCommandChannel)\(\s*")
COMMAND: Final = re.compile(r"\bCommandWithDestinationBuilder\b|\bwithCommand\b|CommandWithDestination")
DESTINATION: Final = re.compile(r"\.to\(\s*")
PUBLISHER: Final = re.compile(
    r"\b(?:super\(\s*\w+\s*,|\w*[eE]ventPublisher\.publish\()\s*(?P<aggregate>[A-Z]\w*)\.class\b"
)
GO_TYPE: Final = r"&?(?:\w+\.)?(?P<event>[A-Z]\w*)"
GO_BUS: Final = (
    r"\b(?=\w*(?:[bB]us|[pP]ublisher|[pP]roducer))\w++\.Publish\w*\(\s*(?:ctx|context\.\w+\(\)|\w+\.Context\(\))\s*,\s*"
)
CONSUMED: Final = (
    re.compile(rf"\.\s*(?:AddConsumer|AddHandler|Subscribe|RegisterConsumer)\(\s*{GO_TYPE}\{{\s*\}}"),
    re.compile(r"\bNewEventHandler\(\s*\"[^\"]*\"\s*,\s*func\([^()]*\*(?:\w+\.)?(?P<event>[A-Z]\w*)\s*\)"),
)
PRODUCED: Final = (
    re.compile(rf"\.\s*(?:AddProducer|RegisterProducer)\(\s*{GO_TYPE}\{{\s*\}}"),
    re.compile(rf"{GO_BUS}{GO_TYPE}\{{"),
)
ASSIGNED: Final = r"\b{name}\b[^\n=]*:?=\s*&?(?:\w+\.)?(?:New(?P<of>[A-Z]\w*)\(|(?P<made>[A-Z]\w*)\{{)"
GO_VARIABLE: Final = re.compile(rf"{GO_BUS}&?(?P<name>[a-z]\w*)\s*[,)]")
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


class EventClasses(CodeRule):
    """`topic` clues named after the event's class; making an integration event is publishing it."""

    name = "event bus"
    ends = (".cs",)

    def facts(self, source: Source) -> Iterator[Clue]:
        text = without_comments(source.text)
        guess = BUS.search(text) is None
        found = [(m["event"], SUBSCRIBES, m.start(), False) for m in SUBSCRIBED.finditer(text)]
        found += [(m["event"], PUBLISHES, m.start(), False) for m in MADE.finditer(text)]
        for listened in LISTENED.finditer(text):
            at = listened.end()
            types = text[at : at + LONGEST].partition(";")[0].rpartition(")")[0]
            found += [(m["event"], SUBSCRIBES, at + m.start(), guess) for m in TYPE.finditer(types)]
        for pattern in (PUBLISHED, VARIABLE):
            found += [
                (_type_of(text, m), PUBLISHES, m.start(), guess)
                for m in islice(pattern.finditer(text), MOST)
                if not _is_in_process(text, m[0].partition(".")[0])
            ]
        own = {d.name.rpartition(".")[2] for d in source.definitions if d.kind not in {"method", "function"}}
        for event, relation, at, guess in found:
            if event and event not in ENVELOPE | own:
                yield topic_spoken(self.name, relation, Argument(event, at), source, guess=guess)


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


def _is_in_process(text: str, receiver: str) -> bool:
    """Whether its name, or the type it is declared with (MediatR's), says that a message stays in the process."""
    declared = rf"\b(?:IMediator|ISender)\s+{re.escape(receiver)}\b"
    return IN_PROCESS.search(receiver) is not None or re.search(declared, text) is not None


def _type_of(text: str, published: re.Match[str]) -> str:
    """The class that is published: as the call says, or as the variable is made before it; '' where neither tells.

    `var e = new OrderPaid(1)`, `OrderPaid e = …`, `OrderPaid.Of(1)`, `dto.Adapt<OrderPaid>()`.
    """
    groups = published.groupdict()
    if groups.get("by"):  # a method of the same class makes it
        returned = re.search(
            rf"\b(?:static|private|public|internal|protected)\s+([A-Z]\w*)\s+{groups['by']}\s*\(", text
        )
        return returned[1] if returned else ""
    if groups.get("name") is None:
        return groups["typed"] or groups["made"]
    made = (
        rf"(?:(?P<typed>[A-Z]\w*)|\bvar)\s+{groups['name']}\s*=\s*"
        r"(?:new\s+(?P<made>[A-Z]\w*)|(?P<of>[A-Z]\w*)\.(?:Of|Create|From)\w*\(|[^;]{0,200}?\.(?:Adapt|Map|MapTo)<(?P<mapped>[A-Z]\w*)>\()?"
    )
    found = list(re.finditer(made, text[: published.start()]))
    return next((one for one in found[-1].groups() if one), "") if found else ""


def _full_name(text: str, name: str) -> str:
    """A class's name with its package: as it is imported, else of this file's own package."""
    imported = re.search(rf"^import\s+([\w.]+\.{name})\b", text, re.MULTILINE)
    if imported:
        return imported[1]
    package = re.search(r"^package\s+([\w.]+)", text, re.MULTILINE)
    return f"{package[1]}.{name}" if package else name


class EventTypes(CodeRule):
    """`topic` clues named after the event's type."""

    name = "event types"
    ends = (".go",)

    def facts(self, source: Source) -> Iterator[Clue]:
        for relation, event, at in _events(without_comments(source.text)):
            yield topic_spoken(self.name, relation, Argument(event, at), source, guess=True)


def _events(text: str) -> Iterator[tuple[str, str, int]]:
    for relation, patterns in ((SUBSCRIBES, CONSUMED), (PUBLISHES, PRODUCED)):
        for pattern in patterns:
            yield from ((relation, found["event"], found.start("event")) for found in pattern.finditer(text))
    made: dict[str, list[re.Match[str]]] = {}
    for found in islice(GO_VARIABLE.finditer(text), MOST):
        name = found["name"]
        if name not in made:
            made[name] = list(re.finditer(ASSIGNED.format(name=name), text))
        before = [one for one in made[name] if one.end() <= found.start()]
        if before:
            yield PUBLISHES, before[-1]["of"] or before[-1]["made"], found.start()


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
