"""YAML as nodes with lines: documents, mappings with what `<<` merges in, lists. Nothing is constructed."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["at", "documents", "entries", "first_line", "items", "last_line", "names", "pairs", "scalar", "settings"]

DEEPEST: Final = 32  # no service is nested deeper; the parser's time grows with the square of it
BREAK: Final = re.compile(r"^---(?:[ \t].*)?$", re.MULTILINE)
LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where libyaml is


def documents(text: str) -> Iterator[yaml.Node]:
    """The root of each document, with the lines of the whole text; one that can't be read costs only itself."""
    starts = [0, *(found.end() for found in BREAK.finditer(text)), len(text)]
    for start, end in pairwise(starts):
        part = BREAK.sub("", text[start:end])
        if not part.strip() or _depth(part) > DEEPEST:
            continue
        try:
            root = yaml.compose("\n" * text.count("\n", 0, start) + part, Loader=LOADER)
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
        if root is not None:
            yield root


def _depth(text: str) -> int:
    """How deep brackets open; those in quotations count too, which does no harm."""
    return max(accumulate((1 if found[0] in "[{" else -1 for found in re.finditer(r"[][{}]", text)), initial=0))


def pairs(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node]]:
    """A mapping's keys and values."""
    return ((name, value) for name, _, value in entries(node))


def entries(node: yaml.Node | None, merges: int = 3) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """A mapping's keys, their nodes and values; what `<<` merges in comes first, so that its own win in a dict.

    merges: how many levels of it are followed; an alias may lead back to where it stands.
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
    """What stands there; None when nothing does."""
    for name in path:
        node = dict(pairs(node)).get(name)
    return node


def scalar(node: yaml.Node | None) -> str:
    """The text of a plain value, '' of anything else."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def items(node: yaml.Node | None) -> list[yaml.Node]:
    """A list's items."""
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
    """Where it begins, from 1."""
    return int(node.start_mark.line) + 1


def last_line(node: yaml.Node, text: str) -> int:
    """The last line with something in it: a block's end mark stands where the next thing begins."""
    lines = text.split("\n")
    mark = node.end_mark
    last = mark.line + 1 if mark.line < len(lines) and lines[mark.line][: mark.column].strip() else mark.line
    while last > 1 and (not lines[last - 1].strip() or lines[last - 1].startswith("---")):
        last -= 1
    return int(last)
