"""Topic clues, which every rule for a broker gives: who publishes what, who subscribes to it, and what names stand for.

Topics, queues, exchanges, subjects and channels are all `topic`. Kinds of clues (resolution/topics.py reads them):
`topic`: provides = publishes to `key` (PUBLISHES), needs = subscribes to it (SUBSCRIBES). `value` is '' for a name that
is stated, REFERENCE where `key` is the name of a constant or setting that has it, and GUESS where only the call's shape
speaks for it.
`topic name`: the constant or setting `key` has the topic `value`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from indexing.facts import Clue

__all__ = [
    "GUESS",
    "PUBLISHES",
    "REFERENCE",
    "SPOKEN_FOR",
    "SUBSCRIBES",
    "Argument",
    "is_compound",
    "names_topic",
    "topic_clue",
    "topic_in",
]

PUBLISHES: Final = "PUBLISHES"
SUBSCRIBES: Final = "SUBSCRIBES"
REFERENCE: Final = "reference"
GUESS: Final = "guess"
SPOKEN_FOR: Final = "topics"
"""What `Source.parsed` has where a family knows the file's client: the shape of a call says nothing more there."""

TOPIC: Final = re.compile(r"[A-Za-z0-9_][\w.\-:/]{0,198}[\w*>#]")
FILE: Final = re.compile(
    r"\.(?:json|ya?ml|py|js|ts|html|xml|txt|md|proto|avsc|csv|sql)$|/(?:v\d+/|api/)|^(?:true|false|null)$"
)
ADDRESS: Final = re.compile(
    r"(?:arn:aws[\w-]*:(?:sns|sqs):[^:]*:[^:]*:|https?://[^/]*(?:queue|sqs)[^/]*/\d+/)([\w.\-]+)$"
)
FILLED: Final = re.compile(r"(?<=\w)[-_.]\$\{[^{}]*\}$|^\$\{[^{}]*\}[-_.](?=\w)")
"""A stage or a region, which a program puts behind or in front."""
WORDS: Final = re.compile(r"[._\-:/]|[a-z0-9][A-Z]")


@dataclass(frozen=True, slots=True)
class Argument:
    """A topic's name, or the name of a constant or setting that has it; `offset` is where it stands in the text."""

    name: str
    offset: int
    is_reference: bool = False


def topic_in(text: str) -> str:
    """The topic that a text literal names, of an ARN or a queue's URL the last part; '' for one that can't be a topic."""
    text = FILLED.sub("", text.strip())
    if address := ADDRESS.match(text):
        return address[1]
    return text if TOPIC.fullmatch(text) and not FILE.search(text) and not text.isdigit() and "://" not in text else ""


def is_compound(topic: str) -> bool:
    """Whether a name has several words: two projects that say `orders` need not mean the same."""
    return WORDS.search(topic) is not None


def topic_clue(rule: str, relation: str, topic: Argument, line: int, entity: str, *, guess: bool = False) -> Clue:
    """The definition (without one: the file's service) publishes or subscribes to what the argument names."""
    verb = "publishes to" if relation == PUBLISHES else "subscribes to"
    value = REFERENCE if topic.is_reference else GUESS if guess else ""
    side = "provides" if relation == PUBLISHES else "needs"
    return Clue(rule, "topic", topic.name, side, relation, line, entity, f"{verb} {topic.name}", value)  # type: ignore[arg-type]  # one of two


def names_topic(rule: str, name: str, topic: str, line: int) -> Clue:
    """A constant or setting that has a topic's name."""
    return Clue(rule, "topic name", name, "provides", "NAMES", line, says=f"{name} is {topic}", value=topic)
