"""In-house functions around a broker's client, and the calls that hand a topic's name to one.

`def send_event(self, exchange, key, body): channel.basic_publish(exchange=exchange, routing_key=key, …)` here, and elsewhere
`client.send_event("shop", "order.placed", order)`: the wrapper says which of its parameters is a topic, the call which topic.

Kinds of clues (resolution/topics.py reads them):
`topic wrapper`: provides = the function `key` publishes or subscribes to what its parameter `value` (`1 routing_key`: place
and name) holds. `topic passed`: needs = the function `key` is called with the texts `value` (`0=shop key=order.placed`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.facts import Clue
from indexing.rules.expressions import arguments, first_text, line_at, without_comments
from indexing.rules.port import Findings, Source
from indexing.rules.programs import is_code
from indexing.rules.topic_calls import BUS
from indexing.rules.topics import PUBLISHES, is_compound, topic_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from indexing.facts import Definition

__all__ = ["TopicWrappers", "handed_to", "wrapper"]

MAY_BE: Final = re.compile(
    r"(?:\.|->|::)(?P<callee>\w*(?:publish|produc|consum|subscri|emit|dispatch|send|enqueue|event|message|topic|queue|listen|notify)\w*)(?=\([^\"'`;{}]{0,300}[\"'`])",
    re.IGNORECASE,
)
"""A call with a text among its arguments, of what by its name may be one."""
ON: Final = re.compile(r"(\w+)(?:\(\))?\s*$")
NAME_OF_RULE: Final = "topic wrappers"
ITSELF: Final = re.compile(r"&?(?:mut\s+)?(?:self|cls)\b")
NAMED: Final = re.compile(r"(\w+)\s*[=:]\s*(?![=:>])")
LONGEST: Final = 100


class TopicWrappers:
    """The calls of what by its name may be a wrapper; tests are left out."""

    name = NAME_OF_RULE

    def reads(self, path: str) -> bool:
        return is_code(path)

    def find(self, source: Source) -> Findings | None:
        if MAY_BE.search(source.text) is None:
            return None
        text = without_comments(source.text)
        clues = list(_passed(source, text, MAY_BE))
        return Findings(clues=dict.fromkeys(clues)) if clues else None


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
    """The texts among the arguments of calls.

    A name of one word (`send`) is many a thing's: what it is called on must say that it is a bus.
    """
    for found in pattern.finditer(text):
        callee = found["callee"]
        on = ON.search(text, max(found.start() - LONGEST, 0), found.start())
        if not is_compound(callee) and (on is None or BUS.search(on[1]) is None):
            continue
        given, _ = arguments(text, found.end())
        told = [(_keyword(one) or str(at), topic_in(first_text(one) or "")) for at, one in enumerate(given)]
        value = " ".join(f"{at}={topic}" for at, topic in told if topic and len(topic) < LONGEST)
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
    named = NAMED.match(argument)
    return named[1] if named else ""
