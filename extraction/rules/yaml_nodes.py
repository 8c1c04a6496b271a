"""YAML as nodes with lines: documents, mappings with what `<<` merges in, lists. Nothing is constructed.

libyaml reads the text, ten times as fast as Python; nodes are made of its events here, where it counts how deep they
are: its own composer overflows the stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any, Final

import yaml
from yaml.composer import Composer
from yaml.resolver import Resolver

DEEPEST: Final = 32  # no service is nested deeper; the parser's time grows with the square of it
MOST: Final = 10_000
BREAK: Final = re.compile(r"^---(?:[ \t].*)?$", re.MULTILINE)
LINE_BREAKS: Final = str.maketrans("\x85\u2028\u2029", "   ")
"""Which are YAML's alone: no editor counts them as lines."""
REFERENCES: Final = frozenset({"Ref", "Fn::GetAtt", "Fn::Sub", "Fn::ImportValue", "Fn::Join"})
"""Keys of CloudFormation that say `the value of`."""
LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Composer(Composer, Resolver):
    """Makes nodes of a document that is not too deep."""

    def __init__(self, text: str) -> None:
        Composer.__init__(self)
        Resolver.__init__(self)
        events = LOADER(text)
        self.check_event, self.peek_event, self.get_event = events.check_event, events.peek_event, events.get_event
        self._depth = 0

    def compose_node(self, parent: Any, index: Any) -> yaml.Node | None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise yaml.YAMLError
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


@lru_cache(maxsize=1)  # several rules read one file, then the next
def documents(text: str) -> tuple[yaml.Node, ...]:
    """The roots of its first documents, with the lines of the whole text; one that can't be read costs only itself."""
    text = text.translate(LINE_BREAKS)
    starts = [0, *(found.end() for found in BREAK.finditer(text)), len(text)]
    return tuple(
        root
        for start, end in islice(pairwise(starts), MOST)
        if (root := _root(BREAK.sub("", text[start:end]), text.count("\n", 0, start))) is not None
    )


def _root(part: str, line: int) -> yaml.Node | None:
    try:
        return _Composer("\n" * line + part).get_single_node() if part.strip() else None
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def pairs(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    return ((name, value) for name, _, value in entries(node))


def entries(node: yaml.Node | None, merges: int = 3) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """A mapping's keys, their nodes and values; what `<<` merges in comes first, so that its own win in a dict. merges:
    how many levels of it are followed; an alias may lead back to where it is.
    """
    if not isinstance(node, yaml.MappingNode):
        return
    merged = next((value for key, value in node.value if key.value == "<<"), None)
    if merges:
        yield from entries(merged, merges - 1)
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and key.value != "<<":
            yield str(key.value), key, value


def at(node: yaml.Node | None, *path: str) -> yaml.Node | None:
    for name in path:
        node = dict(pairs(node)).get(name)
    return node


def scalar(node: yaml.Node | None) -> str:
    """The text of a plain value, '' of anything else."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def items(node: yaml.Node | None) -> list[yaml.Node]:
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def names(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    """The names of a list, or of a mapping's keys, with their lines."""
    if isinstance(node, yaml.SequenceNode):
        yield from ((scalar(item), first_line(item)) for item in node.value if scalar(item))
    else:
        yield from ((name, first_line(key)) for name, key, _ in entries(node))


def settings(node: yaml.Node | None) -> Iterator[tuple[str, str, int]]:
    """`KEY: value` and `- KEY=value`."""
    if isinstance(node, yaml.SequenceNode):
        for text, line in names(node):
            key, _, value = text.partition("=")
            yield key, value, line
    else:
        yield from ((name, scalar(value), first_line(key)) for name, key, value in entries(node))


def first_line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


@lru_cache(maxsize=1)
def _lines(text: str) -> list[str]:
    """Of the file at hand, for each of its nodes."""
    return text.split("\n")


def last_line(node: yaml.Node, text: str) -> int:
    """The last line with something in it: a block's end mark is where the next thing begins."""
    lines = _lines(text)
    mark = node.end_mark
    last = mark.line + 1 if mark.line < len(lines) and lines[mark.line][: mark.column].strip() else mark.line
    while last > 1 and (not lines[last - 1].strip() or lines[last - 1].startswith("---")):
        last -= 1
    return int(last)
