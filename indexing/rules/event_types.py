"""Events of Go that are types: Watermill's CQRS component, and in-house buses of the same shape (https://watermill.io/docs/cqrs).

The topic of such a bus is the type's name. Whoever publishes or consumes is a guess until there is the other side.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from indexing.rules.expressions import line_at, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code
from indexing.rules.topics import PUBLISHES, SUBSCRIBES, Argument, topic_clue

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EventTypes"]

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


class EventTypes:
    """`topic` clues named after the event's type."""

    name = "event types"

    def reads(self, path: str) -> bool:
        return path.endswith(".go") and is_code(path)

    def find(self, source: Source) -> Findings | None:
        text = without_comments(source.text)
        clues = [
            topic_clue(self.name, relation, Argument(event, at), line_at(text, at), source.around(line_at(text, at)), guess=True)
            for relation, event, at in _events(text)
        ]  # fmt: skip
        return Findings(clues=dict.fromkeys(clues)) if clues else None


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
