"""Events that are classes: .NET's event buses (`AddSubscription<E, H>`, MassTransit, NServiceBus, CAP) and Eventuate
Tram.

The topic of such a bus is the class's name; Eventuate's is the full name of the aggregate's class, or its channel's. An
in-house bus around a known one has no import to tell it by: who publishes to it is a guess until somebody consumes.
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
from indexing.rules.topics import PUBLISHES, SUBSCRIBES, Argument, arguments_at, topic_clue

__all__ = ["EventClasses", "Eventuate"]

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


class EventClasses(FileRule):
    """`topic` clues named after the event's class; making an integration event is publishing it."""

    name = "event bus"

    def reads(self, path: str) -> bool:
        return path.endswith(".cs") and is_code(path)

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
                line = line_at(source.text, at)
                yield topic_clue(self.name, relation, Argument(event, at), line, source.around(line), guess=guess)


class Eventuate(FileRule):
    """Domain events by their aggregate, commands by their channel (https://eventuate.io/docs/manual/eventuate-tram)."""

    name = "eventuate"

    def reads(self, path: str) -> bool:
        return path.endswith((".java", ".kt")) and is_code(path)

    def facts(self, source: Source) -> Iterator[Clue]:
        text = source.text
        if "io.eventuate" not in text:
            return
        named = [(SUBSCRIBES, AGGREGATE), (SUBSCRIBES, CHANNEL)]
        named += [(PUBLISHES, DESTINATION)] if COMMAND.search(text) else []
        for relation, pattern in named:
            for found in pattern.finditer(text):
                for argument in arguments_at(text, found.end()):
                    yield self._clue(source, relation, argument)
        for found in PUBLISHER.finditer(text):
            name = _full_name(text, found["aggregate"])
            yield self._clue(source, PUBLISHES, Argument(name, found.start("aggregate")))

    def _clue(self, source: Source, relation: str, argument: Argument) -> Clue:
        line = line_at(source.text, argument.offset)
        return topic_clue(self.name, relation, argument, line, source.around(line))


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
