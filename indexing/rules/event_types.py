"""Events of Go that are types: Watermill's CQRS component, and in-house buses of the same shape (https://watermill.io/docs/cqrs).

The topic of such a bus is the type's name. Whoever publishes or consumes is a guess until there is the other side.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.expressions import line_at, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code
from indexing.rules.topic_arguments import Argument
from indexing.rules.topics import PUBLISHES, SUBSCRIBES, topic_clue

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EventTypes"]

TYPE: Final = r"&?(?:\w+\.)?(?P<event>[A-Z]\w*)"
BUS: Final = (
    r"\b\w*(?:[bB]us|[pP]ublisher|[pP]roducer)\w*\.Publish\w*\(\s*(?:ctx|context\.\w+\(\)|\w+\.Context\(\))\s*,\s*"
)
CONSUMED: Final = (
    re.compile(rf"\.\s*(?:AddConsumer|AddHandler|Subscribe|RegisterConsumer)\(\s*{TYPE}\{{\s*\}}"),
    re.compile(r"\bNewEventHandler\(\s*\"[^\"]*\"\s*,\s*func\([^()]*\*(?:\w+\.)?(?P<event>[A-Z]\w*)\s*\)"),
)
PUBLISHED: Final = (
    re.compile(rf"\.\s*(?:AddProducer|RegisterProducer)\(\s*{TYPE}\{{\s*\}}"),
    re.compile(rf"{BUS}{TYPE}\{{"),
)
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
    for found in VARIABLE.finditer(text):
        made = list(
            re.finditer(
                rf"\b{found['name']}\b[^\n=]*:?=\s*&?(?:\w+\.)?(?:New(?P<of>[A-Z]\w*)\(|(?P<made>[A-Z]\w*)\{{)",
                text[: found.start()],
            )
        )
        if made:
            yield PUBLISHES, made[-1]["of"] or made[-1]["made"], found.start()
