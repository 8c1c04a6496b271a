"""Names that stand for topics: constants in code, variables in manifests, settings of Spring and others.

Only what its own name, its class's or its file's says to be one: `ORDER_TOPIC`, `Channels.COMMANDS`, `app.kafka.topic`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from extraction.facts import Clue
from extraction.rules.expressions import line_at
from extraction.rules.port import CodeRule, FileRule, Source
from extraction.rules.settings import Setting, settings_in
from extraction.rules.topics import PUBLISHES, SUBSCRIBES, Argument, assigned, names_topic, topic_clue, topic_in
from memory.text import is_test

WORD: Final = re.compile(r"topic|queue|channel|exchange|routing|subject|destination|stream|event", re.IGNORECASE)
CONSTANT: Final = re.compile(
    r"""^[ \t]*(?:[\w<>\[\]]+[ \t]+){0,6}?["']?(?P<name>[A-Za-z_]\w*)["']?[ \t]*(?::[ \t]*+[\w<>\[\]&'.][\w<>\[\]&' .]*?)?[ \t]*(?::=|=|:)[ \t]*(?P<value>["'\w][^\n]{1,160})$""",  # noqa: E501 - a pattern
    re.MULTILINE,
)
CALLED: Final = re.compile(r"(\w+)\(\)\s*;?$")
RETURNED: Final = re.compile(r"""\breturn\s+["']([^"'\n]+)["']""")
GIVEN: Final = re.compile(
    r"""name:[ \t]*["']?(?P<name>[A-Z][A-Z0-9_]*)["']?[ \t]*\n[ \t]*value:[ \t]*["']?(?P<value>[\w.\-:/]+)["']?""",
    re.MULTILINE,
)
"""A variable of a container."""
BINDING: Final = re.compile(r"spring\.cloud\.stream\.bindings\.([\w\-]+)\.destination")
SPOKEN: Final = re.compile(
    r"(?:[\w\-]++\.){0,8}(?:kafka|redpanda|rabbit(?:mq)?|amqp|nats|pulsar|mqtt|messaging)\.(?:[\w\-]++\.){0,8}"
    r"(?:(?P<reads>consumers?|subscribers?|subscriptions?|listeners?|incoming|inbound)|producers?|publishers?|outgoing|outbound)\.(?:[\w\-]++\.){0,8}(?:topics?|queues?|subjects?)(?:[-_.]?names?)?",
    re.IGNORECASE,
)
"""A setting that says who is meant: `kafka.consumer.topics`, `mp.messaging.outgoing.orders.topic`."""
DEFAULT: Final = re.compile(r"\$\{[\w.\-]+:[-?]?([\w.\-/]+)\}")


class TopicNames(CodeRule):
    """`topic name` of constants, under their own name and qualified by class, folder and file."""

    name = "topic constants"

    def facts(self, source: Source) -> Iterator[Clue]:
        stem = source.name.partition(".")[0]
        folder = source.path.split("/")[-2] if "/" in source.path else ""
        whole = WORD.search(stem) is not None
        for found in CONSTANT.finditer(source.text) if WORD.search(source.text) else ():
            line = line_at(source.text, found.start("name"))
            around = source.around(line)
            if not (whole or WORD.search(found["name"]) or WORD.search(around)):
                continue
            if topic := _value(source, found["value"]):
                classes = [part for part in around.split(".") if part != found["name"]]
                for qualifier in dict.fromkeys(("", *classes[:1], *classes[-1:], stem, folder)):
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
    return argument.name if argument and not argument.of else ""


class TopicSettings(FileRule):
    """`topic name` of variables and settings, under their own name and with the keys above it; a key that names a
    broker's consumer or producer, or a binding of Spring Cloud Stream, says who subscribes and publishes.
    """

    name = "topic settings"
    files = re.compile(r"\.(?:ya?ml|properties|json|toml|env|ini|conf|cfg)$|(^|/)Dockerfile[^/]*$")

    def reads(self, path: str) -> bool:
        return super().reads(path) and not is_test(path)

    def facts(self, source: Source) -> Iterator[Clue]:
        if WORD.search(source.text) is None:
            return
        suffix, text = source.name.rpartition(".")[2].replace("yml", "yaml"), source.text
        read = [one for one in settings_in(suffix, text) if isinstance(one, Setting)]
        if not read:  # a template, which is no YAML until it is filled
            read = [one for one in settings_in("", text) if isinstance(one, Setting)]
            read += [Setting((m["name"],), m["value"], line_at(text, m.start("value"))) for m in GIVEN.finditer(text)]
        for one in read:
            if one.keys and WORD.search(".".join(one.keys)):
                yield from self._setting(one.keys, one.value, one.line)

    def _setting(self, keys: tuple[str, ...], value: str, line: int) -> Iterator[Clue]:
        topic, key = topic_in(DEFAULT.sub(r"\1", value)), ".".join(keys)
        if not topic:
            return
        if binding := BINDING.fullmatch(key):
            relation = PUBLISHES if re.search(r"-out-\d+$|^output", binding[1]) else SUBSCRIBES
            yield topic_clue("spring-cloud-stream", relation, Argument(topic, 0), line, "")
            return
        if spoken := SPOKEN.fullmatch(key):
            yield topic_clue(self.name, SUBSCRIBES if spoken["reads"] else PUBLISHES, Argument(topic, 0), line, "")
        for name in dict.fromkeys((key, *([keys[-1]] if WORD.search(keys[-1]) else ()))):
            yield names_topic(self.name, name, topic, line)
