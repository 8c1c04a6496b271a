"""Names that stand for topics: constants in code, variables in manifests, settings of Spring and others.

Only what its own name, its class's or its file's says to be one: `ORDER_TOPIC`, `Channels.COMMANDS`, `app.kafka.topic`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import yaml

from extraction.facts import Clue
from extraction.rules.expressions import line_at
from extraction.rules.port import CodeRule, FileRule, Source
from extraction.rules.topics import PUBLISHES, SUBSCRIBES, Argument, assigned, names_topic, topic_clue, topic_in
from extraction.rules.yaml_nodes import documents, first_line, items, pairs, scalar

WORD: Final = re.compile(r"topic|queue|channel|exchange|routing|subject|destination|stream|event", re.IGNORECASE)
KEY: Final = re.compile(
    r"(?:topic|queue|channel|exchange|routing[_.-]?key|subject|destination)(?:[_.-]?name)?s?$", re.IGNORECASE
)
CONSTANT: Final = re.compile(
    r"""^[ \t]*(?:[\w<>\[\]]+[ \t]+){0,6}?["']?(?P<name>[A-Za-z_]\w*)["']?[ \t]*(?::[ \t]*+[\w<>\[\]&'.][\w<>\[\]&' .]*?)?[ \t]*(?::=|=|:)[ \t]*(?P<value>["'\w][^\n]{1,160})$""",  # noqa: E501 - a pattern
    re.MULTILINE,
)
CALLED: Final = re.compile(r"(\w+)\(\)\s*;?$")
RETURNED: Final = re.compile(r"""\breturn\s+["']([^"'\n]+)["']""")
SETTING: Final = re.compile(
    r"""^[ \t]*-?[ \t]*(?:ENV[ \t]+|export[ \t]+)?["']?(?P<name>[A-Za-z][\w.\-]*)["']?[ \t]*[:=][ \t]*["']?(?P<value>[\w.\-:/]+)["']?,?[ \t]*$""",  # noqa: E501 - a pattern
    re.MULTILINE,
)
NAMED: Final = re.compile(
    r"""name:[ \t]*["']?(?P<name>[A-Z][A-Z0-9_]*)["']?[ \t]*\n[ \t]*value:[ \t]*["']?(?P<value>[\w.\-:/]+)["']?""",
    re.MULTILINE,
)
BINDING: Final = re.compile(r"spring\.cloud\.stream\.bindings\.([\w\-]+)\.destination")
SPOKEN: Final = re.compile(
    r"(?:[\w\-]++\.){0,8}(?:kafka|redpanda|rabbit(?:mq)?|amqp|nats|pulsar|mqtt|messaging)\.(?:[\w\-]++\.){0,8}"
    r"(?:(?P<reads>consumers?|subscribers?|subscriptions?|listeners?)|producers?|publishers?)\.(?:[\w\-]++\.){0,8}(?:topics?|queues?|subjects?)(?:[-_.]?names?)?",
    re.IGNORECASE,
)
"""A setting that says who is meant: `kafka.consumer.topics`."""
DEFAULT: Final = re.compile(r"\$\{[\w.\-]+:[-?]?([\w.\-/]+)\}")
DEEPEST: Final = 12


class TopicNames(CodeRule):
    """`topic name` of constants, under their own name and qualified by class, folder and file."""

    name = "topic constants"

    def facts(self, source: Source) -> Iterator[Clue]:
        stem = source.name.partition(".")[0]
        folder = source.path.split("/")[-2] if "/" in source.path else ""
        whole = WORD.search(stem) is not None
        for found in CONSTANT.finditer(source.text) if WORD.search(source.text) else ():
            line = line_at(source.text, found.start("name"))
            inside = source.around(line).partition(".")[0]
            if not (whole or WORD.search(found["name"]) or WORD.search(inside)):
                continue
            if topic := _value(source, found["value"]):
                for qualifier in dict.fromkeys(("", inside, stem, folder)):
                    name = f"{qualifier}.{found['name']}" if qualifier else found["name"]
                    yield names_topic(self.name, name, topic, line)


def _value(source: Source, written: str) -> str:
    """A literal, what a variable is by default, or what a function of the file without arguments returns."""
    if called := CALLED.match(written):
        lines = source.text.split("\n")
        bodies = ["\n".join(lines[d.start_line - 1 : d.end_line]) for d in source.definitions if d.name == called[1]]
        returned = {text for body in bodies for text in RETURNED.findall(body)}
        return topic_in(returned.pop()) if len(returned) == 1 else ""
    argument = assigned(written, 0)
    return argument.name if argument and not argument.is_reference else ""


class TopicSettings(FileRule):
    """`topic name` of variables and settings; the bindings of Spring Cloud Stream say who publishes and subscribes."""

    name = "topic settings"
    files = re.compile(r"\.(?:ya?ml|properties|json|toml|env|ini|conf|cfg)$|(^|/)Dockerfile[^/]*$")

    def facts(self, source: Source) -> Iterator[Clue]:
        if WORD.search(source.text) is None:
            return
        for found in (*NAMED.finditer(source.text), *SETTING.finditer(source.text)):
            line = line_at(source.text, found.start("name"))
            yield from self._setting(found["name"], found["value"], line)
        if re.search(r"(^|/)(?:application|bootstrap)[^/]*\.ya?ml$", source.path):
            for name, value, line in (leaf for root in documents(source.text) for leaf in _leaves(root, "")):
                yield from self._setting(name, value, line)

    def _setting(self, name: str, value: str, line: int) -> Iterator[Clue]:
        topic = topic_in(DEFAULT.sub(r"\1", value))
        if not topic:
            return
        if binding := BINDING.fullmatch(name):
            relation = PUBLISHES if re.search(r"-out-\d+$|^output", binding[1]) else SUBSCRIBES
            yield topic_clue("spring-cloud-stream", relation, Argument(topic, 0), line, "")
        elif spoken := SPOKEN.fullmatch(name):
            yield topic_clue(self.name, SUBSCRIBES if spoken["reads"] else PUBLISHES, Argument(topic, 0), line, "")
        if KEY.search(name) and not binding:
            yield names_topic(self.name, name, topic, line)


def _leaves(node: yaml.Node, above: str, depth: int = 0) -> Iterator[tuple[str, str, int]]:
    """The plain values with their names from the top; what is in a list has the list's."""
    below = [(f"{above}.{name}" if above else name, value) for name, value in pairs(node)]
    for path, value in (*below, *((above, item) for item in items(node))) if depth < DEEPEST else ():
        if scalar(value):
            yield path, scalar(value), first_line(value)
        else:
            yield from _leaves(value, path, depth + 1)
