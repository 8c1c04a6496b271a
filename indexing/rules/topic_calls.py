"""Calls that publish to a topic or subscribe to one by their shape alone, where a file has no client that a family knows.

The call itself must say it all: `bus.publish("order.placed", …)`, `@subscribe("order-placed")`; if nothing names a bus it is
a guess, which only another guess on the other side makes an edge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.expressions import line_at
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code
from indexing.rules.topics import PUBLISHES, SPOKEN_FOR, SUBSCRIBES, arguments_at, is_compound, topic_clue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue

__all__ = ["BUS", "TopicCalls"]

WORTH_READING: Final = re.compile(
    r"publish|subscri|stream|produce|consum|topic|queue|listener|ProducerRecord|send|emit|EventPattern|MessagePattern|task|Incoming|Outgoing|dispatch|event_handler",
    re.IGNORECASE,
)
COMMENT: Final = re.compile(r"^\s*(?://|#(?!\[)|\*|/\*|--)")
BUS: Final = re.compile(
    r"(?:bus|broker|publisher|subscriber|producer|consumer|pubsub|pub_sub|events?|messag\w*|mq|queue|kafka|rabbit|nats|stream|redis|redis_?client)s?$",
    re.IGNORECASE,
)
NAMED: Final = r"[\w.$]*(?:topic|channel|queue|subject|exchange)(?:_?name)?\s*[,)]"
"""A constant or field that by its name has a topic's."""
VERBS: Final = {
    PUBLISHES: r"publish(?:_?event|_?message)?(?:_?async)?|send_?event|emit_?event|produce|enqueue",
    SUBSCRIBES: r"subscribe(?:_?to)?(?:_?async)?|consume|on_?event|add_?(?:consumer|subscriber|listener)",
}
SHAPES: Final = {
    relation: re.compile(rf"(?:\.|->|::)(?:{verbs})\(\s*(?=[\"'`]|{NAMED})", re.IGNORECASE)
    for relation, verbs in VERBS.items()
}
HELD: Final = {
    PUBLISHES: r"(?:publish|send|push)\w*?_?(?:on|to)",
    SUBSCRIBES: r"(?:subscribe|consume|listen)\w*?_?(?:to|on|from)",
}
SPOKEN: Final = {
    relation: re.compile(
        rf"(?:\.|->|::)(?:{verbs})_?(?:queue|topic|exchange)\w*\((?:[^()\n\"'`]|\([^()\n\"'`]*\))*?(?=[\"'`])",
        re.IGNORECASE,
    )
    for relation, verbs in HELD.items()
}
"""A wrapper's method that says where its message goes, whatever stands before the name: `PublishOnQueue(body, "mail_queue")`."""
OPTIONS: Final = {
    PUBLISHES: re.compile(
        r"\b(?=\w*(?:[pP]ublisher|[pP]roducer))\w++\.(?:[wW]ith)?(?:Topic|Queue|Exchange|RoutingKey|Subject)(?:Name)?\(\s*(?=[\"'`])"
    ),
    SUBSCRIBES: re.compile(
        r"\b(?=\w*(?:[sS]ubscriber|[cC]onsumer))\w++\.(?:[wW]ith)?(?:Topic|Queue|Exchange|RoutingKey|Subject)(?:Name)?\(\s*(?=[\"'`])"
    ),
}
"""Options of a wrapper around a client: `publisher.ExchangeName("orders-exchange")`."""
RECEIVER: Final = re.compile(r"([A-Za-z_$][\w$]*)(?:\(\))?\s*[?!]?$")
DECORATED: Final = re.compile(
    r"@(?:\w+\.)?(?:subscribes?|subscriber|consumer|consumes|event_handler|on_event|listens?_to|listener|handles?)\(\s*(?:topics?\s*=\s*|event\s*=\s*)?(?=[\"'\[])",
    re.IGNORECASE,
)


class TopicCalls:
    """`topic` clues of the definition around each call; tests are left out."""

    name = "message topics"

    def reads(self, path: str) -> bool:
        return is_code(path)

    def find(self, source: Source) -> Findings | None:
        if WORTH_READING.search(source.text) is None:
            return None
        if SPOKEN_FOR in source.parsed:
            return None
        clues = list(self._shaped(source))
        return Findings(clues=dict.fromkeys(clues), recognised=self.name) if clues else None

    def _shaped(self, source: Source) -> Iterator[Clue]:
        for relation, found, guess in _shapes_in(source.text):
            for clue in _clues(source, self.name, relation, found.start(), found.end(), guess=guess):
                if is_compound(clue.key):
                    yield clue


def _shapes_in(text: str) -> Iterator[tuple[str, re.Match[str], bool]]:
    """What looks like publishing or subscribing, and whether it is a guess."""
    for relation, shape in SHAPES.items():
        for found in shape.finditer(text):
            receiver = RECEIVER.search(text, max(found.start() - 80, 0), found.start())
            yield relation, found, receiver is None or BUS.search(receiver[1]) is None
    for relation, spoken in SPOKEN.items():
        yield from ((relation, found, False) for found in spoken.finditer(text))
    for relation, option in OPTIONS.items():
        yield from ((relation, found, False) for found in option.finditer(text))
    yield from ((SUBSCRIBES, found, True) for found in DECORATED.finditer(text))


def _clues(source: Source, rule: str, relation: str, start: int, end: int, *, guess: bool) -> Iterator[Clue]:
    begin = source.text.rfind("\n", 0, start) + 1
    if COMMENT.match(source.text[begin:start]):
        return
    for argument in arguments_at(source.text, end):
        line = line_at(source.text, argument.offset)
        yield topic_clue(rule, relation, argument, line, source.around(line), guess=guess)
