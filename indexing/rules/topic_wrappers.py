"""In-house functions around a broker's client, and the calls that hand a topic's name to one.

`def send_event(self, exchange, key, body): channel.basic_publish(exchange=exchange, routing_key=key, …)` here, and elsewhere
`client.send_event("shop", "order.placed", order)`: the wrapper says which of its parameters is a topic, the call which topic.

Kinds of clues (resolution/topic_wrappers.py reads them):
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
from indexing.rules.topic_calls import BUS, WORTH_READING, clients_in, patterns_of
from indexing.rules.topics import PUBLISHES, is_compound, topic_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from indexing.facts import Definition
    from indexing.rules.brokers import Client

__all__ = ["TopicWrappers"]

MAY_BE: Final = re.compile(
    r"(?:\.|->|::)(?P<callee>\w*(?:publish|produc|consum|subscri|emit|dispatch|send|enqueue|event|message|topic|queue|listen|notify)\w*)(?=\([^\"'`;{}]{0,300}[\"'`])",
    re.IGNORECASE,
)
"""A call with a text among its arguments, of what by its name may be one."""
ON: Final = re.compile(r"(\w+)(?:\(\))?\s*$")
NAME: Final = re.compile(r"[\s&*$@\[]*([A-Za-z_]\w*)\s*[,)\]}]")
ITSELF: Final = re.compile(r"&?(?:mut\s+)?(?:self|cls)\b")
NAMED: Final = re.compile(r"(\w+)\s*[=:]\s*(?![=:>])")
LONGEST: Final = 100


class TopicWrappers:
    """The wrappers of a file, and its calls of what by its name may be one; tests are left out."""

    name = "topic wrappers"

    def reads(self, path: str) -> bool:
        return is_code(path)

    def find(self, source: Source) -> Findings | None:
        used = clients_in(source.text) if WORTH_READING.search(source.text) else ()
        if not used and MAY_BE.search(source.text) is None:
            return None
        text = without_comments(source.text)
        wrappers = list(self._wrappers(source, text, used))
        clues = [*wrappers, *self._calls(source, text, {clue.key for clue in wrappers})]
        return Findings(clues=dict.fromkeys(clues)) if clues else None

    def _wrappers(self, source: Source, text: str, used: Iterable[Client]) -> Iterator[Clue]:
        by_name = {d.name: d for d in source.definitions}
        for client in used:
            for relation, pattern in patterns_of(client, text):
                for found in pattern.finditer(text):
                    around = by_name.get(source.around(line_at(text, found.start())))
                    named = NAME.match(text, found.end())
                    at = _parameter(around, text, named[1]) if around and named else None
                    if around and named and at is not None:
                        yield self._wrapper(relation, around, at, named[1])

    def _wrapper(self, relation: str, function: Definition, at: int, parameter: str) -> Clue:
        name = function.name.rpartition(".")[2]
        verb = "publishes" if relation == PUBLISHES else "subscribes"
        says = f"{name} {verb} to its {parameter}"
        return Clue(
            self.name,
            "topic wrapper",
            name,
            "provides",
            relation,
            function.start_line,
            says=says,
            value=f"{at} {parameter}",
        )

    def _calls(self, source: Source, text: str, own: set[str]) -> Iterator[Clue]:
        """Of functions whose name says that they may be a wrapper, and of those that the file itself has.

        A name of one word (`send`) is many a thing's: what it is called on must say that it is a bus.
        """
        named = "|".join(re.escape(name) for name in sorted(own))
        ours = re.compile(rf"(?:\.|->|::)(?P<callee>{named})(?=\()").finditer(text) if own else ()
        for found in (*MAY_BE.finditer(text), *ours):
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
                yield Clue(
                    self.name,
                    "topic passed",
                    callee,
                    "needs",
                    "PASSES",
                    line,
                    source.around(line),
                    says,
                    value,
                )


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
