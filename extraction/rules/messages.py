"""Messages that are of a class: who hands one to a bus, who subscribes by a type, who handles one; in any language.

`bus.publish(new OrderPaid(1))`, `producer.send(paid)` of a variable that is one, `bus.subscribe<OrderPaid>(…)`: no
topic is named, the class's name is the topic. Of calls there are their names, what they are called on and their
arguments; no library's names are here. Whether there is such a class says indexing/resolution/topics.py, which has all
files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from extraction.facts import Clue
from extraction.occurrences.words import PUBLISH, SUBSCRIBE, way_in, words_of
from extraction.rules.expressions import arguments, line_at, texts, without_comments
from extraction.rules.port import CodeRule, Source
from extraction.rules.topics import HANDLED, PUBLISHES, SUBSCRIBES, TYPED, Argument, is_compound, topic_clue

WORTH_READING: Final = re.compile(
    r"publish|emit|send|dispatch|enqueue|produce|subscri|consum|listen|handle|receive|process|\bon_?(?-i:[A-Z])",
    re.IGNORECASE,
)
CALL: Final = re.compile(
    r"(?:(?:(?<![\w$])(?P<on>[A-Za-z_$][\w$]{0,60})(?:\(\))?[?!]?)?\s{0,40}(?P<dot>\.|->|::)\s{0,40})?"
    r"(?<![\w$])(?P<name>[A-Za-z_]\w{2,60})(?:<\s*(?P<type>[\w.:]{1,80})[^<>()\n;]{0,200}>)?(?=\()"
)
SPEAKS: Final = frozenset({"publish", "publisher", "produce", "producer"})
"""A call that is called so speaks to a bus; whoever sends may send anything."""
BUSES: Final = frozenset({
    "bus", "publisher", "producer", "broker", "emitter", "dispatcher", "endpoint", "event", "message", "kafka",
    "rabbit",
})  # fmt: skip
HANDLER: Final = "handler"
ADDS: Final = frozenset({"add", "register"})
"""Who adds a producer says of which class it is: `AddProducer(OrderPaid{}, …)`."""
HANDLES: Final = frozenset({"handle", "on", "consume", "receive", "process", "listen", "when"})
"""What a function is called first that takes a message."""
IN_PROCESS: Final = frozenset({"command", "query", "mediator", "mediatr", "domain", "internal", "memory", "sender"})
"""What the receiver of a message that never leaves the process is called, or is declared as."""
ENVELOPE: Final = re.compile(
    r"T?I?(?:Integration|Domain|Base|Kafka|Cloud|Generic|Abstract|Consume)*(?:Event|Message|Command|Record|Envelope|Context)(?:s|Wrapper)?"
)
"""What any message is called."""
MAKERS: Final = frozenset({"factory", "builder", "mapper", "converter", "serializer"})
"""What a class is called last that makes messages and is none."""
NAMES_TOPIC: Final = re.compile(
    r"(?:topic|channel|queue|subject|exchange|routing|stream)s?(?:_?(?:name|key))?$", re.IGNORECASE
)
NAME: Final = r"(?P<class>\w++(?:(?:\.|::|\\)\w++)*+)"
MAKES: Final = r"(?:(?:await|new)\s++|[&\\*])*+"
MADE: Final = re.compile(rf"{MAKES}{NAME}\s*+(?:<[^<>()\n]{{0,80}}>)?+\s*+[({{]")
"""`new OrderPaid(1)`, `OrderPaid.of(1)`, `&events.OrderPaid{…}`."""
NAMED_TYPE: Final = re.compile(rf"(?:typeof\()?+{MAKES}{NAME}(?:::class|\.class|\(\)|\{{\}}|\))?+")
FACTORIES: Final = frozenset(
    {"of", "from", "create", "new", "make", "build", "builder", "with", "to", "for", "map", "parse"}
)
"""What a function of a class is called first that makes one."""
OPENS_LIST: Final = re.compile(
    r"(?:new\s++\w*+(?<=List)<[^<>]*+>(?:\(\))?+\s*+|new\s*+\[\]\s*+|(?:\w*+(?<=[lL]istOf)|arrayOf)(?=\())?+[\[({]"
)
"""How a list begins."""
TAKEN: Final = re.compile(rf"(?<!\w)\w++\s++[*&]?+{NAME}\s*+\)")
"""The last parameter of a function that is handed over: `func(ctx context.Context, e *events.OrderPlaced)`."""
VARIABLE: Final = re.compile(r"[&*$]?(?P<name>[a-z_]\w*)")
FACTORY: Final = r"(?<![\w.]){name}\s*:?=\s*(?:await\s+)?(?:[^;\n]{{0,200}}?<(?P<mapped>\w+)>\(|{made})"
LONGEST: Final = 4000
MOST: Final = 200
"""A file that says more was made up: for some the text is read once each."""


class TypedMessages(CodeRule):
    """`topic` clues named after a class; tests are left out."""

    name = "message types"

    def facts(self, source: Source) -> Iterator[Clue]:
        if WORTH_READING.search(source.text) is None:
            return
        text = without_comments(source.text)
        own = {d.name for d in source.definitions if d.kind not in {"method", "function", "constant"}}
        for relation, event, line, of in (*_calls(source, text), *_handlers(source)):
            telling = is_compound(event) and not event.isupper() and ENVELOPE.fullmatch(event) is None
            if telling and event not in own and MAKERS.isdisjoint(words_of(event)[-1:]):
                yield topic_clue(self.name, relation, Argument(event, 0, of), line, source.around(line))


def _handlers(source: Source) -> Iterator[tuple[str, str, int, str]]:
    """What functions are given that by their names handle something; of their own variables nothing is meant."""
    lines = source.text.split("\n")
    for one in source.variables:
        words = words_of(one.scope.rpartition(".")[2])
        made = re.search(rf"\b{re.escape(one.name)}\b\s*(?::[^=\n,)]*)?:?=(?![=>])", lines[one.line - 1])
        if words and words[0] in HANDLES and made is None:
            yield SUBSCRIBES, _class_in(one.type), one.line, HANDLED


def _calls(source: Source, text: str) -> Iterator[tuple[str, str, int, str]]:
    """Who publishes and subscribes by a call, the class, and the call's line."""
    spoken = ((way, call) for call in CALL.finditer(text) if (way := _way(call)))
    for way, call in islice(spoken, MOST):
        if way == PUBLISHES and _is_in_process(text, call):
            continue
        given, _ = arguments(text, call.end())
        line = line_at(text, call.start("name"))
        found = _published(source, text, call, given, line) if way == PUBLISHES else _heard(call, given)
        yield from ((way, event, line, TYPED) for event in dict.fromkeys(found))


def _way(call: re.Match[str]) -> str:
    """Which way messages go by a call, as its words say; '' for any other call."""
    words, on = words_of(call["name"]), words_of(call["on"] or "")
    way = way_in(call["name"])
    if way == PUBLISH:
        verb = way_in(words[0]) == PUBLISH or words[0] in ADDS  # not `UsePublisher(…)`
        speaks = not SPEAKS.isdisjoint(words) or not BUSES.isdisjoint((*on, *words[1:]))
        return PUBLISHES if verb and speaks else ""
    hears = way == SUBSCRIBE or "subscription" in words or (HANDLER in words and not BUSES.isdisjoint((*on, *words)))
    return SUBSCRIBES if call["dot"] and hears else ""  # called on nothing, it may be a definition


def _is_in_process(text: str, call: re.Match[str]) -> bool:
    """Whether a call's words, or what its receiver is declared as, say that a message stays in the process."""
    on = call["on"] or ""
    declared = rf"\b(?:IMediator|ISender)\s+{re.escape(on)}\b"
    words = (*words_of(on), *words_of(call["name"]))
    return not IN_PROCESS.isdisjoint(words) or (on != "" and re.search(declared, text) is not None)


def _published(source: Source, text: str, call: re.Match[str], given: list[str], line: int) -> Iterator[str]:
    """The classes of what a call is handed, where no argument names a topic."""
    literals = [one for one in given if any(texts(one)) and not re.search(r"[({]", one)]
    if literals or any(NAMES_TOPIC.search(one) for one in given):
        return
    if call["type"]:
        yield _class_in(call["type"])
        return
    for one in (item for argument in given for item in _items(argument)):
        if made := MADE.match(one):
            yield _class_in(made["class"])
        elif (variable := VARIABLE.fullmatch(one)) and words_of(call["name"])[0] not in ADDS:
            yield from _type_of(source, text[max(call.start() - LONGEST, 0) : call.start()], variable["name"], line)


def _type_of(source: Source, before: str, name: str, line: int) -> Iterator[str]:
    """The class of a variable: what it is declared as or made of in the function, else by what class's function."""
    scope = source.around(line)
    own = [one for one in source.variables if one.name == name and one.scope == scope and one.line <= line]
    if own:
        yield _class_in(own[-1].type)
        return
    factory = re.compile(FACTORY.format(name=re.escape(name), made=MADE.pattern))
    if found := list(factory.finditer(before)):
        yield _class_in(found[-1]["mapped"] or found[-1]["class"])


def _heard(call: re.Match[str], given: list[str]) -> Iterator[str]:
    """The types that a call is given: between angle brackets the first, of its arguments, and of a function's."""
    if call["type"]:
        yield _class_in(call["type"])
    for argument in given[:3]:
        types = (NAMED_TYPE.fullmatch(one) for one in _items(argument) if not NAMES_TOPIC.search(one))
        yield from (_class_in(named["class"]) for named in types if named)
        if taken := TAKEN.search(argument.partition("{")[0]):
            yield _class_in(taken["class"])


def _items(argument: str) -> list[str]:
    """An argument, or the items of the list that it is."""
    begun = OPENS_LIST.match(argument)
    return arguments(f"({argument[begun.end() : -1]})", 0)[0] if begun and argument[-1] in ")]}" else [argument]


def _class_in(name: str) -> str:
    """The class of a dotted name, which may end in a function of its: `OrderPaid` of `events.OrderPaid.of`."""
    for part in reversed(re.split(r"\W+", name)):
        words = words_of(part)
        if part.startswith("New") and len(words) > 1:  # Go's way to make one
            return part.removeprefix("New")
        if part[:1].isupper() and words[0] not in FACTORIES:
            return part
    return ""
