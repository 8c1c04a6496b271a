"""Domain events that state their own name: `eventName() { return 'order.placed'; }`, in PHP, TypeScript, Java and their like.

The class says under which name it is published, an aggregate records one (`$this->record(new OrderPlaced(…))`), a subscriber
lists the classes that it is for (`subscribedTo(): array { return [OrderPlaced::class]; }`): each is joined to the topic only by
the class's name. No framework's: it is how code with ports around its bus is written in these languages.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.expressions import line_at, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code
from indexing.rules.topics import PUBLISHES, SUBSCRIBES, Argument, names_topic, topic_clue, topic_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue

__all__ = ["NamedEvents"]

NAMED: Final = re.compile(
    r"\b(?:eventName|getEventName|messageName|event_name)\s*\([^()]*\)\s*(?::\s*\w+\s*|->\s*\w+\s*)?[{:=]\s*(?:return\s+)?[\"'](?P<a>[^\"'\n]+)[\"']"
    r"|\b(?:EVENT_NAME|MESSAGE_NAME)\s*(?::\s*\w+\s*)?=\s*[\"'](?P<b>[^\"'\n]+)[\"']"
)
RECORDED: Final = re.compile(
    r"\b(?:record|recordThat|recordEvent|raise|raiseEvent|publish|addDomainEvent|registerEvent)\(\s*new\s+(?:\w+[\\.])*(?P<event>[A-Z]\w*)"
)
LISTED: Final = re.compile(
    r"\bsubscribedTo\s*\(\s*\)[^{}]{0,80}\{\s*return\s+[^;\]]*?[\[(](?P<events>[^\])]*)|@DomainEventSubscriber\(\s*\{?(?P<told>[^)}]*)"
)
CLASS: Final = re.compile(r"(?:\w+[\\.])*(?P<event>[A-Z]\w*)(?:::class|\.class)?\s*(?:,|$)")


class NamedEvents:
    """`topic name` of the event's class, and `topic` clues that refer to it."""

    name = "named events"

    def reads(self, path: str) -> bool:
        return is_code(path)

    def find(self, source: Source) -> Findings | None:
        if not any(pattern.search(source.text) for pattern in (NAMED, RECORDED, LISTED)):
            return None
        text = without_comments(source.text)
        clues = [*self._names(source, text), *self._speakers(source, text)]
        return Findings(clues=dict.fromkeys(clues)) if clues else None

    def _names(self, source: Source, text: str) -> Iterator[Clue]:
        for found in NAMED.finditer(text):
            line = line_at(text, found.start())
            event, topic = source.around(line).partition(".")[0], topic_in(found["a"] or found["b"])
            if event and topic:
                yield names_topic(self.name, event, topic, line)

    def _speakers(self, source: Source, text: str) -> Iterator[Clue]:
        said = [(PUBLISHES, found["event"], found.start("event")) for found in RECORDED.finditer(text)]
        for found in LISTED.finditer(text):
            group = "events" if found["events"] is not None else "told"
            said += [
                (SUBSCRIBES, one["event"], found.start(group) + one.start("event"))
                for one in CLASS.finditer(found[group].strip())
            ]
        for relation, event, at in said:
            line = line_at(text, at)
            yield topic_clue(self.name, relation, Argument(event, at, is_reference=True), line, source.around(line))
