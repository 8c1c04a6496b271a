"""Topics: who publishes to what, and who subscribes, by name or by the class that an event or a job is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from extraction.facts import Clue
from extraction.rules.expressions import line_at
from extraction.rules.port import Fact
from extraction.rules.structure.matches import Assertion, Part, plain
from extraction.rules.topic_calls import handed_to, wrapper
from extraction.rules.topics import (
    REFERENCE,
    SPOKEN_FOR,
    SUBSCRIBES,
    Argument,
    arguments_at,
    names_topic,
    topic_clue,
    topic_in,
)

CONSUMES: Final = re.compile(r"(?:\.|->)_?(?:basic_?)?consume", re.IGNORECASE)
PARAMETER: Final = re.compile(r"[\s&*$@\[]*([A-Za-z_]\w*)\s*\]?")
TERRAFORM: Final = re.compile(r"(?:data\.)?[a-z]+_\w+\.([\w-]+\.\w+)")
"""`aws_sqs_queue.orders-queue.arn`: a name may have hyphens there, which elsewhere are minus signs."""
LAST: Final = re.compile(r"([A-Za-z_]\w*)(?:<.*>)?$")
ENVELOPE: Final = frozenset(
    {"T", "TEvent", "TMessage", "IntegrationEvent", "Event", "Message", "Batch", "Fault", "self", "this", "cls"}
)
"""What matches any message."""


def bound(rows: list[Assertion]) -> Iterator[Fact]:
    """Who joins a queue to an exchange subscribes to that, where the same file consumes."""
    return spoken(SUBSCRIBES, rows) if rows and CONSUMES.search(rows[0].match.text) else iter(())


def spoken(relation: str, rows: list[Assertion]) -> Iterator[Clue]:
    """Who publishes or subscribes to the topics that are named."""
    wrappers = []
    for one in rows:
        match = one.match
        for part in one.parts("name"):
            for argument in _arguments(match.text, part) if match.text else _literal(part):
                line = line_at(match.text, argument.offset) if match.text else match.line(part)
                match.source.parsed[SPOKEN_FOR] = True
                around = plain(one.part("by")) or match.source.around(line)
                yield topic_clue(one.rule, relation, argument, line, around, guess=one.flag("guess"))
            wrappers += list(_wrapped(one, part, relation))
    yield from wrappers
    if wrappers:
        yield from handed_to(rows[0].match.source, rows[0].match.text, (clue.key for clue in wrappers))


def _arguments(text: str, part: Part) -> Iterable[Argument]:
    """The topics that a part names; one that is itself called on is a name."""
    if resource := TERRAFORM.fullmatch(part.text):
        return [Argument(resource[1], part.offset, REFERENCE)]
    if PARAMETER.fullmatch(part.text) and text[part.offset + len(part.text) :][:1] == ".":
        return [Argument(part.text, part.offset, REFERENCE)]
    return arguments_at(text, part.offset)


def _literal(part: Part) -> list[Argument]:
    topic = topic_in(plain(part))
    return [Argument(topic, 0)] if topic else []


def named(rows: list[Assertion]) -> Iterator[Fact]:
    """A constant, variable or setting that has a topic's name."""
    for one in rows:
        name, topic = plain(one.part("name")), topic_in(plain(one.part("topic")))
        if name and topic:
            yield names_topic(one.rule, name, topic, one.match.line(one.part("topic")))


def of_class(relation: str, rows: list[Assertion]) -> Iterator[Clue]:
    """Who publishes or subscribes to the event, message or job that is of a class."""
    for one in rows:
        for part in one.parts("name"):
            name = LAST.search(plain(part))
            if name and name[1] not in ENVELOPE:
                argument, line = Argument(name[1], part.offset), one.match.line(part)
                yield topic_clue(one.rule, relation, argument, line, one.owner(part), guess=one.flag("guess"))


def _wrapped(one: Assertion, part: Part, relation: str) -> Iterator[Clue]:
    """Where the topic is a parameter of the function around: who calls that one says the topic."""
    if named := PARAMETER.fullmatch(part.text):
        found = wrapper(one.match.source, one.match.text, one.match.line(part), named[1], relation)
        yield from (found,) if found else ()
