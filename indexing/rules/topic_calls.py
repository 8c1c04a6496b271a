"""Calls that publish to a topic or subscribe to one, by the clients of brokers that a file uses, else by their shape.

A client's import and a call of its that names a topic are two pieces. Where no client is known the call itself must say
it all: `bus.publish("order.placed", …)`, `@subscribe("order-placed")`; if nothing names a bus it is a guess, which only
another guess on the other side makes an edge.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from indexing.rules.expressions import line_at
from indexing.rules.kafka import KAFKA
from indexing.rules.other_brokers import OTHER_BROKERS
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code
from indexing.rules.rabbitmq import RABBITMQ
from indexing.rules.topic_arguments import arguments_at
from indexing.rules.topics import PUBLISHES, SUBSCRIBES, is_compound, topic_clue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from indexing.facts import Clue
    from indexing.rules.brokers import Client

__all__ = ["BUS", "WORTH_READING", "TopicCalls", "clients_in", "patterns_of"]

CLIENTS: Final = (*KAFKA, *RABBITMQ, *OTHER_BROKERS)
WORTH_READING: Final = re.compile(
    r"publish|subscri|stream|produce|consum|topic|queue|listener|ProducerRecord|send|emit|EventPattern|MessagePattern|task|Incoming|Outgoing|dispatch|event_handler",
    re.IGNORECASE,
)
COMMENT: Final = re.compile(r"^\s*(?://|#(?!\[)|\*|/\*|--)")
CONSUMES: Final = re.compile(r"(?:\.|->)_?(?:basic_?)?consume", re.IGNORECASE)
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
ANY_CLIENT: Final = (
    "kafka", "karafka", "amqp", "rabbit", "sarama", "faust", "smallrye", "reactive.messaging", "pika", "kombu", "bunny",
    "sneakers", "lapin", "nats", "redis", "mqtt", "sns", "sqs", "boto3", "pubsub", "servicebus", "service-bus", "dapr",
    "celery", "nestjs", "nameko", "illuminate", "onqueue",
)  # fmt: skip
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
        used = clients_in(source.text)
        clues = list(self._called(source, used)) or list(self._shaped(source))
        return Findings(clues=dict.fromkeys(clues), recognised=self.name) if clues else None

    def _called(self, source: Source, used: Iterable[Client]) -> Iterator[Clue]:
        for client in used:
            for relation, pattern in patterns_of(client, source.text):
                for found in pattern.finditer(source.text):
                    yield from _clues(source, client.name, relation, found.start(), found.end(), guess=False)

    def _shaped(self, source: Source) -> Iterator[Clue]:
        for relation, found, guess in _shapes_in(source.text):
            for clue in _clues(source, self.name, relation, found.start(), found.end(), guess=guess):
                if is_compound(clue.key):
                    yield clue


@lru_cache(maxsize=2)  # two rules ask it of one file, then of the next
def clients_in(text: str) -> tuple[Client, ...]:
    """The brokers' clients that a file uses."""
    lowered = text.lower()
    if not any(word in lowered for word in ANY_CLIENT):  # a tenth of the time of one expression
        return ()
    return tuple(client for client in CLIENTS if client.used.search(text))


def patterns_of(client: Client, text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """PUBLISHES or SUBSCRIBES, and what ends where the topic's name begins, for each form of a client's calls."""
    binds = client.binds if CONSUMES.search(text) else ()
    yield from ((PUBLISHES, pattern) for pattern in client.publishes)
    yield from ((SUBSCRIBES, pattern) for pattern in (*client.subscribes, *binds))


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
