"""Calls that publish to a topic or subscribe to one by their shape, and in-house functions around a broker's client.

A call by its shape alone counts where a file has no client that a family knows. It must say it all:
`bus.publish("order.placed", …)`, `@subscribe("order-placed")`; if nothing names a bus it is a guess, which only another
guess on the other side makes an edge.

`def send_event(self, exchange, key, body): channel.basic_publish(exchange=exchange, routing_key=key, …)` here, and
elsewhere `client.send_event("shop", "order.placed", order)`: the wrapper says which of its parameters is a topic, the
call which topic. Kinds of clues (indexing/resolution/topics.py reads them):
`topic wrapper`: provides = the function `key` publishes or subscribes to what its parameter `value` (`1 routing_key`:
place and name) holds. `topic passed`: needs = the function `key` is called with the texts `value` (`0=shop
key=order.placed`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from extraction.facts import Clue, Definition
from extraction.rules.expressions import arguments, first_text, line_at, without_comments
from extraction.rules.port import COMMENT, CodeRule, Source
from extraction.rules.topics import (
    PUBLISHES,
    SPOKEN_FOR,
    SUBSCRIBES,
    Argument,
    arguments_at,
    is_compound,
    topic_in,
    topic_spoken,
)

WORTH_READING: Final = re.compile(
    r"publish|subscri|stream|produce|consum|topic|queue|listener|ProducerRecord|send|emit|EventPattern|MessagePattern|task|Incoming|Outgoing|dispatch|event_handler",
    re.IGNORECASE,
)
BUS: Final = re.compile(
    r"^(?:mqtt|kafka|rabbit|amqp|nats|pulsar|pubsub)|(?:bus|broker|publisher|subscriber|producer|consumer|pubsub|pub_sub|events?|messag\w*|mq|queue|kafka|rabbit|nats|stream|redis|redis_?client)s?$",
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
CALLS: Final = {
    PUBLISHES: re.compile(r"(?<!\w)(?:publish|enqueue)\w*(?=\()", re.IGNORECASE),
    SUBSCRIBES: re.compile(r"(?<!\w)(?:subscribe|consume)\w*(?=\()", re.IGNORECASE),
}
DEFINES: Final = re.compile(r"\b(?:def|fun|func|fn|function)\s+(?:\([^()]*\)\s*)?$")
"""What stands before a name that is defined: `func (b *Bus) `."""
KEYED: Final = re.compile(
    r"(?:topic|queue|channel|subject|stream|routing_?key)(?:_?name)?\s*[=:]\s*(?=[\"'`])", re.IGNORECASE
)
"""An argument that says that it is the topic: `routing_key="order.placed"`."""
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
"""A wrapper's method that says where its message goes: `PublishOnQueue(body, "mail_queue")`."""
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
ON: Final = re.compile(rf"{RECEIVER.pattern.removesuffix('$')}(?:\.|->|::)$")
"""The same with what joins it to the call."""
DECORATED: Final = re.compile(
    r"@(?:\w+\.)?(?:subscribes?|subscriber|consumer|consumes|event_handler|on_event|listens?_to|listener|handles?)\(\s*(?:topics?\s*=\s*|event\s*=\s*)?(?=[\"'\[])",
    re.IGNORECASE,
)
MAY_BE: Final = re.compile(
    r"(?:\.|->|::)(?P<callee>\w*(?:publish|produc|consum|subscri|emit|dispatch|send|enqueue|event|message|topic|queue|listen|notify)\w*)(?=\([^\"'`;{}]{0,300}[\"'`])",
    re.IGNORECASE,
)
"""A call with a text among its arguments, of what by its name may be one."""
CALLED_ON: Final = re.compile(r"(\w+)(?:\(\))?\s*$")
NAME_OF_RULE: Final = "topic wrappers"
ITSELF: Final = re.compile(r"&?(?:mut\s+)?(?:self|cls)\b")
KEYWORD: Final = re.compile(r"(\w+)\s*[=:]\s*(?![=:>])")
LONGEST: Final = 100


class TopicCalls(CodeRule):
    """`topic` clues of the definition around each call; tests are left out."""

    name = "message topics"

    def facts(self, source: Source) -> Iterator[Clue]:
        if WORTH_READING.search(source.text) is None or SPOKEN_FOR in source.parsed:
            return
        for relation, argument, guess in (*_first_in(source.text), *_behind_in(without_comments(source.text))):
            if is_compound(argument.name):
                yield topic_spoken(self.name, relation, argument, source, guess=guess)


def _first_in(text: str) -> Iterator[tuple[str, Argument, bool]]:
    """The topics that calls of a known shape begin with, and whether each is a guess."""
    for relation, found, guess in _shapes_in(text):
        if not COMMENT.match(text[text.rfind("\n", 0, found.start()) + 1 : found.start()]):
            yield from ((relation, argument, guess) for argument in arguments_at(text, found.end()))


def _shapes_in(text: str) -> Iterator[tuple[str, re.Match[str], bool]]:
    """What looks like publishing or subscribing, and whether it is a guess."""
    for relation, shape in SHAPES.items():
        for found in shape.finditer(text):
            receiver = RECEIVER.search(text, max(found.start() - 80, 0), found.start())
            yield relation, found, receiver is None or BUS.search(receiver[1]) is None
    for relation, shape in (*SPOKEN.items(), *OPTIONS.items()):
        yield from ((relation, found, False) for found in shape.finditer(text))
    yield from ((SUBSCRIBES, found, True) for found in DECORATED.finditer(text))


def _behind_in(text: str) -> Iterator[tuple[str, Argument, bool]]:
    """The topics of calls that name them behind other arguments, under a keyword or as a bus's first text: no guess."""
    for relation, shape in CALLS.items():
        for found in shape.finditer(text):
            if DEFINES.search(text, text.rfind("\n", 0, found.start()) + 1, found.start()):
                continue
            given, _ = arguments(text, found.end())
            on = ON.search(text, max(found.start() - 80, 0), found.start())
            behind = [one for one in given[1:] if first_text(one)] if on and BUS.search(on[1]) else []
            said = next((one for one in given if KEYED.match(one)), next(iter(behind), ""))
            if topic := topic_in(first_text(said) or ""):
                yield relation, Argument(topic, text.find(said, found.end())), False


class TopicWrappers(CodeRule):
    """The calls of what by its name may be a wrapper; tests are left out."""

    name = NAME_OF_RULE

    def facts(self, source: Source) -> Iterator[Clue]:
        if MAY_BE.search(source.text):
            yield from _passed(source, without_comments(source.text), MAY_BE)


def wrapper(source: Source, text: str, line: int, parameter: str, relation: str) -> Clue | None:
    """The function around a line, if what is named there is a parameter of its."""
    around = source.around(line)
    function = next((d for d in source.definitions if d.name == around), None)
    at = _parameter(function, text, parameter) if function else None
    if function is None or at is None:
        return None
    name = function.name.rpartition(".")[2]
    says = f"{name} {'publishes' if relation == PUBLISHES else 'subscribes'} to its {parameter}"
    value = f"{at} {parameter}"
    return Clue(NAME_OF_RULE, "topic wrapper", name, "provides", relation, function.start_line, says=says, value=value)


def handed_to(source: Source, text: str, wrappers: Iterable[str]) -> Iterator[Clue]:
    """The topics that a file hands to the wrappers that it has itself, whatever they are called."""
    names = "|".join(re.escape(name) for name in sorted(set(wrappers)))
    return _passed(source, text, re.compile(rf"(?:\.|->|::)(?P<callee>{names})(?=\()")) if names else iter(())


def _passed(source: Source, text: str, pattern: re.Pattern[str]) -> Iterator[Clue]:
    """The texts among calls' arguments. A name of one word (`send`) must be called on what says that it is a bus."""
    for found in pattern.finditer(text):
        callee = found["callee"]
        on = CALLED_ON.search(text, max(found.start() - LONGEST, 0), found.start())
        if not is_compound(callee) and (on is None or BUS.search(on[1]) is None):
            continue
        given, _ = arguments(text, found.end())
        texts = [(_keyword(one) or str(at), topic_in(first_text(one) or "")) for at, one in enumerate(given)]
        value = " ".join(f"{at}={topic}" for at, topic in texts if topic and len(topic) < LONGEST)
        if value:
            line = line_at(text, found.start("callee"))
            says = f"{callee} with {value}"
            around = source.around(line)
            yield Clue(NAME_OF_RULE, "topic passed", callee, "needs", "PASSES", line, around, says, value)


def _parameter(function: Definition, text: str, name: str) -> int | None:
    """The place of a function's parameter, from 0 and without `self`; None when it has none of that name."""
    begin = sum(len(line) + 1 for line in text.split("\n")[: function.start_line - 1])
    head = re.compile(rf"\b{re.escape(function.name.rpartition('.')[2])}\s*(?:<[^>()]*>)?(?=\()").search(text, begin)
    given, _ = arguments(text, head.end()) if head else ([], 0)
    own = [one for one in given if not ITSELF.match(one)]
    return next(
        (at for at, one in enumerate(own) if re.search(rf"(?<![\w.]){re.escape(name)}\b", one.partition("=")[0])), None
    )


def _keyword(argument: str) -> str:
    named = KEYWORD.match(argument)
    return named[1] if named else ""
